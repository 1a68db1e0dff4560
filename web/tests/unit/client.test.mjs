// The client of the engine: what happens to jobs and questions when workers die, hang or cannot be started.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import * as enginePackage from 'sakmak/engine';
import { load } from '../source.mjs';

const [{ EngineClient }] = await load('src/engine/client.ts');

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const LINE = { fen: 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1', words: [] };
const SEARCH = { kind: 'search', rules: RULES, line: LINE, go: { nodes: 1000 } };
const QUESTION = { rules: RULES, line: LINE };
const ANALYSIS = { bestMove: 'e3e4', ponder: null, stopsCount: false, lines: [] };

/** A worker that answers what the test says, and ends when it says so. */
class FakeWorker {
  searches = [];
  asked = [];
  pings = [];
  isTerminated = false;
  sent = [];
  #waiting = new Set();

  constructor() {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  #wait(list) {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      list.push((value) => {
        this.#waiting.delete(reject);
        resolve(value);
      });
    });
  }

  postMessage(message) {
    this.sent.push(message);
  }

  ready() {
    return this.#wait(this.pings);
  }

  newGame() {
    this.sent.push('ucinewgame');
    return Promise.resolve();
  }

  analyse(_position, options) {
    this.onInfo = options.onInfo;
    this.signal = options.signal;
    return this.#wait(this.searches);
  }

  endingMove() {
    return this.#wait(this.asked);
  }

  acceptsDraw() {
    return Promise.resolve([false, false]);
  }

  die(code = 'engine.failed') {
    const error = new enginePackage.EngineError(code, 'the engine has failed');
    for (const reject of this.#waiting) {
      reject(error);
    }
    this.#waiting.clear();
    this.end(error);
  }

  terminate() {
    this.isTerminated = true;
    this.die('engine.terminated');
  }
}

/** Lets promises that are settled go on. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A client whose workers the test starts: `fail(n)` refuses the next loads, otherwise they load at once. */
function clientOf() {
  const seen = { workers: [], loads: 0, restarted: 0, lost: 0 };
  let failing = [];
  const client = new EngineClient(
    {
      restarted: () => {
        seen.restarted += 1;
      },
      lost: () => {
        seen.lost += 1;
      },
    },
    async () => {
      seen.loads += 1;
      const error = failing.shift();
      if (error) {
        throw error;
      }
      const worker = new FakeWorker();
      seen.workers.push(worker);
      return worker;
    },
    async () => enginePackage,
  );
  const fail = (times, error = new enginePackage.EngineError('engine.failed', 'no script')) => {
    failing = Array.from({ length: times }, () => error);
  };
  /** Starts a search whose end is noted. */
  const search = () => {
    const heard = [];
    client.start(SEARCH, {
      done: ({ best }) => heard.push(`done ${best}`),
      fault: ({ code }) => heard.push(`fault ${code}`),
    });
    return heard;
  };
  return { client, seen, fail, search, worker: () => seen.workers.at(-1) };
}

test('a job is done by the worker', async () => {
  const { client, search, worker, seen } = clientOf();
  const heard = search();
  assert.ok(client.isBusy);
  await settle();
  worker().searches[0](ANALYSIS);
  await settle();
  assert.deepEqual(heard, ['done e3e4']);
  assert.equal(client.isBusy, false);
  assert.equal(seen.loads, 1);
});

test('the engine gets the memory that was chosen, each worker anew', async () => {
  const { client, search, worker } = clientOf();
  client.useMemory(128);
  search();
  await settle();
  assert.deepEqual(worker().sent, ['setoption name Hash value 128']);
  client.useMemory(16);
  assert.equal(worker().sent.at(-1), 'setoption name Hash value 16');
  worker().die();
  await settle();
  assert.deepEqual(worker().sent, ['setoption name Hash value 16']);
});

test('a worker that dies in a job is replaced, and the job begun again', async () => {
  const { search, worker, seen } = clientOf();
  const heard = search();
  await settle();
  worker().die();
  await settle();
  assert.equal(seen.workers.length, 2);
  assert.equal(seen.restarted, 1);
  worker().searches[0](ANALYSIS);
  await settle();
  assert.deepEqual(heard, ['done e3e4']);
});

test('a job that kills two workers is given up, and the next one is done', async () => {
  const { client, search, worker, seen } = clientOf();
  const heard = search();
  for (let time = 0; time < 2; time++) {
    await settle();
    worker().die();
  }
  await settle();
  assert.deepEqual(heard, ['fault crash']);
  assert.equal(client.isBusy, false);
  assert.equal(seen.lost, 0);
  const next = search();
  await settle();
  worker().searches[0](ANALYSIS);
  await settle();
  assert.deepEqual(next, ['done e3e4']);
});

test('a question is asked again of the successor, once', async () => {
  const { client, worker, seen } = clientOf();
  const answer = client.tableMove(QUESTION, 0);
  await settle();
  worker().die();
  await settle();
  worker().asked[0]('a1a2');
  assert.equal(await answer, 'a1a2');
  assert.equal(seen.restarted, 1);
  // One that kills each worker has no answer, and does not kill them for ever.
  const deadly = client.tableMove(QUESTION, 0);
  for (let time = 0; time < 2; time++) {
    await settle();
    worker().die();
  }
  assert.equal(await deadly, null);
  await settle();
  const { loads } = seen;
  await settle();
  assert.equal(seen.loads, loads);
});

