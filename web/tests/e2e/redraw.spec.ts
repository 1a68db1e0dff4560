// What is drawn again while the engine sends lines. The names of components are those of the source, so Vite serves it.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { expect, move, test } from './page';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Counts how often each component is drawn: Preact calls this before. */
const counter: Plugin = {
  name: 'counter',
  resolveId: (id) => (id === '/counter.js' ? id : null),
  load: (id) =>
    id === '/counter.js'
      ? `import { options } from 'preact';
         const before = options.__r;
         window.drawn = {};
         options.__r = (vnode) => {
           const { name } = vnode.type;
           window.drawn[name] = (window.drawn[name] ?? 0) + 1;
           before?.(vnode);
         };`
      : null,
  transformIndexHtml: () => [
    { tag: 'script', attrs: { type: 'module', src: '/counter.js' }, injectTo: 'head-prepend' },
  ],
};

let server: ViteDevServer;

test.beforeAll(async () => {
  server = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    plugins: [counter],
    logLevel: 'error',
    server: { port: 0, host: 'localhost', watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  await server.listen();
});

test.afterAll(() => server.close());

test('lines of the engine redraw neither moves nor count, and the board only with its arrows', async ({ page }) => {
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}#/analyse`);
  await move(page, 'e3', 'e4');
  await page.locator('.switch input').click();
  await expect(page.locator('.lines .score').first()).toBeVisible();
  const drawn = () => page.evaluate(() => ({ ...(window as unknown as { drawn: Record<string, number> }).drawn }));
  // Counts the changes of the arrows, too.
  await page.evaluate(() => {
    const { drawn } = window as unknown as { drawn: Record<string, number> };
    const arrows = () => [...document.querySelectorAll('.sb-arrow')].map((one) => one.parentElement?.outerHTML).join();
    let last = arrows();
    drawn.arrows = 0;
    new MutationObserver(() => {
      if (arrows() !== last) {
        last = arrows();
        drawn.arrows = (drawn.arrows ?? 0) + 1;
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  // The solved endings and the first lines have come.
  const before = await drawn();
  await expect
    .poll(async () => ((await drawn()).EnginePanel ?? 0) - (before.EnginePanel ?? 0))
    .toBeGreaterThanOrEqual(4);
  const after = await drawn();
  const times = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect(before.MoveListView, 'names are those of the source').toBeGreaterThan(0);
  expect(before.CountPanelView).toBeGreaterThan(0);
  expect(before.GameBoardView).toBeGreaterThan(0);
  expect(times('MoveListView')).toBe(0);
  expect(times('MoveItem')).toBe(0);
  expect(times('CountPanelView')).toBe(0);
  // A new best move is a new arrow.
  expect(times('GameBoardView')).toBeLessThanOrEqual(times('arrows'));
  // What has changed is drawn.
  await move(page, 'e6', 'e5');
  await expect.poll(async () => (await drawn()).MoveListView).toBeGreaterThan(after.MoveListView ?? 0);
  await expect(page.locator('.moves .move')).toHaveText(['e4', 'e5']);
});
