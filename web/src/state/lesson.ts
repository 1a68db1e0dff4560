// One mistake of a kept game on the board: it is shown with what it allowed, or somebody looks for a better move.
import type { Asker, EngineQueue } from '../engine/queue';
import type { Side } from '../rules/types';
import type { GameStore } from './games';
import { type KeptReport, sessionOf } from './kept';
import { type Mistake, mistakesOf, retriesOf, whitePoints } from './lessons';
import { Session } from './session';
import { Store } from './store';

/** A move is right if it is worth at most so much less than the best one, in hundredths of a game. */
export const MARGIN = 3;
/** Nodes for a move that is tried, as many as the report gives each position. */
const NODES = 300_000;
/** Milliseconds before the first move and between the moves of a line that is shown. */
const FIRST_MS = 500;
const NEXT_MS = 900;

export type LessonState =
  | 'loading'
  /** The game or its report is not there any more. */
  | 'missing'
  /** A line is played. */
  | 'showing'
  /** The end of it. */
  | 'shown'
  | 'toMove'
  | 'thinking'
  | 'right'
  /** A worse move stands on the board, with the answer to it. */
  | 'wrong'
  /** The engine could not say. */
  | 'unknown';

export class LessonStore extends Store {
  state: LessonState = 'loading';
  session: Session | null = null;
  mistake: Mistake | null = null;
  /** Whether the line that is shown is the better one. */
  isBetter = false;
  /** What the last attempt was worth less than the best move, in hundredths of a game. */
  worse = 0;
  private kept: KeptReport | null = null;
  /** The position before the mistake. */
  private here = 0;
  /** The move that was made, in the notation of the page; its number if it was the first one. */
  private playedName = '';
  private firstNumber = 1;
  /** Whether the solution was seen before a move was found. */
  private isSpoilt = false;
  private readonly asker: Asker;

  constructor(
    engine: EngineQueue,
    private readonly games: Pick<GameStore, 'list' | 'report' | 'keepReport'>,
  ) {
    super();
    this.asker = engine.asker();
  }

  /** Puts a mistake on the board; shows it, or lets somebody try. */
  async open(id: string, ply: number, isShown: boolean): Promise<void> {
    this.close();
    const { asker } = this;
    const [games, report] = await asker.ifHeard(Promise.all([this.games.list(), this.games.report(id)]));
    const game = games.find((one) => one.id === id);
    const mistake = game && report && mistakesOf(report.data, game.start).find((one) => one.ply === ply);
    if (!mistake) {
      this.state = 'missing';
      this.changed();
      return;
    }
    try {
      const whole = sessionOf(game);
      let node = 0;
      for (const move of report.moves.slice(0, ply)) {
        node = whole.nodeById(node)?.children.find((child) => whole.nodeById(child)?.uci === move) ?? -1;
      }
      this.session = replayed(whole, node);
    } catch {
      // Another version of the page wrote it.
      this.state = 'missing';
      this.changed();
      return;
    }
    this.kept = report;
    this.mistake = mistake;
    this.here = this.session.node;
    this.firstNumber = Number(game.start.split(' ').at(-1)) || 1;
    this.playedName = this.session.view.moves.find(({ uci }) => uci === this.played)?.san ?? this.played;
    if (isShown) {
      this.show(false);
    } else {
      this.retry();
    }
  }

  close(): void {
    this.asker.giveUp();
    this.session = null;
    this.mistake = null;
    this.kept = null;
    this.isSpoilt = false;
    this.state = 'loading';
    this.changed();
  }

  get side(): Side {
    return this.mistake?.side ?? 'w';
  }

  get mayMove(): boolean {
    return this.state === 'toMove' && this.session?.node === this.here;
  }

  /** Attempts at this mistake, and which one was right. */
  get score(): [number, number] {
    return (this.kept && this.mistake && retriesOf(this.kept)[this.mistake.ply]) ?? [0, 0];
  }

  /** The move that was made, in coordinates. */
  get played(): string {
    return this.kept?.moves[this.mistake?.ply ?? -1] ?? '';
  }

  /** The number and the name of the move that was made. */
  get name(): { number: number; move: string } {
    const { session, played, here } = this;
    if (!session) {
      return { number: 1, move: played };
    }
    const before = session.nodeById(here);
    const number = before && here !== 0 ? before.moveNumber + (this.side === 'w' ? 1 : 0) : this.firstNumber;
    return { number, move: this.playedName };
  }

