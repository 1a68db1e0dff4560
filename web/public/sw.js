// The service worker: keeps the page, so that it works without a network. The build fills in version and files.
const CACHE = `sakmak-${'VERSION'}`;
const FILES = ['FILES'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('sakmak-') && name !== CACHE) {
        await caches.delete(name);
      }
    }
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') {
    return;
  }
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    // Files have their content in their names, the page itself is renewed with the next version.
    return kept ?? fetch(event.request);
  };
  event.respondWith(answer());
});
