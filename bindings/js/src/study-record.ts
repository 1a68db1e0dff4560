/// <reference lib="esnext.disposable" preserve="true" />
import * as glue from '../build/study/sakmak.js';
import { ArgumentError, type SakmakError, StateError } from './errors.js';
import { asText } from './moves.js';
import { notationIndex } from './names.js';
import { partsOf } from './parts.js';
import { asIndex, asWhole, type ErrorData, errorOf, rulesTexts } from './study-data.js';
import type {
  CountWord,
  Dialect,
  EngineLine,
  Evaluation,
  LibraryEntry,
  PositionView,
  RecordHeader,
  RecordRules,
  TreeNode,
} from './study-types.js';
import { study } from './study-wasm.js';
import type { MoveInput, Notation, RulesOptions } from './types.js';

/** The WebAssembly of an object, until it is freed. */
class Handle<T extends { free(): void }> {
  #inner: T | undefined;

  constructor(
    inner: T,
    private readonly what: string,
  ) {
    this.#inner = inner;
  }

  get(): T {
    if (this.#inner === undefined) {
      throw new StateError('state.freed', `the ${this.what} was used after free()`);
    }
    return this.#inner;
  }

  free(): void {
    this.#inner?.free();
    this.#inner = undefined;
  }
}

function asNode(node: number): number {
  return asIndex(node, 'node');
}

/** A move as a text. */
function moveText(move: MoveInput): string {
  if (typeof move === 'string' || move === null || typeof move !== 'object') {
    return asText(move, 'a move');
  }
  return `${asText(move.from, 'a square')}${asText(move.to, 'a square')}${move.promotion ?? ''}`;
}

/**
 * A game as a tree of moves, with comments, glyphs, evaluations, and what players did about the count.
 *
 * Every position has a number: 0 is the start, `play` gives that of the position after the move. Numbers stay the same
 * until the record is emptied by `deleteFrom(0)`. A record that is no longer referenced is freed by the garbage
 * collector, or at once by `free()` or `using`.
 */
export class GameRecord {
  readonly #handle: Handle<glue.Record>;

  /**
   * A record without moves, from a FEN or the start position of the rules.
   *
   * @throws {FenError} If the FEN is wrong.
   * @throws {RulesError} If the rules are unknown.
   */
  constructor(fen?: string | null, rules?: RulesOptions);
  constructor(fen?: string | null | glue.Record, rules: RulesOptions = {}) {
    study.ready();
    const isOpened = fen instanceof glue.Record;
    const start = fen == null || isOpened ? undefined : asText(fen, 'a FEN');
    this.#handle = new Handle(isOpened ? fen : new glue.Record(...rulesTexts(rules), start), 'record');
  }

  /** The first game of a text, see `Library`. Its moves before a fault are kept. */
  static read(text: string, rules: RulesOptions = {}): GameRecord {
    const library = new Library(text, rules);
    try {
      return library.open(0).record;
    } finally {
      library.free();
    }
  }

