// What all tests share: a page whose console stays silent, and words for what people do.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { type Exercise, exercises, GameRecord } from 'sakmak/study';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Errors in the console, exceptions and refused content of a page. A test fails if there are any. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context }, use) => {
      const faults: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
          faults.push(message.text());
        }
      });
      context.on('weberror', (error) => faults.push(String(error.error())));
      await use(faults);
      expect(faults, 'the console is silent').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function openPage(page: Page, hash = '#/play'): Promise<void> {
  await page.goto(`./${hash}`);
  await expect(page.locator('main')).toBeVisible();
}

/** Between `hold` and `release` no move of the engine reaches the page, however long a test takes. */
export interface HeldEngine {
  hold(): Promise<void>;
  release(): Promise<void>;
}

/** Opens the page with an engine whose moves can be held back. */
export async function openPageWithHeldEngine(page: Page, hash?: string): Promise<HeldEngine> {
  await page.addInitScript(() => {
    let isHeld = false;
    const held: (() => void)[] = [];
    Object.assign(window, {
      holdEngine(hold: boolean) {
        isHeld = hold;
        if (!hold) {
          for (const deliver of held.splice(0)) {
            deliver();
          }
        }
      },
    });
    window.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        // The first listener: it hears a message before the page does.
        this.addEventListener('message', (event) => {
          const { data } = event;
          if (isHeld && typeof data === 'string' && /^bestmove /m.test(data)) {
            event.stopImmediatePropagation();
            held.push(() => this.dispatchEvent(new MessageEvent('message', { data })));
          }
        });
      }
    };
  });
  await openPage(page, hash);
  const set = (hold: boolean) =>
    page.evaluate((hold) => (window as unknown as { holdEngine(hold: boolean): void }).holdEngine(hold), hold);
  return { hold: () => set(true), release: () => set(false) };
}

export const square = (page: Page, name: string): Locator => page.locator(`.game-board [data-square=${name}]`);

/** Clicks a piece and its target. */
export async function move(page: Page, from: string, to: string): Promise<void> {
  await square(page, from).click();
  await square(page, to).click();
}

/** The texts of all moves in the list, without their numbers. */
export async function moves(page: Page): Promise<string[]> {
  return page.locator('.moves .line.main > .item > .move').allInnerTexts();
}

/** On a phone, opens the sheet with what a larger window always shows. */
export async function openMore(page: Page): Promise<void> {
  await expect(page.locator('.seat')).toBeVisible();
  const more = page.getByRole('button', { name: 'More', exact: true });
  if (await more.isVisible()) {
    await more.click();
  }
}

/** Begins a game of two people from a FEN. */
export async function playFrom(page: Page, fen: string, { people = true } = {}): Promise<void> {
  await openPage(page, `#fen=${fen.replaceAll(' ', '_')}`);
  await openMore(page);
  await page.getByRole('button', { name: 'Play from here' }).click();
  const opponent = people ? 'Two people at this board' : 'Sakmak';
  await page.getByRole('dialog', { name: 'New game' }).getByRole('radio', { name: opponent, exact: true }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Opens a text in the analysis. */
export async function openText(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('dialog').locator('textarea').fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
}

/** Shows the last position, once the game is on the board: a key that comes earlier does nothing. */
export async function showLast(page: Page): Promise<void> {
  const last = page.getByRole('button', { name: 'Last position' });
  await last.click();
  await expect(last).toBeDisabled();
}

/** The rules of WCAG 2.2 AA that a program can test. */
export async function checkAccessibility(page: Page): Promise<void> {
  const results = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
  const found = results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found).toEqual([]);
}

/** A score sheet as the SchemingMind site writes it: that of the shared data, else one of our own. */
export function scoreSheet(): { text: string; plies: number; last: string } {
  const path = join(root, '../shared/data/schemingmind-game.txt');
  if (existsSync(path)) {
    return { text: readFileSync(path, 'utf8'), plies: 162, last: 'Rc1#' };
  }
  const text = '1. e4 e5\nClock started on 1/2/2013\n2. Nd2 Nd7 3. Ne2 Ne7 4. d4 exd4 5. exd4 Nf6\nDraw\n';
  return { text, plies: 10, last: 'Nf6' };
}

/** A position of the count suite with its proven first moves. */
export async function suite(id: string): Promise<Exercise> {
  const found = exercises().find((one) => one.id === id);
  if (!found) {
    throw new Error(`there is no exercise ${id}`);
  }
  return found;
}

/** The legal captures of a position in coordinates. */
export async function capturesOf(fen: string): Promise<string[]> {
  const { moves } = new GameRecord(fen).view();
  return moves.filter((one) => one.captured).map((one) => one.uci);
}

/**
 * Answers requests for a file by the ranges that they ask for, or as a server that knows none with the whole file.
 * Returns the ranges. Must be called before the page is opened: what a service worker fetches is not seen.
 */
export async function serveRanges(page: Page, url: string, bytes: Buffer, { whole = false } = {}): Promise<string[]> {
  const asked: string[] = [];
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new Error('none in this test'));
  });
  await page.route(url, (route) => {
    const { range = '' } = route.request().headers();
    asked.push(range);
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
    return whole
      ? route.fulfill({ status: 200, body: bytes })
      : route.fulfill({
          status: 206,
          headers: { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` },
          body: bytes.subarray(start, end),
        });
  });
  return asked;
}

/** Opens a file of 500 games in the analysis, and returns after how many milliseconds their list is there. */
export async function openFiveHundred(page: Page): Promise<number> {
  const game = (number: number) =>
    `[Event "Round ${number}"]\n[White "Player ${number}"]\n[Black "Other"]\n[Date "2024.01.01"]\n[Result "1-0"]\n\n` +
    '1. e4 e5 2. Nd2 Nd7 3. Ne2 Ne7 4. c4 c5 5. Mf2 Mc7 6. Rb1 Rb8 7. Ra1 Ra8 8. Rb1 Rb8 9. Ra1 Ra8 10. Rb1 Rb8 1-0\n\n';
  const text = Array.from({ length: 500 }, (_, at) => game(at + 1)).join('');
  await openPage(page, '#/analyse');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  const started = Date.now();
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect(page.getByText('500 games')).toBeVisible();
  return Date.now() - started;
}

/** A slow connection: bits a second, and the latency in milliseconds. */
export async function slowNetwork(page: Page, bits = 1_500_000, latency = 40): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bits / 8,
    uploadThroughput: bits / 16,
  });
}
