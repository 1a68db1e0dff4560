// Modules of the page's source in Node, compiled by Vite.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Loads modules, by their paths below web/. They must not need the DOM. */
export async function load(...paths) {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    // A package that is linked is compiled otherwise.
    ssr: { external: ['sakmak/rules', 'sakmak/study', 'sakmak/engine', 'sakmak'] },
  });
  try {
    const modules = await Promise.all(paths.map((path) => server.ssrLoadModule(`/${path}`)));
    if (globalThis.document) {
      // As the page does before it shows anything.
      const { loadWords } = await server.ssrLoadModule('/src/messages/i18n.ts');
      await loadWords('en');
    }
    return modules;
  } finally {
    await server.close();
  }
}
