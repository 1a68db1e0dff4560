// A live game: two pages with one ordered channel between them. Each has the whole game, checks what the other sends by
// the rules, and keeps it; after a lost connection they compare their lists and go on.
import type { Side } from '../rules/types';
import { FriendClock, MOST_LAG_MS } from './friend-clock';
import { FriendGame } from './friend-game';
import { type FriendState, findFriend, keptFriend } from './friend-kept';
import { type OfferLink, packLink, unpackLink } from './friend-link';
import {
  commonEvents,
  DAY_MS,
  type FaultCode,
  type FriendEvent,
  FriendFault,
  type FriendHeader,
  FriendLog,
  isSameGame,
  replayed,
} from './friend-log';
import { type FriendMessage, LIVE_VERSION, parseMessage } from './friend-messages';
import type { GameStore } from './games';
import { newId } from './kept';
import { other } from './played';

/** The channel as a live game sees it. */
export interface Wire {
  send(text: string): void;
  close(): void;
}

/**
 * `alone`: no connection yet; `greeting`: both compare the game; `playing`; `lost`: the connection has ended, a new pair
 * of links goes on; `ended`: something was wrong, the session is over, the game stays.
 */
export type LiveStage = 'alone' | 'greeting' | 'playing' | 'lost' | 'ended';

const NOTHING = { shared: 0, plan: [], isPlanSent: false, theirs: new Uint8Array() };

export class LiveStore extends FriendGame {
  log: FriendLog | null = null;
  side: Side = 'w';
  stage: LiveStage = 'alone';
  clock: FriendClock | null = null;
  /** Why the session has ended, and which side found it. */
  fault: { code: FaultCode; args: Record<string, string | number>; isTheirs: boolean } | null = null;
  /** A request to take a move back: made here, made there, or declined there. */
  back: 'asked' | 'wanted' | 'declined' | null = null;
  /** The number of events when this side last asked for it: a consent is to that position. */
  private askedAt = -1;
  rematch: 'asked' | 'wanted' | null = null;
  /** The last draw offer of this side was declined. */
  isDeclined = false;
  /** The connection is bad at the moment. */
  isWeak = false;
  private rematchId = '';
  private wire: Wire | null = null;
  private timer = 0;

