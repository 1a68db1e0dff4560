// The worker's side of endgame tables: asks for the bytes that the session lacks, until it lacks none.

import type { TableProblem, TableRange } from './tables.js';
import type { FromWorker, TablePart, ToWorker } from './tables-messages.js';

/** What this needs of the WebAssembly's session. */
export interface TableSession {
  setTables(endings: string[] | undefined, storeBytes: number): void;
  leaveTables(): void;
  /** Triples: the file, the first byte, and that after the last one. */
  missingTables(question?: string): string[];
  /** A code and a message if the bytes are wrong. */
  supplyTable(file: string, start: number, end: number, bytes: Uint8Array, fileBytes?: number): string[];
  setTableAbsent(file: string): void;
}

/** A probe needs the start of its ending's file, then blocks and the starts of others, then their blocks. */
const MOST_ROUNDS = 8;

/** Fetches tables for a session. */
export class TableDesk {
  readonly #post: (message: FromWorker) => void;
  #isUsed = false;
  /** The number of the source. */
  #source = 0;
  #asked = 0;
  /** The last request to the source before the present one. */
  #before = 0;
  /** What goes on once a request is answered. */
  readonly #answered = new Map<number, () => void>();

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
      this.#source = message.source;
      this.#before = this.#asked;
      if (use === null) {
        session.leaveTables();
      } else {
        session.setTables(use.endings && [...use.endings], use.storeBytes);
      }
      // The old source answers no more; the new one is asked instead.
      for (const goOn of this.#answered.values()) {
        goOn();
      }
      this.#answered.clear();
    } else if (message.tableParts > this.#before) {
      this.#supply(session, message.parts);
      this.#answered.get(message.tableParts)?.();
      this.#answered.delete(message.tableParts);
    }
  }

  /** Fetches until `missing` names nothing more: triples of words. Ends early once `enough` is resolved. */
  async fetch(missing: () => string[], enough?: Promise<void>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const ranges = triples(missing());
      if (ranges.length === 0) {
        return;
      }
      this.#asked += 1;
      const id = this.#asked;
      const answered = new Promise<boolean>((resolve) => {
        this.#answered.set(id, () => resolve(true));
      });
      this.#post({ wantTables: id, ranges, source: this.#source });
      if (!(await (enough ? Promise.race([answered, enough.then(() => false)]) : answered))) {
        return;
      }
    }
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
        this.#post({ tableFault: { file, code: code as TableProblem, message }, source: this.#source });
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
