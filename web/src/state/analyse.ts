// Analysis: a game with variations, lines of the engine, the report of a whole game.
import type { GameRecord, Library } from 'sakmak/study';
import type { Asker, EngineQueue } from '../engine/queue';
import { faultOf, libraryOf } from '../rules/rules';
import type { Evaluation, FaultData, GameReport, LibraryEntry, RulesChoice, SearchLine } from '../rules/types';
import type { GameStore } from './games';
import { isWorthKeeping, type KeptGame, type Kind, newId, sessionOf, summaryOf } from './kept';
import { Session } from './session';
import { settings } from './settings';
import { Store } from './store';
import { drop, load, save } from './stored';
import { toasts } from './toasts';

/** Nodes that the analysis of a game gives each position. */
export const NODES_A_MOVE = 300_000;
/** The engine begins so many milliseconds after the board has come to rest. */
const REST_MS = 120;
/** The game is saved so many milliseconds after its last change. */
const SAVE_MS = 400;

export interface Report {
  /** Nodes of the line that was analysed, the start first. */
  nodes: number[];
  data: GameReport;
}

export class AnalyseStore extends Store {
  private current: Session | null = null;
  isEngineOn = false;
  lines: SearchLine[] = [];
  /** Games of the last text, if it held several. */
  library: { games: Library; entries: LibraryEntry[] } | null = null;
  /** Whether the list of the library has not been shown yet. */
  isLibraryNew = false;
  report: Report | null = null;
  progress: { finished: number; total: number } | null = null;
  private saving = 0;
  /** The entry among the kept games; empty until there is something to keep. */
  private id = '';
  /** The entry of the game on the board that was deleted: changes and undo go on with it. */
  private removed = '';
  private kind: Kind = 'analysed';
  private changedAt = 0;
  /** The version of the record that is kept. */
  private keptVersion = 0;

  /** What is asked of the engine: the lines of the position on the board, the report of the game. */
  private readonly lookup: Asker;
  private readonly review: Asker;

  constructor(
    engine: EngineQueue,
    private readonly games: GameStore,
  ) {
    super();
    this.lookup = engine.asker();
    this.review = engine.asker();
    games.tabs.hear((message) => {
      if (message.what === 'game') {
        this.follow(message.game);
      }
    });
    games.onRemoved((id) => {
      if (id === this.id) {
        this.id = '';
        this.removed = id;
        this.save();
      }
    });
    games.onBroughtBack((id) => {
      if (id === this.removed && !this.id) {
        this.id = id;
        this.save();
      }
    });
  }

  /** The entry of the game on the board; empty until there is something to keep. */
  get entryId(): string {
    return this.id;
  }

  /** The game on the board. */
  get session(): Session {
    this.current ??= Session.start(settings.value.rules);
    return this.current;
  }

  /** Puts another game on the board, and among the kept games. `id` names the entry of one that is there. */
  open(session: Session, { kind = 'opened', id = '' }: { kind?: Kind; id?: string } = {}): void {
    this.leaveGame();
    this.put(session, kind, id);
    if (id) {
      void this.bringReport(session);
    } else if (isWorthKeeping(session.record)) {
      this.id = newId();
      void this.keepOpened(session);
    }
    this.moved();
  }

  /** Keeps the last changes of the game on the board, before another one stands there. */
  private leaveGame(): void {
    this.cancelReport();
    this.keepChanges();
  }

  private put(session: Session, kind: Kind, id: string): void {
    this.current = session;
    this.report = null;
    this.kind = kind;
    this.id = id;
    this.removed = '';
    this.changedAt = Date.now();
    this.keptVersion = session.version;
  }

  /** A game that is there already as it is gets no second entry. */
  private async keepOpened(session: Session): Promise<void> {
    const { id } = this;
    const found = await this.games.keepOpened(summaryOf(session.record), id, this.kind);
    if (this.current === session && this.id === id && found !== id && session.version === this.keptVersion) {
      this.id = found;
      this.save();
      await this.bringReport(session);
    }
  }

