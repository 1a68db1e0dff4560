// Exercises: wins against a bare khun and positions that the count decides, against the best defence.
import type { Asker, EngineQueue } from '../engine/queue';
import { exerciseList } from '../rules/rules';
import type { Exercise, Side } from '../rules/types';
import { randomNumber } from './play';
import { Session } from './session';
import { Store } from './store';
import { load, save } from './stored';
import { toasts } from './toasts';

/** The rules of the exercises. */
export const EXERCISE_RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };

/** Nodes for a defence that the solved endings do not know. */
const DEFENCE_NODES = 400_000;
/** The defence takes so many milliseconds, so that its moves can be followed. */
const LEAST_MS = 350;

export type ExerciseState =
  | 'toMove'
  | 'thinking'
  /** The goal is reached. */
  | 'solved'
  /** A move threw it away. */
  | 'failed';

export class LearnStore extends Store {
  exercise: Exercise | null = null;
  session: Session | null = null;
  state: ExerciseState = 'toMove';
  /** Whether a right move was shown in this attempt: it does not count as solved then. */
  isHelped = false;
  /** A move that would have kept the goal, shown when asked for. */
  solution: { from: string; to: string } | null = null;
  private solved = new Set<string>(load('solved') ?? []);
  /** Each attempt gives up what the one before has asked. */
  private readonly asker: Asker;

  constructor(engine: EngineQueue) {
    super();
    this.asker = engine.asker();
  }

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
    this.asker.giveUp();
    this.exercise = exercise;
    this.session = Session.start(EXERCISE_RULES, exercise.fen);
    this.state = 'toMove';
    this.isHelped = false;
    this.solution = null;
    this.changed();
  }

  close(): void {
    this.asker.giveUp();
    this.exercise = null;
    this.session = null;
    this.changed();
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

  get mayMove(): boolean {
    return this.state === 'toMove' && this.session?.view.turn === this.side && this.session.isAtEnd;
  }

  async play(uci: string): Promise<void> {
    const { session, exercise } = this;
    if (!session || !exercise || !this.mayMove) {
      return;
    }
    const { node } = session;
    const isFirst = node === 0;
    // Nothing else is moved until the facts are there.
    this.state = 'thinking';
    this.changed();
    const facts = await this.factsHere();
    this.state = 'toMove';
    session.go(node);
    const known = facts?.moves.length === session.view.moves.length;
    session.play(uci);
    const made = session.node;
    this.solution = null;
    if (this.ended()) {
      return;
    }
    // The proof of the exercise decides its first move, the solved endings the others.
    const wanted = exercise.goal;
    const isRight =
      isFirst && exercise.right.length > 0
        ? exercise.right.includes(uci)
        : !known || facts?.moves.some(([move, { result }]) => move === uci && (result === wanted || result === 'win'));
    if (!isRight) {
      this.state = 'failed';
      this.changed();
      return;
    }
    if (isFirst && exercise.right.length > 0 && !(await this.isSolvedHere())) {
      // No table can defend here: to find the move was the task.
      this.succeed();
      return;
    }
    // The board may show an earlier position by now.
    session.go(made);
    void this.defend();
  }

  private async factsHere() {
    const { session } = this;
    return session && this.asker.facts({ rules: EXERCISE_RULES, line: session.record.engineLine(session.node) });
  }

  private async isSolvedHere(): Promise<boolean> {
    const moves = this.session?.view.moves.length;
    const facts = await this.factsHere();
    return facts?.moves.length === moves && facts?.value !== null;
  }

  /** Whether the game has ended, and so the exercise. */
  private ended(): boolean {
    const outcome = this.session?.view.outcome;
    if (!outcome || !this.exercise) {
      return false;
    }
    const isReached = outcome.winner === this.side || (outcome.winner === null && this.exercise.goal === 'draw');
    if (isReached) {
      this.succeed();
    } else {
      this.state = 'failed';
      this.changed();
    }
    return true;
  }

  private succeed(): void {
    if (this.exercise && !this.isHelped) {
      this.solved.add(this.exercise.id);
      save('solved', [...this.solved]);
    }
    this.state = 'solved';
    this.changed();
  }

  /** The other side's move: by the solved endings, else by search. */
  private async defend(): Promise<void> {
    const { session } = this;
    if (!session) {
      return;
    }
    this.state = 'thinking';
    this.changed();
    const started = performance.now();
    const { node } = session;
    const position = { rules: EXERCISE_RULES, line: session.record.engineLine(node) };
    const known = await this.asker.tableMove(position, randomNumber());
    const move = known ?? (await this.asker.bestMove('move', position, { nodes: DEFENCE_NODES }));
    this.asker.after(LEAST_MS - (performance.now() - started), () => {
      // The board may show an earlier position by now.
      session.go(node);
      if (!move) {
        toasts.note('learn.noDefence');
        session.takeBack();
      } else {
        session.play(move);
      }
      if (!move || !this.ended()) {
        this.state = 'toMove';
        this.changed();
      }
    });
  }

  /** The board shows another position of the attempt. */
  redraw(): void {
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
    const line = session.record.engineLine(node);
    const move = proven ?? (await this.asker.tableMove({ rules: EXERCISE_RULES, line }, 0));
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
