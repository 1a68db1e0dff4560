// Questions about the count with answers to choose from, alone or against the clock.
import type { Side } from '../rules/types';
import type { Session } from './session';
import { Store } from './store';
import type { TrainerMode, TrainerProgress } from './trainer-progress';

/** What is asked. The first four concern a count that has just begun. */
export type Ask = 'pieces' | 'limit' | 'first' | 'left' | 'whose' | 'start' | 'stop';

/** A number, a side or nobody, yes or no. */
export type Answer = number | Side | 'nobody' | 'yes' | 'no';

export interface Task {
  session: Session;
  ask: Ask;
  choices: Answer[];
  right: Answer;
  /** Why, as the key of a message and its arguments. */
  why: string;
  args: Record<string, string | number>;
}

/** Milliseconds of a round against the clock. */
export const ROUND_MS = 60_000;

export class QuizStore extends Store {
  /** The questions on the present position; the first is asked. */
  private tasks: Task[] = [];
  /** What was chosen; null while the question is open. */
  chosen: Answer | null = null;
  /** Right answers one after the other, and within the round. */
  streak = 0;
  score = 0;
  /** When the round ends; null without a clock. */
  endsAt: number | null = null;
  /** A round has ended. */
  isOver = false;
  private timer = 0;

  /** `draw` gives the questions on a random position; `random` gives seeds. */
  constructor(
    readonly mode: TrainerMode,
    private readonly draw: (seed: number) => Task[],
    private readonly progress: TrainerProgress,
    private readonly random: () => number,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  get task(): Task | null {
    return this.tasks[0] ?? null;
  }

  get isRight(): boolean {
    return this.chosen !== null && this.chosen === this.task?.right;
  }

  /** Milliseconds left of the round. */
  get left(): number {
    return this.endsAt === null ? 0 : Math.max(0, this.endsAt - this.now());
  }

  /** Begins anew, with or without a clock. */
  begin(isTimed: boolean): void {
    this.stop();
    this.tasks = [];
    this.streak = 0;
    this.score = 0;
    this.isOver = false;
    if (isTimed) {
      this.endsAt = this.now() + ROUND_MS;
      this.timer = window.setTimeout(() => this.finish(), ROUND_MS);
    }
    this.next();
  }

  /** Ends a round without a result: the view is left. */
  stop(): void {
    window.clearTimeout(this.timer);
    this.endsAt = null;
  }

  choose(answer: Answer): void {
    const { task } = this;
    if (!task || this.chosen !== null || this.isOver || !task.choices.includes(answer)) {
      return;
    }
    this.chosen = answer;
    if (this.isRight) {
      this.streak += 1;
      this.score += 1;
    } else {
      this.streak = 0;
    }
    this.progress.note(this.mode, { streak: this.streak });
    if (this.isRight && this.endsAt !== null) {
      this.next();
    } else {
      this.changed();
    }
  }

  /** The next question, on the same position or another. */
  next(): void {
    this.chosen = null;
    this.tasks = this.tasks.slice(1);
    // A seed may have no position. Few have none.
    for (let tries = 0; this.tasks.length === 0 && tries < 50; tries++) {
      this.tasks = this.draw(this.random());
    }
    this.changed();
  }

  private finish(): void {
    this.stop();
    this.isOver = true;
    this.progress.note(this.mode, { best: this.score });
    this.changed();
  }
}
