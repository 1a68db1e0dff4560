// How long an opponent seems to think: like a person, longer where there is more to choose. The engine does not know.

/** Milliseconds: of every move, for each legal move, at most. */
const LEAST_MS = 400;
const MS_PER_MOVE = 45;
const MOST_MS = 2_500;
/** Moves that are made by heart. */
const OPENING_PLIES = 8;
/** Share of the clock that a move may take at most. */
const CLOCK_SHARE = 0.02;

export interface Pondered {
  /** Legal moves of the opponent. */
  moves: number;
  /** Plies made before. */
  ply: number;
  /** Whether it may take back what has just been moved or has just captured. */
  mayRetake: boolean;
  /** Milliseconds left; null without a clock. */
  left: number | null;
}

/** A number from 0 to 1 for a seed and a ply: always the same. */
function share(seed: number, ply: number): number {
  let mixed = Math.imul(seed ^ Math.imul(ply + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0xffffffff;
}

/** Milliseconds that the opponent takes for a move. */
export function paceMs({ moves, ply, mayRetake, left }: Pondered, seed: number): number {
  const thought = moves <= 1 || mayRetake || ply < OPENING_PLIES ? 0.4 : 1;
  const wanted = (LEAST_MS + MS_PER_MOVE * moves * thought) * (0.5 + share(seed, ply));
  const most = left === null ? MOST_MS : Math.min(MOST_MS, left * CLOCK_SHARE);
  return Math.round(Math.min(most, wanted));
}
