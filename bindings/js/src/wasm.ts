import * as glue from '../build/glue/sakmak.js';
import { StateError } from './errors.js';

/** Where the WebAssembly comes from: an address, a response, its bytes, or the compiled module. */
export type WasmSource = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** As in the crate's module `output`. */
const OUTPUT_BYTES = 16 << 10;
/** The longest text that is put together here; the decoder is faster for longer ones. */
const SHORT = 24;

const decoder = new TextDecoder();
let memory: WebAssembly.Memory | undefined;
let address = 0;
let bytes = new Uint8Array(0);
let words = new Uint16Array(0);
let loading: Promise<void> | undefined;

/** Throws unless the WebAssembly is loaded. */
export function ready(): void {
  if (memory === undefined) {
    throw new StateError('state.notReady', 'call and await init() first: the WebAssembly is not loaded yet');
  }
}

function begin(exports: { memory: WebAssembly.Memory }): void {
  memory = exports.memory;
  address = glue.outputAddress();
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
  if (memory !== undefined) {
    return Promise.resolve();
  }
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw new StateError('state.load', `the WebAssembly cannot be loaded: ${error}`, {}, error);
  });
  return loading;
}

async function load(source: WasmSource | undefined): Promise<void> {
  begin(await glue.default({ module_or_path: (source ?? defaultSource()) as string }));
}

/** Loads the WebAssembly from its bytes or the compiled module, at once: for workers, Node and tests. */
export function initSync(module: BufferSource | WebAssembly.Module): void {
  if (memory === undefined) {
    begin(glue.initSync({ module }));
  }
}

/** `rules.wasm` beside this file. The address of a plain script is known only while it runs. */
const script = typeof document === 'undefined' ? null : document.currentScript;

function defaultSource(): URL {
  const base = (script as HTMLScriptElement | null)?.src;
  return base ? new URL('rules.wasm', base) : new URL('./rules.wasm', import.meta.url);
}
