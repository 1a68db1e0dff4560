// A UCI session that searches in threads, and the workers that run them.
import {
  hasFailed,
  instantiate,
  MAX_THREADS,
  makeControl,
  slotOf,
  type ThreadPlatform,
  type ThreadStart,
} from './threads-host.js';
import type { UciSession } from './uci-loop.js';

/** A worker that will run threads. It is ready once it waits for them. */
export interface ThreadWorker {
  ready: Promise<void>;
  terminate(): void;
}

/** Pages of 64 KiB. The build links the module with them. */
const FIRST_PAGES = 256;
const MOST_PAGES = 65_536;
/** Some systems do not reserve the addresses of 4 GiB. */
const FEWEST_PAGES = 8192;
/** Threads besides those that search: for jobs, for DTM tables, and one that is about to end. */
const OTHER_THREADS = 3;
/** More search threads than processors are of little use, but allowed so far. */
const MOST_THREADS_PER_PROCESSOR = 4;
const FEWEST_LIMIT = 8;

const THREADS = /^\s*setoption\s+name\s+Threads\s+value\s+(\d+)\s*$/i;
const PERFT = /^\s*go\s+.*perft\b/;

interface Exports {
  _initialize(): void;
  sakmak_new(): number;
  sakmak_input(length: number): number;
  sakmak_command(): number;
  sakmak_step(milliseconds: number): number;
  sakmak_finish(): void;
  sakmak_load_network(nameLength: number): number;
  sakmak_ask(): void;
  sakmak_cancel(id: number): void;
  sakmak_take(): number;
  sakmak_answers(): number;
  sakmak_output(): number;
  sakmak_tables(callLength: number): number;
}

/** A memory as large as the system grants. */
function makeMemory(): WebAssembly.Memory {
  for (let maximum = MOST_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum <= FEWEST_PAGES) {
        throw error;
      }
    }
  }
}

export class ThreadsSession implements UciSession {
  readonly #start: Omit<ThreadStart, 'slot'>;
  readonly #startWorker: (start: ThreadStart) => ThreadWorker;
  readonly #platform: ThreadPlatform;
  readonly #limit: number;
  /** By the numbers of their slots. */
  readonly #workers = new Map<number, ThreadWorker>();
  #exports: Exports | undefined;
  /** Search threads, by the option. */
  #threads = 1;
  /** Why workers for the line that is prepared could not be started. */
  #failure: { error: unknown } | undefined;
  /** What was written on this side. */
  #written = '';

  /** `processors` bounds the option Threads. */
  constructor(
    module: WebAssembly.Module,
    platform: ThreadPlatform,
    processors: number,
    startWorker: (start: ThreadStart) => ThreadWorker,
  ) {
    this.#start = { module, memory: makeMemory(), control: makeControl() };
    this.#platform = platform;
    this.#startWorker = startWorker;
    this.#limit = Math.min(Math.max(processors * MOST_THREADS_PER_PROCESSOR, FEWEST_LIMIT), MAX_THREADS);
  }

