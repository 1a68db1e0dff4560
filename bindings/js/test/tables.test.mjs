// Endgame tables over HTTP: the engine plays from them, and what goes wrong is reported once.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Sakmak, { Engine, TableSource } from 'sakmak/engine';
import { answer as serve } from '../../../web/scripts/serve.mjs';
import { describe, measure } from '../consumers/tables.mjs';
import { buildTables, listen } from './tables.mjs';

const FILE = 'KRvK.sktb';
const CAPTURE = '8/8/2K5/8/8/8/k6m/7R w - 128 0 60';

let tables;
let server;
before(async () => {
  tables = buildTables('KRvKM');
  server = await listen((request, response) => serve({ folder: tables.folder, prefix: '/' }, request, response));
});
after(async () => {
  await server?.close();
  tables?.remove();
});

/** A source that keeps its problems. */
function watched(from, options = {}) {
  const problems = [];
  const source = new TableSource(from, { ...options, onProblem: (code, message) => problems.push([code, message]) });
  return { source, problems };
}

const hasThreads = existsSync(new URL('../dist/sakmak-threads.wasm', import.meta.url));
/** The builds that use tables: threads or not, and why a test is skipped. */
const BUILDS = [
  { build: 'one thread', threads: false, skip: false },
  {
    build: 'two threads',
    threads: true,
    skip: hasThreads ? false : 'the build without wasm32-wasip1-threads has none',
  },
];

/** Uses an engine with a source. */
async function withEngine(source, use, threads = false) {
  const engine = await Sakmak({ threads });
  try {
    if (threads) {
      await engine.setOption('Threads', 2);
    }
    await engine.setTables(source);
    return await use(engine);
  } finally {
    engine.terminate();
  }
}

test('a source reads ranges by HTTP and counts them', async () => {
  const { source, problems } = watched(server.address);
  const file = readFileSync(join(tables.folder, FILE));
  const { bytes, fileBytes } = await source.read([FILE, 10, 40]);
  assert.deepEqual([Buffer.from(bytes), fileBytes], [file.subarray(10, 40), file.length]);
  assert.deepEqual(source.counters, { requests: 1, bytes: 30 });
  assert.deepEqual(source.files(), [{ file: FILE, bytes: file.length }]);
  // A missing file is asked for once.
  assert.equal(await source.read(['KSvK.sktb', 0, 10]), null);
  assert.equal(await source.read(['KSvK.sktb', 0, 10]), null);
  assert.deepEqual([source.counters.requests, problems], [2, []]);
  source.retry();
  await source.read(['KSvK.sktb', 0, 10]);
  assert.equal(source.counters.requests, 3);
});

for (const { build, threads, skip } of BUILDS) {
  test(`the engine plays from tables as the native one does, ${build}`, { skip }, async () => {
    const { source, problems } = watched(server.address);
    await withEngine(
      source,
      async (engine) => {
        const { white_to_move: white, black_to_move: black } = tables.info('KRvKM');
        for (const fen of [white.longest_fen, black.longest_fen, CAPTURE, '8/8/2K5/8/8/8/k7/7R w - 32 0 60']) {
          const { moves, plies } = tables.probe(fen);
          const best = moves.filter((one) => one.plies === moves[0].plies && one.then === moves[0].then);
          const { bestMove, lines } = await engine.analyse(fen, { depth: 1 });
          assert.ok(
            best.some((one) => one.move === bestMove),
            `${fen}: ${bestMove}`,
          );
          const win = fen.includes(' w ') ? 1 : -1;
          const score = 'mate' in lines[0].score ? lines[0].score.mate : lines[0].score.cp;
          const mate = Math.ceil(plies / 2);
          const expected = 'mate' in lines[0].score ? win * mate : win * (20_000 - plies);
          assert.equal(score, expected, fen);
          // All is there now.
          const { requests } = source.counters;
          await engine.analyse(fen, { depth: 1 });
          assert.equal(source.counters.requests, requests, fen);
        }
        const { requests, bytes } = source.counters;
        assert.ok(requests >= 6 && requests < 120 && bytes < 600_000, `${requests} requests, ${bytes} bytes`);
        await engine.setTables(null);
        await engine.analyse('8/8/2K5/8/8/8/1k6/7R w - 32 0 60', { depth: 1 });
        assert.equal(source.counters.requests, requests);
      },
      threads,
    );
    assert.deepEqual(problems, []);
  });
}

