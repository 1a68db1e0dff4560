// In Node, Deno and Bun the WebAssembly is loaded at once: every function works after the import.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initSync } from './study-wasm.js';

initSync(readFileSync(join(__dirname, 'study.wasm')));

export * from './study.js';
