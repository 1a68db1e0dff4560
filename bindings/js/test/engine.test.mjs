import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sakmak, { Engine, EngineError, parseInfo } from 'sakmak/engine';
import { Board } from 'sakmak/rules';

const MATE_IN_2 = '3k4/8/8/3K4/8/8/8/R6R w - - 0 1';
let engine;
before(async () => {
  engine = await Sakmak();
});
after(() => engine.terminate());

/** Waits for a line that fits, and returns all lines up to it. */
function until(client, pattern) {
  return new Promise((resolve, reject) => {
    const lines = [];
    const late = setTimeout(() => reject(new Error(`no answer ${pattern}; the last line is ${lines.at(-1)}`)), 60_000);
    const listener = (line) => {
      lines.push(line);
      if (pattern.test(line)) {
        clearTimeout(late);
        client.removeMessageListener(listener);
        resolve(lines);
      }
    };
    client.addMessageListener(listener);
  });
}

test('the calls of sites: messages and listeners', async () => {
  const options = until(engine, /^uciok$/);
  engine.postMessage('uci');
  const lines = await options;
  assert.ok(lines[0].startsWith('id name Sakmak'), lines[0]);
  assert.ok(lines.some((line) => line.startsWith('option name UCI_Variant type combo default makruk')));
  const searched = until(engine, /^info depth 5 /);
  engine.postMessage('ucinewgame\nposition startpos moves e3e4 e6e5\ngo infinite');
  await searched;
  const stopped = until(engine, /^bestmove /);
  engine.postMessage('stop');
  assert.match((await stopped).at(-1), /^bestmove [a-h][1-8][a-h][1-8]m?( ponder .*)?$/);
  const pondered = until(engine, /^bestmove /);
  engine.postMessage('go ponder depth 2');
  engine.postMessage('ponderhit');
  await pondered;
});

test('a whole game by UCI', async () => {
  const board = new Board('4k3/8/8/3M4/8/8/8/R3K2R w - - 0 60');
  while (!board.isGameOver()) {
    const answer = until(engine, /^bestmove /);
    engine.postMessage(`position fen ${board.startFen()} moves ${board.history({ notation: 'uci' }).join(' ')}`);
    engine.postMessage('go nodes 3000');
    board.push((await answer).at(-1).split(' ')[1]);
  }
  assert.equal(board.result(), '1-0');
});

test('promises: three lines, a mate, the best move', async () => {
  const infos = [];
  const three = await engine.analyse(new Board(), { depth: 6, multiPv: 3, onInfo: (info) => infos.push(info) });
  assert.deepEqual(
    three.lines.map((line) => line.multiPv),
    [1, 2, 3],
  );
  assert.equal(three.bestMove, three.lines[0].pv[0]);
  assert.ok(infos.length >= 18 && three.lines[0].nodes > 0);
  const mate = await engine.analyse(MATE_IN_2, { depth: 8 });
  assert.deepEqual([mate.lines.length, mate.lines[0].score], [1, { mate: 2 }]);
  assert.equal(await engine.play({ fen: MATE_IN_2, moves: ['a1a7', 'd8e8'] }, { nodes: 2000 }), 'h1h8');
  assert.equal(await engine.play('R6k/8/6K1/8/8/8/8/8 b - - 0 1', { depth: 3 }), null);
  const ouk = await engine.analyse({ moves: ['d1b2'], variant: 'cambodian' }, { depth: 2 });
  assert.match(ouk.bestMove, /^[a-h]/);
});

test('a signal ends a search, and a loop that is left', async () => {
  const leave = new AbortController();
  const result = engine.analyse('startpos', {
    signal: leave.signal,
    onInfo: ({ depth }) => depth >= 4 && leave.abort(),
  });
  assert.ok((await result).lines[0].depth >= 3);
  let depth = 0;
  for await (const info of engine.infos(new Board())) {
    depth = info.depth;
    if (depth >= 5) {
      break;
    }
  }
  assert.ok(depth >= 5);
  await assert.rejects(engine.analyse('startpos', { depth: 1, signal: AbortSignal.abort() }), { name: 'AbortError' });
  // Searches wait for each other.
  const [one, two] = await Promise.all([engine.play('startpos', { depth: 3 }), engine.play(MATE_IN_2, { depth: 5 })]);
  assert.ok(one !== two);
});

test('the board is searched as it was at the call', async () => {
  const board = new Board(MATE_IN_2);
  const search = engine.play(board, { depth: 6 });
  const infos = engine.infos(board, { depth: 2 });
  board.move('Ra7');
  board.free();
  assert.equal(new Board(MATE_IN_2).tryPush(await search), true);
  const { value } = await infos.next();
  assert.equal(new Board(MATE_IN_2).tryPush(value.pv[0]), true);
  await infos.return();
  await assert.rejects(engine.analyse(board, { depth: 1 }), { code: 'state.freed' });
});

test('the rules of a board and what was done about the count go with it', async () => {
  const sutMa = new Board(null, { parts: { SutMa: 'on' } });
  const [two] = sutMa.moves({ verbose: true }).filter((move) => move.twoPiece);
  sutMa.push(two.uci);
  assert.ok(await engine.play(sutMa, { depth: 2 }));
  assert.ok(await engine.play(sutMa.clone(), { depth: 2 }));
  // Once the count is stopped Black mates; before, that mate is a draw.
  const board = new Board('1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60', { ruleset: 'wikipedia' });
  board.stopCount();
  assert.deepEqual((await engine.analyse(board, { depth: 4 })).lines[0].score, { mate: 1 });
});

