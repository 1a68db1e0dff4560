/** What is searched and how, as callers write it, and the UCI commands that it becomes. */
import type { Info } from './info.js';
import { partsText } from './parts.js';
import type { Ruleset, RulesOptions, Variant } from './types.js';

/** A start and moves in coordinates. Without a FEN it is the start position. */
export interface StartAndMoves extends RulesOptions {
  fen?: string;
  moves?: readonly string[];
}

/** What is searched: a FEN, a start and moves, or a `Board` of `sakmak/rules` with its history and rules. */
export type SearchPosition =
  | string
  | StartAndMoves
  | {
      startFen(): string;
      uciWords(): string[];
      readonly variant: Variant;
      readonly ruleset: Ruleset;
      readonly parts?: NonNullable<RulesOptions['parts']>;
    };

/** Limits of a search; without any it goes on until `signal`. */
export interface SearchOptions extends RulesOptions {
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Milliseconds on the clocks, for `play`. */
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
  /** Milliseconds set aside on the clock for messages. */
  moveOverhead?: number;
  /** How many best lines are reported. */
  multiPv?: number;
  /** Searches only these moves, in coordinates. */
  searchMoves?: readonly string[];
  /** Plays at this rating, from 600 to 3475, the full strength. Without other limits it searches what such a player sees. */
  elo?: number;
  /**
   * Plays as one of the opponents of the UCI option `Opponent`, such as `Frog`, by nodes alone: the same seed, position
   * and moves before it give the same move. Limits of time do not count.
   */
  opponent?: string;
  /** With `elo` or `opponent`: the same seed makes the same errors. A whole number from 0. */
  seed?: number;
  /** Searches as if there were no counting rules. */
  withoutCount?: boolean;
  /** Reports the chances to win, draw and lose, see `Info.wdl`. */
  wdl?: boolean;
  /** Ends the search: the promise gives what was found. A search whose turn comes later is rejected with the reason. */
  signal?: AbortSignal;
  onInfo?: (info: Info) => void;
}

/** The result of a search. */
export interface Analysis {
  /** `null` if there is no legal move. */
  bestMove: string | null;
  ponder: string | null;
  /** Whether the side to move must stop its count before the best move, which would only draw otherwise. */
  stopsCount: boolean;
  /** The last report of each line, the best one first. */
  lines: Info[];
}

/** The commands that set up a search, and the one that begins it. */
export interface SearchCommands {
  commands: string[];
  go: string;
}

/** A position that later moves on a board do not change. */
export function asItIs(position: SearchPosition): StartAndMoves {
  if (typeof position === 'string') {
    return { fen: position };
  }
  if ('uciWords' in position) {
    const { variant, ruleset, parts = {} } = position;
    return { fen: position.startFen(), moves: position.uciWords(), variant, ruleset, parts };
  }
  return { ...position, moves: [...(position.moves ?? [])] };
}

/** A position as questions have it. */
export function positionData(position: StartAndMoves, options: RulesOptions = {}) {
  const { fen, moves = [] } = position;
  const { variant, ruleset, parts = {} } = { ...position, ...options };
  return { fen: fen === 'startpos' ? undefined : fen, moves, variant, ruleset, parts: partsText(parts) };
}

/** The commands that set the rules, MultiPV and the position, and the one that begins the search. */
export function searchCommands(position: StartAndMoves, options: SearchOptions): SearchCommands {
  const { fen, moves = [] } = position;
  const { variant = 'makruk', ruleset = 'fairy-stockfish', parts = {} } = { ...position, ...options };
  const start = fen === undefined || fen === 'startpos' ? 'startpos' : `fen ${fen}`;
  const commands = [
    `setoption name UCI_Variant value ${variant}`,
    `setoption name Ruleset value ${ruleset}`,
    `setoption name RuleParts value ${partsText(parts)}`,
    `setoption name MultiPV value ${options.multiPv ?? 1}`,
    `position ${start}${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`,
  ];
  const limits = ['depth', 'nodes', 'movetime', 'wtime', 'btime', 'winc', 'binc'] as const;
  const given = limits.filter((name) => options[name] !== undefined).map((name) => `${name} ${options[name]}`);
  const { elo, opponent, searchMoves = [] } = options;
  // A limited player has limits of its own.
  const go = ['go', ...(given.length > 0 || (elo ?? opponent) !== undefined ? given : ['infinite'])];
  if (searchMoves.length > 0) {
    go.push('searchmoves', ...searchMoves);
  }
  return { commands: commands.map(oneLine), go: oneLine(go.join(' ')) };
}

/** A text of users cannot bring further commands. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
