// A game between two people at one board, or against the engine.
import { SakmakError } from 'sakmak/study';
import type { EngineQueue } from '../engine/queue';
import { faultOf, reasonOf, ruleNames } from '../rules/rules';
import type { FaultData, LegalMove, PositionView, Side } from '../rules/types';
import { Clock, ClockWatch } from './clock';
import type { GameStore } from './games';
import { isWorthKeeping, type KeptGame, newId, sessionOf } from './kept';
import { Opponent } from './opponent';
import { paceMs } from './pace';
import { keptOf, type NewGame, other, played, type Result, type Saved, tagPlayers } from './played';
import { Session } from './session';
import { settings } from './settings';
import { Store } from './store';
import { drop, forget, load, save } from './stored';
import type { TabMessage } from './tabs';
import { toasts } from './toasts';

/** The engine takes at least so many milliseconds, so that its moves can be followed. */
const LEAST_MS = 500;

export class PlayStore extends Store {
  game: NewGame | null = null;
  session: Session | null = null;
  clock: Clock | null = null;
  result: Result | null = null;
  hint: { from: string; to: string } | null = null;
  /** A move that waits for the player's consent: because of what it does to the count, or as each move does. */
  pending: LegalMove | null = null;
  /** The position after a move that waits because each one does. */
  preview: PositionView | null = null;
  /** The game goes on in another tab: this one shows it. */
  isElsewhere = false;
  private readonly watch = new ClockWatch();
  private readonly opponent: Opponent;
  /** The engine declines a draw until the next move. */
  private isDeclined = false;
  /** The entry among the kept games. */
  private id = '';
  /** The entry of this game that was deleted: its next move and undo go on with it. */
  private removed = '';
  private changedAt = 0;
  /** Since when this tab has had the game. */
  private since = 0;

  constructor(
    private readonly engine: EngineQueue,
    private readonly games: GameStore,
    /** The record against the opponents, which is loaded when it is needed. */
    private readonly loadOpponents = () => import('./opponents'),
  ) {
    super();
    this.opponent = new Opponent(engine, () => this.changed());
    games.tabs.hear((message) => this.hear(message));
    games.onRemoved((id) => {
      if (id === this.id) {
        this.id = '';
        this.removed = id;
        this.save();
      }
    });
    games.onBroughtBack((id) => {
      if (id === this.removed && !this.id && this.game) {
        this.id = id;
        this.save();
      }
    });
  }

  /** What another tab says of the game. */
  private hear(message: TabMessage): void {
    const { what } = message;
    if (
      what === 'removed' ||
      what === 'written' ||
      !this.game ||
      (what === 'game' ? message.game.id : message.id) !== this.id
    ) {
      return;
    }
    if (what === 'game') {
      if (this.isElsewhere && message.game.changed > this.changedAt) {
        this.follow(message.game);
      }
    } else if (what === 'take' || (what === 'mine' && message.since < this.since)) {
      this.standBy();
    } else if (what === 'ask' && !this.isElsewhere && this.since < message.since) {
      this.games.tabs.post({ what: 'mine', id: this.id, since: this.since });
      this.store();
    }
  }

  /** Leaves the game to another tab. */
  private standBy(): void {
    this.leave();
    this.isElsewhere = true;
    this.changed();
  }

  private follow({ play, ...game }: KeptGame): void {
    try {
      const session = sessionOf(game);
      session.step(1_000_000);
      this.session = session;
      this.result = play?.result ?? null;
      this.clock = play?.clock ? new Clock(play.clock.control, play.clock.left) : null;
      this.changedAt = game.changed;
      this.changed();
    } catch {
      // The other tab has another version of the page.
    }
  }

  /** Goes on with the game in this tab. */
  takeOver(): void {
    if (this.isElsewhere) {
      this.isElsewhere = false;
      this.since = Date.now();
      this.games.tabs.post({ what: 'take', id: this.id });
      this.session?.step(1_000_000);
      if (this.isOver) {
        this.changed();
      } else {
        this.afterMove();
      }
    }
  }

  /** Asks whether the game is open in another tab. */
  askTabs(): void {
    if (this.id && !this.isOver) {
      this.since = Date.now();
      this.games.tabs.post({ what: 'ask', id: this.id, since: this.since });
    }
  }

  /** The entry of the game, where Analyse may go on with it: once it is over. */
  get entry(): string {
    return this.isOver ? this.id : '';
  }