test('a search waits for the end of one begun by a message', async () => {
  const searched = until(engine, /^info depth 3 /);
  engine.postMessage('position startpos\ngo infinite');
  await searched;
  const { bestMove, lines } = await engine.analyse(MATE_IN_2, { depth: 6 });
  assert.deepEqual(lines[0].score, { mate: 2 });
  assert.equal(bestMove, lines[0].pv[0]);
});

test('an error of onInfo rejects the search alone', async () => {
  const onInfo = () => {
    throw new RangeError('mine');
  };
  await assert.rejects(engine.analyse('startpos', { onInfo }), { name: 'RangeError', message: 'mine' });
  await assert.rejects(async () => {
    for await (const _ of engine.infos('startpos', { onInfo })) {
      // The first report throws.
    }
  }, /mine/);
  assert.ok(await engine.play('startpos', { depth: 2 }));
});

test('what the engine refuses is an error', async () => {
  await assert.rejects(engine.analyse('nonsense', { depth: 1 }), (error) => error.code === 'engine.position');
  await assert.rejects(engine.analyse({ moves: ['e2e5'] }, { depth: 1 }), (error) => error.code === 'engine.position');
  await assert.rejects(engine.setOption('Nonsense', 1), (error) => error.code === 'engine.option');
  await assert.rejects(engine.setOption('MultiPV', 0), (error) => error.code === 'engine.option');
  await assert.rejects(engine.setOption('EvalFile', '/no/such/file'), (error) => error.code === 'engine.option');
  await engine.setOption('MultiPV', 2);
  await engine.setOption('EvalFile', '<empty>');
  // A FEN cannot smuggle in commands.
  await assert.rejects(engine.analyse('8/8/8 w\nquit', { depth: 1 }));
  await engine.ready();
  const refused = until(engine, /not loaded/);
  engine.postMessage({ evalFile: new Uint8Array(3), name: 'three bytes' });
  assert.match((await refused).at(-1), /three bytes/);
});

test('an engine is terminated in a search and another one started', async () => {
  const first = await Sakmak();
  const search = first.analyse('startpos');
  first.terminate();
  await assert.rejects(search, (error) => error instanceof EngineError && error.code === 'engine.terminated');
  await assert.rejects(first.ready(), { code: 'engine.terminated' });
  const second = await Sakmak();
  assert.ok(await second.play('startpos', { depth: 2 }));
  second.terminate();
  await assert.rejects(Sakmak({ locateFile: () => '/no/such/script.cjs' }), { code: 'engine.failed' });
});

test('quit ends the thread', async () => {
  const quitting = await Sakmak();
  quitting.postMessage('quit');
  await assert.rejects(quitting.ready(), { code: 'engine.quit' });
});

test('reports are read', () => {
  assert.deepEqual(
    parseInfo(
      'info depth 7 seldepth 9 multipv 2 score cp -31 lowerbound wdl 1 2 997 nodes 5 nps 6 hashfull 7 time 8 pv a b',
    ),
    {
      depth: 7,
      selDepth: 9,
      multiPv: 2,
      score: { cp: -31 },
      bound: 'lower',
      wdl: [1, 2, 997],
      nodes: 5,
      nps: 6,
      hashFull: 7,
      time: 8,
      pv: ['a', 'b'],
    },
  );
  assert.equal(parseInfo('info string score cp 5'), null);
  assert.equal(parseInfo('bestmove e3e4'), null);
});

test('the program speaks UCI on standard input', async () => {
  const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin', 'sakmak.cjs');
  const child = spawn(process.execPath, [program]);
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  child.stdin.end('uci\nposition startpos\ngo depth 3\ngo perft 2\n');
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0);
  assert.match(text, /uciok[\s\S]*bestmove [\s\S]*Nodes searched: 529/);
});

test('the program writes all its answers', async () => {
  const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin', 'sakmak.cjs');
  const child = spawn(process.execPath, [program]);
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  // Far more than a pipe holds.
  child.stdin.end('uci\n'.repeat(1000));
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.equal(text.match(/^uciok$/gm)?.length, 1000);
});

test('a refusal belongs to its own call', async () => {
  const engine = await Sakmak();
  try {
    const [wrong, right, searched] = await Promise.allSettled([
      engine.setOption('MultiPV', 0),
      engine.setOption('MultiPV', 2),
      engine.analyse('startpos', { depth: 1 }),
    ]);
    assert.equal(wrong.reason?.code, 'engine.option');
    assert.deepEqual([right.status, searched.status], ['fulfilled', 'fulfilled']);
  } finally {
    engine.terminate();
  }
});

test('an error of a listener does not keep a line from the others', async () => {
  let say;
  const port = {
    post: (message) => message.ping && say(message),
    listen: (listener) => {
      say = listener;
    },
    terminate() {},
  };
  const engine = new Engine(port);
  const heard = [];
  engine.addMessageListener(() => {
    throw new Error('mine');
  });
  engine.addMessageListener((line) => heard.push(line));
  assert.throws(() => say('readyok'), /mine/);
  assert.deepEqual(heard, ['readyok']);
  engine.terminate();
});
