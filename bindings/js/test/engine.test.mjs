import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sakmak, { EngineError, parseInfo } from 'sakmak/engine';
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
