// What a page reads of a file of evaluations: node scripts/evaluations.mjs [RECORDS [POSITIONS]].
//
// Writes a file of so many records (10,000,000) into the folder for temporary files, of random keys but for the
// positions of random games and those after their moves, half of which the file knows. Serves it on the loopback, looks
// up so many positions (200) with all that follow, and prints requests, bytes and milliseconds.
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TableSource } from 'sakmak/engine';
import { GameRecord } from 'sakmak/study';
import { fileOf, positionKeys } from '../tests/evaluations.mjs';
import { load } from '../tests/source.mjs';
import { answer } from './serve.mjs';

const [records = 10_000_000, positions = 200] = process.argv.slice(2).map(Number);
const GAME = 40;

/** Numbers below 1, the same ones each time (Park and Miller, 1988). */
let state = 1;
function random() {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

/** The keys of the positions of random games: of each position, and of those after its moves. */
function games() {
  const asked = [];
  while (asked.length < positions) {
    const game = new GameRecord();
    let node = 0;
    for (let ply = 0; ply < GAME && asked.length < positions; ply++) {
      const keys = positionKeys(game, node);
      const { moves } = game.view(node);
      if (moves.length === 0) {
        break;
      }
      asked.push({ isStart: ply === 0, keys: keys.map(({ key }) => key).filter((key) => key !== null) });
      node = game.play(node, moves[Math.floor(random() * moves.length)].uci);
    }
  }
  return asked;
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))];

/**
 * Looks each position up; `isCold` says before which one the file is opened anew. Prints what that took, from the
 * position of number `first` on.
 */
async function measure(title, asked, address, isCold, first = 0) {
  const { EvaluationsFile } = reader;
  const signal = new AbortController().signal;
  const costs = [];
  let [source, file, found] = [null, null, 0];
  for (const position of asked) {
    if (!file || isCold(position)) {
      source = new TableSource(new URL('.', address));
      const from = source;
      file = await EvaluationsFile.open((start, end, signal) => from.read(['known.skev', start, end], signal), signal);
    }
    const before = source.counters;
    const begun = performance.now();
    const known = await Promise.all(position.keys.map((key) => file.find(key, signal)));
    const { requests, bytes } = source.counters;
    found += known.filter(Boolean).length;
    costs.push([requests - before.requests, bytes - before.bytes, performance.now() - begun]);
  }
  const [requests, bytes, times] = [0, 1, 2].map((column) => costs.slice(first).map((cost) => cost[column]));
  console.log(
    `${title}: requests ${mean(requests).toFixed(1)} (median ${at(requests, 0.5)}, most ${at(requests, 1)}), ` +
      `kB ${(mean(bytes) / 1e3).toFixed(0)} (median ${(at(bytes, 0.5) / 1e3).toFixed(0)}, ` +
      `most ${(at(bytes, 1) / 1e3).toFixed(0)}), ms ${mean(times).toFixed(0)}; ${found} records found`,
  );
}

const [reader] = await load('src/state/evaluations-file.ts');
const asked = games();
const all = [...new Set(asked.flatMap(({ keys }) => keys))];
const known = all.filter((_, number) => number % 2 === 0);
const keys = randomFillSync(new BigUint64Array(Math.max(0, records - known.length))).sort();
const folder = mkdtempSync(join(tmpdir(), 'evaluations-'));
try {
  writeFileSync(
    join(folder, 'known.skev'),
    fileOf(
      known.map((key) => [key, {}]),
      { keys },
    ),
  );
  const server = createServer((request, response) => answer({ folder, prefix: '/' }, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}/`;
  console.log(
    `${records} records, ${asked.length} positions with ${mean(asked.map(({ keys }) => keys.length)).toFixed(1)} keys`,
  );
  await measure('cold, the file opened for each position', asked, address, () => true);
  await measure('each game from its start, the file opened for it', asked, address, ({ isStart }) => isStart);
  await measure('all games after one another', asked, address, () => false);
  const last = asked.slice(-20);
  await measure('the last 20 positions again', [...last, ...last], address, () => false, last.length);
  server.closeAllConnections();
  server.close();
} finally {
  rmSync(folder, { recursive: true });
}
