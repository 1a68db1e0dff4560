// The list of puzzles, which of them comes next, and what is kept of them.
import './browser.mjs';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { GameRecord } from 'sakmak/study';
import { load } from '../source.mjs';

const [data, picks, progressModule, { INTERVALS }, { rated, START }, { puzzlesEn }, { puzzlesTh }] = await load(
  'src/state/puzzles-data.ts',
  'src/state/puzzles-pick.ts',
  'src/state/puzzles-progress.ts',
  'src/state/repeat.ts',
  'src/state/rating.ts',
  'src/messages/puzzles-en.ts',
  'src/messages/puzzles-th.ts',
);
const { PuzzleSource, readIndex, readPart } = data;
const { dailyPlace, dayOf, isOfCount, pick, runRating, themeCount } = picks;
const { joined, PuzzleProgress, readProgress, writeProgress } = progressModule;

const DAY = 86_400_000;
const KEY = 'sakmak.puzzles';

/** An index of puzzles with ratings 600, 610, ... */
const indexOf = (count, { list = 'abc123', size = 10 } = {}) => ({
  format: 1,
  list,
  size,
  count,
  themes: [
    { id: 'fork', en: 'Fork', th: 'กินสอง' },
    { id: 'quiet', en: 'Quiet move', th: 'ตาเดินเงียบ' },
  ],
  ratings: Array.from({ length: count }, (_, at) => 600 + 10 * at),
  masks: Array.from({ length: count }, (_, at) => (at % 3 === 0 ? 3 : 1)),
});

const rowOf = (at) => [String(at).padStart(8, '0'), '8/8/8/8/8/8/8/8 w - - 0 1', '', 'a1a2', 'win', {}];

const partOf = (index, part) => ({
  puzzles: Array.from({ length: Math.min(index.size, index.count - part * index.size) }, (_, at) =>
    rowOf(part * index.size + at),
  ),
});

/** A host with an index and its parts, which notes what is asked; `isOff` is a network that is gone. */
function hostOf(index) {
  const host = { index, isOff: false, asked: [], stored: new Map() };
  host.fetch = async (url) => {
    host.asked.push(url);
    if (host.isOff) {
      throw new TypeError('no network');
    }
    const part = /part-(\d+)\.json/.exec(url);
    const body = part ? partOf(host.index, Number(part[1])) : host.index;
    return new Response(JSON.stringify(body));
  };
  host.cache = async () => ({
    match: async (url) => host.stored.has(url) && new Response(host.stored.get(url)),
    put: async (url, response) => void host.stored.set(url, await response.text()),
    keys: async () => [...host.stored.keys()].map((url) => ({ url })),
    delete: async (url) => host.stored.delete(url),
  });
  host.source = () => new PuzzleSource({ fetch: host.fetch, cache: host.cache, folder: './puzzles/' });
  return host;
}

test('list: the index comes first, a part once it is needed, and again from the storage', async () => {
  const host = hostOf(indexOf(25));
  const source = host.source();
  const bytes = [];
  const index = await source.loadIndex((come) => bytes.push(come));
  assert.deepEqual([index.count, source.partCount, source.isLoaded(20)], [25, 3, false]);
  assert.ok(bytes.at(-1) > 100);
  const part = await source.loadPart(2);
  assert.deepEqual([part.length, part[0].id, source.isLoaded(20)], [5, '00000020', true]);
  await source.loadPart(2);
  assert.deepEqual(host.asked, ['./puzzles/index.json', './puzzles/part-002.json?abc123']);
  // The next visit has no network: what was loaded is there, the rest is not.
  host.isOff = true;
  const later = host.source();
  await later.loadIndex();
  assert.deepEqual([later.isLoaded(20), later.isLoaded(0)], [true, false]);
  assert.equal((await later.loadPart(2)).length, 5);
  await assert.rejects(later.loadPart(0));
  // A damaged part is loaded anew.
  host.stored.set('./puzzles/part-002.json?abc123', '{}');
  host.isOff = false;
  assert.equal((await host.source().loadPart(2)).length, 5);
  host.isOff = true;
  await assert.rejects(hostOffWithoutStorage().loadIndex());
});

function hostOffWithoutStorage() {
  const host = hostOf(indexOf(5));
  host.isOff = true;
  host.cache = () => Promise.reject(new Error('forbidden'));
  return host.source();
}

