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

export class TrainerProgress extends Store {
  private data: Stored<'trainer'> = load('trainer') ?? {};

  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  of(mode: TrainerMode): ModeRecord {
    return { ...NOTHING, ...this.data[mode] };
  }

  /** Something was answered or played today. What is better than before is kept. */
  note(mode: TrainerMode, { best = 0, streak = 0 } = {}): void {
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
