// The requests to the engine, by kind: it works on one of them, the others wait.
//
//   ask -> waiting -> running -> held -> ended      the answer is handed over
//             ^          |
//             +----------+                          something more urgent is asked for
//
//   waiting   until nothing more urgent waits or runs, the older one of a kind first
//   running   the engine works on it; stopped for something more urgent, it is begun again later
//   held      answered too soon to be followed; the engine is free for the next request
//   ended     from each state: given up by its asker, without a word; from running also: a fault
//
// What a stopped run still says is not heard. A worker that dies is the client's matter: it repeats the request once,
// then reports a fault. The solved endings are asked beside the queue, since a search answers such questions meanwhile.
import type { Facts, FaultData, Go, Notation } from '../rules/types';
import type { EngineClient, Job, JobHandlers, Question } from './client';

/** What the engine is asked for, the most urgent first: games wait for `move`, somebody looks at `lines`. */
const KINDS = ['move', 'offer', 'hint', 'report', 'lines'] as const;
export type Kind = (typeof KINDS)[number];
export type SearchKind = Exclude<Kind, 'report'>;

/** What the queue needs of the client. */
export type Runner = Pick<EngineClient, 'start' | 'cancel' | 'clear' | 'facts' | 'tableMove'>;

export interface Handlers extends JobHandlers {
  fault: (fault: FaultData) => void;
  /** Least time from the request to the answer, in milliseconds; called once the answer is there. */
  least?: () => number;
}

interface Request {
  kind: Kind;
  job: Job;
  handlers: Handlers;
  since: number;
  state: 'waiting' | 'running' | 'held' | 'ended';
  timer: number;
}

const rank = ({ kind }: Request) => KINDS.indexOf(kind);

export class EngineQueue {
  /** The oldest first. */
  private waiting: Request[] = [];
  private running: Request | null = null;
  /** Counts what was begun: a request may run more than once. */
  private runs = 0;

  constructor(readonly engine: Runner) {}

  /** For a part of the page that asks the engine. */
  asker(): Asker {
    return new Asker(this);
  }

  /** Forgets what was searched: another game begins. */
  clear(): void {
    this.engine.clear();
  }

  add(kind: Kind, job: Job, handlers: Handlers): Request {
    const request: Request = { kind, job, handlers, since: performance.now(), state: 'waiting', timer: 0 };
    this.waiting.push(request);
    this.next();
    return request;
  }

  /** Gives a request up: its asker hears nothing more of it. */
  giveUp(request: Request): void {
    const isRunning = request.state === 'running';
    request.state = 'ended';
    window.clearTimeout(request.timer);
    this.waiting = this.waiting.filter((one) => one !== request);
    if (isRunning) {
      this.running = null;
      this.engine.cancel();
      this.next();
    }
  }

  /** Runs the most urgent request. A less urgent one that runs goes back to those that wait. */
  private next(): void {
    const { running } = this;
    const [first] = [...this.waiting].sort((a, b) => rank(a) - rank(b));
    if (!first || (running && rank(running) <= rank(first))) {
      return;
    }
    this.waiting = this.waiting.filter((one) => one !== first);
    if (running) {
      running.state = 'waiting';
      this.waiting.unshift(running);
      this.engine.cancel();
    }
    this.run(first);
  }

  private run(request: Request): void {
    this.runs += 1;
    const { runs } = this;
    const { job, handlers } = request;
    const ifHeard =
      <A extends unknown[]>(hear: ((...args: A) => void) | undefined) =>
      (...args: A) => {
        if (this.running === request && this.runs === runs) {
          hear?.(...args);
        }
      };
    this.running = request;
    request.state = 'running';
    this.engine.start(job, {
      ...(handlers.lines && { lines: ifHeard(handlers.lines) }),
      progress: ifHeard(handlers.progress),
      done: ifHeard((done) => this.answered(request, () => handlers.done?.(done))),
      report: ifHeard((report) => this.answered(request, () => handlers.report?.(report))),
      fault: ifHeard((fault) => this.end(request, () => handlers.fault(fault))),
    });
  }

  /** Hands an answer over, or holds it until the time is up. */
  private answered(request: Request, handOver: () => void): void {
    const wait = (request.handlers.least?.() ?? 0) - (performance.now() - request.since);
    if (wait <= 0) {
      this.end(request, handOver);
      return;
    }
    request.state = 'held';
    request.timer = window.setTimeout(() => {
      request.state = 'ended';
      handOver();
    }, wait);
    this.running = null;
    this.next();
  }

  private end(request: Request, handOver: () => void): void {
    request.state = 'ended';
    this.running = null;
    handOver();
    // What was asked meanwhile may run already.
    this.next();
  }
}

/** Asks the engine for one part of the page. Once that gives up, it hears none of the answers. */
export class Asker {
  private requests: Request[] = [];
  private timers: number[] = [];
  /** Counts how often it gave up: the promises of before stay open for ever. */
  private times = 0;

  constructor(private readonly queue: EngineQueue) {}

  /** The kind of the request that is not answered yet; null if there is none. */
  get asked(): Kind | null {
    return this.requests.find(({ state }) => state !== 'ended')?.kind ?? null;
  }

  search(kind: SearchKind, { rules, line }: Question, go: Go, handlers: Handlers): void {
    this.add(this.queue.add(kind, { kind: 'search', rules, line, go }, handlers));
  }

  /** The best move by a search; null if the engine fails. */
  bestMove(kind: SearchKind, question: Question, go: Go): Promise<string | null> {
    return new Promise((answer) => {
      this.search(kind, question, go, { done: ({ best }) => answer(best), fault: () => answer(null) });
    });
  }

  /** Asks for the report of a whole game. */
  report({ rules, line }: Question, limits: { nodes: number; notation: Notation }, handlers: Handlers): void {
    this.add(this.queue.add('report', { kind: 'analyse', rules, line, ...limits }, handlers));
  }

  private add(request: Request): void {
    this.requests = [...this.requests.filter(({ state }) => state !== 'ended'), request];
  }

  /** What the solved endings know of a position; null if the engine cannot say. */
  facts(question: Question): Promise<Facts | null> {
    return this.ifHeard(this.queue.engine.facts(question));
  }

  /** The best move by the solved endings; null where they do not know all moves. */
  tableMove(question: Question, seed: number): Promise<string | null> {
    return this.ifHeard(this.queue.engine.tableMove(question, seed));
  }

  /** Acts after `milliseconds`, unless this part has given up by then. */
  after(milliseconds: number, act: () => void): void {
    this.timers.push(window.setTimeout(act, Math.max(0, milliseconds)));
  }

  /** The value of a promise; never if this part has given up by then. */
  ifHeard<T>(answer: Promise<T>): Promise<T> {
    const { times } = this;
    return new Promise((resolve) => {
      void answer.then((value) => times === this.times && resolve(value));
    });
  }

  /** Asks nothing any more. */
  giveUp(): void {
    this.times += 1;
    const { requests, timers } = this;
    this.requests = [];
    this.timers = [];
    for (const request of requests) {
      this.queue.giveUp(request);
    }
    for (const timer of timers) {
      window.clearTimeout(timer);
    }
  }
}
