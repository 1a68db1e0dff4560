// The page's engine: jobs and questions for `sakmak/engine`, and a new worker where one dies or hangs.
import type { Engine, EngineError, EngineOptions, TableProblem, TableSource } from 'sakmak/engine';
import type {
  EngineLine,
  Facts,
  FaultData,
  GameReport,
  Go,
  Notation,
  RulesChoice,
  SearchDone,
  SearchLine,
} from '../rules/types';
import { factsOf, positionOf, reportOf } from './forms';
import { search } from './search';

export type Job =
  | { kind: 'search'; rules: RulesChoice; line: EngineLine; go: Go }
  | { kind: 'analyse'; rules: RulesChoice; line: EngineLine; nodes: number; notation: Notation };

export type Question = { rules: RulesChoice; line: EngineLine };

export interface JobHandlers {
  lines?: (lines: SearchLine[]) => void;
  done?: (done: SearchDone) => void;
  progress?: (finished: number, total: number) => void;
  report?: (report: GameReport) => void;
  fault?: (fault: FaultData) => void;
}

interface RunningJob {
  job: Job;
  handlers: JobHandlers;
  retries: number;
  stop: AbortController;
}

interface PendingQuestion {
  retries: number;
  ask: (engine: Engine) => Promise<unknown>;
  /** Gets the answer, or null if there is none. */
  answer: (answer: unknown) => void;
}

/** Time between two looks at the worker, in milliseconds. It hangs if it is silent at so many of them. */
const PING_MS = 2_000;
const MOST_SILENT = 4;
/** A job or question is begun again so often by a new worker. */
const RETRIES = 1;
/** After so many workers that failed one after the other, none is started until the next request. */
const MOST_FAILURES = 3;
/** The codes of an engine that has ended. */
const ENDS = ['engine.failed', 'engine.terminated', 'engine.quit'];

type Package = typeof import('sakmak/engine');

/** Loaded once the page is usable. */
let loaded: Package | null = null;
const enginePackage = async (): Promise<Package> => {
  loaded ??= await import('sakmak/engine');
  return loaded;
};

async function startPackage(options: EngineOptions): Promise<Engine> {
  const { Sakmak } = await enginePackage();
  return Sakmak(options);
}

export class EngineClient {
  /** The present engine, which may still load. */
  private loading: Promise<Engine> | null = null;
  /** The same once it has loaded. On a slow connection that takes its time. */
  private engine: Engine | null = null;
  private job: RunningJob | null = null;
  /** Size of the transposition table in MiB; 0 for the engine's own. */
  private memory = 0;
  /** Where endgame files come from. */
  private tables: TableSource | Promise<TableSource> | null = null;
  private readonly questions = new Set<PendingQuestion>();
  private isPinged = false;
  /** Looks since the ping that is not answered. They are counted, not timed: a computer may have slept. */
  private silent = 0;
  private timer = 0;
  /** Workers that failed one after the other, without an answer between them. */
  private failures = 0;
  /** A worker died or hung, and its successor has not loaded yet. */
  private isReplacing = false;

  /**
   * `restarted` is called when a worker that died or hung has been replaced, `lost` when none can be started: its
   * script may be gone from the host since another version was published. `loads` is called with the bytes that have
   * come while a worker loads, and with null when that has ended. `startEngine` starts a worker, `loadPackage` loads
   * the package of the engine.
   */
  constructor(
    private readonly events: { restarted: () => void; lost: () => void; loads?: (bytes: number | null) => void },
    private readonly startEngine: (options: EngineOptions) => Promise<Engine> = startPackage,
    private readonly loadPackage = enginePackage,
  ) {}

  /** Sets the transposition table's size in MiB from the next search on. */
  useMemory(megabytes: number): void {
    this.memory = megabytes;
    if (this.engine) {
      this.passMemory(this.engine);
    }
  }

  private passMemory(engine: Engine): void {
    if (this.memory > 0) {
      engine.postMessage(`setoption name Hash value ${this.memory}`);
    }
  }