  /** Starts the first workers and the session. Rejects if that is not possible here. */
  async begin(): Promise<void> {
    // Before the workers: the first instance fills the memory, and gets the variables of the main thread.
    const exports = instantiate(this.#start, this.#platform) as unknown as Exports;
    exports._initialize();
    await this.#grow(this.#threads + OTHER_THREADS);
    const failure = exports.sakmak_new();
    if (failure > 0) {
      throw new Error(this.#text(exports.sakmak_output(), failure));
    }
    this.#exports = exports;
  }

  /** Starts workers for the option Threads and for perft, and bounds the option. */
  prepare(line: string): string | Promise<void> {
    const wanted = Number(THREADS.exec(line)?.[1] ?? 0);
    const isValid = wanted > 0 && wanted <= MAX_THREADS;
    const threads = isValid ? Math.min(wanted, this.#limit) : this.#threads;
    const perft = PERFT.test(line) ? threads : 0;
    const missing = threads + perft + OTHER_THREADS - this.#workers.size;
    if (missing > 0 && this.#failure === undefined) {
      return this.#grow(missing).catch((error: unknown) => {
        this.#failure = { error };
      });
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined && isValid) {
      this.#written += `info string Threads: workers cannot be started: ${failure.error}; unchanged\n`;
      return '';
    }
    // A perft counts with the threads that it gets.
    this.#threads = threads;
    if (!isValid || wanted <= this.#limit) {
      return line;
    }
    this.#written += `info string ${wanted} threads are too many for this machine; Threads is ${this.#limit}\n`;
    return `setoption name Threads value ${this.#limit}`;
  }

  command(line: string): boolean {
    this.#fill(new TextEncoder().encode(line));
    return this.#call((exports) => exports.sakmak_command()) !== 0;
  }

  step(milliseconds: number): boolean {
    return this.#call((exports) => exports.sakmak_step(milliseconds)) !== 0;
  }

  finish(): void {
    this.#call((exports) => exports.sakmak_finish());
  }

  take(): string {
    const text = this.#written + this.#taken((exports) => exports.sakmak_take());
    this.#written = '';
    return text;
  }

  ask(question: string): void {
    this.#fill(new TextEncoder().encode(question));
    this.#call((exports) => exports.sakmak_ask());
  }

  cancel(id: number): void {
    this.#call((exports) => exports.sakmak_cancel(id));
  }

  answers(): string {
    return this.#taken((exports) => exports.sakmak_answers());
  }

  loadNetwork(name: string, bytes: Uint8Array): boolean {
    const length = this.#fillBoth(name, bytes);
    return this.#call((exports) => exports.sakmak_load_network(length)) !== 0;
  }

  setTables(endings: string[] | undefined, storeBytes: number): void {
    this.#tables({ call: 'set', endings, storeBytes });
  }

  leaveTables(): void {
    this.#tables({ call: 'leave' });
  }

  missingTables(question?: string): string[] {
    return this.#tables({ call: 'missing', question });
  }

  supplyTable(file: string, start: number, end: number, bytes: Uint8Array, fileBytes?: number): string[] {
    return this.#tables({ call: 'supply', file, start, end, fileBytes }, bytes);
  }

  setTableAbsent(file: string): void {
    this.#tables({ call: 'absent', file });
  }

  #tables(call: object, bytes: Uint8Array = new Uint8Array()): string[] {
    const length = this.#fillBoth(JSON.stringify(call), bytes);
    return JSON.parse(this.#taken((exports) => exports.sakmak_tables(length)));
  }

  /** Ends all workers. */
  free(): void {
    for (const worker of this.#workers.values()) {
      worker.terminate();
    }
    this.#workers.clear();
    this.#exports = undefined;
  }

  /** Starts so many workers more. Rejects if one cannot be started; those that can stay. */
  async #grow(number: number): Promise<void> {
    const started: Promise<void>[] = [];
    for (let index = 0; started.length < number; index += 1) {
      if (!this.#workers.has(index)) {
        const worker = this.#startWorker({ ...this.#start, slot: slotOf(index) });
        this.#workers.set(index, worker);
        const leave = (error: unknown) => {
          this.#workers.delete(index);
          worker.terminate();
          throw error;
        };
        started.push(worker.ready.catch(leave));
      }
    }
    const ends = await Promise.allSettled(started);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /** Calls the session. Throws if a thread has failed, and would wait for it without end otherwise. */
  #call<T>(action: (exports: Exports) => T): T {
    this.#check();
    const result = action(this.#exports as Exports);
    this.#check();
    return result;
  }

  #check(): void {
    if (this.#exports === undefined || hasFailed(this.#start.control)) {
      throw new Error('a thread of the engine has failed');
    }
  }

  /** The output of a call that returns its length. */
  #taken(take: (exports: Exports) => number): string {
    const length = this.#call(take) >>> 0;
    return this.#text(this.#call((exports) => exports.sakmak_output()) >>> 0, length);
  }

  /** Fills the input with a text and bytes. Gives the length of the text. */
  #fillBoth(text: string, bytes: Uint8Array): number {
    const encoded = new TextEncoder().encode(text);
    const input = new Uint8Array(encoded.length + bytes.length);
    input.set(encoded);
    input.set(bytes, encoded.length);
    this.#fill(input);
    return encoded.length;
  }

  #fill(input: Uint8Array): void {
    const at = this.#call((exports) => exports.sakmak_input(input.length)) >>> 0;
    if (at === 0) {
      throw new Error(`there is no memory for ${input.length} bytes`);
    }
    new Uint8Array(this.#start.memory.buffer).set(input, at);
  }

  /** Text in the memory, which decoders refuse as long as it is shared. */
  #text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.#start.memory.buffer, at, length).slice());
  }
}
