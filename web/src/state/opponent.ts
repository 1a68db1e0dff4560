// What a game asks the engine: its move, a hint, the answer to a draw offer. One thing at a time.
import type { EngineClient } from '../engine/client';
import type { Go, SearchDone, Side } from '../rules/types';
import type { Session } from './session';
import { toasts } from './toasts';

/** Milliseconds for a move of the full strength without a clock. */
const FULL_MS = 1_500;
/** Nodes of a hint, and of the answer to a draw offer. */
const HINT_NODES = 1_500_000;
const OFFER_NODES = 200_000;

export interface Strength {
  /** Level from 0, and the ratings of all levels. The highest one is the full strength. */
  level: number;
  ratings: readonly number[];
  /** Milliseconds left to White and Black, and added after each move. */
  clock: { left: [number, number]; added: number } | null;
  seed: number;
}

export class Opponent {
  /** What the engine is asked now. Its move is asked for until it is made. */
  asked: 'move' | 'hint' | 'draw' | null = null;
  /** How often it was asked: an answer to an earlier question is not heard. */
  private questions = 0;
  /** Whether the engine searches for it; it does not any more in the pause before its move. */
  private isSearching = false;
  private timer = 0;

  /** `changed` is called when a question ends without an answer. */
  constructor(
    private readonly engine: EngineClient,
    private readonly changed: () => void,
  ) {}

  /** Asks for the engine's move, and hands it over after at least `least()` milliseconds. */
  move(session: Session, strength: Strength, least: () => number, made: (done: SearchDone) => void): void {
    const started = performance.now();
    this.ask('move', session, goOf(strength), (done) => {
      const question = this.questions;
      const wait = Math.max(0, least() - (performance.now() - started));
      this.timer = window.setTimeout(() => {
        if (question === this.questions) {
          this.asked = null;
          made(done);
        }
      }, wait);
    });
  }

  /** Asks for a move of the person; null if there is none. */
  hint(session: Session, found: (best: string | null) => void): void {
    this.ask('hint', session, { nodes: HINT_NODES }, ({ best }) => {
      this.asked = null;
      found(best);
    });
  }

  /** Asks whether the engine, which plays `side`, agrees to a draw. */
  draw(session: Session, side: Side, answered: (agrees: boolean) => void): void {
    this.ask('draw', session, { nodes: OFFER_NODES }, ({ takesDraw }) => {
      this.asked = null;
      answered(takesDraw[side === 'w' ? 0 : 1]);
    });
  }

  /** Asks nothing any more. */
  stop(): void {
    const { isSearching } = this;
    this.questions += 1;
    this.asked = null;
    this.isSearching = false;
    window.clearTimeout(this.timer);
    // In the pause before its move the engine may do something else already.
    if (isSearching) {
      this.engine.cancel();
    }
  }

  private ask(what: 'move' | 'hint' | 'draw', session: Session, go: Go, done: (done: SearchDone) => void): void {
    this.stop();
    const question = this.questions;
    const isAwaited = () => question === this.questions;
    const end = () => {
      if (isAwaited()) {
        this.asked = null;
        this.isSearching = false;
        this.changed();
      }
    };
    this.asked = what;
    this.isSearching = true;
    this.engine.start(
      { kind: 'search', rules: session.rules, line: session.record.engineLine(session.node), go },
      {
        done: (answer) => {
          if (isAwaited()) {
            this.isSearching = false;
            done(answer);
          }
        },
        fault: (fault) => {
          if (isAwaited()) {
            toasts.fault(fault);
            end();
          }
        },
        // The analysis needs the engine.
        replaced: end,
      },
    );
  }
}

function goOf({ level, ratings, clock, seed }: Strength): Go {
  const rating = ratings[level];
  const isFull = level >= ratings.length - 1;
  const limits: Go = clock
    ? { clock: clock.left, increment: [clock.added, clock.added] }
    : isFull
      ? { moveTime: FULL_MS }
      : {};
  return { ...limits, ...(isFull || rating === undefined ? {} : { rating }), seed };
}