  /** The name of the entry of the game that is played. */
  get runningEntry(): string {
    return this.isOver || !this.game ? '' : this.id;
  }

  /** Whether a person moves now. */
  get isPersonsTurn(): boolean {
    const { session, game } = this;
    return session !== null && game !== null && (game.level === null || session.view.turn === game.side);
  }

  /** The engine looks for its move. */
  get isThinking(): boolean {
    return this.opponent.asked === 'move';
  }

  /** The engine looks for a hint. */
  get isHinting(): boolean {
    return this.opponent.asked === 'hint';
  }

  /** What has become of the person's draw offer. */
  get offered(): 'asked' | 'declined' | null {
    return this.opponent.asked === 'offer' ? 'asked' : this.isDeclined ? 'declined' : null;
  }

  get isOver(): boolean {
    return this.result !== null;
  }

  /** Whether the board may be moved on: the game goes on and its last position is shown. */
  get mayMove(): boolean {
    return !this.isOver && !this.isElsewhere && this.isPersonsTurn && (this.session?.isAtEnd ?? false);
  }

  /** Whether the person may choose the next move while the engine looks for its own. */
  get mayPremove(): boolean {
    return settings.value.premove && this.isThinking && !this.isElsewhere && (this.session?.isAtEnd ?? false);
  }

  begin(game: NewGame): void {
    this.leave();
    this.engine.clear();
    this.newEntry();
    // A game that is played again is another one.
    this.game = game.animal ? { ...game, animal: { ...game.animal, seed: randomNumber() } } : game;
    this.session = Session.start(game.rules, game.fen);
    this.result = null;
    this.clock = game.time ? new Clock(game.time) : null;
    tagPlayers(this.session, game);
    this.afterMove();
  }

  private newEntry(): void {
    this.id = newId();
    this.removed = '';
    this.since = Date.now();
    this.isElsewhere = false;
  }

  /** The player has chosen a move. One that begins or shortens a count needs a second word, or each move does. */
  choose(move: LegalMove): void {
    const { session } = this;
    if (!this.mayMove || !session || this.preview) {
      return;
    }
    const change = move.count?.what;
    if (settings.value.warn && (change === 'begins' || change === 'shortens') && move.outcome?.reason !== 'checkmate') {
      this.pending = move;
      this.changed();
    } else if (settings.value.confirm) {
      this.pending = move;
      this.preview = session.preview(move.uci);
      this.changed();
    } else {
      this.move(move.uci);
    }
  }

  confirm(): void {
    const move = this.pending;
    this.askNothing();
    if (move && this.mayMove) {
      this.move(move.uci);
    }
    this.changed();
  }

  decline(): void {
    this.askNothing();
    this.changed();
  }

  private askNothing(): void {
    this.pending = null;
    this.preview = null;
  }

  private move(uci: string): void {
    const { session } = this;
    if (!session) {
      return;
    }
    session.play(uci);
    this.id ||= this.removed || newId();
    this.clock?.stop(true);
    this.afterMove();
  }

  /** What follows a move: the end of the game, the clock, the engine's turn. */
  private afterMove(): void {
    const { session, game } = this;
    if (!session || !game) {
      return;
    }
    this.rest();
    const { outcome, turn } = session.view;
    if (outcome) {
      this.finish({ winner: outcome.winner, reason: reasonOf(outcome) });
      return;
    }
    this.clock?.start(turn);
    this.tick();
    this.store();
    if (this.isPersonsTurn) {
      this.changed();
    } else {
      this.think();
    }
  }

  private think(): void {
    const { session, game, clock } = this;
    if (!session || game?.level == null || this.isElsewhere) {
      return;
    }
    const { node } = session;
    const { ratings } = ruleNames();
    const added = (clock?.control.seconds ?? 0) * 1000;
    const strength = {
      level: game.level,
      ratings,
      clock: clock && { left: clock.whole(), added },
      seed: game.animal?.seed ?? randomNumber(),
      ...(game.animal && { animal: game.animal.name }),
    };
    const least = () => this.leastMs(session, game);
    this.opponent.move(session, strength, least, ({ best, stopsCount }) => {
      session.go(node);
      if (best) {
        if (stopsCount) {
          session.edit((record) => record.count(node, 'stop'));
        }
        this.move(best);
      } else {
        this.changed();
      }
    });
    this.changed();
  }

