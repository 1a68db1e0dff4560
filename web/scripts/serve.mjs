// A static server for the built page, as any host would be: node scripts/serve.mjs [FOLDER [PORT [PATH]]].
//
// It serves the folder below PATH (`/` by default) and compresses text and WebAssembly with gzip. A request for a range of
// bytes gets these bytes, uncompressed, as endgame tables and files of evaluations need.
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

/** Files that gzip makes no smaller. */
const UNCOMPRESSED = new Set(['.png', '.skev', '.sktb']);

/** The path that a request asks for; null if it is malformed. */
function pathOf(request) {
  try {
    return decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    return null;
  }
}

/**
 * The bytes that a header `Range` asks for, the last one included; null if the file has none of them, undefined if the
 * whole file is the answer: several ranges, other units and malformed headers are ignored (RFC 9110).
 */
function rangeOf(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || (first === '' && last === '') || (first !== '' && last !== '' && +first > +last)) {
    return undefined;
  }
  // Without a first byte it is the number of bytes at the end.
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : null;
}

/** Whether a header `If-Range` allows a part: it names the present state of the file. */
function isUnchanged(header, etag, modified) {
  return header === undefined || header === etag || header === modified;
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
  const { size, mtime, mtimeMs } = statSync(file);
  const modified = mtime.toUTCString();
  const { 'if-range': ifRange, range: wanted, 'accept-encoding': encodings = '' } = request.headers;
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const gzip = wanted === undefined && !UNCOMPRESSED.has(extname(file)) && /gzip/.test(encodings);
  // The compressed bytes are another representation.
  const etag = `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}${gzip ? '-gzip' : ''}"`;
  const range = isUnchanged(ifRange, etag, modified) ? rangeOf(wanted, size) : undefined;
  if (range === null) {
    response.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': 0, ...headers }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    'Content-Type': type,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': modified,
    Vary: 'Accept-Encoding',
    ...(gzip ? { 'Content-Encoding': 'gzip' } : { 'Content-Length': end - start + 1 }),
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    ...headers,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // An empty file has no last byte.
  const bytes = size === 0 ? createReadStream(file) : createReadStream(file, { start, end });
  const streams = [bytes, ...(gzip ? [createGzip({ level: 9 })] : []), response];
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
