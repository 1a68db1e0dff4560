// A game by links: each side makes its move here and sends the link that then stands for the game.
import type { Side } from '../rules/types';
import { FriendGame } from './friend-game';
import { type FriendState, findFriend, keptFriend } from './friend-kept';
import { friendAddress, type GameLink } from './friend-link';
import {
  commonEvents,
  DAY_MS,
  type FriendEvent,
  FriendFault,
  type FriendHeader,
  FriendLog,
  isSameGame,
  MOST_COMMENT,
  replayed,
} from './friend-log';
import { follow, type PlanLine, sealed, unsealed, withLine, withoutLine } from './friend-plan';
import type { GameStore } from './games';
import { newId } from './kept';
import { other } from './played';

/** What opening a link has led to, for a message. */
export type MailNote = 'new' | 'goesOn' | 'known' | 'older' | 'answered' | 'planned' | 'kept';

/** A link that does not simply go on from the kept game: the user chooses. */
export interface MailQuestion {
  /** Both have gone on differently, or the link has moves of the user's side that were not made here. */
  kind: 'fork' | 'own';
  /** The move at which they part. */
  number: number;
  link: GameLink;
}

export class MailStore extends FriendGame {
  private state: FriendState | null = null;
  note: MailNote | null = null;
  question: MailQuestion | null = null;
  /** The comment that the next link shall have for the last move. */
  comment = '';

  constructor(private readonly games: GameStore) {
    super();
    games.onRemoved((id) => {
      if (id === this.state?.log.header.id) {
        this.close();
      }
    });
  }

  get log(): FriendLog | null {
    return this.state?.log ?? null;
  }

  get side(): Side {
    return this.state?.side ?? 'w';
  }

  get plan(): readonly PlanLine[] {
    return this.state?.plan ?? [];
  }

  get isPlanSent(): boolean {
    return this.state?.isPlanSent ?? false;
  }

  /** Whether the board may be moved on: it is the user's turn and the last position is shown. */
  get mayMove(): boolean {
    return this.isMyTurn && !this.question && (this.log?.session.isAtEnd ?? false);
  }

  /** Whether something has been done that the other side does not know. */
  get isUnsent(): boolean {
    const { state } = this;
    return state !== null && (state.log.events.length > state.shared || this.hasComment);
  }

  /** Whether the last own move can still get a comment. */
  get mayComment(): boolean {
    const { state, log } = this;
    const at = state && log ? log.events.map(({ what }) => what).lastIndexOf('move') : -1;
    return state !== null && log !== null && at >= state.shared && log.lastMover === state.side;
  }

  private get hasComment(): boolean {
    return this.mayComment && this.comment.trim() !== '';
  }

  begin(header: Omit<FriendHeader, 'id' | 'kind' | 'day' | 'time'>, side: Side): void {
    const log = new FriendLog({
      ...header,
      id: newId(),
      kind: 'mail',
      day: Math.floor(Date.now() / DAY_MS),
      time: null,
    });
    this.show({ ...EMPTY, log, side });
    this.store();
  }

  private show(state: FriendState, note: MailNote | null = null): void {
    state.log.session.step(1_000_000);
    this.state = state;
    this.note = note;
    this.question = null;
    this.comment = '';
    this.changed();
  }

  close(): void {
    this.state = null;
    this.note = null;
    this.question = null;
    this.changed();
  }

  /** Goes on with a kept game. */
  resume(state: FriendState): void {
    this.show(state);
  }

  /** Opens a link: finds its game among the kept ones and goes on with it. `name` is the user's. Throws FriendFault. */
  async open(link: GameLink, name = ''): Promise<void> {
    if (link.log.header.kind !== 'mail') {
      throw new FriendFault('wrongLink');
    }
    const kept = await findFriend(this.games, link.log.header.id);
    if (!kept) {
      const side = other(link.sender);
      const shared = link.log.events.length;
      link.log.name(side, name);
      this.show({ ...EMPTY, log: link.log, side, shared, theirs: link.plan }, 'new');
      this.store();
      return;
    }
    if (!isSameGame(kept.log.header, link.log.header)) {
      throw new FriendFault('other');
    }
    this.compare(kept, link);
  }

  private compare(kept: FriendState, link: GameLink): void {
    const [mine, theirs] = [kept.log.events, link.log.events];
    const common = commonEvents(mine, theirs);
    if (common === theirs.length) {
      kept.log.name(link.sender, link.log.header.names[link.sender === 'w' ? 0 : 1]);
      if (link.sender !== kept.side && common === mine.length && link.plan.length > 0) {
        kept.theirs = link.plan;
      }
      this.show(kept, common === mine.length ? 'known' : 'older');
      this.store();
      return;
    }
    const ask = (kind: MailQuestion['kind'], at: number) => {
      this.show(kept);
      this.question = { kind, number: replayed(link.log, at).moveNumber, link };
      this.changed();
    };
    if (common < mine.length) {
      ask('fork', common);
      return;
    }
    if (link.sender === kept.side) {
      // The user's own link, from another device.
      this.adopt(kept, link);
      return;
    }
    // What the link adds must be the other side's, or the user's own conditional moves. A comment that was written here
    // may have gone with a link that was copied by hand.
    const isBy = (at: number) => link.log.authors[common + at] === kept.side;
    const added = theirs.slice(common);
    const others = added.filter(({ what }, at) => !(what === 'comment' && isBy(at)));
    const moves = others.flatMap((event) => (event.what === 'move' ? [event.uci] : []));
    const isOwn = (event: FriendEvent, at: number) => isBy(at) && event.what !== 'comment' && event.what !== 'move';
    const first = added.findIndex(({ what }) => what === 'move');
    if ((first >= 0 && isBy(first)) || added.some(isOwn) || !follow(kept.plan, moves)) {
      ask('own', common);
      return;
    }
    this.adopt(kept, link, moves);
  }