test('a question that the engine refuses has no answer, and the worker stays', async () => {
  const { client, worker, seen } = clientOf();
  const refused = client.warmUp();
  await settle();
  worker().pings[0]();
  await refused;
  worker().endingMove = () => Promise.reject(new enginePackage.EngineError('engine.position', 'no'));
  assert.equal(await client.tableMove(QUESTION, 0), null);
  assert.equal(seen.workers.length, 1);
});

for (const error of [
  new enginePackage.EngineError('engine.failed', 'no script'),
  new TypeError('a policy forbids workers'),
]) {
  test(`three loads that fail (${error.name}) are tried again`, async () => {
    const { client, search, worker, fail, seen } = clientOf();
    fail(3, error);
    const heard = search();
    const answer = client.tableMove(QUESTION, 0);
    await settle();
    assert.equal(seen.loads, 4);
    worker().searches[0](ANALYSIS);
    worker().asked[0]('a1a2');
    await settle();
    assert.deepEqual(heard, ['done e3e4']);
    assert.equal(await answer, 'a1a2');
    assert.equal(seen.lost, 0);
    // Nobody had a worker that could be replaced.
    assert.equal(seen.restarted, 0);
  });
}

test('four loads that fail are one loss; the next request tries again', async () => {
  const { client, search, worker, fail, seen } = clientOf();
  fail(4);
  const heard = search();
  const answer = client.tableMove(QUESTION, 0);
  assert.equal(await answer, null);
  await settle();
  assert.equal(seen.loads, 4);
  assert.equal(seen.lost, 1);
  assert.deepEqual(heard, ['fault crash']);
  const again = search();
  await settle();
  worker().searches[0](ANALYSIS);
  await settle();
  assert.deepEqual(again, ['done e3e4']);
});

test('workers that die one after the other, with nothing to do, are not started for ever', async () => {
  const { client, worker, seen } = clientOf();
  const warm = client.warmUp();
  await settle();
  worker().pings[0]();
  await warm;
  for (let time = 0; time < 10 && seen.lost === 0; time++) {
    worker().die();
    await settle();
  }
  assert.equal(seen.lost, 1);
  assert.equal(seen.workers.length, 4);
});

test('a worker that hangs is ended and replaced', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { search, worker, seen } = clientOf();
  const heard = search();
  await settle();
  const [first] = seen.workers;
  // It answers for a while, then no more.
  for (let time = 0; time < 10; time++) {
    t.mock.timers.tick(2_000);
    first.pings.at(-1)();
    await settle();
  }
  assert.equal(seen.workers.length, 1);
  for (let time = 0; time < 4; time++) {
    t.mock.timers.tick(2_000);
    await settle();
  }
  assert.equal(first.isTerminated, false);
  t.mock.timers.tick(2_000);
  await settle();
  assert.equal(first.isTerminated, true);
  assert.equal(seen.restarted, 1);
  worker().searches[0](ANALYSIS);
  await settle();
  assert.deepEqual(heard, ['done e3e4']);
});

test('a worker that loads slowly does not hang', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let arrive = () => {};
  const client = new EngineClient(
    { restarted: () => assert.fail(), lost: () => assert.fail() },
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  const answer = client.tableMove(QUESTION, 0);
  t.mock.timers.tick(600_000);
  const worker = new FakeWorker();
  arrive(worker);
  await settle();
  worker.asked[0]('a1a2');
  assert.equal(await answer, 'a1a2');
});

test('a job takes the place of the one that runs, whose late answers are not heard', async () => {
  const { client, search, worker } = clientOf();
  const first = search();
  await settle();
  const second = search();
  await settle();
  const { searches } = worker();
  searches[0]({ ...ANALYSIS, bestMove: 'a3a4' });
  await settle();
  assert.deepEqual(second, []);
  searches[1](ANALYSIS);
  await settle();
  assert.deepEqual([first, second], [[], ['done e3e4']]);
  // A job that is given up hears nothing, and its worker stops.
  const third = search();
  await settle();
  const { signal } = worker();
  client.cancel();
  assert.ok(signal.aborted);
  client.cancel();
  assert.deepEqual(third, []);
});

test('a job that is given up while its worker loads is not begun', async () => {
  const { client, search, worker } = clientOf();
  const heard = search();
  client.cancel();
  await settle();
  assert.deepEqual(worker().searches, []);
  assert.deepEqual(heard, []);
});

test('questions are answered beside a job', async () => {
  const { client, search, worker } = clientOf();
  const heard = search();
  const answer = client.tableMove(QUESTION, 0);
  await settle();
  worker().asked[0]('a1a2');
  assert.equal(await answer, 'a1a2');
  assert.deepEqual(heard, []);
});

test('endgame files are named to the worker and to its successor, and to neither once they are off', async () => {
  const { client, search, worker, seen } = clientOf();
  const sources = [];
  FakeWorker.prototype.setTables = function (source) {
    sources.push([seen.workers.indexOf(this), source !== null]);
    return Promise.resolve();
  };
  client.useTables('https://example.org/tables/', () => {});
  assert.deepEqual(sources, []);
  search();
  await settle();
  worker().die();
  await settle();
  assert.deepEqual(sources, [
    [0, true],
    [1, true],
  ]);
  client.useTables('', () => {});
  await settle();
  assert.deepEqual(sources.at(-1), [1, false]);
  delete FakeWorker.prototype.setTables;
});
