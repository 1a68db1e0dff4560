import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The bytes that an import alone leaves in a bundle. */
async function bundled(name) {
  const stdin = { contents: `import '${name}';`, resolveDir: fileURLToPath(new URL('.', import.meta.url)) };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', logLevel: 'silent' });
  return outputFiles[0].contents.length;
}

test('bundlers keep the scripts that are imported for what they do', async () => {
  assert.ok((await bundled('sakmak/sakmak.js')) > 3000);
  assert.ok((await bundled('sakmak/sakmak-uci.js')) > 3000);
  assert.ok((await bundled('sakmak/rules')) < 300);
});

test('the links of README.md work outside the repository', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address);
  assert.ok(links.length > 1 && links.every((address) => address.startsWith('https://')), links.join(' '));
});

test('a build that fails leaves the package of the one before', () => {
  const dist = new URL('../dist/', import.meta.url);
  const before = readdirSync(dist);
  assert.ok(before.includes('sakmak.wasm'));
  const tools = mkdtempSync(join(tmpdir(), 'sakmak-build-'));
  try {
    writeFileSync(join(tools, 'cargo'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${tools}:${dirname(process.execPath)}:/usr/bin:/bin` };
    const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /cargo build .* failed/);
    assert.deepEqual(readdirSync(dist), before);
  } finally {
    rmSync(tools, { recursive: true });
  }
});

test('the engine keeps its size', () => {
  const size = gzipSync(readFileSync(new URL('../dist/sakmak.wasm', import.meta.url)), { level: 9 }).length;
  // Budget of the page: 1.8 MB. The network has two thirds of it.
  assert.ok(size < 1_400_000, `sakmak.wasm has ${size} bytes by gzip`);
});
