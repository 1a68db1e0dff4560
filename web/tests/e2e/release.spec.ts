// A new version is deployed while people have the page open or in their caches.
import type { BrowserContext, Page } from '@playwright/test';
import { test as base, expect } from './page';
import { Host } from './release';

const test = base.extend<{ host: Host }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  host: async ({}, use) => {
    const host = new Host();
    await use(host);
    await host.stop();
  },
});

const shown = (page: Page) => page.locator('html').getAttribute('data-release');

/** The page has loaded and has an engine. */
async function expectWhole(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Analyse' }).click();
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 60_000 });
}

/** The first visit: the service worker has stored the page and answers for it. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) {
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
    }
  });
}

/** Names of the stored versions; that of the version in charge is the last. */
const versions = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => /^sakmak-/.test(name)));

/** Looks for a new version, as browsers do some time after a visit; the state of its service worker, if there is one. */
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const worker = registration.installing;
    if (!worker) return undefined;
    return new Promise<string>((resolve) => {
      const look = () => (worker.state === 'redundant' || worker.state === 'activated') && resolve(worker.state);
      worker.addEventListener('statechange', look);
      look();
    });
  });

/** Loads the page anew until the new version is in charge. */
async function expectRelease(page: Page, url: string, release: string): Promise<void> {
  await expect(async () => {
    await page.goto(url);
    await expect(page.locator('main')).toBeVisible();
    await lookForUpdate(page);
    await page.goto('about:blank');
    await page.goto(url);
    expect(await shown(page)).toBe(release);
  }).toPass({ timeout: 120_000 });
}

test('a release that the browser has for a year gives way to the next, whole', async ({ page, host }) => {
  const url = await host.start('A');
  await visit(page, url);
  await page.goto(url);
  expect(await shown(page)).toBe('A');
  await expectWhole(page);
  const [before] = await versions(page);
  host.deploy('B');
  await expectRelease(page, url, 'B');
  await expectWhole(page);
  // What the first release stored goes once no page can need it.
  await expect(async () => {
    await page.goto(url);
    await expect(page.locator('main')).toBeVisible();
    const after = await versions(page);
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
  }).toPass({ timeout: 120_000 });
});

test('without a network the new release is whole, too', async ({ page, context, host }) => {
  const url = await host.start('A');
  await visit(page, url);
  host.deploy('B');
  await expectRelease(page, url, 'B');
  await context.setOffline(true);
  await page.goto('about:blank');
  await page.goto(url);
  expect(await shown(page)).toBe('B');
  await expectWhole(page);
  await context.setOffline(false);
});

test('a host that still has the old index.html: the old release stays until all is there', async ({ page, host }) => {
  const url = await host.start('A');
  await visit(page, url);
  host.keepStale('A', 'index.html');
  host.deploy('B');
  // The new service worker is refused, as it cannot have all of its version.
  const refused = await lookForUpdate(page);
  expect(refused).toBe('redundant');
  await page.goto('about:blank');
  await page.goto(url);
  expect(await shown(page)).toBe('A');
  await expectWhole(page);
});

/** Ends the engine's worker, as a browser does that has too little memory. */
async function killEngine(page: Page): Promise<void> {
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error('a fault for a test');
    });
  });
}

async function newPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.locator('main')).toBeVisible();
  return page;
}

test('a tab that stays open over a deployment can restart its engine', async ({ page, context, host }) => {
  const url = await host.start('A');
  await visit(page, `${url}#/analyse`);
  host.deploy('B');
  // Other tabs have the new release.
  const second = await newPage(context, url);
  await expectRelease(second, url, 'B');
  expect(await shown(page)).toBe('A');
  await killEngine(page);
  await expect(page.getByText('The engine had stopped and was started again.')).toBeVisible({ timeout: 60_000 });
  await expectWhole(page);
});

test('an engine that is gone from the host: a word, and a new page by one press', async ({ browser, host }) => {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB' });
  const page = await context.newPage();
  const url = await host.start('A');
  await page.goto(`${url}#/analyse`);
  await expect.poll(() => page.workers().length).toBe(1);
  await expectWhole(page);
  host.deploy('B');
  // Workers come past the browser's cache here: it may have dropped them.
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.clearBrowserCache');
  await killEngine(page);
  await expect(page.getByText('The engine cannot be started.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('The engine had stopped and was started again.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-release', 'B');
  await expect(page.locator('.board')).toBeVisible();
  await context.close();
});

test('a storage that refuses: the page comes from the network', async ({ page, context, host }) => {
  const url = await host.start('A');
  await visit(page, url);
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => {
    const refuse = () => Promise.reject(new Error('refused'));
    Object.assign(CacheStorage.prototype, { open: refuse, match: refuse, keys: refuse });
  });
  await page.goto('about:blank');
  await page.goto(url);
  await expectWhole(page);
  // The worker was not ended in between, so the storage still refused.
  expect(await worker?.evaluate(() => caches.open('x').catch((error) => String(error)))).toBe('Error: refused');
});
