// Packs the package, installs it in a clean folder and uses it there: from Node as ESM and as CommonJS, in TypeScript,
// with React and Vite, by a plain script in Chromium, and in Bun and Deno where they can be installed.
//
//   node check.mjs [STOP_MS]
//
// What cannot be installed is skipped by name. A stop of the engine may take STOP_MS milliseconds (2000).
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkEngine } from './engine.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const clean = mkdtempSync(join(tmpdir(), 'sakmak-'));
const chromium = process.env.SAKMAK_CHROMIUM ?? '/usr/bin/chromium';

const stopMs = Number(process.argv[2] ?? 2000);
/** Milliseconds after which a program hangs. */
const HANGS = 120_000;
/** The runtimes whose packages are tried. */
const BUN = '1.4.5';
const DENO = '2.9.6';

const FILES = [
  'package.json',
  'package-lock.json',
  'esm.mjs',
  'cjs.cjs',
  'types.mts',
  'plain.html',
  'engine.html',
  'plain.js',
  'app',
];

function run(name, program, args, cwd = clean) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: HANGS });
  if (error || status !== 0) {
    throw new Error(`${name} failed: ${error ?? ''}\n${stdout}\n${stderr}`);
  }
  return stdout;
}

function used(name, program, args) {
  run(name, program, args);
  console.log(`used: ${name}`);
}

/** Installs packages beside those of package-lock.json: all in one call, for each removes those of the last one. */
function install(...packages) {
  const options = ['install', '--loglevel=error', '--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  return spawnSync('npm', [...options, ...packages], { cwd: clean, encoding: 'utf8', timeout: HANGS });
}

/** Serves the clean folder without any special headers. */
function serve() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = join(clean, normalize(new URL(request.url, 'http://localhost').pathname));
    if (!existsSync(path) || extname(path) === '') {
      response.writeHead(404).end();
      return;
    }
    const type = types[extname(path)] ?? 'application/octet-stream';
    // As content networks do.
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const AFTER_ND2 = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3N4/R1SKMSNR b - - 1 1';

/** Waits for a text in the page's <output>. */
async function shows(page, text) {
  await page.waitForFunction((wanted) => document.querySelector('output')?.textContent === wanted, text);
}

async function inChromium(origin, other) {
  const { chromium: browsers } = await import(join(clean, 'node_modules', 'playwright-core', 'index.mjs'));
  const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const fails = (error) => {
      throw new Error(`${error}\n${errors.join('\n')}`);
    };
    await page.goto(`${origin}/plain.html`);
    await shows(page, AFTER_ND2).catch(fails);
    console.log('used: plain script in Chromium, under a content security policy');
    await checkEngine(page, origin, other, stopMs);
    const react = async (name, address) => {
      await page.goto(address);
      await page.getByRole('button', { name: 'b1' }).click().catch(fails);
      await page.getByRole('button', { name: 'd2' }).click();
      await shows(page, AFTER_ND2).catch(fails);
      await page.getByRole('button', { name: 'Hint' }).click();
      await page
        .getByText(/^[a-h][78][a-h][67]$|^[a-h]6[a-h]5$/)
        .waitFor()
        .catch(fails);
      console.log(`used: ${name}`);
    };
    await react('React and Vite, built', `${origin}/app/dist/index.html`);
    const vite = spawn(join(clean, 'node_modules', '.bin', 'vite'), ['app', '--port', '0', '--host', '127.0.0.1'], {
      cwd: clean,
      env: { ...process.env, NO_COLOR: '1' },
    });
    try {
      const address = await new Promise((resolve, reject) => {
        let text = '';
        setTimeout(() => reject(new Error(`vite names no address: ${text}`)), HANGS).unref();
        vite.stdout.on('data', (data) => {
          text += data;
          const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
          if (found) {
            resolve(found[0]);
          }
        });
        vite.on('exit', () => reject(new Error(`vite ended: ${text}`)));
      });
      await react("React and Vite's development server", address);
    } finally {
      vite.kill();
    }
  } finally {
    await browser.close();
  }
}

/** Uses the package in another runtime from npm, if that can be installed. */
function inRuntime(name, version, tarball, args) {
  const { status } = install(`${name}@${version}`, tarball);
  const program = join(clean, 'node_modules', '.bin', name);
  if (status !== 0 || spawnSync(program, ['--version'], { timeout: HANGS }).status !== 0) {
    console.log(`skipped: ${name}: its package cannot be installed or does not run here`);
    return;
  }
  used(name, program, args);
}

/** Packs the package and installs it with its peers. Gives what cannot be installed, or nothing. */
function prepare(tarball) {
  for (const name of FILES) {
    cpSync(join(here, name), join(clean, name), { recursive: true });
  }
  const options = ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'];
  if (spawnSync('npm', options, { cwd: clean, timeout: HANGS }).status !== 0) {
    return 'the packages beside it cannot be installed';
  }
  const { status, stderr } = install(tarball);
  if (status !== 0 && /E[45]\d\d|ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET|network/.test(stderr)) {
    return 'the registry does not answer';
  }
  if (status !== 0) {
    throw new Error(`the package cannot be installed\n${stderr}`);
  }
  return undefined;
}

/** Uses the installed package everywhere. */
async function use(tarball) {
  used('Node, ESM', 'node', ['esm.mjs']);
  used('Node, CommonJS', 'node', ['cjs.cjs']);
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', 'types.mts'];
  const tsc = join(clean, 'node_modules', '.bin', 'tsc');
  for (const [module, resolution, types] of [
    ['nodenext', 'nodenext', 'node'],
    ['esnext', 'bundler', 'node'],
    // Without @types/node, which declares Symbol.dispose too.
    ['esnext', 'bundler', ''],
  ]) {
    const options = ['--module', module, '--moduleResolution', resolution, '--types', types, ...strict];
    used(`TypeScript, ${resolution}, types '${types}'`, tsc, options);
  }
  run('vite build', join(clean, 'node_modules', '.bin', 'vite'), ['build', 'app', '--logLevel', 'warn']);
  if (existsSync(chromium)) {
    const servers = [await serve(), await serve()];
    const [origin, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
    await inChromium(origin, other);
    for (const server of servers) {
      server.close();
    }
  } else {
    console.log(`skipped: browser: there is no ${chromium}`);
  }
  inRuntime('bun', BUN, tarball, ['esm.mjs']);
  inRuntime('deno', DENO, tarball, ['run', '--allow-read', '--allow-env', 'esm.mjs']);
}

try {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', clean];
  const tarball = `./${run('npm pack', 'npm', pack, dirname(here)).trim()}`;
  const missing = prepare(tarball);
  if (missing === undefined) {
    await use(tarball);
  } else {
    console.log(`skipped: bindings/js in a clean folder: ${missing}`);
  }
} finally {
  rmSync(clean, { recursive: true, force: true });
}
