// The engine with threads in Node, Bun or Deno: tables, stops, and a thread that fails.
//
//   node threads-runtime.mjs STOP_MS [FOLDER FEN PLIES]
//
// FOLDER has endgame tables, by which FEN is decided in PLIES plies.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sakmak, { TableSource } from 'sakmak/engine';
import { failingModule } from './failing-module.mjs';

const [stopMs, folder, fen, plies] = process.argv.slice(2);

/** The lines up to one that fits, which answer some commands. */
function answer(engine, commands, pattern) {
  return new Promise((resolve) => {
    const lines = [];
    const listener = (line) => {
      lines.push(line);
      if (pattern.test(line)) {
        engine.removeMessageListener(listener);
        resolve(lines);
      }
    };
    engine.addMessageListener(listener);
    engine.postMessage(commands);
  });
}

const engine = await Sakmak({ threads: 'auto' });
const set = await answer(engine, 'setoption name Threads value 2\nisready', /^readyok$/);
assert.deepEqual(set, ['readyok'], 'the build with one thread answers');
const stops = [];
while (stops.length < 9) {
  await answer(engine, 'position startpos\ngo infinite', /^info depth 8 /);
  const begin = performance.now();
  await answer(engine, 'stop', /^bestmove [a-h]/);
  stops.push(performance.now() - begin);
}
stops.sort((a, b) => a - b);
assert.ok(stops[4] <= Number(stopMs), `stops took ${stops} ms`);

if (folder !== undefined) {
  const problems = [];
  const read = (file, start, end) => {
    try {
      const bytes = readFileSync(join(folder, file));
      return Promise.resolve({ bytes: new Uint8Array(bytes.subarray(start, end)), fileBytes: bytes.length });
    } catch {
      return Promise.resolve(null);
    }
  };
  const source = new TableSource(read, { onProblem: (...problem) => problems.push(problem) });
  await engine.setTables(source);
  const { value } = await engine.endings(fen);
  assert.deepEqual([value.plies, problems], [Number(plies), []]);
  const { requests } = source.counters;
  assert.match(await engine.play(fen, { depth: 1 }), /^[a-h]/);
  assert.ok(requests > 0);
}
engine.terminate();

const failing = await Sakmak({ threads: true, wasmBinary: failingModule() });
await assert.rejects(failing.analyse('startpos'), { code: 'engine.failed' });
assert.equal((await failing.ended).code, 'engine.failed');
const again = await Sakmak({ threads: true });
assert.match(await again.play('startpos', { depth: 3 }), /^[a-h]/);
again.terminate();
const times = stops.map((time) => time.toFixed(0)).join(', ');
console.log(`two threads: stops took ${times} ms, the median ${stops[4].toFixed(0)} ms`);
