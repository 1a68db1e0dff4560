import type { Page } from '@playwright/test';
import { Sakmak } from 'sakmak/engine';
import { expect, move, moves, openPage, playFrom, square, test } from './page';

async function chooseLevel(page: Page, level: number): Promise<void> {
  await page.getByRole('radio', { name: 'Sakmak', exact: true }).check();
  await page.getByRole('group', { name: 'Level' }).getByRole('radio').nth(level).check();
}

test('a whole game against level 1 to its end @nightly', async ({ page }) => {
  test.setTimeout(240_000);
  await openPage(page);
  await page.evaluate(() => localStorage.setItem('sakmak.settings', JSON.stringify({ warn: false, notation: 'uci' })));
  await page.reload();
  await chooseLevel(page, 0);
  await page.getByRole('button', { name: 'Begin' }).click();
  // A player for the test: the same engine in Node, at full strength and few nodes.
  const engine = await Sakmak();
  const result = page.locator('.result h2');
  for (let number = 0; number < 150; number++) {
    if (await result.isVisible()) {
      break;
    }
    const made = await moves(page);
    const next = await engine.play({ moves: made }, { nodes: 60_000 });
    expect(next).not.toBeNull();
    await page.getByLabel('Type a move').fill(next ?? '');
    await page.keyboard.press('Enter');
    // Sakmak answers, or the game is over.
    await expect
      .poll(async () => (await moves(page)).length >= made.length + 2 || (await result.isVisible()), {
        timeout: 20_000,
      })
      .toBe(true);
  }
  engine.terminate();
  await expect(result).toHaveText('You won: by checkmate');
  const number = (await moves(page)).length;
  // The game can be gone through, analysed and played again.
  await page.getByRole('button', { name: 'Previous move' }).click();
  await page.locator('.result').getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('.moves .move')).toHaveCount(number);
  await page.getByRole('link', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Play again' }).click();
  await expect(page.locator('.moves')).toHaveText('No move yet.');
});

test('the levels are the calibrated ones, named', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: 'Sakmak', exact: true }).check();
  const levels = await page.getByRole('group', { name: 'Level' }).locator('label').allInnerTexts();
  expect(levels).toHaveLength(11);
  expect(levels[0]).toMatch(/^1 · Cowrie\s+\d{3,4}$/);
  expect(levels[10]).toMatch(/^11 · Sakmak, full strength\s+\d{4}$/);
});

test('either colour, take back, hint, flip, resign', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: 'Black', exact: true }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByText('Your move')).toBeVisible();
  await expect.poll(() => moves(page)).toHaveLength(1);
  // Black is below: the khun of e8 stands in the lower half.
  const below = async (name: string) => ((await square(page, name).boundingBox())?.y ?? 0) > 400;
  await expect.poll(() => below('e8')).toBe(true);
  await page.getByRole('button', { name: 'Flip the board' }).click();
  await expect.poll(() => below('e8')).toBe(false);
  await page.keyboard.press('f');
  await expect.poll(() => below('e8')).toBe(true);

  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('.sb-shape.hint')).toBeVisible({ timeout: 20_000 });
  await move(page, 'e6', 'e5');
  await expect.poll(async () => (await moves(page)).length).toBe(3);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(async () => (await moves(page)).length).toBe(1);
  await expect(page.getByText('Your move')).toBeVisible();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Sure?' }).click();
  await expect(page.locator('.result h2')).toHaveText('You lost: Black resigned');
});

test('a draw offered at the start is declined', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await page.getByRole('button', { name: 'Sure?' }).click();
  await expect(page.getByText('Sakmak declines the draw.')).toBeVisible({ timeout: 20_000 });
});

