import { capturesOf, expect, move, moves, openPage, playFrom, square, suite, test } from './page';

/** Two rua and maa, and one capture from sak mak. */
const LAST_MAN = '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60';

test('a warning before the move that begins the count, then the count in words and as a bar', async ({ page }) => {
  await playFrom(page, LAST_MAN);
  const panel = page.getByRole('region', { name: 'The count' });
  await expect(panel).toContainText('If Black lost its last pieces now, White would have 3 moves to mate');
  await move(page, 'b1', 'b2');
  const warning = page.getByRole('alertdialog');
  await expect(warning).toContainText('Taking the last piece starts the pieces’ honour: 8 − 5.');
  await expect(warning).toContainText('White then has 3 moves to mate.');
  await warning.getByRole('button', { name: 'Not yet' }).click();
  await expect.poll(() => moves(page)).toEqual([]);
  await move(page, 'b1', 'b2');
  await warning.getByRole('button', { name: 'Play Rxb2' }).click();
  await expect.poll(() => moves(page)).toEqual(['Rxb2']);
  await expect(panel).toContainText('Pieces’ honour');
  await expect(panel).toContainText('Black counts: 5 of 8.');
  await expect(panel).toContainText('White has 3 moves left to mate.');
  await expect(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '5');
});

test('solved endings are part of the warning', async ({ page }) => {
  // docs/count-suite.md, capture.05: the last piece must be taken by the right piece.
  const { fen, right } = await suite('capture.05');
  await playFrom(page, fen);
  const panel = page.getByRole('alertdialog');
  const captures = await capturesOf(fen);
  expect(captures.length).toBeGreaterThan(1);
  for (const uci of captures) {
    await move(page, uci.slice(0, 2), uci.slice(2, 4));
    await expect(panel).toContainText('Taking the last piece starts the pieces’ honour:');
    const words = right.includes(uci) ? /Mate needs \d+ more moves: in time/ : /Mate needs \d+ more moves: too many/;
    await expect(panel).toContainText(words);
    await panel.getByRole('button', { name: 'Not yet' }).click();
  }
});

test('the tables say whether a win fits, and which moves throw it away', async ({ page }) => {
  await playFrom(page, '8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58');
  const panel = page.getByRole('region', { name: 'The count' });
  await expect(panel).toContainText('Won in 4, 4 left: there is time.');
  await expect(panel).toContainText('Only Rbf5 keeps the win.');
  await square(page, 'b5').click();
  await expect(page.locator('.sb-square.dest')).toHaveCount(13);
  await expect(page.locator('.sb-square.dest.bad')).toHaveCount(12);
  await expect(square(page, 'c5')).toHaveAttribute('aria-label', /throws the win away/);
  await square(page, 'c5').click();
  await expect(panel).toContainText('Saved: White needs');
});

test('a count runs out and draws', async ({ page }) => {
  await playFrom(page, '7k/8/5K2/8/8/8/R7/1R6 w - 16 13 30');
  for (const [from, to] of [
    ['f6', 'e6'],
    ['h8', 'g8'],
    ['e6', 'e5'],
    ['g8', 'h8'],
  ] as const) {
    await move(page, from, to);
  }
  await expect(page.locator('.result h2')).toHaveText('Draw: the pieces’ honour (sak mak) has run out');
});

test('counting by hand: started, stopped, claimed', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() =>
    localStorage.setItem(
      'sakmak.settings',
      JSON.stringify({ warn: false, rules: { variant: 'makruk', ruleset: 'wikipedia', parts: '' } }),
    ),
  );
  await page.reload();
  await playFrom(page, '4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40');
  await move(page, 'a1', 'b2');
  const panel = page.getByRole('region', { name: 'The count' });
  await expect(panel).toContainText('Black counts: 4 of 8.');
  await panel.getByRole('button', { name: 'Stop counting' }).click();
  await expect(panel).toContainText('there is no limit');
  await move(page, 'e8', 'f7');
  await move(page, 'c1', 'c3');
  await panel.getByRole('button', { name: 'Start counting' }).click();
  await expect(panel).toContainText('Black counts: 4 of 8.');
  await page.reload();
  await expect(panel).toContainText('Black counts: 4 of 8.');
  await expect(page.locator('.moves')).toContainText('[Stop counting]');
});

test('a draw is claimed where the rules leave it to the players', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() =>
    localStorage.setItem(
      'sakmak.settings',
      JSON.stringify({ rules: { variant: 'makruk', ruleset: 'fairy-stockfish', parts: 'CountClaim=manual' } }),
    ),
  );
  await page.reload();
  await playFrom(page, '7k/8/5K2/8/8/8/R7/1R6 w - 16 16 30');
  await move(page, 'f6', 'e6');
  await page.getByRole('button', { name: 'Claim the draw' }).click();
  await expect(page.locator('.result h2')).toHaveText('Draw: the pieces’ honour (sak mak) has run out');
});

test('the count in Thai', async ({ page }) => {
  await playFrom(page, '8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80');
  await page.getByRole('button', { name: 'ภาษาไทย' }).click();
  const panel = page.locator('.count');
  await expect(panel).toContainText('ศักดิ์หมาก');
  await expect(panel).toContainText('ดำนับ: 5 จาก 16');
  await expect(panel).toContainText('ขาวไล่ได้อีก 12 ตา');
  await expect(page.locator('html')).toHaveAttribute('lang', 'th');
});
