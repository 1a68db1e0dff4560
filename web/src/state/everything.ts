// All that the page stores in the browser as one file, and such a file joined with what is here: nothing is lost on
// either side.
import * as v from 'valibot';
import { DrillProgress, readFailed } from './explorer-progress';
import type { GameStore } from './games';
import { type KeptGame, type KeptReport, newId, parseKept, parseReport, sessionOf } from './kept';
import { PuzzleProgress, readProgress } from './puzzles-progress';
import { load, object, parseStored, STORED_KEYS, type Stored, type StoredKey, save, storedText } from './stored';
import { joinedResults } from './trainer-progress';

const VERSION = 1;
const PREFIX = 'sakmak.';
const PUZZLES = 'puzzles';
const DRILL = 'drill';
/** Games that are read before the page may draw again. */
const AT_ONCE = 25;
/** Games against an opponent that are remembered one by one, as `opponents.ts` has it. */
const REMEMBERED = 200;

const FILE = object({
  /** The version of the format. */
  sakmak: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** By their names in localStorage. */
  stored: v.record(v.string(), v.unknown()),
  games: v.array(v.unknown()),
  reports: v.array(v.unknown()),
});

/** Why a file cannot be taken: it is another one, a later version's, or the browser has refused to store it. */
export type Refused = 'none' | 'newer' | 'refused';

export interface Joined {
  /** Games that were not here. */
  added: number;
  /** Games that were here, or have gone on in the file. */
  known: number;
  /** Games that have gone on differently here and in the file; both are kept. */
  parted: number;
  /** Parts of the file that cannot be read. */
  broken: number;
  refused: Refused | null;
}

/** What each store has in localStorage, but games that wait for the database: these are among the games. */
function storedNames(): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    return names
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length))
      .filter((name) => !isWaiting(name));
  } catch {
    // The browser stores nothing.
    return [];
  }
}

const isWaiting = (name: string) => name === 'waiting' || name.startsWith('waiting.');

/** The text of the file. */
export async function everything(games: GameStore): Promise<string> {
  await games.flush();
  const list = await games.list();
  const reports = await Promise.all(list.map(({ id }) => games.report(id)));
  const stored: Record<string, unknown> = {};
  for (const name of storedNames()) {
    try {
      stored[name] = JSON.parse(storedText(PREFIX + name) ?? '');
    } catch {
      // A text that is not JSON is left out: the page cannot read it either.
    }
  }
  return JSON.stringify({ sakmak: VERSION, stored, games: list, reports: reports.filter((one) => one !== null) });
}

/**
 * Joins a file with what is here. The page must be loaded anew afterwards: its stores know what was there before.
 * `withSettings` takes the settings of the file, else they are taken where there are none.
 */
export async function joinEverything(
  text: string,
  games: GameStore,
  {
    withSettings = false,
    onProgress = (_finished: number, _total: number) => {},
  }: { withSettings?: boolean; onProgress?: (finished: number, total: number) => void } = {},
): Promise<Joined> {
  const done: Joined = { added: 0, known: 0, parted: 0, broken: 0, refused: null };
  const file = fileOf(text);
  if (!file || file.sakmak > VERSION) {
    return { ...done, refused: file ? 'newer' : 'none' };
  }
  await joinGames(file, games, done, onProgress);
  if (!games.isWritten || !joinStored(file.stored, done, withSettings)) {
    return { ...done, refused: 'refused' };
  }
  return done;
}

function fileOf(text: string): v.InferOutput<typeof FILE> | null {
  try {
    const { success, output } = v.safeParse(FILE, JSON.parse(text));
    return success ? output : null;
  } catch {
    return null;
  }
}

