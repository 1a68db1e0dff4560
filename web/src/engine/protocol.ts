// Messages between the page and its worker.
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

export type Job =
  | { kind: 'search'; rules: RulesChoice; line: EngineLine; go: Go }
  | { kind: 'analyse'; rules: RulesChoice; line: EngineLine; nodes: number; notation: Notation };

export type Question = { rules: RulesChoice; line: EngineLine };

export type ToWorker =
  | { type: 'start'; id: number; job: Job }
  | { type: 'stop'; id: number }
  /** Asks the solved endings: what they know, or the best move by them. */
  | { type: 'facts'; id: number; question: Question }
  | { type: 'table-move'; id: number; question: Question; seed: number }
  | { type: 'clear' }
  /** Measures the speed, as `sakmak bench` does. */
  | { type: 'bench'; depth: number }
  | { type: 'ping'; id: number };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'lines'; id: number; lines: SearchLine[] }
  | { type: 'done'; id: number; done: SearchDone }
  | { type: 'progress'; id: number; finished: number; total: number }
  | { type: 'report'; id: number; report: GameReport }
  | { type: 'facts'; id: number; facts: Facts }
  | { type: 'table-move'; id: number; move: string | null }
  | { type: 'fault'; id: number; fault: FaultData }
  | { type: 'bench'; result: { nodes: number; time: number; solving: number } }
  | { type: 'pong'; id: number };
