// A puzzle on the board and rounds of them, with a clock, a host and an engine that do what the test says.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ EngineQueue }, { SolverStore }, { RoundStore, STORM_MS }, { PuzzleSource }, { PuzzleProgress }, rules] =
  await load(
    'src/engine/queue.ts',
    'src/state/puzzles-solver.ts',
    'src/state/puzzles-rounds.ts',
    'src/state/puzzles-data.ts',
    'src/state/puzzles-progress.ts',
    'src/rules/rules.ts',
  );
await rules.loadRules();

const DAY = 86_400_000;
const puzzle = (id, fen, line, { mistake = '', goal = 'win', accepted = {} } = {}) => ({
  id,
  fen,
  mistake,
  moves: line.split(' '),
  goal,
  accepted,
});

const WIN = puzzle('aaaaaaaa', '7k/8/8/5K2/8/8/4R3/3n4 w - 128 126 54', 'f5g6 h8g8 e2e8');
const HOLD = puzzle('bbbbbbbb', '1kr5/8/1M6/1N4mp/8/8/8/1K6 b - - 29 122', 'b6a7', { mistake: 'c8e8', goal: 'hold' });
const SEVERAL = puzzle('cccccccc', '4K3/8/8/8/8/8/8/1Mr3k1 b - 128 118 60', 'g1f1', {
  accepted: { 0: ['g1f1', 'g1f2'] },
});

