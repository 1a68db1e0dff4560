// What the puzzles keep in the browser: the visitor's rating, each puzzle that was tried, and the best runs.
import * as v from 'valibot';
import type { Puzzle } from './puzzles-data';
import { dayOf } from './puzzles-pick';
import { type Rating, rated, START } from './rating';
import { INTERVALS, type Repeat, repeatAfter } from './repeat';
import { Store } from './store';
import { amount, object, part, SharedText, withoutGaps } from './stored';

const KEY = 'sakmak.puzzles';
/** The deviation of a puzzle's rating: it was tried some forty times. */
const PUZZLE_DEVIATION = 90;
/** Most ratings of the graph, and most days of the daily puzzle. */
const MOST_RATINGS = 1_000;
const MOST_DAYS = 400;

/** A puzzle that was tried. */
export interface Tried {
  times: number;
  /** Whether the last attempt solved it. */
  solved: boolean;
  /** The day of the last attempt. */
  day: number;
  /** Its place in the list `Progress.list`; −1 if that is not known. */
  at: number;
  /** When it comes again; null if it does not. */
  repeat: Repeat | null;
}

export interface Progress {
  rating: Rating;
  /** Rated puzzles, and the day of the last one. */
  rated: number;
  lastRated: number;
  /** Day and rating after each rated puzzle, the last `MOST_RATINGS`. */
  ratings: [number, number][];
  /** The list that the places belong to. */
  list: string;
  tried: Record<string, Tried>;
  best: { streak: number; storm: number };
  /** Whether the puzzle of a day was solved. */
  daily: Record<string, boolean>;
}

const whole = v.pipe(v.number(), v.integer());
/** Times, solved, day, place, stage or −1, due. */
const TRIED = v.strictTuple([whole, whole, whole, whole, whole, whole]);
const SCHEMA = object({
  puzzles: v.picklist([1]),
  rating: part(object({ rating: amount(1e4), deviation: amount(1e3), volatility: amount(1) })),
  rated: part(amount(1e9)),
  lastRated: part(amount(1e9)),
  ratings: part(v.array(v.strictTuple([amount(1e9), amount(1e4)]))),
  list: part(v.string()),
  best: part(object({ streak: amount(1e6), storm: amount(1e6) })),
  daily: part(v.record(v.string(), v.boolean())),
  // A puzzle that does not fit is left out.
  tried: part(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.transform((all) => {
        const fitting: Record<string, Tried> = {};
        for (const [id, row] of Object.entries(all)) {
          const { success, output } = v.safeParse(TRIED, row);
          const [times, solved, day, at, stage, due] = success ? output : [0, 0, 0, 0, 0, 0];
          if (times > 0) {
            const repeat = stage >= 0 && stage < INTERVALS.length ? { stage, due } : null;
            fitting[id] = { times, solved: solved === 1, day, at, repeat };
          }
        }
        return fitting;
      }),
    ),
  ),
});

function fresh(): Progress {
  return {
    rating: START,
    rated: 0,
    lastRated: 0,
    ratings: [],
    list: '',
    tried: {},
    best: { streak: 0, storm: 0 },
    daily: {},
  };
}

/** The progress of a text; null if it is none. */
export function readProgress(text: string): Progress | null {
  try {
    const { success, output } = v.safeParse(SCHEMA, JSON.parse(text));
    if (!success) {
      return null;
    }
    const { puzzles: _, ...kept } = output;
    return { ...fresh(), ...(withoutGaps(kept) as Partial<Progress>) };
  } catch {
    return null;
  }
}

export function writeProgress({ tried, ...others }: Progress): string {
  const rows = Object.entries(tried).map(([id, { times, solved, day, at, repeat }]) => [
    id,
    [times, solved ? 1 : 0, day, at, repeat?.stage ?? -1, repeat?.due ?? 0],
  ]);
  return JSON.stringify({ puzzles: 1, ...others, tried: Object.fromEntries(rows) });
}

/** Two progresses as one: of each part the one that has gone further. */
export function joined(a: Progress, b: Progress): Progress {
  const ahead = b.rated > a.rated ? b : a;
  const tried: Progress['tried'] = { ...a.tried };
  for (const [id, other] of Object.entries(b.tried)) {
    const own = tried[id];
    const later = own && (own.day > other.day || (own.day === other.day && own.times >= other.times)) ? own : other;
    const at = a.list === b.list ? other.at : -1;
    tried[id] = { ...later, times: Math.max(own?.times ?? 0, other.times), at: own?.at ?? at };
  }
  return {
    ...ahead,
    list: a.list,
    tried,
    best: { streak: Math.max(a.best.streak, b.best.streak), storm: Math.max(a.best.storm, b.best.storm) },
    daily: { ...b.daily, ...a.daily },
  };
}

export class PuzzleProgress extends Store {
  private data: Progress = fresh();
  private readonly stored = new SharedText(KEY);
  /** What was stored could not be read. */
  isDamaged = false;
  /** The browser has refused to store the progress. */
  isRefused = false;

  constructor(private readonly now: () => number = Date.now) {
    super();
    this.read();
  }

  get value(): Readonly<Progress> {
    return this.data;
  }

  get today(): number {
    return dayOf(this.now());
  }

  /** Another tab may have written since. */
  private read(): void {
    const text = this.stored.news();
    if (text !== null) {
      const data = readProgress(text);
      this.isDamaged = data === null;
      this.data = data ?? this.data;
    }
  }

