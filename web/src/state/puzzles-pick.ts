// Which puzzle comes next.
import type { PuzzleIndex } from './puzzles-data';

/** Number of nearest puzzles of which one is drawn. */
const POOL = 24;
/** A preferred puzzle is no further from the rating, in Elo. */
const NEAR = 300;
/** The themes of the count; all other puzzles are tactics and endings without one. */
const COUNT_THEMES: readonly string[] = [
  'beat-count',
  'start-count',
  'refuse-capture',
  'keep-bia',
  'last-piece',
  'board-honour',
  'count-out',
  'count-sacrifice',
];
/** The first puzzle of a streak or storm, and how much harder each next one is, in Elo. */
const RUN_START = 600;
const RUN_STEP = { streak: 60, storm: 35 };

const DAY_MS = 86_400_000;
/** Days begin at midnight in Thailand, UTC+7, for everybody. */
const THAI_MS = 7 * 3_600_000;

/** The number of the day, from 1970. */
export function dayOf(time: number): number {
  return Math.floor((time + THAI_MS) / DAY_MS);
}

/** A time within a day, for its date in UTC. */
export function timeOf(day: number): number {
  return day * DAY_MS;
}

/** The rating of the puzzle that follows `solved` ones. */
export function runRating(mode: 'streak' | 'storm', solved: number): number {
  return RUN_START + RUN_STEP[mode] * solved;
}

export interface Wish {
  rating: number;
  /** Whether the puzzle at a place may be drawn. */
  allows?: (at: number) => boolean;
  /** Whether the puzzle at a place is preferred, if it is near the rating. */
  prefers?: (at: number) => boolean;
  /** How often it was shown. */
  times: (at: number) => number;
  isLoaded: (at: number) => boolean;
  /**
   * `rounds`: none is drawn twice until all were shown. `near`: one near the rating, if possible one that was not shown.
   */
  order: 'rounds' | 'near';
}

/** A place in the list; null if none is allowed. Among the nearest ones those that are loaded come first. */
export function pick({ ratings, count }: PuzzleIndex, wish: Wish, random: () => number): number | null {
  const { allows = () => true, prefers = () => false, times, isLoaded, order } = wish;
  let places = Array.from({ length: count }, (_, at) => at).filter(allows);
  if (order === 'rounds') {
    places = fewest(places, times);
  }
  const distance = (at: number) => Math.abs((ratings[at] ?? 0) - wish.rating);
  const preferred = places.filter((at) => distance(at) <= NEAR && prefers(at));
  if (preferred.length > 0) {
    places = preferred;
  }
  let pool = places.sort((a, b) => distance(a) - distance(b) || a - b).slice(0, POOL);
  if (order === 'near') {
    pool = fewest(pool, times);
  }
  const loaded = pool.filter(isLoaded);
  const drawn = loaded.length > 0 ? loaded : pool;
  return drawn[random() % Math.max(1, drawn.length)] ?? null;
}

/** Those that were shown least. */
function fewest(places: number[], times: (at: number) => number): number[] {
  const least = Math.min(...new Set(places.map(times)));
  return places.filter((at) => times(at) === least);
}

/**
 * The place of a day's puzzle: the same for everybody with this list. It is about the count on odd days, and not on
 * even ones, as far as the list has such puzzles.
 */
export function dailyPlace(index: PuzzleIndex, day: number): number {
  const { list, count } = index;
  const isOfDay = isOfCount(index);
  const all = Array.from({ length: count }, (_, at) => at);
  const ofDay = all.filter((at) => isOfDay(at) === (day % 2 === 1));
  const places = ofDay.length > 0 ? ofDay : all;
  // FNV-1a over day and list.
  let hash = 0x811c9dc5;
  for (const letter of `${day} ${list}`) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  // The low bits of FNV-1a mix badly.
  return places[((hash ^ (hash >>> 15)) >>> 0) % Math.max(1, places.length)] ?? 0;
}

/** Whether the puzzle at a place is about the count. */
export function isOfCount({ themes, masks }: PuzzleIndex): (at: number) => boolean {
  const mask = themes.reduce((bits, { id }, at) => bits | (COUNT_THEMES.includes(id) ? 1 << at : 0), 0);
  return (at) => ((masks[at] ?? 0) & mask) !== 0;
}

/** How many puzzles have a theme, by its number in the index. */
export function themeCount({ masks }: PuzzleIndex, theme: number): number {
  return masks.filter((mask) => hasTheme(mask, theme)).length;
}

export function hasTheme(mask: number, theme: number): boolean {
  return ((mask >>> theme) & 1) === 1;
}
