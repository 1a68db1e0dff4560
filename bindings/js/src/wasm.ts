import * as glue from '../build/glue/sakmak.js';
import { Loader, type WasmSource } from './loader.js';

export type { WasmSource };

/** As in the crate's module `output`. */
const OUTPUT_BYTES = 16 << 10;
/** The longest text that is put together here; the decoder is faster for longer ones. */
const SHORT = 24;

const decoder = new TextDecoder();
let memory: WebAssembly.Memory | undefined;
let address = 0;
let bytes = new Uint8Array(0);
let words = new Uint16Array(0);

function begin(exports: { memory: WebAssembly.Memory }): void {
  memory = exports.memory;
  address = glue.outputAddress();
}

const loader = new Loader(glue, 'rules.wasm', () => new URL('./rules.wasm', import.meta.url), begin);

/** Throws unless the WebAssembly is loaded. */
export function ready(): void {
  if (memory === undefined) {
    loader.ready();
  }
}

/** New views of the output: they lose their buffer when the memory grows. */
function look(): void {
  const { buffer } = memory as WebAssembly.Memory;
  bytes = new Uint8Array(buffer, address, OUTPUT_BYTES);
  words = new Uint16Array(buffer, address, OUTPUT_BYTES / 2);
}

/** The numbers just written. The next call overwrites them. */
export function numbers(length: number): Uint16Array {
  if (words.length === 0) {
    look();
  }
  return words.subarray(0, length);
}

/** The text just written, of `length` bytes. */
export function text(length: number): string {
  if (bytes.length === 0) {
    look();
  }
  if (length <= SHORT) {
    let short = '';
    for (let at = 0; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte > 127) {
        return decoder.decode(bytes.subarray(0, length));
      }
      short += String.fromCharCode(byte);
    }
    return short;
  }
  return decoder.decode(bytes.subarray(0, length));
}

/**
 * Loads the WebAssembly: from `rules.wasm` beside this file unless another source is given. Later calls wait for the
 * first one. In Node, Deno and Bun it is loaded already, and this returns at once.
 *
 * @throws {StateError} If it cannot be loaded. The next call tries again.
 */
export function init(source?: WasmSource): Promise<void> {
  return loader.load(source);
}

/** Loads the WebAssembly from its bytes or the compiled module, at once: for workers, Node and tests. */
export function initSync(module: BufferSource | WebAssembly.Module): void {
  loader.loadSync(module);
}
