// What the trainer of the count keeps: the best results, and on how many days in a row it was used.
import { Store } from './store';
import { load, type Stored, save } from './stored';

export type TrainerMode = 'many' | 'time' | 'whose' | 'hunt';

export interface ModeRecord {
  /** Right answers within a minute. */
  best: number;
  /** Right answers one after the other. */
  streak: number;
  /** Days in a row, and the last of them as YYYY-MM-DD. */
  days: number;
  last: string;
}

/** Most plies lost for three, two and one star. */
const STARS = [0, 4, 10];

export function starsFor(lost: number): number {
  return STARS.filter((most) => lost <= most).length;
}

const NOTHING: ModeRecord = { best: 0, streak: 0, days: 0, last: '' };
const DAY_MS = 86_400_000;

/** The day of the user's calendar. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Two results as one: of each part the better one. */
export function joinedResults(a: Stored<'trainer'>, b: Stored<'trainer'>): Stored<'trainer'> {
  const joined: Stored<'trainer'> = { ...b, ...a };
  for (const mode of ['many', 'time', 'whose', 'hunt'] as const) {
    const [one, other] = [a[mode], b[mode]];
    if (one && other) {
      const later = other.last > one.last || (other.last === one.last && other.days > one.days) ? other : one;
      joined[mode] = { ...later, best: Math.max(one.best, other.best), streak: Math.max(one.streak, other.streak) };
    }
  }
  const stars: Record<string, number> = { ...b.stars };
  for (const [position, number] of Object.entries<number>({ ...a.stars })) {
    stars[position] = Math.max(number, stars[position] ?? 0);
  }
  return { ...joined, stars };
}

export class TrainerProgress extends Store {
  private data: Stored<'trainer'> = load('trainer') ?? {};

  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  /** Another tab may have written since. */
  private read(): void {
    this.data = joinedResults(this.data, load('trainer') ?? {});
  }

  of(mode: TrainerMode): ModeRecord {
    return { ...NOTHING, ...this.data[mode] };
  }

  /** Something was answered or played today. What is better than before is kept. */
  note(mode: TrainerMode, { best = 0, streak = 0 } = {}): void {
    this.read();
    const before = this.of(mode);
    const today = dayOf(this.now());
    const goesOn = before.last === dayOf(this.now() - DAY_MS);
    const days = before.last === today ? before.days : goesOn ? before.days + 1 : 1;
    this.set({
      [mode]: { best: Math.max(best, before.best), streak: Math.max(streak, before.streak), days, last: today },
    });
  }

  stars(position: string): number {
    return this.data.stars?.[position] ?? 0;
  }

  noteStars(position: string, stars: number): void {
    this.read();
    if (stars > this.stars(position)) {
      this.set({ stars: { ...this.data.stars, [position]: stars } });
    }
  }

  private set(change: Stored<'trainer'>): void {
    this.data = { ...this.data, ...change };
    save('trainer', this.data);
    this.changed();
  }
}
