// The engine with threads in Chromium: in a page that is cross-origin isolated, and in one that is not.
import { loadScript } from './engine.mjs';

const SCRIPT = '/node_modules/sakmak/dist/sakmak.js';

/** In the page: what `threads` gives. */
async function useThreads(threads) {
  const engine = await globalThis.Sakmak({ threads });
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
  while (stops.length < 5) {
    await answer('position startpos\ngo infinite', /^info depth 8 /);
    const begin = performance.now();
    await answer('stop', /^bestmove [a-h]/);
    stops.push(performance.now() - begin);
  }
  const quit = engine.ready();
  engine.postMessage('quit');
  await quit;
  await engine.ready().catch(() => undefined);
  return { isReduced: comments.length > 1, stops };
}

/** Uses the engine in a page of `isolated`, whose answers have the isolation headers, and of `origin`. */
export async function checkThreads(page, origin, isolated, stopMs) {
  const refusal = () => globalThis.Sakmak({ threads: true }).catch(({ code }) => code);
  await page.goto(`${origin}/blank.html`);
  await page.evaluate(loadScript, SCRIPT);
  const code = await page.evaluate(refusal);
  const { isReduced } = await page.evaluate(useThreads, 'auto');
  if (code !== 'engine.threads' || !isReduced) {
    throw new Error(`without isolation: ${code}, ${isReduced ? 'one thread' : 'two threads'}`);
  }
  console.log("used: threads: 'auto' in a page without isolation headers");
  await page.goto(`${isolated}/blank.html`);
  await page.evaluate(loadScript, SCRIPT);
  if (!(await page.evaluate(() => globalThis.crossOriginIsolated))) {
    throw new Error('the page is not isolated: the test proves nothing');
  }
  for (const threads of [true, 'auto']) {
    const { isReduced, stops } = await page.evaluate(useThreads, threads);
    const [fastest, , median] = stops.sort((a, b) => a - b);
    if (isReduced || fastest > stopMs) {
      throw new Error(`threads: ${threads}: ${isReduced ? 'one thread' : `a stop took ${fastest} ms`}`);
    }
    const times = `stops took ${fastest.toFixed(0)} ms, in the middle ${median.toFixed(0)} ms`;
    console.log(`used: threads: ${threads} in an isolated page; ${times}`);
  }
}
