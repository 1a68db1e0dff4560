// The static server: no request ends it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { answer } from '../../scripts/serve.mjs';

/** The answer to a request line and headers, sent as they stand. */
function answerTo(port, path, headers = '', method = 'GET') {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
    });
    const parts = [];
    socket.on('data', (data) => parts.push(data));
    socket.on('end', () => {
      const text = Buffer.concat(parts).toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const [line, ...lines] = text.slice(0, end).split('\r\n');
      const pairs = lines.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header]);
      const fields = Object.fromEntries(pairs.map(([name, header]) => [name, header.slice(name.length + 2)]));
      resolve({ line, status: Number(line.split(' ')[1]), fields, body: text.slice(end + 4) });
    });
    socket.on('error', reject);
  });
}

/** The first line of the answer to a request line. */
async function ask(port, path) {
  return (await answerTo(port, path)).line;
}

/** Serves a folder with these files while `use` runs. */
async function serving(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'sakmak-serve-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const site = { folder, prefix: '/' };
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(server.address().port, folder);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}

test('malformed paths get 400, paths outside and missing files 404, and the server lives', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sakmak-serve-'));
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'odd', 'index.html'), { recursive: true });
  const site = { folder, prefix: '/some/' };
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  try {
    for (const [path, status] of [
      ['/%', 400],
      ['/some/%', 400],
      ['/some/%E0%A4%A', 400],
      ['/some/%00', 400],
      ['//', 400],
      ['http://[', 400],
      ['/', 404],
      ['/some/../../etc/passwd', 404],
      ['/some/..%2f..%2fetc/passwd', 404],
      ['/some/missing', 404],
      ['/some/empty/', 404],
      ['/some/odd/', 404],
      ['/some/', 200],
      ['/some/index.html?query', 200],
    ]) {
      const line = await ask(port, path);
      assert.equal(line.split(' ')[1], String(status), `${path}: ${line}`);
    }
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
});

test('a range of bytes gets these bytes, and what is no range of the file 416 or all of it', async () => {
  await serving({ 'KRvK.sktb': '0123456789', 'empty.sktb': '' }, async (port) => {
    for (const [range, status, body, content] of [
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=4-4', 206, '4', 'bytes 4-4/10'],
      ['Bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=10-12', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      // Malformed, or more than this server does: the whole file.
      ['bytes=5-2', 200, '0123456789', undefined],
      ['bytes=-', 200, '0123456789', undefined],
      ['bytes=a-b', 200, '0123456789', undefined],
      ['bytes=0-1,3-4', 200, '0123456789', undefined],
      ['lines=0-1', 200, '0123456789', undefined],
    ]) {
      const asked = `Range: ${range}\r\nAccept-Encoding: gzip\r\n`;
      const found = await answerTo(port, '/KRvK.sktb', asked);
      assert.equal(found.status, status, range);
      assert.equal(found.body, body, range);
      assert.equal(found.fields['content-range'], content, range);
      assert.equal(found.fields['content-encoding'], undefined, range);
      const head = await answerTo(port, '/KRvK.sktb', asked, 'HEAD');
      assert.deepEqual([head.status, head.body], [status, ''], range);
      assert.equal(head.fields['content-length'], found.fields['content-length'], range);
    }
    const whole = await answerTo(port, '/KRvK.sktb');
    assert.deepEqual([whole.fields['accept-ranges'], whole.fields['content-length']], ['bytes', '10']);
    assert.equal((await answerTo(port, '/empty.sktb')).status, 200);
    assert.equal((await answerTo(port, '/empty.sktb', 'Range: bytes=0-3\r\n')).status, 416);
  });
});

test('a part of a file that has changed is not sent where If-Range names the old state', async () => {
  await serving({ 'KRvK.sktb': '0123456789' }, async (port, folder) => {
    const { etag, 'last-modified': modified } = (await answerTo(port, '/KRvK.sktb')).fields;
    const part = (state) => answerTo(port, '/KRvK.sktb', `Range: bytes=0-3\r\nIf-Range: ${state}\r\n`);
    assert.equal((await part(etag)).status, 206);
    assert.equal((await part(modified)).status, 206);
    writeFileSync(join(folder, 'KRvK.sktb'), '0123456789a');
    utimesSync(join(folder, 'KRvK.sktb'), 1e9, 1e9);
    for (const state of [etag, modified]) {
      const { status, body, fields } = await part(state);
      assert.deepEqual([status, body], [200, '0123456789a'], state);
      assert.notEqual(fields.etag, etag);
    }
  });
});

test('text is compressed, but no part of it', async () => {
  await serving({ 'page.html': '<p>page</p>'.repeat(100) }, async (port) => {
    const gzip = 'Accept-Encoding: gzip\r\n';
    const whole = await answerTo(port, '/page.html', gzip);
    assert.deepEqual([whole.status, whole.fields['content-encoding']], [200, 'gzip']);
    const part = await answerTo(port, '/page.html', `${gzip}Range: bytes=0-2\r\n`);
    assert.deepEqual([part.status, part.body, part.fields['content-encoding']], [206, '<p>', undefined]);
    const head = await answerTo(port, '/page.html', gzip, 'HEAD');
    assert.deepEqual([head.status, head.body, head.fields.etag], [200, '', whole.fields.etag]);
  });
});
