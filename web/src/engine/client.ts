// The page's side of the worker: jobs, questions, and a new worker where one dies or hangs.
import type { Facts, FaultData, GameReport, SearchDone, SearchLine } from '../rules/types';
import type { FromWorker, Job, Question, ToWorker } from './protocol';

export interface JobHandlers {
  lines?: (lines: SearchLine[]) => void;
  done?: (done: SearchDone) => void;
  progress?: (finished: number, total: number) => void;
  report?: (report: GameReport) => void;
  fault?: (fault: FaultData) => void;
  /** Another job has taken its place, or it was given up. */
  replaced?: () => void;
}

/** Time between two questions whether the worker lives, and for its answer, in milliseconds. */
const PING_MS = 2_000;
const PONG_MS = 8_000;
/** A job is begun again so often by a new worker. */
const RETRIES = 1;
/** After so many workers that failed one after the other, none is started until the next request. */
const MOST_FAILURES = 3;

export class EngineClient {
  private worker: Worker | null = null;
  private nextId = 1;
  private job: { id: number; job: Job; handlers: JobHandlers; retries: number } | null = null;
  private readonly questions = new Map<number, { message: ToWorker; answer: (message: FromWorker | null) => void }>();
  private pinged = 0;
  private timer = 0;
  /** Whether the worker has loaded. On a slow connection that takes its time. */
  private isReady = false;
  /** Workers that failed one after the other. */
  private failures = 0;

  /** A worker died or hung, and its successor has not loaded yet. */
  private isReplacing = false;

  /**
   * `restarted` is called when a worker that died or hung has been replaced, `lost` when none can be started: its
   * script may be gone from the host since another version was published.
   */
  constructor(private readonly events: { restarted: () => void; lost: () => void }) {}

  /** Starts the worker, so that it has loaded when it is needed; resolves when it has. */
  warmUp(): Promise<void> {
    return this.ask((id) => ({ type: 'ping', id })).then(() => undefined);
  }

  /** Begins a job in place of the one that runs. */
  start(job: Job, handlers: JobHandlers): void {
    this.drop();
    this.job = { id: this.nextId++, job, handlers, retries: 0 };
    this.send({ type: 'start', id: this.job.id, job });
    this.watch();
  }

  /** Ends the running search soon; its handlers get what it has found. */
  stop(): void {
    if (this.job) {
      this.send({ type: 'stop', id: this.job.id });
    }
  }

  /** Gives the running job up. */
  cancel(): void {
    this.stop();
    this.drop();
  }

  private drop(): void {
    const { job } = this;
    this.job = null;
    job?.handlers.replaced?.();
  }

  get isBusy(): boolean {
    return this.job !== null;
  }

  /** Forgets what was searched: another game begins. */
  clear(): void {
    if (this.worker) {
      this.send({ type: 'clear' });
    }
  }

  /** What the solved endings know of a position; null if the worker cannot say. */
  async facts(question: Question): Promise<Facts | null> {
    const answer = await this.ask((id) => ({ type: 'facts', id, question }));
    return answer?.type === 'facts' ? answer.facts : null;
  }

  /** The best move by the solved endings; null where they do not know all moves. */
  async tableMove(question: Question, seed: number): Promise<string | null> {
    const answer = await this.ask((id) => ({ type: 'table-move', id, question, seed }));
    return answer?.type === 'table-move' ? answer.move : null;
  }

  private ask(make: (id: number) => ToWorker): Promise<FromWorker | null> {
    const id = this.nextId++;
    const message = make(id);
    return new Promise((answer) => {
      this.questions.set(id, { message, answer });
      this.send(message);
      this.watch();
    });
  }

  private ensure(): Worker {
    if (!this.worker) {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.restart();
      };
      this.worker = worker;
    }
    return this.worker;
  }

  private send(message: ToWorker): void {
    this.ensure().postMessage(message);
  }

  private receive(message: FromWorker): void {
    this.pinged = 0;
    if (message.type === 'ready') {
      this.isReady = true;
      if (this.isReplacing) {
        this.isReplacing = false;
        this.events.restarted();
      }
    }
    if ('id' in message && this.questions.has(message.id)) {
      const question = this.questions.get(message.id);
      this.questions.delete(message.id);
      question?.answer(message.type === 'fault' ? null : message);
      return;
    }
    if (!('id' in message) || message.type === 'pong' || message.id !== this.job?.id) {
      if (message.type === 'fault' && message.fault.code === 'crash') {
        this.restart();
      }
      return;
    }
    const { handlers } = this.job;
    switch (message.type) {
      case 'lines':
        handlers.lines?.(message.lines);
        break;
      case 'progress':
        handlers.progress?.(message.finished, message.total);
        break;
      case 'done':
        this.job = null;
        handlers.done?.(message.done);
        break;
      case 'report':
        this.job = null;
        handlers.report?.(message.report);
        break;
      case 'fault':
        if (message.fault.code === 'crash') {
          this.restart();
        } else {
          this.job = null;
          handlers.fault?.(message.fault);
        }
        break;
      default:
        break;
    }
  }

  /** Looks from time to time whether the worker still answers. */
  private watch(): void {
    if (this.timer) {
      return;
    }
    this.timer = window.setInterval(() => {
      if (!this.job && this.questions.size === 0) {
        window.clearInterval(this.timer);
        this.timer = 0;
        this.pinged = 0;
      } else if (!this.isReady) {
        // It loads.
      } else if (!this.pinged) {
        this.pinged = performance.now();
        this.send({ type: 'ping', id: 0 });
      } else if (performance.now() - this.pinged > PONG_MS) {
        this.restart();
      }
    }, PING_MS);
  }

  /** Replaces the worker, and begins its job and questions again. */
  private restart(): void {
    const wasReady = this.isReady;
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.pinged = 0;
    this.failures = wasReady ? 1 : this.failures + 1;
    this.isReplacing ||= wasReady;
    const { job } = this;
    if (this.failures > MOST_FAILURES || (wasReady && job && job.retries >= RETRIES)) {
      this.giveUp();
      return;
    }
    // Also for nobody: so it is known now whether the engine is still there.
    this.ensure();
    for (const { message } of this.questions.values()) {
      this.send(message);
    }
    if (job) {
      // A worker that did not load has not begun it.
      job.retries += wasReady ? 1 : 0;
      this.send({ type: 'start', id: job.id, job: job.job });
    }
  }

  /** Lets those who wait know that nothing comes; the next request tries again. */
  private giveUp(): void {
    const { job } = this;
    const questions = [...this.questions.values()];
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
