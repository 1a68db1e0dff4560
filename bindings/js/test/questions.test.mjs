// What the engine answers beside UCI: solved endings, reviews, limited strength.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Sakmak, { EngineError } from 'sakmak/engine';
import { Board } from 'sakmak/rules';

// Two rua: 9 plies to mate would need more than the count leaves after any other move (hunt.08).
const HUNT = '8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58';
const MATE_IN_2 = '7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30';
let engine;
before(async () => {
  engine = await Sakmak();
  await engine.setOption('Hash', 16);
});
after(() => engine.terminate());

test('solved endings: value, moves, the count', async () => {
  const endings = await engine.endings(HUNT);
  assert.deepEqual(endings.value, { result: 'win', plies: 7 });
  assert.deepEqual([endings.withoutCount.result, endings.pliesLeft], ['win', 7]);
  const [first, ...others] = Object.entries(endings.moves);
  assert.deepEqual(first, ['b5f5', { result: 'win', plies: 7 }]);
  assert.ok(others.length > 20 && others.every(([, { result }]) => result === 'draw'));
  assert.equal(endings.needs.d7e6, 8);
  assert.equal(await engine.endingMove(HUNT, { seed: 3 }), 'b5f5');
  // The same by a board and by moves.
  const board = new Board(HUNT);
  board.push('b5f5');
  const [one, other] = await Promise.all([engine.endings(board), engine.endings({ fen: HUNT, moves: ['b5f5'] })]);
  assert.deepEqual(one, other);
  assert.equal(one.value.result, 'loss');
  const unknown = await engine.endings('startpos');
  assert.deepEqual(unknown, { value: null, withoutCount: null, pliesLeft: null, moves: {}, needs: {} });
  assert.equal(await engine.endingMove(new Board()), null);
});

test('endings are asked beside a search, which goes on', async () => {
  const second = await Sakmak();
  try {
    const leave = new AbortController();
    let reported = () => {};
    const report = () =>
      new Promise((resolve) => {
        reported = resolve;
      });
    const first = report();
    const search = second.analyse('startpos', { signal: leave.signal, onInfo: () => reported() });
    await first;
    assert.equal((await second.endings('8/8/8/4k3/8/8/3R4/3K3R w - 16 1 60')).value.result, 'win');
    await report();
    leave.abort();
    assert.ok((await search).bestMove);
  } finally {
    second.terminate();
  }
});

test('a game is reviewed, with progress', async () => {
  const board = new Board(HUNT);
  board.push('d7e6');
  board.push('g4f4');
  const seen = [];
  const report = await engine.review(board, {
    nodes: 20_000,
    notation: 'thai-san',
    onProgress: ({ finished, total }) => seen.push(`${finished}/${total}`),
  });
  assert.deepEqual(seen, ['1/3', '2/3', '3/3']);
  const [{ finding, lesson, ...race }, second] = report.moves;
  assert.deepEqual(race, { lost: 50, nag: 4 });
  assert.equal(finding.kind, 'race-lost');
  assert.equal(second.finding, null);
  assert.equal(lesson.allowed[0].kind, 'race-lost');
  assert.deepEqual([lesson.before, lesson.themes, second.lesson], ['won', ['beat-count', 'mate-4'], null]);
  assert.deepEqual(report.counts[0], { ...report.counts[0], honour: 'pieces', began: false, end: 'open' });
  assert.equal(report.phases[0].kind, 'endgame');
  const [start] = report.positions;
  assert.deepEqual([start.best, start.line[0], start.chances], ['b5f5', 'b5f5', [1000, 0, 0]]);
  assert.ok(start.names[0].startsWith('ร'), start.names[0]);
  assert.deepEqual([report.sides[0].blunders, report.sides[0].lostToCount], [1, [58]]);
  assert.equal(report.late, null);
  // Scores are White's.
  const mated = await engine.review({ fen: '8/1r6/r7/8/8/8/5k2/7K b - 16 1 30', moves: [] }, { nodes: 20_000 });
  assert.deepEqual(mated.positions[0].score, { mate: -1 });
});

test('a review ends by a signal, by an error, by another search', async () => {
  const board = new Board();
  board.push('e3e4');
  const leave = new AbortController();
  const review = engine.review(board, { nodes: 100_000_000, signal: leave.signal });
  // It waits for the review.
  const search = engine.play(MATE_IN_2, { depth: 6 });
  await engine.ready();
  leave.abort();
  await assert.rejects(review, { name: 'AbortError' });
  assert.ok(await search);
  await assert.rejects(engine.review(board, { nodes: 9, signal: AbortSignal.abort() }), { name: 'AbortError' });
  const onProgress = () => {
    throw new RangeError('mine');
  };
  await assert.rejects(engine.review(board, { nodes: 1000, onProgress }), { name: 'RangeError', message: 'mine' });
  const interrupted = engine.review(board, { nodes: 100_000_000 });
  await engine.ready();
  await new Promise((resolve) => setTimeout(resolve, 0));
  engine.postMessage('go depth 1');
  await assert.rejects(interrupted, { code: 'engine.interrupted' });
  assert.ok(await engine.play('startpos', { depth: 2 }));
});

