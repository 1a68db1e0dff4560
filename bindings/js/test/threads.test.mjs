import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import Sakmak from 'sakmak/engine';
import { failingModule } from '../consumers/failing-module.mjs';

const built = existsSync(new URL('../dist/sakmak-threads.wasm', import.meta.url));
const skip = built ? false : 'the build without wasm32-wasip1-threads has no threads';

/** The lines up to one that fits, which answer some commands. */
function answer(engine, commands, pattern) {
  return new Promise((resolve, reject) => {
    const lines = [];
    const late = setTimeout(() => reject(new Error(`no answer ${pattern}; the last line is ${lines.at(-1)}`)), 60_000);
    const listener = (line) => {
      lines.push(line);
      if (pattern.test(line)) {
        clearTimeout(late);
        engine.removeMessageListener(listener);
        resolve(lines);
      }
    };
    engine.addMessageListener(listener);
    engine.postMessage(commands);
  });
}

/** Uses an engine with threads, and terminates it. */
async function withThreads(action) {
  const engine = await Sakmak({ threads: true });
  try {
    await action(engine);
  } finally {
    engine.terminate();
  }
}

/** Runs a program, which has to end by itself. Gives its output. */
async function run(program, input = '') {
  const options = { cwd: fileURLToPath(new URL('..', import.meta.url)), timeout: 60_000 };
  const child = spawn(process.execPath, program, options);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      text += data;
    });
  }
  child.stdin.end(input);
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, text };
}

// Searches in slices, as without threads, differ from others where a slice ends. A position of bench is one slice.
test('with one thread it searches the same nodes as the default build', { skip }, () =>
  withThreads(async (engine) => {
    const one = await Sakmak();
    try {
      const [threads, slices] = await Promise.all(
        [engine, one].map(async (each) => (await answer(each, 'bench 5', /^\d+ nodes/)).at(-1).split(' ')[0]),
      );
      assert.equal(threads, slices);
      const play = (each) => each.play({ moves: ['e3e4'] }, { depth: 4 });
      assert.equal(await play(engine), await play(one));
    } finally {
      one.terminate();
    }
  }),
);

test('threads are added, and the same calls answered', { skip }, () =>
  withThreads(async (engine) => {
    const options = await answer(engine, 'uci', /^uciok$/);
    assert.ok(options.some((line) => line.startsWith('option name Threads ')));
    for (const threads of [2, 4, 1, 3]) {
      const lines = await answer(engine, `setoption name Threads value ${threads}\ngo depth 8`, /^bestmove [a-h]/);
      assert.ok(!lines.some((line) => /^info string/.test(line)), lines.join('\n'));
    }
    const perft = await answer(engine, 'go perft 4', /^Nodes searched/);
    assert.deepEqual([perft.at(-1), perft.some((line) => line.includes('only'))], ['Nodes searched: 273026', false]);
    const { lines } = await engine.analyse('startpos', { depth: 6, multiPv: 3 });
    assert.equal(lines.length, 3);
    await answer(engine, 'setoption name MultiPV value 1\ngo infinite', /^info depth 8 /);
    await answer(engine, 'stop', /^bestmove [a-h]/);
    await answer(engine, 'go ponder depth 2\nponderhit', /^bestmove /);
    const refused = answer(engine, 'isready', /not loaded/);
    engine.postMessage({ evalFile: new Uint8Array(3), name: 'three bytes' });
    assert.match((await refused).at(-1), /three bytes/);
  }),
);

test('more threads than the machine has processors for are reduced', { skip }, () =>
  withThreads(async (engine) => {
    const before = await answer(engine, 'setoption name Threads value 512\nisready', /^readyok$/);
    const reduced = before.find((line) => line.startsWith('info string 512 threads are too many'));
    // A machine may have 128 processors.
    assert.ok(reduced !== undefined || before.length === 1, before.join('\n'));
    await assert.rejects(engine.setOption('Threads', 513), { code: 'engine.option' });
  }),
);

