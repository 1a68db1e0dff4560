import type { SakmakError } from './errors.js';
import type { Color, Count, Move, Outcome, Result, Ruleset, Square, Variant } from './types.js';

/** The notations and sites that PGN is written for: `pychess` and `cutechess` name rules as those programs do. */
export type Dialect = 'plain' | 'pychess' | 'cutechess';
/** What the side to move does about its count. */
export type CountWord = 'start' | 'stop' | 'claim';

/** The rules of a record. `new Board(record.startFen, record.rules)` is a board under them. */
export interface RecordRules {
  variant: Variant;
  ruleset: Ruleset;
  /** Parts that differ from the ruleset. */
  parts: Record<string, string>;
}

/** An evaluation, from White's side: one of both fields. */
export interface Evaluation {
  /** In centipawns: with 100, half of the games are won at move 32. */
  cp?: number;
  /** Moves to mate; negative if Black mates. */
  mate?: number;
}

/** A position of a record and the move that led to it. */
export interface TreeNode {
  /** Its number in the record; 0 is the start position. */
  id: number;
  parent: number;
  /** The positions after the next moves; the first one is the main line. */
  children: number[];
  /** The move in the notation asked for; empty at the start. */
  san: string;
  /** The move in coordinates; empty at the start. */
  uci: string;
  moveNumber: number;
  /** The side that made the move. */
  color: Color;
  /** The comments before the move, if it begins a variation. */
  commentsBefore: string[];
  /** The comments after the move. */
  comments: string[];
  /** Numeric annotation glyphs: 1 for `!`, 2 for `?` and so on. */
  nags: number[];
  evaluation: Evaluation | null;
  /** What the side then to move does about its count. */
  count: CountWord[];
}

/** A running count, with the count that runs against the other side at the same time. */
export interface PositionCount extends Count {
  /** Plies left of a second count, against the other side; 0 if there is none. */
  secondPliesLeft: number;
}

/** The effect of a move on the count, other than one more counted move. */
export interface CountChange {
  what: 'begins' | 'shortens' | 'lengthens' | 'ends';
  /** The count after the move. */
  count: PositionCount | null;
  /** Pieces on the board after the move, khuns included. */
  pieces: number;
}

/** A legal move and its effects. */
export interface LegalMove extends Move {
  /** Its effect on the count; `null` if it only counts on. */
  count: CountChange | null;
  /** How it ends the game, or `null`. */
  outcome: Outcome | null;
}

/** The count that would begin if a side were bare now. */
export interface Prospect {
  /** The side that would have to mate. */
  attacker: Color;
  /** The limit of that count in moves. */
  limit: number;
  /** Moves the attacker would have left. */
  movesLeft: number;
}

/** The count against a bare khun in a position that was set up without one. */
export interface Beginning {
  /** The side that would have to mate. */
  attacker: Color;
  /** The limit of that count in moves. */
  limit: number;
  /** Pieces on the board, khuns included. */
  pieces: number;
  /** Moves the attacker has left once the count has begun. */
  movesLeft: number;
  /**
   * Whether the attacker's next move begins it. Otherwise the rules count nothing unless the position is set up with a
   * count; the numbers are those of a khun that was bared just now.
   */
  byNextMove: boolean;
}

/** A position of a record, with all that a page shows of it. */
export interface PositionView {
  /** In the form of Fairy-Stockfish. */
  fen: string;
  /** The same with promoted bia marked `M~`. */
  markedFen: string;
  /** In the form of Cute Chess: without a running count the counting field is 0. */
  armedFen: string;
  /** Letters of the pieces from a1, b1 to h8, `.` for empty squares. */
  board: string;
  /** The squares of promoted bia. */
  promoted: Square[];
  turn: Color;
  moveNumber: number;
  /** The square of the khun in check. */
  check: Square | null;
  /** The legal moves, also if the game is drawn. */
  moves: LegalMove[];
  outcome: Outcome | null;
  count: PositionCount | null;
  /** What the side to move may do about the count. */
  byHand: Record<CountWord, boolean>;
  /** The counts that would begin if a side were bare now, where that is near. */
  prospects: Prospect[];
  /** The count against a bare khun that does not run yet, or `null`. */
  beginning: Beginning | null;
  /** How often the position has occurred. */
  occurrences: number;
  /** Pieces of White and Black: bia, met, khon, maa, rua. */
  material: [number[], number[]];
  /** The side that has only its khun, if just one has. */
  bare: Color | null;
}

/** What a record has besides its moves. */
export interface RecordHeader {
  rules: RecordRules;
  startFen: string;
  /** Whether the record begins at the start position of its rules. */
  isDefaultStart: boolean;
  result: Result;
  /** The tags in the order of the file. */
  tags: Record<string, string>;
}

/** How to bring an engine to a position: `position fen FEN moves WORDS` in UCI. */
export interface EngineLine {
  /** The start position of the record. */
  fen: string;
  /** Moves in coordinates; `count-start`, `count-stop` and `count-claim` between them. */
  words: string[];
}

/** A game in the list of a library. */
export interface LibraryEntry {
  /** The tag White; empty if there is none. So are the next three. */
  white: string;
  black: string;
  event: string;
  date: string;
  result: Result;
  plies: number;
  /** Why the game cannot be read. */
  error?: SakmakError;
}

/** A board set up by hand, legal or not. */
export interface SetupBoard {
  /** Letters of the pieces from a1, b1 to h8, `.` for empty squares, `O` and `o` for promoted bia. */
  board: string;
  /** The side to move; White if left out. */
  turn?: Color;
  /** The files of pieces that may still make their first moves, upper case for White; none if left out. */
  rights?: string;
  /** The limit of the count in plies; 0 for none. */
  plyLimit?: number;
  /** Plies counted. */
  ply?: number;
  /** The number of moves spoken last, in place of `ply`. */
  number?: number;
  /** Whether the count is the one that the rules begin in this position, in place of `plyLimit` and `ply`. */
  byRules?: boolean;
  /** The move number; 1 if left out. */
  moveNumber?: number;
}

/** A position to practise. */
export interface Exercise {
  /** The theme or the attacker's pieces, and a number. */
  id: string;
  /** The part of `id` before the point. */
  theme: string;
  fen: string;
  /** The best result of the side to move. */
  goal: 'win' | 'draw';
  /** The first moves that reach the goal, in coordinates; empty if the exercise is to be played out. */
  right: string[];
  /** Plies to mate, or those that the count leaves the attacker. */
  plies: number;
  /** Difficulty from 1 to 5, by length. */
  grade: number;
}

/** A question about a count that has just begun, with five choices for each answer. */
export interface CountQuestion {
  /** The bare khun is to move. */
  fen: string;
  /** The line of the usual table of limits that fits the attacker: two rua, rua, two khon, two maa, khon, none. */
  line: number;
  /** Pieces on the board, the limit, the number that the khun speaks first, and the moves that the attacker has. */
  answers: [number, number, number, number];
  /** For each answer it and four plausible others, the smallest first. */
  choices: [number[], number[], number[], number[]];
}
