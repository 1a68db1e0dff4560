import type { Score } from './info.js';
import type { Notation, RulesOptions } from './types.js';

/** A value by the solved endings, for the side to move, or for the side that makes a move. */
export interface Solved {
  result: 'win' | 'draw' | 'loss';
  /** Plies to mate, or in endgame tables to the capture or promotion that decides. */
  plies?: number;
}

/**
 * What the solved endings say about a position: two pieces (no bia) or fewer against a bare khun, and what
 * `setTables` adds.
 */
export interface Endings {
  /** With the count; `null` if the position is in no solved ending. */
  value: Solved | null;
  /** If no count cut it off. */
  withoutCount: Solved | null;
  /** Plies that the count leaves; a win may take one more. `null` if none is running. */
  pliesLeft: number | null;
  /** The values of moves in coordinates, the best one first: of all moves, or of those that lead to a solved ending. */
  moves: Record<string, Solved>;
  /** Plies to mate after moves that would win if nobody counted; the move itself is not included. */
  needs: Record<string, number>;
}

/** How to review a game. */
export interface ReviewOptions extends RulesOptions {
  /** Nodes for each position. */
  nodes: number;
  /** The notation of `names`: SAN if missing. */
  notation?: Notation;
  /** Ends the review: the promise is rejected with its reason. */
  signal?: AbortSignal;
  onProgress?: (progress: ReviewProgress) => void;
}

/** Positions that need no further search, and all positions of the game. */
export interface ReviewProgress {
  finished: number;
  total: number;
}

/** The review of a game. */
export interface Review {
  /** The start first: one more than moves. */
  positions: ReviewedPosition[];
  moves: ReviewedMove[];
  /** White's summary, then Black's. */
  sides: [ReviewSummary, ReviewSummary];
  /** The draw by the count that was not claimed in time. */
  late: CountFinding | null;
}

/** A position of a reviewed game, from White's side. */
export interface ReviewedPosition {
  /** `null` without a legal move. */
  score: Score | null;
  /** Chances to win, draw and lose in thousandths. */
  chances: [number, number, number];
  /** The best move in coordinates; `null` without one. */
  best: string | null;
  /** The line that begins with it, in coordinates. */
  line: string[];
  /** The line in the notation asked for. */
  names: string[];
}

/** A move of a reviewed game. */
export interface ReviewedMove {
  /** Expected points that it lost, in hundredths of a game. */
  lost: number;
  /** Numeric annotation glyph: 6, 2 or 4 for `?!`, `?` and `??`; 0 for none. */
  nag: 0 | 2 | 4 | 6;
  /** What it did about the count. */
  finding: CountFinding | null;
}

/** What a move or a game did about the count. */
export type CountFinding =
  /** The move lost a win: it began a count that is too short, or gave the win within a running count away. */
  | {
      kind: 'count-too-short' | 'race-lost';
      /** Plies that the count leaves after the move. */
      left: number;
      /** Plies to mate, where a solved ending knows them. */
      needed: number | null;
    }
  /** The game went on for `plies` after the count had drawn it. */
  | { kind: 'claimed-late'; plies: number };

/** The summary of one side. */
export interface ReviewSummary {
  /** Moves made. */
  moves: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** Mean of the expected points lost, in hundredths of a game. */
  lost: number;
  /** From 0 to 100; `null` without a move. */
  accuracy: number | null;
  /** Numbers of the moves that lost a win to the count. */
  lostToCount: number[];
}
