/**
 * Endgame tables for an engine in a browser or in Node: files that are read block by block, by HTTP range requests or a
 * function. After `engine.setTables(new TableSource('https://example.org/tables/'))` the engine asks them for the
 * position at the root of a search.
 * @module
 */

/** Bytes of a file. */
export interface TableAnswer {
  bytes: Uint8Array;
  /** Size of the whole file in bytes, if it is known. */
  fileBytes?: number;
  /** Something that changes when the file does, such as an entity tag. */
  version?: string;
}

/** Reads the bytes `start` to `end`, `end` left out, of a file; `null` if there is no such file. */
export type ReadTable = (
  file: string,
  start: number,
  end: number,
  signal: AbortSignal,
) => Promise<TableAnswer | Uint8Array | null>;

/**
 * What can go wrong. With `tables.range`, `tables.encoding`, `tables.offline` and `tables.timeout` the source is not
 * asked any more until `retry()`; with the others only the file is not.
 */
export type TableProblem =
  /** The server sends whole files instead of ranges. */
  | 'tables.range'
  /** The bytes were compressed on the way. */
  | 'tables.encoding'
  /** The source cannot be reached. */
  | 'tables.offline'
  /** An answer took too long. */
  | 'tables.timeout'
  /** The server refuses the file, by a status other than 404 and 410. */
  | 'tables.status'
  /** The file has changed since its first bytes were read. */
  | 'tables.changed'
  /** An answer has too few or too many bytes. */
  | 'tables.length'
  /** A checksum is wrong. */
  | 'tables.checksum'
  /** It is no table of this format, or that of another ending. */
  | 'tables.format';

/** Options of a source. */
export interface TableSourceOptions {
  /** The endings that have a file, such as `KSMvK`. Without it each is asked for when needed, and 404 remembered. */
  endings?: readonly string[];
  /** Most bytes of blocks that an engine keeps; 16 MiB. It keeps at least 4 MiB. */
  storeBytes?: number;
  /** Milliseconds for one request; 10,000. At most some 24 days, also for `Infinity`. */
  timeout?: number;
  /** Called once for each file and code; with codes that stop the source, once. */
  onProblem?: (code: TableProblem, message: string) => void;
}

/** What a source has read so far. */
export interface TableCounters {
  requests: number;
  /** Bytes of the answers, headers of HTTP left out. */
  bytes: number;
}

/** A range of a file's bytes: the name, the first byte, and that after the last one. */
export type TableRange = [file: string, start: number, end: number];

const STORE_BYTES = 16 << 20;
const TIMEOUT_MS = 10_000;
/** Requests at once, as many as browsers allow for one server. */
const AT_ONCE = 6;
/** Problems that concern all files. */
const STOPPING: ReadonlySet<string> = new Set(['tables.range', 'tables.encoding', 'tables.offline', 'tables.timeout']);

/** A problem found by this file. */
class Fault extends Error {
  constructor(
    readonly code: TableProblem,
    message: string,
  ) {
    super(message);
  }
}

/** The reason of requests that nobody waits for any more: by a `retry()`, or as their engine has left the source. */
const OUTDATED = new Error('nobody waits for it');
/** Timers take no longer times. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What is known of a file. */
interface KnownFile {
  fileBytes?: number;
  version?: string;
}

/** Where endgame tables come from. Several engines may use one source. */
export class TableSource {
  readonly endings: readonly string[] | undefined;
  readonly storeBytes: number;
  readonly #read: ReadTable;
  readonly #timeout: number;
  readonly #onProblem: ((code: TableProblem, message: string) => void) | undefined;
  readonly #known = new Map<string, KnownFile>();
  readonly #absent = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #counters: TableCounters = { requests: 0, bytes: 0 };
  readonly #users = new Set<() => void>();
  #stopped = false;
  /** Ends the requests of before a `retry()`. */
  readonly #requests = new Set<AbortController>();
  #running = 0;
  readonly #queue: (() => void)[] = [];

  /** Files below an address, or those that a function reads. */
  constructor(from: string | URL | ReadTable, options: TableSourceOptions = {}) {
    this.#read = typeof from === 'function' ? from : httpReader(from);
    this.endings = options.endings;
    this.storeBytes = options.storeBytes ?? STORE_BYTES;
    this.#timeout = Math.min(options.timeout ?? TIMEOUT_MS, LONGEST_TIMER_MS);
    this.#onProblem = options.onProblem;
  }

