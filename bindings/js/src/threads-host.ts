// What the engine with threads asks of its surroundings: the part of WASI preview 1 that it uses, and starting threads.
// Every thread has an instance of its own of the same module with the same memory.

/** Where a thread runs. */
export interface ThreadPlatform {
  /** Nanoseconds of a clock that never goes back and is the same in all threads. */
  now(): bigint;
  /** Gets what the engine writes to standard error: the messages of panics. */
  log(text: string): void;
}

/** What a thread needs to begin. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Cells that all threads share, see below. */
  control: Int32Array;
  /** Where in `control` the cells of the thread begin. */
  slot: number;
}

/** The last thread id that was given. */
const LAST_ID = 0;
/** Counts the threads that have ended. */
const ENDED = 1;
/** Not 0 once a thread has failed: its locks stay locked, so the session is lost. */
const FAILED = 2;
const SLOTS = 4;
/** Cells of a slot: its state, the id of the thread, and what the thread gets. */
const STATE = 0;
const ID = 1;
const ARGUMENT = 2;
const SLOT = 4;
/** States besides 0, no worker: a worker that waits, one that is being given a thread, one that runs it. */
const FREE = 1;
const TAKEN = 2;
const RUNNING = 3;

/** The largest value of the option Threads. */
export const MAX_THREADS = 512;
/** Workers for search threads, for as many that count a perft, and a few others. */
const MAX_WORKERS = 2 * MAX_THREADS + 16;

/** A thread that has ended frees its worker some microseconds later: who starts a thread waits up to 10 times so long. */
const WAIT_MS = 20;
const WAITS = 10;

/** Error numbers of WASI. */
const SUCCESS = 0;
const AGAIN = 6;
const BAD_FILE = 8;

/** Thrown by `proc_exit`. */
export class ThreadExit extends Error {}

/** Cells for `MAX_WORKERS` slots. */
export function makeControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (SLOTS + MAX_WORKERS * SLOT)));
}

/** Where the cells of a worker begin. */
export function slotOf(index: number): number {
  return SLOTS + index * SLOT;
}

export function hasFailed(control: Int32Array): boolean {
  return Atomics.load(control, FAILED) !== 0;
}

/** Gives a thread to a worker that waits. Returns its id, or a negative error number without one. */
function startThread(control: Int32Array, argument: number): number {
  for (let waits = 0; ; waits += 1) {
    const ended = Atomics.load(control, ENDED);
    for (let slot = SLOTS; slot < control.length; slot += SLOT) {
      if (Atomics.compareExchange(control, slot + STATE, FREE, TAKEN) === FREE) {
        const id = Atomics.add(control, LAST_ID, 1) + 1;
        control[slot + ID] = id;
        control[slot + ARGUMENT] = argument;
        Atomics.store(control, slot + STATE, RUNNING);
        Atomics.notify(control, slot + STATE);
        return id;
      }
    }
    if (waits === WAITS) {
      return -AGAIN;
    }
    Atomics.wait(control, ENDED, ended, WAIT_MS);
  }
}

/** An instance of the module for the calling thread. */
export function instantiate(
  { module, memory, control }: Omit<ThreadStart, 'slot'>,
  platform: ThreadPlatform,
): WebAssembly.Exports {
  const wasi = wasiImports(memory, platform);
  const spawn = (argument: number) => startThread(control, argument);
  const imports = { env: { memory }, wasi_snapshot_preview1: wasi, wasi: { 'thread-spawn': spawn } };
  return new WebAssembly.Instance(module, imports).exports;
}

/** Runs one thread after the other, as they are given to this worker. Returns only by an error. */
export function serve(start: ThreadStart, platform: ThreadPlatform, onReady: () => void): never {
  const { control, slot } = start;
  const run = instantiate(start, platform).wasi_thread_start as (id: number, argument: number) => void;
  Atomics.store(control, slot + STATE, FREE);
  onReady();
  for (;;) {
    for (let state = FREE; state !== RUNNING; state = Atomics.load(control, slot + STATE)) {
      Atomics.wait(control, slot + STATE, state);
    }
    try {
      run(control[slot + ID] as number, control[slot + ARGUMENT] as number);
    } catch (error) {
      Atomics.store(control, FAILED, 1);
      throw error;
    }
    Atomics.store(control, slot + STATE, FREE);
    Atomics.add(control, ENDED, 1);
    Atomics.notify(control, ENDED);
  }
}

