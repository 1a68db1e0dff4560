// dist/sakmak-uci.cjs: UCI in Node, Deno and Bun. A thread that speaks by messages, or the program `npx sakmak`, which
// reads standard input.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { initSync } from '../build/engine/sakmak.js';
import { UciLoop } from './uci-loop.js';

initSync({ module: workerData?.wasmBinary ?? readFileSync(join(__dirname, 'sakmak.wasm')) });

const read = (name: string) => readFile(name);
if (isMainThread || parentPort === null) {
  const loop = new UciLoop({
    post: (line) => process.stdout.write(`${line}\n`),
    soon: setImmediate,
    // Once all that was written is read.
    close: () => process.stdout.write('', () => process.exit(0)),
    read,
  });
  loop.begin();
  const input = createInterface({ input: process.stdin, terminal: false });
  input.on('line', (line) => loop.receive(line));
  // Like the native program: what has an end is finished.
  input.on('close', () => loop.finish());
} else {
  const port = parentPort;
  const loop = new UciLoop({
    post: (line) => port.postMessage(line),
    soon: setImmediate,
    close: () => port.close(),
    read,
  });
  loop.begin();
  port.on('message', (message) => loop.receive(message));
}
