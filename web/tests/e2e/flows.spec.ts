// What people do, on each kind of device: see the projects in playwright.config.ts. The first runs in the gate, the
// others at night.
import { begin, expect, move, openPage, openSheet, test } from './devices';

const list = '.moves .line.main > .item > .move';

/** The page is not wider than its window. */
async function fits(page: import('@playwright/test').Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

test('a game begins, and a move that changes the count asks', async ({ page, words }) => {
  await begin(page, words, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
  await move(page, 'b1', 'b2');
  const warning = page.getByRole('alertdialog');
  await expect(warning).toBeInViewport({ ratio: 1 });
  await warning.getByRole('button').first().click();
  await expect(page.locator(list)).toHaveCount(1);
  await expect(page.locator('.count')).toContainText('5');
  await fits(page);
});

test('the first moves of a game @nightly', async ({ page, words }) => {
  await begin(page, words);
  await move(page, 'e3', 'e4');
  await move(page, 'e6', 'e5');
  await expect(page.locator(list)).toHaveCount(2);
  await openSheet(page, words);
  await page.getByRole('button', { name: words('play.takeBack'), exact: true }).click();
  await expect(page.locator(list)).toHaveCount(1);
  await fits(page);
});

test('the engine shows a line @nightly', async ({ page, words }) => {
  await openPage(page, '#/analyse');
  const toggle = page.getByRole('button', { name: words('analyse.engine'), exact: true });
  await ((await toggle.isVisible()) ? toggle : page.locator('.switch input')).click();
  await expect(page.locator('.lines .score').first()).toBeInViewport();
  await page.locator('.lines .score').first().click();
  await expect(page.locator(list)).toHaveCount(1);
  await fits(page);
});

test('a position is set up @nightly', async ({ page, words }) => {
  await openPage(page, '#/analyse');
  await openSheet(page, words);
  await page.getByRole('button', { name: words('analyse.setup'), exact: true }).click();
  await page.getByRole('button', { name: words('setup.clear'), exact: true }).click();
  for (const [palette, at] of [
    [0, 'e1'],
    [7, 'e8'],
    [4, 'a1'],
  ] as const) {
    await page.locator('.palette button').nth(palette).click();
    await page.locator(`[data-square=${at}]`).click();
  }
  await fits(page);
  await page.getByRole('button', { name: words('setup.use'), exact: true }).click();
  await expect(page.locator('.sb-piece')).toHaveCount(3);
});

test('an exercise is opened and begun @nightly', async ({ page, words }) => {
  await openPage(page, '#/learn');
  await fits(page);
  await page.getByRole('button', { name: new RegExp(words('learn.nextForYou')) }).click();
  await expect(page.locator('.exercise-state')).toContainText(words('learn.toMove'));
  await page.getByRole('button', { name: words('learn.solution'), exact: true }).click();
  await expect(page.locator('.sb-shape.hint')).toBeAttached();
  await fits(page);
});
