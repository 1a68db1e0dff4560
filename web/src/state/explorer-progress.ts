// What the drill keeps in the browser: the positions that were failed, and when they are asked again.
import * as v from 'valibot';
import { dayOf } from './puzzles-pick';
import { INTERVALS, type Repeat, repeatAfter } from './repeat';
import { Store } from './store';
import { SharedText } from './stored';

const KEY = 'sakmak.drill';
/** Most positions that are kept; the longest not asked ones go first. */
const MOST = 2_000;

export interface Failed {
  fen: string;
  /** The day of the last attempt. */
  day: number;
  repeat: Repeat;
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
/** FEN, day, stage, due. */
const ROW = v.strictTuple([v.string(), whole, whole, whole]);
const SCHEMA = v.object({ drill: v.literal(1), failed: v.record(v.string(), v.unknown()) });

/** The positions of a stored text, by their keys; null for another text. What does not fit is left out. */
export function readFailed(text: string): Map<string, Failed> | null {
  const failed = new Map<string, Failed>();
  try {
    for (const [key, row] of Object.entries(v.parse(SCHEMA, JSON.parse(text)).failed)) {
      const { success, output } = v.safeParse(ROW, row);
      const [fen, day, stage, due] = success ? output : ['', 0, INTERVALS.length, 0];
      if (/^[0-9a-f]{16}$/.test(key) && stage < INTERVALS.length) {
        failed.set(key, { fen, day, repeat: { stage, due } });
      }
    }
  } catch {
    // Another program or a fault has written it.
    return null;
  }
  return failed;
}

export class DrillProgress extends Store {
  private failed = new Map<string, Failed>();
  private readonly stored = new SharedText(KEY);

  constructor(private readonly now: () => number = Date.now) {
    super();
    this.read();
  }

  private get today(): number {
    return dayOf(this.now());
  }

  /** Another tab may have written since. */
  private read(): void {
    const text = this.stored.news();
    if (text !== null) {
      this.failed = readFailed(text) ?? new Map();
    }
  }

  /** Whether what was written is stored. */
  private write(): boolean {
    const rows = [...this.failed].sort(([, a], [, b]) => b.day - a.day).slice(0, MOST);
    this.failed = new Map(rows);
    const failed = rows.map(([key, { fen, day, repeat }]) => [key, [fen, day, repeat.stage, repeat.due]]);
    const isStored = this.stored.store(JSON.stringify({ drill: 1, failed: Object.fromEntries(failed) }));
    this.changed();
    return isStored;
  }

  /** Joins the positions of another place: of a position failed in both, the later attempt counts. False: not stored. */
  join(other: ReadonlyMap<string, Failed>): boolean {
    this.read();
    for (const [key, failed] of other) {
      const own = this.failed.get(key);
      if (!own || failed.day > own.day || (failed.day === own.day && failed.repeat.due < own.repeat.due)) {
        this.failed.set(key, failed);
      }
    }
    return this.write();
  }

  /** The first answer in a position. */
  note(key: string, fen: string, isRight: boolean): void {
    this.read();
    const { today } = this;
    const before = this.failed.get(key);
    const isRepeat = before !== undefined && before.repeat.due <= today;
    const repeat = repeatAfter(before?.repeat ?? null, { isRight, isRepeat, today });
    if (repeat) {
      this.failed.set(key, { fen, day: today, repeat });
    } else {
      this.failed.delete(key);
    }
    if (before || repeat) {
      this.write();
    }
  }

  forget(key: string): void {
    this.read();
    if (this.failed.delete(key)) {
      this.write();
    }
  }

  /** The positions that are asked again today or should have been, the longest due first. */
  get due(): { key: string; fen: string }[] {
    const { today } = this;
    return [...this.failed]
      .filter(([, { repeat }]) => repeat.due <= today)
      .sort(([, a], [, b]) => a.repeat.due - b.repeat.due)
      .map(([key, { fen }]) => ({ key, fen }));
  }

  /** The day on which the next position is due; null if none is. */
  get nextDue(): number | null {
    const days = [...this.failed.values()].map(({ repeat }) => repeat.due);
    return days.length > 0 ? Math.min(...days) : null;
  }
}
