/** The names and values that an error's message is made of. */
export type ErrorArgs = Readonly<Record<string, string>>;

/** The class of all errors of this package. */
export class SakmakError extends Error {
  /** What is wrong, such as `fen.rank` or `move.illegal`. The part before the dot decides the class. */
  readonly code: string;
  /** What the message is made of, to put it into other words. */
  readonly args: ErrorArgs;

  constructor(code: string, message: string, args: ErrorArgs = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.args = args;
  }
}

/** A FEN or a position is wrong: codes `fen.…`. */
export class FenError extends SakmakError {
  /** The field of the FEN: `board`, `turn`, `rights`, `count`, `clock`, `number`, `trailing` or `fen`. */
  get field(): string {
    return this.args.field ?? 'fen';
  }
}

/** A move is malformed, illegal or ambiguous: codes `move.…`. */
export class MoveError extends SakmakError {}

/** A count cannot be started, stopped or claimed: codes `count.…`. */
export class CountError extends SakmakError {}

/** PGN cannot be read or written: codes `pgn.…`. */
export class PgnError extends SakmakError {
  /** The line of the text, from 1; 0 if it is not known. */
  get line(): number {
    return Number(this.args.line ?? 0);
  }
}

/** A variant, a ruleset or a part of the rules is unknown: codes `rules.…`. */
export class RulesError extends SakmakError {}

/** A board was used after `free()` (`state.freed`), or before the WebAssembly was loaded (`state.notReady`). */
export class StateError extends SakmakError {}

/** An argument is of the wrong form: codes `argument.…`. */
export class ArgumentError extends SakmakError {}

const CLASSES: Record<string, typeof SakmakError> = {
  fen: FenError,
  move: MoveError,
  count: CountError,
  pgn: PgnError,
  rules: RulesError,
  state: StateError,
  argument: ArgumentError,
};

/** The error of a code; `args` are names and values in turn. The WebAssembly calls this. */
export function makeError(code: string, message: string, args: readonly string[], cause: unknown): SakmakError {
  const named: Record<string, string> = {};
  for (let at = 0; at + 1 < args.length; at += 2) {
    named[args[at] as string] = args[at + 1] as string;
  }
  const Class = CLASSES[code.slice(0, code.indexOf('.'))] ?? SakmakError;
  return new Class(code, message, named, cause);
}
