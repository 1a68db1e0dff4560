/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The engine: a worker in browsers, a thread in Node, Deno and Bun. It speaks UCI by messages, and has promises for the
 * usual questions.
 *
 * `await Sakmak({ locateFile })` gives an engine with `postMessage`, `addMessageListener`, `removeMessageListener` and
 * `terminate`, as sites call Stockfish in WebAssembly.
 * @module
 */
import { type Info, parseInfo } from './info.js';
import { connect } from './platform.js';
import type { Ruleset, RulesOptions, Variant } from './types.js';
import type { FileMessage, NetworkMessage } from './uci-loop.js';

export type { Info, Score } from './info.js';
export { parseInfo } from './info.js';
export type { NetworkMessage } from './uci-loop.js';

/** A connection to a worker or a thread. */
export interface Port {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void, onError: (error: Error) => void): void;
  terminate(): void;
}

/** Options of the factory. */
export interface EngineOptions {
  /** Where `sakmak-uci.js` and `sakmak.wasm` are. Without it they lie beside the script. */
  locateFile?: (file: string, prefix: string) => string;
  /** The bytes of `sakmak.wasm`, for a page that has fetched it. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

/** The part of Emscripten's file system that sites use. */
export interface FileSystem {
  /** Keeps a file in the engine, for `EvalFile` by its name. A `/` before the name does not count. */
  writeFile(path: string, data: string | ArrayBuffer | Uint8Array): void;
}

/** A start and moves in coordinates. Without a FEN it is the start position. */
interface StartAndMoves extends RulesOptions {
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
  /** How many best lines are reported. */
  multiPv?: number;
  /** Ends the search: the promise gives what was found. */
  signal?: AbortSignal;
  onInfo?: (info: Info) => void;
}

/** The result of a search. */
export interface Analysis {
  /** `null` if there is no legal move. */
  bestMove: string | null;
  ponder: string | null;
  /** The last report of each line, the best one first. */
  lines: Info[];
}

/** The engine has ended or failed, or refuses a position: codes `engine.…`. */
export class EngineError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EngineError';
    this.code = code;
  }
}

/** The last answer, after `quit`. As in uci-loop.ts, which is not part of this script. */
const QUIT = -1;
/** How the engine words that a command was not or not wholly executed. */
const REFUSALS =
  /; unchanged$|; position unchanged$|; the moves before it were made$|no such option|cannot be read|not loaded/;

/** An engine. */
export class Engine {
  readonly #port: Port;
  readonly #listeners = new Set<(line: string) => void>();
  /** Those who wait for an answer and must hear of the end. */
  readonly #waiting = new Set<(error: EngineError) => void>();
  readonly #pings = new Map<number, () => void>();
  #pinged = 0;
  readonly FS: FileSystem = {
    writeFile: (file, data) =>
      this.#send({ file, bytes: typeof data === 'string' ? new TextEncoder().encode(data) : data }),
  };
  /** The last search; the next one waits for it. */
  #turn: Promise<unknown> = Promise.resolve();
  #error: EngineError | undefined;

  constructor(port: Port) {
    this.#port = port;
    port.listen(
      (message) => {
        if (typeof message === 'string') {
          for (const listener of [...this.#listeners]) {
            listener(message);
          }
        } else {
          const { ping } = message as { ping: number };
          if (ping === QUIT) {
            this.#fail(new EngineError('engine.quit', 'the engine has quit'));
          }
          this.#pings.get(ping)?.();
          this.#pings.delete(ping);
        }
      },
      (error) => this.#fail(new EngineError('engine.failed', `the engine has failed: ${error.message}`, error)),
    );
  }

  /** Sends a UCI command, several lines, or the bytes of a network for EvalFile. */
  postMessage(command: string | NetworkMessage): void {
    this.#send(command);
  }

  #send(message: string | NetworkMessage | FileMessage): void {
    if (this.#error === undefined) {
      this.#port.post(message);
    }
  }