/** Lets promises go on; timers are the test's. */
async function settle() {
  for (let at = 0; at < 50; at++) {
    await Promise.resolve();
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** An engine whose tables know a move, or whose search finds it; null for neither. */
function engineOf({ table = null, best = null } = {}) {
  const engine = {
    searches: 0,
    tableMove: async () => table,
    start(_job, { done, fault }) {
      engine.searches += 1;
      queueMicrotask(() => (best ? done({ best }) : fault({ code: 'other', args: {}, text: '' })));
    },
    cancel() {},
  };
  return Object.assign(new EngineQueue(engine), { engine });
}

function solving(t, one, { engine = engineOf(), isQuick = false } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const results = [];
  const solver = new SolverStore(engine);
  assert.equal(
    solver.start(one, (isSolved) => results.push(isSolved), { isQuick }),
    true,
  );
  const made = () => solver.session.tree.slice(1).map(({ uci }) => uci);
  return { solver, results, made, engine };
}

test('solver: right moves are answered by the line, the last one solves', async (t) => {
  const { solver, results, made } = solving(t, WIN);
  assert.deepEqual([solver.state, solver.side, solver.mayMove], ['toMove', 'w', true]);
  solver.play('f5g6');
  assert.deepEqual([solver.state, solver.mayMove], ['reply', false]);
  solver.play('e2e8');
  t.mock.timers.tick(1_000);
  assert.deepEqual([solver.state, solver.isBegun], ['toMove', true]);
  solver.play('e2e8');
  assert.deepEqual([solver.state, results, made()], ['solved', [true], ['f5g6', 'h8g8', 'e2e8']]);
  solver.showSolution();
  assert.equal(solver.state, 'solved');
});

test('solver: the mistake is shown first, and the other side solves', (t) => {
  const { solver, made } = solving(t, HOLD);
  assert.deepEqual([solver.state, solver.side, solver.mayMove, made()], ['mistake', 'w', false, []]);
  solver.play('b6a7');
  solver.showHint();
  solver.showSolution();
  assert.equal(solver.state, 'mistake');
  t.mock.timers.tick(1_000);
  assert.deepEqual([solver.state, solver.mayMove, made()], ['toMove', true, ['c8e8']]);
  solver.play('b6a7');
  assert.deepEqual([solver.state, solver.hasFailed], ['solved', false]);
});

test('solver: every accepted move is right, and so is a mate that the line does not have', (t) => {
  const { solver, results } = solving(t, SEVERAL);
  solver.play('g1f2');
  assert.deepEqual([solver.state, results], ['solved', [true]]);
  const mate = puzzle('dddddddd', '7k/8/6K1/8/8/8/8/R3R3 w - 16 9 40', 'e1e8');
  assert.equal(
    solver.start(mate, (isSolved) => results.push(isSolved)),
    true,
  );
  solver.play('a1a8');
  assert.deepEqual([solver.state, results], ['solved', [true, true]]);
});

test('solver: a line that ends before the game says why', (t) => {
  const { solver } = solving(t, WIN);
  const solve = (one, ...moves) => {
    solver.start(one, () => {});
    t.mock.timers.tick(1_000);
    for (const move of moves) {
      assert.equal(solver.ending, null);
      solver.play(move);
      t.mock.timers.tick(1_000);
    }
    return [solver.state, solver.ending];
  };
  // By mate; with other right moves; where the gain is safe.
  assert.deepEqual(solve(WIN, 'f5g6', 'e2e8'), ['solved', null]);
  assert.deepEqual(solve(SEVERAL, 'g1f2'), ['solved', 'others']);
  assert.deepEqual(solve({ ...SEVERAL, accepted: {} }, 'g1f1'), ['solved', 'enough']);
  // So does a solution that is shown, and the next puzzle begins anew.
  solver.start(HOLD, () => {});
  t.mock.timers.tick(1_000);
  assert.equal(solver.ending, null);
  solver.showSolution();
  t.mock.timers.tick(250);
  assert.deepEqual([solver.state, solver.ending], ['shown', solver.session.view.outcome ? null : 'enough']);
});

test('solver: a wrong move is refuted by the tables or by a search, then taken back', async (t) => {
  for (const engine of [engineOf({ table: 'd1c3' }), engineOf({ best: 'd1c3' })]) {
    t.mock.timers.reset();
    const { solver, results, made } = solving(t, WIN, { engine });
    solver.play('e2e3');
    assert.deepEqual([solver.state, results], ['refuting', [false]]);
    await settle();
    t.mock.timers.tick(1_000);
    assert.deepEqual([solver.state, solver.isRefuted, made()], ['wrong', true, ['e2e3', 'd1c3']]);
    assert.equal(solver.mayMove, false);
    solver.retry();
    assert.deepEqual([solver.state, solver.mayMove, made()], ['toMove', true, []]);
    solver.play('f5g6');
    t.mock.timers.tick(1_000);
    solver.play('e2e8');
    // The first attempt counts.
    assert.deepEqual([solver.state, solver.hasFailed, results], ['solved', true, [false]]);
  }
});

test('solver: without an answer of the engine the move is wrong all the same', async (t) => {
  const { solver, made, engine } = solving(t, WIN);
  solver.play('e2e3');
  await settle();
  t.mock.timers.tick(1_000);
  assert.deepEqual([solver.state, solver.isRefuted, made(), engine.engine.searches], ['wrong', false, ['e2e3'], 1]);
});

test('solver: an answer that comes late is not played in the next attempt', async (t) => {
  const { solver, made } = solving(t, WIN, { engine: engineOf({ table: 'd1c3' }) });
  solver.play('e2e3');
  solver.retry();
  await settle();
  t.mock.timers.tick(1_000);
  assert.deepEqual([solver.state, made()], ['toMove', []]);
  solver.play('e2e3');
  await settle();
  solver.close();
  t.mock.timers.tick(1_000);
  assert.equal(solver.session, null);
});

test('solver: a hint names the piece, the solution is played; neither counts as solved', async (t) => {
  const { solver, results, made } = solving(t, WIN);
  solver.showHint();
  assert.deepEqual([solver.hint, results], ['f5', [false]]);
  solver.play('f5g6');
  assert.equal(solver.hint, null);
  // While the reply is on its way.
  solver.showSolution();
  for (let at = 0; at < 3; at++) {
    t.mock.timers.tick(1_000);
  }
  assert.deepEqual([solver.state, made(), results], ['shown', ['f5g6', 'h8g8', 'e2e8'], [false]]);
  const other = solving2(solver);
  solver.play('e2e3');
  await settle();
  solver.showSolution();
  for (let at = 0; at < 4; at++) {
    t.mock.timers.tick(1_000);
  }
  assert.deepEqual([solver.state, made(), other], ['shown', ['f5g6', 'h8g8', 'e2e8'], [false]]);
});

function solving2(solver) {
  const results = [];
  solver.start(WIN, (isSolved) => results.push(isSolved));
  return results;
}

test('solver: an earlier position may be shown, and moves are made at the end only', (t) => {
  const { solver } = solving(t, WIN);
  solver.play('f5g6');
  solver.session.go(0);
  t.mock.timers.tick(1_000);
  assert.equal(solver.session.nodeById(solver.session.node).uci, 'h8g8');
  solver.session.go(0);
  assert.equal(solver.mayMove, false);
  solver.play('f5g5');
  assert.equal(solver.session.tree.length, 3);
});

test('solver: a puzzle whose line is not legal is refused', () => {
  const solver = new SolverStore(engineOf());
  const never = () => assert.fail();
  for (const change of [{ moves: ['a1a8'] }, { moves: [] }, { fen: 'nonsense' }, { mistake: 'a1a1' }]) {
    assert.equal(solver.start({ ...WIN, ...change }, never), false, JSON.stringify(change));
    assert.equal(solver.session, null);
  }
});

/** A list of the puzzle WIN many times over, under different names; `isCounted` says which are about the count. */
function hostOf(count, { list = 'abc', size = 10, one = WIN, isCounted = () => false } = {}) {
  const host = { isOff: false, asked: [] };
  const row = (at) => [`${list}-${at}`, one.fen, one.mistake, one.moves.join(' '), one.goal, one.accepted];
  const index = {
    format: 1,
    list,
    size,
    count,
    themes: [
      { id: 'quiet', en: 'Quiet move', th: 'ตาเดินเงียบ' },
      { id: 'fork', en: 'Fork', th: 'กินสอง' },
      { id: 'beat-count', en: 'Beat the count', th: 'ไล่จนทันศักดิ์' },
    ],
    ratings: Array.from({ length: count }, (_, at) => 600 + 20 * at),
    masks: Array.from({ length: count }, (_, at) => (at === 7 ? 3 : 1) + (isCounted(at) ? 4 : 0)),
  };
  host.fetch = async (url) => {
    host.asked.push(url);
    if (host.isOff) {
      throw new TypeError('no network');
    }
    const part = Number(/part-(\d+)/.exec(url)?.[1] ?? -1);
    const wanted = Math.min(size, count - part * size);
    const rows = { puzzles: Array.from({ length: Math.max(0, wanted) }, (_, at) => row(part * size + at)) };
    return new Response(JSON.stringify(part < 0 ? index : rows));
  };
  return host;
}

/** A storage of the browser that has these addresses. */
const storageOf = (entries = {}) => ({
  match: async (url) => (entries[url] === undefined ? undefined : new Response(entries[url])),
  put: async (url, response) => {
    entries[url] = await response.text();
  },
  keys: async () => Object.keys(entries).map((url) => ({ url: `https://example.org/${url}` })),
  delete: async () => false,
});

function playing(t, host = hostOf(30), storage = null) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = { now: Date.UTC(2026, 10, 27, 5) };
  const now = () => clock.now;
  const cache = async () => storage ?? Promise.reject(new Error('forbidden'));
  const source = new PuzzleSource({ fetch: host.fetch, cache, folder: './puzzles/' });
  const progress = new PuzzleProgress(now);
  const solver = new SolverStore(engineOf());
  const rounds = new RoundStore(source, solver, progress, () => 0, now);
  const shown = async () => {
    await settle();
    assert.equal(rounds.state, 'solving');
    return rounds.puzzle.id;
  };
  /** Solves the puzzle on the board. */
  const solve = async () => {
    const id = await shown();
    solver.play('f5g6');
    t.mock.timers.tick(500);
    solver.play('e2e8');
    assert.equal(solver.state, 'solved');
    return id;
  };
  const fail = async () => {
    const id = await shown();
    solver.play('e2e3');
    return id;
  };
  return { rounds, solver, progress, source, clock, host, shown, solve, fail };
}

const fresh = () => localStorage.removeItem('sakmak.puzzles');

test('rated: the first attempt changes the rating, no puzzle comes twice, parts come as they are needed', async (t) => {
  fresh();
  const { rounds, progress, solve, fail, solver, host } = playing(t);
  rounds.begin('rated');
  const seen = new Set();
  for (let at = 0; at < 30; at++) {
    seen.add(await (at % 3 === 2 ? fail() : solve()));
    assert.equal(rounds.isSolved, at % 3 !== 2);
    assert.equal(Math.sign(rounds.change), at % 3 === 2 ? -1 : 1);
    await rounds.next();
  }
  assert.equal(seen.size, 30);
  assert.equal(progress.value.rated, 30);
  assert.equal(host.asked.length, 4);
  // All were shown: the next round begins.
  const { rated } = progress.value;
  solver.showHint();
  assert.equal(progress.value.rated, rated + 1);
  assert.equal(rounds.isSolved, false);
});

test('rated, streak: puzzles of the count take turns with the others, though most are about it', async (t) => {
  fresh();
  const isCounted = (at) => at % 6 !== 0;
  const { rounds, solve, fail } = playing(t, hostOf(60, { size: 60, isCounted }));
  for (const mode of ['rated', 'streak']) {
    rounds.begin(mode);
    for (let at = 0; at < 8; at++) {
      // So that the rating stays where the puzzles are.
      const id = await (mode === 'rated' && at % 2 === 0 ? fail() : solve());
      assert.equal(isCounted(Number(id.split('-')[1])), at % 2 === 1, `${mode} ${at}: ${id}`);
      await (mode === 'rated' ? rounds.next() : t.mock.timers.tick(1_000));
    }
  }
  // Who solves one puzzle a visit meets both, too.
  t.mock.timers.reset();
  const again = playing(t, hostOf(60, { size: 60, isCounted }));
  again.progress.rate(1000, true);
  again.rounds.begin('rated');
  assert.equal(isCounted(Number((await again.shown()).split('-')[1])), true);
});

test('theme: only its puzzles, not rated; an unknown theme has none', async (t) => {
  fresh();
  const { rounds, progress, solve, shown } = playing(t);
  rounds.begin('theme', 'fork');
  assert.equal(await solve(), 'abc-7');
  await rounds.next();
  assert.equal(await shown(), 'abc-7');
  assert.equal(progress.value.rated, 0);
  rounds.begin('theme', 'nothing');
  await settle();
  assert.equal(rounds.state, 'none');
});

test('streak: each puzzle is harder, and the first fault ends it', async (t) => {
  fresh();
  const { rounds, progress, solve, fail, solver } = playing(t, hostOf(300, { size: 100 }));
  rounds.begin('streak');
  await solve();
  const first = rounds.rating;
  for (let at = 1; at < 8; at++) {
    t.mock.timers.tick(1_000);
    await solve();
    assert.equal(rounds.score, at + 1);
  }
  assert.ok(rounds.rating > first + 200, `${first} ${rounds.rating}`);
  t.mock.timers.tick(1_000);
  await fail();
  assert.deepEqual([rounds.isOver, rounds.isBest, progress.value.best.streak], [true, true, 8]);
  // The puzzle stays, and may be tried again without counting.
  await settle();
  t.mock.timers.tick(1_000);
  assert.equal(solver.state, 'wrong');
  solver.retry();
  solver.play('f5g6');
  t.mock.timers.tick(1_000);
  solver.play('e2e8');
  t.mock.timers.tick(5_000);
  await settle();
  assert.deepEqual([rounds.score, rounds.isOver], [8, true]);
  rounds.begin('streak');
  await fail();
  assert.deepEqual([rounds.isOver, rounds.isBest, progress.value.best.streak], [true, false, 8]);
});

test('storm: three minutes, faults go on to the next puzzle, its best is kept', async (t) => {
  fresh();
  const { rounds, progress, solve, fail, solver, clock } = playing(t);
  rounds.begin('storm');
  await solve();
  assert.equal(rounds.left, STORM_MS);
  t.mock.timers.tick(500);
  const failed = await fail();
  assert.equal(solver.state, 'wrong');
  t.mock.timers.tick(500);
  assert.notEqual(await solve(), failed);
  assert.deepEqual([rounds.score, rounds.faults], [2, 1]);
  t.mock.timers.tick(500);
  await settle();
  clock.now += STORM_MS;
  t.mock.timers.tick(STORM_MS);
  assert.deepEqual([rounds.isOver, rounds.left, progress.value.best.storm, solver.mayMove], [true, 0, 2, false]);
  await rounds.next();
  assert.equal(rounds.score, 2);
});

test('storm: one that uses up the puzzles that are loaded ends', async (t) => {
  fresh();
  const { rounds, solve } = playing(t, hostOf(3));
  rounds.begin('storm');
  for (let at = 0; at < 3; at++) {
    await solve();
    t.mock.timers.tick(500);
  }
  await settle();
  assert.deepEqual([rounds.state, rounds.isOver, rounds.score], ['none', true, 3]);
});

test('daily: one puzzle a day, of which the first attempt counts', async (t) => {
  fresh();
  const { rounds, progress, solve, fail, shown, clock } = playing(t);
  rounds.begin('daily');
  const id = await fail();
  assert.equal(progress.todaySolved, false);
  await rounds.next();
  await settle();
  assert.equal(rounds.state, 'none');
  rounds.begin('daily');
  assert.equal(await solve(), id);
  assert.equal(progress.todaySolved, false);
  clock.now += DAY;
  rounds.begin('daily');
  assert.notEqual(await shown(), id);
  // Midnight passes before it is solved.
  const day = progress.today;
  clock.now += DAY;
  await solve();
  assert.deepEqual([progress.value.daily[day], progress.todaySolved], [true, undefined]);
});

test('repeat: failed puzzles come when they are due, also in a changed list', async (t) => {
  fresh();
  const { rounds, progress, solve, clock, shown } = playing(t);
  progress.use('abc');
  progress.note('abc-25', 25, false);
  progress.note('gone', 3, false);
  rounds.begin('repeat');
  await settle();
  assert.equal(rounds.state, 'none');
  clock.now += DAY;
  // As after a change of the list: no place is known.
  progress.use('older');
  rounds.begin('repeat');
  assert.equal(await shown(), 'abc-25');
  await solve();
  await rounds.next();
  await settle();
  assert.equal(rounds.state, 'none');
  assert.deepEqual([progress.due, progress.value.tried['abc-25'].repeat.stage], [[], 1]);
  assert.equal(progress.value.tried.gone.repeat, null);
});

test('a list that does not load is reported, and asked for again', async (t) => {
  fresh();
  const { rounds, host, shown, source } = playing(t);
  host.isOff = true;
  rounds.begin('rated');
  await settle();
  assert.equal(rounds.state, 'missing');
  host.isOff = false;
  rounds.retry();
  await shown();
  // A part that is not loaded.
  host.isOff = true;
  rounds.begin('theme', 'quiet');
  await shown();
  assert.ok(source.isLoaded(rounds.at));
  // A view that is left shows nothing later.
  host.isOff = false;
  rounds.begin('rated');
  rounds.stop();
  await settle();
  assert.equal(rounds.puzzle, null);
});

test('without a network the parts that an earlier visit has stored are used', async (t) => {
  fresh();
  const host = hostOf(300);
  const storage = storageOf();
  const before = playing(t, host, storage);
  await before.source.loadPart(2);
  await settle();
  host.isOff = true;
  t.mock.timers.reset();
  const { rounds, solve, shown } = playing(t, host, storage);
  for (const mode of ['rated', 'streak']) {
    rounds.begin(mode);
    const id = Number((await solve()).slice(4));
    assert.ok(id >= 20 && id < 30, String(id));
  }
  rounds.begin('theme', 'quiet');
  await shown();
  // Its puzzle is in another part.
  rounds.begin('theme', 'fork');
  await settle();
  assert.equal(rounds.state, 'missing');
});

test('puzzles that were shown under another list are found again when their part comes', async (t) => {
  fresh();
  const { rounds, progress, shown } = playing(t, hostOf(20));
  progress.use('older');
  for (let at = 0; at < 19; at++) {
    progress.note(`abc-${at}`, at, true);
  }
  rounds.begin('rated');
  assert.equal(await shown(), 'abc-19');
});

test('a puzzle that cannot be played is passed over', async (t) => {
  fresh();
  const { rounds } = playing(t, hostOf(3, { one: { ...WIN, moves: ['a1a8'] } }));
  rounds.begin('daily');
  await settle();
  assert.equal(rounds.state, 'none');
});
