// What the page stores in the browser. Another version, another program or a fault may have written it: each value is
// parsed by a schema, what does not fit is left out, and the rest is kept.
import * as v from 'valibot';
import type { Notation, RulesChoice, Side } from '../rules/types';

/** Whether the value that is being parsed had a part that does not fit. */
let damaged = false;

/** A part that is left out (undefined) if it is missing or does not fit; the latter is noted. */
export function part<T>(schema: v.GenericSchema<unknown, T>) {
  const note = (): undefined => {
    damaged = true;
    return undefined;
  };
  // The default is called for: Valibot takes a missing member without one for a fault.
  return v.fallback(
    v.optional(schema, () => undefined),
    note,
  );
}

/** An object; a list is none. */
export function object<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(
    v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    v.object(entries),
  );
}

/** One of some names; older names stand for some of them. */
function renamed<const T extends string>(names: readonly T[], older: Record<string, T>): v.GenericSchema<unknown, T> {
  return v.pipe(
    v.picklist([...names, ...Object.keys(older)]),
    v.transform((name) => older[name] ?? (name as T)),
  );
}

const whole = (from: number, to: number) => v.pipe(v.number(), v.integer(), v.minValue(from), v.maxValue(to));
export const amount = (to: number) => v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(to));

/** What the engine's settings offer: MiB, and seconds for a position. */
export const MEMORIES = [16, 48, 128, 256] as const;
export const SECONDS = [0, 5, 20, 60] as const;

const SIDE = v.picklist(['w', 'b'] satisfies Side[]);
const NOTATION = v.picklist(['san', 'lan', 'thai-san', 'thai-lan', 'schemingmind', 'uci'] satisfies Notation[]);
export const RULES: v.GenericSchema<unknown, RulesChoice> = object({
  variant: v.string(),
  ruleset: v.string(),
  parts: v.string(),
});
/** Levels of the engine from 0. */
const LEVEL = whole(0, 10);
/** Minutes of a game and seconds of a move at most: a day, an hour. */
const TIME = object({ minutes: amount(1440), seconds: amount(3600) });

/** A name of an opponent of the engine. */
const ANIMAL = v.pipe(v.string(), v.regex(/^[A-Z][a-z]{1,15}$/));
/** An opponent of a game. */
const OPPONENT = object({
  name: ANIMAL,
  rating: amount(1e4),
  isRated: v.boolean(),
  isPaced: v.boolean(),
  seed: whole(0, 0xffffffff),
});
const TALLY = object({ won: amount(1e6), drawn: amount(1e6), lost: amount(1e6) });

/** How a game is played: its form, its clocks, its end. */
export const PLAYED = {
  game: object({
    level: v.nullable(LEVEL),
    animal: part(OPPONENT),
    side: SIDE,
    rules: RULES,
    time: part(v.nullable(TIME)),
    fen: part(v.string()),
  }),
  clock: part(v.nullable(object({ control: TIME, left: v.strictTuple([amount(1e9), amount(1e9)]) }))),
  result: part(
    v.nullable(
      object({
        winner: v.nullable(SIDE),
        reason: v.picklist([
          ...(['checkmate', 'stalemate', 'pieces', 'board', 'counter', 'repetition', 'dead', 'fifty'] as const),
          ...(['resign', 'time', 'timeBare', 'agreement'] as const),
        ]),
      }),
    ),
  ),
};

/** The results of a part of the count trainer. */
const TRAINED = object({ best: amount(1e6), streak: amount(1e6), days: amount(1e6), last: v.string() });

const SCHEMAS = {
  settings: object({
    language: part(v.picklist(['en', 'th'])),
    notation: part(NOTATION),
    // Until version 0.1 there were two sets and no wood.
    pieces: part(renamed(['carved', 'figures', 'thaiLetters', 'letters'], { thai: 'carved' })),
    board: part(renamed(['wood', 'plain', 'chequered'], {})),
    theme: part(v.picklist(['auto', 'light', 'dark'])),
    animation: part(v.boolean()),
    coordinates: part(v.boolean()),
    warn: part(v.boolean()),
    confirm: part(v.boolean()),
    premove: part(v.boolean()),
    facts: part(v.boolean()),
    lines: part(whole(1, 5)),
    memory: part(v.picklist(MEMORIES)),
    seconds: part(v.picklist(SECONDS)),
    sound: part(v.picklist([0, 1, 2, 3])),
    vibration: part(v.boolean()),
    speak: part(v.boolean()),
    comments: part(v.boolean()),
    pace: part(v.picklist([500, 1_000, 2_000, 4_000])),
    persistAsked: part(v.boolean()),
    tables: part(v.pipe(v.string(), v.maxLength(500))),
    evaluations: part(v.pipe(v.string(), v.maxLength(500))),
    rules: part(RULES),
  }),
  newGame: object({
    opponent: part(v.picklist(['animal', 'engine', 'people'])),
    animal: part(ANIMAL),
    isRated: part(v.boolean()),
    isPaced: part(v.boolean()),
    level: part(LEVEL),
    side: part(v.picklist(['w', 'b', 'random'])),
    time: part(v.pipe(v.string(), v.regex(/^(none|custom|\d{1,3}\+\d{1,3})$/))),
    minutes: part(whole(1, 180)),
    seconds: part(whole(0, 180)),
  }),
  play: object({ ...PLAYED, pgn: v.string(), id: part(v.string()), changed: part(amount(1e15)) }),
  analyse: object({
    pgn: v.string(),
    node: part(whole(-1, 1e9)),
    id: part(v.string()),
    changed: part(amount(1e15)),
  }),
  // What is being set up. The text of the board is checked here, the position where it is used.
  setup: object({
    board: object({
      board: v.pipe(v.string(), v.regex(/^[.kmsnrpo]{64}$/i)),
      turn: SIDE,
      rights: v.pipe(v.string(), v.maxLength(16)),
      plyLimit: whole(0, 1_000),
      ply: whole(0, 1_000),
      moveNumber: whole(0, 100_000),
      number: part(whole(0, 1_000)),
    }),
    counting: v.picklist(['none', 'rules', 'hand']),
    rules: RULES,
    isOpen: part(v.boolean()),
  }),
  trainer: object({
    many: part(TRAINED),
    time: part(TRAINED),
    whose: part(TRAINED),
    hunt: part(TRAINED),
    stars: part(v.record(v.string(), whole(0, 3))),
  }),
  friend: object({
    name: part(v.pipe(v.string(), v.maxLength(40))),
    stun: part(v.pipe(v.string(), v.maxLength(200))),
  }),
  opponents: object({
    rating: part(object({ rating: v.pipe(v.number(), v.finite()), deviation: amount(350), volatility: amount(1) })),
    tallies: part(v.record(v.string(), TALLY)),
    games: part(
      v.array(
        object({
          id: v.string(),
          name: v.string(),
          score: v.picklist([0, 0.5, 1]),
          /** The person's rating before and after; null if the game was not rated. */
          change: v.nullable(v.strictTuple([v.number(), v.number()])),
        }),
      ),
    ),
  }),
  // Names of exercises. One that is no name is left out.
  solved: v.pipe(
    v.array(v.unknown()),
    v.transform((list) => {
      const names = list.filter((name) => typeof name === 'string');
      damaged ||= names.length < list.length;
      return names;
    }),
  ),
};

