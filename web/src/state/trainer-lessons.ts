// The lessons of the hunt, and the positions of each: found by seeds, so that they are the same on every visit.
import { closeCount, randomEnding } from 'sakmak/study';
import { factsOf, type TableEngine } from './trainer-race';

export interface Lesson {
  /** The attacker's pieces. */
  pieces: string;
  /** The shortest mate of its positions, in plies. */
  least: number;
}

/** From the easiest technique to the hardest. Two maa mate by force from next to no position. */
export const LESSONS: readonly Lesson[] = [
  { pieces: 'RR', least: 5 },
  { pieces: 'R', least: 15 },
  { pieces: 'RN', least: 15 },
  { pieces: 'SS', least: 21 },
  { pieces: 'NS', least: 31 },
  { pieces: 'SM', least: 41 },
  { pieces: 'NM', least: 31 },
];

/** The positions of a lesson: the film, two hunts and an escape. */
export const FILM = 0;
export const ESCAPE = 3;
export const PLAYED = [1, 2, ESCAPE] as const;

const MOST_TRIES = 400;

/** A position of a lesson; null if the engine knows none. In an escape the count is just too short for the mate. */
export async function lessonPosition(engine: TableEngine, lesson: Lesson, at: number): Promise<string | null> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const seed = at * MOST_TRIES + tries;
    const fen = randomEnding(lesson.pieces, seed, { attackerMoves: true });
    const facts = fen && (await factsOf(engine, fen));
    if (!fen || !facts) {
      return null;
    }
    const plies = facts.uncounted?.result === 'win' ? (facts.uncounted.plies ?? 0) : 0;
    if (plies < lesson.least) {
      continue;
    }
    if (at !== ESCAPE) {
      if (facts.value?.result === 'win') {
        return fen;
      }
      continue;
    }
    const close = closeCount(fen, plies, false, seed);
    if (close && (await factsOf(engine, close))?.value?.result === 'draw') {
      return close;
    }
  }
  return null;
}
