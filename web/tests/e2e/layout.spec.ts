// What stands where, on the screens of phones, tablets and desks.
import type { Page } from '@playwright/test';
import { checkAccessibility, expect, move, moves, openMore, openPage, playFrom, square, test } from './page';

const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
];

/** Edges of an element in the window. */
async function edges(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  expect(box, selector).not.toBeNull();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** Whether each element lies in the window, which neither scrolls nor has to. */
async function inOneScreen(page: Page, selectors: string[]): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const selector of selectors) {
    const { left, top, right, bottom } = await edges(page, selector);
    expect(left, `${selector} left`).toBeGreaterThanOrEqual(-0.5);
    expect(top, `${selector} top`).toBeGreaterThanOrEqual(-0.5);
    expect(right, `${selector} right`).toBeLessThanOrEqual(width + 0.5);
    expect(bottom, `${selector} bottom`).toBeLessThanOrEqual(height + 1);
  }
  expect(await page.evaluate(() => [window.scrollX, window.scrollY])).toEqual([0, 0]);
}

const PARTS = ['.board', '.count', '.record', '.thumbs', '.player'];

for (const viewport of PHONES) {
  // On the smallest of them all is looked at, on the others the rest at night.
  const atNight = viewport === PHONES[0] ? '' : ' @nightly';
  test.describe(`${viewport.width}x${viewport.height}`, () => {
    test.use({ viewport, hasTouch: true });

    test('board, count, moves and buttons are in one screen', async ({ page }) => {
      await playFrom(page, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
      await inOneScreen(page, PARTS);
      const board = await edges(page, '.board');
      // Edge to edge one way or the other.
      expect(Math.max(board.right - board.left, board.bottom - board.top)).toBeGreaterThanOrEqual(
        viewport.width > viewport.height ? viewport.height - 48 : Math.min(viewport.width, viewport.height - 310) - 4,
      );
      // The warning covers the panel, not the board, and nothing scrolls.
      await move(page, 'b1', 'b2');
      const warning = await edges(page, '.warning');
      expect(warning.top >= board.bottom - 1 || warning.left >= board.right - 1).toBe(true);
      await inOneScreen(page, PARTS);
      await page.getByRole('button', { name: 'Play Rxb2' }).click();
      await expect(page.locator('.count-strip')).toContainText('Pieces’ honour 5/8 · 3 left');
      await inOneScreen(page, PARTS);
    });

    test(`what does not fit is in a sheet${atNight}`, async ({ page }) => {
      await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
      await move(page, 'a1', 'a2');
      await checkAccessibility(page);
      await openMore(page);
      await checkAccessibility(page);
      const sheet = page.getByRole('dialog', { name: 'More' });
      for (const name of ['Take back', 'Agree to a draw', 'Resign', 'Analyse', 'New game', 'First position']) {
        await expect(sheet.getByRole('button', { name, exact: true })).toBeVisible();
      }
      await sheet.getByRole('button', { name: 'Take back' }).click();
      await expect(sheet).toHaveCount(0);
      await expect.poll(() => moves(page)).toEqual([]);
    });

    test('a game that is over fits', async ({ page }) => {
      await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
      await move(page, 'a1', 'a5');
      await move(page, 'e8', 'd7');
      await openMore(page);
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.getByRole('button', { name: 'Sure?' }).click();
      await expect(page.locator('.result h2')).toBeVisible();
      await inOneScreen(page, ['.board', '.count', '.thumbs', '.result']);
    });

    test('an exercise fits, with its buttons @nightly', async ({ page }) => {
      await openPage(page, '#/learn/hunt.08');
      await inOneScreen(page, ['.board', '.count', '.thumbs', '.exercise']);
      for (const name of ['Try again', 'Show a right move']) {
        await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
      }
    });

    test(`a position can be set up${atNight}`, async ({ page }) => {
      await openPage(page, '#/analyse');
      await openMore(page);
      await page.getByRole('button', { name: 'Set up' }).click();
      const board = await edges(page, '.board');
      expect(board.right - board.left).toBeGreaterThan(240);
      await page.getByRole('button', { name: 'Empty board' }).click();
      await page.getByRole('button', { name: 'White khun', exact: true }).click();
      await page.locator('[data-square=e1]').click();
      await expect(page.locator('[data-square=e1]')).toHaveAttribute('aria-label', 'e1, White khun');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    });

    test(`the analysis fits, too${atNight}`, async ({ page }) => {
      await openPage(page, '#/analyse');
      await expect(page.locator('.board')).toBeVisible();
      await inOneScreen(page, PARTS);
      await page.getByRole('button', { name: 'Engine', exact: true }).click();
      await expect(page.locator('.lines .score').first()).toBeVisible();
      await inOneScreen(page, PARTS);
      // The best line can be seen and pressed: nothing lies over it.
      const score = await edges(page, '.lines .score');
      const hit = await page.evaluate(
        ([x, y]) => document.elementFromPoint(Number(x), Number(y))?.className,
        [(score.left + score.right) / 2, (score.top + score.bottom) / 2],
      );
      expect(hit).toBe('score');
      // A finger on a move inside the line shows the position after it; what can be undone covers no button.
      await page.locator('.line-move').nth(1).tap();
      await expect.poll(() => moves(page)).toHaveLength(2);
      const [toast, thumbs] = [await edges(page, '.toast'), await edges(page, '.thumbs')];
      expect(toast.bottom).toBeLessThanOrEqual(thumbs.top);
    });
  });
}

test.describe('a finger that goes to a side', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('steps through the game, but not where it drags a piece', async ({ page }) => {
    await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
    await move(page, 'a1', 'a5');
    await move(page, 'e8', 'd7');
    const swipe = (from: string, pixels: number) =>
      page.evaluate(
        ([name, dx]) => {
          const element = document.querySelector(`.game-board [data-square=${name}]`);
          const { x, y } = element?.getBoundingClientRect() ?? new DOMRect();
          const send = (kind: string, clientX: number) =>
            element?.dispatchEvent(
              new PointerEvent(kind, {
                bubbles: true,
                pointerId: 7,
                pointerType: 'touch',
                isPrimary: true,
                clientX,
                clientY: y + 5,
              }),
            );
          send('pointerdown', x + 5);
          send('pointerup', x + 5 + Number(dx));
        },
        [from, pixels] as const,
      );
    const current = page.locator('.moves [aria-current=true]');
    await expect(current).toHaveText('Kd7');
    await swipe('h4', 80);
    await expect(current).toHaveText('Ra5');
    await swipe('h4', -80);
    await expect(current).toHaveText('Kd7');
    // The khun on b1 may move: the finger is the board's.
    await swipe('b1', 80);
    await expect(current).toHaveText('Kd7');
    // Not far enough.
    await swipe('h4', 20);
    await expect(current).toHaveText('Kd7');
  });
});

