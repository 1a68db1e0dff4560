/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The method names of `ffish-es6` over `sakmak/rules`, for Makruk, Makpong and Ouk Chaktrang: a site changes one import.
 * Where the two differ, docs/packages.md says how and why.
 * @module
 */
import {
  init,
  initSync,
  MoveError,
  type Notation as NotationName,
  PgnError,
  type PgnGame,
  parsePgn,
  type Result,
  Board as Rules,
  type SakmakError,
  startFen,
  VARIANTS,
  type Variant,
  validateFen as validate,
} from './rules.js';

/** A value of an enumeration. */
export interface EnumValue {
  readonly value: number;
}

function enumeration<Name extends string>(...names: Name[]): Readonly<Record<Name, EnumValue>> {
  const entries = names.map((name, value) => [name, Object.freeze({ value })]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Notations. Those of other games are here for their names only. */
export const Notation = enumeration(
  'DEFAULT',
  'SAN',
  'LAN',
  'SHOGI_HOSKING',
  'SHOGI_HODGES',
  'SHOGI_HODGES_NUMBER',
  'JANGGI',
  'XIANGQI_WXF',
  'THAI_SAN',
  'THAI_LAN',
);

/** Ends of games. */
export const Termination = enumeration(
  'ONGOING',
  'CHECKMATE',
  'STALEMATE',
  'INSUFFICIENT_MATERIAL',
  'N_MOVE_RULE',
  'N_FOLD_REPETITION',
  'VARIANT_END',
);

const NAMES: Record<number, NotationName> = { 0: 'san', 1: 'san', 2: 'lan', 8: 'thai-san', 9: 'thai-lan' };

function notationOf(notation: EnumValue | number | undefined): { notation: NotationName } | undefined {
  if (notation === undefined) {
    return undefined;
  }
  return { notation: NAMES[typeof notation === 'number' ? notation : notation.value] ?? 'san' };
}

/** What an illegal or malformed move becomes; other errors pass. */
function unlessMove<T>(otherwise: T, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof MoveError) {
      return otherwise;
    }
    throw error;
  }
}

/** A position with its history. */
export class Board {
  #board: Rules;
  readonly #variant: string;

  /** A board of a variant, `makruk`, `makpong` or `cambodian`. Others throw; so does a wrong FEN. */
  constructor(uciVariant = 'makruk', fen?: string, _is960 = false) {
    this.#variant = uciVariant;
    this.#board = new Rules(fen || null, { variant: uciVariant as Variant });
  }

  delete(): void {
    this.#board.free();
  }

  [Symbol.dispose](): void {
    this.delete();
  }

  legalMoves(): string {
    return this.#board.legalMoves().join(' ');
  }

  legalMovesSan(): string {
    return this.#board.moves().join(' ');
  }

  numberLegalMoves(): number {
    return this.#board.legalMoveCount();
  }

  push(uciMove: string): boolean {
    return this.#board.tryPush(uciMove);
  }

  pushSan(sanMove: string, notation?: EnumValue): boolean {
    return unlessMove(false, () => {
      this.#board.push(this.#board.uci(sanMove, notationOf(notation)));
      return true;
    });
  }

  pop(): void {
    this.#board.pop();
  }

  reset(): void {
    this.#board.reset();
  }

  is960(): boolean {
    return false;
  }

  fen(showPromoted = false, countStarted = 0): string {
    return showPromoted || countStarted ? this.#board.fen({ promoted: showPromoted, countStarted }) : this.#board.fen();
  }

  setFen(fen: string): void {
    this.#board.load(fen);
  }

