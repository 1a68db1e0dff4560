// The board by keyboard: arrows walk over the squares, Enter and Space act as a click, Escape lets go.
import type { Actions } from './actions.js';
import { place, squareAt } from './geometry.js';
import type { Square } from './types.js';

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-8, 0],
  End: [8, 0],
};

const within = (value: number) => Math.min(7, Math.max(0, value));

/** Listens to the keyboard; `cancel` ends a drag and says whether there was one. */
export function listenToKeys(actions: Actions, cancel: () => boolean, signal: AbortSignal): void {
  const { state, dom } = actions;

  const onKey = (event: KeyboardEvent) => {
    const { focused, orientation, selected, premove } = state;
    const step = STEPS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (step) {
      const { x, y } = place(focused, orientation);
      actions.focus(squareAt(within(x + step[0]), within(y + step[1]), orientation) as Square, true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      actions.activate(focused, 'keyboard');
    } else if (event.key === 'Escape') {
      if (!cancel() && !selected && !premove) {
        return;
      }
      actions.select(null);
      actions.cancelPremove();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && state.movable.free && !state.viewOnly) {
      actions.remove(focused);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  dom.grid.addEventListener('keydown', onKey, { signal });
  dom.grid.addEventListener(
    'focusin',
    (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square) {
        actions.focus(square as Square, false);
      }
    },
    { signal },
  );
}
