// The service worker: keeps the page, so that it works without a network. The build fills in version and files
// (scripts/offline.mjs).
const CACHE = `sakmak-${'VERSION'}`;
const FILES = ['FILES'];
/** What index.html of this version loads. The names have the content in them. */
const ENTRIES = ['ENTRIES'];

/** A file from the host, past the browser's HTTP cache, which may hold that of another version. */
async function download(name) {
  const response = await fetch(name, { cache: 'reload' });
  const isPage = name === './' || name.endsWith('.html');
  const isHtml = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
  if (!response.ok || (isHtml && !isPage)) {
    throw new Error(`${name} cannot be loaded`);
  }
  if (isPage) {
    const text = await response.clone().text();
    if (!ENTRIES.every((entry) => text.includes(entry))) {
      throw new Error(`${name} is of another version`);
    }
  }
  // Browsers refuse a redirected answer where they asked for a page.
  return response.redirected ? new Response(response.body, response) : response;
}

/** Stores all files or none: a version that is not whole is not installed. */
async function install() {
  const cache = await caches.open(CACHE).catch(() => null);
  if (cache) {
    try {
      const answers = await Promise.all(FILES.map(async (name) => [name, await download(name)]));
      await Promise.all(answers.map(([name, answer]) => cache.put(name, answer)));
    } catch (error) {
      await caches.delete(CACHE);
      throw error;
    }
  }
  // Without storage the page comes from the network.
  await self.skipWaiting();
}

/** What is stored for a request: of this version, else of an older one that a page which is still open asks for. */
async function stored(request) {
  try {
    const own = await caches.match(request, { cacheName: CACHE, ignoreSearch: true });
    return own ?? (request.mode === 'navigate' ? undefined : await caches.match(request, { ignoreSearch: true }));
  } catch {
    // The storage is full, damaged or forbidden.
    return undefined;
  }
}

/** Deletes what older versions have stored, unless another page than `client` is open: it may be of such a version. */
async function clear(client) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.some(({ id }) => id !== client)) {
    return;
  }
  for (const name of await caches.keys()) {
    if (name.startsWith('sakmak-') && name !== CACHE) {
      await caches.delete(name);
    }
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  // The page itself keeps the puzzles and the book that were loaded: src/state/puzzles-data.ts, explorer-book.ts.
  if (request.method !== 'GET' || origin !== self.location.origin || /\/(puzzles|openings)\//.test(pathname)) {
    return;
  }
  event.respondWith(stored(request).then((found) => found ?? fetch(request)));
  // A page that loads this program is of this version. Versions may share their style sheet.
  if (clientId && ENTRIES.some((entry) => entry.endsWith('.js') && request.url.endsWith(`/${entry}`))) {
    event.waitUntil(
      clear(clientId).catch(() => {
        // The next page tries again.
      }),
    );
  }
});
