// The report that teaches, on a phone and on a desktop: a mistake in words, shown, tried again, and among all mistakes.
import { checkAccessibility, expect, move, openMore, openPage, openText, square, test } from './page';

/** White's second move leaves a rua to a bia. */
const GAME =
  '[White "Anna"]\n[Black "Boon"]\n[FEN "r3k3/8/pp6/8/8/PP6/8/3RK3 w - - 0 30"]\n[SetUp "1"]\n\n30. Rd5 Ke7 31. Rc5 bxc5 *';

for (const { name, viewport, atNight } of [
  { name: 'phone', viewport: { width: 360, height: 640 }, atNight: '' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, atNight: ' @nightly' },
]) {
  test.describe(`${name}${atNight}`, () => {
    test.use({ viewport });

    test('a mistake is explained, played out and tried again, and stands among all mistakes', async ({ page }) => {
      await openPage(page, '#/analyse');
      await openMore(page);
      await openText(page, GAME);
      await openMore(page);
      await page.getByRole('button', { name: 'Analyse the game' }).click();
      const item = page.locator('.lesson-list li').filter({ hasText: '31. Rc5??' });
      await expect(item).toContainText('Loses the rua to a bia.', { timeout: 120_000 });
      await checkAccessibility(page);
      await item.getByRole('link', { name: 'Show' }).click();
      const state = page.locator('.exercise-state');
      await expect(state).toHaveText('31. Rc5?? was played, and allowed this.');
      await expect(square(page, 'c5')).toHaveAttribute('aria-label', /bia/);
      await checkAccessibility(page);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(state).toHaveText('White to move. Find better than 31. Rc5??.');
      await move(page, 'd5', 'd6');
      await expect(state).toHaveText(/That costs|Right/);
      await page
        .getByRole('button', { name: 'All mistakes' })
        .or(page.getByRole('button', { name: /report/ }))
        .click();
      await page.goto('#/learn/mistakes');
      await expect(page.getByText('analysed game')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Anna – Boon, 31. Rc5??' })).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
      await checkAccessibility(page);
      await page.getByRole('link', { name: 'Try the next one' }).first().click();
      await expect(state).toContainText('to move. Find better than');
    });
  });
}
