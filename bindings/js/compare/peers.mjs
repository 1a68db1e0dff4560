// ffish-es6 in Node, for the comparison: it is written for browsers and bundlers.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The real ffish-es6. */
export async function loadFfish() {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('ffish-es6/package.json'));
  // What its script looks for, and a fetch that it must not find.
  globalThis.require ??= require;
  globalThis.__dirname ??= folder;
  const { fetch } = globalThis;
  globalThis.fetch = undefined;
  try {
    const { default: Module } = await import('ffish-es6');
    return await new Module({ wasmBinary: readFileSync(join(folder, 'ffish.wasm')) });
  } finally {
    globalThis.fetch = fetch;
  }
}
