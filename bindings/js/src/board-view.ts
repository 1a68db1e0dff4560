// `sakmak/board`: a Makruk board for a page, without a framework.
import { Actions } from './board-view/actions.js';
import { build } from './board-view/dom.js';
import { Pointer } from './board-view/drag.js';
import { toPiece, writeFen } from './board-view/geometry.js';
import { listenToKeys } from './board-view/keyboard.js';
import { configure, initialState } from './board-view/state.js';
import type { BoardConfig, SakmakBoard } from './board-view/types.js';

export { carved } from './board-view/pieces/carved.js';
export type * from './board-view/types.js';

/**
 * Puts a board into an element, which gives it its width. The page needs `sakmak/board.css` too.
 *
 * Throws a `FenError` or an `ArgumentError`, as `set` does, if a FEN, a square or a piece of the configuration is wrong.
 */
export function createBoard(element: Element, config: BoardConfig = {}): SakmakBoard {
  const state = initialState();
  configure(state, config);
  const dom = build(element);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const actions = new Actions(state, dom, dark);
  const listeners = new AbortController();
  const { signal } = listeners;
  const pointer = new Pointer(actions, signal);
  const cancel = () => pointer.cancel();
  listenToKeys(actions, cancel, signal);
  dark.addEventListener('change', () => actions.draw(), { signal });
  state.focused = state.orientation === 'white' ? 'a1' : 'h8';
  actions.draw();

  return {
    set(change) {
      configure(state, change);
      actions.draw();
      pointer.check();
    },
    get state() {
      const { orientation, turnColor, selected, premove, drawable } = state;
      return {
        fen: writeFen(state.pieces),
        pieces: new Map([...state.pieces].map(([square, code]) => [square, toPiece(code)])),
        orientation,
        turnColor,
        selected,
        premove,
        shapes: drawable.shapes,
        dragging: pointer.dragging,
      };
    },
    playPremove: () => actions.playPremove(),
    cancelPremove: () => actions.cancelPremove(),
    cancelMove() {
      cancel();
      actions.select(null);
    },
    dragNewPiece: (piece, event) => pointer.dragNew(piece, event),
    destroy() {
      cancel();
      listeners.abort();
      actions.renderer.stop();
      dom.root.remove();
    },
  };
}
