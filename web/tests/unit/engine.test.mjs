// The engine of the page in Node: its forms, and a search as the page sees it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Sakmak } from 'sakmak/engine';
import { nativeBench, nativeUci } from '../native.mjs';
import { load } from '../source.mjs';

const START = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';
const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
globalThis.window ??= globalThis;
const [{ search }, { positionOf, sideToMove, reportOf }, { teachingOf }] = await load(
  'src/engine/search.ts',
  'src/engine/forms.ts',
  'src/state/lessons.ts',
);

/** An engine that ends with the test, also one that fails. */
async function started(t) {
  const engine = await Sakmak();
  t.after(() => engine.terminate());
  return engine;
}

/** The result of a search of the page, and the lines that it reports. */
async function searched(engine, fen, words, go) {
  const lines = [];
  const signal = new AbortController().signal;
  const done = await search(engine, { rules: RULES, line: { fen, words }, go }, signal, (found) =>
    lines.push(...found),
  );
  return { done, lines };
}

test('the search finds the same nodes as the native engine', async (t) => {
  const engine = await started(t);
  const nodes = new Promise((resolve) => {
    engine.addMessageListener((line) => {
      const [, number] = /^(\d+) nodes/.exec(line) ?? [];
      if (number) {
        resolve(Number(number));
      }
    });
  });
  engine.postMessage('bench 8');
  assert.equal(await nodes, nativeBench(8));
});

test('positions are handed over with their rules', () => {
  const parts = 'Repetition=none CountClaim=manual';
  assert.deepEqual(
    positionOf({ rules: { variant: '', ruleset: 'wikipedia', parts }, line: { fen: 'x', words: ['e3e4'] } }),
    {
      fen: 'x',
      moves: ['e3e4'],
      ruleset: 'wikipedia',
      parts: { Repetition: 'none', CountClaim: 'manual' },
    },
  );
  assert.equal(sideToMove({ fen: START, words: [] }), 'w');
  assert.equal(sideToMove({ fen: START, words: ['e3e4', 'count-start'] }), 'b');
  assert.equal(sideToMove({ fen: START.replace(' w ', ' b '), words: ['e6e5', 'count-stop', 'e3e4'] }), 'b');
});

test('lines, scores and chances are White’s', async (t) => {
  const engine = await started(t);
  for (const [fen, words, mate] of [
    ['7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30', [], 2],
    ['8/1r6/r7/8/8/8/5k2/7K b - 16 1 30', [], -1],
    ['7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30', ['b1g1'], 2],
  ]) {
    const { done, lines } = await searched(engine, fen, words, { depth: 8, notation: 'san' });
    const last = lines.at(-1);
    assert.ok(last.score.mate === mate || last.score.mate === Math.sign(mate), `${fen} ${JSON.stringify(last)}`);
    assert.deepEqual(last.chances, mate > 0 ? [1000, 0, 0] : [0, 0, 1000]);
    assert.equal(last.names.length, last.moves.length);
    assert.equal(done.best, last.moves[0]);
    assert.deepEqual(done.chances, last.chances);
  }
  const { done } = await searched(engine, 'R6k/8/6K1/8/8/8/8/8 b - - 0 1', [], { depth: 2 });
  assert.deepEqual([done.best, done.chances], [null, [1000, 0, 0]]);
});

test('draws are taken by score and count', async (t) => {
  const engine = await started(t);
  for (const [fen, expected] of [
    [START, [false, false]],
    ['4k3/8/8/8/8/1m6/8/K2R4 b - 128 20 60', [false, true]],
    ['7k/8/8/8/8/1m6/8/K2RR3 w - 128 20 60', [false, true]],
    // The same pieces, but the count leaves no time.
    ['8/3K4/8/1R5R/6k1/8/8/8 w - 16 15 58', [true, true]],
    ['8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58', [false, true]],
  ]) {
    const { done } = await searched(engine, fen, [], { nodes: 30_000 });
    assert.deepEqual(done.takesDraw, expected, fen);
  }
});

test('levels err by the number they are given', async (t) => {
  const engine = await started(t);
  const play = async (rating, seed) => (await searched(engine, START, [], { rating, seed })).done;
  assert.ok((await play(600, 1)).nodes <= 2_000);
  await engine.newGame();
  const { best } = await play(600, 7);
  await engine.newGame();
  assert.equal((await play(600, 7)).best, best);
  assert.ok((await play(3350, 1)).nodes > 20_000);
});

test('an opponent moves as in the native engine, whatever was searched before', async (t) => {
  const engine = await started(t);
  const games = [
    ['Snail', 1, ['e3e4']],
    ['Monkey', 3, ['e3e4', 'd6d5', 'b1d2']],
    ['Tiger', 5, []],
    ['Garuda', 6, ['e3e4']],
  ];
  const native = [];
  const page = [];
  for (const [opponent, seed, words] of games) {
    // The end of the input waits for the search.
    const lines = nativeUci([
      `setoption name Opponent value ${opponent}`,
      `setoption name Seed value ${seed}`,
      `position startpos moves ${words.join(' ')}`,
      'go nodes 1000000 wtime 5000 btime 5000',
    ]);
    native.push(lines.find((line) => line.startsWith('bestmove'))?.split(' ')[1]);
    const { done } = await searched(engine, START, words, { opponent, seed });
    page.push(done.best);
  }
  assert.deepEqual(page, native);
});

test('a review has the form of the page', async (t) => {
  const engine = await started(t);
  const position = { fen: '8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58', moves: ['d7e6', 'g4f4'] };
  const report = reportOf(await engine.review(position, { nodes: 20_000 }));
  assert.deepEqual(report.moves[0], { lost: 50, glyph: 4, race: true });
  assert.equal(report.teaching.lessons[0].allowed[0].kind, 'race-lost');
  // The facts of the engine are those that the page reads.
  assert.deepEqual(teachingOf(report), report.teaching);
  assert.deepEqual([report.sides[0].side, report.sides[0].races], ['w', [58]]);
  assert.equal(report.positions[0].best, 'b5f5');
});
