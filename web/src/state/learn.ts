// Exercises: wins against a bare khun and positions that the count decides, against the best defence.
import type { Question } from '../engine/client';
import { exerciseList } from '../rules/rules';
import type { Exercise, Facts, Side } from '../rules/types';
import { randomNumber } from './play';
import { PlayOut, positionOf } from './playout';
import type { Session } from './session';
import { load, save } from './stored';
import { toasts } from './toasts';

/** Nodes for a defence that the solved endings do not know. */
const DEFENCE_NODES = 400_000;

/** The goal is reached, or a move threw it away. */
type End = 'solved' | 'failed';

export class LearnStore extends PlayOut<End> {
  exercise: Exercise | null = null;
  /** Whether a right move was shown in this attempt: it does not count as solved then. */
  isHelped = false;
  /** A move that would have kept the goal, shown when asked for. */
  solution: { from: string; to: string } | null = null;
  private solved = new Set<string>(load('solved') ?? []);

  isSolved(id: string): boolean {
    return this.solved.has(id);
  }

  get solvedCount(): number {
    return this.solved.size;
  }

  /** The side that solves. */
  get side(): Side {
    return this.exercise?.fen.split(' ')[1] === 'b' ? 'b' : 'w';
  }

  open(id: string): void {
    const exercise = exerciseList().find((one) => one.id === id);
    if (!exercise) {
      this.close();
      return;
    }
    this.exercise = exercise;
    this.begin(exercise.fen);
    this.isHelped = false;
    this.solution = null;
    this.changed();
  }

  override close(): void {
    this.exercise = null;
    super.close();
  }

  retry(): void {
    if (this.exercise) {
      this.open(this.exercise.id);
    }
  }

  /** The next exercise of the list that is not solved yet. */
  get next(): Exercise | null {
    const all = exerciseList();
    const at = all.findIndex((one) => one.id === this.exercise?.id);
    return [...all.slice(at + 1), ...all.slice(0, at)].find((one) => !this.isSolved(one.id)) ?? null;
  }

  override play(uci: string): Promise<void> {
    if (this.mayMove) {
      this.solution = null;
    }
    return super.play(uci);
  }

  protected async goesOn(uci: string, before: Facts | null, isWhole: boolean): Promise<boolean> {
    const { exercise } = this;
    if (!exercise) {
      return false;
    }
    // The proof of the exercise decides its first move, the solved endings the others.
    const { goal } = exercise;
    const isProven = exercise.right.length > 0 && this.session?.tree.length === 2;
    const isRight = isProven
      ? exercise.right.includes(uci)
      : !isWhole || before?.moves.some(([move, { result }]) => move === uci && (result === goal || result === 'win'));
    if (!isRight) {
      this.end(false);
      return false;
    }
    if (isProven && !(await this.isSolvedHere())) {
      // No table can defend here: to find the move was the task.
      this.end(true);
      return false;
    }
    return true;
  }

  private async isSolvedHere(): Promise<boolean> {
    const moves = this.session?.view.moves.length;
    const facts = await this.factsHere();
    return facts?.moves.length === moves && facts?.value !== null;
  }

  protected isGoal(winner: Side | null): boolean {
    return winner === this.side || (winner === null && this.exercise?.goal === 'draw');
  }

  protected end(isReached: boolean): void {
    if (isReached && this.exercise && !this.isHelped) {
      // Another tab may have written since.
      this.solved = new Set([...(load('solved') ?? []), ...this.solved, this.exercise.id]);
      save('solved', [...this.solved]);
    }
    this.state = isReached ? 'solved' : 'failed';
    this.changed();
  }

  /** By the solved endings, else by search. */
  protected async defence(position: Question): Promise<string | null> {
    const known = await this.asker.tableMove(position, randomNumber());
    return known ?? this.asker.bestMove('move', position, { nodes: DEFENCE_NODES });
  }

  protected undefended(session: Session): void {
    toasts.note('learn.noDefence');
    session.takeBack();
    this.state = 'toMove';
    this.changed();
  }

  /** Shows a move that keeps the goal. */
  async showSolution(): Promise<void> {
    const { session, exercise } = this;
    if (!session || !exercise || this.state === 'thinking' || this.state === 'solved') {
      return;
    }
    session.step(1_000_000);
    if (this.state === 'failed') {
      session.takeBack();
      this.state = 'toMove';
    }
    const { node } = session;
    const proven = node === 0 ? exercise.right[0] : undefined;
    const move = proven ?? (await this.asker.tableMove(positionOf(session), 0));
    // A move has been made meanwhile.
    if (node !== session.node || this.state !== 'toMove') {
      return;
    }
    if (move) {
      this.isHelped = true;
      this.solution = { from: move.slice(0, 2), to: move.slice(2, 4) };
    }
    this.changed();
  }
}
