import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Scripts, styles and data come from the page's own folder, and nothing is sent anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
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
        .filter((file) => file.type === 'asset' && file.originalFileNames.some((name) => name.includes('pkg/rules')))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'fetch', href: `./${fileName}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
};

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

/** Writes the list of files into the service worker; it names a version by their content. */
const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  closeBundle() {
    const folder = join(import.meta.dirname, 'dist');
    const worker = join(folder, 'sw.js');
    const files = filesOf(folder).filter((path) => path !== worker);
    const hash = createHash('sha256');
    for (const file of files.sort()) {
      hash.update(readFileSync(file));
    }
    const names = files.map((file) => relative(folder, file).replaceAll('\\', '/'));
    const text = readFileSync(worker, 'utf8')
      .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 12)))
      .replace("['FILES']", JSON.stringify(['./', ...names]));
    writeFileSync(worker, text);
  },
};

export default defineConfig({
  base: './',
  plugins: [contentSecurityPolicy, preload, offline],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: true },
  server: { port: 5173 },
});
