// The loop of a UCI session, wherever it runs: a browser's worker, a thread of Node, the program `npx sakmak`.
import { type FromWorker, isToWorker, type ToWorker } from './tables-messages.js';
import { TableDesk, type TableSession } from './tables-worker.js';

/** The session: that of the build with one thread, or of the build with threads. */
export interface UciSession extends TableSession {
  /** Executes a line. Returns `false` after `quit`. */
  command(line: string): boolean;
  /** Searches for about so many milliseconds, or waits so long. Returns whether there is more to do. */
  step(milliseconds: number): boolean;
  /** Does all that has an end, and stops the rest. */
  finish(): void;
  /** Removes what was written, and returns it. */
  take(): string;
  /** Takes a question as JSON. */
  ask(question: string): void;
  /** Forgets a question. */
  cancel(id: number): void;
  /** Removes the answers since the last call, JSON in each line, and returns them. */
  answers(): string;
  loadNetwork(name: string, bytes: Uint8Array): boolean;
  free(): void;
  /**
   * What is executed in place of a line; a promise if threads must start before, which they do only while the loop waits
   * for messages. Then the line is prepared again.
   */
  prepare?(line: string): string | Promise<void>;
}

/** What a client may send besides lines: a network's bytes in place of the option EvalFile. */
export interface NetworkMessage {
  evalFile: ArrayBuffer | Uint8Array;
  name?: string;
}

/** A file that a client keeps here, for the option EvalFile. */
export interface FileMessage {
  file: string;
  bytes: ArrayBuffer | Uint8Array;
}

/** A question that is answered by the same object once the messages before it are executed. */
export interface PingMessage {
  ping: number;
}

/** A question that UCI has no command for, answered by `AnswerMessage`s with the same id. */
export interface QuestionMessage {
  ask: number;
  what: string;
}

/** Takes a question back; a review ends. */
export interface CancelMessage {
  cancel: number;
}

/** What comes back for a question: any number of `progress`, then `answer` or `error`; nothing after `cancel`. */
export type AnswerMessage = { ask: number } & (
  | { answer: unknown }
  | { error: { code: string; message: string } }
  | { progress: unknown }
);

/** The answer to a client that asks, after `quit`. */
const QUIT = -1;

type Message = string | NetworkMessage | FileMessage | PingMessage | QuestionMessage | CancelMessage | ToWorker;

/** Where a loop runs. */
export interface Surroundings {
  /** Gets each line of the answers, answers to pings and questions, and requests for tables. */
  post(line: string | PingMessage | AnswerMessage | FromWorker): void;
  /** Calls a function soon, after messages that have arrived. */
  soon(action: () => void): void;
  /** Ends after `quit`. */
  close(): void;
  /** The bytes of a file named by the option EvalFile. Rejects if they cannot be had in time, and by `signal`. */
  read(name: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** A search goes on for about so long before messages are read: a stop takes effect within it. */
const SLICE_MS = 5;
/**
 * A search on a clock waits at most so long for endgame tables, and at most these parts of its time: what comes later
 * serves the next move.
 */
const TABLES_ON_CLOCK_MS = 300;
const TABLES_PART_OF_MOVE_TIME = 4;
const TABLES_PART_OF_CLOCK = 40;
const SEARCH = /^\s*go\b(?!.*\bperft\b)/;
const STOPPABLE = /^\s*(go|bench)\b/;
const ON_CLOCK = /\b(wtime|btime|movetime)\s+(-?\d+)/g;
/** What waits neither for tables nor for a network. */
const URGENT = /^\s*(stop|quit|ponderhit)\b/;
const QUITS = /^\s*quit\b/;
const EVAL_FILE = /^\s*setoption\s+name\s+EvalFile\s+value\s+(\S.*?)\s*$/i;

function isObjectMessage(message: unknown): message is Exclude<Message, string> {
  const keys = ['evalFile', 'file', 'ping', 'ask', 'cancel', 'setTables', 'tableParts'];
  return typeof message === 'object' && message !== null && keys.some((key) => key in message);
}

/** The name of a file in Emscripten's root folder, with or without its `/`. */
function baseName(path: string): string {
  return path.replace(/^\/+/, '');
}

export class UciLoop {
  readonly #surroundings: Surroundings;
  #session: UciSession | undefined;
  /** Messages that wait until the session is there or a network is read. */
  #waiting: Message[] = [];
  #busy = true;
  #hasQuit = false;
  #isAsked = false;
  readonly #files = new Map<string, Uint8Array>();
  #stepping = false;
  readonly #tables: TableDesk;
  /** Whether the tables for the next message are there. */
  #hasTables = false;
  /** Ends the wait of a search for tables. */
  #enough: (() => void) | undefined;
  /** Gives up the network that is being read. A search goes on meanwhile. */
  #reading: AbortController | undefined;
  /** The questions that wait for tables. */
  readonly #asked = new Set<number>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#tables = new TableDesk((message) => surroundings.post(message));
  }

  /** Begins once the WebAssembly is there, and executes what has come meanwhile. */
  begin(session: UciSession): void {
    this.#session = session;
    this.#next();
  }

  /** Takes one or several lines, or a network. */
  receive(message: unknown): void {
    if (typeof message === 'string') {
      for (const line of message.split('\n')) {
        this.#receiveLine(line);
      }
    } else if (isObjectMessage(message) && 'tableParts' in message) {
      // At once: a search waits for it.
      if (this.#session !== undefined) {
        this.#tables.receive(this.#session, message);
      }
    } else if (isObjectMessage(message) && 'setTables' in message && this.#waitsForTables()) {
      // At once, too: the old source may not answer any more.
      this.#tables.receive(this.#session as UciSession, message);
    } else if (isObjectMessage(message)) {
      this.#waiting.push(message);
    }
    if (!this.#busy) {
      this.#next();
    }
  }

  #receiveLine(line: string): void {
    if (URGENT.test(line)) {
      this.#enough?.();
      if (QUITS.test(line)) {
        this.#reading?.abort(new Error('the engine quits'));
      } else if (this.#reading !== undefined && !this.#waiting.some(isStoppable)) {
        // It concerns the search that goes on.
        this.#session?.command(line);
        this.#flush();
        return;
      }
    }
    this.#waiting.push(line);
  }

