// What a report teaches: its facts are read, the mistake is shown and tried again, with an engine that answers what the
// test says.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ EngineQueue }, { LessonStore, MARGIN }, lessons, kept, rules, { lessonsEn }, { lessonsTh }] = await load(
  'src/engine/queue.ts',
  'src/state/lesson.ts',
  'src/state/lessons.ts',
  'src/state/kept.ts',
  'src/rules/rules.ts',
  'src/messages/lessons-en.ts',
  'src/messages/lessons-th.ts',
);
await rules.loadRules();

const START = '7k/8/8/8/4n3/8/P7/1R1K4 w - - 0 30';
const PGN = `[White "Anna"]\n[Black "Boon"]\n[FEN "${START}"]\n[SetUp "1"]\n\n30. a3 {[%clk 0:09:50]} Kg8 {[%clk 0:09:55]} (30... Nc3) 31. a4 {[%clk 0:09:00] late} Kf7 {[%clk 0:09:50]} *\n`;
const LESSON = {
  allowed: [
    { kind: 'material', lost: ['rua'], won: [], means: { by: 'fork', piece: 'maa', targets: ['khun', 'rua'] } },
  ],
  missed: [],
  shown: 3,
  better: 1,
  before: 'better',
  after: 'worse',
  themes: ['maa-fork'],
};
const position = (win, draw, best, line = [best]) => ({
  evaluation: { cp: 0 },
  chances: [win, draw, 1000 - win - draw],
  best,
  line,
  names: line,
});

function data(teaching = { lessons: [LESSON, null, null, null], phases: [], counts: [] }) {
  const side = (name) => ({
    side: name,
    moves: 2,
    doubtful: 0,
    mistakes: 0,
    blunders: 0,
    lost: 0,
    accuracy: 90,
    races: [],
  });
  return {
    positions: [
      position(600, 300, 'd1e1'),
      position(100, 200, 'e4c3', ['e4c3', 'd1d2', 'c3b1', 'd2c2']),
      position(600, 300, 'a3a4'),
      position(600, 300, 'g8f7'),
      position(600, 300, 'd1e1'),
    ],
    moves: [{ lost: 55, glyph: 4, race: false }, ...[0, 0, 0].map((lost) => ({ lost, glyph: 0, race: false }))],
    sides: [side('w'), side('b')],
    teaching,
  };
}

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const game = (more = {}) => ({
  id: 'g1',
  kind: 'opened',
  pgn: PGN,
  rules: RULES,
  start: START,
  moves: 'a2a3 h8g8 a3a4 g8f7',
  white: 'Anna',
  black: 'Boon',
  event: '',
  date: '',
  result: '*',
  tags: [],
  created: 1,
  changed: 1,
  ...more,
});
const report = (more = {}) => ({ id: 'g1', moves: ['a2a3', 'h8g8', 'a3a4', 'g8f7'], data: data(), ...more });

