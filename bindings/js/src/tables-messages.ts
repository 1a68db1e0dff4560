// What engine and worker say to each other about endgame tables.
import type { TableProblem, TableRange } from './tables.js';

/** From here on the worker asks for tables, or not any more. */
export interface SetTablesMessage {
  setTables: { endings: readonly string[] | undefined; storeBytes: number } | null;
  /** Number of the source: what the worker says of another one is out of date. */
  source: number;
}

/** The worker lacks bytes. */
export interface WantTablesMessage {
  wantTables: number;
  source: number;
  ranges: TableRange[];
}

/** A range that was asked for; without bytes the file counts as absent. */
export interface TablePart {
  range: TableRange;
  bytes: Uint8Array | null;
  fileBytes: number | undefined;
}

/** The answer to the worker, with all that it asked for. */
export interface TablePartsMessage {
  tableParts: number;
  parts: TablePart[];
}

/** The worker has found a fault in a file. */
export interface TableFaultMessage {
  tableFault: { file: string; code: TableProblem; message: string };
  source: number;
}

export type ToWorker = SetTablesMessage | TablePartsMessage;
export type FromWorker = WantTablesMessage | TableFaultMessage;

export function isToWorker(message: object): message is ToWorker {
  return 'setTables' in message || 'tableParts' in message;
}

export function isFromWorker(message: object): message is FromWorker {
  return 'wantTables' in message || 'tableFault' in message;
}
