// dist/sakmak-uci-threads.js: a worker that speaks UCI and searches in threads, for pages that are cross-origin isolated.
// `sakmak-threads.wasm` is found as in uci-worker.ts. The threads run in workers from the same script.
import { serve, type ThreadPlatform, type ThreadStart } from './threads-host.js';
import { ThreadsSession, type ThreadWorker } from './threads-session.js';
import { browserSurroundings, locateWasm, reportFault } from './uci-browser.js';
import { UciLoop } from './uci-loop.js';

const THREAD = 'sakmak thread';
const scope = self as unknown as DedicatedWorkerGlobalScope;
const platform: ThreadPlatform = {
  // Each worker has another origin.
  now: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n,
  log: (text) => console.error(text),
};

function startWorker(start: ThreadStart): ThreadWorker {
  const worker = new Worker(scope.location.href, { name: THREAD });
  const ready = new Promise<void>((resolve, reject) => {
    let isReady = false;
    worker.onmessage = () => {
      isReady = true;
      resolve();
    };
    worker.onerror = (event) => {
      if (!isReady) {
        // Or the error would reach the page, and end the engine.
        event.preventDefault();
      }
      reject(new Error(event.message || 'a worker cannot be loaded'));
    };
  });
  worker.postMessage(start);
  return { ready, terminate: () => worker.terminate() };
}

async function begin(loop: UciLoop, wasm: URL): Promise<void> {
  const response = await fetch(wasm);
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  const module = await WebAssembly.compile(await response.arrayBuffer());
  const session = new ThreadsSession(module, platform, navigator.hardwareConcurrency, startWorker);
  await session.begin();
  loop.begin(session);
}

if (scope.name === THREAD) {
  scope.onmessage = ({ data }) => serve(data, platform, () => scope.postMessage('ready'));
} else {
  const wasm = locateWasm('sakmak-threads.wasm');
  const loop = new UciLoop(browserSurroundings(wasm));
  scope.onmessage = ({ data }) => loop.receive(data);
  begin(loop, wasm).catch((error) => reportFault(wasm, error));
}