async function joinGames(
  file: v.InferOutput<typeof FILE>,
  store: GameStore,
  done: Joined,
  onProgress: (finished: number, total: number) => void,
): Promise<void> {
  await store.flush();
  const here = new Map((await store.list()).map((game) => [game.id, game]));
  const texts = new Map([...here.values()].map((game) => [textOf(game), game.id]));
  // The boards go on with these, whatever is stored.
  const inUse = [load('play')?.id, load('analyse')?.id];
  const changed: KeptGame[] = [];
  const tagged: [game: KeptGame, tags: string[]][] = [];
  /** The names under which the games of the file are here. */
  const names = new Map<string, string>();
  const keep = (game: KeptGame) => {
    changed.push(game);
    texts.set(textOf(game), game.id);
  };

  for (const [at, value] of file.games.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) {
      onProgress(at, file.games.length);
      await new Promise((resolve) => window.setTimeout(resolve, 0));
    }
    const game = readable(value);
    if (!game) {
      done.broken += 1;
      continue;
    }
    const own = here.get(game.id);
    const same = own && textOf(own) === textOf(game) ? own.id : texts.get(textOf(game));
    const isOlder = own !== undefined && (game.changed <= own.changed || inUse.includes(own.id));
    names.set(game.id, same ?? game.id);
    const kept = here.get(same ?? '') ?? own;
    if (kept && game.tags.some((tag) => !kept.tags.includes(tag))) {
      tagged.push([kept, [...new Set([...kept.tags, ...game.tags])]]);
    }
    if (same !== undefined) {
      done.known += 1;
      if (same === own?.id && !isOlder) {
        // The same moves with a later end, clock or state.
        changed.push(game);
      }
    } else if (!own) {
      done.added += 1;
      keep(game);
    } else if (isOlder && goesOn(own, game)) {
      done.known += 1;
    } else if (!isOlder && goesOn(game, own)) {
      done.known += 1;
      keep(game);
    } else {
      done.parted += 1;
      const copy = copyOf(isOlder ? game : own);
      keep(copy);
      if (isOlder) {
        names.set(game.id, copy.id);
      } else {
        keep(game);
      }
    }
  }
  await store.add(changed);
  for (const [game, tags] of tagged) {
    await store.setTags(game, tags.join(', '));
  }
  await joinReports(file.reports, store, names, done);
}

/** A game of the file that can be opened; null for another value. */
function readable(value: unknown): KeptGame | null {
  const game = parseKept(value);
  try {
    if (game) {
      sessionOf(game).record.free();
    }
    return game;
  } catch {
    return null;
  }
}

const textOf = ({ pgn, rules }: KeptGame) => `${rules.variant}\n${pgn.trim()}`;

/** The moves of a PGN text with comments and variations, without its tags and its result. */
function movesOf({ pgn }: KeptGame): string {
  const moves = pgn.trim().replace(/^(\[[^\n]*\]\s*\n)+/, '');
  return moves
    .replace(/\s+/g, ' ')
    .replace(/(^| )(1-0|0-1|1\/2-1\/2|\*)$/, '')
    .trim();
}

/** Whether a game is another one with more moves at its end. */
function goesOn(later: KeptGame, earlier: KeptGame): boolean {
  return later.start === earlier.start && `${movesOf(later)} `.startsWith(`${movesOf(earlier)} `.trimStart());
}

/** The moves of a game as a game of its own, which is not played on. */
function copyOf({ play: _, friend: __, ...game }: KeptGame): KeptGame {
  return { ...game, id: newId(), kind: 'analysed' };
}

/** Takes the reports of games that have none here. */
async function joinReports(
  values: unknown[],
  store: GameStore,
  names: ReadonlyMap<string, string>,
  done: Joined,
): Promise<void> {
  for (const value of values) {
    const report: KeptReport | null = parseReport(value);
    const id = names.get(report?.id ?? '');
    if (!report) {
      done.broken += 1;
    } else if (id !== undefined && !(await store.report(id))) {
      store.keepReport({ ...report, id });
    }
  }
  await store.flush();
}

