import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EngineOptions, Port } from './engine.js';

/** Starts a thread. The program ends once it is terminated. */
export async function connect({ locateFile, wasmBinary }: EngineOptions, threads: boolean): Promise<Port> {
  const name = threads ? 'sakmak-uci-threads.cjs' : 'sakmak-uci.cjs';
  const worker = new Worker(locateFile?.(name, `${__dirname}/`) ?? join(__dirname, name), {
    workerData: { wasmBinary },
  });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.on('message', onMessage);
      worker.on('error', onError);
    },
    terminate: () => void worker.terminate(),
  };
}
