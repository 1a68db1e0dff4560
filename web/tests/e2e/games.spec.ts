import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { checkAccessibility, expect, move, moves, openMore, openPage, openText, showLast, test } from './page';

const TWO = `[White "Anan"]
[Black "Boon"]
[Date "2026.01.02"]
[Result "1-0"]

1. e4 e5 2. d4 1-0

[White "Chai"]
[Black "Dao"]
[Date "2025.03.04"]
[Result "0-1"]

1. d4 d5 0-1
`;

const rows = (page: Page) => page.locator('.games li');

async function openGames(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/games';
  });
  await expect(page.getByRole('heading', { name: 'My games' })).toBeVisible();
}

/** Begins a game of two people and makes moves. */
async function playMoves(page: Page, ...made: [string, string][]): Promise<void> {
  await openPage(page, '#/play');
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  for (const [from, to] of made) {
    await move(page, from, to);
  }
  await expect.poll(() => moves(page)).toHaveLength(made.length);
}

/** Opens both games of a text. */
async function openBoth(page: Page): Promise<void> {
  await openPage(page, '#/analyse');
  await openText(page, TWO);
  await page.getByRole('button', { name: /Anan/ }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('button', { name: /Chai/ }).click();
  await expect.poll(() => moves(page)).toEqual(['d4', 'd5']);
}

test('a game that gave way to a new one is in the list, and can be gone on with', async ({ page }) => {
  await playMoves(page, ['e3', 'e4'], ['e6', 'e5']);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5']);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('link', { name: 'My games' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('two people');
  await page.getByRole('button', { name: 'Go on playing' }).click();
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5']);
  await move(page, 'd3', 'd4');
  await openGames(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('2 moves');
});

test('opened games are listed, found, tagged, and there after a reload', async ({ page }) => {
  await openBoth(page);
  await openGames(page);
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await checkAccessibility(page);

  await page.getByRole('searchbox').fill('boon');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Result').selectOption('0-1');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Chai');
  await page.getByLabel('Result').selectOption('all');
  await page.getByLabel('Kind').selectOption('people');
  await expect(page.getByText('No game fits.')).toBeVisible();
  await page.getByLabel('Kind').selectOption('all');
  await page.getByLabel('Order').selectOption('opponent');
  await expect(rows(page).first()).toContainText('Anan');

  await page.getByRole('button', { name: 'Tags: Anan – Boon' }).click();
  await page.getByLabel('Tags, with commas between them').fill('club, final');
  await page.keyboard.press('Enter');
  await expect(rows(page).first()).toContainText('final');
  await page.getByRole('searchbox').fill('club');
  await expect(rows(page)).toHaveCount(1);

  // By keyboard.
  await rows(page)
    .first()
    .getByRole('button', { name: /Anan.*opened/ })
    .focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'd4']);
});

test('a deleted game comes back by undo, and the cleared board too', async ({ page }) => {
  await openBoth(page);
  await openGames(page);
  await page.getByRole('button', { name: 'Delete: Chai – Dao' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).getByRole('button').first()).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: /Anan.*opened/ }).click();
  await openMore(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => moves(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'd4']);
  await openGames(page);
  await expect(rows(page)).toHaveCount(2);
});

test('all games go to another browser as one PGN, without duplicates', async ({ page, browser }) => {
  await openBoth(page);
  await playMoves(page, ['e3', 'e4']);
  await openGames(page);
  await expect(rows(page)).toHaveCount(3);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all (PGN)' }).click(),
  ]);
  const path = await file.path();
  expect(readFileSync(path, 'utf8')).toContain('[White "Anan"]');
  const input = (one: Page) => one.locator('.games input[type=file]');
  await input(page).setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer: readFileSync(path) });
  await expect(page.getByText('0 added, 3 were there already.')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);

  const context = await browser.newContext();
  const other = await context.newPage();
  await openPage(other, '#/games');
  await expect(other.getByText('No game yet.')).toBeVisible();
  await input(other).setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer: readFileSync(path) });
  await expect(rows(other)).toHaveCount(3);
  await input(other).setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer: readFileSync(path) });
  await expect(other.getByText('0 added, 3 were there already.')).toBeVisible();
  await expect(rows(other)).toHaveCount(3);
  await context.close();
});

