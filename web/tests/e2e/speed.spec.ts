import type { Page } from '@playwright/test';
import { nativeBench } from '../native.mjs';
import { expect, openFiveHundred, openPage, test } from './page';

test('the page is usable within two seconds on 1.5 Mbit/s', async ({ page, context }) => {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 1_500_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await openPage(page);
  await expect(page.locator('.new-game')).toBeVisible();
  const { usable, paint } = await page.evaluate(() => ({
    usable: performance.getEntriesByName('usable')[0]?.startTime ?? 0,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  console.log(`1.5 Mbit/s: first paint ${paint.toFixed(0)} ms, usable ${usable.toFixed(0)} ms`);
  expect(usable).toBeLessThan(2_000);
});

test('the engine searches at least half a million nodes a second', async ({ page }) => {
  await openPage(page, '#fen=rn1mks1r/3sn3/ppppp2p/5p2/2P2P2/PP1P1NPP/3N4/R1SKMS1R_w_-_-_1_6');
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await page.waitForTimeout(4_000);
  const text = await page.getByRole('region', { name: 'Engine' }).innerText();
  const speed = Number(/(\d+) kN\/s/.exec(text)?.[1] ?? 0);
  console.log(`analysis: ${speed} thousand nodes a second`);
  expect(speed).toBeGreaterThan(500);
});

test('500 games open in under two seconds', async ({ page }) => {
  const took = await openFiveHundred(page);
  console.log(`500 games: ${took} ms`);
  expect(took).toBeLessThan(2_000);
});

/** Opens the page, and starts a worker of its own kind beside the one that it has. */
async function openWithWorker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        Object.assign(window, { startedWith: args });
      }
    };
  });
  await openPage(page);
  await page.waitForFunction(() => (window as unknown as Ask).startedWith !== undefined);
  await page.evaluate(async () => {
    const worker = new Worker(...(window as unknown as Ask).startedWith);
    const wait = (wanted: RegExp) =>
      new Promise<string>((resolve, reject) => {
        worker.addEventListener('error', ({ message }) => reject(new Error(`the worker failed: ${message}`)));
        worker.addEventListener('message', function listen({ data }) {
          if (wanted.test(data)) {
            worker.removeEventListener('message', listen);
            resolve(data);
          }
        });
      });
    const ready = wait(/^readyok$/);
    worker.postMessage('setoption name Hash value 48\nisready');
    await ready;
    Object.assign(window, { ask: { worker, wait } });
  });
}

interface Ask {
  /** With what the page started its worker. */
  startedWith: ConstructorParameters<typeof Worker>;
  ask: { worker: Worker; wait: (wanted: RegExp) => Promise<string> };
}

test('a stop ends a search within 50 ms', async ({ page }) => {
  await openWithWorker(page);
  const times = await page.evaluate(async () => {
    const { worker, wait } = (window as unknown as Ask).ask;
    const results: number[] = [];
    for (let number = 1; number <= 9; number++) {
      worker.postMessage('position startpos\ngo infinite');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const started = performance.now();
      const done = wait(/^bestmove/);
      worker.postMessage('stop');
      await done;
      results.push(performance.now() - started);
    }
    return results.sort((a, b) => a - b);
  });
  console.log(`stop of a search: ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  // The median: other programs may run on the machine.
  expect(times[4]).toBeLessThan(50);
});

test('the bench counts the nodes of the native engine', async ({ page }) => {
  await openWithWorker(page);
  const result = await page.evaluate(async () => {
    const { worker, wait } = (window as unknown as Ask).ask;
    const done = wait(/^\d+ nodes/);
    worker.postMessage('bench 8');
    return done;
  });
  console.log(`bench 8: ${result}`);
  expect(Number.parseInt(result, 10)).toBe(nativeBench(8));
});
