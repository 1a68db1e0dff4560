// A counter beside a real board: the number is spoken by a tap, and two clocks may run.
import { countAgainst } from 'sakmak/study';
import type { Side } from '../rules/types';
import { EXERCISE_RULES } from './playout';
import { Session } from './session';
import { Store } from './store';

export type Honour = 'board' | 'pieces';

export const COUNTED_PIECES = ['R', 'S', 'N', 'M'] as const;
export type CountedPiece = (typeof COUNTED_PIECES)[number];

/** Most pieces of a kind: rua, khon and maa come in pairs, all bia may be turned over. */
const MOST: Record<CountedPiece, number> = { R: 2, S: 2, N: 2, M: 9 };
/** A board on which the board's honour has just begun. */
const ARMED = '3k4/2m5/8/8/3KS3/8/8/8 w - 128 0 40';

export interface Begun {
  limit: number;
  /** The number that is spoken first. */
  first: number;
}

/** The board's honour by the default rules. */
function boardHonour(): Begun {
  const session = Session.start(EXERCISE_RULES, ARMED);
  const limit = session.view.count?.limit ?? 0;
  for (const _ of [1, 2]) {
    session.play(session.view.moves[0]?.uci ?? '');
  }
  return { limit, first: session.view.count?.number ?? 0 };
}

export class CounterStore extends Store {
  honour: Honour = 'pieces';
  /** The attacker's pieces besides its khun. */
  pieces: Record<CountedPiece, number> = { R: 1, S: 0, N: 0, M: 0 };
  counter: Side = 'b';
  /** Minutes of each clock; 0 for none. */
  minutes = 0;
  isRunning = false;
  /** The number spoken last; null before the first. */
  number: number | null = null;
  begun: Begun = { limit: 0, first: 0 };
  /** The side whose move a tap ends. Without clocks only the counter's moves are tapped. */
  turn: Side = 'b';
  private used: Record<Side, number> = { w: 0, b: 0 };
  private since = 0;
  private past: { number: number | null; turn: Side; used: Record<Side, number> }[] = [];

  /** `speak` says a number where the device has a voice. */
  constructor(
    private readonly speak: (number: number) => void = () => {},
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  setHonour(honour: Honour): void {
    this.honour = honour;
    this.changed();
  }

  setCounter(counter: Side): void {
    this.counter = counter;
    this.changed();
  }

  setMinutes(minutes: number): void {
    this.minutes = Math.max(0, Math.min(180, Math.floor(minutes) || 0));
    this.changed();
  }

  mayAdd(piece: CountedPiece, more: number): boolean {
    const number = this.pieces[piece] + more;
    return number >= 0 && number <= MOST[piece];
  }

  add(piece: CountedPiece, more: number): void {
    if (this.mayAdd(piece, more)) {
      this.pieces = { ...this.pieces, [piece]: this.pieces[piece] + more };
      this.changed();
    }
  }

  /** Limit and first number of what is chosen; null without pieces. */
  get chosen(): Begun | null {
    if (this.honour === 'board') {
      return boardHonour();
    }
    return countAgainst(COUNTED_PIECES.map((piece) => piece.repeat(this.pieces[piece])).join(''));
  }

  start(): void {
    const { chosen } = this;
    if (!chosen) {
      return;
    }
    this.begun = chosen;
    this.number = null;
    this.turn = this.counter;
    this.used = { w: 0, b: 0 };
    this.since = this.now();
    this.past = [];
    this.isRunning = true;
    this.changed();
  }

  stop(): void {
    this.isRunning = false;
    this.changed();
  }

  get isOver(): boolean {
    return this.number !== null && this.number >= this.begun.limit;
  }

  /** A move was made on the real board. With clocks the other one starts; the counter's move is counted. */
  next(): void {
    const isCounted = this.turn === this.counter;
    if (!this.isRunning || (isCounted && this.isOver)) {
      return;
    }
    this.past.push({ number: this.number, turn: this.turn, used: this.clocks });
    this.used = this.clocks;
    this.since = this.now();
    if (isCounted) {
      this.number = this.number === null ? this.begun.first : this.number + 1;
      this.speak(this.number);
    }
    if (this.minutes > 0) {
      this.turn = this.turn === 'w' ? 'b' : 'w';
    }
    this.changed();
  }

  get mayGoBack(): boolean {
    return this.past.length > 0;
  }

  /** Takes the last tap back; the clocks go on from what they showed then. */
  back(): void {
    const last = this.past.pop();
    if (last) {
      this.number = last.number;
      this.turn = last.turn;
      this.used = last.used;
      this.since = this.now();
      this.changed();
    }
  }

  /** Milliseconds that each side has used. */
  private get clocks(): Record<Side, number> {
    return { ...this.used, [this.turn]: this.used[this.turn] + (this.now() - this.since) };
  }

  /** Milliseconds left to a side. */
  left(side: Side): number {
    return Math.max(0, this.minutes * 60_000 - this.clocks[side]);
  }
}
