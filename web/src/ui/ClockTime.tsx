// The time left to a side, beside its name.
import type { Side } from '../rules/types';
import { clockText } from '../state/clock';

/** A side with less has little time. */
const LOW_MS = 20_000;

export interface ShownClock {
  /** The side whose clock runs. */
  readonly side: Side | null;
  /** Milliseconds left to a side. */
  remaining(side: Side): number;
}

export function ClockTime({ clock, side }: { clock: ShownClock; side: Side }) {
  const left = clock.remaining(side);
  return (
    <span class={`clock ${clock.side === side ? 'running' : ''} ${left < LOW_MS ? 'low' : ''}`} role="timer">
      {clockText(left)}
    </span>
  );
}
