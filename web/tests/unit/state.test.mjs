// The stores as state machines, with an engine that answers what a test says.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [
  { PlayStore },
  { AnalyseStore },
  { LearnStore },
  { toasts },
  { loading },
  { walk },
  { settings },
  { GameStore },
  { GameDatabase },
  { Tabs },
  rules,
  { EngineQueue },
] = await load(
  'src/state/play.ts',
  'src/state/analyse.ts',
  'src/state/learn.ts',
  'src/state/toasts.ts',
  'src/state/loading.ts',
  'src/state/walk.ts',
  'src/state/settings.ts',
  'src/state/games.ts',
  'src/state/games-db.ts',
  'src/state/tabs.ts',
  'src/rules/rules.ts',
  'src/engine/queue.ts',
);
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const GAME = { level: 3, side: 'w', time: null, rules: RULES };

/** A store with its engine; `draws` counts how often it asked to be drawn. */
function storeOf(Store) {
  const games = new GameStore(
    async () => new GameDatabase(),
    new Tabs(),
    () => {},
  );
  const engine = new FakeEngine();
  const queue = new EngineQueue(engine);
  const store = new Store(queue, games);
  const seen = { draws: 0 };
  store.subscribe(() => {
    seen.draws += 1;
  });
  return { store, engine, queue, seen };
}

/** A game against the engine in which the person is to move. */
function playing() {
  const made = storeOf(PlayStore);
  made.store.begin(GAME);
  assert.ok(made.store.mayMove);
  return made;
}

const toastTexts = () => toasts.list.map(({ text }) => text);

test('play: a hint waits for the answer to a draw offer', () => {
  const { store, engine } = playing();
  store.offerDraw();
  assert.equal(store.offered, 'asked');
  assert.equal(store.mayHint, false);
  store.showHint();
  assert.equal(engine.jobs.length, 1);
  engine.end('done', { takesDraw: [false, false] });
  assert.equal(store.offered, 'declined');
  assert.equal(store.mayHint, true);
  store.showHint();
  engine.end('done', { best: 'e3e4' });
  assert.deepEqual(store.hint, { from: 'e3', to: 'e4' });
});

test('play: an accepted draw ends the game', () => {
  const { store, engine } = playing();
  store.offerDraw();
  engine.end('done', { takesDraw: [true, true] });
  assert.deepEqual(store.result, { winner: null, reason: 'agreement' });
  assert.equal(store.mayMove, false);
});

test('play: an earlier position is shown, nothing is moved there, and one step leads back', () => {
  const { store, engine } = playing();
  store.choose({ uci: 'e3e4' });
  assert.equal(store.isThinking, true);
  engine.end('fault', { code: 'crash', args: {}, text: 'it died' });
  assert.ok(store.isStuck);
  store.step(-1);
  assert.equal(store.session.isAtEnd, false);
  assert.equal(store.mayMove, false);
  assert.equal(store.isStuck, false);
  store.step(1_000_000);
  assert.ok(store.session.isAtEnd && store.isStuck);
});

test('play: an answer to a game that was left is not played in the next', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine } = playing();
  store.choose({ uci: 'e3e4' });
  const { handlers } = engine.running;
  store.begin(GAME);
  handlers.done({ best: 'e6e5', stopsCount: false });
  t.mock.timers.tick(60_000);
  assert.equal(store.session.tree.length, 1);
});

test('play: taking back leads to the person’s turn again', () => {
  const { store } = playing();
  store.choose({ uci: 'e3e4' });
  store.session.play('e6e5');
  assert.equal(store.session.tree.length, 3);
  store.takeBack();
  assert.equal(store.session.tree.length, 1);
  assert.ok(store.mayMove);
});

/** Something else that asks the engine. */
const another = (queue, kind) => queue.asker().search(kind, {}, {}, { fault: () => {} });