for (const { build, threads, skip } of BUILDS) {
  test(`endings and reviews use tables, ${build}`, { skip }, async () => {
    const { source, problems } = watched(server.address);
    const fen = tables.info('KRvKM').white_to_move.longest_fen;
    const { plies, moves } = tables.probe(fen);
    await withEngine(
      source,
      async (engine) => {
        // A search goes on meanwhile.
        const leave = new AbortController();
        const searched = engine.analyse('startpos', { signal: leave.signal });
        const endings = await engine.endings(fen);
        leave.abort();
        await searched;
        assert.deepEqual(endings.value, { result: 'win', plies });
        assert.deepEqual(
          Object.entries(endings.moves).map(([move, value]) => [move, value.result]),
          moves.map((one) => [one.move, one.value]),
        );
        const { requests } = source.counters;
        const best = await engine.endingMove(fen);
        assert.equal(moves.find((one) => one.move === best).plies, plies);
        assert.equal(source.counters.requests, requests);
        const review = await engine.review(
          { fen: '8/8/2K5/8/8/8/k6m/7R w - 128 0 60', moves: ['h1h2'] },
          { nodes: 100 },
        );
        assert.deepEqual(review.positions[0].score, { cp: 19_999 });
        await engine.setTables(null);
        assert.equal((await engine.endings(fen)).value, null);
      },
      threads,
    );
    assert.deepEqual(problems, []);
    const never = new TableSource(() => new Promise(() => {}));
    await withEngine(
      never,
      async (engine) => {
        const leave = new AbortController();
        const review = engine.review({ fen }, { nodes: 100, signal: leave.signal });
        leave.abort(new Error('left'));
        await assert.rejects(review, /left/);
        // Another source answers what the first one does not.
        const asked = engine.endings(fen);
        await engine.setTables(source);
        assert.deepEqual((await asked).value, { result: 'win', plies });
      },
      threads,
    );
  });
}

test('a function reads files in Node', async () => {
  const { source, problems } = watched(async (file, start, end) => {
    const handle = await open(join(tables.folder, file)).catch(() => null);
    if (handle === null) {
      return null;
    }
    const { bytesRead, buffer } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
    await handle.close();
    return buffer.subarray(0, bytesRead);
  });
  const { lines } = await withEngine(source, (engine) => engine.analyse(CAPTURE, { depth: 1 }));
  assert.deepEqual([lines[0].score, problems], [{ cp: 19_999 }, []]);
});

test('an error of onProblem leaves nothing waiting', async (t) => {
  const timeout = globalThis.setTimeout;
  const thrown = [];
  t.mock.method(globalThis, 'setTimeout', (action, ms) =>
    ms === undefined ? thrown.push(action) : timeout(action, ms),
  );
  const onProblem = () => {
    throw new Error('mine');
  };
  const source = new TableSource(() => Promise.reject(new Error('gone')), { onProblem });
  assert.equal(await source.read([FILE, 0, 10]), null);
  assert.throws(thrown[0], /mine/);
});

/** Serves the folder, but for what `change` does: it answers itself and returns true, or changes the headers. */
async function spoilt(change, options, use) {
  const own = await listen((request, response) => {
    if (!change(request, response)) {
      serve({ folder: tables.folder, prefix: '/' }, request, response);
    }
  });
  const { source, problems } = watched(own.address, options);
  try {
    await use(source, problems, own);
  } finally {
    await own.close();
  }
}

const whole = (_, response) => response.end(readFileSync(join(tables.folder, FILE)));

