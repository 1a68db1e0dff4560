// The style sheets: colours and shared sizes stand in the files of the tokens, and nothing is too new without a fallback.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const root = join(import.meta.dirname, '../../src');
const all = readdirSync(root, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(css|tsx?)$/.test(name) && !name.startsWith('messages/'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '') }));
const styles = all.filter(({ name }) => name.endsWith('.css'));
const TOKENS = 'style/tokens.css';
const tokens = styles.find(({ name }) => name === TOKENS).text;

/** The lines of files that a pattern finds, with their file. */
const found = (files, pattern) =>
  files.flatMap(({ name, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

test('no colour stands outside of the tokens', () => {
  const COLOUR = /#[0-9a-f]{3,8}\b(?!\/)|\b(rgba?|hsla?|hwb|lab|lch|oklch|color-mix)\(/i;
  const named = /:\s*(black|white|red|green|blue|gr[ae]y|yellow|orange|brown)\b/;
  const others = all.filter(({ name }) => name !== TOKENS);
  assert.deepEqual(found(others, COLOUR), []);
  assert.deepEqual(
    found(
      styles.filter(({ name }) => name !== TOKENS),
      named,
    ),
    [],
  );
  assert.ok(COLOUR.test('color: #fff;') && COLOUR.test('background: rgb(0 0 0 / 30%)'));
});

test('dark is defined once', () => {
  const dark = found(styles, /data-theme="dark"|prefers-color-scheme/);
  assert.deepEqual(dark, [`${TOKENS}: :root[data-theme="dark"] {`]);
});

test('each token is used, and what is used is defined', () => {
  const used = new Set(all.flatMap(({ text }) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)));
  const defined = new Set(
    styles.flatMap(({ text }) => [...text.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name)),
  );
  assert.deepEqual(
    [...defined].filter((name) => !used.has(name)),
    [],
  );
  assert.deepEqual(
    [...used].filter((name) => !defined.has(name) && !name.startsWith('--sb-')),
    [],
  );
});

test('corners, small type, layers and the height of the window have tokens', () => {
  const others = styles.filter(({ name }) => name !== TOKENS);
  for (const pattern of [
    /border-radius:(?! *(var|0;|50%|2px))/,
    /font-size: 0\.[78]/,
    /z-index:(?! *(var|1;))/,
    /\ddvh/,
    /min-height: 2\.(4|75)rem/,
  ]) {
    assert.deepEqual(found(others, pattern), []);
  }
  assert.ok(tokens.includes('--height: 100vh;') && /@supports \(height: 100dvh\)/.test(tokens));
});
