// The configuration and the events of the board.
import type { Piece, PieceType, Square } from '../types.js';

export type { Piece, PieceType, Square };

/** A side, as the configuration names it. */
export type Side = 'white' | 'black';

/** The squares that the piece on a square may go to. */
export type Dests = ReadonlyMap<string, readonly string[]>;

/** How a move was made. */
export type Means = 'click' | 'drag' | 'keyboard' | 'premove';

/** An arrow from `orig` to `dest`, or a circle around `orig`. */
export interface Shape {
  orig: string;
  dest?: string;
  /**
   * The colour and width: `green` if left out, `red`, `blue`, `yellow`, or `best`, `other`, `hint`, `better`. Another
   * name needs the CSS property `--sb-brush-NAME`.
   */
  brush?: string;
}

/** A mark on a square. */
export interface Mark {
  square: string;
  /** `hint`, `good`, `bad`, or another name with the CSS property `--sb-mark-NAME`. */
  kind: string;
  /** A badge in the corner, such as `!?`. Without it the square is tinted. */
  glyph?: string;
}

/** What a label for screen readers is made of. */
export interface SquareFacts {
  /** The piece on the square; `null` if it is empty. */
  piece: Piece | null;
  /** Whether the selected piece may go there: to an empty square, by a capture, or by a move of `movable.bad`. */
  dest: 'quiet' | 'capture' | 'bad' | null;
  selected: boolean;
}

/** One part of a drawn piece, on a square of 100 by 100 units. */
export interface Part {
  /**
   * `body`, `shade`, `light` and `hollow` are filled, `line` and `rim` are strokes, `text` is a letter: their colours
   * are the CSS properties `--sb-white-…` and `--sb-black-…`. `ground` is the shadow on the board.
   */
  as: 'ground' | 'body' | 'shade' | 'light' | 'hollow' | 'line' | 'rim' | 'text';
  /** The path, as the attribute `d` of SVG. */
  d?: string;
  /** The letter of a `text`, centred on the square. */
  text?: string;
}

/** The kinds of pieces that look different: `o` is the promoted bia. */
export type Figure = PieceType | 'o';

/** Drawings of all pieces. */
export interface PieceSet {
  /** Becomes the attribute `data-pieces` of the board. */
  name: string;
  parts: Readonly<Record<Figure, readonly Part[]>>;
}

/** What the board reports. */
export interface BoardEvents {
  /** The user made a move. The board shows it already; `set` with another position takes it back. */
  move?: (from: Square, to: Square, how: { captured: Piece | null; by: Means }) => void;
  /** The user set a premove, or cancelled it. */
  premove?: (premove: readonly [Square, Square] | null) => void;
  /** The user selected a square, or nothing. A move ends the selection without this event. */
  select?: (square: Square | null) => void;
  /** The user drew or removed a shape; the list is all that he drew. */
  shapesChange?: (shapes: readonly Shape[]) => void;
  /** Set-up: a new piece was put on a square. */
  dropNewPiece?: (piece: Piece, square: Square) => void;
  /** Set-up: the piece on a square was removed. */
  dropOff?: (square: Square) => void;
}

/** The configuration. What `set` leaves out stays as it is; maps and lists are replaced as a whole. */
export interface BoardConfig {
  /** A FEN; the board part is enough. `M~` is a promoted bia. A second field sets `turnColor`. */
  fen?: string;
  /** The pieces by square, in place of `fen`: `board.pieces()` of `sakmak/rules`. */
  pieces?: ReadonlyMap<string, Piece>;
  /** The side at the bottom. */
  orientation?: Side;
  turnColor?: Side;
  /** The khun in check: its square, its side, or `true` for the side to move. */
  check?: string | boolean | null;
  /** The squares of the last move. */
  lastMove?: readonly string[] | null;
  selected?: string | null;
  /** A board to look at: pieces can be neither selected nor moved, nothing can be drawn. */
  viewOnly?: boolean;
  /** Names of files and ranks: in the free corners of the squares, or on the frame. */
  coordinates?: 'none' | 'inside' | 'outside';
  coordinateNames?: 'latin' | 'thai';
  /** `wood`, `plain`, `chequered`, or a name for your own CSS (`data-theme`). */
  theme?: string;
  /** Light or dark surroundings; `auto` follows the system. */
  scheme?: 'auto' | 'light' | 'dark';
  pieceSet?: PieceSet;
  /** Pieces glide for `duration` milliseconds; 0 for none. None either where the system asks for reduced motion. */
  animation?: { enabled?: boolean; duration?: number };
  movable?: {
    /** The side whose pieces the user moves; `null` for none. */
    color?: Side | 'both' | null;
    dests?: Dests;
    /** Those of `dests` that are drawn as a warning. */
    bad?: Dests;
    showDests?: boolean;
    /** Set-up: every piece may go everywhere and off the board. */
    free?: boolean;
    /** Set-up: what a click or Enter puts on a square. With `null` they move the pieces. */
    place?: Piece | 'erase' | null;
  };
  premovable?: {
    enabled?: boolean;
    /** Left out or `null`: wherever the piece could go on some board. */
    dests?: Dests | null;
    showDests?: boolean;
  };
  draggable?: {
    enabled?: boolean;
    /** Pixels after which a press is a drag. */
    distance?: number;
    /** A pale piece stays on the square where the drag began. */
    showGhost?: boolean;
  };
  drawable?: {
    /** Whether the right button draws arrows and circles; with Shift or Ctrl red, with Alt blue, with both yellow. */
    enabled?: boolean;
    visible?: boolean;
    /** Whether a click removes what the user drew. */
    eraseOnClick?: boolean;
    /** Those that the user draws. */
    shapes?: readonly Shape[];
    /** Those of the program, which the user does not change. */
    autoShapes?: readonly Shape[];
  };
  highlight?: { lastMove?: boolean; check?: boolean };
  marks?: readonly Mark[];
  /** Texts for screen readers; English if left out. */
  labels?: { board?: string; square?: (square: Square, facts: SquareFacts) => string };
  events?: BoardEvents;
}

/** What the board shows now. */
export interface BoardState {
  /** The board part of the FEN, with promoted bia as `M~`. */
  fen: string;
  pieces: Map<Square, Piece>;
  orientation: Side;
  turnColor: Side;
  selected: Square | null;
  premove: readonly [Square, Square] | null;
  shapes: readonly Shape[];
  /** Whether the user drags a piece. */
  dragging: boolean;
}

/** A board on the page. */
export interface SakmakBoard {
  /** Changes what the configuration names; only what looks different is redrawn. */
  set(config: BoardConfig): void;
  readonly state: BoardState;
  /** Plays the premove if `movable.dests` has it now, else drops it. Returns whether it was played. */
  playPremove(): boolean;
  cancelPremove(): void;
  /** Ends a drag and a selection without a move. */
  cancelMove(): void;
  /** Set-up: begins to drag a new piece, in a `pointerdown` of your palette (with `touch-action: none`). */
  dragNewPiece(piece: Piece, event: PointerEvent): void;
  /** Removes the board and all its listeners. */
  destroy(): void;
}
