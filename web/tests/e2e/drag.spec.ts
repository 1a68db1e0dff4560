// What the page shows while a piece is dragged, and after it is dropped.
import type { Page } from '@playwright/test';
import { expect, moves, openPage, playFrom, square, test } from './page';

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await square(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Drags a piece, and gives the squares on which its node was in the frames after the drop. */
async function drop(page: Page, from: string, to: string): Promise<string[]> {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  // The piece may still be on its way to its square.
  await page.waitForFunction(
    ([x, y]) => {
      const inside = (node: Element) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return left < Number(x) && Number(x) < right && top < Number(y) && Number(y) < bottom;
      };
      const piece = [...document.querySelectorAll('.game-board .sb-piece')].find(inside);
      if (!piece) {
        return false;
      }
      const seen: string[] = [];
      Object.assign(window, { seen });
      const note = () => {
        const { left, top, width, height } = piece.getBoundingClientRect();
        const cells = document.elementsFromPoint(left + width / 2, top + height / 2);
        const cell = cells.find((one) => one instanceof HTMLElement && one.dataset.square) as HTMLElement | undefined;
        seen.push(piece.isConnected ? (cell?.dataset.square ?? 'nowhere') : 'gone');
        if (seen.length < 20) {
          requestAnimationFrame(note);
        }
      };
      window.addEventListener('pointerup', () => requestAnimationFrame(note), { once: true, capture: true });
      return true;
    },
    [start.x, start.y] as const,
  );
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length >= 20);
  return page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

test('a dropped piece stays where it is dropped, in every frame', async ({ page }) => {
  await openPage(page, '#/analyse');
  expect(new Set(await drop(page, 'b1', 'd2'))).toEqual(new Set(['d2']));
  await expect.poll(() => moves(page)).toEqual(['Nd2']);
  // A bia that turns over, and a capture.
  await openPage(page, '#fen=4k3/8/3p4/4P3/8/8/8/4K3_w_-_-_0_1');
  await expect(square(page, 'e5')).toHaveAttribute('aria-label', /bia/);
  expect(new Set(await drop(page, 'e5', 'd6'))).toEqual(new Set(['d6']));
});

test('a move that asks first goes back at once', async ({ page }) => {
  await playFrom(page, '7k/8/5K2/8/8/5N2/1m6/1R2R3 w - - 0 60');
  const seen = await drop(page, 'b1', 'b2');
  expect(seen.at(-1)).toBe('b1');
  await expect(page.locator('.warning')).toBeVisible();
});
