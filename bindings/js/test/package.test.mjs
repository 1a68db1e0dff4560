import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
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
