// The clocks of a game.
import type { Side } from '../rules/types';

export interface TimeControl {
  /** Minutes for the game. */
  minutes: number;
  /** Seconds added after each move. */
  seconds: number;
}

export interface ClockData {
  control: TimeControl;
  /** Milliseconds left to White and Black. */
  left: [number, number];
  running: Side | null;
}

const index = (side: Side) => (side === 'w' ? 0 : 1);

export class Clock {
  private left: [number, number];
  private running: Side | null = null;
  private since = 0;

  constructor(
    readonly control: TimeControl,
    left?: [number, number],
  ) {
    const all = control.minutes * 60_000;
    this.left = left ?? [all, all];
  }

  /** Milliseconds left to a side. */
  remaining(side: Side): number {
    const gone = this.running === side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[index(side)] - gone);
  }

  /** Whole milliseconds left to White and Black. */
  whole(): [number, number] {
    return [Math.floor(this.remaining('w')), Math.floor(this.remaining('b'))];
  }

  get side(): Side | null {
    return this.running;
  }

  /** Runs for a side from now on. */
  start(side: Side): void {
    this.stop();
    this.running = side;
    this.since = performance.now();
  }

  /** Stops, and gives the side that ran its increment if it has moved. */
  stop(moved = false): void {
    if (this.running) {
      const added = moved ? this.control.seconds * 1000 : 0;
      this.left[index(this.running)] = this.remaining(this.running) + added;
      this.running = null;
    }
  }

  data(): ClockData {
    return { control: this.control, left: [this.remaining('w'), this.remaining('b')], running: this.running };
  }
}

/** Follows a running clock. */
export class ClockWatch {
  private timer = 0;

  /** Calls `shown` whenever the clock shows another time, and `out` with the side whose time has run out. */
  start(clock: Clock | null, shown: () => void, out: (side: Side) => void): void {
    this.stop();
    const side = clock?.side;
    if (!clock || !side) {
      return;
    }
    const left = clock.remaining(side);
    if (left <= 0) {
      out(side);
      return;
    }
    const step = left < 20_000 ? 100 : (left % 1000) + 1;
    this.timer = window.setTimeout(() => {
      this.start(clock, shown, out);
      shown();
    }, step);
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }
}

/** `5:03`, below twenty seconds with tenths. */
export function clockText(milliseconds: number): string {
  const tenths = Math.ceil(milliseconds / 100);
  if (tenths < 200) {
    return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  }
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