test('list: a part of another list is refused; a new list is taken, and the old parts are deleted', async () => {
  const host = hostOf(indexOf(25));
  const source = host.source();
  await source.loadPart(0);
  host.index = indexOf(40, { list: 'def456' });
  await assert.rejects(source.loadPart(2), /another list/);
  source.refresh();
  assert.equal((await source.loadIndex()).list, 'def456');
  assert.equal(source.isLoaded(0), false);
  assert.equal((await source.loadPart(3)).length, 10);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual([...host.stored.keys()], ['./puzzles/index.json', './puzzles/part-003.json?def456']);
  // Without storage the list works as long as the page is open.
  host.cache = () => Promise.reject(new Error('forbidden'));
  const bare = host.source();
  await bare.loadPart(1);
  host.isOff = true;
  bare.refresh();
  assert.equal((await bare.loadPart(1)).length, 10);
});

test('list: what is no list is refused', () => {
  const good = indexOf(25);
  assert.equal(readIndex(JSON.stringify(good)).count, 25);
  for (const change of [
    { format: 2 },
    { list: '../x' },
    { size: 0 },
    { count: 24 },
    { ratings: [1] },
    { masks: good.masks.map(String) },
    { themes: [{ id: 'fork' }] },
    { themes: Array.from({ length: 32 }, () => good.themes[0]) },
  ]) {
    assert.throws(() => readIndex(JSON.stringify({ ...good, ...change })), Error, JSON.stringify(change));
  }
  assert.throws(() => readIndex('<!doctype html>'));
  const index = readIndex(JSON.stringify(good));
  const rows = (change) => ({ puzzles: [...partOf(good, 2).puzzles.slice(0, 4), change] });
  assert.equal(readPart(JSON.stringify(partOf(good, 2)), index, 2).length, 5);
  for (const row of [null, [], [...rowOf(24)].fill(5), rowOf(24).with(3, 'a1a2 a2a3'), rowOf(24).with(5, { 0: [1] })]) {
    assert.throws(() => readPart(JSON.stringify(rows(row)), index, 2), Error, JSON.stringify(row));
  }
  assert.throws(() => readPart(JSON.stringify(partOf(good, 1)), index, 2));
  assert.throws(() => readPart(JSON.stringify({ ...partOf(good, 2), list: 'def456' }), index, 2));
});

test('next: near the rating, none twice until all were shown, loaded ones first', () => {
  const index = indexOf(100);
  const shown = new Map();
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648);
  const wish = {
    rating: 1000,
    times: (at) => shown.get(at) ?? 0,
    isLoaded: () => false,
    order: 'rounds',
  };
  for (let round = 1; round <= 2; round++) {
    for (let drawn = 0; drawn < 100; drawn++) {
      const at = pick(index, wish, random);
      assert.equal(shown.get(at) ?? 0, round - 1);
      assert.ok(drawn > 60 || Math.abs(index.ratings[at] - 1000) < 450, `${drawn}: ${index.ratings[at]}`);
      shown.set(at, round);
    }
  }
  const loaded = pick(index, { ...wish, isLoaded: (at) => at === 45 }, random);
  assert.equal(loaded, 45);
  assert.equal(pick(index, { ...wish, allows: () => false }, random), null);
  // A run is near its rating even where all near puzzles were shown.
  shown.set(40, 1);
  assert.equal(pick(index, { ...wish, order: 'near' }, random), 40);
  assert.deepEqual([runRating('streak', 0), runRating('streak', 10)], [600, 1200]);
  assert.deepEqual([themeCount(index, 0), themeCount(index, 1)], [100, 34]);
});

test('next: a preferred kind comes first where it is near the rating and not shown more often', () => {
  const index = indexOf(100);
  const shown = new Map();
  const times = (at) => shown.get(at) ?? 0;
  const wish = { rating: 1000, times, isLoaded: () => false, prefers: (at) => at >= 60, order: 'rounds' };
  const next = (change = {}) => pick(index, { ...wish, ...change }, () => 0);
  // The puzzles have the ratings 600, 610, ...: that of 1200 is near 1000, not 700.
  assert.equal(next(), 60);
  assert.ok(next({ rating: 700 }) < 60);
  assert.equal(next({ order: 'near' }), 60);
  for (let at = 60; at < 100; at++) {
    shown.set(at, 1);
  }
  assert.equal(next(), 40, 'what was not shown goes first');
  assert.ok(next({ order: 'near' }) >= 60);
});

test('daily: games and the count take turns', () => {
  const index = indexOf(100);
  index.themes[1] = { id: 'keep-bia', en: 'Keep a bia', th: 'เก็บเบี้ยไว้' };
  const isCounted = isOfCount(index);
  assert.deepEqual([isCounted(0), isCounted(1)], [true, false]);
  for (let day = 20_000; day < 20_100; day++) {
    assert.equal(isCounted(dailyPlace(index, day)), day % 2 === 1, String(day));
  }
  // A list of one kind.
  index.masks.fill(2);
  assert.equal(isOfCount(index)(dailyPlace(index, 20_000)), true);
});

