// The loop of the worker with a session that is no engine: errors, and the waits for tables and networks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/uci-loop.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'loops',
});

/** Runs a script in a thread until it says something, and ends the thread. */
async function run(script) {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const say = (what) => parentPort.postMessage(what);
    const keepAlive = setInterval(() => {}, 1000);
    process.on('unhandledRejection', () => say('unhandled rejection'));
    process.on('uncaughtException', (error) => say(error.message));
    ${outputFiles[0].text}
    const session = {
      command: () => true, step: () => false, finish() {}, take: () => '', ask() {}, cancel() {}, answers: () => '',
      free() {}, setTables() {}, leaveTables() {}, missingTables: () => [], supplyTable: () => [], setTableAbsent() {},
      loadNetwork: () => true,
    };
    const surroundings = { post() {}, soon: setImmediate, close() {}, read: async () => new Uint8Array() };
    ${script}`,
    { eval: true },
  );
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

const PANIC = "const panic = () => { throw new Error('panic'); };";
const BEGIN = 'const loop = new loops.UciLoop(surroundings); loop.begin(session);';

test('an error after a wait is thrown, not a rejection, which browsers do not report', async () => {
  for (const [what, script] of [
    ['a network', "session.loadNetwork = panic; loop.receive('setoption name EvalFile value a');"],
    ['threads', "session.prepare = () => { session.prepare = panic; return Promise.resolve(); }; loop.receive('d');"],
    ['threads that fail', "session.prepare = () => Promise.reject(new Error('panic')); loop.receive('d');"],
    [
      'a search with tables',
      "loop.receive({ setTables: { storeBytes: 0 } }); session.command = panic; loop.receive('go depth 1');",
    ],
    [
      'a question with tables',
      `loop.receive({ setTables: { storeBytes: 0 } });
      let isThere = false;
      session.missingTables = () => (isThere ? [] : ['K.sktb', '0', '9']);
      session.setTableAbsent = () => { isThere = true; };
      session.ask = panic;
      surroundings.post = ({ wantTables, ranges }) => loop.receive(
        { tableParts: wantTables, parts: ranges.map((range) => ({ range, bytes: null })) },
      );
      loop.receive({ ask: 1, what: 'endings' });`,
    ],
  ]) {
    assert.equal(await run(`${PANIC} ${BEGIN} ${script}`), 'panic', what);
  }
});

test('a search on a clock waits a part of its time for tables, which is subtracted', async () => {
  for (const [go, most, least] of [
    ['go movetime 1000', 250, 1],
    ['go wtime 20000 btime 8000 winc 100', 200, 1],
    ['go ponder wtime 100000 btime 90000', 300, 90000],
  ]) {
    const [waited, line] = await run(`${BEGIN}
      const waits = [];
      const timer = setTimeout;
      globalThis.setTimeout = (action, ms) => (waits.push(ms), timer(action, ms));
      loop.receive({ setTables: { storeBytes: 0 } });
      session.missingTables = () => ['K.sktb', '0', '9'];
      session.command = (line) => (say([waits[0], line]), true);
      loop.receive('${go}');`);
    assert.equal(waited, most, go);
    const times = (text) => [...text.matchAll(/time (\d+)/g)].map(([, time]) => Number(time));
    for (const [index, time] of times(line).entries()) {
      assert.ok(time >= least && (go.includes('ponder') || time < times(go)[index]), line);
    }
    assert.equal(line.replace(/\d+/g, ''), go.replace(/\d+/g, ''));
  }
});

test('another source is used at once by a search that waits for the old one', async () => {
  const line = await run(`${BEGIN}
    loop.receive({ setTables: { storeBytes: 0 } });
    session.missingTables = () => ['K.sktb', '0', '9'];
    session.leaveTables = () => { session.missingTables = () => []; };
    session.command = (line) => (say(line), true);
    loop.receive('go depth 3');
    loop.receive({ ping: 1 });
    loop.receive({ setTables: null });`);
  assert.equal(line, 'go depth 3');
});

const HANGING_READ = `surroundings.read = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));`;

test('a network that cannot be read is reported once, and the next commands are executed', async () => {
  const said = await run(`
    const said = [];
    surroundings.read = () => Promise.reject(new Error('no answer within 10 ms'));
    surroundings.post = (line) => said.push(line);
    session.loadNetwork = () => said.push('loaded');
    session.command = (line) => { said.push('> ' + line); if (line === 'isready') say(said); return true; };
    ${BEGIN}
    loop.receive('setoption name EvalFile value a.network\\ngo depth 1\\nisready');`);
  const refusal = 'info string network a.network cannot be read: Error: no answer within 10 ms';
  assert.deepEqual(said, [refusal, '> go depth 1', '> isready']);
});

test('a search goes on while a network is read, and stop ends it', async () => {
  const said = await run(`
    ${HANGING_READ}
    const said = [];
    session.step = () => { said.push('step'); return said.length < 5; };
    session.command = (line) => { said.push(line); if (line === 'stop') say(said); return true; };
    ${BEGIN}
    loop.receive('go infinite');
    loop.receive('setoption name EvalFile value a.network');
    const wait = () => said.length < 4 ? setImmediate(wait) : loop.receive('stop');
    wait();`);
  assert.deepEqual(said, ['go infinite', 'step', 'step', 'step', 'stop']);
});

test('a stop of a search that waits for a network stays behind it; quit gives the network up', async () => {
  const said = await run(`
    ${HANGING_READ}
    const said = [];
    session.command = (line) => { said.push(line); return line !== 'quit'; };
    surroundings.post = (line) => said.push(line);
    surroundings.close = () => say(said);
    ${BEGIN}
    loop.receive('setoption name EvalFile value a.network');
    loop.receive('go infinite');
    loop.receive('stop');
    loop.receive('quit');`);
  const refusal = 'info string network a.network cannot be read: Error: the engine quits';
  assert.deepEqual(said, [refusal, 'go infinite', 'stop', 'quit']);
});
