// A static server for the built page, as any host would be: node scripts/serve.mjs [FOLDER [PORT [PATH]]].
//
// It serves the folder below PATH (`/` by default) and compresses text and WebAssembly with gzip.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The path that a request asks for; null if it is malformed. */
function pathOf(request) {
  try {
    return decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    return null;
  }
}

/**
 * Answers requests for files of a folder. `site` has the folder, the path that it is served below, and further headers;
 * it is read at each request.
 */
export function answer(site, request, response) {
  const path = pathOf(request);
  if (path === null || path.includes('\0')) {
    response.writeHead(400).end('bad request');
    return;
  }
  const { folder, prefix, headers = {} } = site;
  const inside = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : '..';
  let file = join(folder, inside);
  if (existsSync(file) && statSync(file).isDirectory()) {
    file = join(file, 'index.html');
  }
  if (inside.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end('not found');
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const gzip = extname(file) !== '.png' && /gzip/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(200, { 'Content-Type': type, ...(gzip && { 'Content-Encoding': 'gzip' }), ...headers });
  const streams = [createReadStream(file), ...(gzip ? [createGzip({ level: 9 })] : []), response];
  // A file that cannot be read, or a client that is gone, ends this answer only.
  pipeline(streams, (error) => error && response.destroy());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const web = dirname(dirname(fileURLToPath(import.meta.url)));
  const [folder = join(web, 'dist'), port = '4173', prefix = '/'] = process.argv.slice(2);
  const server = createServer((request, response) => answer({ folder, prefix }, request, response));
  server.listen(Number(port), '127.0.0.1', () => {
    console.log(`http://localhost:${server.address().port}${prefix}`);
  });
}