test('daily: the same for everybody, another each day, by the day of Thailand', () => {
  const index = indexOf(5000);
  const midnight = Date.UTC(2026, 10, 26, 17);
  assert.equal(dayOf(midnight - 1) + 1, dayOf(midnight));
  assert.equal(dailyPlace(index, 20_783), dailyPlace(indexOf(5000), 20_783));
  const places = new Set(Array.from({ length: 200 }, (_, day) => dailyPlace(index, 20_000 + day)));
  assert.ok(places.size > 180, String(places.size));
  assert.notEqual(dailyPlace(index, 20_783), dailyPlace(indexOf(5000, { list: 'ffff' }), 20_783));
});

/** A progress with a clock of its own and nothing stored. */
function freshProgress() {
  localStorage.removeItem(KEY);
  const clock = { now: Date.UTC(2026, 10, 27, 5) };
  return { progress: new PuzzleProgress(() => clock.now), clock };
}

test('progress: a failed puzzle comes again after 1, 3, 7 and 21 days, and from the start after a fault', () => {
  const { progress, clock } = freshProgress();
  progress.note('a', 3, false);
  progress.note('b', 4, true);
  assert.deepEqual([progress.due, progress.triedCount, progress.solvedCount], [[], 2, 1]);
  clock.now += DAY;
  assert.deepEqual(progress.due, ['a']);
  for (const days of INTERVALS.slice(1)) {
    progress.note('a', 3, true, { isRepeat: true });
    clock.now += (days - 1) * DAY;
    assert.deepEqual(progress.due, [], `before ${days} days`);
    clock.now += DAY;
    assert.deepEqual(progress.due, ['a'], `after ${days} days`);
  }
  progress.note('a', 3, false, { isRepeat: true });
  assert.equal(progress.nextDue, progress.today + 1);
  for (const days of INTERVALS) {
    clock.now += days * DAY;
    progress.note('a', 3, true, { isRepeat: true });
  }
  assert.deepEqual([progress.due, progress.nextDue], [[], null]);
  // Solved by the way, without being due, it still comes again.
  progress.note('b', 4, false);
  progress.note('b', 4, true);
  clock.now += DAY;
  assert.deepEqual(progress.due, ['b']);
  progress.forget('b');
  assert.deepEqual(progress.due, []);
});

test('progress: the rating moves with each puzzle, and is less certain after a pause', () => {
  const { progress, clock } = freshProgress();
  assert.deepEqual(progress.value.rating, START);
  const gain = progress.rate(1500, true);
  assert.ok(gain > 50 && gain < 300, String(gain));
  assert.ok(progress.value.rating.deviation < 300);
  assert.ok(progress.rate(1500, false) < 0);
  const before = progress.value.rating;
  clock.now += 300 * DAY;
  progress.rate(1500, true);
  const { deviation } = rated(before, [{ rating: 1500, deviation: 90, score: 1 }]);
  assert.ok(progress.value.rating.deviation > deviation + 1);
  const again = new PuzzleProgress(() => clock.now);
  assert.deepEqual([again.value.rated, again.value.ratings.length], [3, 3]);
  assert.deepEqual(again.value.ratings[2], [again.today, Math.round(again.value.rating.rating)]);
});

test('progress: what the browser refuses to store lasts until the page is closed', (context) => {
  const { progress } = freshProgress();
  progress.note('a', 1, true);
  context.mock.method(localStorage, 'setItem', () => {
    throw new Error('full');
  });
  progress.note('b', 2, false);
  progress.rate(1500, true);
  progress.rate(1500, true);
  assert.deepEqual([progress.triedCount, progress.value.rated, progress.isRefused], [2, 2, true]);
  context.mock.restoreAll();
  progress.note('c', 3, true);
  const again = new PuzzleProgress();
  assert.deepEqual([again.triedCount, again.value.rated, progress.isRefused], [3, 2, false]);
});

test('progress: the puzzle of the day counts once, and days in a row are counted', () => {
  const { progress, clock } = freshProgress();
  for (let day = 0; day < 3; day++) {
    assert.equal(progress.todaySolved, undefined);
    progress.noteDaily(progress.today, true);
    progress.noteDaily(progress.today, false);
    assert.deepEqual([progress.todaySolved, progress.dailyRun], [true, day + 1]);
    clock.now += DAY;
  }
  assert.equal(progress.dailyRun, 3);
  progress.noteDaily(progress.today, false);
  assert.equal(progress.dailyRun, 0);
  assert.deepEqual(
    [progress.noteRun('storm', 5), progress.noteRun('storm', 5), progress.noteRun('storm', 6)],
    [true, false, true],
  );
});

