// What a report teaches: its mistakes with their facts, phases, counts, turning points, time, and the score of retries.
import type { CountRun, Lesson, LessonFact, ReviewPhase } from 'sakmak/engine';
import * as v from 'valibot';
import type { GameReport, Side } from '../rules/types';
import type { KeptGame, KeptReport } from './kept';
import { object } from './stored';

/** Turning points of a game that are named. */
const TURNS = 3;
/** Least swing of a turning point, in hundredths of a game. */
const LEAST_TURN = 10;

const number = v.pipe(v.number(), v.finite());
const PIECE = v.picklist(['bia', 'met', 'khon', 'maa', 'rua', 'khun']);
const PROSPECTS = v.picklist(['lost', 'worse', 'equal', 'better', 'won']);
const CAUSE = v.picklist(['last-bia', 'promotion', 'last-piece', 'other']);
const MEANS = v.variant('by', [
  v.object({ by: v.literal('fork'), piece: PIECE, targets: v.array(PIECE) }),
  v.object({ by: v.picklist(['skewer', 'pin', 'discovered', 'trapped', 'unprotected', 'outnumbered']) }),
  v.object({ by: v.literal('cheaper'), piece: PIECE }),
]);
const FACT = v.variant('kind', [
  v.object({ kind: v.literal('mate'), moves: number, backRank: v.boolean() }),
  v.object({ kind: v.literal('material'), lost: v.array(PIECE), won: v.array(PIECE), means: v.optional(MEANS) }),
  v.object({ kind: v.literal('promotion') }),
  v.object({ kind: v.literal('draw'), reason: v.string() }),
  v.object({
    kind: v.picklist(['count-begins', 'count-allowed']),
    cause: CAUSE,
    left: number,
    needed: v.nullable(number),
  }),
  v.object({ kind: v.literal('race-lost'), left: number, needed: v.nullable(number) }),
  v.object({ kind: v.literal('count-missed'), cause: CAUSE, left: number }),
  v.object({ kind: v.literal('hold-lost'), left: number, needed: number }),
  v.object({ kind: v.literal('solved'), before: PROSPECTS, after: PROSPECTS }),
]);
const LESSON = v.object({
  allowed: v.array(FACT),
  missed: v.array(FACT),
  shown: number,
  better: number,
  before: PROSPECTS,
  after: PROSPECTS,
  themes: v.array(v.string()),
});
const SHARE = v.nullable(number);
const TEACHING = object({
  lessons: v.array(v.nullable(LESSON)),
  phases: v.array(
    v.object({
      kind: v.picklist(['opening', 'middlegame', 'endgame']),
      first: number,
      accuracy: v.strictTuple([SHARE, SHARE]),
    }),
  ),
  counts: v.array(
    v.object({
      ply: number,
      began: v.boolean(),
      honour: v.picklist(['board', 'pieces']),
      counter: v.optional(v.picklist(['w', 'b'])),
      left: SHARE,
      needed: SHARE,
      end: v.picklist(['mate', 'drawn', 'replaced', 'stopped', 'open']),
      unused: number,
    }),
  ),
});

export interface Teaching {
  /** One for each move. */
  lessons: (Lesson | null)[];
  phases: ReviewPhase[];
  counts: CountRun[];
}

/** A mistake of a report. */
export interface Mistake {
  /** The index of the move. */
  ply: number;
  side: Side;
  lost: number;
  /** 6, 2 or 4 for `?!`, `?` and `??`. */
  glyph: number;
  lesson: Lesson;
}

/** What a report teaches; null if an earlier version of the page made it, or it is damaged. */
export function teachingOf({ moves, teaching }: GameReport): Teaching | null {
  const { success, output } = v.safeParse(TEACHING, teaching);
  return success && output.lessons.length === moves.length ? (output as Teaching) : null;
}

/** The side that makes the move `ply`. */
export function sideOf(fen: string, ply: number): Side {
  return (fen.split(' ')[1] === 'b') === (ply % 2 === 1) ? 'w' : 'b';
}

/** The mistakes of a report of a game from `fen`. */
export function mistakesOf(report: GameReport, fen: string): Mistake[] {
  const lessons = teachingOf(report)?.lessons ?? [];
  return lessons.flatMap((lesson, ply) => {
    const { lost = 0, glyph = 0 } = report.moves[ply] ?? {};
    return lesson ? [{ ply, side: sideOf(fen, ply), lost, glyph, lesson }] : [];
  });
}

/** White's expected points, in hundredths of a game. */
export function whitePoints([win, draw]: [number, number, number]): number {
  return (2 * win + draw) / 20;
}

/** The moves after which the expected points had changed most, in the order of the game. */
export function turningPoints({ positions, moves }: GameReport): { ply: number; change: number }[] {
  const points = positions.map(({ chances }) => whitePoints(chances));
  return moves
    .map((_, ply) => ({ ply, change: (points[ply + 1] ?? 0) - (points[ply] ?? 0) }))
    .filter(({ change }) => Math.abs(change) >= LEAST_TURN)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, TURNS)
    .sort((a, b) => a.ply - b.ply);
}

/** What the score sheet says about the time of one side, in seconds. */
export interface TimeUse {
  total: number;
  /** The longest thought, and its move. */
  longest: { ply: number; seconds: number };
}