export type StoredKey = keyof typeof SCHEMAS;
export type Stored<K extends StoredKey> = WithoutGaps<v.InferOutput<(typeof SCHEMAS)[K]>>;

/** Members that may be undefined become members that may be missing: undefined would hide a default. */
export type WithoutGaps<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [M in keyof T as undefined extends T[M] ? never : M]: WithoutGaps<T[M]> } & {
        [M in keyof T as undefined extends T[M] ? M : never]?: WithoutGaps<Exclude<T[M], undefined>>;
      }
    : T;

export const STORED_KEYS = Object.keys(SCHEMAS) as StoredKey[];

/** The value that a stored text holds, without the parts that do not fit; undefined if nothing is left. */
export function parseStored<K extends StoredKey>(
  key: K,
  text: string,
): { value: Stored<K> | undefined; damaged: boolean } {
  damaged = false;
  try {
    const { success, output } = v.safeParse(SCHEMAS[key], JSON.parse(text));
    return success ? { value: withoutGaps(output) as Stored<K>, damaged } : { value: undefined, damaged: true };
  } catch {
    return { value: undefined, damaged: true };
  }
}

export function withoutGaps<T>(value: T): WithoutGaps<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value as WithoutGaps<T>;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutGaps(member)])) as WithoutGaps<T>;
}

const damagedKeys = new Set<StoredKey>();
let listener: ((keys: StoredKey[]) => void) | null = null;

/** Calls `listen` with the keys of which something was left out, also of those that were read before. */
export function onDamaged(listen: (keys: StoredKey[]) => void): void {
  listener = listen;
  announce();
}

function announce(): void {
  // Once for all that is read together.
  queueMicrotask(() => {
    const keys = [...damagedKeys];
    if (listener && keys.length > 0) {
      damagedKeys.clear();
      listener(keys);
    }
  });
}

/** The text stored under a name; null if there is none, or the browser stores nothing. */
export function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Reads what was stored in the browser; undefined if there is nothing, or nothing that fits. */
export function load<K extends StoredKey>(key: K): Stored<K> | undefined {
  const text = storedText(`sakmak.${key}`);
  if (text === null) {
    return undefined;
  }
  const { value, damaged } = parseStored(key, text);
  if (damaged) {
    drop(key, value);
  }
  return value;
}

/** Stores what is left of a damaged value, or nothing, and reports it. */
export function drop<K extends StoredKey>(key: K, rest?: Stored<K>): void {
  if (rest === undefined) {
    forget(key);
  } else {
    save(key, rest);
  }
  damagedKeys.add(key);
  announce();
}

/** Stores a value in the browser. Where that is not possible it lasts until the page is closed. */
export function save(key: StoredKey, value: unknown): void {
  try {
    localStorage.setItem(`sakmak.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: nothing depends on it.
  }
}

export function forget(key: StoredKey): void {
  try {
    localStorage.removeItem(`sakmak.${key}`);
  } catch {
    // As above.
  }
}

/** A text that several tabs read and write. */
export class SharedText {
  /** What this tab has read or stored last. */
  private known: string | null = null;

  constructor(private readonly name: string) {}

  /** The stored text if another tab has written it, else null. What the browser refused to store is no such text. */
  news(): string | null {
    const text = storedText(this.name);
    if (text === null || text === this.known) {
      return null;
    }
    this.known = text;
    return text;
  }

  /** Stores a text. False if the browser refuses: it lasts until the page is closed. */
  store(text: string): boolean {
    try {
      localStorage.setItem(this.name, text);
    } catch {
      return false;
    }
    this.known = text;
    return true;
  }
}
