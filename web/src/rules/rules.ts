// The rules, records of games and notation: typed calls into WebAssembly.
import init, * as wasm from '../../pkg/rules/sakmak.js';
import wasmUrl from '../../pkg/rules/sakmak_bg.wasm?url';
import type {
  Dialect,
  EngineLine,
  Evaluation,
  Exercise,
  FaultData,
  Header,
  LibraryEntry,
  Names,
  Notation,
  PositionView,
  RulesChoice,
  SetupBoard,
  TreeNode,
} from './types';

/** What the Rust side refuses, with a code that the messages have words for. */
export class Fault extends Error {
  constructor(readonly data: FaultData) {
    super(data.text);
  }
}

/** Calls into WebAssembly; what is thrown there as JSON becomes a `Fault`. */
function call<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (typeof error === 'string') {
      throw new Fault(JSON.parse(error));
    }
    throw error;
  }
}

let names: Names;
let exercises: Exercise[] | undefined;

/** Loads the WebAssembly. Nothing else here may be called before. */
export async function loadRules(): Promise<void> {
  await init({ module_or_path: wasmUrl });
  names = JSON.parse(wasm.names());
}

export function ruleNames(): Names {
  return names;
}

export function exerciseList(): Exercise[] {
  exercises ??= JSON.parse(wasm.exerciseList()) as Exercise[];
  return exercises;
}

/** The text of a file of games, which need not be in UTF-8, and its encoding. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const encoding = wasm.textEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** The FEN of a board set up by hand, and what is wrong with it. */
export function checkSetup(board: SetupBoard, rules: RulesChoice): { fen: string; fault: FaultData | null } {
  return JSON.parse(call(() => wasm.checkSetup(JSON.stringify(board), JSON.stringify(rules))));
}

/** A game with variations. */
export class GameRecord {
  private constructor(private readonly inner: wasm.Record) {}

  static create(rules: RulesChoice, fen?: string): GameRecord {
    return new GameRecord(call(() => new wasm.Record(JSON.stringify(rules), fen)));
  }

  /** The games of a text. `rules` are those of games that do not name theirs. */
  static library(text: string, rules: RulesChoice): Library {
    return new Library(call(() => new wasm.Library(text, JSON.stringify(rules))));
  }

  /** @internal */
  static of(inner: wasm.Record): GameRecord {
    return new GameRecord(inner);
  }

  header(): Header {
    return JSON.parse(this.inner.header());
  }

  /** All moves: the main line first, then each variation. */
  tree(notation: Notation): TreeNode[] {
    return JSON.parse(this.inner.tree(notation));
  }

  view(node: number, notation: Notation): PositionView {
    return JSON.parse(this.inner.view(node, notation));
  }

  engineLine(node: number): EngineLine {
    return JSON.parse(this.inner.engineLine(node));
  }

  lineThrough(node: number): number[] {
    return [...this.inner.lineThrough(node)];
  }

  /** Makes a move, in any notation; returns its node. */
  play(node: number, text: string): number {
    return call(() => this.inner.play(node, text));
  }

  /** The legal move that a text means, in coordinates. */
  readMove(node: number, text: string): string | undefined {
    return this.inner.readMove(node, text);
  }

  count(node: number, word: 'start' | 'stop' | 'claim'): void {
    call(() => this.inner.count(node, word));
  }

  deleteFrom(node: number): number {
    return call(() => this.inner.deleteFrom(node));
  }

  promote(node: number): void {
    call(() => this.inner.promote(node));
  }

  setComment(node: number, text: string): void {
    call(() => this.inner.setComment(node, text));
  }

  setGlyph(node: number, glyph: number): void {
    call(() => this.inner.setGlyph(node, glyph));
  }

  setEvaluation(node: number, evaluation: Evaluation | null): void {
    call(() => this.inner.setEvaluation(node, evaluation ? JSON.stringify(evaluation) : ''));
  }

  setTag(name: string, value: string): void {
    this.inner.setTag(name, value);
  }

  pgn(notation: Notation = 'san', dialect: Dialect = 'plain'): string {
    return call(() => this.inner.pgn(notation, dialect));
  }
}

export class Library {
  constructor(private readonly inner: wasm.Library) {}

  get length(): number {
    return this.inner.length;
  }

  list(): LibraryEntry[] {
    return JSON.parse(this.inner.list());
  }

  /** A game up to its first illegal move, what is wrong there, and what was read otherwise than it stands in the text. */
  open(index: number): { record: GameRecord; fault: FaultData | null; warning: FaultData | null } {
    const opened = call(() => this.inner.open(index));
    const record = opened.record();
    if (!record) {
      throw new Error('a game is opened once');
    }
    const parsed = (text: string | undefined): FaultData | null => (text ? JSON.parse(text) : null);
    return { record: GameRecord.of(record), fault: parsed(opened.fault), warning: parsed(opened.warning) };
  }
}
