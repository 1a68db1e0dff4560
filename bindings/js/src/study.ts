/**
 * Records of games as trees, positions with all that a page shows of them, exercises, and set-up of positions.
 *
 * In Node, Deno and Bun everything works at once. In a browser `await init()` comes first: it loads `study.wasm`.
 * @module
 */
import * as glue from '../build/study/sakmak.js';
import { ArgumentError, type SakmakError } from './errors.js';
import { asText } from './moves.js';
import { asWhole, errorOf, rulesTexts } from './study-data.js';
import type { CountQuestion, Exercise, SetupBoard } from './study-types.js';
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
  const { turn = 'w', rights = '', plyLimit = 0, ply = 0, number, byRules = false, moveNumber = 1 } = board ?? {};
  if (typeof byRules !== 'boolean') {
    throw new ArgumentError('argument.type', `byRules must be true or false, not '${byRules}'`);
  }
  const asCount = (value: unknown, what: string) => asWhole(value, what, 0, 0xffff_ffff);
  const text = glue.checkSetup(
    asText(board?.board, 'a board'),
    asText(turn, 'the side to move'),
    asText(rights, 'the first-move privileges'),
    asCount(plyLimit, 'the limit of a count'),
    asCount(ply, 'the plies counted'),
    number == null ? undefined : asCount(number, 'the number spoken last'),
    byRules,
    asCount(moveNumber, 'a move number'),
    ...rulesTexts(rules),
  );
  const checked = JSON.parse(text);
  return { fen: checked.fen, error: checked.error && errorOf(checked.error) };
}

/**
 * The board of a FEN, for an editor; the position may be one that the rules do not allow. The board alone suffices,
 * and fields may be separated by underscores.
 *
 * @throws {FenError} If the text is no FEN.
 */
export function readSetup(fen: string): Required<Omit<SetupBoard, 'number' | 'byRules'>> {
  study.ready();
  return JSON.parse(glue.readSetup(asText(fen, 'a FEN')));
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

/**
 * A random position of an attacker with these pieces (letters of `RSNM`) against a bare khun, as a FEN: the pieces'
 * honour has just begun, and the khun is to move or, with `attackerMoves`, has made its first move. The same seed, a
 * whole number below 2**32, gives the same position. `null` if there is none.
 */
export function randomEnding(pieces: string, seed: number, { attackerMoves = false } = {}): string | null {
  study.ready();
  return glue.trainerEnding(asText(pieces, 'pieces'), attackerMoves, seed) ?? null;
}

/**
 * The position of a FEN with a count that is just long enough for a mate in so many plies (`fits`), or just too short;
 * `null` if its count cannot stand so.
 */
export function closeCount(fen: string, plies: number, fits: boolean, seed: number): string | null {
  study.ready();
  return glue.trainerRace(asText(fen, 'a FEN'), plies, fits, seed) ?? null;
}

/**
 * A random position without bia in which both sides have pieces, as a FEN. With `mates` the side to move counts and can
 * mate at once.
 *
 * @throws {RulesError} If the rules are wrong.
 */
export function randomArmed(rules: RulesOptions, mates: boolean, seed: number): string | null {
  study.ready();
  return glue.trainerArmed(...rulesTexts(rules), mates, seed) ?? null;
}

/** A random question about a count that has just begun. */
export function countQuestion(seed: number): CountQuestion | null {
  study.ready();
  const text = glue.trainerQuestion(seed);
  if (text === undefined) {
    return null;
  }
  const [fen = '', ...numbers] = text.split(';');
  const [line = 0, ...others] = numbers.map(Number);
  const choices = [4, 9, 14, 19].map((at) => others.slice(at, at + 5));
  return { fen, line, answers: others.slice(0, 4), choices } as CountQuestion;
}

/**
 * Limit, number spoken first and moves left of a count that begins against a bare khun, by the attacker's pieces
 * (letters of `RSNM`) and the default rules; `null` for no pieces and for more than fifteen.
 */
export function countAgainst(pieces: string): { limit: number; first: number; left: number } | null {
  study.ready();
  const [limit, first, left] = glue.trainerTable(asText(pieces, 'pieces')) ?? [];
  return limit === undefined || first === undefined || left === undefined ? null : { limit, first, left };
}
