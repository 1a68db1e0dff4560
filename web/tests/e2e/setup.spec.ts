// Positions that are set up, whether there is time to mate, and what people paste.
import { checkAccessibility, expect, moves, openMore, openPage, openText, showLast, test } from './page';

const BARE = '4k3/8/8/8/8/2M~5/8/R3K3 w - - 0 1';
const hash = (fen: string) => `#fen=${fen.replaceAll(' ', '_')}`;

test('is there time? a bare khun without a count answers at once', async ({ page }) => {
  await openPage(page, hash(BARE));
  const count = page.locator('.count');
  await expect(count).toContainText(
    'The next move of White begins the count: 12 moves are left then (limit 16, 4 pieces on the board).',
  );
  await expect(count).toContainText(/Won in \d+ moves: there is time/);
  // The same while it is set up; with the rules' count the first move is counted, too.
  await page.getByRole('button', { name: 'Set up' }).click();
  const words = page.locator('.setup-count');
  await expect(words).toContainText(/Won in \d+ moves: there is time/);
  await page.getByRole('radio', { name: 'By the rules' }).check();
  await expect(page.locator('.fen')).toHaveValue('4k3/8/8/8/8/2M~5/8/R3K3 w - 32 9 1');
  await expect(words).toContainText('Black counts: 5 of 16.');
  await expect(words).toContainText(/Won in 12, 12 left: there is time/);
  await checkAccessibility(page);
  // Three moves later it is too late.
  await page.getByRole('radio', { name: 'By hand' }).check();
  await page.getByLabel('Number spoken last').fill('8');
  await expect(words).toContainText('only 9 are left: a draw');
  // By other rules it is other numbers.
  await page.locator('details summary').click();
  await page.getByLabel('Ruleset').selectOption('cutechess');
  await page.getByRole('radio', { name: 'Nobody counts' }).check();
  await page.getByRole('radio', { name: 'By the rules' }).check();
  await expect(page.locator('.fen')).toHaveValue('4k3/8/8/8/8/2M~5/8/R3K3 w - 32 9 1');
});

test('a set-up stays when the view is left, and each step can be undone', async ({ page }) => {
  await openPage(page, hash(BARE));
  await page.getByRole('button', { name: 'Set up' }).click();
  const fen = page.locator('.fen');
  await page.getByRole('button', { name: 'Black rua', exact: true }).click();
  await page.locator('[data-square=h5]').click();
  const changed = '4k3/8/8/7r/8/2M~5/8/R3K3 w - - 0 1';
  await expect(fen).toHaveValue(changed);
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(fen).toHaveValue(changed);
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(fen).toHaveValue(changed);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(fen).toHaveValue(BARE);
  await page.getByRole('button', { name: 'Start position' }).click();
  // A reload keeps the position, not its steps.
  await page.reload();
  await expect(fen).toHaveValue(/^rnsmksnr/);
  // Given up, and brought back.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.record')).toBeVisible();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(fen).toHaveValue(/^rnsmksnr/);
});

test('a FEN can be typed or pasted; what is wrong stands at the field', async ({ page }) => {
  await openPage(page, '#/analyse');
  await page.getByRole('button', { name: 'Set up' }).click();
  const fen = page.locator('.fen');
  const cell = (name: string) => page.locator(`[data-square=${name}]`);
  await fen.fill('4k3/8/8/8/8/8/8/R3K3');
  await expect(cell('a1')).toHaveAttribute('aria-label', 'a1, White rua');
  await fen.fill('4k3/8/8/8/8/8/8/R3K2Q w');
  await expect(fen).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('#fen-fault')).toHaveText(/“Q” on rank 1 is no piece of Makruk/);
  // The board stays as it was; a position against the rules is shown, and named below.
  await expect(cell('a1')).toHaveAttribute('aria-label', 'a1, White rua');
  await fen.fill('8/8/8/8/8/8/8/R3K3_b_-_-_0_7');
  await expect(page.getByRole('status')).toHaveText('Black has 0 khun; each side needs exactly one.');
  await fen.fill('๔k๓/8/8/8/8/8/8/R3K3\u00a0b');
  await fen.blur();
  await expect(fen).toHaveValue('4k3/8/8/8/8/8/8/R3K3 b - - 0 1');
  await expect(page.getByRole('status')).toHaveText('A legal position.');
});