test.describe('at a desk', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the board is as large as the window allows, and the panel as high', async ({ page }) => {
    await playFrom(page, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
    const [board, side] = [await edges(page, '.board'), await edges(page, '.side')];
    expect(board.bottom - board.top).toBeGreaterThan(0.9 * 900);
    expect(Math.abs(side.bottom - board.bottom)).toBeLessThanOrEqual(2);
    expect(Math.abs(side.top - board.top)).toBeLessThanOrEqual(2);
    // Nothing in the panel reaches beyond it, with the warning open as well.
    await move(page, 'b1', 'b2');
    await expect(page.locator('.warning')).toBeVisible();
    for (const part of ['.count', '.record', '.more', '.warning']) {
      const { top, bottom } = await edges(page, part);
      expect(top, part).toBeGreaterThanOrEqual(side.top - 1);
      expect(bottom, part).toBeLessThanOrEqual(side.bottom + 1);
    }
  });

  test('moves stand in two columns', async ({ page }) => {
    await openPage(page, '#/analyse');
    for (const [from, to] of [
      ['e3', 'e4'],
      ['e6', 'e5'],
      ['d3', 'd4'],
      ['e5', 'd4'],
    ] as const) {
      await move(page, from, to);
    }
    await expect.poll(() => moves(page)).toEqual(['e4', 'e5', 'd4', 'exd4']);
    const boxes = await page.locator('.moves .move').evaluateAll((all) =>
      all.map((one) => {
        const { x, y } = one.getBoundingClientRect();
        return { x: Math.round(x), y: Math.round(y) };
      }),
    );
    const [first, second, third, fourth] = boxes;
    expect(first?.y).toBe(second?.y);
    expect(third?.y).toBe(fourth?.y);
    expect(first?.x).toBe(third?.x);
    expect(second?.x).toBe(fourth?.x);
    // A capture and a check are said as words.
    await expect(page.locator('p.hidden[aria-live=polite]').last()).toHaveText('Black: e takes d4');
  });

  test('each view has a title and one heading', async ({ page }) => {
    const titles = new Set<string>();
    for (const hash of ['#/play', '#/analyse', '#/learn', '#/rules', '#/learn/hunt.08']) {
      await openPage(page, hash);
      await expect(page.locator('h1')).toHaveCount(1);
      titles.add(await page.title());
    }
    expect(titles.size).toBe(4);
    await expect(square(page, 'a1')).toBeVisible();
  });
});

