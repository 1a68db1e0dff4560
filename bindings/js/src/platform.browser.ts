import type { EngineOptions, Port } from './engine.js';
import { PROGRESS } from './loading.js';

/** The element of a plain script is known only while it runs. */
const running = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

/**
 * Starts the worker `sakmak-uci.js`, or `sakmak-uci-threads.js`: from a blob if it comes from another origin, which browsers
 * refuse otherwise.
 */
export async function connect({ locateFile, wasmBinary, onProgress }: EngineOptions, threads: boolean): Promise<Port> {
  const here = (name: string, beside: () => URL) => {
    // A bundler has replaced what `beside` names. Only a plain script has no address of its own.
    const fallback = import.meta.url ? beside() : new URL(name, running?.src || location.href);
    return locateFile ? new URL(locateFile(name, new URL('.', fallback).href), location.href) : fallback;
  };
  // Bundlers look for URLs in just this form.
  const [script, beside] = threads
    ? [
        here('sakmak-uci-threads.js', () => new URL('./sakmak-uci-threads.js', import.meta.url)),
        () => here('sakmak-threads.wasm', () => new URL('./sakmak-threads.wasm', import.meta.url)),
      ]
    : [
        here('sakmak-uci.js', () => new URL('./sakmak-uci.js', import.meta.url)),
        () => here('sakmak.wasm', () => new URL('./sakmak.wasm', import.meta.url)),
      ];
  const ofBytes = wasmBinary && URL.createObjectURL(new Blob([wasmBinary as BlobPart], { type: 'application/wasm' }));
  const wasm = ofBytes ? new URL(ofBytes) : beside();
  let address = `${script.href}#${encodeURIComponent(wasm.href)}`;
  const isForeign = script.origin !== location.origin;
  if (isForeign) {
    const text = `self.SAKMAK_WASM=${JSON.stringify(wasm.href)};importScripts(${JSON.stringify(script.href)})`;
    address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  }
  // A service worker that answers for the script takes the part of the address after # away, but not the name.
  const worker = new Worker(address, { name: `sakmak#${encodeURIComponent(wasm.href)}${onProgress ? PROGRESS : ''}` });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onerror = (event) => {
        event.preventDefault();
        onError(new Error(event.message || `${script.href} cannot be loaded`));
      };
    },
    terminate: () => {
      worker.terminate();
      for (const blob of [isForeign ? address : '', ofBytes ?? '']) {
        URL.revokeObjectURL(blob);
      }
    },
  };
}