test('play: a hint shows that it is looked for, and a second press gives it up', () => {
  const { store, engine, queue, seen } = playing();
  store.showHint();
  assert.equal(store.isHinting, true);
  assert.ok(seen.draws > 1);
  const late = engine.running.handlers;
  store.showHint();
  assert.equal(store.isHinting, false);
  assert.equal(engine.isBusy, false);
  late.done({ best: 'e3e4' });
  assert.equal(store.hint, null);
  // One that fails says so.
  store.showHint();
  const before = toastTexts().length;
  engine.end('fault', { code: 'crash', args: {}, text: 'it died' });
  assert.equal(store.isHinting, false);
  assert.ok(toastTexts().length > before || toastTexts().some((text) => text.includes('failed')));
  // A move that is needed elsewhere comes first.
  store.showHint();
  another(queue, 'move');
  assert.equal(store.isHinting, true);
  engine.end('done', { best: 'a1a2' });
  engine.end('done', { best: 'e3e4' });
  assert.deepEqual(store.hint, { from: 'e3', to: 'e4' });
});

test('play: a move ends the hint that is looked for', () => {
  const { store, engine } = storeOf(PlayStore);
  store.begin({ ...GAME, level: null });
  store.showHint();
  store.choose({ uci: 'e3e4' });
  assert.equal(store.isHinting, false);
  assert.equal(engine.isBusy, false);
});

test('play: who runs out of time loses, but not to a bare khun', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pass = (milliseconds) => {
    for (let gone = 0; gone < milliseconds; gone += 100) {
      now += 100;
      t.mock.timers.tick(100);
    }
  };
  const { store, seen } = storeOf(PlayStore);
  const game = { ...GAME, level: null, time: { minutes: 1, seconds: 0 } };
  store.begin(game);
  const before = seen.draws;
  pass(10_000);
  assert.ok(seen.draws >= before + 9 && seen.draws <= before + 21, String(seen.draws - before));
  pass(51_000);
  assert.deepEqual(store.result, { winner: 'b', reason: 'time' });
  store.begin({ ...game, fen: '4k3/8/8/8/8/2M~5/8/R3K3 w - - 0 1' });
  pass(61_000);
  assert.deepEqual(store.result, { winner: null, reason: 'timeBare' });
});

test('play: moves taken back in the pause before the engine’s move stay taken back', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine } = playing();
  store.choose({ uci: 'e3e4' });
  engine.end('done', { best: 'e6e5', stopsCount: false });
  store.takeBack();
  store.choose({ uci: 'd3d4' });
  // The answer to the first move comes while the engine thinks about the second.
  t.mock.timers.tick(600);
  assert.equal(store.isThinking, true);
  assert.deepEqual(
    store.session.tree.map(({ uci }) => uci),
    ['', 'd3d4'],
  );
  engine.end('done', { best: 'd6d5', stopsCount: false });
  t.mock.timers.tick(600);
  assert.deepEqual(
    store.session.tree.map(({ uci }) => uci),
    ['', 'd3d4', 'd6d5'],
  );
});

test('play: a game that is left in that pause lets the analysis go on', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine, queue } = playing();
  store.choose({ uci: 'e3e4' });
  engine.end('done', { best: 'e6e5', stopsCount: false });
  another(queue, 'lines');
  store.takeBack();
  assert.equal(engine.isBusy, true);
});

test('loading: a share of what comes is reported, and its end', () => {
  const seen = [];
  const end = loading.subscribe(() => seen.push(loading.percent));
  for (const bytes of [0, 1, 250, 251, 999, 1_200, null]) {
    loading.report(bytes, 1_000);
  }
  assert.deepEqual(seen, [0, 25, 99, 100, null]);
  end();
});

test('play: each move waits for consent if that is wanted', () => {
  settings.set({ confirm: true });
  const { store } = storeOf(PlayStore);
  store.begin({ ...GAME, level: null });
  const choose = (uci) => store.choose(store.session.findMove(uci));
  choose('e3e4');
  assert.equal(store.session.tree.length, 1);
  assert.equal(store.preview.turn, 'b');
  assert.equal(store.preview.board[28], 'P');
  // Another one has to wait.
  choose('d3d4');
  assert.equal(store.pending.uci, 'e3e4');
  store.decline();
  assert.equal(store.preview, null);
  assert.equal(store.session.tree.length, 1);
  choose('d3d4');
  store.confirm();
  assert.deepEqual(
    store.session.tree.map(({ uci }) => uci),
    ['', 'd3d4'],
  );
  // Going back gives it up.
  choose('d6d5');
  store.step(-1);
  assert.equal(store.pending, null);
  assert.equal(store.session.tree.length, 2);
  settings.set({ confirm: false });
});

