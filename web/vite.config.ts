import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { writeServiceWorker } from './scripts/offline.mjs';

/** The oldest browsers, see docs/web.md. */
const OLDEST = ['chrome91', 'edge91', 'firefox114', 'safari16.4'];

/** Scripts, styles and data come from the page's own folder, and nothing is sent anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  // Endgame files and a file of evaluations may lie elsewhere.
  ["connect-src 'self'", process.env.SAKMAK_TABLES, process.env.SAKMAK_EVALUATIONS].filter(Boolean).join(' '),
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The content security policy of the built page. Vite's development server needs inline scripts. */
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
  ],
};

/** Loads the rules together with the script that asks for them. */
const preload: Plugin = {
  name: 'preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((file) => file.type === 'asset' && file.originalFileNames.some((name) => name.endsWith('study.wasm')))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'fetch', href: `./${fileName}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
};

/** What a link to the page shows in a messenger. A picture needs a whole address: that of SAKMAK_SITE. */
const preview: Plugin = {
  name: 'preview',
  transformIndexHtml: (html) => {
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const site = process.env.SAKMAK_SITE?.replace(/\/*$/, '/');
    const properties: [string, string][] = [
      ['og:type', 'website'],
      ['og:title', 'Sakmak · หมากรุกไทย'],
      ['og:description', description],
    ];
    if (site) {
      properties.push(['og:url', site], ['og:image', `${site}preview.png`]);
      properties.push(['og:image:width', '1200'], ['og:image:height', '630']);
    }
    return [
      ...properties.map(([property, content]) => ({ tag: 'meta', attrs: { property, content } })),
      { tag: 'meta', attrs: { name: 'twitter:card', content: site ? 'summary_large_image' : 'summary' } },
    ].map((one) => ({ ...one, injectTo: 'head' as const }));
  },
};

/** The page never asks for the engine with threads, which needs headers that static hosts do not send. */
const withoutThreads: Plugin = {
  name: 'without-threads',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) {
      if (/-threads-[\w-]+\.(js|wasm)$/.test(name)) {
        delete bundle[name];
      }
    }
  },
};

/** The licence of the faces lies beside them. */
const licences: Plugin = {
  name: 'licences',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(join(import.meta.dirname, 'node_modules/@fontsource/sarabun/LICENSE'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'assets/Sarabun-OFL.txt', source });
  },
};

/** Writes the list of files into the service worker. */
const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  closeBundle() {
    writeServiceWorker(join(import.meta.dirname, 'dist'), join(import.meta.dirname, 'public/sw.js'));
  },
};

const ENGINE = join(import.meta.dirname, '../bindings/js/dist/sakmak.wasm');

/** The modules of the first load in one file, which compresses better: those that `main.tsx` needs at once. */
function firstLoad(
  id: string,
  graph: { getModuleInfo: (id: string) => { importedIds: string[] } | null },
): string | null {
  if (first.size === 0) {
    const add = (one: string): void => {
      if (!first.has(one)) {
        first.add(one);
        graph.getModuleInfo(one)?.importedIds.forEach(add);
      }
    };
    add(join(import.meta.dirname, 'src/main.tsx'));
  }
  return first.has(id) ? 'first' : null;
}

const first = new Set<string>();

export default defineConfig({
  base: './',
  // Hosts that compress the engine do not say how large it is.
  define: { ENGINE_BYTES: statSync(ENGINE).size },
  plugins: [contentSecurityPolicy, preview, preload, withoutThreads, licences, offline],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    target: OLDEST,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstLoad, debugName: 'first' }] } } },
  },
  // The package lies beside this folder.
  server: { port: 5173, fs: { allow: ['..'] } },
});