  private set(change: Partial<Progress>): void {
    this.data = { ...this.data, ...change };
    this.isRefused = !this.stored.store(writeProgress(this.data));
    this.changed();
  }

  /** The places belong to this list from here on. Those of another list are found again part by part. */
  use(list: string): void {
    this.read();
    if (this.data.list !== list) {
      const tried = Object.entries(this.data.tried).map(([id, one]) => [id, { ...one, at: -1 }]);
      this.set({ list, tried: Object.fromEntries(tried) });
    }
  }

  /** Finds the places of the puzzles of a part, which begins at a place. */
  locate(puzzles: readonly Puzzle[], start: number): void {
    const { tried } = this.data;
    const places = new Map(puzzles.map(({ id }, at) => [id, start + at]));
    const isHere = (at: number) => at >= start && at < start + puzzles.length;
    const found = Object.entries(tried).flatMap(([id, one]) => {
      const at = places.get(id) ?? (isHere(one.at) ? -1 : one.at);
      return at === one.at ? [] : [[id, { ...one, at }] as const];
    });
    if (found.length > 0) {
      this.set({ tried: { ...tried, ...Object.fromEntries(found) } });
    }
  }

  /** How often each place of the list was shown. */
  timesByPlace(): Map<number, number> {
    return new Map(Object.values(this.data.tried).map(({ at, times }) => [at, times]));
  }

  /** An attempt at a puzzle. A failed one comes again; `isRepeat` is an attempt that was due. */
  note(id: string, at: number, solved: boolean, { isRepeat = false } = {}): void {
    this.read();
    const { today } = this;
    const before = this.data.tried[id];
    const repeat = repeatAfter(before?.repeat ?? null, { isRight: solved, isRepeat, today });
    const one = { times: (before?.times ?? 0) + 1, solved, day: today, at, repeat };
    this.set({ tried: { ...this.data.tried, [id]: one } });
  }

  /** A rated attempt; returns what it has changed, in whole points. */
  rate(puzzleRating: number, solved: boolean): number {
    this.read();
    const { today } = this;
    const { rating: before, rated: number, lastRated, ratings } = this.data;
    let rating = before;
    // Each day without a puzzle makes the rating less certain.
    const idle = number === 0 ? 0 : Math.min(365, today - lastRated);
    for (let day = 1; day < idle; day++) {
      rating = rated(rating, []);
    }
    const result = { rating: puzzleRating, deviation: PUZZLE_DEVIATION, score: solved ? 1 : 0 };
    rating = rated(rating, [result]);
    const point: [number, number] = [today, Math.round(rating.rating)];
    this.set({
      rating,
      rated: number + 1,
      lastRated: today,
      ratings: [...ratings, point].slice(-MOST_RATINGS),
    });
    return Math.round(rating.rating) - Math.round(before.rating);
  }

  /** The puzzles that come again today or should have before, the longest due first. */
  get due(): string[] {
    const { today } = this;
    return Object.entries(this.data.tried)
      .filter(([, { repeat }]) => repeat !== null && repeat.due <= today)
      .sort(([, a], [, b]) => (a.repeat?.due ?? 0) - (b.repeat?.due ?? 0))
      .map(([id]) => id);
  }

  /** The day on which the next puzzle is due; null if none is. */
  get nextDue(): number | null {
    const days = Object.values(this.data.tried).flatMap(({ repeat }) => (repeat ? [repeat.due] : []));
    return days.length > 0 ? Math.min(...days) : null;
  }

  /** A puzzle is no longer in the list, and does not come again. */
  forget(id: string): void {
    const one = this.data.tried[id];
    if (one) {
      this.set({ tried: { ...this.data.tried, [id]: { ...one, repeat: null } } });
    }
  }

  get triedCount(): number {
    return Object.keys(this.data.tried).length;
  }

  get solvedCount(): number {
    return Object.values(this.data.tried).filter(({ solved }) => solved).length;
  }

  /** Notes the length of a run; returns whether it is the best so far. */
  noteRun(mode: 'streak' | 'storm', score: number): boolean {
    this.read();
    const isBest = score > this.data.best[mode];
    if (isBest) {
      this.set({ best: { ...this.data.best, [mode]: score } });
    }
    return isBest;
  }

  /** The first attempt at the puzzle of a day counts. */
  noteDaily(day: number, solved: boolean): void {
    this.read();
    if (this.data.daily[day] === undefined) {
      const kept = Object.entries(this.data.daily).filter(([one]) => Number(one) > day - MOST_DAYS);
      this.set({ daily: { ...Object.fromEntries(kept), [day]: solved } });
    }
  }

  /** Whether today's puzzle was solved; undefined before the first attempt. */
  get todaySolved(): boolean | undefined {
    return this.data.daily[this.today];
  }

  /** Days in a row on which the puzzle of the day was solved, up to today or yesterday. */
  get dailyRun(): number {
    const { daily } = this.data;
    let day = this.today - (daily[this.today] === undefined ? 1 : 0);
    let run = 0;
    while (daily[day]) {
      run += 1;
      day -= 1;
    }
    return run;
  }

  exportText(): string {
    return writeProgress(this.data);
  }

  /** Joins exported progress with what is here. False if the text is none. */
  importText(text: string): boolean {
    const other = readProgress(text);
    if (other) {
      this.read();
      this.set(joined(this.data, other));
    }
    return other !== null;
  }
}