test('play: a move that begins a count asks once, also where each move does', () => {
  settings.set({ confirm: true });
  const { store } = storeOf(PlayStore);
  store.begin({ ...GAME, level: null, fen: '4k3/8/8/3m4/4M3/8/8/R3K3 w - - 0 1' });
  store.choose(store.session.findMove('e4d5'));
  assert.equal(store.pending.uci, 'e4d5');
  assert.equal(store.preview, null);
  store.confirm();
  assert.equal(store.session.tree.length, 2);
  settings.set({ confirm: false });
});

test('walk: a game is played through to its last move, until somebody goes elsewhere', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store } = storeOf(AnalyseStore);
  store.read('1. e4 e5 2. d4 d5 *');
  const plies = () => store.session.line.indexOf(store.session.node);
  const start = () => walk.start(store.session, () => store.step(1));
  store.step(-1_000_000);
  start();
  assert.equal(plies(), 1);
  t.mock.timers.tick(1_000);
  assert.equal(plies(), 2);
  assert.ok(walk.isRunning);
  t.mock.timers.tick(1_000);
  t.mock.timers.tick(1_000);
  assert.equal(plies(), 4);
  assert.equal(walk.isRunning, false);
  store.step(-1_000_000);
  start();
  walk.stop();
  t.mock.timers.tick(5_000);
  assert.equal(plies(), 1);
  start();
  store.step(-1);
  t.mock.timers.tick(5_000);
  assert.equal(plies(), 1);
  assert.equal(walk.isRunning, false);
});

test('analyse: the list of a text with several games is new once', () => {
  const { store } = storeOf(AnalyseStore);
  assert.equal(store.read('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'), null);
  assert.equal(store.library.entries.length, 2);
  assert.equal(store.isLibraryNew, true);
  store.isLibraryNew = false;
  store.openGame(store.library.games, 1);
  assert.equal(store.isLibraryNew, false);
  assert.equal(store.library.entries.length, 2);
});

const REPORT = {
  positions: [0, 1, 2].map(() => ({
    evaluation: { cp: 10 },
    chances: [300, 400, 300],
    best: 'd3d4',
    line: ['d3d4'],
    names: ['d4'],
  })),
  moves: [
    { lost: 0, glyph: 0, race: false },
    { lost: 20, glyph: 2, race: false },
  ],
  sides: [],
};

function analysing() {
  const made = storeOf(AnalyseStore);
  made.store.read('1. e4 e5 *');
  made.store.analyseGame();
  assert.deepEqual(made.store.progress, { finished: 0, total: 3 });
  return made;
}

test('analyse: a report goes on while another view is shown', () => {
  const { store, engine } = analysing();
  store.leave();
  assert.deepEqual(store.progress, { finished: 0, total: 3 });
  engine.running.handlers.progress(1, 3);
  assert.equal(store.progress.finished, 1);
  engine.end('report', { ...REPORT, positions: REPORT.positions.map((one) => ({ ...one, line: [] })) });
  assert.equal(store.progress, null);
  assert.equal(store.report.data.moves.length, 2);
  const [, first, second] = store.session.tree;
  assert.deepEqual(first.nags, []);
  assert.deepEqual(second.nags, [2]);
});

test('analyse: a report waits for a move of a game, and is made after it', () => {
  const { store, engine, queue } = analysing();
  another(queue, 'move');
  assert.equal(engine.running.job.kind, 'search');
  assert.ok(store.progress);
  engine.end('done', {});
  assert.equal(engine.running.job.kind, 'analyse');
  engine.end('report', { ...REPORT, positions: [], moves: [] });
  assert.equal(store.progress, null);
  assert.ok(store.report);
});

test('analyse: lines wait for the report, and go on once it is given up; another view gives them up', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine } = analysing();
  store.toggleEngine(true);
  t.mock.timers.tick(1_000);
  assert.equal(engine.running.job.kind, 'analyse');
  store.cancelReport();
  assert.equal(engine.running.job.kind, 'search');
  engine.running.handlers.lines([{ rank: 1, moves: ['e3e4'] }]);
  assert.equal(store.lines.length, 1);
  store.leave();
  assert.equal(engine.isBusy, false);
  assert.equal(store.isEngineOn, false);
});

