// The factory and the program as Makruk sites drive them: consumers/sites.mjs, in Node. consumers/engine.mjs runs the
// same in Chromium.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sakmak from 'sakmak/engine';
import { Board } from 'sakmak/rules';
import { fairyground, openmakruk, playGame, pychess, thaichess } from '../consumers/sites.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const network = readFileSync(file('../../../eval/network.sakmak'));
const wasmBinary = readFileSync(file('../dist/sakmak.wasm'));

test('openmakruk: levels, three lines, a network by FS.writeFile, terminate, restart', async () => {
  const { refused, loaded, best } = await openmakruk(Sakmak, {}, network);
  assert.match(refused, /^info string network makruk\.nnue not loaded: /);
  assert.match(loaded, /^info string network makruk\.nnue: sakmak-[0-9a-f]{8}/);
  assert.match(best, /^[a-h][1-8][a-h][1-8]$/);
});

test('Fairyground: wasmBinary, options beyond their range, variants.ini', async () => {
  const { refusals } = await fairyground(Sakmak, { wasmBinary });
  for (const refusal of [
    /Threads|threads/,
    /Hash|MB/,
    /network \/makruk-0123456789ab.nnue not loaded/,
    /'check/,
    /'load/,
  ]) {
    assert.ok(
      refusals.some((line) => refusal.test(line)),
      `${refusal}: ${refusals.join('\n')}`,
    );
  }
  assert.ok(!refusals.some((line) => /ERROR/.test(line)));
});

test('pychess.org: stop and isready between searches, the form of reports', async () => {
  const { read, refusals } = await pychess(Sakmak);
  assert.ok(read >= 3 * 15, `${read} reports`);
  assert.match(refusals.join('\n'), /no such option: Use NNUE/);
});

test("thaichess.dev's server: the program with pipes", async () => {
  const answers = await thaichess(() => {
    const child = spawn(process.execPath, [file('../bin/sakmak.cjs')]);
    child.stdout.setEncoding('utf8');
    return {
      write: (text) => child.stdin.write(text),
      onText: (listener) => child.stdout.on('data', listener),
      kill: () => child.kill(),
    };
  });
  assert.deepEqual(answers.at(-2)[1], 'mate 2');
  assert.deepEqual(answers.at(-1), ['(none)', 'mate 0']);
});

test('a whole game from the start position', async () => {
  const engine = await Sakmak();
  const { plies, result, reason, fen } = await playGame(engine, Board, 400);
  engine.terminate();
  console.log(`a game of ${plies} plies: ${result}, ${reason}, ${fen}`);
  assert.ok(plies > 20 && ['1-0', '0-1', '1/2-1/2'].includes(result));
});

test('a file that was written is there for later commands only, and under its name only', async () => {
  const engine = await Sakmak();
  engine.FS.writeFile('one.txt', 'text');
  await assert.rejects(engine.setOption('EvalFile', 'two.txt'), /cannot be read/);
  await assert.rejects(engine.setOption('EvalFile', './/one.txt'), { code: 'engine.option' });
  await assert.rejects(engine.setOption('EvalFile', '/one.txt'), /not loaded/);
  engine.FS.writeFile('net', network.buffer.slice(network.byteOffset, network.byteOffset + network.length));
  await engine.setOption('EvalFile', 'net');
  engine.terminate();
  engine.FS.writeFile('net', network);
  await assert.rejects(Sakmak({ wasmBinary: new Uint8Array(10) }), { code: 'engine.failed' });
});
