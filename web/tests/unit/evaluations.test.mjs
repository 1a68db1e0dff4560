// Files of evaluations: what the tool wrote, what a server may do, and files that are wrong.
import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GameRecord } from 'sakmak/study';
import { answer } from '../../scripts/serve.mjs';
import { bitsOf, fileOf, keysOf, positionKeys, RULES } from '../evaluations.mjs';
import { load } from '../source.mjs';

const [{ EvaluationsFile, FileFault }, { EvaluationsStore }, { Session }, { evaluationsEn }, { evaluationsTh }] =
  await load(
    'src/state/evaluations-file.ts',
    'src/state/evaluations.ts',
    'src/state/session.ts',
    'src/messages/evaluations-en.ts',
    'src/messages/evaluations-th.ts',
  );

const DATA = join(import.meta.dirname, '../data');
/** 94 positions, written by `sakmak-tools evals export --engine`. */
const TOOLS = readFileSync(join(DATA, 'known.skev'));
const MAKRUK = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const never = new AbortController().signal;

/** Reads bytes in memory, and keeps what was asked for. */
function readerOf(bytes, asked = []) {
  const read = async (start, end) => {
    asked.push([start, end]);
    return start < bytes.length ? { bytes: new Uint8Array(bytes.subarray(start, end)), fileBytes: bytes.length } : null;
  };
  return Object.assign(read, { asked });
}

const opened = (bytes, asked) => EvaluationsFile.open(readerOf(bytes, asked), never);

const squareOf = (at) => `${'abcdefgh'[at % 8]}${1 + (at >> 3)}`;
const uciOf = (bits) => squareOf(bits & 63) + squareOf((bits >> 6) & 63);

/** Waits until a store has something to say of the position on the board. */
async function settled(store, session) {
  store.show(session);
  while (store.isOn && store.of(session) === null && store.problem === null) {
    await turn();
  }
  return store.problem ?? store.of(session);
}

/** A store that reads from a file of this computer. */
function localStore(bytes, name = 'known.skev') {
  const store = new EvaluationsStore(() => import('sakmak/engine'), 0);
  store.useFile(new File([bytes], name));
  return store;
}

