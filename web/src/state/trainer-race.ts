// Is there time? A mate that the solved endings know, and a count that is just long enough for it or just too short.
import { closeCount, randomEnding } from 'sakmak/study';
import type { Asker, EngineQueue } from '../engine/queue';
import type { Facts } from '../rules/types';
import { EXERCISE_RULES } from './playout';
import { Session } from './session';
import { Store } from './store';
import type { TrainerProgress } from './trainer-progress';

/** The attackers' pieces. All mates of two pieces that can be forced from most positions. */
const PIECES = ['RR', 'R', 'RS', 'RN', 'RM', 'SS', 'NS', 'SM'];
/** A mate in one is no question. */
const LEAST_PLIES = 5;
const MOST_TRIES = 60;

export type RaceState = 'finding' | 'asked' | 'answered' | 'stuck';

export type TableEngine = Pick<Asker, 'facts'>;

/** What the solved endings know of a FEN. */
export function factsOf(engine: TableEngine, fen: string): Promise<Facts | null> {
  return engine.facts({ rules: EXERCISE_RULES, line: { fen, words: [] } });
}

export class RaceStore extends Store {
  session: Session | null = null;
  state: RaceState = 'finding';
  /** Whether the mate is in time, and the answer; null before it. */
  private fits = false;
  chosen: boolean | null = null;
  /** Moves to mate. */
  moves = 0;
  streak = 0;
  private readonly asker: Asker;

  constructor(
    queue: EngineQueue,
    private readonly progress: TrainerProgress,
    private readonly random: () => number,
  ) {
    super();
    this.asker = queue.asker();
  }

  get isRight(): boolean {
    return this.chosen === this.fits;
  }

  /** Whether the attacker wins, once that was asked. */
  get isWon(): boolean {
    return this.fits;
  }

  /** Looks for the next position. Half of them are in time. */
  async next(): Promise<void> {
    this.asker.giveUp();
    this.state = 'finding';
    this.chosen = null;
    this.session = null;
    this.changed();
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = await this.find(this.random());
      if (found) {
        this.session = Session.start(EXERCISE_RULES, found.fen);
        this.fits = found.fits;
        this.moves = found.moves;
        this.state = 'asked';
        this.changed();
        return;
      }
    }
    this.state = 'stuck';
    this.changed();
  }

  /** The position of a seed, if the solved endings confirm that it is what it should be. */
  private async find(seed: number): Promise<{ fen: string; fits: boolean; moves: number } | null> {
    const wanted = seed % 2 === 0;
    const pieces = PIECES[Math.floor(seed / 2) % PIECES.length] ?? 'R';
    const fen = randomEnding(pieces, seed, { attackerMoves: true });
    const plies = (fen && (await factsOf(this.asker, fen))?.uncounted?.plies) || 0;
    if (!fen || plies < LEAST_PLIES) {
      return null;
    }
    const close = closeCount(fen, plies, wanted, seed);
    const facts = close ? await factsOf(this.asker, close) : null;
    if (!close || !facts?.value || (facts.value.result === 'win') !== wanted) {
      return null;
    }
    return { fen: close, fits: wanted, moves: Math.ceil(plies / 2) };
  }

  answer(isTime: boolean): void {
    if (this.state !== 'asked') {
      return;
    }
    this.chosen = isTime;
    this.state = 'answered';
    this.streak = this.isRight ? this.streak + 1 : 0;
    this.progress.note('time', { streak: this.streak });
    this.changed();
  }

  /** The view is left. */
  stop(): void {
    this.asker.giveUp();
  }
}
