import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { writeServiceWorker } from './scripts/offline.mjs';

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
        .filter((file) => file.type === 'asset' && file.originalFileNames.some((name) => name.endsWith('study.wasm')))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'fetch', href: `./${fileName}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
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

export default defineConfig({
  base: './',
  plugins: [contentSecurityPolicy, preload, offline],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: true },
  // The package lies beside this folder.
  server: { port: 5173, fs: { allow: ['..'] } },
});