async function settle() {
  for (let at = 0; at < 50; at++) {
    await Promise.resolve();
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** A lesson with games that are kept here, and an engine whose answer is White's chances and a reply. */
async function opened(t, { answer = null, isShown = false, ply = 0, found = report() } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = { list: async () => [game()], report: async () => found, keepReport: (one) => stored.push(one) };
  const stored = [];
  const engine = {
    searches: 0,
    start(_job, { done, fault }) {
      engine.searches += 1;
      queueMicrotask(() => (answer ? done(answer) : fault({ code: 'other', args: {}, text: '' })));
    },
    cancel() {},
  };
  const lesson = new LessonStore(new EngineQueue(engine), store);
  await lesson.open('g1', ply, isShown);
  await settle();
  const made = () => lesson.session.tree.slice(1).map(({ uci }) => uci);
  return { lesson, stored, engine, made };
}

test('the facts of a report are read; those of an earlier version are none', () => {
  assert.deepEqual(lessons.teachingOf(data()).lessons[0], LESSON);
  assert.equal(lessons.teachingOf({ ...data(), teaching: undefined }), null);
  assert.equal(lessons.teachingOf(data({ lessons: [LESSON], phases: [], counts: [] })), null);
  assert.equal(lessons.teachingOf(data({ lessons: [{ ...LESSON, allowed: [{ kind: 'other' }] }], phases: [] })), null);
  assert.deepEqual(lessons.mistakesOf(data(), START), [{ ply: 0, side: 'w', lost: 55, glyph: 4, lesson: LESSON }]);
  assert.equal(lessons.sideOf('8/8/8/8/8/8/8/8 b', 0), 'b');
  // The database keeps what it does not know.
  assert.deepEqual(kept.parseReport(report({ retries: { 0: [1, 0] } })), report({ retries: { 0: [1, 0] } }));
});

test('turning points are the largest swings, in the order of the game', () => {
  assert.deepEqual(lessons.turningPoints(data()), [
    { ply: 0, change: -55 },
    { ply: 1, change: 55 },
  ]);
});

test('time by clocks with an increment, and by the time of each move', () => {
  const [white, black] = lessons.timeOf(`[TimeControl "600+10"]\n${PGN}`, START, 4);
  assert.deepEqual([white, black], [null, null], 'two clocks are one difference');
  const emt = PGN.replace(/clk 0:09:(\d\d)/g, 'emt 0:00:$1');
  const [first, second] = lessons.timeOf(emt, START, 4);
  assert.deepEqual(first, { total: 50, longest: { ply: 0, seconds: 50 } });
  assert.deepEqual(second, { total: 105, longest: { ply: 1, seconds: 55 } });
  assert.deepEqual(lessons.timeOf('30. a3 Kg8 *', START, 2), [null, null]);
});

test('what the move allowed is played out', async (t) => {
  const { lesson, made } = await opened(t, { isShown: true });
  assert.deepEqual([lesson.state, lesson.mayMove], ['showing', false]);
  for (let at = 0; at < 5; at++) {
    t.mock.timers.tick(1_000);
  }
  assert.deepEqual(made(), ['a2a3', 'e4c3', 'd1d2', 'c3b1']);
  assert.deepEqual([lesson.state, lesson.name], ['shown', { number: 30, move: 'a3' }]);
});

test('the best move is right without a search, and the attempt is kept', async (t) => {
  const { lesson, stored, engine, made } = await opened(t);
  assert.deepEqual([lesson.state, lesson.mayMove, lesson.side, made()], ['toMove', true, 'w', []]);
  lesson.play('d1e1');
  assert.deepEqual([lesson.state, engine.searches, lesson.score], ['right', 0, [1, 1]]);
  assert.deepEqual(stored.at(-1).retries, { 0: [1, 1] });
  lesson.retry();
  lesson.play('a2a3');
  assert.deepEqual([lesson.state, lesson.score], ['wrong', [1, 1]], 'a move that was found stays found');
});

test('the same mistake is wrong and answered; a move within the margin is right', async (t) => {
  // 75 points before the mistake.
  const nearly = { chances: [600, 300 - 20 * MARGIN + 10, 0], best: 'h8g8' };
  const { lesson, made } = await opened(t, { answer: nearly });
  lesson.play('a2a3');
  assert.deepEqual([lesson.state, lesson.worse, made()], ['wrong', 55, ['a2a3', 'e4c3']]);
  lesson.retry();
  assert.deepEqual(made(), []);
  lesson.play('b1b4');
  assert.equal(lesson.state, 'thinking');
  await settle();
  assert.deepEqual([lesson.state, lesson.score], ['right', [2, 2]]);
});

test('a worse move is wrong; without an answer of the engine nothing is counted', async (t) => {
  const worse = await opened(t, { answer: { chances: [500, 200, 300], best: 'e4d2' } });
  worse.lesson.play('b1b2');
  await settle();
  assert.deepEqual([worse.lesson.state, worse.lesson.worse, worse.lesson.score], ['wrong', 15, [1, 0]]);
  assert.deepEqual(worse.made(), ['b1b2', 'e4d2']);
  t.mock.timers.reset();
  const silent = await opened(t);
  silent.lesson.play('b1b2');
  await settle();
  assert.deepEqual([silent.lesson.state, silent.lesson.score], ['unknown', [0, 0]]);
});

test('who looks at the better move has not found it', async (t) => {
  const { lesson, made } = await opened(t);
  lesson.show(true);
  t.mock.timers.tick(1_000);
  assert.deepEqual([lesson.state, made(), lesson.score], ['shown', ['d1e1'], [1, 0]]);
  lesson.retry();
  lesson.play('d1e1');
  assert.deepEqual([lesson.state, lesson.score], ['right', [1, 0]]);
});

test('a game, a report or a mistake that is not there is missed', async (t) => {
  assert.equal((await opened(t, { ply: 1 })).lesson.state, 'missing');
  t.mock.timers.reset();
  assert.equal((await opened(t, { found: null })).lesson.state, 'missing');
  t.mock.timers.reset();
  const broken = report({ moves: ['a2a3'], data: { ...data(), teaching: null } });
  assert.equal((await opened(t, { found: broken })).lesson.state, 'missing');
});

test('mistakes of all games by theme, what is open first; those of the engine are left out', () => {
  const theme = (themes) => data({ lessons: [{ ...LESSON, themes }, null, null, null], phases: [], counts: [] });
  const own = game({ id: 'g2', kind: 'engine', play: { game: { level: 0, side: 'b', rules: RULES } } });
  const all = lessons.allMistakes([
    { game: game(), report: report() },
    { game: game({ id: 'g3' }), report: report({ id: 'g3', retries: { 0: [2, 2] } }) },
    { game: own, report: report({ id: 'g2' }) },
    { game: game({ id: 'g4' }), report: report({ id: 'g4', data: theme([]) }) },
    { game: game({ id: 'g5' }), report: report({ id: 'g5', data: theme(['pin']) }) },
  ]);
  assert.deepEqual(
    lessons.groupsOf(all).map(({ id, open, mistakes }) => [id, open, mistakes.length]),
    [
      ['maa-fork', 1, 2],
      ['exchange', 1, 1],
      ['pin', 1, 1],
    ],
  );
  assert.deepEqual(lessons.scoreOf({ 0: [1, 1], 2: [3, 0] }, [0, 2, 4]), { tried: 2, found: 1, atOnce: 1 });
});

test('Thai words have arguments that the English ones have too, and people read moves', () => {
  const args = (text) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);
  for (const [key, text] of Object.entries(lessonsTh)) {
    const known = args(lessonsEn[key]);
    assert.deepEqual(
      args(text).filter((name) => !known.includes(name)),
      [],
      key,
    );
    assert.doesNotMatch(lessonsEn[key] + text, /half-move|\bpl(y|ies)\b|ครึ่งตา|[๐-๙]/i, key);
  }
});
