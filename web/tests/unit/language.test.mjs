// The words of one language only are loaded: those of the other one when it is chosen.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ isMessageKey, loadWords, t }, { switchLanguage }, { settings }, { toasts }] = await load(
  'src/messages/i18n.ts',
  'src/messages/language.ts',
  'src/state/settings.ts',
  'src/state/toasts.ts',
);

test('the language changes once its words are there, and stays where they cannot be loaded', async () => {
  assert.equal(t('nav.play'), 'Play');
  assert.ok(isMessageKey('nav.play') && !isMessageKey('nav.nowhere'));
  const words = { 'nav.play': 'เล่น' };
  let isThere = false;
  const ask = switchLanguage('th', async () => {
    assert.equal(settings.value.language, 'en');
    await loadWords('th', async () => words);
    isThere = true;
  });
  assert.equal(t('nav.play'), 'Play');
  await ask;
  assert.deepEqual([isThere, settings.value.language, t('nav.play')], [true, 'th', 'เล่น']);
  assert.deepEqual(toasts.list, []);

  await switchLanguage('en', () => Promise.reject(new TypeError('no network')));
  assert.equal(settings.value.language, 'th');
  assert.equal(toasts.list.length, 1);
});