  /** Requests and bytes so far. */
  get counters(): TableCounters {
    return { ...this.#counters };
  }

  /** The files that were found so far, and their sizes in bytes where known. */
  files(): { file: string; bytes: number | undefined }[] {
    return [...this.#known].map(([file, { fileBytes }]) => ({ file, bytes: fileBytes }));
  }

  /** Asks again for what was missing or had a problem, and reports problems anew. Engines forget what they have read. */
  retry(): void {
    this.#stopped = false;
    this.#absent.clear();
    this.#reported.clear();
    this.#known.clear();
    for (const request of this.#requests) {
      request.abort(OUTDATED);
    }
    this.#requests.clear();
    for (const forget of this.#users) {
      forget();
    }
  }

  /**
   * Calls a function at each `retry()`. Returns what ends that.
   * @internal
   */
  attach(forget: () => void): () => void {
    this.#users.add(forget);
    return () => this.#users.delete(forget);
  }

  /**
   * The bytes of a range; `null` if the file counts as absent, or once `leave` is aborted. Never rejects: problems are
   * reported.
   */
  async read([file, start, end]: TableRange, leave?: AbortSignal): Promise<TableAnswer | null> {
    if (this.#running < AT_ONCE) {
      this.#running += 1;
    } else {
      // Whoever has finished leaves its place.
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    try {
      const isIdle = this.#stopped || this.#absent.has(file) || leave?.aborted;
      return isIdle ? null : await this.#readNow(file, start, end, leave);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) {
        this.#running -= 1;
      } else {
        next();
      }
    }
  }

  async #readNow(file: string, start: number, end: number, leave?: AbortSignal): Promise<TableAnswer | null> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Fault('tables.timeout', `no answer within ${this.#timeout} ms`)),
      this.#timeout,
    );
    this.#requests.add(late);
    const left = () => late.abort(OUTDATED);
    leave?.addEventListener('abort', left);
    try {
      this.#counters.requests += 1;
      const found = await Promise.race([this.#read(file, start, end, late.signal), aborted(late.signal)]);
      if (late.signal.reason === OUTDATED) {
        return null;
      }
      if (found === null) {
        this.#absent.add(file);
        return null;
      }
      const answer = found instanceof Uint8Array ? { bytes: found } : found;
      this.#counters.bytes += answer.bytes.length;
      // Another answer may have had a problem meanwhile.
      if (this.#absent.has(file)) {
        return null;
      }
      this.#compare(file, answer);
      return answer;
    } catch (error) {
      const fault = late.signal.aborted ? late.signal.reason : error;
      if (fault === OUTDATED) {
        return null;
      }
      const code = fault instanceof Fault ? fault.code : 'tables.offline';
      this.problem(file, code, fault instanceof Error ? fault.message : String(fault));
      return null;
    } finally {
      clearTimeout(timer);
      leave?.removeEventListener('abort', left);
      this.#requests.delete(late);
    }
  }

  /** Throws if a file is not that of the first answer. */
  #compare(file: string, answer: TableAnswer): void {
    const known = this.#known.get(file);
    if (known === undefined) {
      const { fileBytes, version } = answer;
      this.#known.set(file, {
        ...(fileBytes !== undefined && { fileBytes }),
        ...(version !== undefined && { version }),
      });
      return;
    }
    const differs = <T>(a: T | undefined, b: T | undefined) => a !== undefined && b !== undefined && a !== b;
    if (differs(known.fileBytes, answer.fileBytes) || differs(known.version, answer.version)) {
      throw new Fault('tables.changed', 'the file has changed');
    }
  }

  /** Reports a problem, once, and takes the file as absent, or the source as gone. Engines call it, too. */
  problem(file: string, code: TableProblem, message: string): void {
    const stops = STOPPING.has(code);
    this.#absent.add(file);
    this.#known.delete(file);
    const key = stops ? '' : `${file} ${code}`;
    this.#stopped ||= stops;
    if (!this.#reported.has(key)) {
      this.#reported.add(key);
      const text = message.startsWith(file) ? message : `${file}: ${message}`;
      try {
        this.#onProblem?.(code, text);
      } catch (error) {
        // The read goes on; the error is reported as that of any event handler.
        setTimeout(() => {
          throw error;
        });
      }
    }
  }
}

/** Rejects with the reason once a signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** Reads files below an address by HTTP. */
function httpReader(base: string | URL): ReadTable {
  const page = typeof location === 'undefined' ? undefined : location.href;
  const folder = new URL(base, page);
  if (!folder.pathname.endsWith('/')) {
    folder.pathname += '/';
  }
  return async (file, start, end, signal) => {
    const address = new URL(file, folder);
    address.search = folder.search;
    // No If-Range: between origins it would cost another request. The versions are compared instead.
    const response = await fetch(address, { headers: { Range: `bytes=${start}-${end - 1}` }, signal });
    try {
      return await answerOf(response, start);
    } finally {
      // The rest of a body that nobody reads.
      if (!response.bodyUsed) {
        await response.body?.cancel().catch(() => {});
      }
    }
  };
}

async function answerOf(response: Response, start: number): Promise<TableAnswer | null> {
  const { status, headers } = response;
  if (status === 404 || status === 410) {
    return null;
  }
  if (status === 200) {
    throw new Fault('tables.range', 'the server sends whole files, not ranges');
  }
  if (status === 416) {
    throw new Fault('tables.length', 'the file is too short');
  }
  if (status !== 206) {
    throw new Fault('tables.status', `status ${status}`);
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new Fault('tables.encoding', `the bytes were compressed on the way (${encoding})`);
  }
  // Between origins both are hidden, unless the server exposes them.
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (first !== undefined && Number(first) !== start) {
    throw new Fault('tables.range', `the range begins at ${first}, not at ${start}`);
  }
  const version = headers.get('etag') ?? headers.get('last-modified') ?? undefined;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const fileBytes = total === undefined || total === '*' ? undefined : Number(total);
  return { bytes, ...(fileBytes !== undefined && { fileBytes }), ...(version !== undefined && { version }) };
}
