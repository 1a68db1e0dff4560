// Text from files: what would change the direction of the page's own text is shown instead.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ visible }] = await load('src/messages/visible.ts');

test('bidirectional control characters are shown', () => {
  const codes = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
  for (const code of codes) {
    const hex = code.toString(16).toUpperCase().padStart(4, '0');
    assert.equal(visible(`a${String.fromCharCode(code)}b`), `a[U+${hex}]b`);
  }
  assert.equal(visible('\u202e1-0 \u202e'), '[U+202E]1-0 [U+202E]');
});

test('all other text stays as it is', () => {
  for (const text of ['', 'Nd2', 'ม ข๑-ง๒', 'سلام', 'שלום', 'a\u200bb', '[U+202E]', '♔ 👍🏽']) {
    assert.equal(visible(text), text);
  }
});
