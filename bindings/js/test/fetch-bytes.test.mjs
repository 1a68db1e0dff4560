// The fetch of a network, which a browser's worker reads by the option EvalFile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listen } from './tables.mjs';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/fetch-bytes.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
});
const { fetchBytes } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

const PATIENCE_MS = 3_600_000;

/** What a fetch gives from a server. `patience` gets the functions that its timers would call, the latest one last. */
async function fetched(t, handler, { patience = [], leave = new AbortController() } = {}) {
  const timeout = globalThis.setTimeout;
  const mock = t.mock.method(globalThis, 'setTimeout', (action, ms, ...rest) => {
    if (ms === PATIENCE_MS) {
      patience.push(action);
    }
    return timeout(action, ms, ...rest);
  });
  const server = await listen(handler);
  try {
    return await fetchBytes(new URL('a.network', server.address), leave.signal, PATIENCE_MS);
  } finally {
    mock.mock.restore();
    await server.close();
  }
}

test('a file in several parts is read whole; each of them takes its own time', async (t) => {
  const patience = [];
  const bytes = await fetched(
    t,
    (_, response) => {
      let parts = 0;
      // The next part is sent once the last one has arrived.
      const send = () => {
        if (patience.length > parts) {
          response.write(Buffer.alloc(10, parts));
          parts += 1;
        }
        if (parts < 4) {
          setImmediate(send);
        } else {
          response.end();
        }
      };
      send();
    },
    { patience },
  );
  assert.deepEqual([bytes.length, ...bytes.subarray(8, 12), bytes.at(-1)], [40, 0, 0, 1, 1, 3]);
  assert.equal(patience.length, 5);
  assert.equal((await fetched(t, (_, response) => response.end())).length, 0);
});

test('a server that refuses, or sends nothing any more, is an error', async (t) => {
  await assert.rejects(
    fetched(t, (_, response) => response.writeHead(404).end('no')),
    /status 404/,
  );
  await assert.rejects(
    fetched(t, (_, response) => response.destroy()),
    /fetch failed/,
  );
  const patience = [];
  await assert.rejects(
    fetched(t, () => patience.at(-1)(), { patience }),
    /no answer within 3600000 ms/,
  );
  const later = [];
  const halfway = (_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('half');
    const wait = () => (later.length < 2 ? setImmediate(wait) : later.at(-1)());
    wait();
  };
  await assert.rejects(fetched(t, halfway, { patience: later }), /no answer within 3600000 ms/);
});

test('the fetch can be given up', async (t) => {
  const leave = new AbortController();
  const asked = () => leave.abort(new Error('left'));
  await assert.rejects(fetched(t, asked, { leave }), /left/);
  await assert.rejects(fetched(t, asked, { leave }), /left/);
});