/** How what is here and what is in the file become one, where both are there. */
const JOIN: { [K in StoredKey]?: (here: Stored<K>, file: Stored<K>) => Stored<K> } = {
  solved: (here, file) => [...new Set([...here, ...file])],
  friend: (here, file) => ({ ...file, ...here }),
  trainer: joinedResults,
  opponents: joinOpponents,
};

/** A game counts once. The rating is the more certain one. */
function joinOpponents(here: Stored<'opponents'>, file: Stored<'opponents'>): Stored<'opponents'> {
  const onlyIn = (one: Stored<'opponents'>, other: Stored<'opponents'>) => {
    const known = new Set(other.games?.map(({ id }) => id));
    return (one.games ?? []).filter(({ id }) => !known.has(id));
  };
  const [fromFile, fromHere] = [onlyIn(file, here), onlyIn(here, file)];
  const tallies: NonNullable<Stored<'opponents'>['tallies']> = {};
  for (const name of new Set([...Object.keys(here.tallies ?? {}), ...Object.keys(file.tallies ?? {})])) {
    // Either side's number with the games that it lacks: older ones than those remembered are in the number alone.
    const number = (part: 'won' | 'drawn' | 'lost', score: number) => {
      const lacking = (list: typeof fromFile) => list.filter((one) => one.name === name && one.score === score).length;
      return Math.max(
        (here.tallies?.[name]?.[part] ?? 0) + lacking(fromFile),
        (file.tallies?.[name]?.[part] ?? 0) + lacking(fromHere),
      );
    };
    tallies[name] = { won: number('won', 1), drawn: number('drawn', 0.5), lost: number('lost', 0) };
  }
  const isFilesSurer = (file.rating?.deviation ?? Infinity) < (here.rating?.deviation ?? Infinity);
  const rating = isFilesSurer ? file.rating : here.rating;
  const games = [...fromFile, ...(here.games ?? [])].slice(-REMEMBERED);
  return { ...(rating && { rating }), tallies, games };
}

const isKey = (name: string): name is StoredKey => (STORED_KEYS as string[]).includes(name);

/** Joins what lies in localStorage. False if the browser refuses to store it. */
function joinStored(stored: Record<string, unknown>, done: Joined, withSettings: boolean): boolean {
  let isKept = true;
  for (const [name, value] of Object.entries(stored)) {
    const text = JSON.stringify(value);
    if (name === PUZZLES) {
      const progress = new PuzzleProgress();
      done.broken += readProgress(text) && progress.importText(text) ? 0 : 1;
      isKept &&= !progress.isRefused;
    } else if (name === DRILL) {
      const failed = readFailed(text);
      done.broken += failed ? 0 : 1;
      isKept = (failed === null || new DrillProgress().join(failed)) && isKept;
    } else if (isKey(name)) {
      isKept = joinKey(name, text, done, withSettings) && isKept;
    } else if (!isWaiting(name) && storedText(PREFIX + name) === null) {
      // Of a part of the page that looks after it by itself.
      isKept = put(name, value) && isKept;
    }
  }
  return isKept;
}

function joinKey<K extends StoredKey>(key: K, text: string, done: Joined, withSettings: boolean): boolean {
  const { value: file, damaged } = parseStored(key, text);
  done.broken += damaged ? 1 : 0;
  if (file === undefined) {
    return true;
  }
  const here = load(key);
  const isSetting = key === 'settings' || key === 'newGame';
  let joined: Stored<K> = here ?? file;
  if (here !== undefined) {
    // What stands on the boards stays; the games of the file are among the others.
    joined = JOIN[key]?.(here, file) ?? (isSetting && withSettings ? { ...here, ...file } : here);
  }
  if (key === 'settings') {
    // Each browser is asked for itself.
    const { persistAsked = false } = (here ?? {}) as Stored<'settings'>;
    joined = { ...joined, persistAsked };
  }
  return put(key, joined);
}

/** Stores a value; false if the browser refuses. */
function put(name: string, value: unknown): boolean {
  save(name as StoredKey, value);
  return storedText(PREFIX + name) === JSON.stringify(value);
}
