import { readFileSync } from 'node:fs';
import {
  checkAccessibility,
  expect,
  move,
  moves,
  openFiveHundred,
  openPage,
  openText,
  scoreSheet,
  showLast,
  square,
  test,
} from './page';

test('a score sheet is pasted and gone through', async ({ page }) => {
  const { text, plies, last } = scoreSheet();
  await openPage(page, '#/analyse');
  await openText(page, text);
  await expect(page.locator('.moves .move')).toHaveCount(plies);
  const current = page.locator('.moves .move[aria-current=true]');
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(current).toHaveText('e4');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('.moves .move').allInnerTexts()).toContain(await current.innerText());
  await page.keyboard.press('End');
  await expect(current).toHaveText(last);
  await page.keyboard.press('Home');
  await expect(current).toHaveCount(0);
  // The wheel.
  await square(page, 'd4').hover();
  await page.mouse.wheel(0, 100);
  await expect(current).toHaveText('e4');
  for (let ply = 1; ply < plies; ply++) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(current).toHaveText(last);
});

test('several lines with arrows, depth, score and chances', async ({ page }) => {
  await openPage(page, '#fen=rn1mks1r/3sn3/ppppp2p/5p2/2P2P2/PP1P1NPP/3N4/R1SKMS1R_w_-_-_1_6');
  await page.getByRole('button', { name: 'One more line' }).click();
  await page.getByRole('button', { name: 'One more line' }).click();
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  const engine = page.getByRole('region', { name: 'Engine' });
  await expect(engine.locator('.lines li')).toHaveCount(3, { timeout: 20_000 });
  await expect(engine).toContainText(/depth \d+/);
  await expect(engine.locator('.lines .score').first()).toHaveText(/^[+−]?\d+\.\d\d$/);
  await expect(page.locator('.sb-shape.best')).toHaveCount(1);
  await expect(page.locator('.sb-shape.other')).toHaveCount(2);
  await expect(engine.locator('.chances')).toHaveAttribute('aria-label', /White wins \d+ %, draw \d+ %/);
  await expect(page.locator('.evaluation-bar')).toHaveAttribute('aria-label', /Evaluation: [+−]?\d/);
  // A line is played by pressing its score, and the engine turns to the new position at once.
  const first = (await engine.locator('.line-moves').first().innerText()).split(' ')[0];
  await engine.locator('.lines .score').first().click();
  await expect.poll(() => moves(page)).toHaveLength(1);
  expect((await moves(page))[0]).toMatch(/^\S+$/);
  expect(first).toBeTruthy();
  await expect(engine.locator('.lines li')).toHaveCount(3, { timeout: 20_000 });
});

test('a move inside a line shows the position after it, by mouse and by keys', async ({ page }) => {
  await openPage(page, '#fen=rn1mks1r/3sn3/ppppp2p/5p2/2P2P2/PP1P1NPP/3N4/R1SKMS1R_w_-_-_1_6');
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  const line = page.locator('.lines .line-move');
  await expect(line.nth(3)).toBeAttached();
  // The lines are one stop of the Tab key.
  await expect(page.locator('.lines button[tabindex="0"]')).toHaveCount(1);
  await page.locator('.lines .score').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(line.nth(1)).toBeFocused();
  await expect(page.locator('.line-preview .thumbnail')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toHaveLength(2);
  await expect(page.locator('.lines')).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => moves(page)).toEqual([]);
  await expect(line.nth(2)).toBeVisible();
  await line.nth(2).hover();
  await expect(page.locator('.line-preview .thumbnail')).toBeVisible();
  await checkAccessibility(page);
  await line.nth(2).click();
  await expect.poll(() => moves(page)).toHaveLength(3);
  await expect(page.locator('.moves .move').nth(2)).toHaveAttribute('aria-current', 'true');
});

test('last move, check, material and the history are shown', async ({ page }) => {
  await openPage(page, '#fen=4k3/8/8/8/8/8/3R4/4K3_w_-_-_0_40');
  await move(page, 'd2', 'd8');
  await expect(page.locator('.sb-square.last')).toHaveCount(2);
  await expect(page.locator('.sb-square.check')).toHaveCount(1);
  await expect(page.getByRole('img', { name: 'Material: White has rua more' })).toBeVisible();
  await expect.poll(() => moves(page)).toEqual(['Rd8+']);
});

