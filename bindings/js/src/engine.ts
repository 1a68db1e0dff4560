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
import type { LoadingMessage } from './loading.js';
import { connect } from './platform.js';
import type { Endings, Review, ReviewOptions, ReviewProgress } from './questions.js';
import {
  type Analysis,
  asItIs,
  oneLine,
  positionData,
  type SearchCommands,
  type SearchOptions,
  type SearchPosition,
  type StartAndMoves,
  searchCommands,
} from './search-request.js';
import type { TableSource } from './tables.js';
import { ownBytes, TableClient } from './tables-client.js';
import { type FromWorker, isFromWorker } from './tables-messages.js';
import type { Notation } from './types.js';
import type { AnswerMessage, FileMessage, NetworkMessage, PingMessage } from './uci-loop.js';

export type { Info, Score } from './info.js';
export { parseInfo } from './info.js';
export type * from './questions.js';
export type { Analysis, SearchOptions, SearchPosition } from './search-request.js';
export type { ReadTable, TableAnswer, TableCounters, TableProblem, TableRange, TableSourceOptions } from './tables.js';
export { TableSource } from './tables.js';
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
  /** The bytes of `sakmak.wasm`, for a page that has fetched it; with `threads: true` those of `sakmak-threads.wasm`. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /**
   * Whether to use `sakmak-uci-threads.js` and `sakmak-threads.wasm`, where the option Threads works. A page must be
   * cross-origin isolated for it. `'auto'` uses them where that is so and there is no `wasmBinary`, and else the build with
   * one thread. Default `false`.
   */
  threads?: boolean | 'auto';
  /**
   * In browsers, called while `sakmak.wasm` loads: with the bytes that have come, uncompressed, and with all of
   * them, `null` if the host compresses them. With threads it is not called.
   */
  onProgress?: (loadedBytes: number, totalBytes: number | null) => void;
}

/** The part of Emscripten's file system that sites use. */
export interface FileSystem {
  /** Keeps a file in the engine, for `EvalFile` by its name. A `/` before the name does not count. */
  writeFile(path: string, data: string | ArrayBuffer | Uint8Array): void;
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

/** Those of the options of a search that make no position. */
const NO_POSITION = /^info string option (?!UCI_Variant|Ruleset|RuleParts)/;

/** Options that a search may set, with the defaults that they get back. */
const SEARCH_OPTIONS: Record<string, string> = {
  UCI_LimitStrength: 'false',
  Opponent: 'none',
  UCI_ShowWDL: 'false',
  'Move Overhead': '10',
};

/** Where the answer to a question goes. */
interface Asked {
  answer: (answer: never) => void;
  refuse: (error: EngineError) => void;
  progress: ((progress: never) => void) | undefined;
}

/** An engine. */
export class Engine {
  /** Resolves with the reason once the engine has ended or failed. */
  readonly ended: Promise<EngineError>;
  readonly #port: Port;
  readonly #listeners = new Set<(line: string) => void>();
  /** Those who wait for an answer and must hear of the end. */
  readonly #waiting = new Set<(error: EngineError) => void>();
  /** The calls whose commands may still be refused, in their order. */
  readonly #refusable = new Set<symbol>();
  readonly #pings = new Map<number, () => void>();
  #pinged = 0;
  readonly FS: FileSystem = {
    writeFile: (file, data) =>
      this.#send({ file, bytes: typeof data === 'string' ? new TextEncoder().encode(data) : ownBuffer(data) }),
  };
  readonly #questions = new Map<number, Asked>();
  #asked = 0;
  /** What the last searches have set: names of `SEARCH_OPTIONS`, and whether there were settings without an option. */
  readonly #changed = new Set<string>();
  #hasSettings = false;
  /** The last search; the next one waits for it. */
  #turn: Promise<unknown> = Promise.resolve();
  #error: EngineError | undefined;
  #end = (_error: EngineError) => {};
  readonly #tables: TableClient;

