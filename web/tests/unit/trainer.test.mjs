// The count trainer: its stores with an engine that answers what a test says, and its words.
import './browser.mjs';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { load } from '../source.mjs';

const [progressModule, quizModule, { manyTasks }, { whoseTasks }, rules, { trainerEn }, { trainerTh }] = await load(
  'src/state/trainer-progress.ts',
  'src/state/trainer-quiz.ts',
  'src/state/trainer-many.ts',
  'src/state/trainer-whose.ts',
  'src/rules/rules.ts',
  'src/messages/trainer-en.ts',
  'src/messages/trainer-th.ts',
);
const { TrainerProgress, starsFor } = progressModule;
const { QuizStore, ROUND_MS } = quizModule;
await rules.loadRules();

const DAY = 86_400_000;

/** A progress with a clock of its own and nothing stored. */
function freshProgress() {
  localStorage.removeItem('sakmak.trainer');
  const clock = { now: new Date(2026, 10, 26, 12).getTime() };
  return { progress: new TrainerProgress(() => clock.now), clock };
}

/** A quiz whose seeds count from 0. */
function quiz(draw) {
  const { progress, clock } = freshProgress();
  let seed = 0;
  const store = new QuizStore(
    'many',
    draw,
    progress,
    () => seed++,
    () => clock.now,
  );
  return { store, progress, clock };
}

test('progress: the best is kept, days in a row are counted and survive a reload', () => {
  const { progress, clock } = freshProgress();
  assert.deepEqual(progress.of('many'), { best: 0, streak: 0, days: 0, last: '' });
  progress.note('many', { best: 7, streak: 3 });
  progress.note('many', { best: 5, streak: 4 });
  assert.deepEqual(progress.of('many'), { best: 7, streak: 4, days: 1, last: '2026-11-26' });
  clock.now += DAY;
  progress.note('many');
  assert.equal(progress.of('many').days, 2);
  clock.now += 2 * DAY;
  progress.note('many');
  assert.deepEqual(progress.of('many'), { best: 7, streak: 4, days: 1, last: '2026-11-29' });
  progress.noteStars('SS.1', 2);
  progress.noteStars('SS.1', 1);
  const again = new TrainerProgress(() => clock.now);
  assert.equal(again.stars('SS.1'), 2);
  assert.equal(again.of('many').best, 7);
  assert.equal(again.of('whose').days, 0);
});

test('progress: what another tab has earned since is not lost', () => {
  const { progress, clock } = freshProgress();
  const other = new TrainerProgress(() => clock.now);
  other.note('hunt', { best: 4 });
  other.noteStars('SS.1', 3);
  progress.noteStars('R.1', 1);
  progress.note('many', { best: 2 });
  progress.noteStars('SS.1', 2);
  const again = new TrainerProgress(() => clock.now);
  assert.deepEqual([again.stars('SS.1'), again.stars('R.1')], [3, 1]);
  assert.deepEqual([again.of('hunt').best, again.of('many').best], [4, 2]);
});

test('progress: three stars for no ply lost, two up to 4, one up to 10', () => {
  assert.deepEqual(
    [0, 1, 4, 5, 10, 11].map((lost) => starsFor(lost)),
    [3, 2, 2, 1, 1, 0],
  );
});

test('how many: four questions on a position, with the answers of the rules among five', () => {
  for (let seed = 0; seed < 60; seed++) {
    const tasks = manyTasks(seed);
    assert.deepEqual(
      tasks.map(({ ask }) => ask),
      ['pieces', 'limit', 'first', 'left'],
    );
    const [pieces, limit, , left] = tasks.map(({ right }) => right);
    const { view } = tasks[0].session;
    assert.equal(pieces, [...view.board].filter((letter) => letter !== '.').length);
    assert.equal(limit, view.count.limit);
    assert.equal(left, view.count.movesLeft);
    for (const { choices, right, why } of tasks) {
      assert.equal(choices.length, 5);
      assert.ok(choices.includes(right));
      assert.ok(why in trainerEn, why);
    }
  }
});

