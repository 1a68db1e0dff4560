// The opening explorer: what the book, or the games that the page keeps, know of the position on the board.
import { newRecord } from '../rules/rules';
import type { Evaluation, PositionView, RulesChoice, Side } from '../rules/types';
import {
  type BookMove,
  type BookPosition,
  type BookSource,
  centipawns,
  evaluationOf,
  type OpeningBook,
} from './explorer-book';
import { boardAfter, boardOfFen, keyOfBoard } from './explorer-key';
import { OwnGames } from './explorer-own';
import type { GameStore } from './games';
import { other } from './played';
import type { Session } from './session';
import { settings } from './settings';
import { Store } from './store';

/** A move of a game that is this much worse than the book's best one, in centipawns, is named. */
export const WORSE_CP = 20;
/** Moves of a best line. */
const LINE = 7;
/** Plies of a game that are compared with the book. */
const MOST_PLIES = 60;

export interface Row {
  uci: string;
  san: string;
  /** From White's side. */
  score: Evaluation | null;
  results: [number, number, number];
  /** The moves after it, by the book. */
  line: string[];
}

/** What is shown of a position. */
export interface Known {
  rows: Row[];
  /** Depth and thousands of nodes of the position's own search. */
  depth: number;
  kilonodes: number;
}

/** The first move of a side that the book does not have, or that it scores worse. */
export interface Deviation {
  side: Side;
  /** The position before the move. */
  node: number;
  moveNumber: number;
  san: string;
  /** The book's move. */
  best: string;
  bestUci: string;
  /** Centipawns worse; null if the book does not know the move. */
  loss: number | null;
}

export interface Compared {
  deviations: Deviation[];
  /** Plies whose position the book knows with a score, from the start on. */
  known: number;
}

type Source = 'book' | 'games';

export class ExplorerStore extends Store {
  isOpen = false;
  source: Source = 'book';
  book: OpeningBook | null = null;
  isMissing = false;
  own: OwnGames | null = null;
  filter: { side: Side | null; name: string } = { side: null, name: '' };
  /** The last one of several requests for the games counts. */
  private asked = 0;
  private cachedKnown: { key: string; source: unknown; known: Known | null } | null = null;
  private cachedCompared: { key: string; session: Session; compared: Compared } | null = null;

  constructor(
    private readonly books: BookSource,
    private readonly games: Pick<GameStore, 'list' | 'subscribe'>,
  ) {
    super();
    games.subscribe(() => {
      if (this.isOpen && this.source === 'games') {
        void this.readGames();
      }
    });
  }

  toggle(isOpen = !this.isOpen): void {
    this.isOpen = isOpen;
    if (isOpen) {
      void this.load();
    }
    this.changed();
  }

  use(source: Source): void {
    this.source = source;
    void this.load();
    this.changed();
  }

  setFilter(filter: Partial<ExplorerStore['filter']>): void {
    this.filter = { ...this.filter, ...filter };
    void this.readGames();
    this.changed();
  }

  private async load(): Promise<void> {
    if (this.source === 'games') {
      await this.readGames();
    }
    // The book compares games, too, and continues lines.
    await this.loadBook();
  }

  /** Loads the book; tries again where it was missing. */
  async loadBook(): Promise<OpeningBook | null> {
    this.isMissing = false;
    try {
      this.book = await this.books.load();
    } catch {
      this.isMissing = true;
    }
    this.changed();
    return this.book;
  }

  private async readGames(): Promise<void> {
    const asked = ++this.asked;
    const list = await this.games.list();
    if (asked === this.asked) {
      this.own = new OwnGames(list, this.filter);
      this.changed();
    }
  }

  /** What the chosen source knows of the position on the board; null before it has loaded, or if it knows nothing. */
  known(session: Session): Known | null {
    const source = this.source === 'book' ? this.book : this.own;
    const key = `${session.view.fen} ${session.rules.variant} ${settings.value.notation}`;
    if (!source) {
      return null;
    }
    if (this.cachedKnown?.key !== key || this.cachedKnown.source !== source) {
      this.cachedKnown = { key, source, known: this.look(session.view, session.rules) };
    }
    return this.cachedKnown.known;
  }

  private look(view: PositionView, rules: RulesChoice): Known | null {
    const place = placeOf(view.fen, rules);
    if (!place) {
      return null;
    }
    const key = keyOfBoard(place.board, place.turn);
    const found =
      this.source === 'book'
        ? this.book?.find(key)
        : { moves: this.own?.find(key) ?? [], score: null, depth: 0, kilonodes: 0 };
    const moves = (found?.moves ?? []).filter(({ uci }) => view.moves.some((move) => move.uci === uci));
    if (!found || moves.length === 0) {
      return null;
    }
    const lines = moves.map(({ uci }) => {
      const after = boardAfter(place.board, uci);
      return this.book && this.source === 'book' ? bestLine(this.book, after, other(place.turn)) : [];
    });
    const names = namesOf(
      view.markedFen,
      rules,
      moves.map(({ uci }, at) => [uci, ...(lines[at] ?? [])]),
    );
    const rows = moves.map(({ uci, score, results }, at) => {
      const [san = uci, ...line] = names[at] ?? [];
      return { uci, san, score: score === null ? null : evaluationOf(score, place.turn), results, line };
    });
    return { rows, depth: found.depth, kilonodes: found.kilonodes };
  }

