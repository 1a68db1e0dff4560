// The oldest browsers of docs/web.md: nothing newer is used without a fallback, and no syntax that they cannot read.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { load } from '../source.mjs';

const root = join(import.meta.dirname, '../../..');

/** Names that Chrome 91, Firefox 114 or Safari 16.4 lack. */
const NEWER = [
  /\bstructuredClone\(/,
  /\bObject\.(hasOwn|groupBy)\(/,
  /\.(findLast|findLastIndex|toSorted|toReversed|toSpliced|isWellFormed)\(/,
  /\b(Array\.fromAsync|Promise\.withResolvers|URL\.canParse|crypto\.randomUUID)\b/,
  /\bAbortSignal\.(any|timeout)\(|\bthrowIfAborted\(/,
  /\b(requestIdleCallback|startViewTransition|checkVisibility|showPicker|showPopover|OffscreenCanvas)\b/,
  /\b(Intl\.Segmenter|navigator\.locks|scheduler\.(yield|postTask)|Temporal\.)/,
];
const NEWER_STYLES = [/@container/, /@layer/, /color-mix\(/, /oklch\(/, /text-wrap/, /^\s*&/];

function files(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => ending.test(name));
}

const found = (names, patterns) =>
  names.flatMap((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .filter((line) => patterns.some((pattern) => pattern.test(line)) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

/** The parts of the package that the page loads. */
const USED = /(board-view|engine|study|errors|info|questions|tables|wasm|loader|names|uci-|platform\.browser)/;

test('no newer function is called without a fallback', () => {
  const own = files('web/src', /\.tsx?$/);
  const others = files('bindings/js/src', /\.ts$/).filter((name) => USED.test(name) && !/node/.test(name));
  assert.ok(own.length > 60 && others.length > 20, `${own.length} ${others.length}`);
  assert.deepEqual(found([...own, ...others, 'web/public/sw.js'], NEWER), []);
});

test('no newer style is used without @supports', () => {
  const names = [...files('web/src', /\.css$/), ...files('bindings/js/src', /\.css$/)];
  assert.deepEqual(found(names, NEWER_STYLES), []);
});

test('the scripts of package and page have no newer syntax', () => {
  const folders = ['bindings/js/dist', 'web/dist/assets'].filter((folder) => existsSync(join(root, folder)));
  const scripts = folders.flatMap((folder) => files(folder, /\.js$/)).filter((name) => !/\.node\.js$/.test(name));
  // Blocks in classes came with Chrome 94, private names in `in` with 91, and the flags v and d of patterns later.
  const SYNTAX = /\bstatic ?\{|\/[dgimsuy]*v[dgimsuy]*\.(test|exec)\(/;
  assert.deepEqual(
    scripts.filter((name) => SYNTAX.test(readFileSync(join(root, name), 'utf8'))),
    [],
  );
});

test('lists know their last member in the oldest browsers', async () => {
  const [{ at }] = await load('src/older.ts');
  for (const list of [[1, 2, 3], []]) {
    for (const index of [-4, -3, -1, 0, 2, 3, 1.5, Number.NaN, undefined]) {
      assert.equal(at.call(list, index), list.at(index), `${list} ${index}`);
    }
  }
});
