// A game with a friend: what both sides did, in order. Nothing is ever taken out of the list, so two copies of a game
// can be compared: one goes on from the other, or they part at one event. Each event is checked by the rules.
import { SakmakError } from 'sakmak/study';
import { newRecord, reasonOf } from '../rules/rules';
import type { PositionView, RulesChoice, Side } from '../rules/types';
import type { TimeControl } from './clock';
import { other, type Result } from './played';
import { Session } from './session';

export type SideWord = 'offer' | 'decline' | 'agree' | 'resign' | 'flag' | 'back';

export type FriendEvent =
  | { what: 'move'; uci: string }
  /** About the last move, by the side that made it. */
  | { what: 'comment'; text: string }
  /** By the side to move. */
  | { what: 'count'; word: 'start' | 'stop' | 'claim' }
  /**
   * A draw is offered, declined, agreed; the side resigns; its time has run out; it lets the other side take its last
   * move back.
   */
  | { what: SideWord; side: Side };

export interface FriendHeader {
  /** 24 hex digits: the name of the entry in My games. */
  id: string;
  kind: 'mail' | 'live';
  rules: RulesChoice;
  /** Start position; the ordinary one if missing. */
  fen?: string;
  /** Names of White and Black; empty for none. */
  names: [string, string];
  /** Days since 1970. */
  day: number;
  time: TimeControl | null;
}

/** Each has a message `friend.fault.CODE`. */
export const FAULT_CODES = [
  ...(['damaged', 'version', 'illegal', 'over', 'event', 'start', 'other'] as const),
  ...(['message', 'order', 'clock', 'fork', 'wrongAnswer', 'wrongLink', 'browser'] as const),
];
export type FaultCode = (typeof FAULT_CODES)[number];

export class FriendFault extends Error {
  constructor(
    readonly code: FaultCode,
    readonly args: Record<string, string | number> = {},
  ) {
    super(code);
  }
}

export const MOST_EVENTS = 5_000;
export const MOST_COMMENT = 500;
export const MOST_NAME = 40;

export const DAY_MS = 86_400_000;

/** The legal moves of a position in the order of a link's numbers. */
export function numbered(view: PositionView): string[] {
  return view.moves.map(({ uci }) => uci).sort();
}

export class FriendLog {
  readonly events: FriendEvent[] = [];
  /** The sides that caused them. */
  readonly authors: Side[] = [];
  /** Of each move its number among the legal ones; -1 for other events. */
  readonly numbers: number[] = [];
  readonly header: FriendHeader;
  readonly session: Session;
  result: Result | null = null;
  /** The side whose draw offer stands. */
  offer: Side | null = null;
  /** The end of the game; the board may show an earlier position. */
  private end = 0;
  private cached: { version: number; view: PositionView } | null = null;
  /** Moves that stand. */
  plies = 0;

