// The store of a position that is being set up.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ SetupStore }, { Session }, { toasts }, rules] = await load(
  'src/state/setup.ts',
  'src/state/session.ts',
  'src/state/toasts.ts',
  'src/rules/rules.ts',
);
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const BARE = '4k3/8/8/8/8/2M~5/8/R3K3 w - - 0 1';

function opened(fen = BARE) {
  localStorage.removeItem('sakmak.setup');
  const store = new SetupStore();
  store.open(Session.start(RULES, fen));
  return store;
}

/** The store after a reload of the page. */
function reloaded() {
  const store = new SetupStore();
  store.restore();
  return store;
}

test('what is set up outlives its view; what is used or given up does not', () => {
  const store = opened();
  store.put(0, null);
  const { fen } = store.check();
  store.hide();
  store.open(Session.start(RULES));
  assert.equal(store.check().fen, fen);
  store.giveUp();
  assert.equal(store.draft, null);
  const offer = toasts.list.at(-1);
  offer.action.run();
  assert.equal(store.check().fen, fen);
  store.finish();
  store.open(Session.start(RULES));
  assert.match(store.check().fen, /^rnsmksnr/);
});

test('what is set up outlives a reload, shown or not, and can be given up and brought back then', () => {
  const store = opened();
  store.put(0, null);
  store.count('rules');
  const { fen } = store.check();
  const game = Session.start(RULES);
  const next = reloaded();
  assert.equal(next.check().fen, fen);
  assert.equal(next.draft.counting, 'rules');
  assert.equal(next.shows(game), true);
  // A link that is opened is seen; the set-up is offered behind it.
  const linked = Session.start(RULES, BARE);
  assert.equal(next.shows(linked), false);
  next.open(linked);
  assert.equal(next.shows(linked), true);
  assert.equal(next.check().fen, fen);
  next.hide();
  const last = reloaded();
  assert.equal(last.shows(game), false);
  assert.equal(last.check().fen, fen);
  last.giveUp();
  assert.equal(reloaded().draft, null);
  toasts.list.at(-1).action.run();
  assert.equal(reloaded().check().fen, fen);
  last.finish();
  assert.equal(reloaded().draft, null);
});

test('a stored set-up that is none is left out', () => {
  const store = opened();
  const text = localStorage.getItem('sakmak.setup');
  for (const [from, to] of [
    ['"ruleset":"fairy-stockfish"', '"ruleset":"no such"'],
    ['"turn":"w"', '"turn":"x"'],
    ['"board":"', '"board":"%'],
  ]) {
    assert.ok(text.includes(from));
    localStorage.setItem('sakmak.setup', text.replace(from, to));
    assert.equal(reloaded().draft, null, to);
    assert.equal(localStorage.getItem('sakmak.setup'), null);
  }
  // An illegal position is one that can be repaired.
  store.clear();
  assert.equal(reloaded().check().fault.code, 'fen.khun');
});

test('each step is undone, a clear and a FEN included', () => {
  const store = opened();
  store.clear();
  assert.equal(store.check().fault.code, 'fen.khun');
  assert.equal(store.read('4k3/8/8/8/8/8/8/4K2R b - 32 8 5'), null);
  assert.equal(store.draft.counting, 'hand');
  assert.equal(store.read('4k3/8').code, 'fen.ranks');
  store.undo();
  store.undo();
  assert.equal(store.check().fen, BARE);
  assert.equal(store.mayUndo, false);
  store.undo();
});

test('the count is nobody’s, the rules’ or one’s own', () => {
  const store = opened();
  assert.equal(store.draft.counting, 'none');
  store.count('rules');
  assert.equal(store.check().fen, '4k3/8/8/8/8/2M~5/8/R3K3 w - 32 9 1');
  // It follows the pieces: without the met it is 16 - 3.
  store.put(18, null);
  assert.equal(store.check().session.view.count.movesLeft, 13);
  store.count('hand');
  assert.equal(store.check().session.view.count.movesLeft, 13);
  store.change({ plyLimit: 16, number: 6 });
  const { limit, number } = store.check().session.view.count;
  assert.deepEqual([limit, number], [8, 6]);
  store.count('none');
  assert.equal(store.check().session.view.count, null);
  store.setRules({ ...RULES, ruleset: 'wikipedia' });
  assert.equal(store.check().session.view.count.limit, 16, 'these rules count at once');
});