test('analyse: lines end after the time of the settings, and stay', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine } = storeOf(AnalyseStore);
  store.toggleEngine(true);
  t.mock.timers.tick(1_000);
  assert.equal(engine.running.job.go.moveTime, undefined);
  settings.set({ seconds: 5 });
  store.search();
  t.mock.timers.tick(1_000);
  assert.equal(engine.running.job.go.moveTime, 5_000);
  engine.running.handlers.lines([{ rank: 1, moves: ['e3e4'] }]);
  engine.end('done', { best: 'e3e4' });
  assert.equal(store.lines.length, 1);
  settings.set({ seconds: 0 });
});

/** An analysis of a game of two moves, at its start. */
function atStart() {
  const { store } = storeOf(AnalyseStore);
  store.read('1. e4 e5 *');
  store.go(0);
  return store;
}

const undo = () => toasts.list.at(-1).action.run();
const mainLine = (store) => store.session.tree.map(({ uci }) => uci).slice(1);

test('analyse: a line of the engine up to one of its moves becomes a variation, which can be undone', () => {
  const store = atStart();
  store.playLine(['e3e4', 'd6d5', 'b1d2']);
  assert.deepEqual(mainLine(store), ['e3e4', 'e6e5', 'd6d5', 'b1d2']);
  const { session } = store;
  assert.equal(session.nodeById(session.node).uci, 'b1d2');
  assert.equal(session.nodeById(1).children.length, 2);
  store.step(-1);
  undo();
  assert.deepEqual(mainLine(store), ['e3e4', 'e6e5']);
  assert.equal(session.node, 0);
});

test('analyse: a line that the game has leads there without a change', () => {
  const store = atStart();
  const { version } = store.session;
  const before = toasts.list.at(-1);
  store.playLine(['e3e4', 'e6e5']);
  assert.deepEqual(mainLine(store), ['e3e4', 'e6e5']);
  assert.ok(store.session.isAtEnd);
  assert.equal(store.session.version, version);
  assert.equal(toasts.list.at(-1), before);
});

test('analyse: the undo of a line loses nothing that was added to it since', () => {
  const store = atStart();
  store.playLine(['d3d4']);
  const offer = toasts.list.at(-1);
  store.play('d6d5');
  offer.action.run();
  assert.deepEqual(mainLine(store), ['e3e4', 'e6e5']);
  undo();
  assert.deepEqual(mainLine(store).sort(), ['d3d4', 'd6d5', 'e3e4', 'e6e5']);
});

test('analyse: a position after moves is shown without a change of the game', () => {
  const { session } = atStart();
  const [, second] = [session.preview('e3e4'), session.preview('e3e4', 'e6e5', 'd3d4')];
  assert.match(second.fen, / b /);
  assert.deepEqual(
    session.record.tree('san').map(({ uci }) => uci),
    ['', 'e3e4', 'e6e5'],
  );
  assert.equal(session.node, 0);
});

test('analyse: a line with an illegal move adds nothing', () => {
  const store = atStart();
  store.playLine(['d3d4', 'a1a8']);
  assert.deepEqual(mainLine(store), ['e3e4', 'e6e5']);
  assert.equal(store.session.node, 0);
  assert.equal(toasts.list.at(-1).kind, 'fault');
  assert.throws(() => store.session.preview('d3d4', 'a1a8'));
});

test('learn: a shown solution does not count as solved, the next attempt does', async () => {
  const { store } = storeOf(LearnStore);
  const exercise = rules.exerciseList().find(({ right, goal }) => right.length > 0 && goal === 'win');
  const solve = async () => {
    await store.play(exercise.right[0]);
    assert.equal(store.state, 'solved');
  };
  store.open(exercise.id);
  await store.showSolution();
  assert.ok(store.solution);
  await solve();
  assert.equal(store.isHelped, true);
  assert.equal(store.isSolved(exercise.id), false);
  store.retry();
  await solve();
  assert.equal(store.isSolved(exercise.id), true);
});

