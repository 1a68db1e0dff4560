// The database of the browser in which games and reports are kept.
import { type IDBPDatabase, openDB } from 'idb';
import { type KeptGame, type KeptReport, merged, parseKept, parseReport } from './kept';

const NAME = 'sakmak';
const VERSION = 1;

export class GameDatabase {
  private opened: Promise<IDBPDatabase> | null = null;

  /** Opens the database, again after a failure or after the browser has closed it. */
  private open(): Promise<IDBPDatabase> {
    this.opened ??= this.tryToOpen().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private async tryToOpen(): Promise<IDBPDatabase> {
    return new Promise((resolve, reject) => {
      const close = () => {
        void this.opened?.then((database) => database.close()).catch(() => {});
        this.opened = null;
      };
      openDB(NAME, VERSION, {
        upgrade: (database) => {
          database.createObjectStore('games', { keyPath: 'id' }).createIndex('moves', 'moves');
          database.createObjectStore('reports', { keyPath: 'id' });
        },
        blocked: () => reject(new DOMException('another tab holds an older database', 'InvalidStateError')),
        blocking: close,
        terminated: close,
      }).then(resolve, reject);
    });
  }

  private parsed(values: unknown[]): KeptGame[] {
    // What another version wrote stays there, but is not shown.
    return values.map(parseKept).filter((game) => game !== null);
  }

  async all(): Promise<KeptGame[]> {
    return this.parsed(await (await this.open()).getAll('games'));
  }

  async withMoves(moves: string): Promise<KeptGame[]> {
    return this.parsed(await (await this.open()).getAllFromIndex('games', 'moves', moves));
  }

  async get(id: string): Promise<KeptGame | null> {
    return parseKept(await (await this.open()).get('games', id));
  }

  /** Writes games, all or none. A newer entry of the same game stays. */
  async put(games: KeptGame[]): Promise<void> {
    const work = (await this.open()).transaction('games', 'readwrite');
    const writes = games.map(async (game) => {
      const next = merged(parseKept(await work.store.get(game.id)), game);
      if (next) {
        await work.store.put(next);
      }
    });
    await Promise.all([...writes, work.done]);
  }

  async setTags(id: string, tags: string[]): Promise<void> {
    const work = (await this.open()).transaction('games', 'readwrite');
    const game = parseKept(await work.store.get(id));
    if (game) {
      await work.store.put({ ...game, tags });
    }
    await work.done;
  }

  async report(id: string): Promise<KeptReport | null> {
    return parseReport(await (await this.open()).get('reports', id));
  }

  async putReport(report: KeptReport): Promise<void> {
    await (await this.open()).put('reports', report);
  }

  async delete(id: string): Promise<void> {
    const work = (await this.open()).transaction(['games', 'reports'], 'readwrite');
    await Promise.all([work.objectStore('games').delete(id), work.objectStore('reports').delete(id), work.done]);
  }
}
