// The count trainer's hunts, films and counter, with an engine that answers what a test says.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [
  { TrainerProgress },
  { RaceStore },
  { HuntStore },
  { FilmStore },
  { CounterStore },
  lessons,
  rules,
  { EngineQueue },
] = await load(
  'src/state/trainer-progress.ts',
  'src/state/trainer-race.ts',
  'src/state/trainer-hunt.ts',
  'src/state/trainer-film.ts',
  'src/state/trainer-counter.ts',
  'src/state/trainer-lessons.ts',
  'src/rules/rules.ts',
  'src/engine/queue.ts',
);
await rules.loadRules();

const win = (plies) => ({ result: 'win', plies });
const loss = (plies) => ({ result: 'loss', plies });
const draw = { result: 'draw' };

/** Waits until a store is in a state. */
async function until(condition) {
  const started = performance.now();
  while (!condition()) {
    assert.ok(performance.now() - started < 30_000, 'the state never came');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An engine that mates any attacker to move in so many plies, and knows whether the count is long enough. */
const solver = (plies) => ({
  asked: [],
  async facts({ line: { fen } }) {
    this.asked.push(fen);
    const [, , , limit, ply] = fen.split(' ').map(Number);
    const fits = plies <= limit - ply + 1;
    return { value: fits ? win(plies) : draw, uncounted: win(plies), left: limit - ply, moves: [], needs: {} };
  },
});

test('is there time: half are in time, all are close, the answer is the engine’s', async () => {
  localStorage.removeItem('sakmak.trainer');
  const engine = solver(7);
  let seed = 0;
  const store = new RaceStore(new EngineQueue(engine), new TrainerProgress(), () => seed++);
  let fits = 0;
  for (let at = 0; at < 24; at++) {
    await store.next();
    assert.equal(store.state, 'asked');
    const { movesLeft } = store.session.view.count;
    assert.ok(Math.abs(movesLeft - 4) <= 4, String(movesLeft));
    assert.equal(store.isWon, movesLeft >= 4);
    assert.equal(store.moves, 4);
    fits += store.isWon ? 1 : 0;
    store.answer(store.isWon);
    assert.equal(store.isRight, true);
    assert.equal(store.streak, at + 1);
  }
  assert.ok(fits >= 8 && fits <= 16, String(fits));
  await store.next();
  store.answer(!store.isWon);
  assert.deepEqual([store.isRight, store.streak], [false, 0]);
  // A second answer does not count.
  store.answer(store.isWon);
  assert.equal(store.isRight, false);
});

test('is there time: an engine without an answer is reported, and a view that is left gets none', async () => {
  const silent = { facts: async () => null };
  const store = new RaceStore(new EngineQueue(silent), new TrainerProgress(), () => 1);
  await store.next();
  assert.equal(store.state, 'stuck');
  void store.next();
  store.stop();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(store.state, 'finding');
});

/** K+R+R against K, White mates by Ra1-a8 or otherwise. */
const MATE = '7k/1R6/6K1/8/8/8/8/R7 w - 16 9 40';

/** An engine with answers in order; its table moves too. */
function scripted(facts, moves = []) {
  return { facts: async () => facts.shift() ?? null, tableMove: async () => moves.shift() ?? null };
}

const known = (value, uncounted = value, needs = {}) => ({ value, uncounted, left: 9, moves: [], needs });

function hunting(engine) {
  localStorage.removeItem('sakmak.trainer');
  const progress = new TrainerProgress();
  return { store: new HuntStore(new EngineQueue(engine), progress, () => 0), progress };
}

test('hunt: a mate without a ply lost has three stars, which are kept', async () => {
  const { store, progress } = hunting(scripted([known(win(1))]));
  store.start(MATE, 'w', 'RR.1');
  assert.ok(store.mayMove);
  await store.play('a1a8');
  assert.deepEqual([store.state, store.stars, store.lost], ['reached', 3, 0]);
  assert.equal(progress.stars('RR.1'), 3);
});

test('hunt: plies lost are added up, the defence answers, a retry begins again', async () => {
  // Before the move mate in 1, after it the mate takes 4 plies: 4 lost.
  const { store } = hunting(scripted([known(win(1)), known(loss(4)), known(loss(4))], ['h8g8']));
  store.start(MATE, 'w', 'RR.1');
  await store.play('a1a2');
  await until(() => store.state === 'toMove');
  assert.equal(store.lost, 4);
  assert.equal(store.session.tree.length, 3);
  assert.ok(store.mayMove);
  store.retry();
  assert.deepEqual([store.lost, store.session.tree.length], [0, 1]);
});

test('hunt: the defence answers the last move, whatever position is shown by then', async () => {
  const asked = [];
  let answer;
  const engine = scripted([known(win(1)), known(loss(4))]);
  const { facts } = engine;
  engine.facts = async () => {
    const found = await facts();
    // The second question waits for the test.
    return found.value.result === 'win' ? found : new Promise((resolve) => (answer = () => resolve(found)));
  };
  engine.tableMove = async ({ line }) => {
    asked.push(line.words.join(' '));
    return 'h8g8';
  };
  const { store } = hunting(engine);
  store.start(MATE, 'w');
  void store.play('a1a2');
  await until(() => answer);
  store.session.step(-1);
  engine.facts = async () => known(loss(4));
  answer();
  await until(() => store.state === 'toMove');
  assert.deepEqual(asked, ['a1a2']);
  assert.deepEqual(
    store.session.tree.map(({ uci }) => uci),
    ['', 'a1a2', 'h8g8'],
  );
});

test('hunt: a move that the count outlasts fails; without an answer it says so', async () => {
  const slow = hunting(scripted([known(win(1)), known(draw, loss(20))]));
  slow.store.start(MATE, 'w');
  await slow.store.play('a1a2');
  assert.equal(slow.store.state, 'failed');
  const silent = hunting(scripted([]));
  silent.store.start(MATE, 'w');
  await silent.store.play('a1a2');
  assert.equal(silent.store.state, 'stuck');
});

test('escape: the attacker hunts by the shortest mate though the count is too short', async () => {
  const needs = { b7b2: 12, a1a2: 8 };
  const engine = scripted([known(draw, win(9), needs), known(draw, loss(8)), known(draw, win(5))]);
  const { store } = hunting(engine);
  store.start(MATE, 'b');
  assert.equal(store.isEscape, true);
  await until(() => store.state === 'toMove');
  assert.equal(store.session.nodeById(store.session.node).uci, 'a1a2');
  await store.play('h8g8');
  // 7 plies would have been left: two were lost.
  assert.equal(store.lost, 2);
});

test('escape: a khun that shortens the mate until it is in time has failed', async () => {
  const engine = scripted([known(draw, win(9), { a1a2: 8 }), known(draw, loss(8)), known(win(3))]);
  const { store } = hunting(engine);
  store.start(MATE, 'b');
  await until(() => store.state === 'toMove');
  await store.play('h8g8');
  assert.equal(store.state, 'failed');
});

test('lessons: a position whose mate fits the count, and an escape whose mate just does not', async () => {
  const [lesson] = lessons.LESSONS;
  const engine = solver(5);
  const fen = await lessons.lessonPosition(engine, lesson, 1);
  assert.equal(await lessons.lessonPosition(engine, lesson, 1), fen);
  assert.notEqual(await lessons.lessonPosition(engine, lesson, 2), fen);
  const close = await lessons.lessonPosition(engine, lesson, lessons.ESCAPE);
  const [, , , limit, ply] = close.split(' ').map(Number);
  assert.ok(limit - ply + 1 < 5, close);
  assert.equal(await lessons.lessonPosition({ facts: async () => null }, lesson, 1), null);
});

test('film: both sides play by the engine; pause, step and pace', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const film = new FilmStore(new EngineQueue({ tableMove: async (_, seed) => (seed === 0 ? moves.shift() : null) }));
  const moves = ['a1a2', 'h8g8', 'a2a8'];
  const nodes = () => film.session.tree.length;
  film.start(MATE);
  assert.equal(film.isPlaying, true);
  t.mock.timers.tick(1_000);
  await until(() => nodes() === 2);
  film.setPace(400);
  t.mock.timers.tick(400);
  await until(() => nodes() === 3);
  film.pause();
  t.mock.timers.tick(10_000);
  assert.equal(nodes(), 3);
  await film.step(-1);
  assert.equal(film.session.isAtEnd, false);
  await film.step(1);
  assert.equal(nodes(), 3);
  await film.step(1);
  assert.equal(nodes(), 4);
  assert.equal(film.session.view.outcome.reason, 'checkmate');
  // It begins again from the start, without asking.
  film.play();
  assert.equal(film.session.node, 0);
  t.mock.timers.tick(400);
  assert.equal(nodes(), 4);
  film.close();
  assert.equal(film.session, null);
});

/** A counter with a clock and a voice that the test has. */
function counting() {
  const spoken = [];
  const clock = { now: 0 };
  const store = new CounterStore(
    (number) => spoken.push(number),
    () => clock.now,
  );
  return { store, spoken, clock };
}

test('counter: limit and first number by the material, spoken up to the limit, back by one', () => {
  const { store, spoken } = counting();
  store.add('R', 1);
  assert.equal(store.mayAdd('R', 1), false);
  store.add('R', 1);
  assert.deepEqual(store.chosen, { limit: 8, first: 5, left: 4 });
  store.start();
  for (let at = 0; at < 6; at++) {
    store.next();
  }
  assert.deepEqual(spoken, [5, 6, 7, 8]);
  assert.equal(store.isOver, true);
  store.back();
  assert.equal(store.number, 7);
  for (let at = 0; at < 5; at++) {
    store.back();
  }
  assert.equal(store.number, null);
  assert.equal(store.mayGoBack, false);
  store.add('R', -1);
  store.add('R', -1);
  assert.equal(store.chosen, null);
  store.setHonour('board');
  assert.deepEqual(store.chosen, { limit: 64, first: 1 });
});

test('counter: with clocks a tap ends the move of a side, and only the counter’s are counted', () => {
  const { store, spoken, clock } = counting();
  store.setMinutes(5);
  store.setCounter('w');
  store.start();
  assert.equal(store.turn, 'w');
  clock.now += 10_000;
  store.next();
  assert.deepEqual([store.turn, store.left('w'), store.left('b')], ['b', 290_000, 300_000]);
  clock.now += 4_000;
  assert.equal(store.left('b'), 296_000);
  store.next();
  assert.deepEqual(spoken, [store.begun.first]);
  store.back();
  assert.deepEqual([store.turn, store.left('b')], ['b', 296_000]);
  store.setMinutes(Number.NaN);
  assert.equal(store.minutes, 0);
});