for (const viewport of [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width}x${viewport.height}`, () => {
    test.use({ viewport, hasTouch: true });

    test('a phone sets up a position with its thumb', async ({ page }) => {
      await openPage(page, '#/analyse');
      await openMore(page);
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByRole('button', { name: 'Empty board' }).tap();
      for (const [piece, square] of [
        ['White khun', 'e1'],
        ['Black khun', 'e8'],
        ['White rua', 'a1'],
      ] as const) {
        await page.getByRole('button', { name: piece, exact: true }).tap();
        await page.locator(`[data-square=${square}]`).tap();
      }
      // Board and palette stand above one another in the window.
      await page.evaluate(() => window.scrollTo(0, 0));
      const palette = await page.locator('.palette').boundingBox();
      expect((palette?.y ?? 0) + (palette?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      await checkAccessibility(page);
      await page.getByRole('button', { name: 'Analyse it' }).tap();
      await expect(page.locator('.count-strip')).toContainText('Counted from the next move: 13');
    });
  });
}

test('what people paste: a game of western chess, an address, bia with their letter', async ({ page }) => {
  await openPage(page, '#/analyse');
  const fault = page.getByRole('dialog').getByRole('alert');
  await openText(page, '[Variant "Standard"]\n\n1. e4 e5 2. Nf3 *');
  await expect(fault).toHaveText('This is a game of western chess (“Standard”), not of Makruk.');
  await page.getByRole('dialog').locator('textarea').fill('https://www.pychess.org/Yt2x9Kq1');
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(fault).toContainText('This is an address (www.pychess.org), and this page fetches nothing.');
  await page.getByRole('dialog').locator('textarea').fill('๑. บ-จ๔ บ-จ๕ ๒.\u00a0ม-ง2 ๑-๐');
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'Nd2']);
  await page.keyboard.press('End');
  await page.getByLabel('Type a move').fill('ม-ง7');
  await page.getByLabel('Type a move').press('Enter');
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'Nd2', 'Nd7']);
});

test('PGN for other programs is in SAN whatever the language', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '1. e4 e5 2. Nd2 *');
  await page.getByRole('button', { name: 'ภาษาไทย' }).click();
  await page.getByRole('button', { name: 'ตั้งค่า' }).click();
  await page.getByLabel('เขียนตาเดินแบบ').selectOption('thai-san');
  await page.getByRole('button', { name: 'ปิด', exact: true }).click();
  await page.getByRole('button', { name: 'แบ่งปัน' }).click();
  await expect(page.locator('.pgn')).toHaveValue(/1\. e4 e5 2\. Nd2 \*/);
  await page.getByLabel('เขียนสำหรับ').selectOption('people');
  await expect(page.locator('.pgn')).toHaveValue(/1\. จ๔ จ๕ 2\. ม-ง๒ \*/);
});

test('rulesets are named for players', async ({ page }) => {
  await openPage(page, '#/rules');
  await expect(page.locator('.rulesets li').first()).toHaveText('as online (pychess.org, Fairy-Stockfish)');
  await expect(page.locator('.rulesets li').nth(1)).toHaveText('as in Thai tournaments (Knowlton’s booklet)');
  await openPage(page);
  await expect(page.locator('.new-game summary')).toHaveText(/Makruk \(Thai chess\), as online/);
});

test('a count that is nobody’s names no side that has to mate', async ({ page }) => {
  await openPage(page, hash('4k3/8/8/8/8/2m5/8/R3K3 w - 128 60 40'));
  await expect(page.locator('.count')).toContainText('34 moves are left until the draw.');
  await expect(page.locator('.count')).not.toContainText('left to mate');
});

test('messages are read once: no live region within another', async ({ page }) => {
  await openPage(page, '#game=broken');
  await expect(page.locator('.toast')).toBeVisible();
  const live = '[aria-live], [role=alert], [role=status], [role=log]';
  expect(await page.locator('.toasts').evaluate((one, live) => one.matches(live), live)).toBe(false);
  for (const selector of ['[aria-live] [aria-live]', '[aria-live] [role=alert]', '[aria-live] [role=status]']) {
    await expect(page.locator(selector)).toHaveCount(0);
  }
  // On a phone, too, each sentence about the count is an element of its own.
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, hash(BARE));
  await expect(page.locator('.count [aria-live] p').nth(2)).toBeAttached();
});

test('what is typed into a comment or tags is not overwritten by a redraw', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '1. e4 e5 *');
  await showLast(page);
  await page.locator('.tools summary').click();
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await expect(page.locator('.lines .score').first()).toBeVisible();
  const comment = page.getByLabel('Comment', { exact: true });
  await comment.pressSequentially('a long comment', { delay: 40 });
  await expect(comment).toHaveValue('a long comment');
  await comment.blur();
  await expect(page.locator('.moves')).toContainText('a long comment');
});

test('the warning about the count: focus on no, Escape declines, the words are read', async ({ page }) => {
  await openPage(page, hash('7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60'));
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.game-board [data-square=b1]').click();
  await page.locator('.game-board [data-square=b2]').click();
  const warning = page.getByRole('alertdialog');
  await expect(warning).toHaveAccessibleDescription(/Taking the last piece starts/);
  await expect(warning.getByRole('button', { name: 'Not yet' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(warning).toHaveCount(0);
  await expect(page.locator('[role=gridcell]:focus')).toHaveCount(1);
  expect(await moves(page)).toEqual([]);
});

test('the end of a game is announced in an element that was there before', async ({ page }) => {
  await openPage(page, hash('7k/8/6K1/8/8/8/8/R7 w - 32 20 60'));
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  const status = page.locator('main > p[role=status]');
  await expect(status).toHaveText('');
  await status.evaluate((one) => one.setAttribute('data-same', ''));
  await page.locator('.game-board [data-square=a1]').click();
  await page.locator('.game-board [data-square=a8]').click();
  await expect(status).toHaveText('White wins: by checkmate');
  await expect(status).toHaveAttribute('data-same', '');
  await expect(page.locator('.game-board [aria-live]')).toHaveText('White: Ra8, mate');
});

test('endgame files are off, asked for at the address that is typed, and problems are words', async ({ page }) => {
  // What a service worker fetches is not seen by routes, and when it begins to work differs.
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new Error('none in this test'));
  });
  const asked: string[] = [];
  await page.route('**/tables/*.sktb', (route) => {
    asked.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    // A server that knows no ranges.
    return route.fulfill({ status: 200, body: 'all of it' });
  });
  await openPage(page, hash('4k3/8/8/8/8/2S5/8/R3K3 w - - 0 1'));
  await expect(page.locator('.count')).toContainText('there is time');
  expect(asked).toEqual([]);
  await page.getByText('Engine settings').click();
  await expect(page.getByText('Off: the engine solves small endings itself.')).toBeVisible();
  await page.getByLabel('Address of endgame files').fill('./tables/');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(page.locator('.toast.fault')).toContainText('the server sends whole files instead of parts');
  expect(asked).toContain('KRSvK.sktb');
  // Without the files the endings are solved as before.
  await expect(page.locator('.count')).toContainText('there is time');
  await page.reload();
  await page.getByText('Engine settings').click();
  await expect(page.getByLabel('Address of endgame files')).toHaveValue('./tables/');
  await page.getByRole('button', { name: 'Use none' }).click();
  await expect(page.getByText('Off: the engine solves small endings itself.')).toBeVisible();
});