test('wrong questions are errors', async () => {
  const position = { code: 'engine.position', name: 'EngineError' };
  await assert.rejects(engine.endings('nonsense'), position);
  await assert.rejects(engine.endings({ moves: ['e2e5'] }), position);
  await assert.rejects(engine.endingMove({ ruleset: 'mine' }), position);
  await assert.rejects(engine.review('8/8/8 w', { nodes: 1 }), position);
  await assert.rejects(engine.review('startpos', { nodes: 0 }), { code: 'engine.review' });
  await assert.rejects(engine.review('startpos', { nodes: 1, notation: 'x' }), { code: 'engine.notation' });
  await assert.rejects(engine.endingMove('startpos', { seed: -1 }), { code: 'engine.question' });
  const ended = await Sakmak();
  const endings = ended.endings(HUNT);
  ended.terminate();
  await assert.rejects(endings, (error) => error instanceof EngineError && error.code === 'engine.terminated');
  assert.equal((await ended.ended).code, 'engine.terminated');
  await assert.rejects(ended.review('startpos', { nodes: 1 }), { code: 'engine.terminated' });
});

test('a limited player errs by its seed, and the next search is at full strength', async () => {
  const play = async (options) => {
    await engine.newGame();
    return engine.analyse('startpos', options);
  };
  const weak = [];
  for (let seed = 0; seed < 12; seed++) {
    weak.push((await play({ elo: 600, seed })).bestMove);
  }
  assert.ok(new Set(weak).size > 4, weak.join(' '));
  assert.equal((await play({ elo: 600, seed: 7 })).bestMove, weak[7]);
  assert.ok((await play({ elo: 600, seed: 1 })).lines[0].nodes <= 2000);
  assert.ok((await play({ nodes: 30_000 })).lines[0].nodes > 20_000);
  await assert.rejects(play({ elo: 5 }), { code: 'engine.option' });
  await assert.rejects(play({ elo: 600, seed: 0.5 }), { code: 'engine.question' });
});

test('options of a search: moves, chances, without the count', async () => {
  const two = await engine.analyse('startpos', { depth: 4, multiPv: 5, searchMoves: ['a3a4', 'h3h4'], wdl: true });
  assert.deepEqual(two.lines.map(({ pv }) => pv[0]).sort(), ['a3a4', 'h3h4']);
  assert.equal(
    two.lines[0].wdl.reduce((sum, one) => sum + one),
    1000,
  );
  await assert.rejects(engine.analyse('startpos', { searchMoves: ['a3a5'] }), { code: 'engine.moves' });
  const plain = await engine.analyse('startpos', { depth: 2 });
  assert.equal(plain.lines[0].wdl, undefined);
  // The count leaves no time for the mate.
  const late = HUNT.replace('16 9', '16 15');
  const mates = async (options) => 'mate' in (await engine.analyse(late, { depth: 8, ...options })).lines[0].score;
  assert.deepEqual([await mates({}), await mates({ withoutCount: true }), await mates({})], [false, true, false]);
});

test('a counter that mates stops its count', async () => {
  const fen = '1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60';
  for (const [ruleset, stopsCount] of [
    ['wikipedia', true],
    ['knowlton', false],
  ]) {
    const { bestMove, ...found } = await engine.analyse({ fen, ruleset }, { depth: 4 });
    assert.deepEqual([bestMove, found.stopsCount], ['g3a3', stopsCount], ruleset);
  }
});

test('names of lines, and whether a draw is accepted', async () => {
  const names = await engine.names({ moves: ['e3e4'] }, [['b8d7', 'b1d2'], ['e6e5']], 'thai-san');
  assert.deepEqual(names, [['ม-ง๗', 'ม-ง๒'], ['จ๕']]);
  assert.deepEqual(await engine.names('startpos', [['b1d2']]), [['Nd2']]);
  await assert.rejects(engine.names('startpos', [['b1d3']]), { code: 'engine.position' });
  assert.deepEqual(await engine.acceptsDraw([100, 700, 200]), [true, false]);
  assert.deepEqual(await engine.acceptsDraw([50, 950, 0]), [true, true]);
});

test('clients that send lines see nothing new', async () => {
  const messages = [];
  const listener = (line) => messages.push(line);
  engine.addMessageListener(listener);
  await engine.endings(HUNT);
  await engine.review(HUNT, { nodes: 500 });
  await engine.acceptsDraw([0, 1000, 0]);
  engine.removeMessageListener(listener);
  assert.deepEqual(messages, []);
});