  /** Rules, start position, result and tags. */
  header(): RecordHeader {
    const { rules, tags, ...header } = JSON.parse(this.#handle.get().header());
    return {
      ...header,
      rules: { ...rules, parts: partsOf(rules.parts) },
      // As own properties, whatever their names.
      tags: Object.fromEntries(tags),
    };
  }

  /** The rules of the record. */
  get rules(): RecordRules {
    return this.header().rules;
  }

  /** All positions: the main line first, then each variation after the moves that it replaces. */
  tree(notation: Notation = 'san'): TreeNode[] {
    return JSON.parse(this.#handle.get().tree(notationIndex(notation)));
  }

  /**
   * A position with its legal moves, its count and its outcome.
   *
   * @throws {ArgumentError} If there is no such position. So do the other methods that take one.
   */
  view(node = 0, notation: Notation = 'san'): PositionView {
    return JSON.parse(this.#handle.get().view(asNode(node), notationIndex(notation)));
  }

  /**
   * Plays a move at a position. Returns the number of the position after it, which may be there already.
   *
   * @throws {MoveError} If the move is malformed, illegal or ambiguous.
   */
  play(node: number, move: MoveInput): number {
    return this.#handle.get().play(asNode(node), moveText(move));
  }

  /** The legal move in coordinates that a text in any notation means at a position; `null` if there is none. */
  readMove(node: number, move: MoveInput): string | null {
    return this.#handle.get().readMove(asNode(node), moveText(move)) ?? null;
  }

  /**
   * Starts, stops or claims the count for the side to move at a position.
   *
   * @throws {CountError} If the rules do not allow it.
   */
  count(node: number, word: CountWord): void {
    this.#handle.get().count(asNode(node), asText(word, 'a word of the count'));
  }

  /** Deletes a move and all that follows it; all moves at the start. Returns the position before it. */
  deleteFrom(node: number): number {
    return this.#handle.get().deleteFrom(asNode(node));
  }

  /** Moves the variation in which a position is one place up: it becomes the main line where it begins. */
  promote(node: number): void {
    this.#handle.get().promote(asNode(node));
  }

  /** Replaces the comments after a move by one; an empty text removes them. */
  setComment(node: number, text: string): void {
    this.#handle.get().setComment(asNode(node), asText(text, 'a comment'));
  }

  /** Sets the glyph of a move, 1 to 6 for `!`, `?`, `!!`, `??`, `!?`, `?!`; 0 removes it. */
  setGlyph(node: number, glyph: number): void {
    if (!Number.isInteger(glyph) || glyph < 0 || glyph > 255) {
      throw new ArgumentError('argument.glyph', `'${glyph}' is no glyph from 0 to 255`, { text: String(glyph) });
    }
    this.#handle.get().setGlyph(asNode(node), glyph);
  }

  /** Stores the evaluation of a position, which PGN keeps as `[%eval 0.35]`; `null` removes it. */
  setEvaluation(node: number, evaluation: Evaluation | null): void {
    const { cp, mate } = evaluation ?? ({} as Partial<Record<'cp' | 'mate', number>>);
    const given = (value: number | undefined) =>
      value == null ? undefined : asWhole(value, 'an evaluation', -0x8000_0000, 0x7fff_ffff);
    this.#handle.get().setEvaluation(asNode(node), given(cp), given(mate));
  }

  /** Sets a tag; an empty value removes it. The tag Result also sets the result. */
  setTag(name: string, value: string): void {
    this.#handle.get().setTag(asText(name, 'a tag'), asText(value, 'the value of a tag'));
  }

  /**
   * The record as PGN with all its variations.
   *
   * @throws {PgnError} If PGN cannot express it.
   */
  pgn({ notation = 'san', dialect = 'plain' }: { notation?: Notation; dialect?: Dialect } = {}): string {
    return this.#handle.get().pgn(notationIndex(notation), asText(dialect, 'a dialect'));
  }

  /** The start position, and the moves and words of the count, that bring an engine to a position. */
  engineLine(node: number): EngineLine {
    return JSON.parse(this.#handle.get().engineLine(asNode(node)));
  }

  /**
   * By what a file of evaluations (`docs/evaluations.md`) finds a position, then those after its legal moves in their
   * order; empty if the game is over. For each: 1 if Black is to move, plus 2 if it has a key; the lower and the upper
   * 32 bits of the key; the number of its legal moves; the bits of each.
   */
  evaluationKeys(node: number): Uint32Array {
    return this.#handle.get().evaluationKeys(asNode(node));
  }

  /** Whether both records are played by the same rules, wherever they begin. */
  hasRulesOf(other: GameRecord): boolean {
    return this.#handle.get().hasRulesOf(other.#handle.get());
  }

  /** The positions from the start through this one to the end of its line. */
  lineThrough(node: number): number[] {
    return [...this.#handle.get().lineThrough(asNode(node))];
  }

  /** Frees the memory of the record. Every later call but `free()` throws a `StateError`. */
  free(): void {
    this.#handle.free();
  }

  /** Frees the record at the end of a block: `using record = new GameRecord()`. */
  [Symbol.dispose](): void {
    this.free();
  }
}

/** A game of a library. */
export interface OpenedGame {
  /** The game, up to its first illegal move. */
  record: GameRecord;
  /** What is wrong with it, or `null`. */
  error: SakmakError | null;
  /** The first part that was read differently from the text, or `null`. */
  warning: SakmakError | null;
}

/** The games of a text: PGN, score sheets without tags, FENs, EPD, or lines such as `startpos moves e3e4`. */
export class Library {
  readonly #handle: Handle<glue.Library>;

  /**
   * Reads a text. The rules are those of games that do not name theirs.
   *
   * @throws {PgnError} If there is no game in it. Games that cannot be read are listed with what is wrong.
   */
  constructor(text: string, rules: RulesOptions = {}) {
    study.ready();
    this.#handle = new Handle(new glue.Library(asText(text, 'a file of games'), ...rulesTexts(rules)), 'library');
  }

  /** The number of games, unreadable ones included. */
  get length(): number {
    return this.#handle.get().length;
  }

  /** All games, unreadable ones included. */
  games(): LibraryEntry[] {
    const entries: (LibraryEntry & { error?: ErrorData })[] = JSON.parse(this.#handle.get().list());
    return entries.map(({ error, ...entry }) => (error ? { ...entry, error: errorOf(error) } : entry));
  }

  /**
   * A game. One with an illegal move is opened up to it; a variation with one is kept as a comment.
   *
   * @throws {ArgumentError} If there is no such game.
   * @throws {SakmakError} If the game cannot be set up.
   */
  open(index: number): OpenedGame {
    const opened = this.#handle.get().open(asIndex(index, 'game'));
    try {
      const { error = null, warning = null } = opened;
      return { record: new GameRecord(opened.record() as unknown as string), error, warning };
    } finally {
      opened.free();
    }
  }

  /** Frees the memory of the library, not that of the records opened from it. */
  free(): void {
    this.#handle.free();
  }

  /** Frees the library at the end of a block. */
  [Symbol.dispose](): void {
    this.free();
  }
}

const DISPOSE: symbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');

// Where there is no Symbol.dispose, under the symbol that its polyfills use.
for (const { prototype } of [GameRecord, Library] as { prototype: { free(): void } }[]) {
  Object.defineProperty(prototype, DISPOSE, {
    configurable: true,
    value(this: { free(): void }): void {
      this.free();
    },
  });
}
