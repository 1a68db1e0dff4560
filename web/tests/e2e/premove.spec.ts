// A move chosen while Sakmak thinks.
import type { Page } from '@playwright/test';
import { expect, type HeldEngine, move, moves, openPageWithHeldEngine, square, test } from './page';

/** A game in which Sakmak thinks until it is released. `fen` in place of the start position. */
async function beginHeld(page: Page, fen?: string): Promise<HeldEngine> {
  const engine = await openPageWithHeldEngine(page, fen && `#fen=${fen.replaceAll(' ', '_')}`);
  if (fen) {
    await page.getByRole('button', { name: 'Play from here' }).click();
  }
  await page.getByRole('radio', { name: 'Sakmak', exact: true }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByText('Your move')).toBeVisible();
  await engine.hold();
  return engine;
}

const chosen = (page: Page) => page.locator('.game-board .sb-square.premove');

const said = (page: Page) => page.locator('.status');

test('a premove is made once Sakmak has moved', async ({ page }) => {
  const engine = await beginHeld(page);
  await move(page, 'e3', 'e4');
  await move(page, 'a3', 'a4');
  await expect(chosen(page)).toHaveCount(2);
  await expect(said(page)).toHaveText('Your next move is chosen. A tap on the board drops it.');
  await engine.release();
  await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(3);
  expect((await moves(page))[2]).toBe('a4');
  await expect(chosen(page)).toHaveCount(0);
});

test('a tap cancels a premove, as stepping back does; off, none can be made', async ({ page }) => {
  const engine = await beginHeld(page);
  await move(page, 'e3', 'e4');
  await move(page, 'a3', 'a4');
  await square(page, 'd5').click();
  await expect(chosen(page)).toHaveCount(0);
  await expect(said(page)).toHaveText('Black to move');
  await move(page, 'a3', 'a4');
  await page.keyboard.press('ArrowLeft');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await engine.release();
  await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(2);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Choose a move while Sakmak thinks' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await engine.hold();
  await move(page, 'b3', 'b4');
  await move(page, 'a3', 'a4');
  await expect(chosen(page)).toHaveCount(0);
  await engine.release();
  await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(4);
});

test('a premove that is not legal then is dropped, and its piece stays', async ({ page }) => {
  const engine = await beginHeld(page);
  await move(page, 'e3', 'e4');
  // A capture where nothing comes.
  await move(page, 'd3', 'c4');
  await expect(chosen(page)).toHaveCount(2);
  await engine.release();
  await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(2);
  await expect(page.getByText('Your move')).toBeVisible();
  await expect(chosen(page)).toHaveCount(0);
  await expect(square(page, 'd3')).toHaveAttribute('aria-label', 'd3, White bia');
  expect(await moves(page)).toHaveLength(2);
});

test('a premove that begins a count asks first', async ({ page }) => {
  // Check: Black's khun must move, and its met cannot be saved.
  const engine = await beginHeld(page, 'm6k/8/8/8/8/8/8/R3K1R1 w - - 0 1');
  const warning = page.getByRole('alertdialog');
  await move(page, 'g1', 'h1');
  await warning.getByRole('button', { name: 'Play' }).click();
  await move(page, 'a1', 'a8');
  await expect(chosen(page)).toHaveCount(2);
  await engine.release();
  await expect(warning).toBeVisible({ timeout: 60_000 });
  expect(await moves(page)).toHaveLength(2);
  await expect(square(page, 'a1')).toHaveAttribute('aria-label', 'a1, White rua');
  await warning.getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await moves(page))[2]).toMatch(/^Rxa8/);
});
