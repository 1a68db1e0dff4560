// The types of the rules, which the package has, and what crosses to the worker of the engine as JSON.
import type { Color, Evaluation, Notation } from 'sakmak/study';

export type {
  Dialect,
  EngineLine,
  Evaluation,
  Exercise,
  LegalMove,
  LibraryEntry,
  Notation,
  PositionCount as Count,
  PositionView,
  Prospect,
  SetupBoard,
  TreeNode,
} from 'sakmak/study';

export type Side = Color;

/** The rules as the page stores them. */
export interface RulesChoice {
  variant: string;
  ruleset: string;
  /** Parts that differ from the ruleset, such as `Repetition=none SutMet=on`. */
  parts: string;
}

/** What is wrong with input: an error of the package, or of the worker of the engine. */
export interface FaultData {
  code: string;
  args: Readonly<Record<string, string>>;
  cause?: FaultData;
  /** In English. */
  text: string;
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
  /** Plays as this opponent of the engine. */
  opponent?: string;
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
  /** Lessons, phases and counts as `state/lessons.ts` reads them; missing in reports of earlier versions. */
  teaching?: unknown;
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