  sanMove(uciMove: string, notation?: EnumValue): string {
    return unlessMove('', () => this.#board.san(uciMove, notationOf(notation)));
  }

  variationSan(uciMoves: string, notation?: EnumValue, moveNumbers = true): string {
    return unlessMove('', () => this.#board.variationSan(uciMoves, { ...notationOf(notation), moveNumbers }));
  }

  /** Whether White is to move. */
  turn(): boolean {
    return this.#board.turn() === 'w';
  }

  fullmoveNumber(): number {
    return this.#board.moveNumber();
  }

  halfmoveClock(): number {
    return this.#board.halfmoveClock();
  }

  gamePly(): number {
    return 2 * (this.#board.moveNumber() - 1) + (this.#board.turn() === 'w' ? 0 : 1);
  }

  hasInsufficientMaterial(turn: boolean): boolean {
    return this.#board.isInsufficientMaterial(turn ? 'w' : 'b');
  }

  isInsufficientMaterial(): boolean {
    return this.#board.isInsufficientMaterial();
  }

  /** Whether the game is over by itself; with `claimDraw` also by the count or a repetition. */
  isGameOver(claimDraw = false): boolean {
    return claimDraw
      ? this.#board.isGameOver() || this.#board.isInsufficientMaterial()
      : !this.#board.hasLegalMove() || this.#board.isInsufficientMaterial();
  }

  result(claimDraw = false): Result {
    if (!this.isGameOver(claimDraw)) {
      return '*';
    }
    const result = this.#board.result();
    return result === '*' ? '1/2-1/2' : result;
  }

  checkedPieces(): string {
    return this.#board.isCheck() ? this.#board.khun(this.#board.turn()) : '';
  }

  isCheck(): boolean {
    return this.#board.isCheck();
  }

  isBikjang(): boolean {
    return false;
  }

  isCapture(uciMove: string): boolean {
    return this.#board.isCapture(uciMove);
  }

  moveStack(): string {
    return this.#board.history({ notation: 'uci' }).join(' ');
  }

  pushMoves(uciMoves: string): void {
    for (const move of uciMoves.split(' ').filter(Boolean)) {
      this.push(move);
    }
  }

  pushSanMoves(sanMoves: string, notation?: EnumValue): void {
    for (const move of sanMoves.split(' ').filter(Boolean)) {
      this.pushSan(move, notation);
    }
  }

  pocket(_color: boolean): string {
    return '';
  }

  toString(): string {
    const ranks = this.#board.fen().split(' ', 1)[0]?.split('/') ?? [];
    const spread = (rank: string) => rank.replace(/\d/g, (digit) => '.'.repeat(Number(digit)));
    return ranks.map((rank) => [...spread(rank)].join(' ')).join('\n');
  }

  toVerboseString(): string {
    const checkers = this.#board.checkers().join(' ');
    return `${this.#board.toString()}\nFen: ${this.#board.fen()}\nKey: ${this.#board.hash()}\nCheckers: ${checkers}`;
  }

  variant(): string {
    return this.#variant;
  }
}

/** A game that was read from PGN. */
export class Game {
  readonly #game: PgnGame;

  constructor(game: PgnGame) {
    this.#game = game;
  }

  delete(): void {}

  headerKeys(): string {
    return Object.keys(this.#game.headers).join(' ');
  }

  headers(item: string): string {
    const { headers } = this.#game;
    return Object.hasOwn(headers, item) ? (headers[item] as string) : '';
  }

  mainlineMoves(): string {
    return this.#game.moves.map((move) => move.uci).join(' ');
  }
}

/** The codes of `validateFen` by those of `sakmak/rules`; the rest is wrong on the board. */
const FEN_CODES: Record<string, number> = {
  'fen.khun': -3,
  'fen.turn': -6,
  'fen.rights': -5,
  'fen.mark': -12,
  'fen.trailing': -11,
  'fen.counter': -14,
};
const NUMBER_CODES: Record<string, number> = { count: -14, clock: -2, number: -1 };
const BOARD_CODE = -8;
const TOUCHING_CODE = -9;
const PIECE_CODE = -10;

/** The code of a fault on the board. */
function boardCode(field: string): number {
  if (/[^kmsnrp\d/~]/i.test(field)) {
    return PIECE_CODE;
  }
  const squares = field.replace(/[/~]/g, '').replace(/\d/g, (digit) => '.'.repeat(Number(digit)));
  const [white, black] = [squares.indexOf('K'), squares.indexOf('k')];
  const isBeside = Math.max(Math.abs((white >> 3) - (black >> 3)), Math.abs((white & 7) - (black & 7))) === 1;
  return squares.length === 64 && isBeside ? TOUCHING_CODE : BOARD_CODE;
}

/** 1 for a FEN that is right, another number for what is wrong with it. */
export function validateFen(fen: string, uciVariant = 'makruk', _chess960 = false): number {
  const report = validate(fen, { variant: uciVariant as Variant });
  if (report.ok) {
    return 1;
  }
  if (fen === '') {
    return 0;
  }
  const code = report.code === 'fen.number' ? NUMBER_CODES[report.field] : FEN_CODES[report.code];
  return code ?? boardCode(fen.trim().split(/\s/, 1)[0] as string);
}

/** The first game of a PGN text. */
export function readGamePGN(pgn: string): Game {
  const errors: SakmakError[] = [];
  const [game] = parsePgn(pgn, { onError: (error) => errors.push(error) });
  if (game === undefined) {
    throw new PgnError('pgn.none', 'there is no game in this text');
  }
  if (errors[0] !== undefined && game.moves.length === 0) {
    throw errors[0];
  }
  return new Game(game);
}

export function variants(): string {
  return [...VARIANTS].sort().join(' ');
}

export function startingFen(uciVariant: string): string {
  return startFen({ variant: uciVariant as Variant });
}

export function capturesToHand(_uciVariant: string): boolean {
  return false;
}

export function info(): string {
  return 'Sakmak';
}

/** Options of an engine have no meaning here. */
export function setOption(_name: string, _value: unknown): void {}
export const setOptionInt: (name: string, value: number) => void = setOption;
export const setOptionBool: (name: string, value: boolean) => void = setOption;
/** Variants cannot be defined. */
export function loadVariantConfig(_config: string): void {}

/** The module, as ffish's factory gives it. */
export interface FairyStockfish {
  Board: typeof Board;
  Game: typeof Game;
  Notation: typeof Notation;
  Termination: typeof Termination;
  info: typeof info;
  setOption: typeof setOption;
  setOptionInt: typeof setOptionInt;
  setOptionBool: typeof setOptionBool;
  readGamePGN: typeof readGamePGN;
  variants: typeof variants;
  loadVariantConfig: typeof loadVariantConfig;
  capturesToHand: typeof capturesToHand;
  startingFen: typeof startingFen;
  validateFen: typeof validateFen;
}

/** Options of the factory: those of ffish's that sites use. */
export interface ModuleOptions {
  /** The address of `rules.wasm`. */
  locateFile?: (file: string, prefix: string) => string;
  /** The bytes of `rules.wasm`. */
  wasmBinary?: BufferSource;
  onRuntimeInitialized?: (module: FairyStockfish) => void;
}

/** The folder of this script, as ffish's `locateFile` gets it. */
function folder(): string {
  return import.meta.url ? import.meta.url.replace(/[^/]*$/, '') : `${__dirname}/`;
}

async function load(options: ModuleOptions): Promise<FairyStockfish> {
  if (options.wasmBinary) {
    initSync(options.wasmBinary);
  } else {
    await init(options.locateFile?.('rules.wasm', folder()));
  }
  const loaded: FairyStockfish = {
    Board,
    Game,
    Notation,
    Termination,
    info,
    setOption,
    setOptionInt,
    setOptionBool,
    readGamePGN,
    variants,
    loadVariantConfig,
    capturesToHand,
    startingFen,
    validateFen,
  };
  options.onRuntimeInitialized?.(loaded);
  return loaded;
}

/** The type of the factory: `await new Module()` and `await Module()` are the same. */
export interface ModuleFactory {
  (options?: ModuleOptions): Promise<FairyStockfish>;
  new (options?: ModuleOptions): Promise<FairyStockfish>;
}

function factory(options: ModuleOptions = {}): Promise<FairyStockfish> {
  return load(options);
}

export const Module: ModuleFactory = factory as unknown as ModuleFactory;
export default Module;
