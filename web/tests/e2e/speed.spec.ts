import { availableParallelism, loadavg } from 'node:os';
import type { Page } from '@playwright/test';
import { nativeBench } from '../native.mjs';
import { expect, openFiveHundred, openPage, slowNetwork, square, test } from './page';

/**
 * Checks a time, or reports it as ignored if other programs had used the processor before: `load`, in cores. On such a
 * machine the processor is what one waits for.
 */
function ifQuiet(load: number, check: () => void, most = 2 * availableParallelism()): void {
  if (load <= most) {
    check();
  } else {
    test.info().annotations.push({ type: 'ignored', description: `times: the load was ${load}` });
  }
}

for (const { name, bits, latency, most } of [
  { name: '1.5 Mbit/s', bits: 1_500_000, latency: 40, most: 1_800 },
  { name: '400 kbit/s', bits: 400_000, latency: 300, most: 8_000 },
]) {
  test(`the page is usable within ${most / 1_000} seconds on ${name}`, async ({ page }) => {
    const [load = 0] = loadavg();
    await slowNetwork(page, bits, latency);
    await openPage(page);
    await expect(page.locator('.new-game')).toBeVisible();
    const { usable, paint } = await page.evaluate(() => ({
      usable: performance.getEntriesByName('usable')[0]?.startTime ?? 0,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    }));
    const early = await page.evaluate((end) => {
      const loaded = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < end);
      return loaded.map(({ name }) => name.split('/').at(-1) ?? '');
    }, usable);
    expect(early.filter((file) => /^(en|th)-/.test(file))).toHaveLength(1);
    expect(early.filter((file) => /View-|^(engine|sakmak|start|faces)-|\.woff2$/.test(file))).toEqual([]);
    const times = `first paint ${paint.toFixed(0)} ms, usable ${usable.toFixed(0)} ms`;
    console.log(`${name}: ${times}; load before ${load.toFixed(1)}`);
    // The bytes are in size.test.mjs.
    ifQuiet(load, () => expect(usable).toBeLessThan(most));
  });
}

test('the engine searches at least a quarter of a million nodes a second', async ({ page }) => {
  const [load = 0] = loadavg();
  await openPage(page, '#fen=rn1mks1r/3sn3/ppppp2p/5p2/2P2P2/PP1P1NPP/3N4/R1SKMS1R_w_-_-_1_6');
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await page.waitForTimeout(4_000);
  const engine = page.getByRole('region', { name: 'Engine' });
  await expect(engine).toContainText(/\d kN\/s/);
  const speed = Number(/(\d+) kN\/s/.exec(await engine.innerText())?.[1] ?? 0);
  console.log(`analysis: ${speed} thousand nodes a second; load before ${load.toFixed(1)}`);
  // 1,000 on a machine that does nothing else.
  ifQuiet(load, () => expect(speed).toBeGreaterThan(250));
});

test('500 games open in under two seconds', async ({ page }) => {
  const [load = 0] = loadavg();
  const took = await openFiveHundred(page);
  console.log(`500 games: ${took} ms; load before ${load.toFixed(1)}`);
  ifQuiet(load, () => expect(took).toBeLessThan(2_000));
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
  const [load = 0] = loadavg();
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
  console.log(
    `stop of a search: ${times.map((time) => time.toFixed(0)).join(', ')} ms; load before ${load.toFixed(1)}`,
  );
  // The median.
  ifQuiet(load, () => expect(times[4]).toBeLessThan(50));
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

interface Drag {
  /** When frames were drawn. */
  frames: number[];
  changed: { nodes: number };
}

/** With a higher load the frames of a drag are not checked. */
const IDLE = 0.5;

test('a drag at four times throttling: 95% of frames within 17 ms, no layout', async ({ page, context }) => {
  const [load = 0] = loadavg();
  await openPage(page, '#/analyse');
  const cdp = await context.newCDPSession(page);
  const middle = async (name: string) => {
    const { x, y, width, height } = (await square(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [from, to] = [await middle('a1'), await middle('h7')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y - 20, { steps: 3 });
  await cdp.send('Performance.enable');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const metrics = async () => {
    const { metrics: all } = await cdp.send('Performance.getMetrics');
    return Object.fromEntries(all.map(({ name, value }) => [name, value]));
  };
  await page.evaluate(() => {
    const frames: number[] = [];
    const changed = { nodes: 0 };
    Object.assign(window, { drag: { frames, changed } });
    const note = (time: number) => {
      frames.push(time);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    const board = document.querySelector('.game-board') as Element;
    new MutationObserver((records) => {
      changed.nodes += records.length;
    }).observe(board, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const before = await metrics();
  const STEPS = 240;
  for (let step = 0; step < STEPS; step += 1) {
    const part = Math.abs(((step / 60) % 2) - 1);
    await page.mouse.move(to.x + (from.x - to.x) * part, to.y + (from.y - to.y) * part);
  }
  const after = await metrics();
  const { frames, changed } = await page.evaluate(() => (window as unknown as { drag: Drag }).drag);
  await page.mouse.up();
  const times = frames.slice(1).map((time, at) => time - (frames[at] ?? 0));
  const share = times.filter((time) => time <= 17.5).length / times.length;
  const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  const task = (1000 * grown('TaskDuration')) / STEPS;
  console.log(
    `drag, four times slower: ${(100 * share).toFixed(0)}% of ${times.length} frames within 17 ms, ` +
      `${task.toFixed(1)} ms of work and ${(changed.nodes / STEPS).toFixed(1)} changes a move; load before ${load.toFixed(1)}`,
  );
  // The piece, and the light on the square that is left and on the one that is reached.
  expect(changed.nodes / STEPS).toBeLessThan(3);
  expect(grown('LayoutCount')).toBeLessThan(5);
  ifQuiet(load, () => expect(share).toBeGreaterThanOrEqual(0.95), IDLE);
});