  /** Throws FriendFault if the rules or the start position are none. */
  constructor(header: FriendHeader) {
    const { rules, fen, names, day } = header;
    this.header = { ...header, names: [...names] };
    try {
      this.session = new Session(newRecord(rules, fen));
      this.session.edit((record) => {
        record.setTag('Event', 'Sakmak');
        record.setTag('White', names[0] || '?');
        record.setTag('Black', names[1] || '?');
        record.setTag('Date', new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '.'));
      });
    } catch (error) {
      throw new FriendFault('start', { text: error instanceof Error ? error.message : '' });
    }
    this.checkOutcome();
  }

  /** The position at the end of the game. */
  get view(): PositionView {
    const { session, end } = this;
    if (this.cached?.version !== session.version) {
      this.cached = { version: session.version, view: session.record.view(end) };
    }
    return this.cached.view;
  }

  get turn(): Side {
    return this.view.turn;
  }

  get moveNumber(): number {
    return this.view.moveNumber;
  }

  /** The side that made the last move; null before the first. */
  get lastMover(): Side | null {
    return this.plies > 0 ? other(this.turn) : null;
  }

  /** Who can have caused an event at the end of the game; null if either side. */
  authorOf(event: FriendEvent): Side | null {
    switch (event.what) {
      case 'move':
      case 'count':
        return this.turn;
      case 'comment':
        return this.lastMover;
      case 'flag':
        return null;
      default:
        return event.side;
    }
  }

  /** Adds an event. Throws FriendFault if the rules do not allow it; the game stays as it was. */
  add(event: FriendEvent): void {
    if (this.result) {
      throw new FriendFault('over');
    }
    if (this.events.length >= MOST_EVENTS) {
      throw new FriendFault('event');
    }
    const author = this.authorOf(event) ?? (event as { side: Side }).side;
    const number = event.what === 'move' ? numbered(this.view).indexOf(event.uci) : -1;
    switch (event.what) {
      case 'move':
        this.move(event.uci, number);
        break;
      case 'comment':
        this.comment(event.text);
        break;
      case 'count':
        this.count(event.word);
        break;
      default:
        this.sideWord(event.what, event.side);
    }
    this.events.push(event);
    this.authors.push(author);
    this.numbers.push(number);
  }

  /** Names a player who had no name yet. */
  name(side: Side, name: string): void {
    const at = side === 'w' ? 0 : 1;
    if (name && !this.header.names[at]) {
      this.header.names[at] = name;
      this.session.edit((record) => record.setTag(side === 'w' ? 'White' : 'Black', name));
    }
  }

  private move(uci: string, number: number): void {
    const { session, turn } = this;
    if (number < 0) {
      throw new FriendFault('illegal', { text: uci, number: this.moveNumber });
    }
    if (session.node !== this.end) {
      session.go(this.end);
    }
    session.play(uci);
    this.end = session.node;
    this.plies += 1;
    this.cached = null;
    // A move answers the offer of the other side, and lets one's own stand.
    if (this.offer === other(turn)) {
      this.offer = null;
    }
    this.checkOutcome();
  }

  private comment(text: string): void {
    if (this.plies === 0 || text === '' || text.length > MOST_COMMENT) {
      throw new FriendFault('event');
    }
    try {
      this.session.edit((record) => record.setComment(this.end, text));
    } catch {
      throw new FriendFault('event');
    }
  }

  private count(word: 'start' | 'stop' | 'claim'): void {
    try {
      this.session.edit((record) => record.count(this.end, word));
    } catch (error) {
      if (error instanceof SakmakError) {
        throw new FriendFault('event');
      }
      throw error;
    }
    this.checkOutcome();
  }

  private sideWord(what: SideWord, side: Side): void {
    const isAnswer = what === 'agree' || what === 'decline';
    if (isAnswer && this.offer !== other(side)) {
      throw new FriendFault('event');
    }
    switch (what) {
      case 'offer':
        if (this.offer !== null) {
          throw new FriendFault('event');
        }
        this.offer = side;
        break;
      case 'decline':
        this.offer = null;
        break;
      case 'agree':
        this.finish({ winner: null, reason: 'agreement' });
        break;
      case 'resign':
        this.finish({ winner: other(side), reason: 'resign' });
        break;
      case 'flag':
        // A bare khun cannot win, on time either.
        this.finish(
          this.view.bare === other(side)
            ? { winner: null, reason: 'timeBare' }
            : { winner: other(side), reason: 'time' },
        );
        break;
      case 'back':
        this.back(side);
    }
  }

  /** Whether `side` may let the other side take its last move back. */
  mayGiveBack(side: Side): boolean {
    return !this.result && this.plies >= (this.turn === side ? 1 : 2);
  }

  private back(side: Side): void {
    if (this.header.kind !== 'live' || !this.mayGiveBack(side)) {
      throw new FriendFault('event');
    }
    const plies = this.turn === side ? 1 : 2;
    this.session.go(this.end);
    for (let ply = 0; ply < plies; ply++) {
      this.session.takeBack();
    }
    this.end = this.session.node;
    this.plies -= plies;
    this.cached = null;
    this.offer = null;
  }

  private checkOutcome(): void {
    const { outcome } = this.view;
    if (outcome) {
      this.finish({ winner: outcome.winner, reason: reasonOf(outcome) });
    }
  }

  private finish(result: Result): void {
    this.result = result;
    this.offer = null;
    this.session.edit((record) => {
      record.setTag('Result', result.winner === 'w' ? '1-0' : result.winner === 'b' ? '0-1' : '1/2-1/2');
    });
  }
}

/** A game like another one up to event `count`. */
export function replayed({ header, events }: Pick<FriendLog, 'header' | 'events'>, count = events.length): FriendLog {
  const log = new FriendLog(header);
  for (const event of events.slice(0, count)) {
    log.add(event);
  }
  return log;
}

const same = (a: FriendEvent, b: FriendEvent) => JSON.stringify(codeOf(a)) === JSON.stringify(codeOf(b));

/** An event as a list, whatever the order of its members. */
function codeOf(event: FriendEvent): unknown[] {
  switch (event.what) {
    case 'move':
      return [event.what, event.uci];
    case 'comment':
      return [event.what, event.text];
    case 'count':
      return [event.what, event.word];
    default:
      return [event.what, event.side];
  }
}

/** The number of events that two lists begin with in common. */
export function commonEvents(a: readonly FriendEvent[], b: readonly FriendEvent[]): number {
  let at = 0;
  for (const event of a) {
    const second = b[at];
    if (!second || !same(event, second)) {
      break;
    }
    at += 1;
  }
  return at;
}

/** Whether two headers are of one game. Names may be filled in later. */
export function isSameGame(a: FriendHeader, b: FriendHeader): boolean {
  const key = ({ id, kind, rules, fen = '', time }: FriendHeader) =>
    [id, kind, rules.variant, rules.ruleset, rules.parts, fen, time?.minutes, time?.seconds].join('|');
  return key(a) === key(b);
}
