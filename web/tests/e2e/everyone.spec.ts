import { checkAccessibility, expect, move, moves, openPage, openText, playFrom, square, test } from './page';

const VIEWS = ['#/play', '#/analyse', '#/learn', '#/rules', '#/learn/hunt.08', '#/games'];

for (const [colorScheme, atNight] of [
  ['light', ''],
  ['dark', ' @nightly'],
] as const) {
  test(`axe finds nothing in any view: ${colorScheme}${atNight}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const hash of VIEWS) {
      await openPage(page, hash);
      await expect(page.locator('h1, .board').first()).toBeVisible();
      await checkAccessibility(page);
    }
    await playFrom(page, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
    await move(page, 'b1', 'b2');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await checkAccessibility(page);
    await openPage(page, '#/analyse');
    await openText(page, '1. e4! {good} (1. d4 d5) 1... e5 $4 2. Nd2 *');
    for (const button of ['Open', 'Share', 'Play from here']) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await checkAccessibility(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    }
    await page.getByRole('button', { name: 'Settings' }).click();
    await checkAccessibility(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Set up' }).click();
    await checkAccessibility(page);
  });
}

test('the keyboard alone suffices', async ({ page }) => {
  await openPage(page);
  // To the form, and through it.
  await page.getByRole('radio', { name: 'Animals' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Begin' }).focus();
  await page.keyboard.press('Enter');
  // The board has the focus then.
  await expect(square(page, 'a1')).toBeFocused();
  // The skip link leads to it too; arrows move, Enter picks up and puts down.
  await page.reload();
  await expect(page.locator('.board')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to the board' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(square(page, 'a1')).toBeFocused();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'Enter', 'ArrowUp']) {
    await page.keyboard.press(key);
  }
  await expect(square(page, 'c4')).toBeFocused();
  await expect(square(page, 'c4')).toHaveAttribute('aria-label', 'c4, empty, can be moved to');
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toEqual(['c4']);
  // Screen readers get the move.
  await expect(page.locator('p.hidden[aria-live=polite]')).toHaveText('White: c4');
  // Or a move is typed, in Thai notation too.
  await page.getByLabel('Type a move').fill('ม-ง๗');
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toEqual(['c4', 'Nd7']);
  await page.getByLabel('Type a move').fill('Rh5');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('“Rh5” is not legal here.');
});

test('Thai: the browser’s language comes first, and every message has a translation', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'th-TH' });
  const page = await context.newPage();
  for (const hash of VIEWS) {
    await openPage(page, hash);
    await expect(page.locator('html')).toHaveAttribute('lang', 'th');
    const text = await page.locator('main').innerText();
    const english = text.match(/\b(the|move|moves|White|Black|count|game)\b/g) ?? [];
    expect(english, `${hash}: ${text}`).toEqual([]);
  }
  await openPage(page, '#/analyse');
  await expect(page.locator('.sb-name').first()).toHaveText(/[ก-ญ๑-๘]/);
  await page.getByLabel('พิมพ์ตาเดิน').fill('ม-ง๒');
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toEqual(['ม-ง๒']);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('link', { name: 'Analyse' })).toBeVisible();
  await context.close();
});

test('nothing is cut off on a screen of 360 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const hash of VIEWS) {
    await openPage(page, hash);
    await expect(page.locator('h1, .board').first()).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, hash).toBeLessThanOrEqual(360);
  }
  await playFrom(page, '8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80');
  // The board and the count are in sight together.
  const panel = await page.locator('.count').boundingBox();
  expect((panel?.y ?? 999) + 80).toBeLessThan(740);
  await page.getByRole('button', { name: 'ภาษาไทย' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('pieces, board and colours can be chosen', async ({ page }) => {
  await openPage(page, '#/analyse');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'chequered', exact: true }).check();
  await expect(page.locator('.sakmak-board[data-theme=chequered]')).toHaveCount(1);
  await dialog.getByRole('radio', { name: 'letters', exact: true }).check();
  await expect(page.locator('.sb-piece text').first()).toHaveText(/^[KMSNRP]$/);
  await dialog.getByRole('radio', { name: 'dark', exact: true }).check();
  const page2 = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(page2).toBe('rgb(29, 25, 21)');
  await dialog.getByRole('radio', { name: 'carved', exact: true }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  // A promoted bia is visibly turned over.
  await openPage(page, '#fen=4k3/8/8/8/8/4P3/2M~5/4K3_w_-_-_0_60');
  const shape = (name: string) =>
    page.evaluate((wanted) => {
      const { x, y, width, height } =
        document.querySelector(`[data-square=${wanted}]`)?.getBoundingClientRect() ?? new DOMRect();
      const middle = { x: x + width / 2, y: y + height / 2 };
      const piece = [...document.querySelectorAll('.sb-piece')].find((one) => {
        const box = one.getBoundingClientRect();
        return box.left < middle.x && middle.x < box.right && box.top < middle.y && middle.y < box.bottom;
      });
      return [...(piece?.querySelectorAll('path') ?? [])].map((path) => path.getAttribute('d')).join();
    }, name);
  const [bia, turned] = [await shape('e3'), await shape('c2')];
  expect(bia).not.toBe('');
  expect(turned).not.toBe('');
  expect(turned).not.toBe(bia);
});
