// Packs the package, installs it in a clean folder and uses it there: from Node as ESM and as CommonJS, in TypeScript,
// by a plain script and with the engine in Chromium; with `all` also with React and Vite, and in Bun and Deno.
//
//   node check.mjs [STOP_MS] [all]
//
// What cannot be installed is skipped by name. A stop of the engine may take STOP_MS milliseconds (2000).
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildTables } from '../test/tables.mjs';
import { checkBoard } from './board.mjs';
import { checkEngine, printMemory } from './engine.mjs';
import { checkPolicies } from './policies.mjs';
import { checkTables } from './tables.mjs';
import { checkThreads } from './threads.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const clean = mkdtempSync(join(tmpdir(), 'sakmak-'));
const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chromium = process.env.SAKMAK_CHROMIUM ?? debian.find((path) => existsSync(path)) ?? debian[1];

const stopMs = Number(process.argv[2] ?? 2000);
/** Whether what takes long to install is used too. */
const isAll = process.argv[3] === 'all';
/** Milliseconds that a stop may take outside browsers, whose runtimes hand messages on as they like. */
const RUNTIME_STOP_MS = 2000;
/** Milliseconds after which a program hangs. */
const HANGS = 120_000;
/** The runtimes whose packages are tried. */
const BUN = '1.4.5';
const DENO = '2.9.6';
const WEBPACK = '5.113.0';

const FILES = [
  'package.json',
  'package-lock.json',
  'esm.mjs',
  'cjs.cjs',
  'types.mts',
  'plain.html',
  'blank.html',
  'plain.js',
  'sites.mjs',
  'memory.mjs',
  'failing-module.mjs',
  'threads-runtime.mjs',
  'board.html',
  'board-demo.css',
  'board-demo.js',
  'app',
];

function run(name, program, args, cwd = clean) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: HANGS });
  if (error || status !== 0) {
    throw new Error(`${name} failed: ${error ?? ''}\n${stdout}\n${stderr}`);
  }
  return stdout;
}

/** A file's name and its size, also by `gzip -9`. */
function sizeOf(path) {
  const bytes = readFileSync(path);
  const kilobytes = (count) => `${(count / 1000).toFixed(1)} kB`;
  return `${basename(path)} ${kilobytes(bytes.length)} (${kilobytes(gzipSync(bytes, { level: 9 }).length)})`;
}

function used(name, program, args) {
  run(name, program, args);
  console.log(`used: ${name}`);
}

/** Installs packages beside those of package-lock.json: all in one call, for each removes those of the last one. */
function install(cwd, ...packages) {
  const options = ['install', '--loglevel=error', '--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  return spawnSync('npm', [...options, ...packages], { cwd, encoding: 'utf8', timeout: HANGS });
}

/** Installs what package-lock.json in a folder names. */
function installLocked(cwd) {
  const options = ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'];
  return spawnSync('npm', options, { cwd, timeout: HANGS }).status === 0;
}

/** The headers of a page that is cross-origin isolated. */
const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** What another origin sends with its scripts, for pages that are isolated. */
const FOR_ISOLATED = { 'cross-origin-resource-policy': 'cross-origin' };

/** Serves the clean folder, with the headers given. `policy` is sent with all files from then on. */
async function serve(headers = {}) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
  types['.mjs'] = types['.js'];
  const server = createServer((request, response) => {
    const path = join(clean, normalize(new URL(request.url, 'http://localhost').pathname));
    if (!existsSync(path) || extname(path) === '') {
      response.writeHead(404).end();
      return;
    }
    const type = types[extname(path)] ?? 'application/octet-stream';
    const policy = served.policy === undefined ? {} : { 'content-security-policy': served.policy };
    // As content networks do.
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*', ...policy, ...headers });
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served = {
    origin: `http://127.0.0.1:${server.address().port}`,
    policy: undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return served;
}

const AFTER_ND2 = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3N4/R1SKMSNR b - - 1 1';

/** Waits for a text in the page's <output>. */
async function shows(page, text) {
  await page.waitForFunction((wanted) => document.querySelector('output')?.textContent === wanted, text);
}

/** The programs of README.md in a language. */
function programs(language) {
  const readme = readFileSync(join(here, '..', 'README.md'), 'utf8');
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, program]) => program);
}

/** The scripts of README.md as printed, with the files where they say. */
async function usePrinted(page, origin) {
  cpSync(join(clean, 'node_modules', 'sakmak', 'dist'), join(clean, 'static', 'sakmak'), { recursive: true });
  const pages = programs('html');
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  for (const [at, expected] of ['a3a4', 'bestmove'].entries()) {
    writeFileSync(join(clean, `readme-${at}.html`), `<!doctype html>\n${pages[at]}`);
    await page.goto(`${origin}/readme-${at}.html`);
    for (let wait = 0; !`${said} ${await page.textContent('html')}`.match(`${expected}[ ,]`); wait += 1) {
      if (wait > HANGS / 100) {
        throw new Error(`README.md: no ${expected}: ${said}`);
      }
      await page.waitForTimeout(100);
    }
  }
  const worker = (address) =>
    new Promise((resolve, reject) => {
      const started = new Worker(address);
      started.onmessage = ({ data }) => data === 'uciok' && resolve(data);
      started.onerror = reject;
      started.postMessage('uci');
    });
  await page.evaluate(worker, '/static/sakmak/sakmak-uci.js');
  console.log('used: the pages of README.md');
}

