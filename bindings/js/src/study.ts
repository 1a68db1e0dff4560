/**
 * Records of games as trees, positions with all that a page shows of them, exercises, and set-up of positions.
 *
 * In Node, Deno and Bun everything works at once. In a browser `await init()` comes first: it loads `study.wasm`.
 * @module
 */
import * as glue from '../build/study/sakmak.js';
import { ArgumentError, type SakmakError } from './errors.js';
import { asText } from './moves.js';
import { errorOf, rulesText } from './study-data.js';
import type { Exercise, SetupBoard } from './study-types.js';
import { study } from './study-wasm.js';
import type { RulesOptions } from './types.js';

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
export type { WasmSource } from './loader.js';
export { NOTATIONS, RULESETS, START_FEN, VARIANTS } from './names.js';
export { GameRecord, Library, type OpenedGame } from './study-record.js';
export type * from './study-types.js';
export { init, initSync } from './study-wasm.js';
export type * from './types.js';

/**
 * The text of a file of games and its encoding: UTF-8, UTF-16 or a code page, by its byte order mark or its content.
 */
export function decodeText(bytes: Uint8Array | ArrayBuffer): { text: string; encoding: string } {
  study.ready();
  const content = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(content instanceof Uint8Array)) {
    throw new ArgumentError('argument.type', 'a file must be an Uint8Array or an ArrayBuffer');
  }
  const encoding = glue.textEncoding(content);
  return { text: new TextDecoder(encoding).decode(content), encoding };
}

/**
 * The FEN of a board set up by hand, and what is wrong with it; `null` if it is a position under the rules.
 *
 * @throws {ArgumentError} If a field is of the wrong type.
 */
export function checkSetup(board: SetupBoard, rules: RulesOptions = {}): { fen: string; error: SakmakError | null } {
  study.ready();
  asText(board?.board, 'a board');
  const checked = JSON.parse(glue.checkSetup(JSON.stringify({ turn: 'w', ...board }), rulesText(rules)));
  return { fen: checked.fen, error: checked.error && errorOf(checked.error) };
}

/** All exercises, the shortest first: positions decided by the count, and wins against a bare khun. */
export function exercises(): Exercise[] {
  study.ready();
  return JSON.parse(glue.exercises());
}

/** The ratings of the engine's levels, the weakest first: values for its option `UCI_Elo`. */
export function levelRatings(): number[] {
  study.ready();
  return [...glue.levelRatings()];
}