/** The time that each side used, by `[%emt]` or `[%clk]`; null where the game does not say. */
export function timeOf(pgn: string, fen: string, plies: number): [TimeUse | null, TimeUse | null] {
  const comments = mainLineComments(pgn);
  const increment = Number(/\[TimeControl "\d+\+(\d+)"\]/.exec(pgn)?.[1] ?? 0);
  const used: [[number, number][], [number, number][]] = [[], []];
  const clocks: [number | null, number | null] = [null, null];
  if (comments.length < plies) {
    return [null, null];
  }
  comments.slice(0, plies).forEach((comment, ply) => {
    const at = sideOf(fen, ply) === 'w' ? 0 : 1;
    const spent = secondsOf(comment, 'emt');
    const left = secondsOf(comment, 'clk');
    const before = clocks[at];
    const seconds = spent ?? (left !== null && before !== null ? before - left + increment : null);
    clocks[at] = left ?? before;
    if (seconds !== null && seconds >= 0) {
      used[at].push([ply, seconds]);
    }
  });
  const use = (moves: [number, number][]): TimeUse | null => {
    const [first, ...others] = [...moves].sort((a, b) => b[1] - a[1]);
    const total = moves.reduce((sum, [, seconds]) => sum + seconds, 0);
    return first && others.length > 0 ? { total, longest: { ply: first[0], seconds: first[1] } } : null;
  };
  return [use(used[0]), use(used[1])];
}

function secondsOf(comment: string, command: 'emt' | 'clk'): number | null {
  const text = new RegExp(`\\[%${command} ([\\d:.]+)\\]`).exec(comment)?.[1];
  const seconds = text?.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return seconds === undefined || Number.isNaN(seconds) ? null : seconds;
}

/** The comments after each move of the main line of a game in PGN. */
function mainLineComments(pgn: string): string[] {
  const comments: string[] = [];
  let depth = 0;
  const text = pgn.replace(/^\[.*\]\s*$/gm, '');
  for (const [token] of text.matchAll(/\{[^}]*\}|;[^\n]*|[()]|[^\s(){};]+/g)) {
    if (token === '(' || token === ')') {
      depth += token === '(' ? 1 : -1;
    } else if (depth === 0 && token.startsWith('{')) {
      const last = comments.length - 1;
      if (last >= 0) {
        comments[last] += token;
      }
    } else if (depth === 0 && !/^(;|\$|\d+\.*$|\*$|1-0$|0-1$|1\/2-1\/2$|[!?]+$)/.test(token)) {
      comments.push('');
    }
  }
  return comments;
}

/** Attempts at each mistake: how many, and which one was right; 0 for none yet. */
export type Retries = Record<number, [number, number]>;

const RETRIES = v.record(v.string(), v.strictTuple([number, number]));

export function retriesOf({ retries }: KeptReport): Retries {
  const { success, output } = v.safeParse(RETRIES, retries);
  return success ? output : {};
}

/** How many of some mistakes were tried again, found, and found at once. */
export function scoreOf(retries: Retries, plies: number[]): { tried: number; found: number; atOnce: number } {
  const all = plies.map((ply): [number, number] => retries[ply] ?? [0, 0]);
  return {
    tried: all.filter(([times]) => times > 0).length,
    found: all.filter(([, right]) => right > 0).length,
    atOnce: all.filter(([, right]) => right === 1).length,
  };
}

/** What a mistake is filed under: its first theme, else what it lost. */
export function groupOf({ lesson: { themes, allowed, missed } }: Mistake): string {
  const [fact] = [...allowed, ...missed];
  return themes[0] ?? (fact ? groupOfFact(fact) : 'position');
}

function groupOfFact(fact: LessonFact): string {
  if (fact.kind === 'material') {
    return fact.means?.by === 'unprotected' ? 'unprotected' : 'exchange';
  }
  return fact.kind === 'draw' || fact.kind === 'solved' ? 'gift' : 'position';
}

/** A mistake of one of the kept games. */
export interface KeptMistake extends Mistake {
  game: KeptGame;
  retries: Retries;
}

/** The mistakes of kept games, those of the person where one side was the engine's. */
export function allMistakes(games: { game: KeptGame; report: KeptReport }[]): KeptMistake[] {
  return games.flatMap(({ game, report }) => {
    const own = game.kind === 'engine' ? game.play?.game.side : undefined;
    const retries = retriesOf(report);
    return mistakesOf(report.data, game.start)
      .filter(({ side }) => own === undefined || side === own)
      .map((mistake) => ({ ...mistake, game, retries }));
  });
}

export interface Group {
  id: string;
  mistakes: KeptMistake[];
  /** Those not found again. */
  open: number;
}

/** Mistakes by what they are filed under, the group with most open ones first. */
export function groupsOf(mistakes: KeptMistake[]): Group[] {
  const groups = new Map<string, KeptMistake[]>();
  for (const mistake of mistakes) {
    const id = groupOf(mistake);
    groups.set(id, [...(groups.get(id) ?? []), mistake]);
  }
  return [...groups]
    .map(([id, list]) => ({ id, mistakes: list, open: list.filter((one) => !one.retries[one.ply]?.[1]).length }))
    .sort((a, b) => b.open - a.open || b.mistakes.length - a.mistakes.length);
}
