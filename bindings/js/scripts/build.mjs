// Builds dist/: the WebAssembly by Cargo and web/bindgen, the JavaScript by esbuild, the types by tsc.
//
// Needs a Rust toolchain with the target wasm32-unknown-unknown.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(here));
const dist = join(here, 'dist');
const glue = join(here, 'build', 'glue');
const WASM = 'wasm32-unknown-unknown';

/** Runs a program or ends with its name. */
function run(program, args, { cwd = here, env = {} } = {}) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error || status !== 0) {
    console.error(`\n${program} ${args.join(' ')} failed${error ? ` (${error.code})` : ''}`);
    process.exit(1);
  }
}

/** The WebAssembly and the JavaScript that wasm-bindgen makes for it. */
function buildWasm() {
  const target = process.env.CARGO_TARGET_DIR || join(root, 'target');
  const bindgenTarget = join(target, 'bindgen');
  run('cargo', ['build', '--locked', '--quiet', '--target-dir', bindgenTarget], { cwd: join(root, 'web', 'bindgen') });
  // Instead of the flags of .cargo/config.toml, which are for other targets. The same bytes from any folder.
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const remapped = [`${root}=/sakmak`, `${cargoHome}=/cargo`].map((paths) => `--remap-path-prefix=${paths}`);
  const wasmTarget = join(target, 'js');
  run('cargo', ['build', '--locked', '--quiet', '--release', '--target', WASM, '--target-dir', wasmTarget], {
    env: { RUSTFLAGS: ['-C target-feature=+simd128', ...remapped].join(' ') },
  });
  const built = join(wasmTarget, WASM, 'release', 'sakmak_js.wasm');
  run(join(bindgenTarget, 'debug', 'sakmak-bindgen'), [built, glue]);
  copyFileSync(join(glue, 'sakmak_bg.wasm'), join(dist, 'rules.wasm'));
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

async function buildScripts() {
  const common = { bundle: true, minify: true, keepNames: true, target: 'es2022', legalComments: 'none' };
  const source = (name) => join(here, 'src', name);
  const to = (name) => join(dist, name);
  const beside = (extension) => ({
    name: 'rules-beside',
    setup: (bundle) =>
      bundle.onResolve({ filter: /^\.\/rules\.js$/ }, () => ({ path: `./rules.${extension}`, external: true })),
  });
  const shared = { ...common, entryPoints: [source('ffish.ts')] };
  const cjs = { ...common, format: 'cjs', platform: 'node', define: { 'import.meta.url': '""' } };
  await build({ ...common, format: 'esm', entryPoints: [source('rules.ts')], outfile: to('rules.js') });
  await build({ ...cjs, entryPoints: [source('rules.node.ts')], outfile: to('rules.cjs') });
  await build({
    ...common,
    format: 'iife',
    globalName: 'sakmak',
    define: { 'import.meta.url': '""' },
    entryPoints: [source('rules.ts')],
    outfile: to('rules.global.js'),
  });
  await moduleOf('rules');
  if (existsSync(source('ffish.ts'))) {
    await build({ ...shared, format: 'esm', plugins: [beside('js')], outfile: to('ffish.js') });
    await build({ ...cjs, ...shared, ...{ format: 'cjs' }, plugins: [beside('cjs')], outfile: to('ffish.cjs') });
    await moduleOf('ffish');
  }
}

/** The types, for ESM and for CommonJS. */
function buildTypes() {
  run(join(here, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.json', '--noEmit', 'false']);
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, file), 'utf8');
    writeFileSync(join(dist, file.replace(/\.d\.ts$/, '.d.cts')), text.replace(/(from '\.\/\w+)\.js'/g, "$1.cjs'"));
  }
}

rmSync(dist, { recursive: true, force: true });
rmSync(join(here, 'build'), { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
buildWasm();
await buildScripts();
buildTypes();
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  copyFileSync(join(root, licence), join(here, licence));
}
for (const file of readdirSync(dist).filter((name) => /\.(c?js|wasm)$/.test(name))) {
  const bytes = readFileSync(join(dist, file));
  console.log(
    `${file.padEnd(16)} ${String(bytes.length).padStart(8)} bytes, ${gzipSync(bytes, { level: 9 }).length} by gzip -9`,
  );
}