  /** After the end of the input: finishes what has an end, stops the rest, and closes. */
  finish(): void {
    if (this.#busy && !this.#hasQuit) {
      this.#surroundings.soon(() => this.finish());
      return;
    }
    this.#session?.finish();
    this.#flush();
    this.#surroundings.close();
  }

  /** Executes all that waits. Ends early for a network, which is read first. */
  #next(): void {
    this.#busy = false;
    const session = this.#session as UciSession;
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      if (typeof message !== 'string' && 'ping' in message) {
        this.#isAsked = true;
        this.#surroundings.post(message);
        continue;
      }
      if (typeof message !== 'string' && 'file' in message) {
        this.#files.set(baseName(message.file), new Uint8Array(message.bytes));
        continue;
      }
      if (typeof message !== 'string' && 'ask' in message) {
        this.#ask(message);
        continue;
      }
      if (typeof message !== 'string' && 'cancel' in message) {
        if (!this.#asked.delete(message.cancel)) {
          session.cancel(message.cancel);
          this.#flush();
        }
        continue;
      }
      if (typeof message !== 'string' && isToWorker(message)) {
        this.#tables.receive(session, message);
        continue;
      }
      if (typeof message !== 'string') {
        session.loadNetwork(message.name ?? 'network', new Uint8Array(message.evalFile));
        this.#flush();
        continue;
      }
      const [, file] = EVAL_FILE.exec(message) ?? [];
      if (file !== undefined && file !== '<empty>') {
        this.#read(file);
        return;
      }
      const line = session.prepare?.(message) ?? message;
      if (typeof line !== 'string') {
        this.#busy = true;
        this.#waiting.unshift(message);
        later(line, () => this.#next());
        return;
      }
      if (this.#tables.isUsed && !this.#hasTables && SEARCH.test(message)) {
        this.#fetchTables(message);
        return;
      }
      this.#hasTables = false;
      const goesOn = session.command(line);
      this.#flush();
      if (!goesOn) {
        this.#session = undefined;
        this.#busy = true;
        this.#hasQuit = true;
        session.free();
        // Only clients that ask know other answers than lines.
        if (this.#isAsked) {
          this.#surroundings.post({ ping: QUIT });
        }
        this.#surroundings.close();
        return;
      }
    }
    this.#step();
  }

  /** Fetches the tables that a search needs, and goes on with it. */
  #fetchTables(go: string): void {
    this.#busy = true;
    const isUrgent = this.#waiting.some((line) => typeof line === 'string' && URGENT.test(line));
    const begun = performance.now();
    const enough = new Promise<void>((resolve) => {
      this.#enough = resolve;
    });
    const most = longestWait(go);
    const patience = most === undefined ? undefined : setTimeout(() => this.#enough?.(), most);
    if (isUrgent) {
      this.#enough?.();
    }
    later(
      this.#tables.fetch(() => this.#missingTables(), enough),
      () => {
        clearTimeout(patience);
        this.#enough = undefined;
        this.#hasTables = true;
        this.#waiting.unshift(lessWaited(go, performance.now() - begun));
        this.#next();
      },
    );
  }

  /** Whether a search waits for tables, with no command behind it. */
  #waitsForTables(): boolean {
    return (
      this.#enough !== undefined && this.#waiting.every((message) => typeof message !== 'string' && 'ping' in message)
    );
  }

  #missingTables(question?: string): string[] {
    return this.#session?.missingTables(question) ?? [];
  }

  /** Asks a question, after the tables that it needs are fetched; a search goes on meanwhile. */
  #ask(question: QuestionMessage): void {
    const text = JSON.stringify(question);
    if (!this.#tables.isUsed || this.#missingTables(text).length === 0) {
      this.#session?.ask(text);
      this.#flush();
      return;
    }
    this.#asked.add(question.ask);
    later(
      this.#tables.fetch(() => this.#missingTables(text)),
      () => {
        if (this.#asked.delete(question.ask) && this.#session !== undefined) {
          this.#session.ask(text);
          this.#flush();
          this.#step();
        }
      },
    );
  }

  /** Reads a network. A search goes on meanwhile. */
  #read(file: string): void {
    this.#busy = true;
    const reading = new AbortController();
    this.#reading = reading;
    const written = this.#files.get(baseName(file));
    const read = written === undefined ? this.#surroundings.read(file, reading.signal) : Promise.resolve(written);
    const taken = read.then(
      (evalFile) => {
        this.#waiting.unshift({ evalFile, name: file });
      },
      (error: unknown) => this.#surroundings.post(`info string network ${file} cannot be read: ${error}`),
    );
    later(taken, () => {
      this.#reading = undefined;
      this.#next();
    });
    this.#step();
  }

  get #mayStep(): boolean {
    return !this.#busy || this.#reading !== undefined;
  }

  /** Searches a slice, and asks for the next one as long as there is something to do. */
  #step(): void {
    if (this.#stepping || !this.#mayStep) {
      return;
    }
    this.#stepping = true;
    this.#surroundings.soon(() => {
      this.#stepping = false;
      if (this.#session !== undefined && this.#mayStep) {
        const more = this.#session.step(SLICE_MS);
        this.#flush();
        if (more) {
          this.#step();
        }
      }
    });
  }

  /** Posts what the session has written and answered. */
  #flush(): void {
    for (const line of linesOf(this.#session?.take())) {
      this.#surroundings.post(line);
    }
    for (const answer of linesOf(this.#session?.answers())) {
      this.#surroundings.post(JSON.parse(answer) as AnswerMessage);
    }
  }
}

