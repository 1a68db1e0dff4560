// The messages of both languages: the same keys, the same arguments.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../src/messages');

/** Keys and texts of a message file, read as text: each message is one literal. */
function messages(name) {
  const text = readFileSync(join(folder, name), 'utf8');
  const entry = /^\s{2}(?:'([^']+)'|(\w+)):\s*\n?\s*'((?:[^'\\]|\\.)*)',$/gm;
  return new Map([...text.matchAll(entry)].map(([, quoted, plain, value]) => [quoted ?? plain, value]));
}

const args = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

test('Thai has every message of English, with arguments that English has too', () => {
  const [en, th] = [messages('en.ts'), messages('th.ts')];
  assert.ok(en.size > 300, String(en.size));
  assert.deepEqual([...th.keys()].sort(), [...en.keys()].sort());
  for (const [key, text] of th) {
    const known = args(en.get(key));
    assert.deepEqual(
      args(text).filter((name) => !known.includes(name)),
      [],
      key,
    );
    assert.notEqual(text.trim(), '', key);
  }
});

test('faults of the Rust side have words', () => {
  const source = readFileSync(join(folder, '../../../bindings/js/common/src/fault.rs'), 'utf8');
  const codes = [...source.matchAll(/"((?:fen|move|count|pgn|rules)\.(?!other)\w+)"/g)].map(([, code]) => code);
  const en = messages('en.ts');
  assert.ok(codes.length > 30, String(codes.length));
  assert.deepEqual(
    codes.filter((code) => !en.has(`fault.${code}`)),
    [],
  );
});

test('each message is used', () => {
  const source = readdirSync(join(folder, '..'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/messages[/\\](en|th)\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, '..', name), 'utf8'))
    .join('\n');
  // Keys that are put together: what stands before the first `${`, where that is more than a word.
  const prefixes = [...source.matchAll(/`([a-z]+\.(?:[\w.]*\.)?)\$\{/g)].map(([, prefix]) => prefix);
  const used = (key) => source.includes(`'${key}'`) || prefixes.some((prefix) => key.startsWith(prefix));
  assert.deepEqual(
    [...messages('en.ts').keys()].filter((key) => !used(key)),
    [],
  );
});

test('Thai has one kind of numerals, and no Latin spelling of its own words', () => {
  const spelled = /\b(sak|mak|kradan|makruk|khun|met|khon|maa|rua|bia)\b/i;
  for (const [key, text] of messages('th.ts')) {
    // Examples of moves are written as score sheets have them.
    if (!key.startsWith('notation.')) {
      assert.doesNotMatch(text, /[๐-๙]/, key);
    }
    assert.doesNotMatch(text, spelled, key);
    // A bia that is not turned has one name.
    assert.doesNotMatch(text, /หมอบ/, key);
  }
});

test('people read moves, not half-moves or plies', () => {
  for (const name of ['en.ts', 'th.ts']) {
    for (const [key, text] of messages(name)) {
      assert.doesNotMatch(text, /half-move|\bpl(y|ies)\b|ครึ่งตา/i, `${name} ${key}`);
    }
  }
});
