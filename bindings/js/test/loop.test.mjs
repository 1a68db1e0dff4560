// The loop of the worker with a session that is no engine: errors, and the wait for tables.
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
