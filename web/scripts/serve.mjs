// A static server for the built page, as any host would be: node scripts/serve.mjs [FOLDER [PORT [PATH]]].
//
// It serves the folder below PATH (`/` by default) and compresses text and WebAssembly with gzip.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder = join(web, 'dist'), port = '4173', prefix = '/'] = process.argv.slice(2);

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

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  const inside = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : '..';
  let file = join(folder, inside);
  if (existsSync(file) && statSync(file).isDirectory()) {
    file = join(file, 'index.html');
  }
  if (inside.startsWith('..') || !existsSync(file)) {
    response.writeHead(404).end('not found');
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const gzip = extname(file) !== '.png' && /gzip/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(200, { 'Content-Type': type, ...(gzip && { 'Content-Encoding': 'gzip' }) });
  const stream = createReadStream(file);
  (gzip ? stream.pipe(createGzip({ level: 9 })) : stream).pipe(response);
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://localhost:${port}${prefix}`);
});
