// One puzzle on the board: the mistake is shown, right moves are answered by the line, wrong ones by their refutation.
import type { Asker, EngineQueue } from '../engine/queue';
import type { Side } from '../rules/types';
import { other } from './played';
import { EXERCISE_RULES } from './playout';
import type { Puzzle } from './puzzles-data';
import { Session } from './session';
import { Store } from './store';

/** Nodes for a refutation that the solved endings do not know. */
const REFUTATION_NODES = 200_000;
/** Milliseconds before the mistake, before a reply, and between the moves of a shown solution. */
const MISTAKE_MS = 700;
const REPLY_MS = 400;
const SOLUTION_MS = 800;
/** The same where every second counts. */
const QUICK_MS = 250;

export type SolverState =
  /** The mistake before the puzzle is about to be played. */
  | 'mistake'
  | 'toMove'
  /** The other side replies as the line says. */
  | 'reply'
  /** The engine looks for the refutation. */
  | 'refuting'
  /** A wrong move and its refutation stand on the board. */
  | 'wrong'
  /** The solution is played. */
  | 'showing'
  /** The end: by the solver, or shown. */
  | 'solved'
  | 'shown';

export class SolverStore extends Store {
  puzzle: Puzzle | null = null;
  session: Session | null = null;
  side: Side = 'w';
  state: SolverState = 'toMove';
  /** Where the piece stands that a hint has named. */
  hint: string | null = null;
  /** A wrong move, a hint or the solution: it does not count as solved. */
  hasFailed = false;
  /** The answer to a wrong move stands on the board. */
  isRefuted = false;
  /**
   * Why the line has ended before the game: other last moves are right as well, or from here on several moves do. null
   * where the game is over.
   */
  ending: 'others' | 'enough' | null = null;
  /** The place of the next move in the line. */
  private ply = 0;
  /** The position in which the solver is to move. */
  private here = 0;
  private isQuick = false;
  /** Each attempt gives up what the one before has asked, its timers too. */
  private readonly asker: Asker;
  /** Gets the result of the puzzle. */
  private report: (isSolved: boolean) => void = () => {};

  constructor(engine: EngineQueue) {
    super();
    this.asker = engine.asker();
  }

  /**
   * Puts a puzzle on the board. `report` is called once: at the first wrong move, hint or look at the solution, or at
   * the end. A quick puzzle has no refutations. False if the puzzle cannot be played.
   */
  start(puzzle: Puzzle, report: (isSolved: boolean) => void, { isQuick = false } = {}): boolean {
    this.close();
    if (!isPlayable(puzzle)) {
      return false;
    }
    const session = Session.start(EXERCISE_RULES, puzzle.fen);
    const { turn } = session.view;
    this.puzzle = puzzle;
    this.session = session;
    this.side = puzzle.mistake ? other(turn) : turn;
    this.isQuick = isQuick;
    this.report = report;
    this.hasFailed = false;
    this.ending = null;
    this.hint = null;
    this.ply = 0;
    this.here = 0;
    if (puzzle.mistake) {
      this.state = 'mistake';
      this.asker.after(isQuick ? QUICK_MS : MISTAKE_MS, () => {
        this.append(puzzle.mistake);
        this.toMove();
      });
    } else {
      this.toMove();
    }
    this.changed();
    return true;
  }

  close(): void {
    this.asker.giveUp();
    this.puzzle = null;
    this.session = null;
    this.changed();
  }

  /** Nothing is played any more; the board stays. */
  freeze(): void {
    this.asker.giveUp();
    if (!this.isOver && this.state !== 'wrong') {
      this.state = 'shown';
    }
    this.changed();
  }

  get isOver(): boolean {
    return this.state === 'solved' || this.state === 'shown';
  }

  /** A right move has been made. */
  get isBegun(): boolean {
    return this.ply > 0;
  }

  get mayMove(): boolean {
    return this.state === 'toMove' && this.session?.view.turn === this.side && this.session.isAtEnd;
  }

  /** The solver's move. */
  play(uci: string): void {
    const { session, puzzle } = this;
    if (!session || !puzzle || !this.mayMove || !session.view.moves.some((move) => move.uci === uci)) {
      return;
    }
    this.hint = null;
    session.play(uci);
    const isLine = isSame(uci, puzzle.moves[this.ply]);
    const isMate = session.view.outcome?.winner === this.side;
    const isAccepted = puzzle.accepted[this.ply]?.some((move) => isSame(uci, move)) ?? false;
    if (!isLine && !isMate && !isAccepted) {
      this.wrong();
    } else if (isLine && this.ply + 1 < puzzle.moves.length && !session.view.outcome) {
      this.state = 'reply';
      this.ply += 1;
      this.asker.after(this.isQuick ? QUICK_MS : REPLY_MS, () => this.reply());
    } else {
      // The end of the line, or another move that is as good.
      this.state = 'solved';
      this.ending = this.endingAt(this.ply);
      this.reportOnce(true);
    }
    this.changed();
  }