test('whose count: answers come from the rules, and each kind of question has both answers', () => {
  const seen = new Set();
  for (let seed = 0; seed < 120; seed++) {
    for (const { ask, right, choices, why, session } of whoseTasks(seed)) {
      seen.add(`${ask} ${right}`);
      assert.ok(choices.includes(right));
      assert.ok(why in trainerEn, why);
      const { view } = session;
      if (ask === 'start') {
        assert.equal(right === 'yes', view.byHand.start, view.fen);
      }
      if (ask === 'whose') {
        assert.equal(right, view.count.counter ?? 'nobody', view.fen);
      }
      if (ask === 'stop' && right === 'yes') {
        assert.ok(view.byHand.stop, view.fen);
        assert.ok(
          view.moves.some(({ outcome }) => outcome?.reason === 'counter-mated'),
          view.fen,
        );
      }
    }
  }
  assert.deepEqual([...seen].sort(), [
    'start no',
    'start yes',
    'stop no',
    'stop yes',
    'whose b',
    'whose nobody',
    'whose w',
  ]);
});

test('whose count: the positions made by hand', () => {
  // Seeds of the third kind: 3, 7, 11 ...
  const answers = [0, 1, 2, 3].map((at) =>
    whoseTasks(4 * at + 3).map(({ ask, right, why }) => `${ask} ${right} ${why.split('.').at(-1)}`),
  );
  assert.deepEqual(answers, [
    ['whose nobody equal'],
    ['whose b pieces', 'stop no pieces'],
    ['whose w pieces', 'stop no pieces'],
    ['whose b board', 'stop yes mate'],
  ]);
});

test('quiz: right answers count on, a wrong one ends the run and waits', () => {
  const { store, progress } = quiz(manyTasks);
  store.begin(false);
  const first = store.task;
  store.choose(first.right);
  assert.equal(store.isRight, true);
  assert.equal(store.task, first);
  store.next();
  assert.equal(store.task.ask, 'limit');
  assert.equal(store.task.session, first.session);
  store.choose(12345);
  assert.equal(store.chosen, null);
  const wrong = store.task.choices.find((choice) => choice !== store.task.right);
  store.choose(wrong);
  assert.deepEqual([store.chosen, store.isRight, store.streak, store.score], [wrong, false, 0, 1]);
  // Only the first answer counts.
  store.choose(store.task.right);
  assert.equal(store.chosen, wrong);
  for (let more = 0; more < 3; more++) {
    store.next();
  }
  assert.equal(store.task.ask, 'pieces');
  assert.notEqual(store.task.session, first.session);
  assert.equal(progress.of('many').streak, 1);
});

test('quiz: a round of a minute keeps its best', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, progress, clock } = quiz(manyTasks);
  store.begin(true);
  for (let at = 0; at < 6; at++) {
    store.choose(store.task.right);
    assert.equal(store.chosen, null);
  }
  clock.now += 20_000;
  assert.equal(store.left, 40_000);
  clock.now += 40_000;
  t.mock.timers.tick(ROUND_MS);
  assert.equal(store.isOver, true);
  store.choose(store.task.right);
  assert.equal(store.score, 6);
  assert.equal(progress.of('many').best, 6);
  store.begin(true);
  store.stop();
  t.mock.timers.tick(2 * ROUND_MS);
  assert.equal(store.isOver, false);
});

test('quiz: a seed without a position is passed over', () => {
  const { store } = quiz((seed) => (seed < 3 ? [] : manyTasks(seed)));
  store.begin(false);
  assert.ok(store.task);
});

test('words: Thai has each of English with its arguments, and each is used', () => {
  const args = (text) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name));
  for (const [key, text] of Object.entries(trainerTh)) {
    for (const name of args(text)) {
      assert.ok(args(trainerEn[key]).has(name), `${key}: ${name}`);
    }
  }
  const root = join(import.meta.dirname, '../../src');
  const source = ['state', 'ui/trainer']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const prefixes = [...source.matchAll(/[`'](trainer\.(?:[\w.]+\.)?)\$\{/g)].map(([, prefix]) => prefix);
  const unused = Object.keys(trainerEn).filter((key) => {
    // `trainer.${part}.title` and `trainer.${answer}`: what stands behind the first part.
    const isPart = prefixes.some((prefix) => prefix !== 'trainer.' && key.startsWith(prefix));
    return !source.includes(`'${key}'`) && !isPart;
  });
  assert.deepEqual(unused.sort(), ['trainer.no', 'trainer.nobody', 'trainer.yes', ...PARTS].sort());
});

/** Keys that are put together from their middle. */
const PARTS = ['trainer.many.lead', 'trainer.time.lead', 'trainer.escape.goal', 'trainer.hunt.goal'];
