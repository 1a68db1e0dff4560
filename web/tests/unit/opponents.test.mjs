// The opponents: their list, the record and rating against them, their pace, and rated games.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [
  opponentsModule,
  { paceMs },
  { PlayStore },
  { GameStore },
  { GameDatabase },
  { Tabs },
  rules,
  { START },
  en,
  th,
  { EngineQueue },
] = await load(
  'src/state/opponents.ts',
  'src/state/pace.ts',
  'src/state/play.ts',
  'src/state/games.ts',
  'src/state/games-db.ts',
  'src/state/tabs.ts',
  'src/rules/rules.ts',
  'src/state/rating.ts',
  'src/messages/opponents-en.ts',
  'src/messages/opponents-th.ts',
  'src/engine/queue.ts',
);
const { ANIMALS, OpponentsStore } = opponentsModule;
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const FROG = { name: 'Frog', rating: 1050, isRated: true, isPaced: false, seed: 1 };
const GAME = { level: 3, animal: FROG, side: 'w', time: null, rules: RULES };

function freshStore() {
  localStorage.removeItem('sakmak.opponents');
  return new OpponentsStore();
}

test('the page has the names and ratings of the engine', () => {
  const source = readFileSync(new URL('../../../engine/src/opponents.rs', import.meta.url), 'utf8');
  const rows = source.matchAll(/name: "(\w+)",\s*rating: (\d+),\s*rating_error: (\d+),/g);
  const named = [...rows].map(([, name, rating, error]) => ({ name, rating: Number(rating), error: Number(error) }));
  assert.equal(named.length, 10);
  assert.deepEqual(ANIMALS, named);
});

test('each opponent has a name and a character in both languages', () => {
  const { opponentsEn } = en;
  const { opponentsTh } = th;
  assert.deepEqual(Object.keys(opponentsTh).sort(), Object.keys(opponentsEn).sort());
  for (const { name } of ANIMALS) {
    for (const key of [`opponents.${name}`, `opponents.${name}.is`]) {
      assert.ok(opponentsEn[key] && opponentsTh[key], key);
    }
  }
  for (const [key, text] of Object.entries(opponentsTh)) {
    assert.doesNotMatch(text, /[๐-๙]|หมอบ/, key);
  }
});

test('a game counts once, and only a rated one changes the rating', () => {
  const store = freshStore();
  assert.equal(store.rating, null);
  store.note({ id: 'a', name: 'Frog', score: 1, isRated: false });
  assert.deepEqual([store.tally('Frog'), store.rating], [{ won: 1, drawn: 0, lost: 0 }, null]);
  assert.equal(store.change('a'), null);
  store.note({ id: 'b', name: 'Frog', score: 0, isRated: true });
  store.note({ id: 'b', name: 'Frog', score: 1, isRated: true });
  assert.deepEqual(store.tally('Frog'), { won: 1, drawn: 0, lost: 1 });
  assert.ok(store.rating.rating < START.rating && store.rating.deviation < START.deviation);
  assert.deepEqual(store.change('b'), { before: 1500, after: Math.round(store.rating.rating) });
  store.note({ id: 'c', name: 'Frog', score: 0.5, isRated: true });
  assert.equal(store.tally('Frog').drawn, 1);
  // Another program may know other opponents.
  store.note({ id: 'd', name: 'Dragon', score: 1, isRated: true });
  assert.equal(store.change('d'), null);
  // A second tab reads the same.
  assert.deepEqual(new OpponentsStore().rating, store.rating);
});

test('the next opponent is the one whose expected score is nearest to one half', () => {
  const store = freshStore();
  const near = (rating) =>
    ANIMALS.reduce((best, one) => (Math.abs(one.rating - rating) < Math.abs(best.rating - rating) ? one : best)).name;
  assert.equal(store.next, near(1500));
  for (const rating of [100, 900, 1800, 3400]) {
    localStorage.setItem('sakmak.opponents', JSON.stringify({ rating: { rating, deviation: 60, volatility: 0.06 } }));
    assert.equal(store.next, near(rating), String(rating));
  }
});

test('the pace is the same for a seed, and fits the position and the clock', () => {
  const usual = { moves: 30, ply: 20, mayRetake: false, left: null };
  assert.equal(paceMs(usual, 7), paceMs(usual, 7));
  const paces = Array.from({ length: 50 }, (_, seed) => paceMs(usual, seed));
  assert.ok(new Set(paces).size > 40);
  assert.ok(paces.every((ms) => ms >= 200 && ms <= 2_500));
  const mean = (part) => paces.map((_, seed) => paceMs({ ...usual, ...part }, seed)).reduce((a, b) => a + b) / 50;
  assert.ok(mean({ moves: 1 }) < mean({}));
  assert.ok(mean({ mayRetake: true }) < mean({}));
  assert.ok(mean({ ply: 2 }) < mean({}));
  assert.ok(paceMs({ ...usual, left: 15_000 }, 7) <= 300);
});

function playing(game = GAME) {
  const games = new GameStore(
    async () => new GameDatabase(),
    new Tabs(),
    () => {},
  );
  const engine = new FakeEngine();
  const store = new PlayStore(new EngineQueue(engine), games, async () => opponentsModule);
  store.begin(game);
  return { store, engine };
}

/** Waits until the loaded module has heard of the result. */
const told = () => new Promise((resolve) => setImmediate(resolve));

test('a rated game has no take back and no hint; its result is noted', async () => {
  const opponents = freshStore();
  const { store } = playing();
  store.choose({ uci: 'e3e4' });
  assert.deepEqual([store.mayTakeBack, store.mayHint], [false, false]);
  store.takeBack();
  assert.equal(store.session.tree.length, 2);
  store.resign();
  assert.equal(store.mayTakeBack, false);
  await told();
  assert.equal(opponents.tally('Frog').lost, 1);
  assert.ok(opponents.change(store.entry).after < 1500);
});

test('an unrated game has both, and a record', async () => {
  const opponents = freshStore();
  const { store } = playing({ ...GAME, animal: { ...FROG, isRated: false } });
  assert.equal(store.mayHint, true);
  store.choose({ uci: 'e3e4' });
  assert.equal(store.mayTakeBack, true);
  store.resign();
  await told();
  assert.equal(opponents.tally('Frog').lost, 1);
  assert.equal(opponents.rating, null);
});

test('the opponent is asked by its name and the seed of the game, without a clock', () => {
  const { store, engine } = playing({ ...GAME, time: { minutes: 5, seconds: 0 } });
  store.choose({ uci: 'e3e4' });
  const { go } = engine.running.job;
  assert.deepEqual(go, { opponent: 'Frog', seed: store.game.animal.seed });
  // The same game again has another seed.
  const { seed } = store.game.animal;
  store.begin({ ...store.game });
  assert.notEqual(store.game.animal.seed, seed);
  assert.deepEqual(store.session.record.header().tags.Black, 'Frog');
  assert.deepEqual(store.session.record.header().tags.BlackElo, '1050');
  store.close();
});
