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
  /** Opening, middlegame and endgame, as far as the game has them. */
  phases: ReviewPhase[];
  /** The counts that ran. */
  counts: CountRun[];
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
  /** What it allowed and missed; `null` if it was no mistake. */
  lesson: Lesson | null;
}

/** The name of a piece. */
export type PieceName = 'bia' | 'met' | 'khon' | 'maa' | 'rua' | 'khun';

/** What a mistake did. */
export interface Lesson {
  /** What it allowed the other side, the gravest first. */
  allowed: LessonFact[];
  /** What the best move would have gained. */
  missed: LessonFact[];
  /** Plies of the other side's best line that show what was allowed. */
  shown: number;
  /** Plies of the mover's best line that show what was missed. */
  better: number;
  /** The mover's prospects before and after the move. */
  before: Prospects;
  after: Prospects;
  /** The themes of puzzles that practise it, such as `maa-fork`. */
  themes: string[];
}

/** The prospects of a side by its expected points: up to 15, 40, 60, 85 and 100 hundredths of a game. */
export type Prospects = 'lost' | 'worse' | 'equal' | 'better' | 'won';

/** What begins a count: the last bia is taken, or promotes; the last piece of a side is taken. */
export type CountCause = 'last-bia' | 'promotion' | 'last-piece' | 'other';

/** How a piece is won. */
export type LessonMeans =
  | { by: 'fork'; piece: PieceName; targets: PieceName[] }
  | { by: 'skewer' | 'pin' | 'discovered' | 'trapped' | 'unprotected' | 'outnumbered' }
  /** A less valuable piece takes it. */
  | { by: 'cheaper'; piece: PieceName };

/** A fact about a mistake. Pieces are lost and won by the side that made it; counts and mates are in plies. */
export type LessonFact =
  | { kind: 'mate'; moves: number; backRank: boolean }
  | { kind: 'material'; lost: PieceName[]; won: PieceName[]; means?: LessonMeans }
  | { kind: 'promotion' }
  /** The rules draw: `stalemate`, `repetition`, `pieces-honour` and so on. */
  | { kind: 'draw'; reason: string }
  /** A count begins that is too short for the win; with `count-allowed` the other side begins it. */
  | { kind: 'count-begins' | 'count-allowed'; cause: CountCause; left: number; needed: number | null }
  | { kind: 'race-lost'; left: number; needed: number | null }
  /** The best move would have begun a count that saves. */
  | { kind: 'count-missed'; cause: CountCause; left: number }
  /** The count would have saved, and the other side mates in time now. */
  | { kind: 'hold-lost'; left: number; needed: number }
  /** The value of a solved ending is given away. */
  | { kind: 'solved'; before: Prospects; after: Prospects };

/** A phase of a reviewed game. */
export interface ReviewPhase {
  kind: 'opening' | 'middlegame' | 'endgame';
  /** The index of its first move. */
  first: number;
  /** The mean accuracy of the moves of White and Black; `null` without a move. */
  accuracy: [number | null, number | null];
}

/** A count of a reviewed game, in plies. */
export interface CountRun {
  /** The index of the move that began it. */
  ply: number;
  /** Whether a move of the game began it. */
  began: boolean;
  honour: 'board' | 'pieces';
  /** The side that counts, where it belongs to one. */
  counter?: 'w' | 'b';
  /** What it left when it began; `null` without an end. */
  left: number | null;
  /** To mate then, where a solved ending knows it. */
  needed: number | null;
  end: 'mate' | 'drawn' | 'replaced' | 'stopped' | 'open';
  /** What was left at its end. */
  unused: number;
}

/** What a move or a game did about the count. */
export type CountFinding =
  /**
   * The move lost a win: it began a count that is too short, let the other side begin one, or gave the win within a
   * running count away.
   */
  | {
      kind: 'count-too-short' | 'race-lost' | 'count-allowed';
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
