// State that the page shows: a store tells its listeners that something has changed.
import { useLayoutEffect, useReducer } from 'preact/hooks';

export class Store {
  private readonly listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  protected changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}

/** Draws the component anew whenever one of the stores has changed. */
export function useStores(...stores: Store[]): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Before the next paint: a change until then would be missed.
  useLayoutEffect(() => {
    const ends = stores.map((store) => store.subscribe(() => redraw(0)));
    return () => {
      for (const end of ends) {
        end();
      }
    };
    // The stores of a component are always the same.
  }, []);
}

/** Reads what was saved in the browser; undefined if there is nothing or it cannot be read. */
export function load<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(`sakmak.${key}`);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Saves a value in the browser. Where that is not possible it lasts until the page is closed. */
export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`sakmak.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: nothing depends on it.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`sakmak.${key}`);
  } catch {
    // As above.
  }
}
