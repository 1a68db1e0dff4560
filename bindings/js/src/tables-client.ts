// The engine's side of endgame tables: reads for the worker from a source.
import type { TableSource } from './tables.js';
import type { FromWorker, TablePart, ToWorker, WantTablesMessage } from './tables-messages.js';

/** Answers the worker's requests from a source. */
export class TableClient {
  readonly #post: (message: ToWorker) => void;
  #source: TableSource | null = null;
  #number = 0;
  #detach = () => {};
  /** Ends the requests to the source. */
  #requests = new AbortController();

  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  /** Uses a source from here on, or none. */
  use(source: TableSource | null): void {
    this.#detach();
    this.#requests.abort();
    this.#requests = new AbortController();
    this.#source = source;
    this.#number += 1;
    const announce = () => this.#announce(source);
    this.#detach = source?.attach(announce) ?? (() => {});
    announce();
  }

  #announce(source: TableSource | null): void {
    this.#post({
      setTables: source && { endings: source.endings, storeBytes: source.storeBytes },
      source: this.#number,
    });
  }

  /** Takes a message of the worker. */
  receive(message: FromWorker): void {
    if ('tableFault' in message) {
      const { file, code, message: text } = message.tableFault;
      if (message.source === this.#number) {
        this.#source?.problem(file, code, text);
      }
    } else {
      void this.#answer(message);
    }
  }

  async #answer({ wantTables, ranges, source: number }: WantTablesMessage): Promise<void> {
    // What the worker wants of an earlier source is absent.
    const source = number === this.#number ? this.#source : null;
    const { signal } = this.#requests;
    const part = async (range: WantTablesMessage['ranges'][number]): Promise<TablePart> => {
      const answer = (await source?.read(range, signal)) ?? null;
      return { range, bytes: answer && ownBytes(answer.bytes), fileBytes: answer?.fileBytes };
    };
    const parts = await Promise.all(ranges.map(part));
    this.#post({ tableParts: wantTables, parts });
  }
}

/** Bytes with a buffer of their own: a message takes the whole buffer along, which may be that of a large file. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}
