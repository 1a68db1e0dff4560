// The static server: no request ends it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { answer } from '../../scripts/serve.mjs';

/** The first line of the answer to a request line, sent as it stands. */
function ask(port, path) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', () => resolve(text.split('\r\n')[0]));
    socket.on('error', reject);
  });
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
