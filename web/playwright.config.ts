import { defineConfig } from '@playwright/test';
import { browser } from './tests/e2e/browser';
import type { DeviceOptions } from './tests/e2e/devices';

const PORT = Number(process.env.SAKMAK_PORT ?? 4178);

/** What takes long runs at night: .ci/nightly sets this. */
const isNight = process.env.SAKMAK_NIGHTLY !== undefined;
const flows = { testMatch: /flows/ };
const finger = (width: number, height: number) => ({ viewport: { width, height }, hasTouch: true });

export default defineConfig<DeviceOptions>({
  testDir: 'tests/e2e',
  // Long enough for a machine that does much else.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  grepInvert: isNight ? [] : /@nightly/,
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // What is timed has the machine for itself.
  projects: [
    { name: 'page', testIgnore: /speed|flows|pictures/ },
    { name: 'phone', ...flows, use: finger(390, 844) },
    { name: 'small phone', ...flows, use: finger(360, 640) },
    { name: 'landscape', ...flows, use: finger(844, 390) },
    { name: 'tablet', ...flows, use: finger(768, 1024) },
    { name: 'desktop', ...flows, use: { viewport: { width: 1440, height: 900 } } },
    { name: 'thai', ...flows, use: { ...finger(390, 844), locale: 'th-TH' } },
    { name: 'dark', ...flows, use: { colorScheme: 'dark' } },
    { name: 'throttled', ...flows, use: { throttling: 4 } },
    { name: 'pictures', testMatch: /pictures/ },
    { name: 'speed', testMatch: /speed/, dependencies: ['page'], fullyParallel: false },
  ],
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    // The page works below any path.
    baseURL: `http://localhost:${PORT}/some/folder/`,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    launchOptions: { ...browser, args: ['--no-sandbox'] },
  },
  webServer: {
    command: `node scripts/serve.mjs dist ${PORT} /some/folder/`,
    port: PORT,
    reuseExistingServer: false,
  },
});
