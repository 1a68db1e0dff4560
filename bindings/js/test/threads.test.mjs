import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sakmak from 'sakmak/engine';

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

/** A module with the session's functions, whose threads fail. Its `step` says that there is more to do. */
function failingModule() {
  const [I32, FUNCTION, MEMORY, SHARED] = [0x7f, 0, 2, 3];
  const text = (name) => [name.length, ...Buffer.from(name)];
  const section = (id, items) => {
    const length = items.flat().length + 1;
    return [id, (length & 0x7f) | 0x80, length >> 7, items.length, ...items.flat()];
  };
  const types = [
    [[], []],
    [[], [I32]],
    [[I32], [I32]],
    [[I32, I32], []],
  ];
  const value = (number) => [0x41, number];
  // Of each function its name, its type and its code.
  const functions = [
    ['_initialize', 0, []],
    ['sakmak_new', 1, value(0)],
    ['sakmak_input', 2, value(16)],
    // Starts a thread.
    ['sakmak_command', 1, [...value(0), 0x10, 0, 0x1a, ...value(1)]],
    ['sakmak_step', 2, value(1)],
    ['sakmak_finish', 0, []],
    ['sakmak_load_network', 2, value(0)],
    ['sakmak_take', 1, value(0)],
    ['sakmak_answers', 1, value(0)],
    ['sakmak_output', 1, value(0)],
    // `unreachable`, as at the end of a panic.
    ['wasi_thread_start', 3, [0x00]],
  ];
  const imports = [
    [...text('env'), ...text('memory'), MEMORY, SHARED, 0x80, 0x02, 0x80, 0x80, 0x04],
    [...text('wasi'), ...text('thread-spawn'), FUNCTION, 2],
  ];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      types.map(([from, to]) => [0x60, from.length, ...from, to.length, ...to]),
    ),
    ...section(2, imports),
    ...section(
      3,
      functions.map(([, type]) => [type]),
    ),
    ...section(
      7,
      functions.map(([name], index) => [...text(name), FUNCTION, index + 1]),
    ),
    ...section(
      10,
      functions.map(([, , code]) => [code.length + 2, 0, ...code, 0x0b]),
    ),
  ];
  return new Uint8Array(bytes);
}

test('a thread that fails ends the engine with an error', async () => {
  const engine = await Sakmak({ threads: true, wasmBinary: failingModule() });
  await assert.rejects(engine.analyse('startpos'), { code: 'engine.failed' });
  engine.terminate();
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
