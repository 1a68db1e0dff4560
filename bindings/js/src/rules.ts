/**
 * The rules of Makruk and its relatives.
 *
 * In Node, Deno and Bun everything works at once. In a browser `await init()` comes first: it loads `rules.wasm`.
 * @module
 */
import * as glue from '../build/glue/sakmak.js';
import type { FenError } from './errors.js';
import { asText } from './moves.js';
import { rulesOf } from './names.js';
import type { FenReport, RulesOptions } from './types.js';
import { ready } from './wasm.js';

export { Board, type MoveFilter } from './board.js';
export {
  ArgumentError,
  CountError,
  type ErrorArgs,
  FenError,
  MoveError,
  PgnError,
  RulesError,
  SakmakError,
  StateError,
} from './errors.js';
export { NOTATIONS, RULESETS, START_FEN, VARIANTS } from './names.js';
export { type ParsePgnOptions, type PgnHeaders, parsePgn, toPgn, type WritablePgn } from './pgn.js';
export type * from './types.js';
export { init, initSync, type WasmSource } from './wasm.js';

/** The start position of a variant and a ruleset. Upturned boats are marked `M~`. */
export function startFen(options: RulesOptions = {}): string {
  ready();
  return glue.startFen(...rulesOf(options));
}

/** Checks a FEN; reports the first field that is wrong and why. Unknown rules throw a `RulesError`. */
export function validateFen(fen: string, options: RulesOptions = {}): FenReport {
  ready();
  try {
    glue.checkFen(asText(fen, 'a FEN'), ...rulesOf(options));
    return { ok: true };
  } catch (error) {
    const { code, message, args, field } = error as FenError;
    if (!code?.startsWith('fen.')) {
      throw error;
    }
    return { ok: false, code, field, message, args };
  }
}