test('a thread that fails ends the engine with an error, and a new one can be started', { skip }, async () => {
  const engine = await Sakmak({ threads: true, wasmBinary: failingModule() });
  await Promise.all([1, 2].map(() => assert.rejects(engine.analyse('startpos'), { code: 'engine.failed' })));
  assert.equal((await engine.ended).code, 'engine.failed');
  await assert.rejects(engine.play('startpos', { depth: 1 }), { code: 'engine.failed' });
  await withThreads(async (again) => assert.match(await again.play('startpos', { depth: 2 }), /^[a-h]/));
});

test('threads that cannot be started leave the option as it was, and are tried again', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/threads-session.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
  });
  const { ThreadsSession } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const slots = [];
  const ended = [];
  let works = true;
  const platform = { now: () => 0n, log: () => {} };
  const session = new ThreadsSession(new WebAssembly.Module(failingModule()), platform, 8, ({ slot }) => {
    slots.push(slot);
    // Of two workers the second one fails.
    const ready = works || slots.length % 2 === 1 ? Promise.resolve() : Promise.reject(new Error('no memory'));
    return { ready, terminate: () => ended.push(slot) };
  });
  await session.begin();
  const first = slots.length;
  works = false;
  const line = 'setoption name Threads value 3';
  await session.prepare(line);
  assert.equal(session.prepare(line), '');
  assert.equal(session.take(), 'info string Threads: workers cannot be started: Error: no memory; unchanged\n');
  assert.equal(slots.length, first + 2);
  assert.equal(ended.length, 1);
  works = true;
  await session.prepare(line);
  assert.equal(session.prepare(line), line);
  // In the place of the one that has failed.
  assert.deepEqual([session.take(), slots.slice(first + 2)], ['', ended]);
  session.free();
  assert.deepEqual(new Set(ended), new Set(slots));
});

test('quit and terminate end all workers', { skip }, async () => {
  const program = (end) => `
    import Sakmak from 'sakmak/engine';
    const engine = await Sakmak({ threads: true });
    await engine.setOption('Threads', 2);
    const search = engine.analyse('startpos', { onInfo: ({ depth }) => depth === 6 && ${end} });
    console.log(await search.then(() => 'found', ({ code }) => code));`;
  for (const [end, code] of [
    ["engine.postMessage('quit')", 'engine.quit'],
    ['engine.terminate()', 'engine.terminated'],
  ]) {
    const { status, text } = await run(['--input-type=module', '-e', program(end)]);
    assert.equal(status, 0, text);
    assert.match(text, new RegExp(`^(${code}|found)\n$`));
  }
});

test('questions are answered as by the default build, also beside a search', { skip }, () =>
  withThreads(async (engine) => {
    const ENDING = '8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58';
    const one = await Sakmak();
    try {
      assert.deepEqual(await engine.endings(ENDING), await one.endings(ENDING));
    } finally {
      one.terminate();
    }
    await engine.setOption('Threads', 6);
    const game = { fen: ENDING, moves: ['d7e6', 'g4f4'] };
    const { moves, positions } = await engine.review(game, { nodes: 5000 });
    assert.deepEqual([moves.length, positions.length, moves[0].finding.kind], [2, 3, 'race-lost']);
    const leave = new AbortController();
    const search = engine.analyse('startpos', { signal: leave.signal });
    assert.equal((await engine.endings(ENDING)).value.result, 'win');
    leave.abort();
    assert.ok((await search).bestMove);
  }),
);

test('npx sakmak --threads is a program on standard input', { skip }, async () => {
  const input = 'uci\nsetoption name Threads value 2\nposition startpos\ngo depth 6\ngo perft 2\n';
  const { status, text } = await run(['bin/sakmak.cjs', '--threads'], input);
  assert.equal(status, 0, text);
  assert.match(text, /uciok[\s\S]*Nodes searched: 529/);
  assert.match(text, /bestmove /);
});

test("'auto' uses one thread where the second build cannot be loaded", async () => {
  const files = [];
  const locateFile = (file, prefix) => {
    files.push(file);
    return file.includes('threads') ? '/no/such/script.cjs' : prefix + file;
  };
  const engine = await Sakmak({ threads: 'auto', locateFile });
  assert.ok(await engine.play('startpos', { depth: 2 }));
  engine.terminate();
  assert.deepEqual(files, ['sakmak-uci-threads.cjs', 'sakmak-uci.cjs']);
  await assert.rejects(Sakmak({ threads: true, locateFile }), { code: 'engine.failed' });
});