  /** Calls a function with each line that the engine writes. */
  addMessageListener(listener: (line: string) => void): void {
    this.#listeners.add(listener);
  }

  removeMessageListener(listener: (line: string) => void): void {
    this.#listeners.delete(listener);
  }

  /** Ends the engine at once. What waits for it is rejected. */
  terminate(): void {
    this.#fail(new EngineError('engine.terminated', 'the engine was terminated'));
  }

  [Symbol.dispose](): void {
    this.terminate();
  }

  /** Waits until all commands before are executed; a search may go on. */
  ready(): Promise<void> {
    return this.#answer((done) => {
      this.#pinged += 1;
      this.#pings.set(this.#pinged, () => done());
      this.#port.post({ ping: this.#pinged });
    });
  }

  /** Sets a UCI option, see docs/uci.md. Rejects if the engine refuses the value. */
  async setOption(name: string, value: string | number | boolean): Promise<void> {
    const refusal = await this.#refusal(() => this.postMessage(oneLine(`setoption name ${name} value ${value}`)));
    if (refusal !== undefined) {
      throw new EngineError('engine.option', refusal.replace('info string ', ''));
    }
  }

  /** Forgets what was learnt from the last game. */
  newGame(): Promise<void> {
    this.postMessage('ucinewgame');
    return this.ready();
  }

  /**
   * Searches a position as it is now. Searches of one engine wait for each other; one begun by `postMessage` is stopped.
   * An error of `onInfo` ends the search and rejects the promise.
   */
  async analyse(position: SearchPosition, options: SearchOptions = {}): Promise<Analysis> {
    const commands = searchCommands(asItIs(position), options);
    const result = this.#turn.then(() => this.#search(commands, options));
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Searches a position and gives the best move; `null` if there is none. */
  async play(position: SearchPosition, options: SearchOptions): Promise<string | null> {
    return (await this.analyse(position, options)).bestMove;
  }

  /** The reports of a search of a position as it is now, as they come. Leaving the loop ends the search. */
  infos(position: SearchPosition, options: SearchOptions = {}): AsyncGenerator<Info, Analysis> {
    return this.#infos(asItIs(position), options);
  }

  async *#infos(position: StartAndMoves, options: SearchOptions): AsyncGenerator<Info, Analysis> {
    const leave = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, leave.signal]) : leave.signal;
    const queue: Info[] = [];
    let wake = () => {};
    let result: Analysis | undefined;
    let error: unknown;
    const onInfo = (info: Info) => {
      queue.push(info);
      options.onInfo?.(info);
      wake();
    };
    const ended = this.analyse(position, { ...options, signal, onInfo }).then(
      (analysis) => {
        result = analysis;
      },
      (reason: unknown) => {
        error = reason;
      },
    );
    void ended.then(() => wake());
    try {
      for (;;) {
        for (let info = queue.shift(); info !== undefined; info = queue.shift()) {
          yield info;
        }
        if (error !== undefined) {
          throw error;
        }
        if (result !== undefined) {
          return result;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      leave.abort();
      await ended;
    }
  }

  async #search({ commands, go }: SearchCommands, options: SearchOptions): Promise<Analysis> {
    const { signal } = options;
    signal?.throwIfAborted();
    // The `bestmove` of another search must not be taken for that of this one.
    const refusal = await this.#refusal(() => this.postMessage(['stop', ...commands].join('\n')));
    if (refusal !== undefined) {
      throw new EngineError('engine.position', refusal.replace('info string ', ''));
    }
    const lines = new Map<number, Info>();
    const stop = () => this.postMessage('stop');
    let listener = (_line: string) => {};
    let fault: { error: unknown } | undefined;
    const report = (info: Info) => {
      try {
        options.onInfo?.(info);
      } catch (error) {
        fault = { error };
        stop();
      }
    };
    try {
      const analysis = await this.#answer<Analysis>((done) => {
        listener = (line) => {
          const info = parseInfo(line);
          if (info !== null) {
            lines.set(info.multiPv, info);
            if (fault === undefined) {
              report(info);
            }
          } else if (line.startsWith('bestmove')) {
            const [, best, , ponder] = line.split(' ');
            const sorted = [...lines.entries()].sort(([a], [b]) => a - b).map(([, one]) => one);
            const bestMove = best === undefined || /^(\(none\)|0000)$/.test(best) ? null : best;
            done({ bestMove, ponder: ponder ?? null, lines: sorted });
          }
        };
        this.addMessageListener(listener);
        signal?.addEventListener('abort', stop);
        this.postMessage(go);
        if (signal?.aborted) {
          stop();
        }
      });
      // Assigned by the listener.
      const thrown = fault as { error: unknown } | undefined;
      if (thrown !== undefined) {
        throw thrown.error;
      }
      return analysis;
    } finally {
      this.removeMessageListener(listener);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** What the engine refuses of the commands that are sent. */
  async #refusal(send: () => void): Promise<string | undefined> {
    let refusal: string | undefined;
    const listener = (line: string) => {
      if (line.startsWith('info string ') && REFUSALS.test(line)) {
        refusal ??= line;
      }
    };
    this.addMessageListener(listener);
    try {
      send();
      await this.ready();
    } finally {
      this.removeMessageListener(listener);
    }
    return refusal;
  }

  /** A promise that is rejected if the engine ends meanwhile. */
  #answer<T = void>(ask: (done: (answer: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) {
        reject(this.#error);
        return;
      }
      this.#waiting.add(reject);
      ask((answer) => {
        this.#waiting.delete(reject);
        resolve(answer);
      });
    });
  }

  #fail(error: EngineError): void {
    if (this.#error === undefined) {
      this.#error = error;
      this.#port.terminate();
      for (const reject of this.#waiting) {
        reject(error);
      }
      this.#waiting.clear();
      this.#listeners.clear();
    }
  }
}

