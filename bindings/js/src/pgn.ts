import * as glue from '../build/glue/sakmak.js';
import { type Board, startHeaders } from './board.js';
import { ArgumentError, type PgnError } from './errors.js';
import { asText } from './moves.js';
import { notationIndex } from './names.js';
import { partsOf, partsText } from './parts.js';
import type { Notation, PgnGame, PgnMove, Result, Ruleset, RulesOptions, Variant } from './types.js';
import { ready } from './wasm.js';

/** Options of `parsePgn`. */
export interface ParsePgnOptions {
  /** Only games of this variant. Without it all games, by their Variant tags. */
  variant?: Variant;
  /** The rules of games without a Ruleset tag. */
  ruleset?: Ruleset;
  /** The notation of the moves; SAN reads the others too. */
  notation?: Notation;
  /** Is called with each error and the part of its game before it. Without it the first error is thrown. */
  onError?: (error: PgnError, game: PgnGame) => void;
}

/** Tags for `toPgn`. Those without a value are left out. */
export type PgnHeaders = Readonly<Record<string, string | number | null | undefined>>;

/** What `toPgn` takes: the result of `parsePgn`, or the parts of it that there are. */
export interface WritablePgn {
  headers?: PgnHeaders;
  variant?: Variant;
  ruleset?: Ruleset;
  parts?: RulesOptions['parts'];
  fen?: string;
  result?: Result;
  comments?: readonly string[];
  moves: readonly WritableMove[];
}

/** A move for `toPgn`: by `uci` or `san`. */
export type WritableMove = ({ uci: string } | { san: string }) &
  Partial<Omit<PgnMove, 'uci' | 'san' | 'variations'>> & {
    variations?: readonly { comments?: readonly string[]; moves: readonly WritableMove[] }[];
  };

interface RawGame extends Omit<PgnGame, 'headers' | 'parts'> {
  headers: string[];
  parts: string;
  error?: PgnError;
}

/** Names and values in turn as an object: own properties, whatever their names. */
function pairsOf(list: readonly string[]): Record<string, string> {
  const names = list.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, list[2 * index + 1] as string]));
}

/**
 * Reads all games of a PGN text, or of a score sheet without tags: moves in SAN, Thai SAN and other notations, with
 * comments, NAGs and variations. A variation with an illegal move becomes a comment, and a warning is kept.
 *
 * @throws {PgnError} At the first game that cannot be read, unless there is `onError`.
 */
export function parsePgn(text: string, options: ParsePgnOptions = {}): PgnGame[] {
  ready();
  const by = notationIndex(options.notation ?? 'san');
  const read = glue.readPgn(
    asText(text, 'PGN'),
    options.variant,
    options.ruleset ?? 'fairy-stockfish',
    by,
  ) as RawGame[];
  return read.map(({ error, headers, parts, ...game }) => {
    const parsed: PgnGame = { ...game, parts: partsOf(parts), headers: pairsOf(headers) };
    if (error !== undefined) {
      if (options.onError === undefined) {
        throw error;
      }
      options.onError(error, parsed);
    }
    return parsed;
  });
}

/**
 * Writes a game as PGN: of a board with its history, of `parsePgn`, or put together by hand. The moves are checked.
 *
 * @throws {MoveError} If a move is illegal.
 * @throws {PgnError} If the start position is wrong or a text cannot be written.
 */
export function toPgn(game: Board | WritablePgn, options: { headers?: PgnHeaders; notation?: Notation } = {}): string {
  ready();
  if (game === null || typeof game !== 'object') {
    throw new ArgumentError('argument.type', 'a game must be a board or an object with moves');
  }
  const whole = 'moves' in game && typeof game.moves !== 'function' ? (game as WritablePgn) : ofBoard(game as Board);
  const given = Object.entries({ ...whole.headers, ...options.headers }).filter(([, value]) => value != null);
  const headers: Record<string, string> = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  const { variant, ruleset = (headers.Ruleset as Ruleset) ?? 'fairy-stockfish', parts, fen } = whole;
  if (variant !== undefined && (variant !== 'makruk' || headers.Variant !== undefined)) {
    headers.Variant = variant;
  }
  if (ruleset !== 'fairy-stockfish') {
    headers.Ruleset = ruleset;
  }
  if (parts !== undefined && Object.keys(parts).length > 0) {
    headers.RuleParts = partsText(parts);
  }
  // Readers assume the standard array, whatever the ruleset.
  if (fen !== undefined && fen !== glue.startFen(variant ?? 'makruk', ruleset, 'StartArray=standard')) {
    headers.SetUp = '1';
    headers.FEN = fen;
  }
  const by = notationIndex(options.notation ?? 'san');
  return glue.writePgn({ ...whole, ruleset, headers: Object.entries(headers).flat() }, by);
}

function ofBoard(board: Board): WritablePgn {
  const headers = pairsOf(startHeaders(board));
  // Readers assume Makruk.
  if (headers.Variant === 'makruk') {
    delete headers.Variant;
  }
  const comments: string[] = [];
  const moves: { uci: string; comments: string[] }[] = [];
  for (const word of board.uciWords()) {
    if (word.startsWith('count-')) {
      // As readers obey it: behind the last move.
      (moves.at(-1)?.comments ?? comments).push(`[%${word.replace('-', ' ')}]`);
    } else {
      moves.push({ uci: word, comments: [] });
    }
  }
  return { headers, result: board.result(), comments, moves };
}