test('what is wrong with the way is reported once, and then nothing is asked', async () => {
  for (const [code, change, options] of [
    ['tables.range', whole],
    ['tables.encoding', (_, response) => response.writeHead(206, { 'Content-Encoding': 'br' }).end()],
    ['tables.range', (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 7-9/10' }).end('abc')],
    ['tables.timeout', () => true, { timeout: 20 }],
    ['tables.offline', (_, response) => response.destroy()],
  ]) {
    await spoilt(change ?? whole, options, async (source, problems) => {
      await withEngine(source, async (engine) => {
        for (const fen of [CAPTURE, '8/8/2K5/8/8/8/k7/7R w - 32 0 60']) {
          assert.match((await engine.analyse(fen, { depth: 1 })).bestMove, /^[a-h]/);
        }
      });
      assert.deepEqual(
        problems.map(([found]) => found),
        [code],
      );
      assert.equal(source.counters.requests, 1, code);
    });
  }
});

test('what is wrong with a file is reported once, and the others are used', async () => {
  const file = readFileSync(join(tables.folder, FILE));
  const of = (request) => request.url === `/${FILE}`;
  const range = (request) => /bytes=(\d+)-(\d+)/.exec(request.headers.range).slice(1).map(Number);
  const part = (request, response, bytes, headers = {}) => {
    const [start, last] = range(request);
    response.writeHead(206, { 'Content-Range': `bytes ${start}-${last}/${file.length}`, ...headers });
    response.end(bytes.subarray(start, last + 1));
    return true;
  };
  const broken = Buffer.from(file.map((byte, at) => (at > 4_700 ? byte ^ 1 : byte)));
  const states = Array.from({ length: 100 }, (_, state) => `"${state}"`).values();
  for (const [code, change] of [
    ['tables.checksum', (request, response) => part(request, response, broken)],
    ['tables.changed', (request, response) => part(request, response, file, { ETag: states.next().value })],
    ['tables.length', (request, response) => part(request, response, file.subarray(0, 4300))],
    ['tables.length', (_, response) => response.writeHead(416).end()],
    ['tables.format', (request, response) => part(request, response, Buffer.alloc(200_000, '<html>'))],
    ['tables.status', (_, response) => response.writeHead(500).end()],
  ]) {
    await spoilt(
      (request, response) => of(request) && (change(request, response) || true),
      {},
      async (source, problems) => {
        await withEngine(source, async (engine) => {
          for (let times = 0; times < 2; times += 1) {
            assert.match((await engine.analyse('8/8/2K5/8/8/8/k7/7R w - 32 0 60', { depth: 1 })).bestMove, /^[a-h]/);
          }
          // A table of the other ending alone does not know this capture.
          await engine.analyse(CAPTURE, { depth: 1 });
        });
        assert.deepEqual(
          problems.map(([found]) => found),
          [code],
        );
        assert.match(problems[0][1], /^KRvK\.sktb: /);
        assert.ok(source.files().some((known) => known.file === 'KRvKM.sktb'));
        assert.ok(!source.files().some((known) => known.file === FILE));
      },
    );
  }
});

test('after a retry tables are asked for again', async () => {
  let isBroken = true;
  const offline = (_, response) => isBroken && response.destroy();
  await spoilt(offline, {}, async (source, problems) => {
    await withEngine(source, async (engine) => {
      assert.equal((await engine.endings(CAPTURE)).value, null);
      isBroken = false;
      assert.equal((await engine.endings(CAPTURE)).value, null);
      source.retry();
      assert.deepEqual((await engine.endings(CAPTURE)).value, { result: 'win', plies: 1 });
    });
    assert.deepEqual(
      problems.map(([found]) => found),
      ['tables.offline'],
    );
  });
});

test('an engine that has ended, or uses another source, ends its requests', async () => {
  for (const leave of [(engine) => engine.terminate(), (engine) => engine.setTables(null)]) {
    const asked = {};
    asked.promise = new Promise((resolve) => {
      asked.resolve = resolve;
    });
    const { source, problems } = watched((_file, _start, _end, signal) => {
      asked.resolve(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const engine = await Sakmak();
    await engine.setTables(source);
    const search = engine.analyse(CAPTURE, { depth: 1 }).catch(({ code }) => code);
    const signal = await asked.promise;
    assert.equal(signal.aborted, false);
    await leave(engine);
    assert.equal(signal.aborted, true);
    await search;
    engine.terminate();
    assert.deepEqual(problems, []);
  }
});

test('at most six requests run at once, and each gets its turn', async () => {
  const waiting = [];
  let running = 0;
  const source = new TableSource(() => {
    running += 1;
    assert.ok(running <= 6, `${running} requests`);
    return new Promise((resolve) => waiting.push(() => resolve(new Uint8Array(1)))).finally(() => {
      running -= 1;
    });
  });
  const begin = () => source.read([FILE, 0, 1]);
  const reads = Array.from({ length: 12 }, begin);
  while (reads.length < 30 || waiting.length > 0) {
    waiting.shift()?.();
    // One more comes while the place of the one that has finished is handed over.
    if (reads.length < 30) {
      reads.push(begin());
      await Promise.resolve();
      reads.push(begin());
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await Promise.all(reads)).length, 30);
  assert.equal(source.counters.requests, 30);
});

test('a timeout without an end is none', async () => {
  const { source, problems } = watched(
    () => new Promise((resolve) => setTimeout(() => resolve(new Uint8Array(10)), 20)),
    { timeout: Number.POSITIVE_INFINITY },
  );
  assert.equal((await source.read([FILE, 0, 10])).bytes.length, 10);
  assert.deepEqual(problems, []);
});

test('a view of a large buffer goes to the engine without the rest of it', async () => {
  const large = new Uint8Array(1000);
  const posted = [];
  const port = { post: (message) => posted.push(message), listen: (listener) => ports.push(listener), terminate() {} };
  const ports = [];
  const engine = new Engine(port);
  const source = new TableSource(async (_, start, end) => large.subarray(start, end));
  engine.setTables(source).catch(() => {});
  const { source: number } = posted.find((message) => message.setTables);
  ports[0]({ wantTables: 1, source: number, ranges: [[FILE, 10, 40]] });
  engine.FS.writeFile('a', large.subarray(5, 10));
  engine.postMessage({ evalFile: large.subarray(5, 10) });
  while (!posted.some((message) => message.tableParts)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { parts } = posted.find((message) => message.tableParts);
  const sent = [parts[0].bytes, ...posted.map(({ bytes, evalFile }) => bytes ?? evalFile).filter(Boolean)];
  assert.deepEqual(
    sent.map((bytes) => [bytes.length, bytes.buffer.byteLength]),
    [
      [30, 30],
      [5, 5],
      [5, 5],
    ],
  );
  engine.terminate();
});

test('a retry ends the requests of before', async () => {
  const answers = [];
  const { source, problems } = watched(() => new Promise((resolve, reject) => answers.push({ resolve, reject })));
  const old = source.read([FILE, 0, 10]);
  source.retry();
  assert.equal(await old, null);
  const now = source.read([FILE, 0, 10]);
  answers[0].reject(new Error('gone'));
  answers[1].resolve(new Uint8Array(10));
  assert.equal((await now).bytes.length, 10);
  assert.deepEqual(problems, []);
});

for (const { build, threads, skip } of BUILDS) {
  test(`a stop and a clock do not wait for tables, ${build}`, { skip }, async () => {
    let begun = () => {};
    const asked = () =>
      new Promise((resolve) => {
        begun = resolve;
      });
    const never = new TableSource(() => {
      begun();
      return new Promise(() => {});
    });
    await withEngine(
      never,
      async (engine) => {
        const leave = new AbortController();
        const isAsked = asked();
        const stopped = engine.analyse(CAPTURE, { signal: leave.signal });
        await isAsked;
        leave.abort();
        assert.match((await stopped).bestMove, /^[a-h]/);
        const { bestMove } = await engine.analyse(CAPTURE, { movetime: 50 });
        assert.match(bestMove, /^[a-h]/);
        const isAskedAgain = asked();
        const last = engine.analyse(CAPTURE);
        await isAskedAgain;
        engine.postMessage('quit');
        assert.match((await last).bestMove, /^[a-h]/);
        assert.equal((await engine.ended).code, 'engine.quit');
      },
      threads,
    );
  });
}

test('requests and bytes of each probe are printed', async () => {
  const fen = tables.info('KRvKM').white_to_move.longest_fen;
  const found = await measure({ Sakmak, TableSource }, tables.folder, [fen, fen]);
  const [first, second] = [found.probes[0], found.probes[found.probes.length / 2]];
  assert.ok(first.requests > 1 && first.bytes > 4180 && first.bytes < 400_000, JSON.stringify(first));
  assert.deepEqual([second.requests, second.bytes, second.score], [0, 0, first.score]);
  assert.match(describe(found), /^\| position .*files: KRvKM\.sktb \d+/s);
});
