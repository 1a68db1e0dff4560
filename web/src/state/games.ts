// My games: every game that was played or opened. They are kept in the browser's database; where that refuses, in
// memory, and the user is asked to save them.
import type { GameDatabase } from './games-db';
import { forgetLeft, leave, left, withoutLeft } from './games-left';
import { exported, type KeptGame, type KeptReport, type Kind, merged, newId, type Summary, tagsOf } from './kept';
import { settings } from './settings';
import { Store } from './store';
import type { Tabs } from './tabs';
import { toasts } from './toasts';

/** Changes are written so many milliseconds after the first of them. */
const WRITE_MS = 300;

/** What is there of a deleted game, to bring it back. */
export interface Removed {
  game: KeptGame;
  report: KeptReport | null;
}

export class GameStore extends Store {
  /** Changes that the database does not have yet. */
  private readonly waiting = new Map<string, KeptGame>();
  private readonly waitingReports = new Map<string, KeptReport>();
  private timer = 0;
  private writing: Promise<void> = Promise.resolve();
  private isRefusalSaid = false;
  private readonly removedHere = new Set<(id: string) => void>();
  private readonly broughtBack = new Set<(id: string) => void>();
  /** What this tab leaves lies under a name of its own. */
  private readonly tab = newId();
  /** What earlier pages left and this one has not written yet. */
  private taken: ReturnType<typeof left>['texts'] = [];

  private loaded: Promise<GameDatabase> | null = null;

  constructor(
    /** The page is usable before the database is there. */
    private readonly load: () => Promise<GameDatabase>,
    readonly tabs: Tabs,
    /** Hands a text to the browser's downloads. */
    private readonly download: (pgn: string) => void,
  ) {
    super();
    tabs.hear((message) => {
      if (message.what === 'removed') {
        this.waiting.delete(message.id);
        this.reportRemoved(message.id);
      }
      if (message.what === 'written' || message.what === 'removed') {
        this.changed();
      }
    });
  }

  private database(): Promise<GameDatabase> {
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }

  /** Keeps a game, new or changed, and says so to the other tabs. */
  keep(game: KeptGame, { isNews = true } = {}): void {
    const next = merged(this.waiting.get(game.id) ?? null, game);
    if (!next) {
      return;
    }
    this.waiting.set(game.id, next);
    if (isNews) {
      this.tabs.post({ what: 'game', game: next });
    }
    this.timer ||= window.setTimeout(() => void this.flush(), WRITE_MS);
    this.changed();
  }

  /** Keeps a game that was opened or copied, unless it is there as it is. Returns the name of its entry. */
  async keepOpened(summary: Summary, id: string, kind: Kind): Promise<string> {
    const isSame = (game: KeptGame) =>
      game.pgn === summary.pgn && (!game.play || game.play.result) && game.rules.variant === summary.rules.variant;
    let found = [...this.waiting.values()].find(isSame);
    try {
      found ??= (await (await this.database()).withMoves(summary.moves)).find(isSame);
    } catch {
      // It is said when the game is written.
    }
    if (found) {
      return found.id;
    }
    const now = Date.now();
    this.keep({ ...summary, id, kind, tags: [], created: now, changed: now });
    void this.flush();
    return id;
  }