/** Opens a page with a classic script from a bundler, which shows a move as its title. */
async function useBundle(page, origin, name, script) {
  writeFileSync(join(clean, `${name}.html`), `<!doctype html><script src="${script}"></script>`);
  await page.goto(`${origin}/${name}.html`);
  await page.waitForFunction(() => document.title);
  const title = await page.title();
  if (!/^[a-h]3[a-h]4$|^[a-h][12][a-h][1-3]$/.test(title)) {
    throw new Error(`${name}: ${title}`);
  }
  console.log(`used: a classic script by ${name}`);
}

/** Bundles with esbuild. `import.meta.url` becomes the address of the package's own file. */
async function bundle(origin, entry, format) {
  const define = { 'import.meta.url': JSON.stringify(`${origin}/node_modules/sakmak/dist/rules.js`) };
  const options = { bundle: true, platform: 'browser', absWorkingDir: clean, logLevel: 'error', define };
  await build({ ...options, entryPoints: [join(clean, entry)], outdir: join(clean, 'bundled'), format });
}

/** A classic script, as webpack makes it, and the board of README.md. */
async function useEsbuild(page, origin) {
  await bundle(origin, 'app/bundle.mjs', 'iife');
  await useBundle(page, origin, 'esbuild', 'bundled/bundle.js');
  writeFileSync(join(clean, 'board-program.ts'), programs('ts')[0]);
  await bundle(origin, 'board-program.ts', 'esm');
  const style = '<link rel="stylesheet" href="bundled/board-program.css" />';
  const script = '<script type="module" src="bundled/board-program.js"></script>';
  const body = '<div id="board" style="width: 400px"></div>';
  writeFileSync(join(clean, 'board-program.html'), `<!doctype html>${style}${body}${script}`);
  await page.goto(`${origin}/board-program.html`);
  await page.locator('[data-square=b1]').click();
  await page.locator('[data-square=d2]').click();
  await page.locator('[data-square=d2][aria-label*=maa]').waitFor();
  console.log('used: the board of README.md');
}

/** webpack itself, if it can be installed. */
async function useWebpack(page, origin, tarball) {
  const cwd = join(clean, 'webpack');
  mkdirSync(cwd);
  cpSync(join(here, 'app', 'bundle.mjs'), join(cwd, 'bundle.mjs'));
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  if (install(cwd, `webpack@${WEBPACK}`, `.${tarball}`).status !== 0) {
    console.log('skipped: webpack: it cannot be installed');
    return;
  }
  const path = JSON.stringify(join(cwd, 'dist'));
  const options = `{ mode: 'production', entry: './bundle.mjs', output: { path: ${path} } }`;
  const report = "(error, stats) => { if (error || stats.hasErrors()) throw error ?? stats.toString('errors-only'); }";
  run('webpack', 'node', ['-e', `require('webpack')(${options}, ${report})`], cwd);
  await useBundle(page, origin, 'webpack', 'webpack/dist/main.js');
}

/** Makes a move by two clicks. */
async function clickMove(page, address) {
  await page.goto(address);
  await page.getByRole('button', { name: 'b1 N' }).click();
  await page.getByRole('button', { name: 'd2' }).click();
  await shows(page, AFTER_ND2);
}

/** Asks for a hint. */
async function askHint(page) {
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByText(/^[a-h][78][a-h][67]$|^[a-h]6[a-h]5$/).waitFor();
}

/** React and Vite: built, and from Vite's development server. */
async function useApp(page, origin) {
  const program = join(clean, 'app', 'node_modules', '.bin', 'vite');
  const cwd = join(clean, 'app');
  writeFileSync(join(cwd, 'readme.jsx'), programs('jsx')[0]);
  run('vite build', program, ['build', '--logLevel', 'warn'], cwd);
  await clickMove(page, `${origin}/app/dist/readme.html`);
  await clickMove(page, `${origin}/app/dist/index.html`);
  await askHint(page);
  const assets = join(cwd, 'dist', 'assets');
  const sizes = readdirSync(assets).map((name) => sizeOf(join(assets, name)));
  console.log(`used: React and Vite, built: ${sizes.join(', ')}`);
  const env = { ...process.env, NO_COLOR: '1' };
  const vite = spawn(program, ['--port', '0', '--host', '127.0.0.1'], { cwd, env });
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
    await clickMove(page, address);
    await askHint(page);
    console.log("used: React and Vite's development server");
  } finally {
    vite.kill();
  }
}

/** Whether the package was built with the engine with threads. */
function hasThreads() {
  return existsSync(join(clean, 'node_modules', 'sakmak', 'dist', 'sakmak-threads.wasm'));
}

