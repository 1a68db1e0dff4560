// How much of the engine has come, while somebody waits for it.
import { Store } from './store';

export class Loading extends Store {
  /** Hundredths of the engine that have come; null if it does not load, or nobody knows. */
  percent: number | null = null;

  /** `bytes` have come of `all`; null once it has loaded or failed. */
  report(bytes: number | null, all: number): void {
    const percent = bytes === null || all <= 0 ? null : Math.min(100, Math.floor((100 * bytes) / all));
    if (percent !== this.percent) {
      this.percent = percent;
      this.changed();
    }
  }
}

export const loading = new Loading();
