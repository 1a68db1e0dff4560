// A hunt or an escape played out against the solved endings, with stars for the plies that it loses.
import type { EngineClient } from '../engine/client';
import type { Facts, Side } from '../rules/types';
import { EXERCISE_RULES } from './learn';
import { Session } from './session';
import { Store } from './store';
import { starsFor, type TrainerProgress } from './trainer-progress';

/** The other side takes so many milliseconds, so that its moves can be followed. */
const LEAST_MS = 350;

export type HuntState =
  | 'toMove'
  | 'thinking'
  /** The mate was in time, or the count has run out. */
  | 'reached'
  /** A move threw it away. */
  | 'failed'
  /** The engine gave no answer. */
  | 'stuck';

export class HuntStore extends Store {
  session: Session | null = null;
  side: Side = 'w';
  state: HuntState = 'toMove';
  /** Plies lost so far, against the shortest mate or the longest resistance. */
  lost = 0;
  /** Of the reached goal. */
  stars = 0;
  private fen = '';
  private key: string | null = null;
  /** Distinguishes the attempts: a late answer of the engine is not played in the next. */
  private attempt = 0;

  constructor(
    private readonly engine: Pick<EngineClient, 'facts' | 'tableMove'>,
    private readonly progress: TrainerProgress,
    private readonly random: () => number,
  ) {
    super();
  }

  /** The side plays from a FEN. `key` is the name under which its stars are kept. */
  start(fen: string, side: Side, key: string | null = null): void {
    this.attempt += 1;
    this.session = Session.start(EXERCISE_RULES, fen);
    this.fen = fen;
    this.side = side;
    this.key = key;
    this.lost = 0;
    this.stars = 0;
    this.state = 'toMove';
    if (this.session.view.turn !== side) {
      void this.reply();
    }
    this.changed();
  }

  close(): void {
    this.attempt += 1;
    this.session = null;
    this.changed();
  }

  retry(): void {
    if (this.session) {
      this.start(this.fen, this.side, this.key);
    }
  }

  /** Whether the bare khun is played. */
  get isEscape(): boolean {
    return this.session?.view.bare === this.side;
  }

  get mayMove(): boolean {
    return this.state === 'toMove' && this.session?.view.turn === this.side && this.session.isAtEnd;
  }

  async play(uci: string): Promise<void> {
    const { session, attempt } = this;
    if (!session || !this.mayMove) {
      return;
    }
    this.state = 'thinking';
    const before = await this.factsHere();
    if (attempt !== this.attempt) {
      return;
    }
    // The board may show an earlier position by now.
    session.step(1_000_000);
    session.play(uci);
    if (this.ended()) {
      return;
    }
    this.changed();
    const after = await this.factsHere();
    if (attempt !== this.attempt) {
      return;
    }
    const judged = this.judge(before, after);
    if (judged) {
      this.end(judged);
    } else {
      await this.reply();
    }
  }

  /** Adds the plies that a move has lost. The state that it leads to, if it decides. */
  private judge(before: Facts | null, after: Facts | null): HuntState | null {
    if (!before?.uncounted || !after?.uncounted || !after.value) {
      return 'stuck';
    }
    if (after.uncounted.result === 'draw') {
      // A piece of the attacker was lost.
      return this.isEscape ? 'reached' : 'failed';
    }
    const shorter = (before.uncounted.plies ?? 0) - 1 - (after.uncounted.plies ?? 0);
    this.lost += Math.max(0, this.isEscape ? shorter : -shorter);
    const isThrown = this.isEscape ? after.value.result === 'win' : after.value.result !== 'loss';
    return isThrown ? 'failed' : null;
  }

  /** The other side's move: the shortest mate even where the count stops it, or the longest resistance. */
  private async reply(): Promise<void> {
    const { session, attempt } = this;
    if (!session) {
      return;
    }
    this.state = 'thinking';
    this.changed();
    const started = performance.now();
    const facts = await this.factsHere();
    const [first] = Object.entries(facts?.needs ?? {}).sort(([, a], [, b]) => a - b);
    const isLate = this.isEscape && facts?.value?.result === 'draw' && first !== undefined;
    const move = isLate ? first[0] : await this.engine.tableMove(this.question(session), this.random());
    const wait = Math.max(0, LEAST_MS - (performance.now() - started));
    window.setTimeout(() => {
      if (attempt !== this.attempt) {
        return;
      }
      session.step(1_000_000);
      if (!move) {
        this.end('stuck');
        return;
      }
      session.play(move);
      if (!this.ended()) {
        this.state = 'toMove';
        this.changed();
      }
    }, wait);
  }

  private ended(): boolean {
    const outcome = this.session?.view.outcome;
    if (!outcome) {
      return false;
    }
    const isReached = outcome.winner === this.side || (outcome.winner === null && this.isEscape);
    this.end(isReached ? 'reached' : 'failed');
    return true;
  }

  private end(state: HuntState): void {
    this.state = state;
    if (state === 'reached') {
      this.stars = starsFor(this.lost);
      this.progress.note('hunt');
      if (this.key) {
        this.progress.noteStars(this.key, this.stars);
      }
    }
    this.changed();
  }

  private question(session: Session) {
    return { rules: EXERCISE_RULES, line: session.record.engineLine(session.node) };
  }

  private async factsHere(): Promise<Facts | null> {
    return this.session && this.engine.facts(this.question(this.session));
  }

  /** The board shows another position of the attempt. */
  redraw(): void {
    this.changed();
  }
}