  /** The line on the board against the book; null without a book or for a game that the book is not about. */
  compared(session: Session): Compared | null {
    const { book } = this;
    const place = placeOf(session.record.header().startFen, session.rules);
    if (!book || !place) {
      return null;
    }
    const { line } = session;
    const key = `${session.version} ${line.at(-1)} ${settings.value.notation}`;
    if (this.cachedCompared?.key !== key || this.cachedCompared.session !== session) {
      this.cachedCompared = { key, session, compared: compare(book, session, place) };
    }
    return this.cachedCompared.compared;
  }
}

/** A board and the side to move, if the book can know them. */
function placeOf(fen: string, rules: RulesChoice): { board: string; turn: Side } | null {
  return rules.variant === 'makruk' ? boardOfFen(fen) : null;
}

/** The best moves of the book from a board on. */
function bestLine(book: OpeningBook, start: string, first: Side): string[] {
  let [board, turn] = [start, first];
  const seen = new Set<bigint>();
  const line: string[] = [];
  while (line.length < LINE) {
    const key = keyOfBoard(board, turn);
    const best = seen.has(key) ? undefined : book.find(key)?.moves[0];
    if (!best) {
      break;
    }
    seen.add(key);
    line.push(best.uci);
    board = boardAfter(board, best.uci);
    turn = other(turn);
  }
  return line;
}

/** Lines from a position in the notation of the page. What is not legal ends a line. */
function namesOf(fen: string, rules: RulesChoice, lines: string[][]): string[][] {
  const record = newRecord(rules, fen);
  try {
    const paths = lines.map((line) => {
      const path: number[] = [];
      for (const uci of line) {
        try {
          path.push(record.play(path.at(-1) ?? 0, uci));
        } catch {
          break;
        }
      }
      return path;
    });
    const names = new Map(record.tree(settings.value.notation).map(({ id, san }) => [id, san]));
    return paths.map((path) => path.map((node) => names.get(node) ?? ''));
  } finally {
    record.free();
  }
}

/** How much worse a move is than the best one, in centipawns; null if the book does not know the move. */
export function lossOf(book: OpeningBook, found: BookPosition, board: string, turn: Side, uci: string): number | null {
  const best = found.moves[0]?.score ?? null;
  if (best === null) {
    return null;
  }
  const listed = found.moves.find((move) => move.uci === uci)?.score ?? null;
  // A move that no search of this position has found may lead to a position that another one has.
  const after = listed === null ? book.find(keyOfBoard(boardAfter(board, uci), other(turn))) : null;
  const score = listed ?? (after?.score == null ? null : -after.score);
  return score === null ? null : Math.max(0, centipawns(best) - centipawns(score));
}

function compare(book: OpeningBook, session: Session, start: { board: string; turn: Side }): Compared {
  let { board, turn } = start;
  let known = 0;
  let isInside = true;
  const deviations: Deviation[] = [];
  const { line } = session;
  for (let ply = 0; ply + 1 < line.length && ply < MOST_PLIES; ply++) {
    const node = line[ply] ?? 0;
    const made = session.nodeById(line[ply + 1] ?? -1);
    const found = book.find(keyOfBoard(board, turn));
    const best = found?.moves[0];
    isInside &&= found?.score != null;
    known += isInside ? 1 : 0;
    if (!made) {
      break;
    }
    if (found?.score != null && best && !deviations.some(({ side }) => side === turn)) {
      const loss = lossOf(book, found, board, turn, made.uci);
      if (loss === null || loss >= WORSE_CP) {
        const named = session.record.view(node, settings.value.notation).moves.find(({ uci }) => uci === best.uci);
        if (named) {
          const { moveNumber, san } = made;
          deviations.push({ side: turn, node, moveNumber, san, best: named.san, bestUci: best.uci, loss });
        }
      }
    }
    board = boardAfter(board, made.uci);
    turn = other(turn);
  }
  return { deviations, known };
}

/** The scored moves of a position that are at most `margin` centipawns worse than its best one. */
export function movesWithin({ moves }: BookPosition, margin: number): BookMove[] {
  const best = moves[0]?.score ?? null;
  return best === null
    ? []
    : moves.filter(({ score }) => score !== null && centipawns(best) - centipawns(score) <= margin);
}