  /** Milliseconds that the engine's move takes at least. */
  private leastMs({ view, tree, lastMove }: Session, { animal, side }: NewGame): number {
    const left = this.clock?.remaining(other(side)) ?? null;
    // A clock that runs out is not waited for.
    if (left !== null && left < 10_000) {
      return 0;
    }
    if (!animal?.isPaced) {
      return LEAST_MS;
    }
    const mayRetake = view.moves.some(({ to, captured }) => captured && to === lastMove?.to);
    return paceMs({ moves: view.moves.length, ply: tree.length - 1, mayRetake, left }, animal.seed);
  }

  /** Whether the engine should move but does not, after it has failed. */
  get isStuck(): boolean {
    const isWaiting = !this.isOver && !this.isThinking && !this.isElsewhere;
    return isWaiting && this.session !== null && !this.isPersonsTurn && this.session.isAtEnd;
  }

  tryAgain(): void {
    if (this.isStuck) {
      this.think();
    }
  }

  private finish(result: Result): void {
    this.leave();
    this.result = result;
    this.session?.edit((record) => {
      record.setTag('Result', result.winner === 'w' ? '1-0' : result.winner === 'b' ? '0-1' : '1/2-1/2');
    });
    this.store();
    this.noteResult(result);
    void this.games.askToPersist();
    this.changed();
  }

  /** Whether the game counts for the person's rating. */
  get isRated(): boolean {
    return this.game?.animal?.isRated ?? false;
  }

  private noteResult({ winner }: Result): void {
    const { game, id } = this;
    if (game?.animal && id) {
      const { name, isRated } = game.animal;
      const score = winner === null ? 0.5 : winner === game.side ? 1 : 0;
      this.loadOpponents().then(
        ({ opponents }) => opponents.note({ id, name, score, isRated }),
        () => toasts.note('page.failed'),
      );
    }
  }

  /** Ends what runs for the game: clock and engine. */
  private leave(): void {
    this.clock?.stop();
    this.watch.stop();
    this.rest();
  }

  /** Ends what belongs to the position on the board. */
  private rest(): void {
    this.opponent.stop();
    this.hint = null;
    this.askNothing();
    this.isDeclined = false;
  }

  /** Looks after the running clock. */
  private tick(): void {
    const { clock, session } = this;
    const out = (side: Side) => {
      // A bare khun cannot win, on time either.
      const isBare = session?.view.bare === other(side);
      this.finish(isBare ? { winner: null, reason: 'timeBare' } : { winner: other(side), reason: 'time' });
    };
    this.watch.start(clock, () => this.changed(), out);
  }

  /** Takes moves back until a person is to move. */
  takeBack(): void {
    const { session } = this;
    if (!session || this.isRated) {
      return;
    }
    const clock = this.clock;
    this.leave();
    if (this.isOver) {
      // The finished game stays as it was.
      this.newEntry();
    }
    this.result = null;
    session.edit((record) => record.setTag('Result', '*'));
    session.step(1_000_000);
    session.takeBack();
    if (this.game?.level != null && session.view.turn !== this.game.side && session.node !== 0) {
      session.takeBack();
    }
    this.clock = clock;
    this.afterMove();
  }

  get mayTakeBack(): boolean {
    return this.session !== null && !this.isElsewhere && !this.isRated && this.session.tree.length > 1;
  }

  resign(): void {
    const { game, session } = this;
    if (!game || !session || this.isOver || this.isElsewhere) {
      return;
    }
    const side = game.level === null ? session.view.turn : game.side;
    this.finish({ winner: other(side), reason: 'resign' });
  }

  /** Two people agree by pressing it; the engine answers by its score and the count. */
  offerDraw(): void {
    const { game, session } = this;
    if (!game || !session || this.isOver || !this.mayMove) {
      return;
    }
    if (game.level === null) {
      this.finish({ winner: null, reason: 'agreement' });
      return;
    }
    this.opponent.draw(session, other(game.side), (agrees) => {
      if (agrees) {
        this.finish({ winner: null, reason: 'agreement' });
      } else {
        this.isDeclined = true;
        this.changed();
      }
    });
    this.changed();
  }

  /** A draw offer is answered first. */
  get mayHint(): boolean {
    return this.mayMove && !this.isRated && this.offered !== 'asked';
  }