async function inChromium({ server, other, isolated, foreign }, tables, hasApp, tarball) {
  const { chromium: browsers } = await import(join(clean, 'node_modules', 'playwright-core', 'index.mjs'));
  const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  const errors = [];
  try {
    const first = await browser.newPage();
    await printMemory(first, server.origin);
    await first.close();
    const page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`${server.origin}/plain.html`);
    await shows(page, AFTER_ND2);
    console.log('used: plain script in Chromium, under a content security policy');
    await usePrinted(page, server.origin);
    await useEsbuild(page, server.origin);
    await checkEngine(page, server.origin, other.origin, stopMs);
    await checkTables(page, server.origin, tables);
    if (hasThreads()) {
      const origins = { origin: server.origin, isolated: isolated.origin, foreign: foreign.origin };
      await checkThreads(page, { ...origins, tables }, stopMs);
    } else {
      console.log('skipped: threads in Chromium: the package was built without them');
    }
    await checkBoard(page, server.origin);
    if (hasApp) {
      await useApp(page, server.origin);
    }
    if (isAll) {
      await useWebpack(page, server.origin, tarball);
    }
    errors.length = 0;
    await checkPolicies(page, server, other.origin);
  } catch (error) {
    throw new Error(`${error}\n${errors.slice(-10).join('\n')}`);
  } finally {
    await browser.close();
  }
}

/** The engine with threads in a runtime. */
function threadsInRuntime(name, program, args, tables) {
  if (!hasThreads()) {
    console.log(`skipped: threads in ${name}: the package was built without them`);
    return;
  }
  const fen = tables.info('KRvKM').white_to_move.longest_fen;
  const table = [tables.folder, fen, String(tables.probe(fen).plies)];
  const said = run(name, program, [...args, 'threads-runtime.mjs', String(RUNTIME_STOP_MS), ...table]);
  console.log(`used: threads in ${name}: ${said.trim()}`);
}

/** Uses the package in another runtime from npm, if that can be installed. */
function inRuntime(name, version, tarball, args, tables) {
  const { status } = install(clean, `${name}@${version}`, tarball);
  const program = join(clean, 'node_modules', '.bin', name);
  if (status !== 0 || spawnSync(program, ['--version'], { timeout: HANGS }).status !== 0) {
    console.log(`skipped: ${name}: its package cannot be installed or does not run here`);
    return;
  }
  used(name, program, [...args, 'esm.mjs']);
  threadsInRuntime(name, program, args, tables);
}

/** Packs the package and installs it with its peers. Gives what cannot be installed, or nothing. */
function prepare(tarball) {
  for (const name of FILES) {
    cpSync(join(here, name), join(clean, name), { recursive: true });
  }
  if (!installLocked(clean)) {
    return 'the packages beside it cannot be installed';
  }
  const { status, stderr } = install(clean, tarball);
  if (status !== 0 && /E[45]\d\d|ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET|network/.test(stderr)) {
    return 'the registry does not answer';
  }
  if (status !== 0) {
    throw new Error(`the package cannot be installed\n${stderr}`);
  }
  return undefined;
}

/** Uses the installed package everywhere. */
async function use(tarball, tables) {
  used('Node, ESM', 'node', ['esm.mjs']);
  used('Node, CommonJS', 'node', ['cjs.cjs']);
  const options = { cwd: clean, input: 'uci\nquit\n', encoding: 'utf8', timeout: HANGS };
  const told = spawnSync('npx', ['--no-install', 'sakmak'], options);
  if (!/^uciok$/m.test(told.stdout)) {
    throw new Error(`npx sakmak: ${told.stdout}${told.stderr}`);
  }
  console.log('used: npx sakmak');
  threadsInRuntime('Node', 'node', [], tables);
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
  console.log(`memory in Node: ${run('memory.mjs', 'node', ['--expose-gc', 'memory.mjs']).trim()}`);
  let hasApp = isAll;
  if (isAll) {
    const app = join(clean, 'app');
    hasApp = installLocked(app) && install(app, `.${tarball}`).status === 0;
    if (!hasApp) {
      console.log('skipped: React and Vite: they cannot be installed');
    }
  }
  if (existsSync(chromium)) {
    const servers = {
      server: await serve(),
      other: await serve(),
      isolated: await serve(ISOLATION),
      foreign: await serve(FOR_ISOLATED),
    };
    await inChromium(servers, tables, hasApp, tarball);
    for (const each of Object.values(servers)) {
      each.close();
    }
  } else {
    console.log(`skipped: browser: there is no ${chromium}`);
  }
  if (!isAll) {
    return;
  }
  inRuntime('bun', BUN, tarball, [], tables);
  inRuntime('deno', DENO, tarball, ['run', '--allow-read', '--allow-env'], tables);
}

try {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', clean];
  const tarball = `./${run('npm pack', 'npm', pack, dirname(here)).trim()}`;
  console.log(`packed: ${sizeOf(join(clean, tarball))}`);
  const missing = prepare(tarball);
  if (missing === undefined) {
    const tables = buildTables('KRvKM');
    try {
      await use(tarball, tables);
    } finally {
      tables.remove();
    }
  } else {
    console.log(`skipped: bindings/js in a clean folder: ${missing}`);
  }
} finally {
  rmSync(clean, { recursive: true, force: true });
}
