// Windows between phone and desk, zoom, keyboard and focus: what a review of the layout has found.
import type { Page } from '@playwright/test';
import { expect, move, openMore, openPage, openText, playFrom, showLast, square, test } from './page';

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  expect(found, selector).not.toBeNull();
  const { x, y, width, height } = found ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, top: y, right: x + width, bottom: y + height, height };
};

for (const [width, height] of [
  [800, 900],
  [800, 600],
  [640, 500],
] as const) {
  test(`half a window, ${width}x${height}: the bar at the thumb is in sight and nothing lies between`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await playFrom(page, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
    const thumbs = await box(page, '.thumbs');
    expect(thumbs.bottom).toBeLessThanOrEqual(height + 1);
    expect(thumbs.bottom).toBeGreaterThanOrEqual(height - 2);
    expect((await box(page, '.board')).height).toBeGreaterThanOrEqual(Math.min(width, height - 340));
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(height + 1);
  });
}

test('a laptop with five lines of the engine: count, moves and buttons keep their room', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 630 });
  await openPage(page, '#fen=7k/8/5K2/8/8/5N2/8/1R2R3_w_-_-_0_60');
  for (let lines = 1; lines < 5; lines += 1) {
    await page.getByRole('button', { name: 'One more line' }).click();
  }
  await page.locator('.switch input').click();
  await expect(page.locator('.lines li')).toHaveCount(5);
  const side = await box(page, '.side');
  for (const [part, least] of [
    ['.count', 60],
    ['.record', 60],
    ['.engine', 60],
    ['.more', 40],
  ] as const) {
    const { top, bottom, height } = await box(page, part);
    expect(height, part).toBeGreaterThanOrEqual(least);
    expect(top, part).toBeGreaterThanOrEqual(side.top - 1);
    expect(bottom, part).toBeLessThanOrEqual(side.bottom + 1);
  }
  await expect(page.locator('.count-head')).toBeInViewport();
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('two fingers enlarge the page, and do not step through the game', async ({ page }) => {
    await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
    await move(page, 'a1', 'a5');
    const touchActions = await page
      .locator('.table, .count, .record')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).touchAction));
    for (const action of touchActions) {
      expect(action).toMatch(/auto|pinch-zoom/);
    }
    const current = page.locator('.moves [aria-current=true]');
    await expect(current).toHaveText('Ra5');
    await page.locator('.table').evaluate((table) => {
      const send = (kind: string, pointerId: number, clientX: number) =>
        table.dispatchEvent(
          new PointerEvent(`pointer${kind}`, {
            bubbles: true,
            pointerId,
            pointerType: 'touch',
            isPrimary: pointerId === 1,
            clientX,
            clientY: 500,
          }),
        );
      send('down', 1, 100);
      send('down', 2, 200);
      send('up', 1, 200);
      send('up', 2, 100);
    });
    await expect(current).toHaveText('Ra5');
  });

  test('the focus goes back to the button that opened a sheet, and one from the sheet', async ({ page }) => {
    await playFrom(page, '4k3/8/8/8/8/4P3/8/RK6 w - - 0 1');
    const more = page.getByRole('button', { name: 'More', exact: true });
    await more.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(more).toBeFocused();
    await openPage(page, '#/analyse');
    await openMore(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'More' })).toHaveCount(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(more).toBeFocused();
  });
});

test('the focus goes back to the button that opened a dialog', async ({ page }) => {
  await openPage(page, '#/analyse');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await share.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(share).toBeFocused();
});

test('after a flip Enter acts on the square that has the focus', async ({ page }) => {
  await openPage(page, '#/analyse');
  await square(page, 'a1').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(square(page, 'a3')).toBeFocused();
  await page.keyboard.press('f');
  await expect(square(page, 'a3')).toBeFocused();
  const focused = await page.evaluate(() => (document.activeElement as HTMLElement).dataset.square);
  await page.keyboard.press('Enter');
  await expect(page.locator('[aria-selected=true]')).toHaveAttribute('data-square', focused ?? '');
});

for (const board of ['wood', 'plain', 'chequered'] as const) {
  test(`small boards have squares: ${board}`, async ({ page }) => {
    await page.addInitScript((name) => localStorage.setItem('sakmak.settings', JSON.stringify({ board: name })), board);
    await openPage(page, '#/learn');
    const thumbnail = page.locator('.thumbnail').first();
    await expect(thumbnail).toBeVisible();
    const paint = (selector: string, property: 'fill' | 'stroke') =>
      thumbnail
        .locator(selector)
        .first()
        .evaluate((one, name) => getComputedStyle(one)[name as 'fill'], property);
    const ground = await paint('.picture-light', 'fill');
    const other = board === 'chequered' ? await paint('.picture-dark', 'fill') : await paint('.picture-line', 'stroke');
    expect(other).not.toBe(ground);
    expect(other).not.toBe('none');
    expect(other).not.toBe('rgba(0, 0, 0, 0)');
  });
}

test('a comment that is typed while the engine runs is kept', async ({ page }) => {
  await openPage(page, '#/analyse');
  await openText(page, '1. e4 e5 2. d4 *');
  await showLast(page);
  await page.locator('.switch input').click();
  await expect(page.locator('.lines .score').first()).toBeVisible();
  await page.locator('.tools summary').click();
  const area = page.locator('.tools textarea');
  await area.pressSequentially('well played', { delay: 60 });
  await area.blur();
  await expect(page.locator('.moves .comment')).toHaveText('well played');
});
