// A hunt or an escape played out against the solved endings, with stars for the plies that it loses.
import type { Question } from '../engine/client';
import type { EngineQueue } from '../engine/queue';
import type { Facts, Side } from '../rules/types';
import { PlayOut } from './playout';
import { starsFor, type TrainerProgress } from './trainer-progress';

type End =
  /** The mate was in time, or the count has run out. */
  | 'reached'
  /** A move threw it away. */
  | 'failed'
  /** The engine gave no answer. */
  | 'stuck';

export class HuntStore extends PlayOut<End> {
  side: Side = 'w';
  /** Plies lost so far, against the shortest mate or the longest resistance. */
  lost = 0;
  /** Of the reached goal. */
  stars = 0;
  private fen = '';
  private key: string | null = null;

  constructor(
    engine: EngineQueue,
    private readonly progress: TrainerProgress,
    private readonly random: () => number,
  ) {
    super(engine);
  }

  /** The side plays from a FEN. `key` is the name under which its stars are kept. */
  start(fen: string, side: Side, key: string | null = null): void {
    this.begin(fen);
    this.fen = fen;
    this.side = side;
    this.key = key;
    this.lost = 0;
    this.stars = 0;
    if (this.session?.view.turn !== side) {
      void this.defend();
    }
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

  protected async goesOn(_uci: string, before: Facts | null): Promise<boolean> {
    const end = this.endAfter(before, await this.factsHere());
    if (end) {
      this.endAs(end);
    }
    return end === null;
  }

  /** Adds the plies that a move has lost. The state that it leads to, if it decides. */
  private endAfter(before: Facts | null, after: Facts | null): End | null {
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

  /** The shortest mate even where the count stops it, or the longest resistance. */
  protected async defence(position: Question): Promise<string | null> {
    const facts = await this.asker.facts(position);
    const [first] = Object.entries(facts?.needs ?? {}).sort(([, a], [, b]) => a - b);
    const isLate = this.isEscape && facts?.value?.result === 'draw' && first !== undefined;
    return isLate ? first[0] : this.asker.tableMove(position, this.random());
  }

  protected undefended(): void {
    this.endAs('stuck');
  }

  protected isGoal(winner: Side | null): boolean {
    return winner === this.side || (winner === null && this.isEscape);
  }

  protected end(isReached: boolean): void {
    this.endAs(isReached ? 'reached' : 'failed');
  }

  private endAs(state: End): void {
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
}
