// Moves that are confirmed, games that are played through, lists without comments.
import type { Page } from '@playwright/test';
import { expect, move, moves, openMore, openPage, openText, playFrom, square, test } from './page';

test('each move is confirmed or taken back, by mouse and by keyboard', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Confirm each move' }).check();
  await page.getByRole('button', { name: 'Close' }).click();
  await playFrom(page, 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1');
  const bar = page.getByRole('group', { name: 'Play this move?' });
  await move(page, 'b1', 'd2');
  // The board shows it, the game does not have it.
  await expect(square(page, 'd2')).toHaveAttribute('aria-label', 'd2, White maa');
  await expect(square(page, 'b1')).toHaveAttribute('aria-label', 'b1, empty');
  expect(await moves(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Take back' }).click();
  await expect(square(page, 'b1')).toHaveAttribute('aria-label', 'b1, White maa');
  await square(page, 'b1').dragTo(square(page, 'd2'));
  await bar.getByRole('button', { name: 'Play Nd2' }).click();
  await expect.poll(() => moves(page)).toEqual(['Nd2']);
  await expect(bar).toHaveCount(0);

  await square(page, 'e6').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('button', { name: 'Play e5' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  expect(await moves(page)).toEqual(['Nd2']);
});

const GAME = '1. e4 {a bia} e5 2. d4 (2. a4 {another}) d5 3. c4 a5 *';

/** Seconds a move when a game is played through. */
async function setPace(page: Page, seconds: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page
    .getByRole('group', { name: 'Play through' })
    .getByRole('radio', { name: `${seconds} s` })
    .check();
  await page.getByRole('button', { name: 'Close' }).click();
}

test('a game is played through, and stopped by button, key or another step', async ({ page }) => {
  await openPage(page, '#/analyse');
  await setPace(page, '4');
  await openText(page, GAME);
  const here = page.locator('.moves .move[aria-current]');
  const through = page.getByRole('button', { name: 'Play through' });
  const stop = page.getByRole('button', { name: 'Stop playing through' });
  await page.keyboard.press('Home');
  await through.click();
  await expect(here).toHaveText('e4');
  await stop.click();
  await expect(through).toBeVisible();
  await page.keyboard.press('p');
  await expect(stop).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(through).toBeVisible();
  await expect(here).not.toHaveText('a5');

  await setPace(page, '0.5');
  await page.keyboard.press('Home');
  await through.click();
  await expect(here).toHaveText('a5');
  await expect(through).toBeDisabled();
});

test('the moves without comments', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, GAME);
  await expect(page.locator('.moves .comment')).toHaveCount(2);
  const comments = page.getByRole('button', { name: 'Show comments' });
  await expect(comments).toHaveAttribute('aria-pressed', 'true');
  await comments.click();
  await expect(page.locator('.moves .comment')).toHaveCount(0);
  await expect(page.locator('.moves .variation')).toHaveCount(1);
  await comments.click();
  await expect(page.locator('.moves .comment')).toHaveCount(2);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true });

  test('playing through begins and stops by one tap at the thumb', async ({ page }) => {
    await openPage(page, '#/analyse');
    await setPace(page, '4');
    await openMore(page);
    await openText(page, GAME);
    const thumbs = page.locator('.thumbs');
    await page.locator('.moves .move').first().click();
    await thumbs.getByRole('button', { name: 'Play through' }).click();
    await expect(page.locator('.moves .move[aria-current]')).toHaveText('e5');
    for (const button of await thumbs.getByRole('button').all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    await thumbs.getByRole('button', { name: 'Stop playing through' }).click();
    await expect(thumbs.getByRole('button', { name: 'Play through' })).toBeEnabled();
  });
});
