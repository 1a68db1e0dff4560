// What the scripts for Node, Deno and Bun share: a loop that reads messages, or standard input as the program
// `npx sakmak`.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isMainThread, parentPort } from 'node:worker_threads';
import { UciLoop } from './uci-loop.js';

/** A loop, which waits for its session. */
export function connectLoop(): UciLoop {
  const read = (name: string, signal: AbortSignal) => readFile(name, { signal });
  // In Deno a loop by setImmediate delays messages by hundreds of milliseconds.
  const soon = 'Deno' in globalThis ? (action: () => void) => setTimeout(action, 0) : setImmediate;
  if (isMainThread || parentPort === null) {
    const loop = new UciLoop({
      post: (line) => process.stdout.write(`${line}\n`),
      soon,
      // Once all that was written is read.
      close: () => process.stdout.write('', () => process.exit(0)),
      read,
    });
    const input = createInterface({ input: process.stdin, terminal: false });
    input.on('line', (line) => loop.receive(line));
    // Like the native program: what has an end is finished.
    input.on('close', () => loop.finish());
    return loop;
  }
  const port = parentPort;
  const loop = new UciLoop({ post: (line) => port.postMessage(line), soon, close: () => port.close(), read });
  port.on('message', (message) => loop.receive(message));
  return loop;
}
