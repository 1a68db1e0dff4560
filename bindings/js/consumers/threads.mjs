// The engine with threads in Chromium: in a page that is cross-origin isolated, and in one that is not.
import { loadScript } from './engine.mjs';
import { failingModule } from './failing-module.mjs';
import { serveTables } from './tables.mjs';

const SCRIPT = '/node_modules/sakmak/dist/sakmak.js';

/** In the page: what an engine with `threads` and files from `origin` does, with tables at `address` for `fen`. */
async function useThreads({ threads, origin, address, fen }) {
  const locate = origin ? { locateFile: (file) => `${origin}/node_modules/sakmak/dist/${file}` } : {};
  const engine = await globalThis.Sakmak({ threads, ...locate });
  const answer = (commands, pattern) =>
    new Promise((resolve, reject) => {
      const lines = [];
      setTimeout(() => reject(new Error(`no answer ${pattern}; ${lines.join('\n')}`)), 60_000);
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
  const comments = await answer('setoption name Threads value 2\nisready', /^readyok$/);
  const stops = [];
  while (stops.length < 9) {
    await answer('position startpos\ngo infinite', /^info depth 8 /);
    const begin = performance.now();
    await answer('stop', /^bestmove [a-h]/);
    stops.push(performance.now() - begin);
  }
  stops.sort((a, b) => a - b);
  const { TableSource } = await import('/node_modules/sakmak/dist/engine.js');
  const problems = [];
  await engine.setTables(new TableSource(address, { onProblem: (...problem) => problems.push(problem) }));
  const { value } = await engine.endings(fen);
  const quit = engine.ready();
  engine.postMessage('quit');
  await quit;
  await engine.ready().catch(() => undefined);
  return { isReduced: comments.length > 1, stops, plies: value?.plies, problems };
}

/** In the page: the code of an engine whose threads fail, and the move of a new one. */
async function useFailing(bytes) {
  const engine = await globalThis.Sakmak({ threads: true, wasmBinary: new Uint8Array(bytes) });
  const code = await engine.analyse('startpos').then(
    () => 'found',
    (error) => error.code,
  );
  const ended = (await engine.ended).code;
  const again = await globalThis.Sakmak({ threads: true });
  const move = await again.play('startpos', { depth: 2 });
  again.terminate();
  return { code, ended, move };
}

/** Uses the engine in the page, and prints how long stops took; the median may be `stopMs`. */
async function searchInThreads(page, name, stopMs, plies, use) {
  const { isReduced, stops, problems, ...found } = await page.evaluate(useThreads, use);
  const median = stops[4];
  if (isReduced || median > stopMs || found.plies !== plies || problems.length > 0) {
    const times = stops.map((time) => time.toFixed(0)).join(', ');
    throw new Error(
      `${name}: ${isReduced ? 'one' : 'two'} threads; stops took ${times} ms; tables: ${found.plies}, not ${plies} ${problems}`,
    );
  }
  console.log(`used: ${name}; of nine stops the median took ${median.toFixed(0)} ms; tables`);
}

/**
 * Uses the engine in a page of `isolated`, whose answers have the isolation headers, and of `origin`. `foreign` serves
 * the files to other origins. `tables` are of KRvKM.
 */
export async function checkThreads(page, { origin, isolated, foreign, tables }, stopMs) {
  const refusal = () => globalThis.Sakmak({ threads: true }).catch(({ code }) => code);
  const fen = tables.info('KRvKM').white_to_move.longest_fen;
  const { plies } = tables.probe(fen);
  const shared = { 'Access-Control-Allow-Origin': '*' };
  const { address, close } = await serveTables(tables.folder, shared);
  try {
    await page.goto(`${origin}/blank.html`);
    await page.evaluate(loadScript, SCRIPT);
    const code = await page.evaluate(refusal);
    const { isReduced } = await page.evaluate(useThreads, { threads: 'auto', address, fen });
    if (code !== 'engine.threads' || !isReduced) {
      throw new Error(`without isolation: ${code}, ${isReduced ? 'one thread' : 'two threads'}`);
    }
    console.log("used: threads: 'auto' in a page without isolation headers");
    await page.goto(`${isolated}/blank.html`);
    await page.evaluate(loadScript, SCRIPT);
    if (!(await page.evaluate(() => globalThis.crossOriginIsolated))) {
      throw new Error('the page is not isolated: the test proves nothing');
    }
    for (const [threads, from] of [
      [true, undefined],
      ['auto', undefined],
      [true, foreign],
    ]) {
      const name = `threads: ${threads} in an isolated page${from ? ', from another origin' : ''}`;
      await searchInThreads(page, name, stopMs, plies, { threads, origin: from, address, fen });
    }
    const failing = await page.evaluate(useFailing, [...failingModule()]);
    if (failing.code !== 'engine.failed' || failing.ended !== 'engine.failed' || !failing.move) {
      throw new Error(`a thread that fails: ${JSON.stringify(failing)}`);
    }
    console.log('used: a thread that fails in an isolated page, and a new engine');
  } finally {
    close();
  }
}
