// The clocks of a live game. Both devices run both; the device of the side to move says how much time its move took.
import type { Side } from '../rules/types';
import type { TimeControl } from './clock';

/** So many milliseconds of a move the network may have taken, and not its player. */
export const MOST_LAG_MS = 2_000;

export class FriendClock {
  private left: [number, number];
  private running: Side | null = null;
  private since = 0;

  constructor(
    readonly control: TimeControl,
    left: [number, number] | null,
    private readonly now: () => number,
  ) {
    const all = control.minutes * 60_000;
    this.left = left ? [...left] : [all, all];
  }

  get side(): Side | null {
    return this.running;
  }

  /** Milliseconds left to a side; below 0 if it has used more. */
  exact(side: Side): number {
    const gone = this.running === side ? this.now() - this.since : 0;
    return this.left[side === 'w' ? 0 : 1] - gone;
  }

  remaining(side: Side): number {
    return Math.max(0, this.exact(side));
  }

  whole(): [number, number] {
    return [Math.floor(this.remaining('w')), Math.floor(this.remaining('b'))];
  }

  start(side: Side): void {
    this.stop();
    this.running = side;
    this.since = this.now();
  }

  stop(): void {
    if (this.running) {
      this.set(this.running, this.exact(this.running));
      this.running = null;
    }
  }

  private set(side: Side, left: number): void {
    this.left[side === 'w' ? 0 : 1] = left;
  }

  /** A side has moved on this device. */
  moved(side: Side): void {
    this.stop();
    this.set(side, this.remaining(side) + this.control.seconds * 1000);
  }

  /** The other side has moved and says what it has left: believed up to the time that the network may have taken. */
  movedElsewhere(side: Side, said: number): void {
    this.stop();
    const measured = this.exact(side) + this.control.seconds * 1000;
    this.set(side, Math.max(0, Math.min(said, measured + MOST_LAG_MS)));
  }

  /** What a side says of its own clock when a game goes on. */
  resumed(side: Side, said: number): void {
    this.set(side, Math.min(said, this.exact(side) + MOST_LAG_MS));
  }
}
