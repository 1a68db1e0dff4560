import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** Debian's Chromium; another one by SAKMAK_CHROMIUM. */
const executablePath = process.env.SAKMAK_CHROMIUM ?? '/usr/bin/chromium';
const PORT = Number(process.env.SAKMAK_PORT ?? 4178);

export default defineConfig({
  testDir: 'tests/e2e',
  // Long enough for a machine that does much else.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  // What is timed has the machine for itself.
  projects: [
    { name: 'page', testIgnore: /speed/ },
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
    launchOptions: { ...(existsSync(executablePath) && { executablePath }), args: ['--no-sandbox'] },
  },
  webServer: {
    command: `node scripts/serve.mjs dist ${PORT} /some/folder/`,
    port: PORT,
    reuseExistingServer: false,
  },
});