  /** Opens a kept game. One that is still played is copied. Returns what is wrong with it. */
  openKept(game: KeptGame): FaultData | null {
    try {
      const isPlayed =
        (game.play !== undefined && !game.play.result) || (game.friend !== undefined && game.result === '*');
      this.open(sessionOf(game), isPlayed ? { kind: 'analysed' } : { kind: game.kind, id: game.id });
      return null;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Shows the kept report of the game, if its moves are still there. */
  private async bringReport(session: Session): Promise<void> {
    const { id } = this;
    const kept = await this.games.report(id);
    if (!kept || this.current !== session || this.id !== id || this.report || this.progress) {
      return;
    }
    const nodes = nodesOf(session, kept.moves);
    if (nodes.length === kept.moves.length + 1) {
      this.report = { nodes, data: kept.data };
      this.changed();
    }
  }

  /** Another tab has changed the game on the board. */
  private follow(game: KeptGame): void {
    const { current } = this;
    if (!current || game.id !== this.id || game.changed <= this.changedAt) {
      return;
    }
    if (current.version !== this.keptVersion) {
      // Both have changed it: this tab goes on with a copy.
      this.id = newId();
      this.store();
      return;
    }
    try {
      const session = sessionOf(game);
      const path = current.line.slice(1, current.line.indexOf(current.node) + 1);
      const moves = path.map((node) => current.nodeById(node)?.uci ?? '');
      session.go(nodesOf(session, moves).at(-1) ?? 0);
      this.cancelReport();
      this.put(session, game.kind, game.id);
      this.changedAt = game.changed;
      void this.bringReport(session);
      this.search();
      this.changed();
    } catch {
      // The other tab has another version of the page.
    }
  }

  /** Reads a text: a game, several, or a position. Returns what is wrong with all of it. */
  read(text: string): FaultData | null {
    try {
      const games = libraryOf(text, settings.value.rules);
      if (games.length > 1) {
        this.library = { games, entries: games.games() };
        this.isLibraryNew = true;
        this.changed();
        return null;
      }
      this.library = null;
      return this.openGame(games, 0);
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Opens a game of the library. A game with an illegal move is shown up to there, with a word. */
  openGame(games: Library, index: number): FaultData | null {
    try {
      const { record, error, warning } = games.open(index);
      const session = new Session(record);
      if (error && session.tree.length === 1) {
        return faultOf(error);
      }
      const word = error ?? warning;
      if (word) {
        toasts.fault(faultOf(word));
      }
      this.open(session);
      return null;
    } catch (error) {
      return faultOf(error);
    }
  }

  closeLibrary(): void {
    this.library = null;
    this.changed();
  }

  reset(rules: RulesChoice = settings.value.rules, fen?: string): void {
    this.open(Session.start(rules, fen), { kind: 'analysed' });
  }

  /** The start position. The game that stood there can be brought back. */
  clear(): void {
    this.keepChanges();
    const { current, kind, id, report } = this;
    this.reset();
    if (current && id) {
      const undo = () => {
        this.open(current, { kind, id });
        this.report = report;
        this.changed();
      };
      toasts.offer('analyse.cleared', {}, { label: 'undo', run: undo });
    }
  }

  play(text: string): void {
    this.session.play(text);
    this.moved();
  }

  /** Goes to the position after moves of the engine. What the game lacks of them becomes a variation. */
  playLine(moves: string[]): void {
    const { session } = this;
    const { node } = session;
    let added: number | null = null;
    try {
      added = session.playLine(moves);
    } catch (error) {
      toasts.fault(faultOf(error));
    }
    this.moved();
    if (added !== null) {
      this.offerToRemove(added, node);
    }
  }

  /** Offers to remove the moves that were added now, and to go back to `node`. */
  private offerToRemove(added: number, node: number): void {
    const { session } = this;
    const { version } = session;
    const undo = () => {
      if (this.current !== session || !session.nodeById(added)) {
        return;
      }
      if (session.version === version) {
        session.edit((record) => record.deleteFrom(added));
        this.go(node);
      } else {
        // It holds later changes, which can be brought back.
        this.deleteFrom(added);
      }
    };
    toasts.offer('analyse.line.added', {}, { label: 'undo', run: undo });
  }

  go(node: number): void {
    this.session.go(node);
    this.moved();
  }

  step(plies: number): void {
    const before = this.session.node;
    this.session.step(plies);
    if (this.session.node !== before) {
      this.moved();
    }
  }

  edit(work: (record: GameRecord) => void): void {
    try {
      this.session.edit(work);
    } catch (error) {
      const fault = faultOf(error);
      toasts.fault(fault);
    }
    this.moved();
  }

  /** Takes a move out with all that follows it. */
  deleteFrom(node: number): void {
    this.offerUndo(node);
    const { session } = this;
    const line = session.record.lineThrough(session.node);
    const at = line.indexOf(node);
    const isShown = at >= 0 && at <= line.indexOf(session.node);
    let parent = 0;
    session.edit((record) => {
      parent = record.deleteFrom(node);
    });
    if (isShown) {
      session.go(parent);
    }
    this.moved();
  }

  /** Offers to bring back what is deleted now. */
  private offerUndo(node: number): void {
    const { session, id, kind, report } = this;
    const before = { pgn: session.record.pgn(), rules: session.rules };
    const path = session.record.lineThrough(node);
    const moves = path.slice(1, path.indexOf(node) + 1).map((one) => session.nodeById(one)?.uci ?? '');
    const after = session.version + 1;
    const undo = () => {
      const whole = sessionOf(before);
      whole.go(nodesOf(whole, moves).at(-1) ?? 0);
      if (this.current !== session || session.version !== after) {
        // What was done since then stays too, in the entry of its own.
        this.open(whole, { kind });
        return;
      }
      this.cancelReport();
      this.put(whole, kind, this.id || id);
      // It differs from what is kept.
      this.keptVersion = -1;
      if (report) {
        void this.bringReport(whole);
      }
      this.moved();
    };
    toasts.offer('analyse.deleted', {}, { label: 'undo', run: undo });
  }

  private moved(): void {
    this.lines = [];
    window.clearTimeout(this.saving);
    this.saving = window.setTimeout(() => this.store(), SAVE_MS);
    this.search();
    this.changed();
  }

  toggleEngine(on = !this.isEngineOn): void {
    this.isEngineOn = on;
    this.lines = [];
    this.search();
    this.changed();
  }

  setLines(lines: number): void {
    settings.set({ lines });
    this.search();
  }

  /** Begins to search the position on the board, once it has come to rest. A report in progress comes first. */
  search(): void {
    this.lookup.giveUp();
    if (this.isEngineOn) {
      this.lookup.after(REST_MS, () => this.lookUp());
    }
  }

  private lookUp(): void {
    const { session } = this;
    if (session.view.moves.length === 0) {
      return;
    }
    const { lines, notation, seconds } = settings.value;
    const found = new Map<number, SearchLine>();
    const position = { rules: session.rules, line: session.record.engineLine(session.node) };
    this.lookup.search(
      'lines',
      position,
      { lines, notation, ...(seconds > 0 && { moveTime: seconds * 1000 }) },
      {
        lines: (list) => {
          for (const line of list) {
            found.set(line.rank, line);
          }
          this.lines = [...found.values()].sort((a, b) => a.rank - b.rank);
          this.changed();
        },
        fault: (fault) => {
          this.isEngineOn = false;
          toasts.fault(fault);
          this.changed();
        },
      },
    );
  }

  /** The evaluation of the position on the board: of the search, else the one stored with the move. */
  get evaluation(): Evaluation | null {
    return this.lines[0]?.score ?? this.session.nodeById(this.session.node)?.evaluation ?? null;
  }

  get chances(): [number, number, number] | null {
    const at = this.report?.nodes.indexOf(this.session.node) ?? -1;
    return this.lines[0]?.chances ?? (at >= 0 ? (this.report?.data.positions[at]?.chances ?? null) : null);
  }

  /** Analyses the line on the board from its start to its end. */
  analyseGame(): void {
    const { session } = this;
    const nodes = session.line;
    const last = nodes.at(-1);
    if (last === undefined || nodes.length < 2) {
      return;
    }
    this.lines = [];
    this.report = null;
    this.progress = { finished: 0, total: nodes.length };
    this.changed();
    const position = { rules: session.rules, line: session.record.engineLine(last) };
    const limits = { nodes: NODES_A_MOVE, notation: settings.value.notation };
    this.review.giveUp();
    this.review.report(position, limits, {
      progress: (finished, total) => {
        this.progress = { finished, total };
        this.changed();
      },
      report: (data) => {
        this.progress = null;
        this.take({ nodes, data });
      },
      fault: (fault) => {
        this.progress = null;
        toasts.fault(fault);
        this.changed();
      },
    });
  }

  cancelReport(): void {
    if (this.progress) {
      this.progress = null;
      this.review.giveUp();
      this.changed();
    }
  }

  /** Writes a report into the game: evaluations, glyphs, and the better move as a variation where one was missed. */
  private take(report: Report): void {
    const { nodes, data } = report;
    const { node } = this.session;
    this.session.edit((record) => {
      data.positions.forEach((position, at) => {
        const id = nodes[at];
        if (id !== undefined) {
          record.setEvaluation(id, position.evaluation);
        }
      });
      data.moves.forEach((move, at) => {
        const [before, id] = [nodes[at], nodes[at + 1]];
        if (before === undefined || id === undefined) {
          return;
        }
        record.setGlyph(id, move.glyph);
        const better = data.positions[at]?.line[0];
        if (move.glyph > 0 && better) {
          record.play(before, better);
        }
      });
    });
    this.session.go(node);
    this.report = report;
    this.moved();
    this.store();
    if (this.id) {
      const moves = nodes.slice(1).map((one) => this.session.nodeById(one)?.uci ?? '');
      this.games.keepReport({ id: this.id, moves, data });
    }
  }

  private store(): void {
    this.keepChanges();
    this.save();
  }

  /** Writes what has changed to the entry of the game. */
  private keepChanges(): void {
    const { current } = this;
    if (!current || current.version === this.keptVersion) {
      return;
    }
    this.keptVersion = current.version;
    if (!isWorthKeeping(current.record)) {
      // The entry keeps the moves that were there.
      this.id = '';
      this.removed = '';
      return;
    }
    this.id ||= this.removed || newId();
    this.changedAt = Date.now();
    this.games.keep(this.entry(current));
  }

  private entry(session: Session): KeptGame {
    const { id, kind, changedAt: changed } = this;
    return { ...summaryOf(session.record), id, kind, tags: [], created: changed, changed };
  }

  /** Stores what stands on the board, for the next start. */
  private save(): void {
    if (this.current) {
      const { record, line, node } = this.current;
      save('analyse', { pgn: record.pgn(), node: line.indexOf(node), id: this.id, changed: this.changedAt });
    }
  }

  /** The page is left. */
  leavePage(): void {
    if (this.current) {
      window.clearTimeout(this.saving);
      this.store();
    }
  }

  restore(): void {
    const saved = load('analyse');
    if (!saved) {
      return;
    }
    try {
      const { record } = libraryOf(saved.pgn, settings.value.rules).open(0);
      const session = new Session(record);
      session.step(Math.max(0, saved.node ?? 0));
      // Without a name it was stored before games were kept; with an empty one there is nothing to keep.
      this.put(session, 'analysed', saved.id ?? (isWorthKeeping(record) ? newId() : ''));
      this.changedAt = saved.changed ?? this.changedAt;
      if (this.id) {
        this.games.keep(this.entry(session), { isNews: false });
        void this.bringReport(session);
      }
      if (saved.id === undefined) {
        this.save();
      }
    } catch {
      this.current = null;
      drop('analyse');
    }
  }

  /** The page turns to something else: the engine rests, unless it works on a report. */
  leave(): void {
    this.toggleEngine(false);
    this.store();
  }
}

/** The positions from the start along moves in coordinates, as far as they are in the game. */
function nodesOf(session: Session, moves: string[]): number[] {
  const nodes = [0];
  for (const move of moves) {
    const children = session.nodeById(nodes.at(-1) ?? 0)?.children ?? [];
    const next = children.find((child) => session.nodeById(child)?.uci === move);
    if (next === undefined) {
      break;
    }
    nodes.push(next);
  }
  return nodes;
}
