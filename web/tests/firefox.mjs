// A short look at the built page in the system's Firefox: node tests/firefox.mjs [PROGRAM].
//
// Playwright drives only a Firefox of its own, so this speaks Firefox's protocol Marionette: JSON behind its length.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [program = 'firefox-esr'] = process.argv.slice(2);
const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const [PAGE_PORT, MARIONETTE_PORT] = [4179, 28_283];
const START_MS = 60_000;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Tries until it succeeds. */
async function patiently(work, limit = 20_000) {
  const until = Date.now() + limit;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until) {
        throw error;
      }
      await sleep(200);
    }
  }
}

function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Commands of Marionette over a socket. */
class Marionette {
  constructor(socket) {
    this.socket = socket;
    this.waiting = [];
    this.received = Buffer.alloc(0);
    socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]);
      this.read();
    });
  }

  read() {
    for (;;) {
      const colon = this.received.indexOf(':');
      const end = colon + 1 + Number(this.received.subarray(0, Math.max(0, colon)));
      if (colon < 0 || this.received.length < end) {
        return;
      }
      const message = JSON.parse(this.received.subarray(colon + 1, end));
      this.received = this.received.subarray(end);
      // The greeting is no answer.
      if (Array.isArray(message)) {
        const [, id, error, result] = message;
        const { resolve, reject } = this.waiting[id];
        error ? reject(new Error(error.message)) : resolve(result);
      }
    }
  }

  command(name, parameters = {}) {
    return new Promise((resolve, reject) => {
      const id = this.waiting.push({ resolve, reject }) - 1;
      const text = JSON.stringify([0, id, name, parameters]);
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  async script(script) {
    return (await this.command('WebDriver:ExecuteScript', { script, args: [] })).value;
  }
}

const profile = mkdtempSync(join(tmpdir(), 'sakmak-firefox-'));
writeFileSync(join(profile, 'user.js'), `user_pref('marionette.port', ${MARIONETTE_PORT});\n`);
const server = spawn('node', [join(web, 'scripts/serve.mjs'), join(web, 'dist'), String(PAGE_PORT), '/a/']);
const firefox = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
  env: { ...process.env, HOME: profile },
});
try {
  const browser = new Marionette(await patiently(() => open(MARIONETTE_PORT), START_MS));
  const { capabilities } = await browser.command('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  await browser.command('WebDriver:Navigate', { url: `http://localhost:${PAGE_PORT}/a/` });
  await patiently(() => browser.script("document.querySelector('.new-game .button.primary').click()"));
  await patiently(() =>
    browser.script(
      "const input = document.querySelector('.move-input input'); input.value = 'e4';" +
        "input.dispatchEvent(new InputEvent('input', { bubbles: true }));" +
        "setTimeout(() => document.querySelector('.move-input').requestSubmit(), 50);",
    ),
  );
  await patiently(async () => {
    assert.equal(await browser.script("return document.querySelectorAll('.moves .move').length"), 2);
  });
  await browser.script("location.hash = '#fen=8/3K4/8/1R5R/6k1/8/8/8_w_-_16_9_58'");
  await patiently(async () => {
    const words = await browser.script("return document.querySelector('.count-words').textContent");
    assert.match(words, /Won in 4, 4 left|ชนะใน 4 ตา เหลือ 4 ตา/);
  });
  await browser.script("document.querySelector('.switch input').click()");
  await patiently(async () => {
    assert.match(await browser.script("return document.querySelector('.lines').textContent"), /#4/);
  });
  console.log(`Firefox ${capabilities.browserVersion}: the page, its engine and the solved endings work`);
} finally {
  firefox.kill();
  server.kill();
  await sleep(500);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
process.exit(0);
