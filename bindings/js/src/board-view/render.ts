// Brings the page to the state: only squares, pieces and shapes that differ are touched.
import { attribute, type Dom } from './dom.js';
import { follow, type Man } from './follow.js';
import { place, squareAt, toPiece } from './geometry.js';
import { drawPiece, pieceNode } from './pieces.js';
import { Shapes } from './shapes.js';
import { checkedSquare, destsOf, mayMove, mayPick, type State } from './state.js';
import type { PieceSet, Shape, Side, Square, SquareFacts } from './types.js';

const NAMES = { latin: ['abcdefgh', '12345678'], thai: ['กขคงจฉชญ', '๑๒๓๔๕๖๗๘'] } as const;
const WORDS = { k: 'khun', m: 'met', s: 'khon', n: 'maa', r: 'rua', p: 'bia', o: 'promoted bia' } as const;

interface Drawn extends Man {
  node: HTMLElement;
  glide: Animation | null;
}

function englishLabel(square: Square, { piece, dest, selected }: SquareFacts): string {
  const figure = piece?.promoted ? 'o' : piece?.type;
  const what = figure ? `${piece?.color === 'w' ? 'white' : 'black'} ${WORDS[figure]}` : 'empty';
  const target = { quiet: ', can be reached', capture: ', can be captured', bad: ', can be reached, a mistake' };
  return `${square}, ${what}${dest ? target[dest] : ''}${selected ? ', selected' : ''}`;
}

