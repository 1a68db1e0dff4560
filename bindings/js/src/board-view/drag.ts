// Mouse, pen and fingers: clicks, drags and drawing. One pointer at a time: what others do meanwhile is ignored.
import type { Actions } from './actions.js';
import { type Code, squareAt, toCode } from './geometry.js';
import { pieceNode } from './pieces.js';
import { brushOf, toggled } from './shapes.js';
import { mayMove, mayPick } from './state.js';
import type { Piece, Square } from './types.js';

/** How large a dragged piece is, and how far above the finger, in squares. */
const MOUSE = { scale: 1.08, lift: 0 };
const FINGER = { scale: 1.7, lift: 0.75 };

interface Press {
  pointer: number;
  kind: 'click' | 'drag' | 'draw';
  /** Where it began; `null` for a new piece. */
  from: Square | null;
  /** The piece on it, to see whether it is still there. */
  code: Code | null;
  x: number;
  y: number;
  /** Whether its square was selected before. */
  again: boolean;
  finger: boolean;
  node: HTMLElement | null;
  ghost: Node | null;
  over: HTMLElement | null;
  /** The board on the screen, measured once. */
  box: DOMRect;
}

export class Pointer {
  readonly #actions: Actions;
  #press: Press | null = null;

  constructor(actions: Actions, signal: AbortSignal) {
    this.#actions = actions;
    const { grid } = actions.dom;
    const on = <K extends keyof HTMLElementEventMap>(name: K, listener: (event: HTMLElementEventMap[K]) => void) =>
      grid.addEventListener(name, listener, { signal });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => this.#isMine(event) && this.cancel());
    // A finger belongs to its square first: what the square loses goes to the grid.
    on('lostpointercapture', (event) => event.target === grid && this.#isMine(event) && this.cancel());
    // The focus is for the keyboard: after a click the arrow keys still go through the game.
    on('mousedown', (event) => event.preventDefault());
    on('contextmenu', (event) => {
      const { drawable, viewOnly } = actions.state;
      if (drawable.enabled && !viewOnly) {
        event.preventDefault();
      }
    });
    const measure = () => {
      if (this.#press) {
        this.#press.box = grid.getBoundingClientRect();
      }
    };
    addEventListener('scroll', measure, { signal, capture: true, passive: true });
    addEventListener('resize', measure, { signal });
  }

  get dragging(): boolean {
    return this.#press?.kind === 'drag';
  }

  /** Ends a press or a drag without a move; false if there was none. */
  cancel(): boolean {
    const press = this.#end();
    if (press?.kind === 'drag' && press.from) {
      this.#actions.renderer.settle(press.from, this.#actions.state, true);
    }
    if (press?.kind === 'draw') {
      this.#actions.draw();
    }
    return press !== null;
  }

  /** Lets go of a piece that the position has no longer. */
  check(): void {
    const { press, state } = { press: this.#press, state: this.#actions.state };
    if (press?.from && press.kind !== 'draw' && state.pieces.get(press.from) !== (press.code ?? undefined)) {
      this.cancel();
    } else if (press?.kind === 'drag' && press.from && !mayPick(state, press.from)) {
      this.cancel();
    }
  }

  /** Begins to drag a piece that is not on the board. */
  dragNew(piece: Piece, event: PointerEvent): void {
    if (this.#press || this.#actions.state.viewOnly) {
      return;
    }
    const code = toCode(piece);
    this.#begin(event, null, 'drag', code);
    const press = this.#press as Press | null;
    if (press) {
      press.node = pieceNode(code, this.#actions.state.pieceSet);
      press.node.classList.add('dragged');
      this.#actions.dom.pieces.append(press.node);
      this.#follow(event);
    }
    event.preventDefault();
  }

  #isMine(event: PointerEvent): boolean {
    return this.#press?.pointer === event.pointerId;
  }

  #begin(event: PointerEvent, from: Square | null, kind: Press['kind'], code: Code | null): void {
    const { grid } = this.#actions.dom;
    this.#press = {
      pointer: event.pointerId,
      kind,
      from,
      code,
      x: event.clientX,
      y: event.clientY,
      again: this.#actions.state.selected === from,
      finger: event.pointerType === 'touch',
      node: null,
      ghost: null,
      over: null,
      box: grid.getBoundingClientRect(),
    };
    try {
      grid.setPointerCapture(event.pointerId);
    } catch {
      // The pointer has gone already.
    }
  }

  /** Where a pointer is, in squares from the upper left. */
  #locate({ clientX, clientY }: PointerEvent, { box }: Press): { x: number; y: number; square: Square | null } {
    const [x, y] = [((clientX - box.left) / box.width) * 8, ((clientY - box.top) / box.height) * 8];
    return { x, y, square: squareAt(Math.floor(x), Math.floor(y), this.#actions.state.orientation) };
  }

  #down(event: PointerEvent): void {
    const actions = this.#actions;
    const { state } = actions;
    if (this.#press) {
      // A mouse that presses again has lost its release outside of the window.
      if (!this.#isMine(event)) {
        return;
      }
      this.cancel();
    }
    const probe = { box: actions.dom.grid.getBoundingClientRect() } as Press;
    const { square } = this.#locate(event, probe);
    if (!square || state.viewOnly) {
      return;
    }
    if (event.button === 2 && state.drawable.enabled) {
      this.#begin(event, square, 'draw', null);
      this.#sketch(event);
      return;
    }
    if (event.button !== 0) {
      return;
    }
    actions.focus(square, false);
    if (state.drawable.eraseOnClick && state.drawable.shapes.length > 0 && !mayPick(state, square)) {
      state.drawable.shapes = [];
      actions.draw();
      state.events.shapesChange?.([]);
    }
    this.#begin(event, square, 'click', state.pieces.get(square) ?? null);
    const isDest = state.selected !== null && state.selected !== square && this.#reaches(state.selected, square);
    if (!actions.places() && !isDest && mayPick(state, square)) {
      actions.select(square);
    }
  }