/** Serves by a function while `work` runs. */
async function served(handler, work) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/known.skev`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** What a store says of the start position, with a file at an address. */
async function askAt(address) {
  const store = new EvaluationsStore(() => import('sakmak/engine'), 0);
  store.useAddress(address);
  return settled(store, Session.start(MAKRUK));
}

test('what the tool wrote is shown from White’s side, with the moves that it knows', async () => {
  const store = localStore(TOOLS);
  const session = Session.start(MAKRUK);
  const start = await settled(store, session);
  assert.deepEqual(start.own, { score: { cp: 4 }, depth: 5, best: 'e3e4', second: 'e1f2' });
  assert.equal(start.moves.length, 23);
  assert.equal(store.size, 94);
  assert.deepEqual(
    start.moves.map(({ score }) => score.cp),
    start.moves.map(({ score }) => score.cp).sort((a, b) => b - a),
    'the best one for White first',
  );
  // Black is to move; what is good for White comes last.
  session.play('e3e4');
  const black = await settled(store, session);
  const after = start.moves.find(({ uci }) => uci === 'e3e4');
  assert.deepEqual(black.own.score, after.score);
  assert.ok(black.moves[0].score.cp < black.moves.at(-1).score.cp);
});

test('counts are part of the key, and mates are mates', async () => {
  const store = localStore(TOOLS);
  const counted = await settled(store, Session.start(MAKRUK, '7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80'));
  assert.ok(counted.own !== null && counted.moves.length > 0);
  const other = await settled(store, Session.start(MAKRUK, '7k/7m/8/8/8/8/4R3/4K3 b - 128 19 80'));
  assert.equal(other.own, null);
  const mating = await settled(store, Session.start(MAKRUK, '7k/8/6K1/8/8/8/8/R7 w - 32 20 60'));
  assert.deepEqual([mating.own.score, mating.own.best], [{ mate: 1 }, 'a1a8']);
});

test('games by other rules are told so, and the next game is not', async () => {
  const store = localStore(TOOLS);
  assert.equal(await settled(store, Session.start({ ...MAKRUK, ruleset: 'wikipedia' })), 'rules');
  assert.equal(await settled(store, Session.start({ ...MAKRUK, variant: 'cambodian' })), 'rules');
  assert.equal((await settled(store, Session.start(MAKRUK))).moves.length, 23);
});

test('a record whose moves are illegal is that of another position', async () => {
  const [root, ...after] = positionKeys(new GameRecord(), 0);
  const known = new Map([
    [root.key, { best: bitsOf('e3e5'), score: 30 }],
    [after[0].key, { best: bitsOf('e6e5'), second: bitsOf('a1a8') }],
    [after[1].key, { best: bitsOf('e6e5'), second: bitsOf('d6d5'), score: 12, depth: 7 }],
  ]);
  const { own, moves } = await settled(localStore(fileOf(known)), Session.start(MAKRUK));
  assert.equal(own, null);
  assert.deepEqual(moves, [{ uci: uciOf(root.moves[1]), score: { cp: -12 }, depth: 7 }]);
});

test('each key of a large file is found by two or three requests, and later by one', async () => {
  const keys = keysOf(100_000);
  const bytes = fileOf([], { keys });
  const asked = [];
  const file = await opened(bytes, asked);
  const costs = [];
  for (let at = 0; at < keys.length; at += 487) {
    asked.length = 0;
    assert.ok(await file.find(keys[at], never), String(at));
    assert.equal(await file.find(keys[at] + 1n, never), null);
    costs.push(asked.length);
  }
  assert.ok(Math.max(...costs) <= 4, `${costs}`);
  const mean = (list) => list.reduce((sum, cost) => sum + cost, 0) / list.length;
  assert.ok(mean(costs.slice(100)) <= 1.1, `${costs}`);
  for (const key of [keys[0], keys.at(-1)]) {
    assert.ok(await file.find(key, never));
  }
  assert.equal(await file.find(0n, never), null);
  assert.equal(await file.find(2n ** 64n - 1n, never), null);
  assert.ok(asked.every(([start, end]) => end - start <= 16_384));
  // What was read is not asked for again.
  asked.length = 0;
  await file.find(keys[0], never);
  assert.equal(asked.length, 0);
});

test('an empty file has no position', async () => {
  const file = await opened(fileOf([]));
  assert.equal(await file.find(1n, never), null);
});

test('keys that are not spread evenly are found, too', async () => {
  const keys = BigUint64Array.from(
    { length: 50_000 },
    (_, at) => BigInt(at) * BigInt(at) + (at > 40_000 ? 1n << 63n : 0n),
  );
  const asked = [];
  const file = await opened(fileOf([], { keys }), asked);
  for (const at of [0, 1, 300, 39_999, 40_001, 49_999]) {
    asked.length = 0;
    assert.ok(await file.find(keys[at], never), String(at));
    assert.ok(asked.length < 20, `${at}: ${asked.length}`);
  }
});

test('whatever is wrong with a file has a code', async () => {
  const keys = keysOf(1_000);
  const good = fileOf([], { keys });
  const codeOf = async (bytes) => {
    try {
      const file = await opened(bytes);
      for (const key of keys) {
        await file.find(key, never);
      }
      return null;
    } catch (error) {
      assert.ok(error instanceof FileFault, error);
      return error.code;
    }
  };
  const changed = (at, bytes) => {
    const copy = Buffer.from(good);
    copy.set(bytes, at);
    return codeOf(copy);
  };
  assert.equal(await codeOf(good), null);
  for (let length = 0; length < good.length; length += length < 80 ? 1 : 997) {
    assert.equal(await codeOf(good.subarray(0, length)), length === 0 ? 'gone' : length < 32 ? 'format' : 'length');
  }
  assert.equal(await codeOf(Buffer.concat([good, Buffer.from([0])])), 'length');
  assert.equal(await changed(0, [0]), 'format');
  assert.equal(await changed(8, [2]), 'version');
  assert.equal(await changed(12, [0, 0, 0, 255]), 'damaged');
  assert.equal(await changed(16, [1, 2, 3, 4, 5, 6, 7, 8]), 'length');
  assert.equal(await changed(24, [1]), 'damaged');
  assert.equal(await changed(40, [1]), 'damaged');
  const start = 32 + RULES.length;
  assert.equal(await changed(start + 16 * 500, [0, 0, 0, 0, 0, 0, 0, 0]), 'damaged');
  assert.equal(await changed(start + 16 * 256, [0, 0, 0, 0, 0, 0, 0, 0]), 'damaged');
  assert.equal(await changed(start + 16 * 500 + 15, [2]), 'damaged');
});

test('a file whose size the server hides is read, and found too short where it ends', async () => {
  const keys = keysOf(1_000);
  const good = fileOf([], { keys });
  const openHidden = (bytes) =>
    EvaluationsFile.open(async (start, end) => ({ bytes: new Uint8Array(bytes.subarray(start, end)) }), never);
  assert.ok(await (await openHidden(good)).find(keys[999], never));
  const cut = await openHidden(good.subarray(0, good.length - 8));
  assert.ok(await cut.find(keys[0], never));
  await assert.rejects(cut.find(keys[999], never), { code: 'length' });
});

test('a file at an address is read by ranges', async () => {
  const sizes = [];
  const site = { folder: DATA, prefix: '/' };
  const known = await served(
    (request, response) => {
      sizes.push(request.headers.range);
      answer(site, request, response);
    },
    (address) => askAt(address),
  );
  assert.equal(known.moves.length, 23);
  assert.deepEqual(sizes, ['bytes=0-4127', `bytes=54-${54 + 94 * 16 - 1}`]);
});

test('what servers do wrong is named, and no file is loaded whole', async () => {
  const part = (response, bytes, range, more = {}) =>
    response.writeHead(206, { 'Content-Range': range, ...more }).end(bytes);
  const whole = `bytes 0-${TOOLS.length - 1}/${TOOLS.length}`;
  let sent = 0;
  const large = (request, response) => {
    request.socket.on('close', () => {
      sent = request.socket.bytesWritten;
    });
    response.writeHead(200, { 'Content-Length': 2e9 });
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (response.writable && !response.destroyed && response.write(chunk)) {}
    };
    response.on('drain', more);
    more();
  };
  for (const [problem, handler] of [
    ['range', large],
    ['absent', (_, response) => response.writeHead(404).end()],
    ['status', (_, response) => response.writeHead(403).end()],
    ['length', (_, response) => response.writeHead(416).end()],
    ['length', (_, response) => part(response, TOOLS.subarray(0, 900), `bytes 0-899/900`)],
    ['length', (_, response) => part(response, TOOLS, `bytes 0-${TOOLS.length - 1}/${TOOLS.length + 16}`)],
    ['format', (_, response) => part(response, '<html>no such page</html>'.padEnd(99), 'bytes 0-98/99')],
    ['encoding', (_, response) => part(response, '', whole, { 'Content-Encoding': 'x-none' })],
    ['offline', (request) => request.socket.destroy()],
    [
      'changed',
      (request, response) => {
        const isFirst = request.headers.range.startsWith('bytes=0-');
        part(response, isFirst ? TOOLS : TOOLS.subarray(54), isFirst ? whole : `bytes 54-1557/1558`, {
          ETag: isFirst ? '"a"' : '"b"',
        });
      },
    ],
    [
      'length',
      (request, response) => {
        const isFirst = request.headers.range.startsWith('bytes=0-');
        part(response, isFirst ? TOOLS : TOOLS.subarray(54, 1_000), isFirst ? whole : `bytes 54-999/1558`);
      },
    ],
  ]) {
    assert.equal(await served(handler, askAt), problem);
    assert.ok(evaluationsEn[`known.fault.${problem}`], problem);
  }
  assert.ok(sent < 5_000_000, `${sent} bytes`);
});

test('an address that is none is named', async () => {
  for (const address of ['http://[', 'http://127.0.0.1:9/', 'known.skev']) {
    // Without a page, an address needs its host.
    assert.equal(await askAt(address), 'address', address);
  }
});

test('a problem ends the requests, until it is tried again', async () => {
  let isThere = false;
  let requests = 0;
  const site = { folder: DATA, prefix: '/' };
  const handler = (request, response) => {
    requests += 1;
    isThere ? answer(site, request, response) : response.writeHead(404).end();
  };
  await served(handler, async (address) => {
    const store = new EvaluationsStore(() => import('sakmak/engine'), 0);
    store.useAddress(address);
    const session = Session.start(MAKRUK);
    assert.equal(await settled(store, session), 'absent');
    session.play('e3e4');
    assert.equal(await settled(store, session), 'absent');
    assert.equal(requests, 1);
    isThere = true;
    store.again();
    assert.ok((await settled(store, session)).own);
    store.useAddress('');
    assert.deepEqual([store.isOn, store.of(session)], [false, null]);
  });
});

test('another position ends the requests of the one before, and comes back without any', async () => {
  const waiting = [];
  class TableSource {
    read([, start, end], signal) {
      return new Promise((resolve) => {
        const go = () => resolve({ bytes: new Uint8Array(TOOLS.subarray(start, end)), fileBytes: TOOLS.length });
        waiting.push({ go, signal, start });
        signal.addEventListener('abort', () => resolve(null));
      });
    }
  }
  const until = async (test) => {
    while (!test()) {
      await turn();
    }
  };
  const store = new EvaluationsStore(async () => ({ TableSource }), 0);
  const session = Session.start(MAKRUK);
  // Off: nothing is asked.
  store.show(session);
  assert.equal(waiting.length, 0);
  store.useAddress('http://localhost/known.skev');
  store.show(session);
  await until(() => waiting.length === 1);
  session.play('e3e4');
  store.show(session);
  assert.equal(waiting[0].signal.aborted, true);
  await until(() => waiting.length === 2);
  waiting[1].go();
  await until(() => waiting.length === 3);
  // The block is on its way, for a position that goes.
  session.step(-1);
  store.show(session);
  assert.equal(waiting[2].signal.aborted, true);
  await until(() => waiting.length === 4);
  waiting[3].go();
  await until(() => store.of(session) !== null);
  assert.equal(store.of(session).own.best, 'e3e4');
  session.step(1);
  const known = await settled(store, session);
  assert.ok(known.own);
  session.step(-1);
  store.show(session);
  assert.equal(store.of(session).own.best, 'e3e4');
  assert.equal(waiting.length, 4);
  store.leave();
  assert.equal(store.of(session), null);
});

test('the words are there in both languages', () => {
  assert.deepEqual(Object.keys(evaluationsTh), Object.keys(evaluationsEn));
  for (const [key, text] of Object.entries(evaluationsEn)) {
    const args = (words) => [...new Set([...words.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
    assert.deepEqual(args(evaluationsTh[key]), args(text), key);
  }
});
