// The engine in Chromium, from a page without isolation headers: as a classic and a module worker, by the factory, from
// another origin, with the calls of Makruk sites (sites.mjs), and under content security policies (policies.mjs).
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';

const DIST = 'node_modules/sakmak/dist';

/** In the page: a script element for the factory. */
export function loadScript(address) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address, async: true });
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
}

/** In the page: a worker by its address. Gives the milliseconds from `stop` to `bestmove`, of five searches. */
async function useWorker([address, options]) {
  const worker = new Worker(address, options);
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`no answer ${pattern}`)), 60_000);
      worker.onmessage = ({ data }) => pattern.test(data) && resolve(data);
      worker.onerror = (event) => reject(new Error(event.message || 'the worker cannot be loaded'));
    });
  const name = until(/^id name/);
  worker.postMessage('uci');
  await name;
  worker.postMessage('position startpos');
  const stops = [];
  while (stops.length < 5) {
    const searched = until(/^info depth 8 /);
    worker.postMessage('go infinite');
    await searched;
    const begin = performance.now();
    const stopped = until(/^bestmove [a-h]/);
    worker.postMessage('stop');
    await stopped;
    stops.push(performance.now() - begin);
  }
  worker.terminate();
  return stops;
}

/** In the page: the factory. A whole game, three lines, stop, terminate, restart. */
async function useFactory(origin) {
  const { playGame } = await import('/sites.mjs');
  const { Board, init } = await import('/node_modules/sakmak/dist/rules.js');
  await init();
  const locate = origin ? { locateFile: (file) => `${origin}/node_modules/sakmak/dist/${file}` } : {};
  const engine = await globalThis.Sakmak(locate);
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`no answer ${pattern}`)), 60_000);
      const listener = (line) => {
        if (pattern.test(line)) {
          engine.removeMessageListener(listener);
          resolve(line);
        }
      };
      engine.addMessageListener(listener);
    });
  const game = await playGame(engine, Board, 400);
  const { lines } = await engine.analyse('startpos', { depth: 6, multiPv: 3 });
  const stops = [];
  while (stops.length < 5) {
    const searched = until(/^info depth 7 /);
    engine.postMessage('position startpos\ngo infinite');
    await searched;
    const begin = performance.now();
    const stopped = until(/^bestmove /);
    engine.postMessage('stop');
    await stopped;
    stops.push(performance.now() - begin);
  }
  engine.terminate();
  const again = await globalThis.Sakmak(locate);
  const best = await again.play('startpos', { depth: 3 });
  again.terminate();
  return { game, lines: lines.length, stops, best };
}

/** In the page: the calls of the sites that have the engine in the browser. */
async function useSites(origin) {
  const { fairyground, openmakruk, pychess } = await import('/sites.mjs');
  const locateFile = (file) => `${origin}/node_modules/sakmak/dist/${file}`;
  const response = await fetch(locateFile('sakmak.wasm'));
  const { refused } = await openmakruk(globalThis.Sakmak, { locateFile });
  const { moves } = await fairyground(globalThis.Sakmak, { wasmBinary: await response.arrayBuffer() });
  const { read } = await pychess(globalThis.Sakmak);
  return { refused, moves: moves.length, read };
}

/** Memory of the page's process, in MB. */
async function resident(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  return Math.max(...sizes) / 1000;
}

/** Prints the memory of the first page of a browser with nothing, with the rules, and with the engine. */
export async function printMemory(page, origin) {
  if (!existsSync('/proc/self/status')) {
    return;
  }
  await page.goto(`${origin}/blank.html`);
  const steps = [['blank', await resident(page)]];
  await page.evaluate(loadScript, `${DIST}/rules.global.js`);
  await page.evaluate(() => globalThis.sakmak.init());
  steps.push(['with the rules', await resident(page)]);
  await page.evaluate(loadScript, `${DIST}/sakmak.js`);
  await page.evaluate(async () => {
    globalThis.engine = await globalThis.Sakmak();
    await globalThis.engine.setOption('Hash', 16);
    await globalThis.engine.play('startpos', { depth: 10 });
  });
  steps.push(['with the engine, Hash 16', await resident(page)]);
  await page.evaluate(() => globalThis.engine.terminate());
  console.log(
    `memory of a page in Chromium: ${steps.map(([name, size]) => `${name} ${size.toFixed(0)} MB`).join(', ')}`,
  );
}

/** Uses the engine in a page: `origin` serves it, `other` has the same files. A stop may take `stopMs` milliseconds. */
export async function checkEngine(page, origin, other, stopMs) {
  await page.goto(`${origin}/blank.html`);
  assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), false, 'an isolated page proves nothing');
  const inTime = (name, stops) => {
    const [fastest, , median] = stops.sort((a, b) => a - b);
    // A busy machine delays some.
    assert.ok(fastest <= stopMs, `${name}: a stop took ${fastest} ms`);
    console.log(`used: ${name}; stops took ${fastest.toFixed(0)} ms, in the middle ${median.toFixed(0)} ms`);
  };
  for (const options of [{}, { type: 'module' }]) {
    const stops = await page.evaluate(useWorker, [`${DIST}/sakmak-uci.js`, options]);
    inTime(`${options.type ?? 'classic'} worker`, stops);
  }
  await page.evaluate(loadScript, `${DIST}/sakmak.js`);
  for (const [name, from] of [
    ['factory', undefined],
    ['factory from another origin', other],
  ]) {
    const { game, lines, stops, best } = await page.evaluate(useFactory, from);
    assert.ok(game.plies > 20 && game.reason && lines === 3 && best, JSON.stringify({ name, game, lines, best }));
    inTime(`${name}: a game from the start, ${game.plies} plies to ${game.result} by ${game.reason}`, stops);
  }
  const { refused, moves, read } = await page.evaluate(useSites, origin);
  assert.match(refused, /makruk\.nnue not loaded: not a network of Sakmak/);
  assert.ok(moves === 6 && read >= 45, `${moves} moves, ${read} reports`);
  console.log('used: the calls of openmakruk, Fairyground and pychess.org');
  const missing = await page.evaluate(() =>
    globalThis.Sakmak({ locateFile: (file) => `/nowhere/${file}` }).catch(({ code }) => code),
  );
  assert.equal(missing, 'engine.failed', 'a file is missing');
}