  #reaches(from: Square, to: Square): boolean {
    const { state } = this.#actions;
    return !state.movable.free && mayMove(state, from) && (state.movable.dests.get(from) ?? []).includes(to);
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    const { state, renderer, dom } = this.#actions;
    if (!press || !this.#isMine(event)) {
      return;
    }
    if (press.kind === 'draw') {
      this.#sketch(event);
      return;
    }
    if (press.kind === 'drag' && event.buttons & 2) {
      this.cancel();
      return;
    }
    if (press.kind === 'click') {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= state.draggable.distance;
      if (!far || !press.from || !state.draggable.enabled || !mayPick(state, press.from)) {
        return;
      }
      const node = renderer.nodeOn(press.from);
      if (!node) {
        return;
      }
      press.kind = 'drag';
      press.node = node;
      if (state.draggable.showGhost) {
        press.ghost = node.cloneNode(true);
        (press.ghost as HTMLElement).classList.add('ghost');
        dom.pieces.append(press.ghost);
      }
      node.classList.add('dragged');
    }
    this.#follow(event);
  }

  /** The dragged piece goes to the pointer, and the square below is lit. */
  #follow(event: PointerEvent): void {
    const press = this.#press;
    if (!press?.node) {
      return;
    }
    const { x, y, square } = this.#locate(event, press);
    const { scale, lift } = press.finger ? FINGER : MOUSE;
    // In parts of the piece's own size, so that it also fits on a board that the page scales.
    const [left, top] = [100 * (x - 0.5), 100 * (y - 0.5 - lift)];
    press.node.style.transform = `translate(${left}%, ${top}%) scale(${scale})`;
    const cell = square && this.#actions.dom.cells[Math.floor(y) * 8 + Math.floor(x)];
    if (press.over !== (cell || null)) {
      press.over?.removeAttribute('data-over');
      press.over = cell || null;
      press.over?.setAttribute('data-over', '');
      this.#actions.dom.root.classList.toggle('by-finger', press.finger);
    }
  }

  #sketch(event: PointerEvent): void {
    const press = this.#press as Press;
    const { square } = this.#locate(event, press);
    const actions = this.#actions;
    const brush = brushOf(event);
    const dest = square && square !== press.from ? { dest: square } : {};
    const shape = square ? { orig: press.from as Square, ...dest, brush } : null;
    if (JSON.stringify(shape) !== JSON.stringify(actions.drawing)) {
      actions.drawing = shape;
      actions.draw();
    }
  }

  #up(event: PointerEvent): void {
    if (!this.#isMine(event)) {
      return;
    }
    const { state, renderer } = this.#actions;
    const actions = this.#actions;
    const { square } = this.#locate(event, this.#press as Press);
    const shape = actions.drawing;
    const press = this.#end() as Press;
    const { from, kind } = press;
    if (kind === 'draw') {
      if (shape) {
        state.drawable.shapes = toggled(state.drawable.shapes, shape);
        state.events.shapesChange?.(state.drawable.shapes);
      }
      actions.draw();
    } else if (kind === 'click') {
      this.#click(press, square);
    } else if (!from) {
      if (square) {
        actions.put(square, press.code as Code, square);
      }
    } else if (!square && state.movable.free) {
      actions.remove(from, from);
    } else if (!square || square === from || !actions.tryMove(from, square, 'drag')) {
      renderer.settle(from, state, true);
      if (square !== from) {
        actions.cancelPremove();
        actions.select(null);
      }
    } else if (state.pieces.get(from) === press.code) {
      // A premove: the piece waits where it stands.
      renderer.settle(from, state, true);
    }
  }

  /** A press that ended where it began. */
  #click({ from, again }: Press, square: Square | null): void {
    const actions = this.#actions;
    const { state } = actions;
    if (!square || square !== from) {
      return;
    }
    if (!actions.places() && state.selected === square) {
      // Selected by the press itself.
      if (again) {
        actions.cancelPremove();
        actions.select(null);
      }
      return;
    }
    actions.activate(square, 'click');
  }

  /** Forgets the press and removes what shows it. */
  #end(): Press | null {
    const press = this.#press;
    this.#press = null;
    this.#actions.drawing = null;
    if (press) {
      press.over?.removeAttribute('data-over');
      press.node?.classList.remove('dragged');
      press.ghost?.parentNode?.removeChild(press.ghost);
      if (!press.from) {
        press.node?.remove();
      }
      const { grid } = this.#actions.dom;
      if (grid.hasPointerCapture(press.pointer)) {
        grid.releasePointerCapture(press.pointer);
      }
    }
    return press;
  }
}
