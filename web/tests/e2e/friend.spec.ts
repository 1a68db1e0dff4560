// Two people play: live over WebRTC and by links.
import type { Browser, Page } from '@playwright/test';
import { GameRecord } from 'sakmak/study';
import { browser } from './browser';
import { checkAccessibility, expect, move, moves, openMore, openPage, test } from './page';

// Both pages run on this machine, which may have no other network than its loopback, and nobody who answers for the
// names behind which Chromium hides addresses.
test.use({
  launchOptions: {
    ...browser,
    args: ['--no-sandbox', '--allow-loopback-in-peer-connection', '--disable-features=WebRtcHideLocalIpsWithMdns'],
  },
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** The link that a page shows. */
async function linkOf(page: Page): Promise<string> {
  const field = page.locator('.friend-link');
  await expect(field).toHaveValue(/#\/friend\/[\w-]{20,}$/);
  return field.inputValue();
}

/** The page of the second player, with a storage of its own. */
async function secondPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await openPage(page, '#/friend');
  return page;
}

async function paste(page: Page, link: string): Promise<void> {
  await page.getByRole('textbox', { name: 'The link' }).fill(link);
  await button(page, 'Open the link').click();
}

/** Takes the invitation of one page to the other, and the answer back. */
async function meet(host: Page, guest: Page): Promise<void> {
  await guest.goto(await linkOf(host));
  await expect(guest.getByText('Send this answer back.')).toBeVisible();
  await paste(host, await linkOf(guest));
  for (const page of [host, guest]) {
    await expect(page.locator('.friend-report')).toContainText(/Your move|is to move/);
  }
}

/** Begins a live game in which `host` is White. */
async function beginLive(host: Page, guest: Page): Promise<void> {
  await openPage(host, '#/play');
  await host.getByRole('link', { name: 'With a friend elsewhere' }).click();
  await host.getByLabel('Your name').fill('Somchai');
  await host.getByRole('radio', { name: 'Live, both at once' }).check();
  await expect(host.getByText('Works on the same network only.')).toBeVisible();
  await host.getByRole('radio', { name: '10 min + 5 s' }).check();
  await button(host, 'Begin').click();
  await meet(host, guest);
}

/** Makes a move on one page and waits until the other has it. */
async function pass(from: Page, to: Page, uci: string, plies: number): Promise<void> {
  await move(from, uci.slice(0, 2), uci.slice(2, 4));
  await expect.poll(async () => (await moves(to)).length).toBe(plies);
}

test('live: two browsers play, one reloads, a new pair of links goes on, one resigns', async ({ page, browser }) => {
  const guest = await secondPage(browser);
  await beginLive(page, guest);
  await expect(guest.locator('.player .name').filter({ hasText: 'Somchai' })).toBeVisible();
  await pass(page, guest, 'e3e4', 1);
  await pass(guest, page, 'e6e5', 2);
  await guest.reload();
  await expect(page.getByText('The connection is lost.')).toBeVisible();
  await guest.getByRole('button', { name: /Somchai.*live/ }).click();
  await expect.poll(() => moves(guest)).toHaveLength(2);
  await button(page, 'Make an invitation').click();
  await meet(page, guest);
  await expect(page.getByRole('timer')).toHaveCount(2);
  await pass(page, guest, 'd3d4', 3);
  await button(guest, 'Resign').click();
  await button(guest, 'Sure?').click();
  await expect(page.getByRole('heading', { name: /You won/ })).toBeVisible();
  await expect(guest.getByRole('heading', { name: /You lost/ })).toBeVisible();
  await button(page, 'Play again, sides changed').click();
  await button(guest, 'Play again, sides changed').click();
  await pass(guest, page, 'e3e4', 1);
  await page.goto('./#/games');
  await expect(page.locator('.games li').filter({ hasText: '1-0' })).toBeVisible();
});

test('by links: a game with a conditional move, a damaged link, and an older one', async ({ page, browser }) => {
  const guest = await secondPage(browser);
  await openPage(page, '#/friend');
  await button(page, 'Begin').click();
  await move(page, 'e3', 'e4');
  await page.getByLabel('A word to your move').fill('Good luck!');
  await page.getByText('Conditional moves', { exact: true }).click();
  await button(page, 'Add a line').click();
  await move(page, 'e6', 'e5');
  await move(page, 'd3', 'd4');
  await button(page, 'Keep the line').click();
  await page.getByLabel('Send them with the link').check();
  const first = await linkOf(page);
  await guest.goto(`${first.slice(0, -3)}`);
  await expect(guest.getByText('The link is damaged or not whole.')).toBeVisible();
  await guest.goto(first);
  await expect(guest.getByText('Good luck!').first()).toBeVisible();
  await expect(guest.getByText('Your move.')).toBeVisible();
  // The answer comes at once, and Black moves again.
  await move(guest, 'e6', 'e5');
  await expect(guest.getByText('Your friend had answered already')).toBeVisible();
  await expect.poll(() => moves(guest)).toHaveLength(3);
  await move(guest, 'd6', 'd5');
  await page.goto(await linkOf(guest));
  await expect.poll(() => moves(page)).toHaveLength(4);
  await page.goto(first);
  await expect(page.getByText('This link is older than your game')).toBeVisible();
  await expect.poll(() => moves(page)).toHaveLength(4);
  // It goes on from My games.
  await page.goto('./#/games');
  await page.reload();
  await button(page, 'Go on playing').click();
  await expect(page.getByText('Your move.')).toBeVisible();
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('games with a friend fit, and a screen reader reads them', async ({ page }) => {
    const fits = async () => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
    };
    await openPage(page, '#/friend');
    await expect(button(page, 'Begin')).toBeVisible();
    await fits();
    await checkAccessibility(page);
    await button(page, 'Begin').click();
    await move(page, 'e3', 'e4');
    await expect(page.getByText('Send this link to')).toBeVisible();
    await button(page, 'QR code').click();
    await expect(page.getByRole('img', { name: 'The link as a QR code' })).toBeVisible();
    await fits();
    await checkAccessibility(page);
    await openMore(page);
    await expect(button(page, 'Offer a draw')).toBeVisible();
    await checkAccessibility(page);
  });
});

test('live: a whole game @nightly', async ({ page, browser }) => {
  const guest = await secondPage(browser);
  await beginLive(page, guest);
  const record = new GameRecord();
  let node = 0;
  let state = 11;
  for (let plies = 1; plies <= 200; plies++) {
    const { moves: legal, outcome, turn } = record.view(node);
    if (outcome) {
      break;
    }
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Captures first, so that it ends.
    const captures = legal.filter((one) => one.captured);
    const from = captures.length > 0 ? captures : legal;
    const { uci } = from[state % from.length] as (typeof from)[number];
    const [mover, waiting] = turn === 'w' ? [page, guest] : [guest, page];
    await move(mover, uci.slice(0, 2), uci.slice(2, 4));
    const consent = mover.getByRole('alertdialog').getByRole('button').first();
    node = record.play(node, uci);
    await expect
      .poll(async () => {
        if (await consent.isVisible()) {
          await consent.click();
        }
        return (await moves(waiting)).length;
      })
      .toBe(plies);
  }
  if (!record.view(node).outcome) {
    await button(page, 'Resign').click();
    await button(page, 'Sure?').click();
  }
  for (const one of [page, guest]) {
    await expect(one.locator('.friend-report h2')).toBeVisible();
  }
});