  /**
   * Uses the endgame files below an address from here on, or none if it is empty. `problem` is called once for each
   * file and kind of problem.
   */
  useTables(address: string, problem: (code: TableProblem, message: string) => void): void {
    const open = ({ TableSource }: Package) => new TableSource(address, { onProblem: problem });
    this.tables = !address ? null : loaded ? open(loaded) : this.openLater(open);
    if (this.engine) {
      void this.passTables(this.engine);
    }
  }

  private openLater(open: (loaded: Package) => TableSource): Promise<TableSource> {
    const later = this.loadPackage().then((loaded) => {
      const source = open(loaded);
      if (this.tables === later) {
        this.tables = source;
      }
      return source;
    });
    return later;
  }

  /** Before any question that is asked from here on, where the package is loaded. */
  private async passTables(engine: Engine): Promise<void> {
    const { tables } = this;
    try {
      const source = tables instanceof Promise ? await tables : tables;
      if (tables === this.tables || source === this.tables) {
        await engine.setTables(source);
      }
    } catch {
      // The engine has ended; its successor gets them.
    }
  }

  /** Starts the worker, so that it has loaded when it is needed; resolves when it has. */
  warmUp(): Promise<void> {
    return this.ask((engine) => engine.ready()).then(() => undefined);
  }

  /** Begins a job in place of the one that runs. `EngineQueue` says which one that is. */
  start(job: Job, handlers: JobHandlers): void {
    this.cancel();
    this.job = { job, handlers, retries: 0, stop: new AbortController() };
    void this.run(this.job);
    this.watch();
  }

  /** Gives the running job up, without a word to it. */
  cancel(): void {
    const { job } = this;
    this.job = null;
    job?.stop.abort();
  }

  get isBusy(): boolean {
    return this.job !== null;
  }

  /** Forgets what was searched: another game begins. */
  clear(): void {
    this.loading
      ?.then((engine) => engine.newGame())
      .catch(() => {
        // A new engine knows nothing.
      });
  }

  /** What the solved endings know of a position; null if the engine cannot say. */
  async facts(question: Question): Promise<Facts | null> {
    const endings = await this.ask((engine) => engine.endings(positionOf(question)));
    return endings && factsOf(endings);
  }

  /** The best move by the solved endings; null where they do not know all moves. */
  tableMove(question: Question, seed: number): Promise<string | null> {
    return this.ask((engine) => engine.endingMove(positionOf(question), { seed }));
  }

