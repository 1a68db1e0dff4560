// The puzzles, on a phone and on a desktop, with a list of their own.
import { readFileSync } from 'node:fs';
import { checkAccessibility, expect, move, openPage, square, test } from './page';

const SIZES = [
  { name: 'phone', viewport: { width: 360, height: 640 }, atNight: '' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, atNight: ' @nightly' },
];

type Page = import('@playwright/test').Page;

/** White wins in three moves; Black has lost a draw and White holds one; one move with two right ones. */
const WIN = ['7k/8/8/5K2/8/8/4R3/3n4 w - 128 126 54', '', 'f5g6 h8g8 e2e8', 'win', {}];
const HOLD = ['1kr5/8/1M6/1N4mp/8/8/8/1K6 b - - 29 122', 'c8e8', 'b6a7', 'hold', {}];
const SEVERAL = ['4K3/8/8/8/8/8/8/1Mr3k1 b - 128 118 60', '', 'g1f1', 'win', { 0: ['g1f1', 'g1f2'] }];
const ROWS = [...Array.from({ length: 8 }, () => WIN), HOLD, SEVERAL];
const MASKS = [...Array.from({ length: 8 }, () => 1), 2, 4];

const INDEX = {
  format: 1,
  list: 'abcdef012345',
  size: 200,
  count: ROWS.length,
  themes: [
    { id: 'beat-count', en: 'Beat the count', th: 'ไล่จนทันศักดิ์' },
    { id: 'defence', en: 'Defence', th: 'ตั้งรับ' },
    { id: 'quiet', en: 'Quiet move', th: 'ตาเดินเงียบ' },
  ],
  ratings: ROWS.map((_, at) => 1400 + 10 * at),
  masks: MASKS,
};
const PART = { puzzles: ROWS.map((row, at) => [`0000000${at}`, ...row]) };

/** The host has the list of this test. */
async function serveList(page: Page): Promise<void> {
  await page.route('**/puzzles/index.json', (route) => route.fulfill({ json: INDEX }));
  await page.route('**/puzzles/part-000.json*', (route) => route.fulfill({ json: PART }));
}

/** The page is not wider than its window. */
async function fits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

const state = (page: Page) => page.locator('.exercise-state');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Solves the puzzle WIN. */
async function solve(page: Page): Promise<void> {
  await expect(state(page)).toHaveText('White to move and win.');
  await move(page, 'f5', 'g6');
  await expect(state(page)).toHaveText('Right! Go on.');
  await move(page, 'e2', 'e8');
}

// What a service worker fetches is not seen by routes, and when it begins to work differs.
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new Error('none in this test'));
  }),
);

for (const { name, viewport, atNight } of SIZES) {
  test.describe(`${name}${atNight}`, () => {
    test.use({ viewport });

    test('rated: a wrong move is refuted, then right; the next one is solved; both are kept', async ({ page }) => {
      await serveList(page);
      await openPage(page, '#/learn');
      await page.getByRole('button', { name: /^Puzzles/ }).click();
      await expect(page.getByRole('heading', { name: 'Puzzles', level: 1 })).toBeVisible();
      await expect(page).toHaveTitle('Puzzles · Sakmak');
      await expect(page.getByRole('button', { name: /^Beat the count/ })).toContainText('8');
      await fits(page);
      await checkAccessibility(page);
      await page.getByRole('button', { name: /^Beat the count/ }).click();
      await expect(page.locator('.count')).toContainText('left');
      await move(page, 'e2', 'e3');
      await expect(state(page)).toHaveText('Not the move: this is the answer.');
      await expect(page.locator('.sb-square.last')).not.toHaveCount(0);
      await fits(page);
      await checkAccessibility(page);
      // The button has the focus.
      await expect(button(page, 'Try again')).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Enter');
      await solve(page);
      await expect(state(page)).toContainText('not counted as solved');
      await expect(button(page, 'Next puzzle')).toBeInViewport({ ratio: 1 });
      await checkAccessibility(page);
      await page.goto('#/learn/puzzles/rated');
      // Whichever puzzle is drawn: the solution is shown, and the rating falls.
      await button(page, 'Solution').click();
      await expect(state(page)).toContainText('The solution was shown');
      await expect(page.getByText(/yours 1500 → 1[0-4]\d\d/)).toBeVisible();
      await page.reload();
      await page.getByRole('link', { name: 'Puzzles' }).click();
      await expect(page.getByText(/Your rating: 1[0-4]\d\d ±/)).toBeVisible();
    });
  });
}

