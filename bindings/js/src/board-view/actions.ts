// What the user does, however he does it: by pointer or keyboard.
import type { Dom } from './dom.js';
import { type Code, squareAt, toPiece } from './geometry.js';
import { Renderer } from './render.js';
import { destsOf, mayMove, mayPick, movePiece, putPiece, type State } from './state.js';
import type { Means, Shape, Square } from './types.js';

export class Actions {
  readonly renderer: Renderer;
  /** The shape that is being drawn. */
  drawing: Shape | null = null;

  constructor(
    readonly state: State,
    readonly dom: Dom,
    dark: MediaQueryList,
  ) {
    this.renderer = new Renderer(dom, dark);
  }

  draw(placed: Square | null = null): void {
    this.renderer.render(this.state, this.drawing, placed);
  }

  select(square: Square | null): void {
    if (this.state.selected !== square) {
      this.state.selected = square;
      this.draw();
      this.state.events.select?.(square);
    }
  }

  /** Moves or premoves; false if the piece may not go there. */
  tryMove(from: Square, to: Square, by: Means): boolean {
    const { state } = this;
    if (!destsOf(state, from).includes(to)) {
      return false;
    }
    if (mayMove(state, from)) {
      const captured = movePiece(state, from, to);
      this.draw(by === 'drag' ? to : null);
      state.events.move?.(from, to, { captured: captured === null ? null : toPiece(captured), by });
    } else {
      state.premove = [from, to];
      state.selected = null;
      this.draw();
      state.events.premove?.(state.premove);
    }
    return true;
  }

  cancelPremove(): void {
    const { state } = this;
    if (state.premove) {
      state.premove = null;
      this.draw();
      state.events.premove?.(null);
    }
  }

  playPremove(): boolean {
    const { state } = this;
    const premove = state.premove;
    if (!premove) {
      return false;
    }
    state.premove = null;
    const [from, to] = premove;
    if (mayMove(state, from) && this.tryMove(from, to, 'premove')) {
      return true;
    }
    this.draw();
    state.events.premove?.(null);
    return false;
  }

  /** Whether a click on a square puts or removes a piece. */
  places(): boolean {
    const { movable, viewOnly } = this.state;
    return !viewOnly && movable.free && movable.place !== null;
  }

  put(square: Square, code: Code, placed: Square | null = null): void {
    putPiece(this.state, square, code);
    this.draw(placed);
    this.state.events.dropNewPiece?.(toPiece(code), square);
  }

  remove(square: Square, placed: Square | null = null): void {
    if (this.state.pieces.has(square)) {
      putPiece(this.state, square, null);
      this.draw(placed);
      this.state.events.dropOff?.(square);
    }
  }

  /** A click or Enter on a square: sets up, moves, selects, or does neither and clears the selection. */
  activate(square: Square, by: Means): void {
    const { state } = this;
    const { selected } = state;
    const { place } = state.movable;
    if (this.places()) {
      if (place === 'erase' || place === state.pieces.get(square)) {
        this.remove(square);
      } else {
        this.put(square, place as Code);
      }
      return;
    }
    const picks = mayPick(state, square);
    // In set-up a click on another piece selects that one: it is captured by a drag.
    if (selected && selected !== square && !(state.movable.free && picks) && this.tryMove(selected, square, by)) {
      return;
    }
    this.cancelPremove();
    this.select(picks && square !== selected ? square : null);
  }

  /** Gives the focus of the keyboard to a square. */
  focus(square: Square, really: boolean): void {
    this.state.focused = square;
    for (const [index, cell] of this.dom.cells.entries()) {
      const here = squareAt(index % 8, index >> 3, this.state.orientation) === square;
      if (here !== (cell.tabIndex === 0)) {
        cell.tabIndex = here ? 0 : -1;
      }
      if (here && really) {
        cell.focus();
      }
    }
  }
}