export class Renderer {
  readonly #dom: Dom;
  readonly #shapes = new Shapes();
  #men = new Map<Square, Drawn>();
  #leaving = new Set<HTMLElement>();
  #orientation: Side | null = null;
  #set: PieceSet | null = null;
  readonly #dark: MediaQueryList;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(dom: Dom, dark: MediaQueryList) {
    this.#dom = dom;
    this.#dark = dark;
  }

  /** Draws all that differs. The piece on `placed` does not glide: the user brought it there. */
  render(state: State, current: Shape | null = null, placed: Square | null = null): void {
    this.#renderFrame(state);
    this.#renderPieces(state, placed);
    this.#renderCells(state);
    this.#shapes.render(this.#dom, state, current);
    if (this.#orientation !== state.orientation && this.#dom.grid.contains(document.activeElement)) {
      // The focus stays on its square.
      this.#dom.cells.find((cell) => cell.dataset.square === state.focused)?.focus();
    }
    this.#orientation = state.orientation;
    this.#set = state.pieceSet;
  }

  /** The node of the piece on a square. */
  nodeOn(square: Square): HTMLElement | undefined {
    return this.#men.get(square)?.node;
  }

  /** Puts a dragged piece back to its square, or where it has just been dropped. */
  settle(square: Square, state: State, glide: boolean): void {
    const man = this.#men.get(square);
    if (man) {
      const from = man.node.style.transform;
      man.node.style.transform = at(square, state.orientation);
      this.#glide(man, glide ? from : '', state);
    }
  }

  /** Ends what moves. */
  stop(): void {
    for (const { glide } of this.#men.values()) {
      glide?.cancel();
    }
    for (const node of this.#leaving) {
      node.remove();
    }
  }

  #renderFrame(state: State): void {
    const { root, names, grid } = this.#dom;
    const dark = state.scheme === 'auto' ? this.#dark.matches : state.scheme === 'dark';
    attribute(root, 'data-theme', state.theme);
    attribute(root, 'data-scheme', dark ? 'dark' : 'light');
    attribute(root, 'data-pieces', state.pieceSet.name);
    attribute(root, 'data-coordinates', state.coordinates);
    attribute(root, 'data-orientation', state.orientation);
    attribute(grid, 'aria-label', state.labels.board ?? 'Board');
    const [files, ranks] = NAMES[state.coordinateNames];
    const white = state.orientation === 'white';
    for (const [index, name] of names.entries()) {
      const text = index < 8 ? files[white ? index : 7 - index] : ranks[white ? 15 - index : index - 8];
      if (name.textContent !== text) {
        name.textContent = text ?? '';
      }
    }
  }

  #renderPieces(state: State, placed: Square | null): void {
    const flipped = this.#orientation !== state.orientation;
    const now = follow(this.#men, state.pieces, state.lastMove);
    const kept = new Set(now.values());
    for (const man of this.#men.values()) {
      if (!kept.has(man)) {
        this.#remove(man, state, flipped || placed !== null);
      }
    }
    const men = new Map<Square, Drawn>();
    for (const [square, found] of now) {
      const code = state.pieces.get(square) as string;
      const man = found ?? { square, code, node: pieceNode(code, state.pieceSet), glide: null };
      if (!found) {
        man.node.style.transform = at(square, state.orientation);
        this.#dom.pieces.append(man.node);
      } else if (man.code !== code || this.#set !== state.pieceSet) {
        drawPiece(man.node, code, state.pieceSet);
      }
      if (found && (flipped || man.square !== square)) {
        const from = man.node.style.transform;
        man.node.style.transform = at(square, state.orientation);
        this.#glide(man, flipped || square === placed ? '' : from, state);
      }
      man.square = square;
      man.code = code;
      men.set(square, man);
    }
    this.#men = men;
  }

  #duration({ animation }: State): number {
    return animation.enabled && !this.#still.matches ? animation.duration : 0;
  }

  /** Lets a piece glide from a transform to that which it has; from '' it is there at once. */
  #glide(man: Drawn, from: string, state: State): void {
    man.glide?.cancel();
    man.glide = null;
    const duration = this.#duration(state);
    if (from !== '' && duration > 0) {
      const { node } = man;
      man.glide = node.animate({ transform: [from, node.style.transform] }, { duration, easing: 'ease-out' });
      node.classList.add('gliding');
      man.glide.onfinish = () => {
        node.classList.remove('gliding');
      };
      man.glide.oncancel = man.glide.onfinish;
    }
  }

  #remove({ node, glide }: Drawn, state: State, atOnce: boolean): void {
    glide?.cancel();
    const duration = atOnce ? 0 : this.#duration(state);
    if (duration === 0) {
      node.remove();
      return;
    }
    node.className += ' leaving';
    this.#leaving.add(node);
    const fade = node.animate({ opacity: [1, 0] }, { duration, fill: 'forwards' });
    fade.onfinish = () => {
      this.#leaving.delete(node);
      node.remove();
    };
  }

  #renderCells(state: State): void {
    const { selected, movable, premovable, pieces } = state;
    const check = state.highlight.check ? checkedSquare(state) : null;
    const last = new Set(state.highlight.lastMove ? state.lastMove : []);
    const dests = new Set(selected ? destsOf(state, selected) : []);
    const bad = new Set(selected ? (movable.bad.get(selected) ?? []) : []);
    const moves = selected !== null && mayMove(state, selected);
    const shown = movable.free ? false : moves ? movable.showDests : premovable.showDests;
    const tints = new Map(state.marks.filter(({ glyph }) => !glyph).map(({ square, kind }) => [square, kind]));
    for (const [index, cell] of this.#dom.cells.entries()) {
      const [x, y] = [index % 8, index >> 3];
      const square = squareAt(x, y, state.orientation) as Square;
      const code = pieces.get(square);
      const reached = dests.has(square) && !movable.free;
      const dest = !reached ? null : bad.has(square) ? 'bad' : code !== undefined ? 'capture' : 'quiet';
      const tint = tints.get(square);
      const names = ['sb-square'];
      const add = (is: unknown, name: string) => is && names.push(name);
      add((x + y) % 2 === 1, 'dark');
      add(mayPick(state, square), 'pick');
      add(movable.free && movable.place, 'put');
      add(last.has(square), 'last');
      add(square === check, 'check');
      add(square === selected, 'selected');
      add(state.premove?.includes(square), 'premove');
      add(dest && shown, 'dest');
      add(dest && shown && code !== undefined, 'capture');
      add(dest === 'bad' && shown, 'bad');
      add(dest && shown && !moves, 'later');
      add(tint, 'marked');
      const tinted = tint ? `var(--sb-mark-${tint})` : '';
      if (cell.style.getPropertyValue('--sb-mark') !== tinted) {
        cell.style.setProperty('--sb-mark', tinted);
      }
      attribute(cell, 'class', names.join(' '));
      attribute(cell, 'data-square', square);
      attribute(cell, 'tabindex', square === state.focused ? '0' : '-1');
      attribute(cell, 'aria-selected', String(square === selected));
      const facts = { piece: code ? toPiece(code) : null, dest, selected: square === selected } as const;
      attribute(cell, 'aria-label', (state.labels.square ?? englishLabel)(square, facts));
    }
  }
}

/** The transform of a piece on a square; a piece is as large as a square. */
export function at(square: Square, orientation: Side): string {
  const { x, y } = place(square, orientation);
  return `translate(${x * 100}%, ${y * 100}%)`;
}