/** Whether a message begins what `stop` ends. */
function isStoppable(message: Message): boolean {
  return typeof message === 'string' && STOPPABLE.test(message);
}

/** Milliseconds that a search may wait for tables; `undefined` if it has no clock. */
function longestWait(go: string): number | undefined {
  const parts = [...go.matchAll(ON_CLOCK)].map(
    ([, name, time]) => Number(time) / (name === 'movetime' ? TABLES_PART_OF_MOVE_TIME : TABLES_PART_OF_CLOCK),
  );
  return parts.length === 0 ? undefined : Math.max(0, Math.min(TABLES_ON_CLOCK_MS, ...parts));
}

/** The command with less time, since the wait took some. The clock does not run while the engine ponders. */
function lessWaited(go: string, waited: number): string {
  return /\bponder\b/.test(go)
    ? go
    : go.replace(ON_CLOCK, (_, name: string, text: string) => {
        const time = Number(text);
        return `${name} ${Math.min(time, Math.max(1, time - Math.ceil(waited)))}`;
      });
}

/**
 * Calls a function after a promise. Throws its error in a task of its own: a browser does not report a rejection in a
 * worker to the page.
 */
function later(before: Promise<void>, next: () => void): void {
  before.then(next).catch((error: unknown) => {
    setTimeout(() => {
      throw error;
    });
  });
}

/** The lines of a text that ends with a line break. */
function linesOf(text = ''): string[] {
  return text === '' ? [] : text.slice(0, -1).split('\n');
}
