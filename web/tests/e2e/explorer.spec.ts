// The opening explorer and its drill, with the book of the page.
import { checkAccessibility, expect, move, moves, openMore, openPage, test } from './page';

const SIZES = [
  { name: 'phone', viewport: { width: 360, height: 640 }, atNight: '' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, atNight: ' @nightly' },
];

type Page = import('@playwright/test').Page;

const explorer = (page: Page) => page.getByRole('region', { name: 'Openings', exact: true });
const rows = (page: Page) => explorer(page).locator('.explorer-moves > li');
const state = (page: Page) => page.locator('.exercise-state');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The page is not wider than its window. */
async function fits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

for (const { name, viewport, atNight } of SIZES) {
  test.describe(`${name}${atNight}`, () => {
    test.use({ viewport });

    test('the book shows moves and plays them; a game is compared with it; own games', async ({ page }) => {
      await openPage(page, '#/analyse');
      await openMore(page);
      await button(page, 'Openings').click();
      await expect(rows(page)).toHaveCount(23);
      const e4 = rows(page).filter({ has: page.getByRole('button', { name: 'e4', exact: true }) });
      await expect(e4.locator('.explorer-score')).toHaveText(/^[+−]?0\.\d\d$/);
      await expect(e4.locator('.explorer-line')).toHaveText(/^\S+( \S+)+$/);
      await expect(e4.locator('.chances')).toHaveAttribute('aria-label', /^White won \d+/);
      await fits(page);
      await checkAccessibility(page);
      // Every move of the first position is in the book. The rua that goes up later is not.
      await explorer(page).getByRole('button', { name: 'h4', exact: true }).click();
      await expect.poll(() => moves(page)).toEqual(['h4']);
      await expect(explorer(page)).toContainText('It has nothing against them.');
      await move(page, 'h6', 'h5');
      await move(page, 'h4', 'h5');
      await move(page, 'h8', 'h5');
      await move(page, 'h1', 'h4');
      const remark = explorer(page)
        .getByRole('button', { name: /^(White|Black), move \d: / })
        .first();
      await expect(remark).toBeVisible();
      await checkAccessibility(page);
      await remark.click();
      await expect(page.locator('.moves .move[aria-current=true]')).not.toHaveText('Rh4');
      await explorer(page).getByRole('radio', { name: 'My games' }).check();
      await explorer(page).getByRole('searchbox', { name: 'Player or opponent' }).fill('nobody');
      await expect(explorer(page)).toContainText('No game of yours has this position.');
      await explorer(page).getByRole('searchbox', { name: 'Player or opponent' }).fill('');
      await expect(rows(page)).toHaveCount(1);
      await checkAccessibility(page);
    });
  });
}

test('drill from the board: a shown move comes again, replies follow', async ({ page }) => {
  await openPage(page, '#/analyse');
  await button(page, 'Openings').click();
  await button(page, 'Drill from here').click();
  await expect(page).toHaveTitle('Opening drill · Sakmak');
  await expect(page.getByRole('radio', { name: 'the board of Analyse' })).toBeChecked();
  await checkAccessibility(page);
  await button(page, 'Begin').click();
  await expect(state(page)).toHaveText('Your move, White.');
  await button(page, 'Show the move').click();
  await expect(state(page)).toHaveText(/^The book plays \S+\. Play it, too\.$/);
  await expect(page.locator('.sb-shape.hint')).toHaveCount(1);
  await checkAccessibility(page);
  const [, best = ''] = /plays (\S+)\. Play/.exec(await state(page).innerText()) ?? [];
  await page.getByRole('textbox').fill(best);
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toHaveLength(2);
  await expect(state(page)).toHaveText(/^(Your move, White\.|The book ends here: 0 right, 1 missed\.)$/);
  await button(page, 'End').click();
  await expect(page.getByText(/^Nothing is due until /)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Nothing is due until /)).toBeVisible();
  await page.getByRole('radio', { name: 'Black', exact: true }).check();
  await button(page, 'Begin').click();
  await expect.poll(() => moves(page)).toHaveLength(1);
  await expect(state(page)).toHaveText('Your move, Black.');
});