test('variations, comments and marks are kept and can be changed', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '1. e4! {good} (1. d4 d5 (1... e5)) 1... e5 $4 2. Nd2 *');
  await expect(page.locator('.moves')).toContainText('e4!');
  await expect(page.locator('.moves')).toContainText('e5??');
  await expect(page.locator('.moves .variation')).toHaveCount(2);
  await page.locator('.moves').getByRole('button', { name: 'd4' }).click();
  await page.getByText('Comment on this move').click();
  await page.getByLabel('Comment', { exact: true }).fill('the other bia');
  await page.getByLabel('Comment', { exact: true }).blur();
  await page.getByLabel('Mark').selectOption('5');
  await page.getByRole('button', { name: 'Make main line' }).click();
  expect((await moves(page))[0]).toBe('d4!?');
  await expect(page.locator('.moves')).toContainText('the other bia');
  // A move from the board becomes a variation.
  await page.keyboard.press('Home');
  await move(page, 'b1', 'd2');
  await expect(page.locator('.moves .variation').first()).toContainText('Nd2');
  await page.getByText('Comment on this move').click();
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await expect(page.locator('.moves .variation', { hasText: 'Nd2' })).toHaveCount(1);
});

test('one button analyses a game: mistakes, the lost race, a summary and the graph', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '[FEN "8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58"]\n\n58. Ke6 Kf4 59. Kd5 Kf3 60. Kd4 Kf2 *');
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toBeVisible({ timeout: 50_000 });
  await expect(summary).toContainText('White lost the race with the count on move 58.');
  await expect(summary.getByRole('row', { name: 'Blunders' })).toContainText('1');
  await expect(page.locator('.moves')).toContainText('Ke6??');
  await expect(page.locator('.moves .variation').first()).toContainText('Rbf5');
  await expect(page.locator('.graph')).toBeVisible();
  await page.locator('.moves').getByRole('button', { name: 'Ke6' }).click();
  await expect(page.getByRole('note')).toHaveText(
    'The race with the count was lost here: without it White would still win.',
  );
  await page.locator('.graph').click({ position: { x: 5, y: 20 } });
  await expect(page.locator('.moves .move[aria-current=true]')).toHaveCount(0);
});

test('FENs in both dialects, and lines of UCI', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1');
  await expect(square(page, 'd1')).toHaveAttribute('aria-label', 'd1, White khun');
  await openText(page, '8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80');
  await expect(page.locator('.count')).toContainText('Black counts: 5 of 16.');
  await openText(page, 'position startpos moves e3e4 b8d7');
  await expect.poll(() => moves(page)).toEqual(['e4', 'Nd7']);
});

test('games of pychess.org and Cute Chess', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(
    page,
    '[Variant "Makruk"]\n[FEN "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Nd7 *',
  );
  await expect.poll(() => moves(page)).toEqual(['e4', 'Nd7']);
  await openText(
    page,
    '[Variant "makruk"]\n[FEN "4k3/8/8/8/8/8/2R5/4K3 w - 0 7 60"]\n[SetUp "1"]\n\n60. Rc7 {+0.10/12 0.3s} *',
  );
  await expect.poll(() => moves(page)).toEqual(['Rc7']);
});

test('a set-up with errors in words, then a position to analyse', async ({ page }) => {
  await openPage(page, '#/analyse');
  await page.getByRole('button', { name: 'Set up' }).click();
  const status = page.getByRole('status');
  await expect(status).toHaveText('A legal position.');
  await page.getByRole('button', { name: 'Empty board' }).click();
  await expect(status).toHaveText('White has 0 khun; each side needs exactly one.');
  await expect(page.getByRole('button', { name: 'Analyse it' })).toBeDisabled();
  const cell = (name: string) => page.locator(`[data-square=${name}]`);
  const put = async (piece: string, name: string) => {
    await page.getByRole('button', { name: piece, exact: true }).click();
    await cell(name).click();
  };
  await put('White khun', 'e1');
  await put('Black khun', 'e8');
  await put('White bia', 'b8');
  await expect(status).toHaveText('A bia of White cannot stand on b8.');
  await cell('b8').click();
  await put('White rua', 'e4');
  await expect(status).toHaveText('Black is in check but it is the other side’s turn.');
  // Dragged to another square, and one off the board.
  await cell('e4').dragTo(cell('c4'));
  await expect(status).toHaveText('A legal position.');
  await put('Black met', 'h5');
  await cell('h5').dragTo(page.locator('.side'));
  await put('White turned bia', 'a6');
  await page.getByRole('radio', { name: 'By hand' }).check();
  await page.getByLabel('Limit in moves').fill('16');
  await page.getByLabel('Number spoken last').fill('5');
  await expect(page.locator('.fen')).toHaveValue('4k3/8/M~7/8/2R5/8/8/4K3 w - 32 9 1');
  await page.getByRole('button', { name: 'Analyse it' }).click();
  await expect(page.locator('.count')).toContainText('of 16');
});

