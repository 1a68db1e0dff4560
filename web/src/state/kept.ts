// The games that the page keeps: what is stored of each, and when two of them are the same.
import type { GameRecord } from 'sakmak/study';
import * as v from 'valibot';
import { choiceOf, libraryOf } from '../rules/rules';
import type { GameReport } from '../rules/types';
import { Session } from './session';
import { amount, object, PLAYED, part, RULES, type WithoutGaps, withoutGaps } from './stored';

export const KINDS = ['engine', 'people', 'opened', 'analysed'] as const;
export const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;

const KEPT = object({
  id: v.string(),
  kind: v.picklist(KINDS),
  pgn: v.string(),
  rules: RULES,
  /** FEN of the start position. */
  start: v.string(),
  /** The main line in coordinates. */
  moves: v.string(),
  white: v.string(),
  black: v.string(),
  event: v.string(),
  date: v.string(),
  result: v.picklist(RESULTS),
  /** Words by which the user finds it. */
  tags: v.array(v.string()),
  /** Milliseconds since 1970. */
  created: amount(1e15),
  changed: amount(1e15),
  /** How a game of the view Play goes on. */
  play: part(object(PLAYED)),
  /** How a game with a friend goes on; `friend-kept.ts` reads it. */
  friend: part(v.string()),
});

export type KeptGame = WithoutGaps<v.InferOutput<typeof KEPT>>;
export type Kind = KeptGame['kind'];

const EVALUATION = v.nullable(v.union([v.object({ cp: v.number() }), v.object({ mate: v.number() })]));
const CHANCES = v.strictTuple([v.number(), v.number(), v.number()]);
const WORDS = v.array(v.string());
const SIDE_SUMMARY = v.object({
  side: v.picklist(['w', 'b']),
  moves: v.number(),
  doubtful: v.number(),
  mistakes: v.number(),
  blunders: v.number(),
  lost: v.number(),
  accuracy: v.number(),
  races: v.array(v.number()),
});
const REPORT: v.GenericSchema<unknown, GameReport> = v.object({
  positions: v.array(
    v.object({
      evaluation: EVALUATION,
      chances: CHANCES,
      best: v.nullable(v.string()),
      line: WORDS,
      names: WORDS,
    }),
  ),
  moves: v.array(v.object({ lost: v.number(), glyph: v.number(), race: v.boolean() })),
  sides: v.strictTuple([SIDE_SUMMARY, SIDE_SUMMARY]),
  teaching: v.optional(v.unknown()),
}) as v.GenericSchema<unknown, GameReport>;

/** A report with the line that it is about, in coordinates, and what `state/lessons.ts` reads of the retries. */
const KEPT_REPORT = v.object({ id: v.string(), moves: WORDS, data: REPORT, retries: v.optional(v.unknown()) });
export type KeptReport = v.InferOutput<typeof KEPT_REPORT>;

/** What another version or a fault may have written; null if it is no game. */
export function parseKept(value: unknown): KeptGame | null {
  const { success, output } = v.safeParse(KEPT, value);
  return success ? (withoutGaps(output) as KeptGame) : null;
}

export function parseReport(value: unknown): KeptReport | null {
  const { success, output } = v.safeParse(KEPT_REPORT, value);
  return success ? output : null;
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is kept of a record as such. */
export type Summary = Pick<
  KeptGame,
  'pgn' | 'rules' | 'start' | 'moves' | 'white' | 'black' | 'event' | 'date' | 'result'
>;

export function summaryOf(record: GameRecord): Summary {
  const { startFen, result, tags, rules } = record.header();
  const tree = new Map(record.tree('uci').map((node) => [node.id, node]));
  const moves: string[] = [];
  for (let node = tree.get(tree.get(0)?.children[0] ?? -1); node; node = tree.get(node.children[0] ?? -1)) {
    moves.push(node.uci);
  }
  return {
    pgn: record.pgn(),
    rules: choiceOf(rules),
    start: startFen,
    moves: moves.join(' '),
    white: tags.White ?? '',
    black: tags.Black ?? '',
    event: tags.Event ?? '',
    date: tags.Date ?? '',
    result,
  };
}

/** Whether there is anything in a record that one would miss. */
export function isWorthKeeping(record: GameRecord): boolean {
  return !record.header().isDefaultStart || (record.tree('uci')[0]?.children.length ?? 0) > 0;
}

/** The session of a kept game. An error if it cannot be read. */
export function sessionOf({ pgn, rules }: Pick<KeptGame, 'pgn' | 'rules'>): Session {
  const { record, error } = libraryOf(pgn, rules).open(0);
  if (error) {
    throw error;
  }
  return new Session(record);
}

const named = (text: string) => text.replaceAll('?', '').replaceAll('.', '').trim();

/** Equal for two games with the same start, moves, players and date. */
export function keyOf({ start, moves, white, black, date, rules }: Omit<Summary, 'pgn'>): string {
  return JSON.stringify([start, moves, named(white), named(black), named(date), rules.variant]);
}

/** What is to be stored where `old` is stored already; null if that is newer. */
export function merged(old: KeptGame | null, next: KeptGame): KeptGame | null {
  if (!old) {
    return next;
  }
  const { kind, tags, created, play, friend } = old;
  const kept = { ...(play && { play }), ...(friend && { friend }) };
  return old.changed > next.changed ? null : { ...kept, ...next, kind, tags, created };
}

/** The PGN of a game with the user's tags. */
export function exported({ pgn, tags }: KeptGame): string {
  if (tags.length === 0) {
    return `${pgn.trim()}\n`;
  }
  const value = tags.join(', ').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${pgn.trim().replace('\n\n', () => `\n[Keywords "${value}"]\n\n`)}\n`;
}

/** The user's tags, as they are typed or exported. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, 20);
}
