// What the workers of browsers share: where their loop runs, and where the WebAssembly lies.
import { fetchBytes } from './fetch-bytes.js';
import { type LoadingMessage, PROGRESS } from './loading.js';
import type { Surroundings } from './uci-loop.js';

const scope = self as unknown as DedicatedWorkerGlobalScope & { SAKMAK_WASM?: string };

/**
 * The file beside the script. Or what the script's address, or its name, has after #; or `self.SAKMAK_WASM`, which a
 * script from a blob sets.
 */
export function locateWasm(name: string): URL {
  const [, ofName = ''] = /^sakmak(#[^&]*)/.exec(scope.name) ?? [];
  const named = scope.SAKMAK_WASM ?? decodeURIComponent((scope.location.hash || ofName).slice(1));
  return new URL(named || name, scope.location.protocol === 'blob:' ? undefined : scope.location.href);
}

/** The WebAssembly; the page hears how much of it has come if it asks for that by the name of the worker. */
export async function fetchWasm(wasm: URL): Promise<Response> {
  const response = await fetch(wasm);
  if (scope.name.endsWith(PROGRESS) && response.ok) {
    // The copy is counted: the browser compiles the response itself as it comes, and may keep what it has compiled.
    count(response.clone()).catch(() => {
      // Who compiles it sees the same.
    });
  }
  return response;
}

async function count({ body, headers }: Response): Promise<void> {
  const reader = body?.getReader();
  // What comes is no longer compressed, but the header counts compressed bytes.
  const total = headers.get('Content-Encoding') ? 0 : Number(headers.get('Content-Length') ?? 0);
  let loaded = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    loaded += part.value.length;
    scope.postMessage({ loaded, total: total || null } satisfies LoadingMessage);
  }
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
