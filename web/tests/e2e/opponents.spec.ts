// A game against an animal, on a phone and on a desktop.
import { checkAccessibility, expect, move, moves, openMore, openPage, test } from './page';

for (const { name, viewport, atNight } of [
  { name: 'phone', viewport: { width: 390, height: 844 }, atNight: '' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, atNight: ' @nightly' },
]) {
  test.describe(`${name}${atNight}`, () => {
    test.use({ viewport });

    test('cards, a rated game, its end and the rating', async ({ page }) => {
      await openPage(page);
      const cards = page.getByRole('group', { name: 'Who do you play?' });
      await expect(cards.getByRole('radio')).toHaveCount(10);
      await cards.getByRole('radio', { name: /^Chick/ }).check();
      await expect(page.getByText('Never heard of the count')).toBeVisible();
      await expect(page.getByText('This game will not count')).toBeVisible();
      await page.getByRole('checkbox', { name: 'Rated: no take back, no hint' }).check();
      await expect(page.getByText('This game will count')).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
      await checkAccessibility(page);

      await page.getByRole('button', { name: 'Begin' }).click();
      await expect(page.locator('.player .name').first()).toContainText(/^Chick \d+$/);
      await move(page, 'e3', 'e4');
      await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(2);
      await openMore(page);
      await expect(page.getByRole('button', { name: 'Take back' })).toBeDisabled();
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.getByRole('button', { name: 'Sure?' }).click();
      const result = page.locator('.result');
      await expect(result).toContainText('You lost');
      await expect(result).toContainText(/Your rating: 1500 → \d{3,4} /);
      await expect(result).toContainText('0 won, 0 drawn, 1 lost');
      await checkAccessibility(page);

      // The record stands on the card, and My games knows the opponent.
      await openPage(page, '#/games');
      await expect(page.locator('.players').first()).toContainText('Chick');
    });
  });
}