  constructor(port: Port, onProgress?: EngineOptions['onProgress']) {
    this.#port = port;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#tables = new TableClient((message) => this.#error ?? port.post(message));
    port.listen(
      (message) => {
        if (typeof message === 'string') {
          this.#report(message);
        } else if ('loaded' in (message as object)) {
          const { loaded, total } = message as LoadingMessage;
          onProgress?.(loaded, total);
        } else if (isFromWorker(message as object)) {
          this.#tables.receive(message as FromWorker);
        } else {
          this.#receive(message as PingMessage | AnswerMessage);
        }
      },
      (error) => this.#fail(new EngineError('engine.failed', `the engine has failed: ${error.message}`, error)),
    );
  }

  /** Hands a line to all listeners. An error of one is thrown once the others have it. */
  #report(line: string): void {
    let thrown: { error: unknown } | undefined;
    for (const listener of [...this.#listeners]) {
      try {
        listener(line);
      } catch (error) {
        thrown ??= { error };
      }
    }
    if (thrown !== undefined) {
      throw thrown.error;
    }
  }

  #receive(message: PingMessage | AnswerMessage): void {
    if ('ping' in message) {
      const { ping } = message;
      if (ping === QUIT) {
        this.#fail(new EngineError('engine.quit', 'the engine has quit'));
      }
      this.#pings.get(ping)?.();
      this.#pings.delete(ping);
      return;
    }
    const asked = this.#questions.get(message.ask);
    if ('progress' in message) {
      asked?.progress?.(message.progress as never);
      return;
    }
    this.#questions.delete(message.ask);
    if ('error' in message) {
      asked?.refuse(new EngineError(message.error.code, message.error.message));
    } else {
      asked?.answer(message.answer as never);
    }
  }