test('the engine agrees to a draw that the count forces', async ({ page }) => {
  await openPage(page, '#fen=8/3K4/8/1R5R/8/5k2/8/8_b_-_16_14_58');
  await page.getByRole('button', { name: 'Play from here' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Black', exact: true }).check();
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await page.getByRole('button', { name: 'Sure?' }).click();
  await expect(page.locator('.result h2')).toHaveText('Draw: by agreement', { timeout: 20_000 });
});

test('clocks run, and who runs out of time loses', async ({ page }) => {
  await page.clock.install();
  await openPage(page);
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('radio', { name: '3 min + 2 s' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  const clocks = page.getByRole('timer');
  await expect(clocks).toHaveText(['3:00', '3:00']);
  await page.clock.runFor(10_000);
  await expect(clocks).toHaveText(['3:00', '2:50']);
  await move(page, 'e3', 'e4');
  await expect(clocks.nth(1)).toHaveText('2:52');
  await page.clock.runFor(181_000);
  await expect(page.locator('.result h2')).toHaveText('White wins: Black ran out of time');
});

test('the engine plays by its clock', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: '3 min + 2 s' }).check();
  await chooseLevel(page, 10);
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  // Its clock is for 24 moves; the hardest move may take two and a half shares of it.
  await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(2);
});

test('a game waits for the engine while the analysis has it', async ({ page }) => {
  await openPage(page);
  await chooseLevel(page, 10);
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  await page.getByRole('link', { name: 'Analyse' }).click();
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 20_000 });
  await page.getByRole('link', { name: 'Play' }).click();
  await expect.poll(async () => (await moves(page)).length, { timeout: 20_000 }).toBe(2);
});

test('Cambodian leaps and the other first moves can be played @nightly', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByText('Rules:').click();
  await page.locator('.rules-form select').first().selectOption('cambodian');
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'd1', 'b2');
  await move(page, 'e8', 'g7');
  await expect.poll(() => moves(page)).toEqual(['Kb2', 'Kg7']);

  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByText('Rules:').click();
  await page.locator('.rules-form select').first().selectOption('makruk');
  await page.getByLabel('Sut Met: met and bia step together').check();
  await page.getByLabel('Sut Ma: maa and bia step together').check();
  await page.getByRole('button', { name: 'Begin' }).click();
  // The met steps onto its bia, which steps ahead.
  await move(page, 'e1', 'e3');
  await expect(square(page, 'e4')).toHaveAttribute('aria-label', 'e4, White bia');
  await expect(square(page, 'e3')).toHaveAttribute('aria-label', 'e3, White met');
});

test('all rulesets can be chosen and begin a game', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByText('Rules:').click();
  const names = await page.getByLabel('Ruleset').locator('option').allInnerTexts();
  expect(names).toHaveLength(8);
  await page.getByLabel('Ruleset').selectOption('chessvariants');
  await page.getByRole('button', { name: 'Begin' }).click();
  // This source has the khuns face each other.
  await expect(square(page, 'e1')).toHaveAttribute('aria-label', 'e1, White khun');
  await expect(square(page, 'e8')).toHaveAttribute('aria-label', 'e8, Black khun');
});

test('a game, its clock and the settings survive a reload', async ({ page }) => {
  await openPage(page);
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('radio', { name: '5 min + 5 s' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  await move(page, 'e6', 'e5');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'letters', exact: true }).check();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5']);
  await expect(page.getByRole('timer').first()).toHaveText(/^5:0\d$/);
  await expect(page.locator('.sb-piece text', { hasText: 'K' }).first()).toBeAttached();
  await move(page, 'd3', 'd4');
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'd4']);
});

test('pieces can be dragged', async ({ page }) => {
  await playFrom(page, 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1');
  await square(page, 'b1').dragTo(square(page, 'd2'));
  await expect.poll(() => moves(page)).toEqual(['Nd2']);
  // Not where it cannot go.
  await square(page, 'a6').dragTo(square(page, 'a3'));
  await expect.poll(() => moves(page)).toEqual(['Nd2']);
});

test('an earlier position is said to be one, and one press leads back', async ({ page }) => {
  await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
  await move(page, 'a1', 'a5');
  await move(page, 'e8', 'd7');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('An earlier position is shown.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await expect(page.getByText('An earlier position is shown.')).toHaveCount(0);
  await move(page, 'b1', 'c2');
  await expect.poll(() => moves(page)).toEqual(['Ra5', 'Kd7', 'Kc2']);
});
