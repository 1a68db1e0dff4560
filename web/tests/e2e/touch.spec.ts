// Several fingers on the board.
import type { Page } from '@playwright/test';
import { expect, moves, openPage, square, test } from './page';

test.use({ hasTouch: true });

type Kind = 'down' | 'move' | 'up';
type Step = [kind: Kind, pointer: number, square: string];

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await square(page, name).boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Events of fingers that the browser makes itself. */
async function touch(page: Page, steps: Step[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const down = new Map<number, { x: number; y: number; id: number }>();
  for (const [kind, id, name] of steps) {
    const point = { ...(await middle(page, name)), id };
    if (kind === 'up') {
      down.delete(id);
    } else {
      down.set(id, point);
    }
    // An event with the fingers that are left lifts the others.
    const type = down.size === 0 ? 'touchEnd' : kind === 'down' ? 'touchStart' : 'touchMove';
    await client.send('Input.dispatchTouchEvent', { type, touchPoints: [...down.values()] });
  }
}

const CASES: { steps: Step[]; played: string[] }[] = [
  // A second finger on a target does not play the dragged piece there.
  {
    steps: [
      ['down', 1, 'a1'],
      ['move', 1, 'a3'],
      ['down', 2, 'a7'],
      ['up', 2, 'a7'],
      ['move', 1, 'a1'],
      ['up', 1, 'a1'],
    ],
    played: [],
  },
  // One elsewhere does not end the drag.
  {
    steps: [
      ['down', 1, 'a1'],
      ['move', 1, 'a3'],
      ['down', 2, 'h7'],
      ['up', 2, 'h7'],
      ['move', 1, 'a5'],
      ['up', 1, 'a5'],
    ],
    played: ['Ra5'],
  },
  // One that moves does not take the piece along.
  {
    steps: [
      ['down', 1, 'a1'],
      ['move', 1, 'a3'],
      ['down', 2, 'h2'],
      ['move', 2, 'a6'],
      ['up', 1, 'a3'],
      ['up', 2, 'a6'],
    ],
    played: ['Ra3'],
  },
  // Two fingers at once on the piece are one drag.
  {
    steps: [
      ['down', 1, 'a1'],
      ['down', 2, 'a1'],
      ['move', 2, 'a6'],
      ['up', 2, 'a6'],
      ['move', 1, 'a4'],
      ['up', 1, 'a4'],
    ],
    played: ['Ra4'],
  },
  // The next drag is as good as the first.
  {
    steps: [
      ['down', 1, 'a1'],
      ['move', 1, 'h5'],
      ['up', 1, 'h5'],
      ['down', 2, 'a1'],
      ['move', 2, 'a2'],
      ['up', 2, 'a2'],
    ],
    played: ['Ra2'],
  },
];

for (const { steps, played } of CASES) {
  test(`fingers: ${steps.map((step) => step.join(' ')).join(', ')}`, async ({ page }) => {
    await openPage(page, '#fen=4k3/8/8/8/8/8/8/RK6_w_-_-_0_1');
    await expect(square(page, 'a1')).toHaveAttribute('aria-label', /rua/);
    await touch(page, steps);
    await expect.poll(() => moves(page)).toEqual(played);
    // Nothing is left in the air.
    await expect(page.locator('.piece.dragged')).toHaveCount(0);
    expect(await moves(page)).toEqual(played);
  });
}
