// The engine's side of endgame tables: reads for the worker from a source.
import type { TableSource } from './tables.js';
import type { FromWorker, TablePart, ToWorker, WantTablesMessage } from './tables-messages.js';

/** Answers the worker's requests from a source. */
export class TableClient {
  readonly #post: (message: ToWorker) => void;
  #source: TableSource | null = null;
  #detach = () => {};

  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  /** Uses a source from here on, or none. */
  use(source: TableSource | null): void {
    this.#detach();
    this.#source = source;
    const announce = () => this.#announce(source);
    this.#detach = source?.attach(announce) ?? (() => {});
    announce();
  }

  #announce(source: TableSource | null): void {
    this.#post({ setTables: source && { endings: source.endings, storeBytes: source.storeBytes } });
  }

  /** Takes a message of the worker. */
  receive(message: FromWorker): void {
    if ('tableFault' in message) {
      const { file, code, message: text } = message.tableFault;
      this.#source?.problem(file, code, text);
    } else {
      void this.#answer(message);
    }
  }

  async #answer({ wantTables, ranges }: WantTablesMessage): Promise<void> {
    const source = this.#source;
    const part = async (range: WantTablesMessage['ranges'][number]): Promise<TablePart> => {
      const answer = (await source?.read(range)) ?? null;
      return { range, bytes: answer?.bytes ?? null, fileBytes: answer?.fileBytes };
    };
    const parts = await Promise.all(ranges.map(part));
    this.#post({ tableParts: wantTables, parts });
  }
}