test('learn: what another tab has solved since is not lost', async () => {
  localStorage.removeItem('sakmak.solved');
  const stores = [storeOf(LearnStore).store, storeOf(LearnStore).store];
  const exercises = rules.exerciseList().filter(({ right, goal }) => right.length > 0 && goal === 'win');
  for (const [at, store] of stores.entries()) {
    store.open(exercises[at].id);
    await store.play(exercises[at].right[0]);
    assert.equal(store.state, 'solved');
  }
  assert.equal(storeOf(LearnStore).store.solvedCount, 2);
});

/** An exercise that is played out, with an engine whose answers wait for the test. */
function learning() {
  const { store, engine } = storeOf(LearnStore);
  const exercise = rules.exerciseList().find(({ right, goal }) => right.length === 0 && goal === 'win');
  const waiting = [];
  const later = () => new Promise((answer) => waiting.push(answer));
  Object.assign(engine, { facts: later, tableMove: later });
  store.open(exercise.id);
  const answer = async (value) => {
    waiting.shift()(value);
    await Promise.resolve();
    await new Promise((done) => setImmediate(done));
  };
  return { store, engine, exercise, waiting, answer };
}

test('learn: a solution that comes late belongs to its exercise and position', async () => {
  const { store, exercise, answer } = learning();
  store.showSolution();
  store.open(rules.exerciseList().find(({ id }) => id !== exercise.id).id);
  await answer('a1a2');
  assert.equal(store.solution, null);
  assert.equal(store.isHelped, false);
  store.open(exercise.id);
  store.showSolution();
  const [{ uci }] = store.session.view.moves;
  store.play(uci);
  await answer(uci);
  await answer(null);
  assert.equal(store.solution, null);
  assert.equal(store.isHelped, false);
});

test('learn: only one move is made while the facts are looked up, and none of the defence is shown', async () => {
  const { store, waiting, answer } = learning();
  const [first, second] = store.session.view.moves;
  store.play(first.uci);
  assert.equal(store.state, 'thinking');
  store.play(second.uci);
  store.showSolution();
  assert.equal(waiting.length, 1);
  await answer(null);
  assert.equal(store.session.tree.length, 2);
  assert.equal(store.solution, null);
});

test('learn: the defence answers the last move, whatever position is shown by then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, answer } = learning();
  store.play(store.session.view.moves[0].uci);
  await answer(null);
  const reply = store.session.view.moves[0].uci;
  store.session.step(-1);
  await answer(reply);
  t.mock.timers.tick(1_000);
  assert.equal(store.session.tree.length, 3);
  assert.equal(store.session.tree[2].parent, 1);
  assert.equal(store.state, 'toMove');
  assert.ok(store.mayMove);
});

test('learn: where the defence gives no answer, the move can be made again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine, answer } = learning();
  store.play(store.session.view.moves[0].uci);
  await answer(null);
  await answer(null);
  engine.end('fault', { code: 'crash', args: {}, text: 'it died' });
  await new Promise((done) => setImmediate(done));
  t.mock.timers.tick(1_000);
  assert.equal(store.session.tree.length, 1);
  assert.ok(store.mayMove);
});

test('learn: the solution of a failed attempt takes its wrong move back, also when it is not shown', async () => {
  const { store } = storeOf(LearnStore);
  const exercise = rules.exerciseList().find(({ right, goal }) => right.length === 1 && goal === 'win');
  store.open(exercise.id);
  const wrong = store.session.view.moves.find(({ uci }) => !exercise.right.includes(uci));
  await store.play(wrong.uci);
  store.session.step(-1);
  await store.showSolution();
  assert.equal(store.session.tree.length, 1);
  assert.ok(store.mayMove);
});

test('learn: a wrong first move fails, and is taken back before the solution is shown', async () => {
  const { store } = storeOf(LearnStore);
  const exercise = rules.exerciseList().find(({ right, goal }) => right.length === 1 && goal === 'win');
  store.open(exercise.id);
  const wrong = store.session.view.moves.find(({ uci }) => !exercise.right.includes(uci));
  await store.play(wrong.uci);
  assert.equal(store.state, 'failed');
  await store.showSolution();
  assert.equal(store.state, 'toMove');
  assert.equal(store.session.node, 0);
});
