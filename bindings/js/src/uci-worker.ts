// dist/sakmak-uci.js: a worker that speaks UCI, classic or module. `sakmak.wasm` lies beside it, or where the part of its
// address or its name after # says, or where `self.SAKMAK_WASM` says, which a script from a blob sets.
import init from '../build/engine/sakmak.js';
import { UciLoop } from './uci-loop.js';

const scope = self as unknown as DedicatedWorkerGlobalScope & { SAKMAK_WASM?: string };
const channel = new MessageChannel();
let action: (() => void) | undefined;
// Timers of workers wait for at least 4 ms once they are nested.
channel.port1.onmessage = () => action?.();

const loop = new UciLoop({
  post: (line) => scope.postMessage(line),
  soon: (next) => {
    action = next;
    channel.port2.postMessage(null);
  },
  close: () => scope.close(),
  read: async (name) => {
    const response = await fetch(new URL(name, wasm));
    if (!response.ok) {
      throw new Error(`status ${response.status}`);
    }
    return new Uint8Array(await response.arrayBuffer());
  },
});

const [, ofName = ''] = /^sakmak(#.*)/.exec(scope.name) ?? [];
const named = scope.SAKMAK_WASM ?? decodeURIComponent((scope.location.hash || ofName).slice(1));
const wasm = new URL(named || 'sakmak.wasm', scope.location.protocol === 'blob:' ? undefined : scope.location.href);
scope.onmessage = ({ data }) => loop.receive(data);
init({ module_or_path: wasm }).then(
  () => loop.begin(),
  (error) => {
    // The factory waits for a first line; others see the error of the worker.
    scope.postMessage(`info string ${wasm} cannot be loaded: ${error}`);
    setTimeout(() => {
      throw error;
    });
  },
);
