// What a game asks the engine: its move, a hint, the answer to a draw offer. One thing at a time.
import type { Asker, EngineQueue, Kind, SearchKind } from '../engine/queue';
import type { FaultData, Go, SearchDone, Side } from '../rules/types';
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
  /** The opponent that plays instead of the level. */
  animal?: string;
  /** Milliseconds left to White and Black, and added after each move. */
  clock: { left: [number, number]; added: number } | null;
  seed: number;
}

export class Opponent {
  private readonly asker: Asker;

  /** `changed` is called when a question ends without an answer. */
  constructor(
    engine: EngineQueue,
    private readonly changed: () => void,
  ) {
    this.asker = engine.asker();
  }

  /** What the engine is asked now. Its move is asked for until it is made. */
  get asked(): Kind | null {
    return this.asker.asked;
  }

  /** Asks for the engine's move, and hands it over after at least `least()` milliseconds. */
  move(session: Session, strength: Strength, least: () => number, made: (done: SearchDone) => void): void {
    this.ask('move', session, goOf(strength), made, least);
  }

  /** Asks for a move of the person; null if there is none. */
  hint(session: Session, found: (best: string | null) => void): void {
    this.ask('hint', session, { nodes: HINT_NODES }, ({ best }) => found(best));
  }

  /** Asks whether the engine, which plays `side`, agrees to a draw. */
  draw(session: Session, side: Side, answered: (agrees: boolean) => void): void {
    this.ask('offer', session, { nodes: OFFER_NODES }, ({ takesDraw }) => answered(takesDraw[side === 'w' ? 0 : 1]));
  }

  /** Asks nothing any more. */
  stop(): void {
    this.asker.giveUp();
  }

  private ask(
    kind: SearchKind,
    session: Session,
    go: Go,
    done: (done: SearchDone) => void,
    least: () => number = () => 0,
  ): void {
    this.stop();
    const position = { rules: session.rules, line: session.record.engineLine(session.node) };
    const fault = (problem: FaultData) => {
      toasts.fault(problem);
      this.changed();
    };
    this.asker.search(kind, position, go, { done, fault, least });
  }
}

function goOf({ level, ratings, animal, clock, seed }: Strength): Go {
  if (animal !== undefined) {
    return { opponent: animal, seed };
  }
  const rating = ratings[level];
  const isFull = level >= ratings.length - 1;
  const limits: Go = clock
    ? { clock: clock.left, increment: [clock.added, clock.added] }
    : isFull
      ? { moveTime: FULL_MS }
      : {};
  return { ...limits, ...(isFull || rating === undefined ? {} : { rating }), seed };
}
