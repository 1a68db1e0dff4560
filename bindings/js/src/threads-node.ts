// dist/sakmak-uci-threads.cjs: UCI in Node, Deno and Bun, with a search in threads. As uci-node.ts; the threads run in
// workers from the same script.
import { readFileSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { serve, type ThreadPlatform, type ThreadStart } from './threads-host.js';
import { ThreadsSession, type ThreadWorker } from './threads-session.js';
import { connectLoop } from './uci-program.js';

const platform: ThreadPlatform = {
  now: () => process.hrtime.bigint(),
  log: (text) => writeSync(2, text),
};

function startWorker(start: ThreadStart): ThreadWorker {
  const worker = new Worker(__filename, { workerData: { thread: start } });
  const ready = new Promise<void>((resolve, reject) => {
    let isReady = false;
    worker.on('message', () => {
      isReady = true;
      resolve();
    });
    worker.on('error', (error) => {
      reject(error);
      if (isReady) {
        throw error;
      }
    });
  });
  return { ready, terminate: () => void worker.terminate() };
}

async function begin(): Promise<void> {
  // At once: Deno drops messages that nobody listens to.
  const loop = connectLoop();
  const module = new WebAssembly.Module(workerData?.wasmBinary ?? readFileSync(join(__dirname, 'sakmak-threads.wasm')));
  const session = new ThreadsSession(module, platform, availableParallelism(), startWorker);
  await session.begin();
  loop.begin(session);
}

const thread: ThreadStart | undefined = workerData?.thread;
if (thread !== undefined) {
  serve(thread, platform, () => parentPort?.postMessage('ready'));
} else {
  void begin();
}
