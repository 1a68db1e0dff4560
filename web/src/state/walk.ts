// Plays through a game: from the shown position to the last move, one move after the other.
import type { Session } from './session';
import { settings } from './settings';
import { Store } from './store';

export class Walk extends Store {
  private session: Session | null = null;
  /** Where the last step led: who goes elsewhere ends it. */
  private node = 0;
  private timer = 0;

  get isRunning(): boolean {
    return this.session !== null;
  }

  /** Begins with the next move; `step` goes one move on and shows it. */
  start(session: Session, step: () => void): void {
    this.stop();
    this.session = session;
    this.node = session.node;
    this.go(step);
    this.changed();
  }

  stop(): void {
    window.clearTimeout(this.timer);
    if (this.session) {
      this.session = null;
      this.changed();
    }
  }

  private go(step: () => void): void {
    const { session } = this;
    if (!session || session.node !== this.node) {
      this.stop();
      return;
    }
    step();
    const hasMoved = session.node !== this.node;
    this.node = session.node;
    if (!hasMoved || session.isAtEnd) {
      this.stop();
      return;
    }
    this.timer = window.setTimeout(() => this.go(step), settings.value.pace);
  }
}

export const walk = new Walk();
