// What the page loads before it is usable, by the built page.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../../dist');
/**
 * In bytes, by gzip. At 1.5 Mbit/s the page must be usable within 1.8 seconds: 5 kB take 0.03 seconds. What the start of
 * a game does not need is to be loaded later, as ui/views.ts does.
 */
const MOST = 224_000;

const sizeOf = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;

test('the first load keeps its size', {
  skip: !existsSync(join(dist, 'index.html')) && 'the page is not built',
}, () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css|wasm))"/g)].map(([, file]) => file);
  assert.deepEqual(
    named.map((file) => file.split('.').at(-1)).sort(),
    ['css', 'js', 'wasm'],
    'one script, one style sheet',
  );
  const words = readdirSync(join(dist, 'assets')).filter((file) => /^(en|th)-[\w-]+\.js$/.test(file));
  assert.equal(words.length, 2, 'the words of two languages');
  const longest = words.map((file) => `assets/${file}`).sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  const sizes = ['index.html', ...named, longest].map((file) => [file, sizeOf(file)]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const list = sizes.map(([file, size]) => `${file} ${size}`).join(', ');
  assert.ok(total <= MOST, `the first load has ${total} bytes, more than ${MOST}: ${list}. Load later what can wait.`);
  console.log(`first load: ${total} bytes by gzip: ${list}`);
});
