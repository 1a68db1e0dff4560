// An ending that is played out, by one side against the best defence.

import type { Question } from '../engine/client';
import type { Asker, EngineQueue } from '../engine/queue';
import type { Facts, Side } from '../rules/types';
import { Session } from './session';
import { Store } from './store';

/** The rules of the exercises. */
export const EXERCISE_RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };

/** Least time of the defence's moves in milliseconds, so that they can be followed. */
const LEAST_MS = 350;

/** `End` are the states in which an attempt ends. */
export abstract class PlayOut<End extends string> extends Store {
  session: Session | null = null;
  state: 'toMove' | 'thinking' | End = 'toMove';
  /** Each attempt gives up what the one before has asked. */
  protected readonly asker: Asker;

  constructor(engine: EngineQueue) {
    super();
    this.asker = engine.asker();
  }

  /** The side that plays. */
  abstract get side(): Side;
  /**
   * Whether the attempt goes on after a move that was made; else it has been ended. `before` is what was known of the
   * position before it, `isWhole` whether that was known of all its moves.
   */
  protected abstract goesOn(uci: string, before: Facts | null, isWhole: boolean): Promise<boolean>;
  /** The other side's move; null if there is none. */
  protected abstract defence(position: Question): Promise<string | null>;
  /** There was none. */
  protected abstract undefended(session: Session): void;
  /** Whether a game that has ended so is what was to be reached. */
  protected abstract isGoal(winner: Side | null): boolean;
  protected abstract end(isReached: boolean): void;

  protected begin(fen: string): void {
    this.asker.giveUp();
    this.session = Session.start(EXERCISE_RULES, fen);
    this.state = 'toMove';
  }

  close(): void {
    this.asker.giveUp();
    this.session = null;
    this.changed();
  }

  /** The board shows another position of the attempt. */
  redraw(): void {
    this.changed();
  }

  get mayMove(): boolean {
    return this.state === 'toMove' && this.session?.view.turn === this.side && this.session.isAtEnd;
  }

  async play(uci: string): Promise<void> {
    const { session } = this;
    if (!session || !this.mayMove) {
      return;
    }
    const { node } = session;
    // Nothing else is moved until the facts are there.
    this.state = 'thinking';
    this.changed();
    const before = await this.factsHere();
    // The board may show an earlier position by now.
    session.go(node);
    const isWhole = before?.moves.length === session.view.moves.length;
    session.play(uci);
    const made = session.node;
    if (this.hasEnded()) {
      return;
    }
    this.changed();
    if (await this.goesOn(uci, before, isWhole)) {
      session.go(made);
      await this.defend();
    }
  }

  /** The other side moves. */
  protected async defend(): Promise<void> {
    const { session } = this;
    if (!session) {
      return;
    }
    this.state = 'thinking';
    this.changed();
    const started = performance.now();
    const { node } = session;
    const move = await this.defence(positionOf(session));
    this.asker.after(LEAST_MS - (performance.now() - started), () => {
      session.go(node);
      if (!move) {
        this.undefended(session);
        return;
      }
      session.play(move);
      if (!this.hasEnded()) {
        this.state = 'toMove';
        this.changed();
      }
    });
  }

  /** What the solved endings know of the position that is shown. */
  protected async factsHere(): Promise<Facts | null> {
    return this.session && this.asker.facts(positionOf(this.session));
  }

  /** Whether the game has ended, and so the attempt. */
  private hasEnded(): boolean {
    const outcome = this.session?.view.outcome;
    if (outcome) {
      this.end(this.isGoal(outcome.winner));
    }
    return outcome != null;
  }
}

export function positionOf(session: Session): Question {
  return { rules: EXERCISE_RULES, line: session.record.engineLine(session.node) };
}
