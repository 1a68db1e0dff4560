import * as glue from '../build/study/sakmak.js';
import { Loader, type WasmSource } from './loader.js';

export const study: Loader<unknown> = new Loader<unknown>(
  glue,
  'study.wasm',
  () => new URL('./study.wasm', import.meta.url),
);

/**
 * Loads the WebAssembly: from `study.wasm` beside this file unless another source is given. Later calls wait for the
 * first one. In Node, Deno and Bun it is loaded already, and this returns at once.
 *
 * @throws {StateError} If it cannot be loaded. The next call tries again.
 */
export function init(source?: WasmSource): Promise<void> {
  return study.load(source);
}

/** Loads the WebAssembly from its bytes or the compiled module, at once: for workers, Node and tests. */
export function initSync(module: BufferSource | WebAssembly.Module): void {
  study.loadSync(module);
}
