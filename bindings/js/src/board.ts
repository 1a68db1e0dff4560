/// <reference lib="esnext.disposable" preserve="true" />
import * as glue from '../build/glue/sakmak.js';
import { boardFreed, boardMade } from './collector.js';
import { readCount } from './count.js';
import { ArgumentError, MoveError, StateError } from './errors.js';
import { asText, moveBits, moveName, SQUARES, squareIndex, squaresOf } from './moves.js';
import { COLORS, colorIndex, notationIndex, rulesOf } from './names.js';
import type {
  Color,
  Count,
  Move,
  MoveInput,
  Notation,
  Outcome,
  Piece,
  PieceType,
  Result,
  Ruleset,
  RulesOptions,
  Square,
  Termination,
  Variant,
} from './types.js';
import { numbers, ready, text } from './wasm.js';

const TERMINATIONS: readonly Termination[] = [
  'stalemate',
  'pieces-honour',
  'board-honour',
  'counter-mated',
  'repetition',
  'dead-material',
  'fifty-moves',
];
const DECISIONS = ['count-start', 'count-stop', 'count-claim'] as const;
const TWO_PIECE = 1 << 13;
const PROMOTION = 1 << 12;
const DISPOSE: symbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** What a freed board has in place of its game. */
const FREED = new Proxy({} as glue.RulesBoard, {
  get() {
    throw new StateError('state.freed', 'the board was used after free()');
  },
});

/** The PGN tags for the rules and the start of the game of a board, names and values in turn. */
export let startHeaders: (board: Board) => string[];

/**
 * A game: a position with its history.
 *
 * A board that is no longer referenced is freed by the garbage collector. A program that makes very many in one go,
 * without returning to its event loop, frees them itself: by `free()` or `using`.
 */
export class Board {
  static {
    startHeaders = (board) => board.#game.startHeaders();
  }

  #game: glue.RulesBoard;
  /** The variant, as given. */
  readonly variant: Variant;
  /** The ruleset, as given. */
  readonly ruleset: Ruleset;
  /** The parts that differ from the ruleset, as given. */
  readonly parts: Readonly<Record<string, string | number | boolean>>;

  /**
   * A board with a position, the start position if there is no FEN.
   *
   * @throws {FenError} If the FEN is wrong.
   * @throws {RulesError} If the rules are unknown.
   */
  constructor(fen?: string | null, options?: RulesOptions);
  constructor(fen?: string | null | glue.RulesBoard, options: RulesOptions = {}) {
    ready();
    const [variant, ruleset, parts] = rulesOf(options);
    this.variant = variant;
    this.ruleset = ruleset;
    this.parts = { ...options.parts };
    if (fen instanceof glue.RulesBoard) {
      this.#game = fen;
    } else {
      const text = fen == null ? undefined : asText(fen, 'a FEN');
      this.#game = new glue.RulesBoard(text, variant, ruleset, parts);
    }
    boardMade();
  }

  /** Begins a new game in the start position. */
  reset(): void {
    this.#game.reset();
  }

  /**
   * Begins a new game from a FEN.
   *
   * @throws {FenError} If it is wrong; nothing changes then.
   */
  load(fen: string): void {
    this.#game.load(asText(fen, 'a FEN'));
  }