test('progress: a changed list keeps it by the names of the puzzles', () => {
  const { progress } = freshProgress();
  progress.use('abc123');
  progress.note('00000003', 3, false);
  progress.note('00000012', 12, true);
  progress.use('def456');
  assert.equal(progress.timesByPlace().get(3), undefined);
  progress.locate([{ id: '00000012' }, { id: '00000003' }], 20);
  assert.deepEqual([progress.timesByPlace().get(20), progress.timesByPlace().get(21)], [1, 1]);
  // Two tabs: what the other one has written is not lost.
  const other = new PuzzleProgress();
  other.note('00000099', 7, true);
  progress.note('00000098', 8, true);
  assert.deepEqual(Object.keys(progress.value.tried).sort(), ['00000003', '00000012', '00000098', '00000099']);
});

test('progress: export and import join two of them; what is none is refused', () => {
  const { progress, clock } = freshProgress();
  progress.use('abc123');
  progress.note('a', 3, true);
  progress.note('b', 4, true);
  progress.noteRun('storm', 9);
  const first = progress.exportText();
  localStorage.removeItem(KEY);
  clock.now += 2 * DAY;
  const second = new PuzzleProgress(() => clock.now);
  second.use('abc123');
  second.note('b', 4, false);
  second.rate(1500, true);
  second.noteRun('streak', 4);
  assert.equal(second.importText(first), true);
  const { tried, best, rated: number } = second.value;
  assert.deepEqual([tried.a.solved, tried.a.at, tried.b.solved, number], [true, 3, false, 1]);
  assert.deepEqual(best, { streak: 4, storm: 9 });
  assert.deepEqual(joined(second.value, second.value), second.value);
  assert.deepEqual(readProgress(second.exportText()), second.value);
  const before = second.exportText();
  for (const text of ['', '[]', '{"puzzles":2}', '1. e4', 'null']) {
    assert.equal(second.importText(text), false, text);
  }
  assert.equal(second.exportText(), before);
});

test('progress: parts that do not fit are left out, and a value that fits nowhere is reported', () => {
  const tried = { good: [1, 1, 20_000, 3, 0, 20_001], bad: [1, 2], worse: 'x', never: [0, 0, 0, 0, 0, 0] };
  const read = readProgress(JSON.stringify({ puzzles: 1, rating: 'x', rated: 4, tried }));
  assert.deepEqual([read.rating, read.rated, Object.keys(read.tried)], [START, 4, ['good']]);
  assert.equal(JSON.parse(writeProgress(read)).puzzles, 1);
  localStorage.setItem(KEY, '{');
  const progress = new PuzzleProgress();
  assert.equal(progress.isDamaged, true);
  progress.note('a', 1, true);
  assert.equal(new PuzzleProgress().isDamaged, false);
});

test('list of the page: it can be read, its moves are legal, and each id stands there once', (t) => {
  const folder = join(import.meta.dirname, '../../public/puzzles');
  if (!existsSync(join(folder, 'index.json'))) {
    t.skip('there is no list');
    return;
  }
  const index = readIndex(readFileSync(join(folder, 'index.json'), 'utf8'));
  const ids = new Set();
  for (let part = 0; part * index.size < index.count; part++) {
    const name = `part-${String(part).padStart(3, '0')}.json`;
    for (const { id, fen, mistake, moves, accepted } of readPart(
      readFileSync(join(folder, name), 'utf8'),
      index,
      part,
    )) {
      ids.add(id);
      const record = new GameRecord(fen);
      let node = mistake ? record.play(0, mistake) : 0;
      moves.forEach((move, ply) => {
        for (const other of accepted[ply] ?? []) {
          record.play(node, other);
        }
        node = record.play(node, move);
      });
      record.free();
    }
  }
  assert.equal(ids.size, index.count);
  // A puzzle may be of no theme.
  assert.ok(index.masks.every((mask) => mask >= 0 && mask < 2 ** index.themes.length));
});

test('words: both languages have the same keys and arguments, each is used, digits are of one kind', () => {
  const folder = join(import.meta.dirname, '../../src/ui/puzzles');
  const source = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const args = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
  // Keys that are put together.
  const modes = ['rated', 'daily', 'repeat', 'streak', 'storm', 'progress'];
  const put = new Set([
    ...modes.flatMap((mode) => [`puzzles.${mode}.title`, `puzzles.${mode}.lead`]),
    ...['win', 'mate', 'hold', 'advantage', 'best'].flatMap((goal) => [
      `puzzles.goal.${goal}`,
      `puzzles.enough.${goal}`,
    ]),
    'puzzles.imported',
    'puzzles.notImported',
  ]);
  assert.deepEqual(Object.keys(puzzlesTh), Object.keys(puzzlesEn));
  for (const [key, text] of Object.entries(puzzlesEn)) {
    assert.ok(source.includes(`'${key}'`) || put.has(key), key);
    assert.deepEqual(args(puzzlesTh[key]), args(text), key);
    assert.doesNotMatch(puzzlesTh[key], /[๐-๙]/, key);
  }
});
