// A film: both sides play the best moves by the solved endings, at a chosen pace.
import type { Asker, EngineQueue } from '../engine/queue';
import { EXERCISE_RULES } from './playout';
import { Session } from './session';
import { Store } from './store';

/** Milliseconds a move. */
export const PACES = [2_000, 1_000, 400] as const;

export class FilmStore extends Store {
  session: Session | null = null;
  isPlaying = false;
  pace: number = PACES[1];
  private timer = 0;
  private readonly asker: Asker;
  private isAsking = false;

  constructor(queue: EngineQueue) {
    super();
    this.asker = queue.asker();
  }

  start(fen: string): void {
    this.close();
    this.session = Session.start(EXERCISE_RULES, fen);
    this.play();
  }

  close(): void {
    this.asker.giveUp();
    this.isAsking = false;
    this.pause();
    this.session = null;
    this.changed();
  }

  /** Goes on, or begins again at the end. */
  play(): void {
    if (this.session?.view.outcome) {
      this.session.go(0);
    }
    this.isPlaying = true;
    this.schedule();
    this.changed();
  }

  pause(): void {
    window.clearTimeout(this.timer);
    this.isPlaying = false;
    this.changed();
  }

  setPace(pace: number): void {
    this.pace = pace;
    if (this.isPlaying) {
      this.schedule();
    }
    this.changed();
  }

  /** Moves through what was shown; beyond its end the next move is asked for. */
  async step(plies: number): Promise<void> {
    this.pause();
    if (plies === 1) {
      await this.advance();
    } else {
      this.session?.step(plies);
      this.changed();
    }
  }

  go(node: number): void {
    this.pause();
    this.session?.go(node);
    this.changed();
  }

  private schedule(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.advance(), this.pace);
  }

  private async advance(): Promise<void> {
    const { session } = this;
    if (!session || this.isAsking) {
      return;
    }
    if (!session.isAtEnd) {
      session.step(1);
    } else if (!session.view.outcome) {
      const { node } = session;
      this.isAsking = true;
      const question = { rules: EXERCISE_RULES, line: session.record.engineLine(node) };
      const move = await this.asker.tableMove(question, 0);
      this.isAsking = false;
      if (!move) {
        this.pause();
        return;
      }
      // The board may show an earlier position by now: then the move waits.
      if (session.node === node) {
        session.play(move);
      }
    }
    if (session.view.outcome) {
      this.pause();
    } else if (this.isPlaying) {
      this.schedule();
    }
    this.changed();
  }
}
