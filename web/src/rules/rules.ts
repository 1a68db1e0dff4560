// The rules as the page names them, and the package that knows them.
import {
  exercises,
  GameRecord,
  init,
  Library,
  levelRatings,
  type Outcome,
  type RecordRules,
  RULESETS,
  type RulesOptions,
  SakmakError,
  VARIANTS,
} from 'sakmak/study';
import type { Exercise, FaultData, RulesChoice } from './types';

interface Names {
  variants: readonly string[];
  rulesets: readonly string[];
  /** Of the levels, the weakest first. */
  ratings: number[];
}

let names: Names | undefined;
let list: Exercise[] | undefined;

/** Loads the WebAssembly. Nothing else here may be called before. */
export function loadRules(): Promise<void> {
  return init();
}

export function ruleNames(): Names {
  names ??= { variants: VARIANTS, rulesets: RULESETS, ratings: levelRatings() };
  return names;
}

export function exerciseList(): Exercise[] {
  list ??= exercises();
  return list;
}

/** The rules for the package. A name that it does not know is an error there. */
export function optionsOf({ variant, ruleset, parts }: RulesChoice): RulesOptions {
  const pairs = parts.split(' ').filter(Boolean);
  const named = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  return { variant, ruleset, parts: named } as RulesOptions;
}

/** The rules of a record as the page stores them. */
export function choiceOf({ variant, ruleset, parts }: RecordRules): RulesChoice {
  const pairs = Object.entries(parts).map(([name, value]) => `${name}=${value}`);
  return { variant, ruleset, parts: pairs.join(' ') };
}

/** A game without moves. */
export function newRecord(rules: RulesChoice, fen?: string): GameRecord {
  return new GameRecord(fen, optionsOf(rules));
}

/** The games of a text. `rules` are those of games that do not name theirs. */
export function libraryOf(text: string, rules: RulesChoice): Library {
  return new Library(text, optionsOf(rules));
}

/** What an error says, for the messages. */
export function faultOf(error: unknown): FaultData {
  if (!(error instanceof SakmakError)) {
    return { code: 'other', args: {}, text: String(error) };
  }
  const { code, args, message: text, cause } = error;
  return { code, args, text, ...(cause instanceof SakmakError && { cause: faultOf(cause) }) };
}

const REASONS = {
  checkmate: 'checkmate',
  stalemate: 'stalemate',
  'pieces-honour': 'pieces',
  'board-honour': 'board',
  'counter-mated': 'counter',
  repetition: 'repetition',
  'dead-material': 'dead',
  'fifty-moves': 'fifty',
} as const;

/** Why a game is over, as the page stores it. */
export type Reason = (typeof REASONS)[Outcome['reason']];

export function reasonOf(outcome: Outcome): Reason {
  return REASONS[outcome.reason];
}