  /** Goes on with the game of a link; `moves` are those that the own plan may answer. */
  private adopt(kept: FriendState, link: GameLink, moves: string[] = []): void {
    const { log } = link;
    for (const [at, side] of (['w', 'b'] as const).entries()) {
      log.name(side, kept.log.header.names[at] ?? '');
    }
    const followed = follow(kept.plan, moves);
    const state: FriendState = {
      ...kept,
      log,
      shared: log.events.length,
      plan: followed?.plan ?? [],
      theirs: link.sender === kept.side ? new Uint8Array() : link.plan,
    };
    let note: MailNote = 'goesOn';
    if (followed?.due && !log.result && log.turn === kept.side) {
      log.add({ what: 'move', uci: followed.due });
      note = 'planned';
    }
    this.show(state, note);
    this.store();
  }

  /** Answers a question: the kept game stays as it is. */
  keepMine(): void {
    this.question = null;
    this.note = 'kept';
    this.changed();
  }

  /** Answers a question: the game of the link goes on, the kept one stays beside it under another name. */
  takeLink(): void {
    const { state, question } = this;
    if (!state || !question) {
      return;
    }
    const copy = keptFriend(state);
    const { friend: _, ...rest } = copy;
    this.games.keep({ ...rest, id: newId(), kind: 'opened' });
    this.adopt({ ...state, plan: [] }, question.link);
  }

  private do(event: FriendEvent): void {
    this.state?.log.add(event);
    this.note = null;
  }

  move(uci: string): void {
    const { state } = this;
    if (!state || !this.mayMove) {
      return;
    }
    const found = state.theirs.length > 0 ? unsealed(state.log, state.theirs, uci) : null;
    this.do({ what: 'move', uci });
    state.plan = [];
    if (found && !state.log.result) {
      // The other side has answered already. Now that it is seen, the move stands.
      this.do({ what: 'move', uci: found.answer });
      state.shared = state.log.events.length;
      state.theirs = found.rest;
      this.note = 'answered';
    }
    state.log.session.step(1_000_000);
    this.store();
    this.changed();
  }

  /** Whether what has not been sent can be taken back. */
  get mayUndo(): boolean {
    return this.state !== null && this.state.log.events.length > this.state.shared;
  }

  undo(): void {
    const { state } = this;
    if (state && this.mayUndo) {
      state.log = replayed(state.log, state.shared);
      state.plan = [];
      state.log.session.step(1_000_000);
      this.note = null;
      this.store();
      this.changed();
    }
  }

  get mayOffer(): boolean {
    const { log } = this;
    return log !== null && !log.result && log.lastMover === this.side && log.offer === null;
  }

  offerDraw(): void {
    if (this.mayOffer) {
      this.act({ what: 'offer', side: this.side });
    }
  }

  agree(): void {
    if (this.isOffered) {
      this.act({ what: 'agree', side: this.side });
    }
  }

  resign(): void {
    if (this.log && !this.log.result) {
      this.act({ what: 'resign', side: this.side });
    }
  }

  /** Starts, stops or claims a count by hand. Throws FriendFault if the rules do not allow it. */
  count(word: 'start' | 'stop' | 'claim'): void {
    if (this.mayMove) {
      this.act({ what: 'count', word });
    }
  }

  private act(event: FriendEvent): void {
    this.do(event);
    this.store();
    this.changed();
  }

  setComment(text: string): void {
    this.comment = text.slice(0, MOST_COMMENT);
    this.changed();
  }

  /** Adds a line of conditional moves: theirs, ours and so on. */
  addLine(moves: readonly string[]): void {
    if (this.state && !this.isMyTurn) {
      this.state.plan = withLine(this.state.plan, moves);
      this.store();
      this.changed();
    }
  }

  removeLine(moves: readonly string[]): void {
    if (this.state) {
      this.state.plan = withoutLine(this.state.plan, moves);
      this.store();
      this.changed();
    }
  }

  sendPlan(isSent: boolean): void {
    if (this.state) {
      this.state.isPlanSent = isSent;
      this.store();
      this.changed();
    }
  }

  /** The link that stands for the game now. */
  get link(): string {
    const { state } = this;
    if (!state) {
      return '';
    }
    const log = this.hasComment ? this.commented(state.log) : state.log;
    const plan = state.isPlanSent && !this.isMyTurn ? sealed(log, state.plan) : new Uint8Array();
    return friendAddress({ kind: 'game', log, sender: state.side, plan });
  }

  private commented(log: FriendLog): FriendLog {
    const copy = replayed(log);
    if (!copy.result) {
      copy.add({ what: 'comment', text: this.comment.trim() });
    }
    return copy;
  }

  /** The link has been handed over: what is in it can no longer be taken back. */
  sent(): void {
    const { state } = this;
    if (state) {
      if (this.hasComment) {
        state.log = this.commented(state.log);
        state.log.session.step(1_000_000);
      }
      this.comment = '';
      state.shared = state.log.events.length;
      this.store();
      this.changed();
    }
  }

  private store(): void {
    if (this.state) {
      this.games.keep(keptFriend(this.state));
    }
  }
}

const EMPTY = { shared: 0, plan: [], isPlanSent: false, theirs: new Uint8Array(), left: null };
