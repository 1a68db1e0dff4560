// Builds dist/: the WebAssembly by Cargo and web/bindgen, the JavaScript by esbuild, the types by tsc. A build that fails
// or is killed leaves the dist/ of the one before.
//
// Needs a Rust toolchain with the target wasm32-unknown-unknown. The engine with threads needs wasm32-wasip1-threads;
// without it the package lacks dist/sakmak-threads.wasm.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(here));
/** What is built, until all of it is there. */
const dist = join(here, 'build', 'dist');
/** The oldest that README.md names. */
const OLDEST = ['chrome91', 'edge91', 'firefox90', 'safari16.4', 'node20.3'];
const WASM = 'wasm32-unknown-unknown';
const WASM_THREADS = 'wasm32-wasip1-threads';
/** The first and the largest size of the memory that threads share, in bytes. src/threads-session.ts has them in pages. */
const THREADS_MEMORY = [16 << 20, 2 ** 32];

/** Runs a program or ends with its name. */
function run(program, args, { cwd = here, env = {} } = {}) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error || status !== 0) {
    console.error(`\n${program} ${args.join(' ')} failed${error ? ` (${error.code})` : ''}`);
    process.exit(1);
  }
}

/** The WebAssembly of the crates and the JavaScript that wasm-bindgen makes for it. */
function buildWasm() {
  const target = process.env.CARGO_TARGET_DIR || join(root, 'target');
  const bindgenTarget = join(target, 'bindgen');
  run('cargo', ['build', '--locked', '--quiet', '--target-dir', bindgenTarget], { cwd: join(root, 'web', 'bindgen') });
  // Instead of the flags of .cargo/config.toml, which are for other targets. The same bytes from any folder.
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const remapped = [`${root}=/sakmak`, `${cargoHome}=/cargo`].map((paths) => `--remap-path-prefix=${paths}`);
  const RUSTFLAGS = ['-C target-feature=+simd128', ...remapped].join(' ');
  const wasmTarget = join(target, 'js');
  const buildCrate = (crate, profile, wasm, flags) => {
    const what = ['--package', crate, '--profile', profile, '--target', wasm, '--target-dir', wasmTarget];
    run('cargo', ['build', '--locked', '--quiet', ...what], { env: { RUSTFLAGS: flags } });
    return join(wasmTarget, wasm, profile, `${crate.replaceAll('-', '_')}.wasm`);
  };
  for (const [crate, profile, folder, file] of [
    ['sakmak-js', 'release', 'glue', 'rules.wasm'],
    ['sakmak-js-study', 'study', 'study', 'study.wasm'],
    ['sakmak-js-engine', 'engine', 'engine', 'sakmak.wasm'],
  ]) {
    const built = buildCrate(crate, profile, WASM, RUSTFLAGS);
    rmSync(join(here, 'build', folder), { recursive: true, force: true });
    run(join(bindgenTarget, 'debug', 'sakmak-bindgen'), [built, join(here, 'build', folder)]);
    copyFileSync(join(here, 'build', folder, 'sakmak_bg.wasm'), join(dist, file));
  }
  const library = libraryOf(WASM_THREADS);
  if (!existsSync(library)) {
    console.log(`skipped: dist/sakmak-threads.wasm: ${WASM_THREADS} has no standard library here`);
    return;
  }
  const [initial, maximum] = THREADS_MEMORY;
  // The function `_initialize`, which a library gets from no other place.
  const reactor = join(library, 'self-contained', 'crt1-reactor.o');
  const options = [
    `--initial-memory=${initial}`,
    `--max-memory=${maximum}`,
    '--export=_initialize',
    '--strip-all',
    reactor,
  ];
  const flags = [RUSTFLAGS, ...options.map((option) => `-C link-arg=${option}`)].join(' ');
  copyFileSync(buildCrate('sakmak-js-engine', 'engine', WASM_THREADS, flags), join(dist, 'sakmak-threads.wasm'));
}

/** Where the standard library of a target would be. */
function libraryOf(target) {
  const { stdout } = spawnSync('rustc', ['--print', 'target-libdir', '--target', target], { encoding: 'utf8' });
  return (stdout ?? '').trim();
}

