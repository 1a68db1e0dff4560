// The queue of requests to the engine: what comes first, what waits, what is not heard.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [{ EngineQueue }, { EngineClient }] = await load('src/engine/queue.ts', 'src/engine/client.ts');

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const LINE = { fen: 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1', words: [] };
const POSITION = { rules: RULES, line: LINE };
const KINDS = ['move', 'offer', 'hint', 'report', 'lines'];

/** A queue whose requests write down what they hear, by their names. */
function queueOf() {
  const engine = new FakeEngine();
  const queue = new EngineQueue(engine);
  const heard = [];
  const ask = (kind, { name = kind, least, andThen } = {}) => {
    const asker = queue.asker();
    const handlers = {
      lines: () => heard.push(`${name} lines`),
      progress: () => heard.push(`${name} progress`),
      done: () => {
        heard.push(`${name} done`);
        andThen?.(asker);
      },
      report: () => heard.push(`${name} done`),
      fault: ({ code }) => heard.push(`${name} fault ${code}`),
      ...(least && { least: () => least }),
    };
    if (kind === 'report') {
      asker.report(POSITION, { nodes: 1, notation: 'san' }, handlers);
    } else {
      asker.search(kind, POSITION, { nodes: KINDS.indexOf(kind) }, handlers);
    }
    return asker;
  };
  /** The kind of the request that runs. */
  const running = () => {
    const job = engine.running?.job;
    return job && (job.kind === 'analyse' ? 'report' : KINDS[job.go.nodes]);
  };
  const end = () => engine.end(running() === 'report' ? 'report' : 'done', {});
  return { engine, queue, heard, ask, running, end };
}

for (const [rank, urgent] of KINDS.entries()) {
  for (const [other, kind] of KINDS.entries()) {
    const isFirst = rank < other;
    test(`${urgent} ${isFirst ? 'stops' : 'waits for'} ${kind}`, () => {
      const { ask, running, end, heard } = queueOf();
      ask(kind, { name: 'first' });
      ask(urgent, { name: 'second' });
      assert.equal(running(), isFirst ? urgent : kind);
      end();
      end();
      assert.equal(running(), undefined);
      assert.deepEqual(heard, isFirst ? ['second done', 'first done'] : ['first done', 'second done']);
    });
  }
}

test('the most urgent of those that wait comes next, the older one of a kind first', () => {
  const { ask, end, heard } = queueOf();
  ask('move', { name: '1' });
  ask('lines', { name: '6' });
  ask('hint', { name: '3' });
  ask('hint', { name: '4' });
  ask('report', { name: '5' });
  ask('move', { name: '2' });
  for (let at = 0; at < 6; at++) {
    end();
  }
  assert.deepEqual(
    heard,
    ['1', '2', '3', '4', '5', '6'].map((name) => `${name} done`),
  );
});

test('one that was stopped comes before the younger ones of its kind', () => {
  const { ask, end, heard } = queueOf();
  ask('hint', { name: 'old' });
  ask('hint', { name: 'young' });
  ask('move');
  for (let at = 0; at < 3; at++) {
    end();
  }
  assert.deepEqual(heard, ['move done', 'old done', 'young done']);
});

test('what a stopped run still says is not heard, and its second run is', () => {
  const { engine, ask, end, heard } = queueOf();
  ask('lines');
  const late = engine.running.handlers;
  ask('move');
  late.lines([]);
  late.done({});
  late.fault({ code: 'crash' });
  assert.deepEqual(heard, []);
  end();
  late.lines([]);
  late.done({});
  assert.deepEqual(heard, ['move done']);
  engine.running.handlers.lines([]);
  end();
  assert.deepEqual(heard, ['move done', 'lines lines', 'lines done']);
});

test('giving up stops what runs and forgets what waits, of one asker only', () => {
  const { engine, ask, running, end, heard } = queueOf();
  const move = ask('move');
  const hint = ask('hint');
  ask('lines');
  const late = engine.running.handlers;
  assert.deepEqual([move.asked, hint.asked], ['move', 'hint']);
  hint.giveUp();
  assert.equal(hint.asked, null);
  assert.equal(running(), 'move');
  move.giveUp();
  assert.equal(running(), 'lines');
  late.done({});
  end();
  move.giveUp();
  assert.deepEqual(heard, ['lines done']);
});

test('an answer that came too soon is held, and the engine is free meanwhile', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => 0);
  const { ask, running, end, heard } = queueOf();
  const asker = ask('move', { least: 500 });
  ask('lines');
  end();
  assert.equal(running(), 'lines');
  assert.equal(asker.asked, 'move');
  // A held answer does not stand in the way of another move.
  ask('move', { name: 'other' });
  assert.equal(running(), 'move');
  t.mock.timers.tick(499);
  assert.deepEqual(heard, []);
  t.mock.timers.tick(1);
  assert.deepEqual(heard, ['move done']);
  assert.equal(asker.asked, null);
  // One that is given up meanwhile is not handed over.
  end();
  end();
  const given = ask('move', { name: 'given up', least: 500 });
  end();
  given.giveUp();
  t.mock.timers.tick(1_000);
  assert.deepEqual(heard, ['move done', 'other done', 'lines done']);
});

