// Eight views as pictures, at night. They hold for one version of Chromium and the page's own faces; docs/web.md says
// how they are renewed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { begin, expect, move, openPage, openSheet, test } from './devices';
import { openText } from './page';

const recorded = fileURLToPath(new URL('./pictures/chromium.txt', import.meta.url));

test.beforeEach(({ browser }, { config }) => {
  const installed = browser.version();
  if (config.updateSnapshots === 'all') {
    writeFileSync(recorded, `${installed}\n`);
  }
  const version = readFileSync(recorded, 'utf8').trim();
  test.skip(installed !== version, `ignored: the pictures are of Chromium ${version}, this is ${installed}`);
});

// Half the size or less: what moves by a pixel or two is seen, and the files stay small.
const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.4 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 0.5 };
const COUNT = '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60';
const GAME =
  '[White "A"]\n[Black "B"]\n\n1. e4 {[%eval 0.2]} e5 {[%eval 0.1]} 2. Nd2 {[%eval 0.6]} d5? {[%eval 2.1]} *';

type Words = Parameters<typeof openSheet>[1];

const VIEWS: { name: string; use: object; show: (page: Page, words: Words) => Promise<unknown> }[] = [
  { name: 'start-desk', use: DESK, show: (page) => openPage(page) },
  {
    name: 'count-desk',
    use: DESK,
    show: async (page, words) => {
      await begin(page, words, COUNT);
      await move(page, 'b1', 'b2');
    },
  },
  {
    name: 'analysis-desk-dark',
    use: { ...DESK, colorScheme: 'dark' },
    show: async (page) => {
      await openPage(page, '#/analyse');
      await openText(page, GAME);
      await expect(page.locator('.graph')).toBeAttached();
    },
  },
  { name: 'learn-desk-thai', use: { ...DESK, locale: 'th-TH' }, show: (page) => openPage(page, '#/learn') },
  { name: 'start-phone-dark', use: { ...PHONE, colorScheme: 'dark' }, show: (page) => openPage(page) },
  { name: 'count-phone-thai', use: { ...PHONE, locale: 'th-TH' }, show: (page, words) => begin(page, words, COUNT) },
  { name: 'exercise-phone', use: PHONE, show: (page) => openPage(page, '#/learn/hunt.08') },
  {
    name: 'setup-phone',
    use: PHONE,
    show: async (page, words) => {
      await openPage(page, '#/analyse');
      await openSheet(page, words);
      await page.getByRole('button', { name: words('analyse.setup'), exact: true }).click();
    },
  },
];

for (const { name, use, show } of VIEWS) {
  test.describe(name, () => {
    test.use(use);

    test('looks as recorded @nightly', async ({ page, words }) => {
      await show(page, words);
      await expect.poll(() => page.evaluate(() => document.fonts.check('16px Sarabun'))).toBe(true);
      await page.evaluate(() => document.fonts.ready);
      await expect(page).toHaveScreenshot(`${name}.png`, { scale: 'device', maxDiffPixelRatio: 0.01, threshold: 0.2 });
    });
  });
}