  /**
   * The position as a FEN in Fairy-Stockfish's form.
   *
   * `promoted` marks met that were bia by `M~`. `countStarted` counts the board's honour since that ply of the game,
   * or not at all if it is -1.
   */
  fen(options?: { promoted?: boolean; countStarted?: number }): string {
    if (options === undefined) {
      return text(this.#game.fen(false));
    }
    const { promoted = false, countStarted = 0 } = options;
    if (countStarted === 0) {
      return text(this.#game.fen(promoted));
    }
    return text(this.#game.fenCountedSince(promoted, countStarted));
  }

  /** The side to move. */
  turn(): Color {
    return this.#game.turn() === 0 ? 'w' : 'b';
  }

  /** The number of the current move. */
  moveNumber(): number {
    return this.#game.moveNumber();
  }

  /** Plies since the last capture or bia move. */
  halfmoveClock(): number {
    return this.#game.halfmoveClock();
  }

  /** The legal moves in coordinates: `e3e4`, `e5e6m`. They do not end with a drawn game. */
  legalMoves(): string[] {
    return namesOf(numbers(this.#game.legal()));
  }

  /** Whether there is a legal move. */
  hasLegalMove(): boolean {
    return this.#game.hasLegalMove();
  }

  /** The number of legal moves. */
  legalMoveCount(): number {
    return this.#game.countLegal();
  }

  /** The legal moves in a notation, SAN if none is given: of one square or kind of piece, or all. */
  moves(options?: MoveFilter & { verbose?: false | undefined }): string[];
  moves(options: MoveFilter & { verbose: true }): Move[];
  moves(options: MoveFilter & { verbose?: boolean | undefined }): string[] | Move[];
  moves(options: MoveFilter & { verbose?: boolean | undefined } = {}): string[] | Move[] {
    const { square, piece, verbose = false, notation = 'san' } = options;
    const by = notationIndex(notation);
    if (square === undefined && piece === undefined && !verbose) {
      if (notation === 'uci') {
        return this.legalMoves();
      }
      const names = text(this.#game.names(by));
      return names === '' ? [] : names.slice(0, -1).split('\n');
    }
    const from = square === undefined ? -1 : squareIndex(square);
    const letters = this.#letters();
    const chosen = numbers(this.#game.legal())
      .slice()
      .filter((bits) => {
        const start = bits & 63;
        return (from < 0 || start === from) && (piece === undefined || letters[start]?.toLowerCase() === piece);
      });
    if (verbose) {
      return Array.from(chosen, (bits) => this.#describe(bits, by, letters));
    }
    return Array.from(chosen, (bits) => text(this.#game.name(bits, by)));
  }

  /** The legal moves as target squares by from-square, as chessground-like boards take them. */
  dests(): Map<Square, Square[]> {
    const dests = new Map<Square, Square[]>();
    const count = this.#game.legal();
    const moves = numbers(count);
    for (let at = 0; at < count; at++) {
      const bits = moves[at] as number;
      const from = SQUARES[bits & 63] as Square;
      const to = SQUARES[(bits >> 6) & 63] as Square;
      const list = dests.get(from);
      if (list === undefined) {
        dests.set(from, [to]);
      } else {
        list.push(to);
      }
    }
    return dests;
  }

  /**
   * Plays a move in coordinates, SAN, Thai SAN or the like, or given by its squares, and returns it.
   *
   * @throws {MoveError} If it is malformed, illegal or ambiguous; nothing changes then.
   */
  move(move: MoveInput, options: { notation?: Notation } = {}): Move {
    const by = notationIndex(options.notation ?? 'san');
    const bits = this.#read(move, by);
    const made = this.#describe(bits, by, this.#letters());
    this.#game.play(bits);
    return made;
  }

  /**
   * Plays a move in coordinates: the fastest way.
   *
   * @throws {MoveError} If it is malformed or illegal; nothing changes then.
   */
  push(uci: string): void {
    if (!this.tryPush(uci)) {
      const named = { text: String(uci) };
      throw moveBits(uci) === 0
        ? new MoveError('move.malformed', `'${uci}' is not a move (write e3e4, or e5e6m for a promotion)`, named)
        : new MoveError('move.illegal', `'${uci}' is not legal here`, named);
    }
  }

  /** Plays a move in coordinates if it is legal; whether it is. */
  tryPush(uci: string): boolean {
    const bits = moveBits(uci);
    return bits !== 0 && this.#game.play(bits);
  }

  /** Takes back the last move, and what was done about the count since, and returns it; `null` if there is none. */
  pop(): string | null {
    const bits = this.#game.pop();
    return bits === 0 ? null : moveName(bits);
  }

  /** The moves so far, in SAN if no notation is given. */
  history(options?: { notation?: Notation; verbose?: false }): string[];
  history(options: { notation?: Notation; verbose: true }): Move[];
  history({ notation = 'san', verbose = false }: { notation?: Notation; verbose?: boolean } = {}): string[] | Move[] {
    const by = notationIndex(notation);
    if (verbose) {
      const moves = this.#game.history();
      const replay = this.clone();
      while (replay.pop() !== null) {}
      const described = Array.from(moves, (bits) => {
        const move = replay.#describe(bits, by, replay.#letters());
        replay.#game.play(bits);
        return move;
      });
      replay.free();
      return described;
    }
    if (notation === 'uci') {
      return namesOf(this.#game.history());
    }
    const names = this.#game.historyNames(by);
    return names === '' ? [] : names.split('\n');
  }

  /** The moves so far in coordinates, with `count-start`, `count-stop` and `count-claim` before the next move. */
  uciWords(): string[] {
    const words = namesOf(this.#game.history());
    const decisions = this.#game.decisions();
    for (let at = decisions.length - 2; at >= 0; at -= 2) {
      words.splice(decisions[at] as number, 0, DECISIONS[decisions[at + 1] as number] as string);
    }
    return words;
  }

  /** Plies of the history. */
  ply(): number {
    return this.#game.len();
  }

  /** The FEN of the position in which the game began. */
  startFen(): string {
    return text(this.#game.startOfGame());
  }

  /**
   * The name of a legal move.
   *
   * @throws {MoveError} If it is malformed, illegal or ambiguous.
   */
  san(move: MoveInput, options?: { notation?: Notation }): string {
    const by = options?.notation === undefined ? 0 : notationIndex(options.notation);
    if (typeof move === 'string') {
      const bits = moveBits(move);
      const length = bits === 0 ? 0 : this.#game.name(bits, by);
      if (length > 0) {
        return text(length);
      }
    }
    return text(this.#game.name(this.#read(move, by), by));
  }

  /** The coordinates of a legal move in any notation. Throws as `san` does. */
  uci(move: MoveInput, options?: { notation?: Notation }): string {
    return moveName(this.#read(move, options?.notation === undefined ? 0 : notationIndex(options.notation)));
  }

  /**
   * The names of moves in coordinates, made one after another from here, with move numbers: `2...Nd7 3. Ne2`.
   *
   * @throws {MoveError} If a move cannot be made.
   */
  variationSan(
    moves: string | readonly string[],
    options: { notation?: Notation; moveNumbers?: boolean } = {},
  ): string {
    const by = notationIndex(options.notation ?? 'san');
    const list = Array.isArray(moves) ? moves.join(' ') : asText(moves, 'a list of moves');
    return this.#game.variationNames(list, by, options.moveNumbers ?? true);
  }

  /** Whether a move in coordinates captures; `false` if it is illegal. */
  isCapture(uci: string): boolean {
    return this.#game.captures(moveBits(uci));
  }

  /** Whether the side to move is in check. */
  isCheck(): boolean {
    return this.#game.isCheck();
  }

  /** Whether the side to move is mated. */
  isCheckmate(): boolean {
    return this.#game.isCheck() && !this.#game.hasLegalMove();
  }

  /** Whether the side to move has no move and is not in check. */
  isStalemate(): boolean {
    return !this.#game.isCheck() && !this.#game.hasLegalMove();
  }

  /** Whether the position has occurred so often, three times if no number is given. */
  isRepetition(times = 3): boolean {
    return this.#game.occurrences() >= times;
  }

  /** Whether neither side can ever mate; with a colour, whether that side cannot. It does not end a game by itself. */
  isInsufficientMaterial(color?: Color): boolean {
    const isBare = color !== undefined && this.isBare(color);
    return isBare || this.#game.isDead();
  }

  /** Whether a side has only its khun. */
  isBare(color: Color): boolean {
    return this.#game.isBare(colorIndex(color));
  }

  /** Whether the game is over, by the present position, its repetition or a claimed draw. */
  isGameOver(): boolean {
    return this.#game.outcome() !== 0;
  }

  /** How the game has ended; `null` if it goes on. */
  outcome(): Outcome | null {
    const code = this.#game.outcome();
    switch (code) {
      case 0:
        return null;
      case 1:
      case 2:
        return { winner: COLORS[code - 1] as Color, reason: 'checkmate' };
      default:
        return { winner: null, reason: TERMINATIONS[code - 3] as Termination };
    }
  }

  /** The result as PGN writes it; `*` while the game goes on. */
  result(): Result {
    const code = this.#game.outcome();
    return code === 0 ? '*' : code === 1 ? '1-0' : code === 2 ? '0-1' : '1/2-1/2';
  }

  /** The count; `null` if none is running. */
  count(): Count | null {
    return readCount(this.#game.count());
  }

  /**
   * The count after a move.
   *
   * @throws {MoveError} If it is malformed, illegal or ambiguous.
   */
  countAfter(move: MoveInput): Count | null {
    return readCount(this.#game.countAfter(this.#read(move, 0)));
  }

  /**
   * The side to move starts to count.
   *
   * @throws {CountError} If there is nothing to count, or it is the other side's count.
   */
  startCount(): void {
    this.#game.startCount();
  }

  /**
   * The counter, who has the move, stops counting.
   *
   * @throws {CountError} If no count runs, it cannot be stopped, or it is the other side's.
   */
  stopCount(): void {
    this.#game.stopCount();
  }

  /**
   * The side to move claims the draw of an expired count, where the rules have draws claimed (`CountClaim: 'manual'`).
   *
   * @throws {CountError} If there is nothing to claim.
   */
  claimDraw(): void {
    this.#game.claimDraw();
  }

  /** Whether the side to move may claim a draw now. */
  mayClaimDraw(): boolean {
    return this.#game.mayClaimDraw();
  }

  /** The pieces by square. */
  pieces(): Map<Square, Piece> {
    const letters = this.#letters();
    const pieces = new Map<Square, Piece>();
    const promoted = this.#game.promoted();
    for (const [index, letter] of letters.entries()) {
      const piece = pieceOf(letter, promoted, index);
      if (piece !== null) {
        pieces.set(SQUARES[index] as Square, piece);
      }
    }
    return pieces;
  }

  /** The piece on a square; `null` if it is empty. */
  get(square: string): Piece | null {
    const index = squareIndex(square);
    return pieceOf(this.#letters()[index] as string, this.#game.promoted(), index);
  }

  /**
   * Puts a piece on a square. The position begins a new history.
   *
   * @throws {FenError} If the position would not be valid; nothing changes then.
   */
  put(piece: Piece, square: string): void {
    const type = asText(piece?.type, 'the type of a piece');
    if (!/^[kmsnrp]$/.test(type)) {
      throw new ArgumentError('argument.piece', `'${type}' is no piece; there are k, m, s, n, r and p`, { text: type });
    }
    const letter = colorIndex(piece.color) === 0 ? type.toUpperCase() : type;
    this.#game.put(letter, squareIndex(square), piece.promoted ?? false);
  }

  /**
   * Empties a square and returns its piece. The position begins a new history.
   *
   * @throws {FenError} If the position would not be valid; nothing changes then.
   */
  remove(square: string): Piece | null {
    const piece = this.get(square);
    if (piece !== null) {
      this.#game.remove(squareIndex(square));
    }
    return piece;
  }

  /** The square of a side's khun. */
  khun(color: Color): Square {
    return SQUARES[this.#game.khun(colorIndex(color))] as Square;
  }

  /** The squares of the pieces that give check. */
  checkers(): Square[] {
    return squaresOf(this.#game.checkers());
  }

  /** The squares of the pieces of a side that attack or guard a square. */
  attackers(square: string, color: Color): Square[] {
    return squaresOf(this.#game.attackers(squareIndex(square), colorIndex(color)));
  }

  /** The hash key of pieces and side to move, by which repetitions are found: 16 hexadecimal digits. */
  hash(): string {
    return BigInt.asUintN(64, this.#game.hash()).toString(16).padStart(16, '0');
  }

  /** The move paths of a length, up to 12 plies. */
  perft(depth: number): number {
    return this.#game.perft(depth);
  }

  /** A copy with the history. */
  clone(): Board {
    const copy = this.#game.copy() as unknown as string;
    return new Board(copy, { variant: this.variant, ruleset: this.ruleset, parts: this.parts });
  }

  /** The board as text. */
  toString(): string {
    return this.#game.diagram();
  }

  /** Frees the memory of the board. Every later call but `free()` throws a `StateError`. */
  free(): void {
    if (this.#game !== FREED) {
      this.#game.free();
      this.#game = FREED;
      // Those made before the last buffer are not counted.
      boardFreed();
    }
  }

  /** Frees the board at the end of a block: `using board = new Board()`. */
  [Symbol.dispose](): void {
    this.free();
  }

  /** The letters of the pieces from a1 to h8, `.` for an empty square. */
  #letters(): string[] {
    return text(this.#game.letters()).split('');
  }

  /** The legal move that is meant. */
  #read(move: MoveInput, by: number): number {
    if (typeof move === 'string') {
      return this.#game.read(move, by);
    }
    if (move === null || typeof move !== 'object') {
      asText(move, 'a move');
    }
    const { from, to } = move;
    squareIndex(from);
    squareIndex(to);
    return this.#game.read(`${from}${to}`, 0);
  }

  #describe(bits: number, by: number, letters: readonly string[]): Move {
    const from = bits & 63;
    const to = (bits >> 6) & 63;
    const letter = letters[from] as string;
    const target = letters[to] as string;
    const piece = letter.toLowerCase() as PieceType;
    const move: Move = {
      uci: moveName(bits),
      san: text(this.#game.name(bits, by)),
      from: SQUARES[from] as Square,
      to: SQUARES[to] as Square,
      color: letter === piece ? 'b' : 'w',
      piece,
    };
    if (bits & TWO_PIECE) {
      move.twoPiece = true;
    } else if (target !== '.') {
      move.captured = target.toLowerCase() as PieceType;
    }
    if (bits & PROMOTION) {
      move.promotion = 'm';
    }
    return move;
  }
}

// Where there is no Symbol.dispose, under the symbol that its polyfills use.
Object.defineProperty(Board.prototype, DISPOSE, {
  configurable: true,
  value(this: Board): void {
    this.free();
  },
});

/** The coordinates of moves. A loop takes half the time of `Array.from`. */
function namesOf(moves: Uint16Array): string[] {
  const names = new Array<string>(moves.length);
  for (let at = 0; at < moves.length; at++) {
    names[at] = moveName(moves[at] as number);
  }
  return names;
}

/** Which moves `moves` lists. */
export interface MoveFilter {
  square?: string | undefined;
  piece?: PieceType | undefined;
  notation?: Notation | undefined;
}

function pieceOf(letter: string, promoted: bigint, index: number): Piece | null {
  if (letter === '.') {
    return null;
  }
  const type = letter.toLowerCase() as PieceType;
  const piece: Piece = { type, color: letter === type ? 'b' : 'w' };
  if ((promoted >> BigInt(index)) & 1n) {
    piece.promoted = true;
  }
  return piece;
}
