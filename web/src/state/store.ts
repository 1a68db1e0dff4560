// State that the page shows: a store notifies its listeners of every change.
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