test('two tabs: the second says that the game is open, and may take it over; the analysis follows', async ({
  page,
  context,
}) => {
  await playMoves(page, ['e3', 'e4']);
  const second = await context.newPage();
  await openPage(second, '#/play');
  await expect(second.getByText('This game was opened in another tab.')).toBeVisible();
  await move(page, 'e6', 'e5');
  await expect.poll(() => moves(second)).toEqual(['e4', 'e5']);
  await second.getByRole('button', { name: 'Go on here' }).click();
  await expect(page.getByText('This game was opened in another tab.')).toBeVisible();
  await move(second, 'd3', 'd4');
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'd4']);

  await openPage(page, '#/analyse');
  await openText(page, '1. d4 d5 *');
  await expect.poll(() => moves(page)).toEqual(['d4', 'd5']);
  await openGames(second);
  await expect(rows(second)).toHaveCount(2);
  await second.locator('.open').filter({ hasText: 'opened' }).click();
  await showLast(second);
  await move(second, 'e3', 'e4');
  await expect.poll(() => moves(page)).toEqual(['d4', 'd5', 'e4']);
});

test('a report is there again after a reload, and with its game', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '1. e4 e5 2. d4 *');
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  const summary = page.getByRole('heading', { name: 'Summary' });
  await expect(summary).toBeVisible({ timeout: 120_000 });
  await page.reload();
  await expect(summary).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(summary).toHaveCount(0);
  await openGames(page);
  await page.locator('.open').filter({ hasText: 'opened' }).click();
  await expect(summary).toBeVisible();
});

test('where the browser stores nothing it is said once, play goes on, and the games can be saved', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get: () => {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await playMoves(page, ['e3', 'e4'], ['e6', 'e5']);
  const word = page.locator('.toast').filter({ hasText: 'stores no games here' });
  await expect(word).toHaveCount(1);
  await move(page, 'd3', 'd4');
  await expect.poll(() => moves(page)).toHaveLength(3);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    word.getByRole('button', { name: 'Download all (PGN)' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('1. e4 e5 2. d4');
  await openGames(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(word).toHaveCount(1);
});

for (const [width, height] of [
  [360, 640],
  [844, 390],
] as const) {
  test(`the list fits ${width}x${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, '#/play');
    await page.getByRole('link', { name: 'My games' }).click();
    const buffer = Buffer.from(TWO);
    await page.locator('.games input[type=file]').setInputFiles({ name: 'x.pgn', mimeType: 'text/plain', buffer });
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Tags: Anan – Boon' }).click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await checkAccessibility(page);
  });
}

test('everything goes to another browser in one file', async ({ page, browser, baseURL, faults }) => {
  await openPage(page, '#/analyse');
  await openText(page, '[White "Anan"]\n\n1. e4 e5 *');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'dark', exact: true }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export everything' }).click();
  const file = await (await download).path();

  const context = await browser.newContext(baseURL ? { baseURL, locale: 'en-GB' } : {});
  const other = await context.newPage();
  other.on('pageerror', (error) => faults.push(String(error)));
  await openPage(other);
  await other.getByRole('button', { name: 'Settings' }).click();
  await other.locator('input[type=file]').setInputFiles({
    name: 'other.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"puzzles":1}'),
  });
  await expect(other.getByText('This file is no export of everything.')).toBeVisible();
  await other.locator('input[type=file]').setInputFiles(file);
  await expect(other.getByText('Games: 1 new, 0 known.')).toBeVisible();
  await checkAccessibility(other);
  await other.getByRole('button', { name: 'Show it' }).click();
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
  await openPage(other, '#/games');
  await expect(other.locator('.players')).toContainText('Anan');
  await context.close();
});