test('an answer may ask again at once', () => {
  const { ask, running, end, heard } = queueOf();
  const again = (asker) =>
    asker.search('lines', POSITION, { nodes: 4 }, { done: () => heard.push('again done'), fault: assert.fail });
  ask('hint', { andThen: again });
  ask('report');
  end();
  assert.equal(running(), 'report');
  end();
  end();
  assert.deepEqual(heard, ['hint done', 'report done', 'again done']);
});

test('a fault ends its request, and the next one runs', () => {
  const { engine, ask, running, heard } = queueOf();
  const asker = ask('move');
  ask('lines');
  engine.end('fault', { code: 'crash' });
  assert.deepEqual(heard, ['move fault crash']);
  assert.equal(asker.asked, null);
  assert.equal(running(), 'lines');
});

test('answers of the solved endings and pauses of an asker that has given up are not heard', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine, queue } = queueOf();
  engine.tableMove = async () => 'a1a2';
  const heard = [];
  const asker = queue.asker();
  const ask = (name) => {
    void asker.tableMove(POSITION, 0).then((move) => heard.push(`${name} ${move}`));
    void asker.facts(POSITION).then((facts) => heard.push(`${name} ${facts}`));
    asker.after(300, () => heard.push(`${name} pause`));
  };
  ask('old');
  asker.giveUp();
  ask('new');
  await new Promise((done) => setImmediate(done));
  t.mock.timers.tick(300);
  assert.deepEqual(heard.sort(), ['new a1a2', 'new null', 'new pause']);
});

/** Workers that the test ends; their searches are answered by the test. */
function clientQueue() {
  const workers = [];
  const client = new EngineClient({ restarted: () => {}, lost: () => {} }, async () => {
    const worker = { searches: [], postMessage() {}, ready: async () => {}, acceptsDraw: async () => [false, false] };
    worker.ended = new Promise((end) => {
      worker.die = () => {
        const error = Object.assign(new workers.EngineError('engine.failed', 'it died'));
        for (const { reject } of worker.searches) {
          reject(error);
        }
        end(error);
      };
    });
    worker.terminate = () => worker.die();
    worker.analyse = (_position, { signal }) =>
      new Promise((resolve, reject) => worker.searches.push({ resolve, reject, signal }));
    workers.push(worker);
    return worker;
  });
  return { workers, queue: new EngineQueue(client) };
}

const ANALYSIS = { bestMove: 'e3e4', ponder: null, stopsCount: false, lines: [] };

async function settle() {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('over real workers: lines give way to a move, which outlives a worker; two deaths are a fault, and others go on', async () => {
  const { EngineError } = await import('sakmak/engine');
  const { workers, queue } = clientQueue();
  workers.EngineError = EngineError;
  const heard = [];
  const ask = (kind) =>
    queue.asker().search(
      kind,
      POSITION,
      {},
      {
        done: ({ best }) => heard.push(`${kind} ${best}`),
        fault: ({ code }) => heard.push(`${kind} fault ${code}`),
      },
    );
  ask('lines');
  await settle();
  ask('move');
  await settle();
  assert.ok(workers[0].searches[0].signal.aborted);
  workers[0].die();
  await settle();
  assert.equal(workers.length, 2);
  workers[1].searches[0].resolve(ANALYSIS);
  await settle();
  assert.deepEqual(heard, ['move e3e4']);
  // The lines are searched again by now.
  workers[1].searches[1].resolve({ ...ANALYSIS, bestMove: 'a3a4' });
  await settle();
  assert.deepEqual(heard.slice(1), ['lines a3a4']);
  ask('move');
  ask('hint');
  for (let time = 0; time < 2; time++) {
    await settle();
    workers.at(-1).die();
  }
  await settle();
  assert.deepEqual(heard.slice(2), ['move fault crash']);
  workers.at(-1).searches[0].resolve(ANALYSIS);
  await settle();
  assert.deepEqual(heard.slice(3), ['hint e3e4']);
});