  /** Before the mistake, without the moves that were tried or shown. */
  private back(): void {
    const { session } = this;
    for (const child of [...(session?.nodeById(this.here)?.children ?? [])]) {
      session?.edit((record) => record.deleteFrom(child));
    }
    session?.go(this.here);
  }

  /** Plays the mistake and what it allowed, or the better line. */
  show(isBetter: boolean): void {
    const { kept, mistake } = this;
    if (!kept || !mistake) {
      return;
    }
    this.asker.giveUp();
    const { ply, lesson } = mistake;
    if (isBetter && this.state !== 'right' && this.score[1] === 0) {
      this.isSpoilt = true;
      this.count(false);
    }
    this.back();
    this.isBetter = isBetter;
    this.state = 'showing';
    const line = isBetter
      ? (kept.data.positions[ply]?.line ?? []).slice(0, Math.max(1, lesson.better))
      : [this.played, ...(kept.data.positions[ply + 1]?.line ?? []).slice(0, lesson.shown)];
    this.asker.after(FIRST_MS, () => this.next(line));
    this.changed();
  }

  private next([move, ...others]: string[]): void {
    if (move) {
      this.append(move);
    }
    if (others.length > 0) {
      this.asker.after(NEXT_MS, () => this.next(others));
    } else {
      this.state = 'shown';
    }
    this.changed();
  }

  /** Lets somebody look for a better move. */
  retry(): void {
    this.asker.giveUp();
    this.back();
    this.state = 'toMove';
    this.changed();
  }

  /** A move that is tried. */
  play(uci: string): void {
    const { session, kept, mistake } = this;
    if (!session || !kept || !mistake || !this.mayMove || !session.view.moves.some((move) => move.uci === uci)) {
      return;
    }
    session.play(uci);
    const best = kept.data.positions[mistake.ply]?.best;
    const { outcome } = session.view;
    if (uci === best || outcome?.winner === this.side) {
      this.assess(0, null);
    } else if (uci === this.played) {
      this.assess(mistake.lost, kept.data.positions[mistake.ply + 1]?.best ?? null);
    } else if (outcome) {
      this.assess(this.before - (outcome.winner ? 0 : 50), null);
    } else {
      this.state = 'thinking';
      this.search();
    }
    this.changed();
  }

  /** The expected points of the side before the mistake, in hundredths of a game. */
  private get before(): number {
    const chances = this.kept?.data.positions[this.mistake?.ply ?? -1]?.chances ?? [0, 1000, 0];
    const white = whitePoints(chances);
    return this.side === 'w' ? white : 100 - white;
  }

  private search(): void {
    const { session } = this;
    if (!session) {
      return;
    }
    const question = { rules: session.rules, line: session.record.engineLine(session.node) };
    this.asker.search(
      'move',
      question,
      { nodes: NODES },
      {
        done: ({ chances, best }) => {
          const white = whitePoints(chances);
          this.assess(this.before - (this.side === 'w' ? white : 100 - white), best);
          this.changed();
        },
        fault: () => {
          this.state = 'unknown';
          this.changed();
        },
      },
    );
  }

  /** Takes what a move is worth less than the best one, and the answer to it. */
  private assess(worse: number, answer: string | null): void {
    this.worse = Math.max(0, worse);
    const isRight = this.worse <= MARGIN;
    this.state = isRight ? 'right' : 'wrong';
    if (!this.isSpoilt || !isRight) {
      this.count(isRight);
    }
    if (!isRight && answer) {
      this.append(answer);
    }
  }

  /** Counts an attempt, unless a right one is counted already. */
  private count(isRight: boolean): void {
    const { kept, mistake } = this;
    const [times, right] = this.score;
    if (kept && mistake && right === 0) {
      const retries = { ...retriesOf(kept), [mistake.ply]: [times + 1, isRight ? times + 1 : 0] };
      this.kept = { ...kept, retries };
      this.games.keepReport(this.kept);
    }
  }

  /** Plays a move at the end; the board may show an earlier position by now. */
  private append(uci: string): void {
    this.session?.step(1_000_000);
    this.session?.play(uci);
  }

  /** The board shows another position of the line. */
  redraw(): void {
    this.changed();
  }
}

/** The moves to a position of a game, without the variations that would give the better move away. */
function replayed(whole: Session, node: number): Session {
  const { fen, words } = whole.record.engineLine(node);
  const session = Session.start(whole.rules, fen);
  for (const word of words) {
    if (word.startsWith('count-')) {
      session.edit((record) => record.count(session.node, word.slice('count-'.length) as 'start'));
    } else {
      session.play(word);
    }
  }
  return session;
}