test('FENs, PGN, pictures and notations leave the page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, '#/analyse');
  await openText(page, '1. e4 {with a word} e5 2. Nd2 *');
  await showLast(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Copy: FEN (Cute Chess)' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(' b - 0 1 2');
  await dialog.getByRole('button', { name: 'Copy: FEN (Fairy-Stockfish, pychess.org)' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(' b - - 1 2');
  await dialog.getByLabel('Written for').selectOption('pychess');
  await expect(dialog.getByLabel('PGN', { exact: true })).toHaveValue(/\[Variant "Makruk"\]/);
  const files = [];
  for (const name of ['Download PGN', 'Picture (SVG)', 'Picture (PNG)']) {
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name }).click();
    const file = await download;
    files.push({ name: file.suggestedFilename(), data: readFileSync(await file.path()) });
  }
  expect(files.map(({ name }) => name)).toEqual(['sakmak.pgn', 'sakmak.svg', 'sakmak.png']);
  expect(files[0]?.data.toString()).toContain('1. e4 {with a word} 1... e5 2. Nd2 *');
  expect(files[1]?.data.toString()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(files[2]?.data.subarray(1, 4).toString()).toBe('PNG');
  expect(files[2]?.data.length).toBeGreaterThan(20_000);

  await dialog.getByRole('button', { name: 'Close' }).click();
  for (const [notation, text] of [
    ['thai-san', 'ม-ง๒'],
    ['uci', 'b1d2'],
    ['lan', 'Nb1-d2'],
    ['san', 'Nd2'],
  ] as const) {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Moves written as').selectOption(notation);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect((await moves(page)).at(-1)).toBe(text);
  }
});

test('a link holds the whole game', async ({ page, context }) => {
  await openPage(page, '#/analyse');
  await openText(page, '[White "ข"]\n\n1. e4 {with a word} (1. d4) e5 2. Nd2 *');
  await page.getByRole('button', { name: 'Share' }).click();
  const field = page.getByRole('textbox', { name: 'Link to the whole game' });
  await expect(field).toHaveValue(/#game=/);
  const link = await field.inputValue();
  const position = await page.getByRole('textbox', { name: 'Link to the position' }).inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator('.moves .line.main > .item > .move')).toHaveText(['e4', 'e5', 'Nd2']);
  await expect(other.locator('.moves')).toContainText('with a word');
  await expect(other.locator('.moves .variation')).toContainText('d4');
  await expect(other.locator('.player', { hasText: 'ข' })).toBeVisible();
  await other.goto(position);
  await expect(other.locator('.moves')).toHaveText('No move yet.');
  await other.close();
});

test('a link opens before the first frame is painted', async ({ page }) => {
  await page.addInitScript(() => {
    window.requestAnimationFrame = () => 0;
  });
  // The packed text is `1. e4 *`.
  await page.goto('./#game=M9RTSDVR0AIA');
  await expect(page.locator('.moves .line.main > .item > .move')).toHaveText(['e4']);
});

test('a file of 500 games: listed in parts, in an order, searched', async ({ page }) => {
  await openFiveHundred(page);
  // Not all are listed at once, which is said, and the order can be chosen.
  await expect(page.getByText('200 of 500 shown')).toBeVisible();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.locator('.library li')).toHaveCount(400);
  await page.getByLabel('Order').selectOption('white');
  await expect(page.locator('.library li').nth(1)).toContainText('Player 10 ');
  await page.getByLabel('Search by name, event or date').fill('player 321');
  await page.getByRole('button', { name: /Player 321 – Other/ }).click();
  await expect(page.locator('.moves .move')).toHaveCount(20);
  // The list does not come back by itself.
  await page.getByRole('link', { name: 'Play' }).click();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(page.locator('.board')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
