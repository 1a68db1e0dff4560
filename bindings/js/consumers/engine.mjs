// The engine in Chromium, from a page without isolation headers: as a classic and a module worker, by the factory, from
// another origin, in Vite's build. The calls are those that sites for Makruk make.

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

/** In the page: the factory. A game to its end, three lines, stop, terminate, restart. */
async function useFactory(origin) {
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
  const ready = until(/^readyok$/);
  engine.postMessage('uci');
  engine.postMessage('setoption name UCI_Variant value makruk');
  engine.postMessage('setoption name Hash value 16');
  engine.postMessage('ucinewgame');
  engine.postMessage('isready');
  await ready;
  const moves = [];
  for (;;) {
    const answer = until(/^bestmove /);
    engine.postMessage(`position fen 4k3/8/8/3M4/8/8/8/R3K2R w - - 0 60 moves ${moves.join(' ')}`);
    engine.postMessage('go nodes 3000');
    const [, best] = (await answer).split(' ');
    if (!/^[a-h]/.test(best) || moves.length > 60) {
      break;
    }
    moves.push(best);
  }
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
  return { plies: moves.length, lines: lines.length, stops, best };
}

/** Uses the engine in a page: `origin` serves it, `other` has the same files. A stop may take `stopMs` milliseconds. */
export async function checkEngine(page, origin, other, stopMs) {
  await page.goto(`${origin}/engine.html`);
  if (await page.evaluate(() => globalThis.crossOriginIsolated)) {
    throw new Error('the page is isolated: the test proves nothing');
  }
  const inTime = (name, stops) => {
    const [fastest, , median] = stops.sort((a, b) => a - b);
    // A busy machine delays some.
    if (fastest > stopMs) {
      throw new Error(`${name}: a stop took ${fastest} ms`);
    }
    console.log(`used: ${name}; stops took ${fastest.toFixed(0)} ms, in the middle ${median.toFixed(0)} ms`);
  };
  for (const options of [{}, { type: 'module' }]) {
    const stops = await page.evaluate(useWorker, ['node_modules/sakmak/dist/sakmak-uci.js', options]);
    inTime(`${options.type ?? 'classic'} worker`, stops);
  }
  for (const [name, from] of [
    ['factory', undefined],
    ['factory from another origin', other],
  ]) {
    const { plies, lines, stops, best } = await page.evaluate(useFactory, from);
    if (lines !== 3 || !best || plies < 3 || plies > 60) {
      throw new Error(`${name}: ${plies} plies, ${lines} lines, ${best}`);
    }
    inTime(`${name}: a game of ${plies} plies`, stops);
  }
  const refused = await page.evaluate(() =>
    globalThis.Sakmak({ locateFile: (file) => `/nowhere/${file}` }).catch(({ code }) => code),
  );
  if (refused !== 'engine.failed') {
    throw new Error(`a missing file gave ${refused}`);
  }
}