test('mistake first, solver below, keyboard, analysis; daily, streak and storm', async ({ page }) => {
  await serveList(page);
  await openPage(page, '#/learn/puzzles/theme/defence');
  await expect(state(page)).toHaveText('White to move and hold the draw.');
  await expect(page.locator('.sb-square.last')).toHaveCount(2);
  await square(page, 'b6').focus();
  await page.keyboard.press('Enter');
  await square(page, 'a7').focus();
  await page.keyboard.press('Enter');
  await expect(state(page)).toHaveText('Solved! The puzzle ends here: from now on several moves hold the draw.');
  await expect(page.getByRole('link', { name: 'Defence' })).toBeVisible();
  await button(page, 'Analyse this position').click();
  await expect(page).toHaveURL(/#\/analyse$/);
  await expect(square(page, 'e8')).toHaveAttribute('aria-label', /rua/);
  // Black solves: its side is below. Either of two moves is right.
  await page.goto('#/learn/puzzles/theme/quiet');
  await expect(state(page)).toHaveText('Black to move and win.');
  const [above, below] = [await square(page, 'e8').boundingBox(), await square(page, 'g1').boundingBox()];
  expect(above?.y).toBeGreaterThan(below?.y ?? 0);
  await move(page, 'g1', 'f2');
  await expect(state(page)).toHaveText('Solved! Other moves were right here as well.');

  await page.goto('#/learn/puzzles/streak');
  await solve(page);
  await expect(page.getByText('1 solved', { exact: true })).toBeVisible();
  await expect(state(page)).toHaveText('White to move and win.');
  await move(page, 'e2', 'e3');
  await expect(page.getByText('1 puzzle solved: your best!')).toBeVisible();
  await expect(button(page, 'Once more')).toBeVisible();
  await page.goto('#/learn/puzzles/storm');
  await expect(page.getByRole('timer')).toContainText(/[23]:\d\d left/);
  await solve(page);
  await expect(page.getByText('1 solved', { exact: true })).toBeVisible();
});

test('without a network the list can be asked for again; progress is exported and imported', async ({
  page,
  faults,
}) => {
  await page.route('**/puzzles/*.json*', (route) => route.abort());
  await openPage(page, '#/learn/puzzles/rated');
  await expect(page.getByRole('alert').getByText(/could not be loaded/)).toBeVisible();
  faults.length = 0;
  await page.unroute('**/puzzles/*.json*');
  await serveList(page);
  await button(page, 'Try again').click();
  await button(page, 'Hint').click();
  await expect(state(page)).toContainText(/The (khun|met|rua) on .. moves\./);
  await page.goto('#/learn/puzzles/progress');
  await expect(page.getByText('Come again')).toBeVisible();
  await checkAccessibility(page);
  const download = page.waitForEvent('download');
  await button(page, 'Export as a file').click();
  const path = await (await download).path();
  const progress = JSON.parse(readFileSync(path, 'utf8'));
  expect(progress).toMatchObject({ puzzles: 1, rated: 1 });
  const more = { ...progress, rated: 5, ratings: [1500, 1520, 1490, 1530].map((one, at) => [20_780 + at, one]) };
  const file = (text: string) => ({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.locator('input[type=file]').setInputFiles(file(JSON.stringify(more)));
  await expect(page.getByText('The progress was joined with yours.')).toBeVisible();
  await expect(page.getByRole('img', { name: /lowest 1490, highest 1530/ })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(file('[Event "no"]'));
  await expect(page.getByText('This file has no progress of puzzles.')).toBeVisible();
});