/** The commands that set up a search, and the one that begins it. */
interface SearchCommands {
  commands: string[];
  go: string;
}

/** A position that later moves on a board do not change. */
function asItIs(position: SearchPosition): StartAndMoves {
  if (typeof position === 'string') {
    return { fen: position };
  }
  if ('uciWords' in position) {
    const { variant, ruleset, parts = {} } = position;
    return { fen: position.startFen(), moves: position.uciWords(), variant, ruleset, parts };
  }
  return { ...position, moves: [...(position.moves ?? [])] };
}

function searchCommands(position: StartAndMoves, options: SearchOptions): SearchCommands {
  const { fen, moves = [] } = position;
  const { variant = 'makruk', ruleset = 'fairy-stockfish', parts = {} } = { ...position, ...options };
  const start = fen === undefined || fen === 'startpos' ? 'startpos' : `fen ${fen}`;
  const commands = [
    `setoption name UCI_Variant value ${variant}`,
    `setoption name Ruleset value ${ruleset}`,
    `setoption name RuleParts value ${Object.entries(parts)
      .map((pair) => pair.join('='))
      .join(' ')}`,
    `setoption name MultiPV value ${options.multiPv ?? 1}`,
    `position ${start}${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`,
  ];
  const limits = ['depth', 'nodes', 'movetime', 'wtime', 'btime', 'winc', 'binc'] as const;
  const given = limits.filter((name) => options[name] !== undefined).map((name) => `${name} ${options[name]}`);
  return { commands: commands.map(oneLine), go: given.length > 0 ? `go ${given.join(' ')}` : 'go infinite' };
}

/** A text of users cannot bring further commands. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** Starts an engine. The promise is rejected if it cannot be loaded. */
export async function Sakmak(options: EngineOptions = {}): Promise<Engine> {
  const engine = new Engine(await connect(options));
  await engine.ready();
  return engine;
}

export default Sakmak;
