// The repertoire drill: the book plays the other side by weight, and asks for the moves of one side. What was failed is
// asked again.
import type { Asker, EngineQueue } from '../engine/queue';
import type { Side } from '../rules/types';
import { lossOf, movesWithin } from './explorer';
import { type BookMove, type BookPosition, centipawns, gamesOf, type OpeningBook } from './explorer-book';
import { boardAfter, boardOfFen, keyOfBoard, keyText } from './explorer-key';
import type { DrillProgress } from './explorer-progress';
import { EXERCISE_RULES } from './playout';
import { Session } from './session';
import { Store } from './store';

/** A move is right if it is at most this number of centipawns worse than the best one. */
export const RIGHT_CP = 10;
/** The other side plays moves at most so much worse. */
const REPLY_CP = 15;
/** Milliseconds before a reply. */
const REPLY_MS = 400;
/** Plies after which a line ends. */
const MOST_PLIES = 40;

export interface DrillStart {
  side: Side;
  fen: string;
}

export type DrillState =
  | 'none'
  /** The book is about to move. */
  | 'reply'
  | 'toMove'
  /** The book's move is shown, and is to be played. */
  | 'wrong'
  /** The book ends here, or the repeated position is answered. */
  | 'over';

/** What was wrong. */
export interface Mistake {
  /** In the notation of the page; empty if the move was asked for. */
  san: string;
  best: string;
  bestUci: string;
  /** Centipawns; null if the book does not know the move. */
  loss: number | null;
}

export class DrillStore extends Store {
  state: DrillState = 'none';
  session: Session | null = null;
  side: Side = 'w';
  /** The start of the lines; null while failed positions are repeated. */
  start: DrillStart | null = null;
  mistake: Mistake | null = null;
  /** Of this line. */
  right = 0;
  wrong = 0;
  private book: OpeningBook | null = null;
  private readonly asker: Asker;

  constructor(
    engine: EngineQueue,
    readonly progress: DrillProgress,
    /** From 0 up to 1. */
    private readonly random: () => number,
  ) {
    super();
    this.asker = engine.asker();
  }

  /** Whether the book knows a position with scores. */
  static knows(book: OpeningBook, fen: string): boolean {
    const place = boardOfFen(fen);
    return place !== null && book.find(keyOfBoard(place.board, place.turn))?.score != null;
  }

  begin(book: OpeningBook, start: DrillStart): void {
    this.book = book;
    this.start = start;
    this.open(start.fen, start.side);
  }

  /** The next line from the same start, or the next failed position that is due. */
  next(): void {
    if (this.start && this.book) {
      this.begin(this.book, this.start);
    } else if (this.book) {
      this.repeat(this.book);
    }
  }

  /** Asks for the failed position that has been due longest. False if none is. */
  repeat(book: OpeningBook): boolean {
    this.book = book;
    this.start = null;
    for (const { key, fen } of this.progress.due) {
      const place = boardOfFen(fen);
      if (place && DrillStore.knows(book, fen)) {
        this.open(fen, place.turn);
        return true;
      }
      // Another book has come since.
      this.progress.forget(key);
    }
    this.close();
    return false;
  }

  private open(fen: string, side: Side): void {
    this.asker.giveUp();
    this.session = Session.start(EXERCISE_RULES, fen);
    this.side = side;
    this.right = 0;
    this.wrong = 0;
    this.mistake = null;
    this.goOn();
  }

  close(): void {
    this.asker.giveUp();
    this.session = null;
    this.mistake = null;
    this.state = 'none';
    this.changed();
  }

  /** The board shows another position of the line. */
  redraw(): void {
    this.changed();
  }

  get mayMove(): boolean {
    return (
      (this.state === 'toMove' || this.state === 'wrong') &&
      this.session?.view.turn === this.side &&
      this.session.isAtEnd
    );
  }

  /** What the book knows of the position at the end of the line. */
  private here(): { key: string; board: string; found: BookPosition } | null {
    const place = this.session && boardOfFen(this.session.view.fen);
    if (!place) {
      return null;
    }
    const key = keyOfBoard(place.board, place.turn);
    const found = this.book?.find(key);
    return found ? { key: keyText(key), board: place.board, found } : null;
  }

  private goOn(): void {
    const { session } = this;
    if (!session) {
      return;
    }
    const here = this.here();
    const isOut = !here || movesWithin(here.found, 0).length === 0 || session.line.length > MOST_PLIES;
    if (isOut || session.view.outcome || (this.start === null && session.line.length > 1)) {
      this.state = 'over';
    } else if (session.view.turn === this.side) {
      this.state = 'toMove';
    } else {
      this.state = 'reply';
      this.asker.after(REPLY_MS, () => this.reply(here));
    }
    this.changed();
  }

  private reply({ board, found }: { board: string; found: BookPosition }): void {
    const moves = movesWithin(found, REPLY_CP);
    // Where the book goes on, if it does after any.
    const further = moves.filter(({ uci }) => {
      const key = keyOfBoard(boardAfter(board, uci), this.side);
      return this.book?.find(key)?.score != null;
    });
    const move = drawn(further.length > 0 ? further : moves, this.random());
    this.session?.step(1_000_000);
    if (move) {
      this.session?.play(move.uci);
    }
    this.goOn();
  }

  /** The answer. Only the first one in a position counts. */
  play(uci: string): void {
    const { session } = this;
    const here = this.mayMove ? this.here() : null;
    const move = session?.view.moves.find((one) => one.uci === uci);
    if (!session || !here || !move || !this.book) {
      return;
    }
    const loss = lossOf(this.book, here.found, here.board, this.side, uci);
    if (loss === null || loss > RIGHT_CP) {
      this.fail(here, move.san, loss);
      return;
    }
    if (this.state === 'toMove') {
      this.right += 1;
      this.note(here.key, true);
    }
    this.mistake = null;
    session.play(uci);
    this.goOn();
  }

  /** Shows the book's move, which counts as a failure. */
  show(): void {
    this.session?.step(1_000_000);
    const here = this.state === 'toMove' ? this.here() : null;
    if (here) {
      this.fail(here, '', null);
    }
  }

  private fail(here: { key: string; found: BookPosition }, san: string, loss: number | null): void {
    const bestUci = here.found.moves[0]?.uci ?? '';
    const best = this.session?.view.moves.find(({ uci }) => uci === bestUci)?.san ?? bestUci;
    if (this.state === 'toMove') {
      this.wrong += 1;
      this.note(here.key, false);
    }
    this.mistake = { san, best, bestUci, loss };
    this.state = 'wrong';
    this.changed();
  }

  private note(key: string, isRight: boolean): void {
    if (this.session) {
      this.progress.note(key, this.session.view.fen, isRight);
    }
  }
}

/**
 * One of the moves, the first of which is the best: by its distance to the margin and the root of its games, as the
 * program draws them. `random` goes from 0 up to 1.
 */
export function drawn(moves: readonly BookMove[], random: number): BookMove | undefined {
  const best = centipawns(moves[0]?.score ?? 0);
  const weights = moves.map((move) => {
    const left = REPLY_CP + 1 - (best - centipawns(move.score ?? 0));
    return left * (1 + Math.floor(Math.sqrt(gamesOf(move))));
  });
  let left = random * weights.reduce((sum, weight) => sum + weight, 0);
  return moves.find((_, at) => {
    left -= weights[at] ?? 0;
    return left < 0;
  });
}