  /** Asks for a hint; a second call while the engine looks for it gives that up. */
  showHint(): void {
    const { session } = this;
    if (!session || !this.mayHint) {
      return;
    }
    if (this.isHinting) {
      this.opponent.stop();
    } else {
      const { node } = session;
      this.hint = null;
      this.opponent.hint(session, (best) => {
        if (session.node === node && best) {
          this.hint = { from: best.slice(0, 2), to: best.slice(2, 4) };
        }
        this.changed();
      });
    }
    this.changed();
  }

  /** Begins, stops or claims a count by hand. */
  count(word: 'start' | 'stop' | 'claim'): void {
    const { session } = this;
    if (!session || !this.mayMove) {
      return;
    }
    try {
      session.edit((record) => record.count(session.node, word));
    } catch (error) {
      if (error instanceof SakmakError) {
        toasts.fault(faultOf(error));
        return;
      }
      throw error;
    }
    const { outcome } = session.view;
    if (outcome) {
      this.finish({ winner: outcome.winner, reason: reasonOf(outcome) });
    } else {
      this.store();
      this.changed();
    }
  }

  /** Shows another position of the game. */
  show(node: number): void {
    this.session?.go(node);
    this.askNothing();
    this.changed();
  }

  step(plies: number): void {
    this.session?.step(plies);
    this.askNothing();
    this.changed();
  }

  /** Stores the game for the next start, and keeps it among the others. */
  private store(): void {
    const { game, session } = this;
    if (!game || !session || this.isElsewhere) {
      return;
    }
    this.changedAt = Date.now();
    if (this.id && isWorthKeeping(session.record)) {
      this.games.keep(this.kept(game, session));
    }
    this.save();
  }

  private kept(game: NewGame, session: Session): KeptGame {
    const { id, changedAt, clock, result } = this;
    return keptOf(session, { game, clock: clock?.data() ?? null, result }, id, changedAt);
  }

  private save(): void {
    const { game, session, id, changedAt: changed, clock, result } = this;
    if (game && session && !this.isElsewhere) {
      const saved: Saved = { game, pgn: session.record.pgn(), clock: clock?.data() ?? null, result, id, changed };
      save('play', saved);
    }
  }

  /** Saves the clocks when the page is left. */
  leavePage(): void {
    if (this.session && !this.isOver) {
      this.store();
    }
  }

  /** Brings the game back that was saved. */
  restore(): void {
    const saved = load('play');
    if (!saved) {
      return;
    }
    try {
      this.bring(saved, saved.pgn);
      // What was stored before games were kept has no name; an empty one belongs to a game that was deleted.
      this.id = saved.id ?? newId();
      this.changedAt = saved.changed ?? Date.now();
      const { game, session } = this;
      if (this.id && game && session && isWorthKeeping(session.record)) {
        this.games.keep(this.kept(game, session), { isNews: false });
      }
      this.save();
      this.askTabs();
      this.goOn();
    } catch {
      drop('play');
      this.game = null;
      this.session = null;
      this.clock = null;
      this.result = null;
    }
  }

  /** Goes on with a kept game that is not over. Returns what is wrong with it. */
  resume(kept: KeptGame): FaultData | null {
    if (!kept.play || kept.id === this.runningEntry) {
      return null;
    }
    try {
      this.leave();
      this.engine.clear();
      this.bring(kept.play, kept.pgn);
      this.newEntry();
      this.id = kept.id;
      this.changedAt = kept.changed;
      this.askTabs();
      this.goOn();
      return null;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Puts a stored game on the board. */
  private bring(stored: NonNullable<KeptGame['play']>, pgn: string): void {
    Object.assign(this, played(stored, pgn));
  }

  private goOn(): void {
    if (!this.result) {
      // It may be one that did not fit.
      this.session?.edit((record) => record.setTag('Result', '*'));
      this.afterMove();
    }
  }

  /** No game: the page shows how to begin one. A game that is not over can be brought back. */
  close(): void {
    const { game, session } = this;
    if (game && session && this.runningEntry && !this.isElsewhere && isWorthKeeping(session.record)) {
      this.leave();
      this.store();
      const kept = this.kept(game, session);
      toasts.offer('play.closed', {}, { label: 'undo', run: () => this.resume(kept) });
    }
    this.leave();
    this.game = null;
    this.session = null;
    this.clock = null;
    this.result = null;
    this.id = '';
    this.removed = '';
    this.isElsewhere = false;
    forget('play');
    this.changed();
  }
}

/** A number below 2^32, for the errors of the levels. */
export function randomNumber(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