/** An entry that Node gets: the names of the CommonJS module, so that both forms share one instance. */
async function moduleOf(name) {
  const { default: module } = await import(join(dist, `${name}.cjs`));
  const names = Object.keys(module).filter((key) => key !== 'default' && key !== '__esModule');
  const lines = [`import cjs from './${name}.cjs';`, `export const { ${names.join(', ')} } = cjs;`];
  if (module.default) {
    lines.push('export default cjs.default;');
  }
  writeFileSync(join(dist, `${name}.node.js`), `${lines.join('\n')}\n`);
}

/** The file that a platform has in place of platform.js. */
const platform = (name) => ({
  name: 'platform',
  setup: (bundle) =>
    bundle.onResolve({ filter: /^\.\/platform\.js$/ }, () => ({ path: join(here, 'src', `platform.${name}.ts`) })),
});

/** Leaves the rules, which the shim uses, in their own file. */
const beside = (extension) => ({
  name: 'rules-beside',
  setup: (bundle) =>
    bundle.onResolve({ filter: /^\.\/rules\.js$/ }, () => ({ path: `./rules.${extension}`, external: true })),
});

async function buildScripts() {
  const common = { bundle: true, minify: true, keepNames: true, target: OLDEST, legalComments: 'none' };
  const noModule = { 'import.meta.url': '""' };
  const forms = {
    esm: { format: 'esm' },
    cjs: { format: 'cjs', platform: 'node', define: noModule },
    // For plain scripts. Workers have no names of other scripts to keep apart from.
    global: { format: 'iife', globalName: 'sakmak', define: noModule },
    worker: { format: 'iife', define: noModule },
    board: { format: 'iife', globalName: 'sakmakBoard' },
    css: {},
  };
  for (const [source, file, form, plugins = []] of [
    ['rules.ts', 'rules.js', 'esm'],
    ['rules.node.ts', 'rules.cjs', 'cjs'],
    ['rules.ts', 'rules.global.js', 'global'],
    ['ffish.ts', 'ffish.js', 'esm', [beside('js')]],
    ['ffish.ts', 'ffish.cjs', 'cjs', [beside('cjs')]],
    ['study.ts', 'study.js', 'esm'],
    ['study.node.ts', 'study.cjs', 'cjs'],
    ['engine.ts', 'engine.js', 'esm', [platform('browser')]],
    ['engine.ts', 'engine.cjs', 'cjs', [platform('node')]],
    ['engine.global.ts', 'sakmak.js', 'worker', [platform('browser')]],
    ['uci-worker.ts', 'sakmak-uci.js', 'worker'],
    ['uci-node.ts', 'sakmak-uci.cjs', 'cjs'],
    ['threads-worker.ts', 'sakmak-uci-threads.js', 'worker'],
    ['threads-node.ts', 'sakmak-uci-threads.cjs', 'cjs'],
    ['board-view.ts', 'board-view.js', 'esm'],
    ['board-sets.ts', 'board-sets.js', 'esm'],
    ['board.global.ts', 'board-view.global.js', 'board'],
    ['board-view/board.css', 'board.css', 'css'],
  ]) {
    const entryPoints = [join(here, 'src', source)];
    await build({ ...common, ...forms[form], entryPoints, plugins, outfile: join(dist, file) });
  }
  for (const name of ['rules', 'ffish', 'study', 'engine']) {
    await moduleOf(name);
  }
}

/** The types, for ESM and for CommonJS. */
function buildTypes() {
  run(join(here, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.json', '--noEmit', 'false', '--outDir', dist]);
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, file), 'utf8');
    writeFileSync(join(dist, file.replace(/\.d\.ts$/, '.d.cts')), text.replace(/(from '\.\/[\w-]+)\.js'/g, "$1.cjs'"));
  }
}

/** Puts what was built in the place of what is there. */
function replaceDist() {
  const [place, former] = [join(here, 'dist'), join(here, 'build', 'former')];
  rmSync(former, { recursive: true, force: true });
  if (existsSync(place)) {
    renameSync(place, former);
  }
  renameSync(dist, place);
  rmSync(former, { recursive: true, force: true });
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
buildWasm();
await buildScripts();
buildTypes();
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  copyFileSync(join(root, licence), join(here, licence));
}
for (const file of readdirSync(dist).filter((name) => /\.(c?js|css|wasm)$/.test(name))) {
  const bytes = readFileSync(join(dist, file));
  console.log(
    `${file.padEnd(22)} ${String(bytes.length).padStart(8)} bytes, ${gzipSync(bytes, { level: 9 }).length} by zlib`,
  );
}
replaceDist();