  /** Asks the engine, and its successor if it ends meanwhile; null if there is no answer. */
  private ask<T>(ask: (engine: Engine) => Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const question = { retries: 0, ask, answer: (answer: unknown) => resolve(answer as T | null) };
      this.questions.add(question);
      void this.put(question);
      this.watch();
    });
  }

  private async put(question: PendingQuestion): Promise<void> {
    const engine = await this.loaded();
    if (!engine || !this.questions.has(question)) {
      return;
    }
    try {
      this.answer(question, await question.ask(engine));
    } catch (error) {
      // The successor of an engine that has ended is asked again.
      if (!hasEnded(error)) {
        this.answer(question, null);
      }
    }
  }

  private answer(question: PendingQuestion, answer: unknown): void {
    if (this.questions.delete(question)) {
      this.failures = answer === null ? this.failures : 0;
      question.answer(answer);
    }
  }

  private async run(running: RunningJob): Promise<void> {
    const { job, handlers, stop } = running;
    const isCurrent = () => this.job === running;
    const engine = await this.loaded();
    if (!engine || !isCurrent()) {
      return;
    }
    try {
      if (job.kind === 'search') {
        const lines = handlers.lines && ((found: SearchLine[]) => isCurrent() && handlers.lines?.(found));
        const done = await search(engine, job, stop.signal, lines);
        this.finish(running, () => handlers.done?.(done));
      } else {
        const { nodes, notation } = job;
        const onProgress = ({ finished, total }: { finished: number; total: number }) => {
          if (isCurrent()) {
            handlers.progress?.(finished, total);
          }
        };
        const review = await engine.review(positionOf(job), { nodes, notation, signal: stop.signal, onProgress });
        this.finish(running, () => handlers.report?.(reportOf(review)));
      }
    } catch (error) {
      // If the engine has ended, its successor begins again.
      if (!hasEnded(error)) {
        this.finish(running, () => handlers.fault?.({ code: 'other', args: {}, text: String(error) }));
      }
    }
  }

  /** Ends a job, unless another has taken its place. */
  private finish(running: RunningJob, report: () => void): void {
    if (this.job === running) {
      this.job = null;
      this.failures = 0;
      report();
    }
  }

  private ensure(): Promise<Engine> {
    this.loading ??= this.load();
    return this.loading;
  }

  /** The engine once it has loaded; null if it does not load, whatever the reason: then `restart` asks the next one. */
  private async loaded(): Promise<Engine | null> {
    try {
      return await this.ensure();
    } catch {
      return null;
    }
  }

  private load(): Promise<Engine> {
    const { loads } = this.events;
    const loading = this.startEngine(loads ? { onProgress: loads } : {});
    const end = () => loads?.(null);
    loading.then(end, end);
    loading.then(
      (engine) => {
        this.passMemory(engine);
        this.engine = engine;
        if (this.tables) {
          void this.passTables(engine);
        }
        if (this.isReplacing) {
          this.isReplacing = false;
          this.events.restarted();
        }
        void engine.ended.then(() => {
          if (this.engine === engine) {
            this.restart();
          }
        });
      },
      () => this.restart(),
    );
    return loading;
  }

  /** Looks from time to time whether the worker still answers. */
  private watch(): void {
    if (this.timer) {
      return;
    }
    this.timer = window.setInterval(() => {
      const { engine } = this;
      if (!this.job && this.questions.size === 0) {
        window.clearInterval(this.timer);
        this.timer = 0;
        this.isPinged = false;
      } else if (!engine) {
        // It loads.
      } else if (!this.isPinged) {
        this.isPinged = true;
        this.silent = 0;
        const heard = () => {
          if (this.engine === engine) {
            this.isPinged = false;
            this.failures = 0;
          }
        };
        engine.ready().then(heard, () => {
          // The engine has ended.
        });
      } else {
        this.silent += 1;
        if (this.silent >= MOST_SILENT) {
          this.restart();
        }
      }
    }, PING_MS);
  }

  /** Replaces the worker, and begins its job and questions again. */
  private restart(): void {
    const { engine, job } = this;
    const wasReady = engine !== null;
    this.engine = null;
    this.loading = null;
    this.isPinged = false;
    engine?.terminate();
    this.failures += 1;
    this.isReplacing ||= wasReady;
    if (this.failures > MOST_FAILURES || (wasReady && job && job.retries >= RETRIES)) {
      this.giveUp();
      return;
    }
    // Also for nobody: so it is known now whether the engine is still there.
    void this.ensure().catch(() => {
      // `load` sees to it.
    });
    for (const question of [...this.questions]) {
      if (wasReady && question.retries >= RETRIES) {
        // Two workers have ended with it.
        this.answer(question, null);
      } else {
        question.retries += wasReady ? 1 : 0;
        void this.put(question);
      }
    }
    if (job) {
      // A worker that did not load has not begun it.
      job.retries += wasReady ? 1 : 0;
      void this.run(job);
    }
  }

  /** Lets those who wait know that nothing comes; the next request tries again. */
  private giveUp(): void {
    const { job } = this;
    const questions = [...this.questions];
    const isLost = this.failures > MOST_FAILURES;
    this.job = null;
    this.failures = 0;
    this.isReplacing = false;
    this.questions.clear();
    for (const { answer } of questions) {
      answer(null);
    }
    if (isLost) {
      this.events.lost();
    }
    job?.handlers.fault?.({ code: 'crash', args: {}, text: 'the engine failed again' });
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof Error && ENDS.includes((error as Partial<EngineError>).code ?? '');
}
