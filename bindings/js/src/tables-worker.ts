// The worker's side of endgame tables: asks for the bytes that the session lacks, until it lacks none.

import type { TableProblem, TableRange } from './tables.js';
import type { FromWorker, TablePart, ToWorker } from './tables-messages.js';

/** What this needs of the WebAssembly's session. */
export interface TableSession {
  setTables(endings: string[] | undefined, storeBytes: number): void;
  leaveTables(): void;
  /** Triples: the file, the first byte, and that after the last one. */
  missingTables(): string[];
  /** A code and a message if the bytes are wrong. */
  supplyTable(file: string, start: number, end: number, bytes: Uint8Array, fileBytes?: number): string[];
  setTableAbsent(file: string): void;
}

/** A probe needs the start of its ending's file, then blocks and the starts of others, then their blocks. */
const MOST_ROUNDS = 8;

/** Fetches tables for a session, one position at a time. */
export class TableDesk {
  readonly #post: (message: FromWorker) => void;
  #isUsed = false;
  #asked = 0;
  /** The last request to the source before the present one. */
  #before = 0;
  #answered: ((parts: TablePart[]) => void) | undefined;
  #abandon: (() => void) | undefined;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** Whether there are tables to ask. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Takes a message of the engine. Answers may come late: they serve the next search. */
  receive(session: TableSession, message: ToWorker): void {
    if ('setTables' in message) {
      const { setTables: use } = message;
      this.#isUsed = use !== null;
      this.#before = this.#asked;
      if (use === null) {
        session.leaveTables();
      } else {
        session.setTables(use.endings && [...use.endings], use.storeBytes);
      }
    } else if (this.#isUsed && message.tableParts > this.#before) {
      this.#supply(session, message.parts);
      if (message.tableParts === this.#asked) {
        this.#answered?.(message.parts);
      }
    }
  }

  /**
   * Fetches what the position of the session lacks. Ends early after `abandon()`, or after `patience` milliseconds.
   */
  async fetch(session: TableSession, patience?: number): Promise<void> {
    const abandoned = new Promise<null>((resolve) => {
      this.#abandon = () => resolve(null);
    });
    const timer = patience === undefined ? undefined : setTimeout(() => this.abandon(), patience);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const ranges = triples(session.missingTables());
      if (ranges.length === 0) {
        break;
      }
      this.#asked += 1;
      const answered = new Promise<TablePart[]>((resolve) => {
        this.#answered = resolve;
      });
      this.#post({ wantTables: this.#asked, ranges });
      if ((await Promise.race([answered, abandoned])) === null) {
        break;
      }
    }
    clearTimeout(timer);
    this.#answered = undefined;
    this.#abandon = undefined;
  }

  /** Ends a fetch that goes on. */
  abandon(): void {
    this.#abandon?.();
  }

  #supply(session: TableSession, parts: TablePart[]): void {
    for (const { range, bytes, fileBytes } of parts) {
      const [file, start, end] = range;
      if (bytes === null) {
        session.setTableAbsent(file);
        continue;
      }
      const [code, message] = session.supplyTable(file, start, end, bytes, fileBytes);
      if (code !== undefined && message !== undefined) {
        this.#post({ tableFault: { file, code: code as TableProblem, message } });
      }
    }
  }
}

function triples(words: string[]): TableRange[] {
  const all: TableRange[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    all.push([words[at] as string, Number(words[at + 1]), Number(words[at + 2])]);
  }
  return all;
}