  constructor(
    private readonly games: GameStore,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  get mayMove(): boolean {
    return this.stage === 'playing' && this.isMyTurn && (this.log?.session.isAtEnd ?? false);
  }

  get isRunning(): boolean {
    return this.stage === 'playing' && this.log !== null && !this.log.result;
  }

  begin(header: Omit<FriendHeader, 'id' | 'kind' | 'day'>, side: Side): void {
    const day = Math.floor(Date.now() / DAY_MS);
    this.show(new FriendLog({ ...header, id: newId(), kind: 'live', day }), side, null);
  }

  /** Goes on with a kept game. */
  resume({ log, side, left }: FriendState): void {
    this.show(log, side, left);
  }

  /** Takes an invitation. The kept game of its name goes on if there is one. Throws FriendFault. */
  async join(link: OfferLink, name: string): Promise<void> {
    if (link.log.header.kind !== 'live') {
      throw new FriendFault('wrongLink');
    }
    const kept = await findFriend(this.games, link.log.header.id);
    if (kept) {
      if (!isSameGame(kept.log.header, link.log.header) || kept.side === link.sender) {
        throw new FriendFault('other');
      }
      this.resume(kept);
    } else {
      this.show(link.log, other(link.sender), link.left);
    }
    this.log?.name(this.side, name);
    this.changed();
  }

  private show(log: FriendLog, side: Side, left: [number, number] | null): void {
    this.leave();
    log.session.step(1_000_000);
    this.log = log;
    this.side = side;
    this.stage = 'alone';
    this.fault = null;
    this.clock = log.header.time ? new FriendClock(log.header.time, left, this.now) : null;
    this.forgetTalk();
    this.changed();
  }

  private forgetTalk(): void {
    this.back = null;
    this.askedAt = -1;
    this.rematch = null;
    this.rematchId = '';
    this.isDeclined = false;
    this.isWeak = false;
  }

  /** The game as a link or greeting carries it. */
  private packed(log: FriendLog): string {
    return packLink({ kind: 'game', log, sender: this.side, plan: new Uint8Array() });
  }

  /** The channel is open: both greet. */
  connected(wire: Wire): void {
    const { log } = this;
    if (!log) {
      wire.close();
      return;
    }
    this.wire = wire;
    this.stage = 'greeting';
    this.fault = null;
    this.forgetTalk();
    this.send({ is: 'hello', version: LIVE_VERSION, game: this.packed(log), left: this.clock?.whole() ?? null });
    this.changed();
  }

  /** The channel of `wire` has closed. */
  lost(wire: Wire): void {
    if (wire === this.wire) {
      this.wire = null;
      this.pause();
      if (this.stage !== 'ended') {
        this.stage = 'lost';
      }
      this.changed();
    }
  }

  /** The connection is bad, or good again. The clocks go on: it may come back. */
  weak(wire: Wire, isWeak: boolean): void {
    if (wire === this.wire) {
      this.isWeak = isWeak;
      this.changed();
    }
  }

  private send(message: FriendMessage): void {
    this.wire?.send(JSON.stringify(message));
  }

  /** Stops the clocks and keeps the game. */
  private pause(): void {
    window.clearTimeout(this.timer);
    this.clock?.stop();
    this.store();
  }

  /** Leaves the session; the game stays among My games. */
  leave(): void {
    const { wire } = this;
    this.send({ is: 'bye', why: '' });
    this.wire = null;
    wire?.close();
    if (this.log) {
      this.pause();
    }
  }

  close(): void {
    this.leave();
    this.log = null;
    this.clock = null;
    this.stage = 'alone';
    this.fault = null;
    this.changed();
  }

  /** The page is left: what runs is kept. */
  leavePage(): void {
    if (this.log && this.stage !== 'alone') {
      this.leave();
      this.stage = 'lost';
      this.changed();
    }
  }

  /** Something is wrong: the session ends on both sides, the game stays as it is here. */
  private end(fault: FriendFault): void {
    const { wire } = this;
    this.send({ is: 'bye', why: fault.code });
    this.fault = { code: fault.code, args: fault.args, isTheirs: false };
    this.stage = 'ended';
    this.wire = null;
    this.pause();
    wire?.close();
    this.changed();
  }

  /** A text has come through the channel. */
  received(wire: Wire, text: unknown): void {
    if (wire !== this.wire) {
      return;
    }
    try {
      const message = parseMessage(text);
      if (!message) {
        throw new FriendFault('message');
      }
      this.hear(message);
    } catch (error) {
      if (!(error instanceof FriendFault)) {
        throw error;
      }
      this.end(error);
    }
    this.changed();
  }

  private hear(message: FriendMessage): void {
    if (message.is === 'bye') {
      this.bye(message.why);
      return;
    }
    if (message.is === 'hello') {
      this.greet(message);
      return;
    }
    const { log } = this;
    if (this.stage !== 'playing' || !log) {
      throw new FriendFault('order');
    }
    switch (message.is) {
      case 'event':
        this.take(log, message);
        break;
      case 'ask':
        // One that a move has crossed is forgotten.
        if (message.at === log.events.length && log.mayGiveBack(this.side)) {
          this.back = 'wanted';
        }
        break;
      case 'no':
        if (this.back === 'asked') {
          this.back = 'declined';
        }
        break;
      case 'rematch':
        if (!log.result) {
          if (this.clock) {
            // The other side had flagged this one, whose event was made in time and is on its way: its wish is void.
            break;
          }
          throw new FriendFault('order');
        }
        if (this.rematch === 'asked') {
          // Both have asked: the smaller name is the game's.
          this.again([message.id, this.rematchId].sort()[0] ?? message.id);
        } else {
          this.rematch = 'wanted';
          this.rematchId = message.id;
        }
        break;
      case 'accept':
        if (this.rematch === 'asked' && message.id === this.rematchId) {
          this.again(message.id);
        }
    }
  }

  private bye(why: FaultCode | ''): void {
    const { wire } = this;
    this.wire = null;
    this.pause();
    wire?.close();
    this.stage = why === '' ? 'lost' : 'ended';
    this.fault = why === '' ? null : { code: why, args: {}, isTheirs: true };
  }

  /** Compares both games: one goes on from the other, or their last events have crossed. */
  private greet({ version, game, left }: FriendMessage & { is: 'hello' }): void {
    const { log: mine, side } = this;
    if (this.stage !== 'greeting' || !mine) {
      throw new FriendFault('order');
    }
    if (version !== LIVE_VERSION) {
      throw new FriendFault('version');
    }
    const link = unpackLink(game);
    if (link.kind !== 'game' || link.sender === side || !isSameGame(link.log.header, mine.header)) {
      throw new FriendFault('other');
    }
    const theirs = link.log;
    const base = joined(mine, theirs, side);
    const isFlagged = base.events.length > mine.events.length && base.events.some((one) => one.what === 'flag');
    if (isFlagged && base.turn === side && (this.clock?.exact(side) ?? 1) > MOST_LAG_MS) {
      throw new FriendFault('clock');
    }
    base.name(other(side), theirs.header.names[side === 'w' ? 1 : 0]);
    base.session.step(1_000_000);
    this.log = base;
    this.stage = 'playing';
    if (left && this.clock) {
      this.clock.resumed(other(side), left[side === 'w' ? 1 : 0]);
    }
    this.afterEvent();
  }

  /** An event of the other side. */
  private take(log: FriendLog, { at, seen, event, left }: FriendMessage & { is: 'event' }): void {
    const own = log.authors.flatMap((author, index) => (author === this.side ? [index] : []));
    if (seen > own.length) {
      throw new FriendFault('order');
    }
    const last = log.events.at(-1);
    if (last?.what === 'flag' && at === log.events.length - 1) {
      if (event.what === 'flag' && event.side === last.side) {
        // Both have found it.
        return;
      }
      if (last.side !== this.side) {
        // The other side had acted in time; the network was slow. The clock that goes on flags it again if it must.
        this.log = replayed(log, at);
        this.log.session.step(1_000_000);
        this.rematch = null;
        this.takeNext(this.log, event, left);
        return;
      }
    }
    if (seen === own.length) {
      if (at !== log.events.length) {
        throw new FriendFault('order');
      }
      this.takeNext(log, event, left);
      return;
    }
    // It has crossed an event of this side, which begins at `from`.
    const from = own[seen] ?? 0;
    const before = replayed(log, from);
    if (at !== from || before.turn === this.side) {
      // That of the side to move comes first: the other page takes its own back and sends it again.
      return;
    }
    const crossed = log.events.slice(from);
    before.session.step(1_000_000);
    this.log = before;
    this.takeNext(before, event, left);
    for (const again of crossed) {
      // A consent to a request that was made before does not hold any more.
      if (again.what !== 'back' && tryToAdd(before, again)) {
        this.sendEvent(again);
      }
    }
    this.afterEvent();
  }

  private takeNext(log: FriendLog, event: FriendEvent, left: [number, number] | null): void {
    const theirs = other(this.side);
    const author = log.authorOf(event);
    if (author !== null && author !== theirs) {
      throw new FriendFault('event');
    }
    if (event.what === 'back' && this.askedAt !== log.events.length) {
      throw new FriendFault('event');
    }
    if (
      event.what === 'flag' &&
      (!this.clock || (event.side === this.side && this.clock.exact(this.side) > MOST_LAG_MS))
    ) {
      throw new FriendFault('clock');
    }
    log.add(event);
    if (event.what === 'move') {
      const said = left?.[theirs === 'w' ? 0 : 1];
      this.clock?.movedElsewhere(theirs, said ?? 0);
      log.session.step(1_000_000);
      this.isDeclined = false;
    }
    if (event.what === 'decline') {
      this.isDeclined = true;
    }
    this.afterEvent();
  }

  /** An event of this side. */
  private do(event: FriendEvent): void {
    const { log } = this;
    if (!log || this.stage !== 'playing') {
      return;
    }
    log.add(event);
    if (event.what === 'move') {
      this.clock?.moved(this.side);
      log.session.step(1_000_000);
      this.isDeclined = false;
    }
    this.sendEvent(event);
    this.afterEvent();
    this.changed();
  }

  private sendEvent(event: FriendEvent): void {
    const { log, side } = this;
    if (log) {
      const seen = log.authors.slice(0, -1).filter((author) => author !== side).length;
      const left = this.clock?.whole() ?? null;
      this.send({ is: 'event', at: log.events.length - 1, seen, event, left });
    }
  }

  private afterEvent(): void {
    const { log, clock } = this;
    if (!log) {
      return;
    }
    this.back = null;
    if (log.result) {
      clock?.stop();
      window.clearTimeout(this.timer);
      void this.games.askToPersist();
    } else if (clock && clock.side !== log.turn) {
      clock.start(log.turn);
    }
    this.store();
    this.tick();
  }

  /** Looks after the running clock. */
  private tick(): void {
    window.clearTimeout(this.timer);
    const { clock, log, stage } = this;
    const side = clock?.side;
    if (!clock || !side || !log || log.result || stage !== 'playing') {
      return;
    }
    const left = clock.exact(side);
    // The other side's device says that its time is over, unless nothing comes from it.
    if (left <= (side === this.side ? 0 : -MOST_LAG_MS)) {
      this.do({ what: 'flag', side });
      return;
    }
    const step = left < 20_000 ? 100 : (left % 1000) + 1;
    this.timer = window.setTimeout(() => {
      this.tick();
      this.changed();
    }, step);
  }

  move(uci: string): void {
    if (this.mayMove) {
      this.do({ what: 'move', uci });
    }
  }

  /** Throws FriendFault if the rules do not allow it. */
  count(word: 'start' | 'stop' | 'claim'): void {
    if (this.mayMove) {
      this.do({ what: 'count', word });
    }
  }

  get mayOffer(): boolean {
    return this.isRunning && this.log?.offer === null;
  }

  override get isOffered(): boolean {
    return this.isRunning && super.isOffered;
  }

  offerDraw(): void {
    if (this.mayOffer) {
      this.do({ what: 'offer', side: this.side });
    }
  }

  answerDraw(isAgreed: boolean): void {
    if (this.isOffered) {
      this.do({ what: isAgreed ? 'agree' : 'decline', side: this.side });
    }
  }

  resign(): void {
    if (this.isRunning) {
      this.do({ what: 'resign', side: this.side });
    }
  }

  get mayAskBack(): boolean {
    return this.isRunning && this.back === null && (this.log?.mayGiveBack(other(this.side)) ?? false);
  }

  askBack(): void {
    if (this.mayAskBack) {
      this.back = 'asked';
      this.askedAt = this.log?.events.length ?? 0;
      this.send({ is: 'ask', at: this.askedAt });
      this.changed();
    }
  }

  answerBack(isGiven: boolean): void {
    if (this.back !== 'wanted') {
      return;
    }
    if (isGiven) {
      this.do({ what: 'back', side: this.side });
    } else {
      this.back = null;
      this.send({ is: 'no' });
    }
    this.log?.session.step(1_000_000);
    this.changed();
  }

  /** Asks for another game, or accepts one. */
  playAgain(): void {
    if (this.stage !== 'playing' || !this.log?.result || this.rematch === 'asked') {
      return;
    }
    if (this.rematch === 'wanted') {
      const id = this.rematchId;
      this.send({ is: 'accept', id });
      this.again(id);
    } else {
      this.rematch = 'asked';
      this.rematchId = newId();
      this.send({ is: 'rematch', id: this.rematchId });
    }
    this.changed();
  }

  private again(id: string): void {
    const { log } = this;
    if (log) {
      const { names, ...header } = log.header;
      const [white, black] = names;
      const day = Math.floor(Date.now() / DAY_MS);
      this.log = new FriendLog({ ...header, id, day, names: [black, white] });
      this.side = other(this.side);
      this.clock = header.time ? new FriendClock(header.time, null, this.now) : null;
      this.forgetTalk();
      this.afterEvent();
    }
  }

  private store(): void {
    const { log, side, clock } = this;
    // A game that nobody has joined is not worth keeping.
    if (log && (this.stage !== 'alone' || log.events.length > 0)) {
      const shared = log.events.length;
      this.games.keep(keptFriend({ ...NOTHING, shared, log, side, left: clock?.whole() ?? null }));
    }
  }
}

/** Both copies of a game as one: what one side has not seen yet follows what both have. Throws FriendFault at a fork. */
function joined(mine: FriendLog, theirs: FriendLog, side: Side): FriendLog {
  const common = commonEvents(mine.events, theirs.events);
  const base = replayed(mine, common);
  const rest = (log: FriendLog, who: Side): FriendEvent[] => {
    const events = log.events.slice(common);
    // A move that was given back unseen stands: it can be asked for again.
    const back = events.findIndex(({ what }) => what === 'back');
    const seen = back < 0 ? events : events.slice(0, back);
    if (!seen.every(({ what }, at) => what === 'flag' || log.authors[common + at] === who)) {
      throw new FriendFault('fork', { number: base.moveNumber });
    }
    return seen;
  };
  /** Without the flag of the other side, if that had acted in time. */
  const standing = (events: FriendEvent[], who: Side, crossing: FriendEvent[]): FriendEvent[] =>
    crossing.length === 0 ? events : events.filter((event) => event.what !== 'flag' || event.side === who);
  const [own, others] = [rest(mine, side), rest(theirs, other(side))];
  const both = [standing(own, side, others), standing(others, other(side), own)];
  // Where events have crossed, those of the side to move come first.
  for (const event of (base.turn === side ? both : both.reverse()).flat()) {
    tryToAdd(base, event);
  }
  return base;
}

/** Adds an event if the rules still allow it. */
function tryToAdd(log: FriendLog, event: FriendEvent): boolean {
  try {
    log.add(event);
    return true;
  } catch (error) {
    if (error instanceof FriendFault) {
      return false;
    }
    throw error;
  }
}
