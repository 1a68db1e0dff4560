// What the stores need of a browser, in Node: must be imported before they are loaded.
const stored = new Map();

globalThis.window = globalThis;
globalThis.localStorage ??= {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, String(value)),
  removeItem: (key) => stored.delete(key),
  key: (at) => [...stored.keys()][at] ?? null,
  get length() {
    return stored.size;
  },
};
globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
const body = { dataset: {}, classList: { add() {} } };
globalThis.document ??= { documentElement: { dataset: {} }, body };
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });

/** What the queue runs its requests on: jobs are kept until the test ends them, and none is dropped unasked. */
export class FakeEngine {
  jobs = [];

  /** The job that runs, if any. */
  get running() {
    return this.jobs.at(-1)?.ended ? undefined : this.jobs.at(-1);
  }

  start(job, handlers) {
    if (this.isBusy) {
      throw new Error('one job at a time');
    }
    this.jobs.push({ job, handlers, ended: false });
  }

  cancel() {
    const { running } = this;
    if (running) {
      running.ended = true;
    }
  }

  /** Ends the running job by a handler: `end('done', {...})`. */
  end(handler, value) {
    const { running } = this;
    running.ended = true;
    running.handlers[handler]?.(value);
  }

  get isBusy() {
    return this.running !== undefined;
  }

  clear() {}

  async facts() {
    return null;
  }

  async tableMove() {
    return null;
  }
}