test('a new game: all choices above one button, which is in sight', async ({ page }) => {
  await openPage(page);
  await expect(page.locator('.opponents label')).toHaveCount(10);
  for (const [width, height] of [
    [1280, 800],
    [1366, 768],
    [1440, 900],
    [390, 844],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(page.locator('.seat')).toHaveCount(width > 800 ? 1 : 0);
    await expect(page.getByRole('button', { name: 'Begin' })).toBeInViewport({ ratio: 1 });
    const begin = await edges(page, '.new-game > .primary');
    if (height > 640) {
      // Without scrolling.
      expect((await edges(page, '.chips')).bottom, `${width}`).toBeLessThanOrEqual(begin.top);
      expect((await edges(page, '.new-game summary')).bottom, `${width}`).toBeLessThanOrEqual(begin.top + 1);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('twice the size of type, or 320 pixels: nothing goes beyond the side', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const hash of ['#/play', '#/analyse', '#/learn', '#/rules', '#/learn/hunt.08']) {
    await openPage(page, hash);
    await expect(page.locator('main')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
  }
  await page.setViewportSize({ width: 640, height: 900 });
  for (const hash of ['#/play', '#/analyse', '#/learn', '#/rules']) {
    await openPage(page, hash);
    await page.reload();
    await expect(page.locator('main h1')).toBeAttached();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(640);
  }
});

test('forced colours: switch, evaluation and current move can be told apart', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openPage(page, '#/analyse');
  await move(page, 'e3', 'e4');
  const colour = (selector: string, pseudo = '') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, which) => getComputedStyle(element, which).backgroundColor, pseudo);
  const page1 = await colour('html');
  expect(await colour('.switch input')).not.toBe(await colour('.switch input', '::after'));
  expect(await colour('.evaluation-bar')).not.toBe(await colour('.evaluation-bar div'));
  expect(await colour('.top nav a[aria-current]')).not.toBe(page1);
  expect(await colour('.moves .move[aria-current]')).not.toBe(page1);
  expect(await colour('.disc.w')).not.toBe(await colour('.disc.b'));
});

test('the faces come with the page, once it is usable', async ({ page }) => {
  await openPage(page);
  await expect(page.locator('.new-game')).toBeVisible();
  const faces = () =>
    page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family));
  await expect.poll(faces).toContain('Sarabun');
  const { paint, files } = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    files: (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name, startTime, decodedBodySize }) => ({ name, startTime, size: decodedBodySize })),
  }));
  expect(files.length).toBeGreaterThan(0);
  for (const { startTime, name } of files) {
    expect(new URL(name).origin).toBe(new URL(page.url()).origin);
    expect(startTime).toBeGreaterThan(paint);
  }
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(50_000);
  const licence = await page.request.get('./assets/Sarabun-OFL.txt');
  expect(await licence.text()).toContain('SIL Open Font License');
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /Sakmak/);
});