  /** Sends a UCI command, several lines, or the bytes of a network for EvalFile. */
  postMessage(command: string | NetworkMessage): void {
    this.#send(typeof command === 'string' ? command : { ...command, evalFile: ownBuffer(command.evalFile) });
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

  /** Waits until all commands before are executed; a search may go on, and questions may still wait for tables. */
  ready(): Promise<void> {
    return this.#answer((done) => {
      this.#pinged += 1;
      this.#pings.set(this.#pinged, () => done());
      this.#port.post({ ping: this.#pinged });
    });
  }

  /** Sets a UCI option, see docs/uci.md. Rejects if the engine refuses the value. */
  async setOption(name: string, value: string | number | boolean): Promise<void> {
    this.#changed.delete(name);
    const refusal = await this.#refusal(() => this.postMessage(oneLine(`setoption name ${name} value ${value}`)));
    if (refusal !== undefined) {
      throw new EngineError('engine.option', refusal.replace('info string ', ''));
    }
  }

  /**
   * Uses endgame tables from here on, or none with `null`: before a search the engine reads what it lacks for the root
   * and its moves, and plays from the tables if they know all moves. `endings`, `endingMove` and `review` read, too. A
   * `stop` does not wait for them, and a search on a clock not for long.
   */
  setTables(source: TableSource | null): Promise<void> {
    if (this.#error !== undefined) {
      return Promise.reject(this.#error);
    }
    this.#tables.use(source);
    return this.ready();
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

  /**
   * What the solved endings say about a position as it is now. A running search goes on; an ending that is not solved
   * yet is solved first, beside it.
   */
  async endings(position: SearchPosition): Promise<Endings> {
    return this.#ask({ what: 'endings', position: positionData(asItIs(position)) });
  }

  /**
   * The best move by the solved endings: the fastest win, else a draw, else the longest loss. `seed` chooses among equal
   * moves. `null` where they do not know all moves.
   */
  async endingMove(position: SearchPosition, { seed = 0 }: { seed?: number } = {}): Promise<string | null> {
    return this.#ask({ what: 'endingMove', position: positionData(asItIs(position)), seed });
  }

  /**
   * Reviews a game: each position is searched, the last one first. Searches and reviews of one engine wait for each
   * other; a search begun by `postMessage` is stopped, and stops a review (`engine.interrupted`). The review forgets
   * what other searches have learnt, so that the same game gets the same review on the same machine, or nearly so.
   */
  async review(position: SearchPosition, options: ReviewOptions): Promise<Review> {
    const { nodes, notation } = options;
    const question = { what: 'review', position: positionData(asItIs(position), options), nodes, notation };
    const result = this.#turn.then(() => this.#ask<Review>(question, options));
    this.#turn = result.catch(() => {});
    return result;
  }

  /** The moves of lines from a position, in coordinates, in a notation; SAN if missing. */
  async names(
    position: SearchPosition,
    lines: readonly (readonly string[])[],
    notation: Notation = 'san',
  ): Promise<string[][]> {
    return this.#ask({ what: 'names', position: positionData(asItIs(position)), lines, notation });
  }

  /**
   * Whether the side to move and the other one would accept a draw, by the chances of the side to move (`Info.wdl`): the
   * worse side does, and both where nobody can win.
   */
  async acceptsDraw(chances: readonly [number, number, number]): Promise<[boolean, boolean]> {
    return this.#ask({ what: 'acceptsDraw', chances });
  }

  async *#infos(position: StartAndMoves, options: SearchOptions): AsyncGenerator<Info, Analysis> {
    // Not by AbortSignal.any, which browsers have since 2023.
    const leave = new AbortController();
    const { signal } = leave;
    const forward = () => leave.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', forward);
    if (options.signal?.aborted) {
      forward();
    }
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
      options.signal?.removeEventListener('abort', forward);
      leave.abort();
      await ended;
    }
  }

  async #search({ commands, go }: SearchCommands, options: SearchOptions): Promise<Analysis> {
    const { signal } = options;
    if (signal?.aborted) {
      throw signal.reason;
    }
    const { seed, withoutCount = false } = options;
    const hasSettings = seed !== undefined || withoutCount;
    if (hasSettings || this.#hasSettings) {
      await this.#ask({ what: 'settings', seed: seed ?? null, withoutCount });
      this.#hasSettings = hasSettings;
    }
    // The `bestmove` of another search must not be taken for that of this one.
    const all = ['stop', ...this.#optionCommands(options), ...commands];
    const refusal = await this.#refusal(() => this.postMessage(all.join('\n')));
    if (refusal !== undefined) {
      const code = NO_POSITION.test(refusal) ? 'engine.option' : 'engine.position';
      throw new EngineError(code, refusal.replace('info string ', ''));
    }
    const lines = new Map<number, Info>();
    const stop = () => this.postMessage('stop');
    let listener = (_line: string) => {};
    let fault: { error: unknown } | undefined;
    let stopsCount = false;
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
          } else if (line === 'info string count-stop') {
            stopsCount = true;
          } else if (line.startsWith('info string searchmoves: ')) {
            fault ??= { error: new EngineError('engine.moves', line.replace('info string ', '')) };
            stop();
          } else if (line.startsWith('bestmove')) {
            const [, best, , ponder] = line.split(' ');
            const sorted = [...lines.entries()].sort(([a], [b]) => a - b).map(([, one]) => one);
            const bestMove = best === undefined || /^(\(none\)|0000)$/.test(best) ? null : best;
            done({ bestMove, ponder: ponder ?? null, stopsCount, lines: sorted });
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

  /** The commands that set the options of a search, and take back those of earlier ones. */
  #optionCommands({ elo, opponent, wdl, moveOverhead }: SearchOptions): string[] {
    const set: Record<string, string | number | undefined> = {
      UCI_LimitStrength: elo === undefined ? undefined : 'true',
      Opponent: opponent,
      UCI_ShowWDL: wdl ? 'true' : undefined,
      'Move Overhead': moveOverhead,
    };
    const commands = elo === undefined ? [] : [`setoption name UCI_Elo value ${elo}`];
    for (const [name, fallback] of Object.entries(SEARCH_OPTIONS)) {
      const value = set[name];
      if (value !== undefined) {
        this.#changed.add(name);
        commands.push(`setoption name ${name} value ${value}`);
      } else if (this.#changed.delete(name)) {
        commands.push(`setoption name ${name} value ${fallback}`);
      }
    }
    return commands.map(oneLine);
  }

  /** The answer to a question of `uci-loop.ts`. An error of `onProgress` takes it back and rejects the promise. */
  async #ask<T>(
    question: { what: string; [name: string]: unknown },
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: ReviewProgress) => void } = {},
  ): Promise<T> {
    if (signal?.aborted) {
      throw signal.reason;
    }
    this.#asked += 1;
    const id = this.#asked;
    let cancel = () => {};
    try {
      return await this.#answer<T>((answer, refuse) => {
        const takeBack = (reason: unknown) => {
          if (this.#questions.delete(id)) {
            this.#port.post({ cancel: id });
            refuse(reason);
          }
        };
        const progress = (finished: ReviewProgress) => {
          try {
            onProgress?.(finished);
          } catch (error) {
            takeBack(error);
          }
        };
        cancel = () => takeBack(signal?.reason);
        signal?.addEventListener('abort', cancel);
        this.#questions.set(id, { answer, refuse, progress });
        this.#port.post({ ask: id, ...question });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** What the engine refuses of the commands that are sent. */
  async #refusal(send: () => void): Promise<string | undefined> {
    // Commands are executed in the order of the calls, so a line belongs to the first call without a pong.
    const call = Symbol();
    this.#refusable.add(call);
    let refusal: string | undefined;
    const listener = (line: string) => {
      const [first] = this.#refusable;
      if (first === call && line.startsWith('info string ') && REFUSALS.test(line)) {
        refusal ??= line;
      }
    };
    this.addMessageListener(listener);
    try {
      send();
      await this.ready();
    } finally {
      this.#refusable.delete(call);
      this.removeMessageListener(listener);
    }
    return refusal;
  }

  /** A promise that is rejected if the engine ends meanwhile. */
  #answer<T = void>(ask: (done: (answer: T) => void, refuse: (error: unknown) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) {
        reject(this.#error);
        return;
      }
      this.#waiting.add(reject);
      ask(
        (answer) => {
          this.#waiting.delete(reject);
          resolve(answer);
        },
        (error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  #fail(error: EngineError): void {
    if (this.#error === undefined) {
      this.#error = error;
      this.#tables.use(null);
      this.#port.terminate();
      for (const reject of this.#waiting) {
        reject(error);
      }
      this.#waiting.clear();
      this.#questions.clear();
      this.#listeners.clear();
      this.#end(error);
    }
  }
}

function ownBuffer(bytes: ArrayBuffer | Uint8Array): ArrayBuffer | Uint8Array {
  return bytes instanceof Uint8Array ? ownBytes(bytes) : bytes;
}

async function start(options: EngineOptions, threads: boolean): Promise<Engine> {
  const engine = new Engine(await connect(options, threads), options.onProgress);
  await engine.ready();
  return engine;
}

/** Whether threads can share memory here. Node, Deno and Bun know no isolation. */
function canShareMemory(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;
}

/** Starts an engine. The promise is rejected if it cannot be loaded; code `engine.threads` if the page is not isolated. */
export async function Sakmak(options: EngineOptions = {}): Promise<Engine> {
  const { threads = false, wasmBinary } = options;
  if (threads === true && !canShareMemory()) {
    throw new EngineError('engine.threads', 'threads need a page that is cross-origin isolated');
  }
  if (threads === 'auto' && wasmBinary === undefined && canShareMemory()) {
    // The files may be missing, or a policy may forbid them.
    return start(options, true).catch(() => start(options, false));
  }
  return start(options, threads === true);
}

export default Sakmak;
