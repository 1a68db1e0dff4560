// What the workers of browsers share: where their loop runs, and where the WebAssembly lies.
import { fetchBytes } from './fetch-bytes.js';
import type { Surroundings } from './uci-loop.js';

const scope = self as unknown as DedicatedWorkerGlobalScope & { SAKMAK_WASM?: string };

/**
 * The file beside the script. Or what the script's address, or its name, has after #; or `self.SAKMAK_WASM`, which a
 * script from a blob sets.
 */
export function locateWasm(name: string): URL {
  const [, ofName = ''] = /^sakmak(#.*)/.exec(scope.name) ?? [];
  const named = scope.SAKMAK_WASM ?? decodeURIComponent((scope.location.hash || ofName).slice(1));
  return new URL(named || name, scope.location.protocol === 'blob:' ? undefined : scope.location.href);
}

/** Files are read from addresses relative to that of the WebAssembly. */
export function browserSurroundings(wasm: URL): Surroundings {
  const channel = new MessageChannel();
  let action: (() => void) | undefined;
  // Timers of workers wait for at least 4 ms once they are nested.
  channel.port1.onmessage = () => action?.();
  return {
    post: (line) => scope.postMessage(line),
    soon: (next) => {
      action = next;
      channel.port2.postMessage(null);
    },
    close: () => scope.close(),
    read: (name, signal) => fetchBytes(new URL(name, wasm), signal),
  };
}

/** Says why the engine cannot begin: by a line, and by the worker's error, which ends the factory's wait for a ping. */
export function reportFault(wasm: URL, error: unknown): void {
  scope.postMessage(`info string ${wasm} cannot be loaded: ${error}`);
  setTimeout(() => {
    throw error;
  });
}
