/// <reference lib="webworker" />
// The worker: searches in parts and reads its messages in between.
import init, { Engine, runBench } from '../../pkg/search/sakmak.js';
import wasmUrl from '../../pkg/search/sakmak_bg.wasm?url';
import type { Facts, FaultData } from '../rules/types';
import type { FromWorker, Question, ToWorker } from './protocol';

declare const self: DedicatedWorkerGlobalScope;

/** Size of the transposition table in MiB. */
const HASH_MB = 48;
/** A part of a search shall take so many milliseconds: a stop takes effect within it. */
const PART_MS = 25;
/** Lines are reported at most every so many milliseconds. */
const REPORT_MS = 80;
/** With so few pieces on the board the endings against a bare khun are solved beside the search. */
const FEW_PIECES = 9;

const engine = load();
/** Nodes of a part, adapted to the speed. */
let partNodes = 20_000;
let running: { id: number; kind: 'search' | 'analyse'; last: number; lines: Map<number, object>; few: boolean } | null =
  null;
const wake = new MessageChannel();

async function load(): Promise<Engine> {
  await init({ module_or_path: wasmUrl });
  return new Engine(HASH_MB);
}

function post(message: FromWorker): void {
  self.postMessage(message);
}

function faultOf(error: unknown): FaultData {
  if (typeof error === 'string') {
    return JSON.parse(error) as FaultData;
  }
  return { code: 'crash', args: {}, text: String(error) };
}

function pieces(fen: string): number {
  return fen.split(' ')[0]?.replace(/[^a-z]/gi, '').length ?? 0;
}

function setGame(engine: Engine, { rules, line }: Question): void {
  engine.setGame(JSON.stringify(rules), line.fen, JSON.stringify(line.words));
}

/** Does one part of the running job, and asks to be woken for the next. */
function step(engine: Engine): void {
  if (!running) {
    return;
  }
  const { id } = running;
  const started = performance.now();
  try {
    if (running.kind === 'analyse') {
      const text = engine.advanceAnalysis(partNodes);
      const progress = text ? JSON.parse(text) : null;
      if (!progress || progress.report) {
        running = null;
      }
      if (progress?.report) {
        post({ type: 'report', id, report: progress.report });
      } else if (progress) {
        post({ type: 'progress', id, finished: progress.finished, total: progress.total });
      }
    } else {
      const { lines, done } = JSON.parse(engine.advance(partNodes));
      for (const line of lines) {
        running.lines.set(line.rank, line);
      }
      if (running.lines.size > 0 && (done || started - running.last >= REPORT_MS)) {
        post({ type: 'lines', id, lines: [...running.lines.values()] as never });
        running.lines.clear();
        running.last = started;
      }
      if (done) {
        running = null;
        post({ type: 'done', id, done });
      } else if (running.few) {
        running.few = engine.solveNext();
      }
    }
  } catch (error) {
    running = null;
    post({ type: 'fault', id, fault: faultOf(error) });
  }
  const took = performance.now() - started;
  // A part that solved an ending says nothing of the speed of the search.
  if (took > 2 && !engine.isSolving()) {
    const scale = Math.min(2, Math.max(0.5, PART_MS / took));
    partNodes = Math.round(Math.min(500_000, Math.max(2_000, partNodes * scale)));
  }
  if (running) {
    wake.port2.postMessage(null);
  }
}

wake.port1.onmessage = async () => step(await engine);

async function handle(message: ToWorker): Promise<void> {
  const loaded = await engine;
  switch (message.type) {
    case 'start': {
      const { id, job } = message;
      const idle = !running;
      try {
        if (job.kind === 'search') {
          setGame(loaded, job);
          loaded.go(JSON.stringify(job.go));
        } else {
          const { rules, line, nodes, notation } = job;
          loaded.analyseGame(JSON.stringify(rules), line.fen, JSON.stringify(line.words), nodes, notation);
        }
      } catch (error) {
        running = null;
        post({ type: 'fault', id, fault: faultOf(error) });
        return;
      }
      const few = job.kind === 'search' && pieces(job.line.fen) <= FEW_PIECES;
      running = { id, kind: job.kind, last: 0, lines: new Map(), few };
      if (idle) {
        wake.port2.postMessage(null);
      }
      break;
    }
    case 'stop':
      if (running?.id === message.id) {
        if (running.kind === 'analyse') {
          running = null;
        } else {
          loaded.stop();
        }
      }
      break;
    case 'facts':
    case 'table-move':
      answer(loaded, message);
      break;
    case 'clear':
      loaded.clear();
      break;
    case 'bench':
      post({ type: 'bench', result: JSON.parse(runBench(message.depth)) });
      break;
    case 'ping':
      post({ type: 'pong', id: message.id });
      break;
  }
}

/** Questions have a game of their own, so that a running search keeps its. */
function answer(engine: Engine, message: Extract<ToWorker, { question: Question }>): void {
  const { id, question } = message;
  try {
    const { rules, line } = question;
    const args = [JSON.stringify(rules), line.fen, JSON.stringify(line.words)] as const;
    if (message.type === 'facts') {
      post({ type: 'facts', id, facts: JSON.parse(engine.factsOf(...args)) as Facts });
    } else {
      post({ type: 'table-move', id, move: engine.tableMove(...args, message.seed) ?? null });
    }
  } catch (error) {
    post({ type: 'fault', id, fault: faultOf(error) });
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  void handle(event.data);
};
engine.then(
  () => post({ type: 'ready' }),
  (error) => post({ type: 'fault', id: 0, fault: faultOf(error) }),
);