/** The functions of WASI that the module imports. There are no files, no arguments and no environment. */
function wasiImports(memory: WebAssembly.Memory, platform: ThreadPlatform): Record<string, WebAssembly.ImportValue> {
  let view = new DataView(memory.buffer);
  /** The memory, which may have grown. */
  const data = (end: number) => {
    if (end > view.byteLength) {
      view = new DataView(memory.buffer);
    }
    return view;
  };
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const noFile = () => BAD_FILE;
  return {
    clock_time_get: (clock: number, _precision: bigint, at: number) => {
      const time = clock === 0 ? BigInt(Date.now()) * 1_000_000n : platform.now();
      data((at >>> 0) + 8).setBigUint64(at >>> 0, time, true);
      return SUCCESS;
    },
    random_get: (at: number, length: number) => {
      // The generator refuses shared memory, and more at once.
      const part = new Uint8Array(Math.min(length, 65_536));
      for (let done = 0; done < length; done += part.length) {
        crypto.getRandomValues(part);
        const bytes = part.subarray(0, Math.min(part.length, length - done));
        new Uint8Array(memory.buffer).set(bytes, (at >>> 0) + done);
      }
      return SUCCESS;
    },
    environ_sizes_get: (count: number, size: number) => {
      const end = Math.max(count >>> 0, size >>> 0) + 4;
      data(end).setUint32(count >>> 0, 0, true);
      data(end).setUint32(size >>> 0, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    // The two standard outputs.
    fd_write: (file: number, parts: number, count: number, written: number) => {
      if (file !== 1 && file !== 2) {
        return BAD_FILE;
      }
      const bytes: number[] = [];
      for (let part = parts >>> 0; part < (parts >>> 0) + 8 * count; part += 8) {
        const at = data(part + 8).getUint32(part, true);
        const length = data(part + 8).getUint32(part + 4, true);
        bytes.push(...new Uint8Array(memory.buffer, at, length));
      }
      platform.log(new TextDecoder().decode(new Uint8Array(bytes)));
      data((written >>> 0) + 4).setUint32(written >>> 0, bytes.length, true);
      return SUCCESS;
    },
    // Sleeps are all that it is used for: the shortest of the times, and one event.
    poll_oneoff: (subscriptions: number, events: number, count: number, ready: number) => {
      const from = subscriptions >>> 0;
      const at = events >>> 0;
      let [shortest, user] = [Number.POSITIVE_INFINITY, 0n];
      for (let index = 0; index < count; index += 1) {
        const one = from + 48 * index;
        const cells = data(one + 48);
        const isAbsolute = (cells.getUint16(one + 40, true) & 1) !== 0;
        const time = cells.getBigUint64(one + 24, true) - (isAbsolute ? platform.now() : 0n);
        if (cells.getUint8(one + 8) === 0 && Number(time) < shortest) {
          [shortest, user] = [Number(time), cells.getBigUint64(one, true)];
        }
      }
      Atomics.wait(pause, 0, 0, Math.max(0, shortest / 1e6));
      const cells = data(Math.max(at + 32, (ready >>> 0) + 4));
      cells.setBigUint64(at, user, true);
      cells.setBigUint64(at + 8, 0n, true);
      cells.setUint32(ready >>> 0, 1, true);
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    proc_exit: (code: number) => {
      throw new ThreadExit(`the engine has left with code ${code}`);
    },
    fd_close: noFile,
    fd_fdstat_get: noFile,
    fd_filestat_get: noFile,
    fd_prestat_get: noFile,
    fd_prestat_dir_name: noFile,
    fd_read: noFile,
    fd_readdir: noFile,
    fd_seek: noFile,
    path_filestat_get: noFile,
    path_open: noFile,
  };
}
