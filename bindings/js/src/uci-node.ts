// dist/sakmak-uci.cjs: UCI in Node, Deno and Bun. A thread that speaks by messages, or the program `npx sakmak`, which
// reads standard input.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { initSync, UciSession } from '../build/engine/sakmak.js';
import { connectLoop } from './uci-program.js';

initSync({ module: workerData?.wasmBinary ?? readFileSync(join(__dirname, 'sakmak.wasm')) });
connectLoop().begin(new UciSession());
