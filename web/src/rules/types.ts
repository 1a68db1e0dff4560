// What crosses the border to WebAssembly, as JSON. The Rust side is web/wasm/src.

export type Side = 'w' | 'b';
export type Notation = 'san' | 'lan' | 'thai-san' | 'thai-lan' | 'schemingmind' | 'uci';
export type Dialect = 'plain' | 'pychess' | 'cutechess';

export interface RulesChoice {
  variant: string;
  ruleset: string;
  /** Parts that differ from the ruleset, such as `Repetition=none SutMet=on`. */
  parts: string;
}

export interface Outcome {
  winner: Side | null;
  reason: 'checkmate' | 'stalemate' | 'pieces' | 'board' | 'counter' | 'repetition' | 'dead' | 'fifty';
}

export interface Count {
  kind: 'board' | 'pieces' | 'fifty';
  counter: Side | null;
  attacker: Side;
  /** The number of moves spoken last. */
  number: number;
  /** The number of moves the count goes to; null if it has no end. */
  limit: number | null;
  movesLeft: number | null;
  ply: number;
  limitPly: number;
  second: number;
}

export interface CountChange {
  what: 'begins' | 'shortens' | 'lengthens' | 'ends';
  count: Count | null;
  /** Pieces on the board after the move. */
  pieces: number;
}

export interface LegalMove {
  uci: string;
  from: string;
  to: string;
  name: string;
  capture: boolean;
  promotion: boolean;
  twoPiece: boolean;
  count: CountChange | null;
  outcome: Outcome | null;
}

export interface Prospect {
  attacker: Side;
  limit: number;
  movesLeft: number;
}

export interface PositionView {
  fen: string;
  markedFen: string;
  armedFen: string;
  /** Letters of the pieces from a1, b1 to h8, `.` for empty squares. */
  board: string;
  promoted: string[];
  turn: Side;
  number: number;
  check: string | null;
  moves: LegalMove[];
  outcome: Outcome | null;
  count: Count | null;
  byHand: { start: boolean; stop: boolean; claim: boolean };
  prospects: Prospect[];
  occurrences: number;
  /** Pieces of White and Black: bia, met, khon, maa, rua. */
  material: [number[], number[]];
  bare: Side | null;
}

/** From White's side. */
export interface Evaluation {
  /** In hundredths of the unit that is printed. */
  cp?: number;
  /** Moves to mate; negative if Black mates. */
  mate?: number;
}

export interface TreeNode {
  id: number;
  parent: number;
  children: number[];
  name: string;
  uci: string;
  number: number;
  side: Side;
  before: string[];
  comments: string[];
  nags: number[];
  evaluation: Evaluation | null;
  count: ('start' | 'stop' | 'claim')[];
}

export interface Header {
  rules: RulesChoice;
  isDefault: boolean;
  startFen: string;
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  tags: [string, string][];
}

export interface LibraryEntry {
  white: string;
  black: string;
  event: string;
  date: string;
  result: string;
  plies: number;
  fault?: FaultData;
}

export interface FaultData {
  code: string;
  args: Record<string, string>;
  cause?: FaultData;
  /** In English. */
  text: string;
}

export interface SetupBoard {
  board: string;
  turn: Side;
  rights: string;
  limit: number;
  ply: number;
  number: number;
}

export interface Names {
  variants: string[];
  rulesets: string[];
  notations: string[];
  /** Of the levels, the weakest first. */
  ratings: number[];
}

export interface Exercise {
  id: string;
  theme: string;
  fen: string;
  goal: 'win' | 'draw';
  right: string[];
  plies: number;
  grade: number;
}

/** How to bring the engine to a position. */
export interface EngineLine {
  fen: string;
  words: string[];
}

export interface Go {
  nodes?: number;
  depth?: number;
  moveTime?: number;
  /** Milliseconds left to White and Black. */
  clock?: [number, number];
  increment?: [number, number];
  lines?: number;
  rating?: number;
  seed?: number;
  notation?: Notation;
}

/** A line found by the search, from White's side. */
export interface SearchLine {
  rank: number;
  depth: number;
  seldepth: number;
  score: Evaluation;
  chances: [number, number, number];
  nodes: number;
  time: number;
  moves: string[];
  names: string[];
}

export interface SearchDone {
  best: string | null;
  /** Whether the side to move stops its count before that move. */
  stopsCount: boolean;
  reply: string | null;
  chances: [number, number, number];
  /** Whether White and Black would agree to a draw. */
  takesDraw: [boolean, boolean];
  nodes: number;
  depth: number;
}

export interface Solved {
  result: 'win' | 'draw' | 'loss';
  plies?: number;
}

/** What the solved endings know of a position, for the side to move. */
export interface Facts {
  value: Solved | null;
  uncounted: Solved | null;
  left: number | null;
  /** Of all moves, or of those that lead to a solved ending. */
  moves: [string, Solved][];
  /** Plies to mate after moves that would win but for the count. */
  needs: Record<string, number>;
}

export interface GameReport {
  positions: {
    evaluation: Evaluation | null;
    chances: [number, number, number];
    best: string | null;
    line: string[];
    names: string[];
  }[];
  moves: { lost: number; glyph: number; race: boolean }[];
  sides: [SideSummary, SideSummary];
}

export interface SideSummary {
  side: Side;
  moves: number;
  doubtful: number;
  mistakes: number;
  blunders: number;
  /** Mean of the expected points lost, in hundredths of a game. */
  lost: number;
  accuracy: number;
  /** Numbers of the moves by which a race with the count was lost. */
  races: number[];
}