  private reply(): void {
    this.append(this.puzzle?.moves[this.ply] ?? '');
    this.ply += 1;
    this.toMove();
  }

  /** The solver is to move. */
  private toMove(): void {
    this.here = this.session?.node ?? 0;
    this.state = 'toMove';
    this.changed();
  }

  private wrong(): void {
    this.reportOnce(false);
    if (this.isQuick) {
      this.isRefuted = false;
      this.state = 'wrong';
      return;
    }
    this.state = 'refuting';
    this.isRefuted = false;
    void this.refute();
  }

  /** Answers a wrong move by the solved endings, else by search; not at all if the engine fails. */
  private async refute(): Promise<void> {
    const { session, asker } = this;
    if (!session) {
      return;
    }
    const started = performance.now();
    let move: string | null = null;
    if (!session.view.outcome) {
      const question = { rules: EXERCISE_RULES, line: session.record.engineLine(session.node) };
      const known = await asker.tableMove(question, 0);
      move = known ?? (await asker.bestMove('move', question, { nodes: REFUTATION_NODES }));
    }
    asker.after(REPLY_MS - (performance.now() - started), () => {
      if (move) {
        this.append(move);
        this.isRefuted = true;
      }
      this.state = 'wrong';
      this.changed();
    });
  }

  /** Takes a wrong move back. */
  retry(): void {
    if (this.state === 'wrong' || this.state === 'refuting') {
      this.asker.giveUp();
      this.backToTask();
      this.changed();
    }
  }

  private backToTask(): void {
    const { session } = this;
    if (!session) {
      return;
    }
    const [tried] = session.nodeById(this.here)?.children ?? [];
    session.go(this.here);
    if (tried !== undefined) {
      session.edit((record) => record.deleteFrom(tried));
    }
    this.state = 'toMove';
  }

  /** Names the piece that moves. */
  showHint(): void {
    if (this.state !== 'toMove' || !this.puzzle) {
      return;
    }
    this.reportOnce(false);
    this.session?.go(this.here);
    this.hint = this.puzzle.moves[this.ply]?.slice(0, 2) ?? null;
    this.changed();
  }

  /** Plays the rest of the line. */
  showSolution(): void {
    if (!this.puzzle || this.isOver || this.state === 'mistake' || this.state === 'showing') {
      return;
    }
    this.reportOnce(false);
    const isReply = this.state === 'reply';
    this.asker.giveUp();
    if (!isReply) {
      this.backToTask();
    }
    this.hint = null;
    this.state = 'showing';
    this.asker.after(QUICK_MS, () => this.showNext());
    this.changed();
  }

  private showNext(): void {
    const move = this.puzzle?.moves[this.ply];
    if (move) {
      this.append(move);
      this.ply += 1;
    }
    if (this.puzzle && this.ply < this.puzzle.moves.length) {
      this.asker.after(SOLUTION_MS, () => this.showNext());
    } else {
      this.state = 'shown';
      this.ending = this.endingAt(this.ply - 1);
    }
    this.changed();
  }

  /** Why the line ends with the move at this place, which stands on the board. */
  private endingAt(ply: number): SolverStore['ending'] {
    if (this.session?.view.outcome) {
      return null;
    }
    return (this.puzzle?.accepted[ply]?.length ?? 0) > 1 ? 'others' : 'enough';
  }

  /** Plays a move at the end; the board may show an earlier position by now. */
  private append(uci: string): void {
    this.session?.step(1_000_000);
    this.session?.play(uci);
  }

  private reportOnce(isSolved: boolean): void {
    if (!this.hasFailed) {
      this.hasFailed = !isSolved;
      this.report(isSolved);
    }
  }

  /** The board shows another position of the attempt. */
  redraw(): void {
    this.changed();
  }
}

/** The same squares: a bia that reaches its rank always becomes a met. */
function isSame(uci: string, move: string | undefined): boolean {
  return uci.slice(0, 4) === move?.slice(0, 4);
}

/** Whether the whole line is legal. */
function isPlayable({ fen, mistake, moves }: Puzzle): boolean {
  try {
    const session = Session.start(EXERCISE_RULES, fen);
    for (const move of mistake ? [mistake, ...moves] : moves) {
      session.play(move);
    }
    return moves.length > 0;
  } catch {
    return false;
  }
}
