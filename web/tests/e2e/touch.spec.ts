// Several fingers on the board.
import type { Page } from '@playwright/test';
import { expect, moves, openPage, square, test } from './page';

test.use({ hasTouch: true });

type Kind = 'down' | 'move' | 'up';
type Step = [kind: Kind, pointer: number, square: string];

/** Events of fingers, one after the other. The page draws after each. */
async function touch(page: Page, steps: Step[]): Promise<void> {
  await page.evaluate(async (all) => {
    // Fingers that do not exist cannot be captured.
    Element.prototype.setPointerCapture = () => {};
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const [kind, pointerId, name] of all) {
      const element = document.querySelector(`.game-board [data-square=${name}]`);
      const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      element?.dispatchEvent(
        new PointerEvent(`pointer${kind}`, {
          bubbles: true,
          cancelable: true,
          pointerId,
          pointerType: 'touch',
          isPrimary: pointerId === all[0]?.[1],
          button: kind === 'move' ? -1 : 0,
          clientX: x + width / 2,
          clientY: y + height / 2,
        }),
      );
      await drawn();
    }
  }, steps);
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
    await expect(page.locator('.sb-piece.dragged')).toHaveCount(0);
    expect(await moves(page)).toEqual(played);
  });
}