  /** Whether the database has everything. */
  get isWritten(): boolean {
    return this.waiting.size === 0 && this.waitingReports.size === 0;
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** The page is left. The browser may end it before the database has written: what waits is stored beside it. */
  leavePage(): void {
    if (this.waiting.size > 0 || this.waitingReports.size > 0) {
      leave(this.tab, [...this.waiting.values()], [...this.waitingReports.values()]);
    }
    void this.flush();
  }

  /** Keeps what was not written when this page or another tab was left. */
  restore(): void {
    const { games, reports, texts } = left();
    this.taken = texts;
    for (const game of games) {
      this.keep(game, { isNews: false });
    }
    for (const report of reports) {
      this.keepReport(report);
    }
  }

  private async write(): Promise<void> {
    const games = [...this.waiting.values()];
    const reports = [...this.waitingReports.values()];
    if (games.length === 0 && reports.length === 0) {
      return;
    }
    try {
      if (games.length > 0) {
        await (await this.database()).put(games);
      }
      for (const game of games) {
        forgetSame(this.waiting, game);
      }
      for (const report of reports) {
        await (await this.database()).putReport(report);
        forgetSame(this.waitingReports, report);
      }
      forgetLeft(this.tab, this.taken);
      this.taken = [];
      this.tabs.post({ what: 'written' });
    } catch (error) {
      this.refused(error);
    }
    this.changed();
  }

  /** Says once that games are in memory only, and offers to save them. */
  private refused(error: unknown): void {
    if (this.isRefusalSaid) {
      return;
    }
    this.isRefusalSaid = true;
    const isFull = error instanceof Error && error.name === 'QuotaExceededError';
    const action = { label: 'games.export' as const, run: () => void this.exportAll() };
    toasts.keep(isFull ? 'games.full' : 'games.refused', {}, action);
  }

  /** All games, the last changed first. */
  async list(): Promise<KeptGame[]> {
    let stored: KeptGame[] = [];
    try {
      stored = await (await this.database()).all();
    } catch (error) {
      this.refused(error);
    }
    const all = new Map(stored.map((game) => [game.id, game]));
    for (const game of this.waiting.values()) {
      const next = merged(all.get(game.id) ?? null, game);
      if (next) {
        all.set(game.id, next);
      }
    }
    return [...all.values()].sort((a, b) => b.changed - a.changed);
  }

  async report(id: string): Promise<KeptReport | null> {
    const waiting = this.waitingReports.get(id);
    return (
      waiting ??
      (await this.database()
        .then((database) => database.report(id))
        .catch(() => null))
    );
  }

  keepReport(report: KeptReport): void {
    this.waitingReports.set(report.id, report);
    void this.flush();
  }

  async setTags(game: KeptGame, text: string): Promise<void> {
    const tags = tagsOf(text);
    await this.flush();
    const waiting = this.waiting.get(game.id);
    if (waiting) {
      this.waiting.set(game.id, { ...waiting, tags });
    }
    try {
      await (await this.database()).setTags(game.id, tags);
    } catch (error) {
      this.refused(error);
    }
    this.tabs.post({ what: 'written' });
    this.changed();
  }

  /** Calls `listen` with the name of each game that is deleted. */
  onRemoved(listen: (id: string) => void): void {
    this.removedHere.add(listen);
  }

  private reportRemoved(id: string): void {
    for (const listen of this.removedHere) {
      listen(id);
    }
  }

  /** Calls `listen` with the name of each deleted game that is brought back. */
  onBroughtBack(listen: (id: string) => void): void {
    this.broughtBack.add(listen);
  }

  /** Deletes a game. Returns what brings it back. */
  async remove(game: KeptGame): Promise<Removed> {
    const report = await this.report(game.id);
    await this.flush();
    this.waiting.delete(game.id);
    this.waitingReports.delete(game.id);
    withoutLeft(game.id);
    try {
      await (await this.database()).delete(game.id);
    } catch (error) {
      this.refused(error);
    }
    this.tabs.post({ what: 'removed', id: game.id });
    this.reportRemoved(game.id);
    this.changed();
    return { game, report };
  }

  /** Brings a deleted game back. If it has gone on since under its name, that stays, with the tags of before. */
  bringBack({ game, report }: Removed): void {
    this.keep(game);
    if (report) {
      this.keepReport(report);
    }
    for (const listen of this.broughtBack) {
      listen(game.id);
    }
    if (game.tags.length > 0) {
      void this.setTags(game, game.tags.join(', '));
    }
  }

  /** Keeps many new games at once. */
  async add(games: KeptGame[]): Promise<void> {
    for (const game of games) {
      this.waiting.set(game.id, game);
    }
    await this.flush();
  }

  /** All games as one PGN text, the oldest first. */
  async pgn(): Promise<string> {
    const games = await this.list();
    return games
      .sort((a, b) => a.created - b.created)
      .map(exported)
      .join('\n');
  }

  async exportAll(): Promise<void> {
    this.download(await this.pgn());
  }

  /** After the first finished game: asks the browser once not to throw away what the page keeps. */
  async askToPersist(): Promise<void> {
    if (settings.value.persistAsked || !navigator.storage?.persist) {
      return;
    }
    settings.set({ persistAsked: true });
    try {
      await navigator.storage.persist();
    } catch {
      // It keeps them as long as it likes.
    }
  }
}

/** A game that was written goes out of what waits, unless it has changed since. */
function forgetSame<T extends { id: string }>(waiting: Map<string, T>, written: T): void {
  if (waiting.get(written.id) === written) {
    waiting.delete(written.id);
  }
}
