// Builds the package sakmak, which the page imports, and the WebAssembly of its worker (pkg/search).
//
// Needs a Rust toolchain with the target wasm32-unknown-unknown. wasm-bindgen is built from web/bindgen.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const TARGET = 'wasm32-unknown-unknown';

/** Ends with a message. */
function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** Runs a program; its output if `quiet`. */
function run(program, args, { quiet = false, cwd = root, env = {} } = {}) {
  const result = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.error) {
    fail(
      `${program} cannot be started (${result.error.code}). The engine is compiled from Rust: ` +
        'install it from https://rustup.rs, then run this again.',
    );
  }
  if (result.status !== 0) {
    fail(`${program} ${args.join(' ')} failed.${quiet ? `\n${result.stderr}` : ''}`);
  }
  return result.stdout;
}

const libraries = run('rustc', ['--print', 'target-libdir', '--target', TARGET], { quiet: true }).trim();
if (!existsSync(libraries)) {
  fail(`Rust has no standard library for WebAssembly here. Run: rustup target add ${TARGET}`);
}
const packageFolder = join(root, 'bindings', 'js');
if (!existsSync(join(packageFolder, 'node_modules'))) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent', '--prefer-offline'], { cwd: packageFolder });
}
run('npm', ['run', '--silent', 'build'], { cwd: packageFolder });
const metadata = run('cargo', ['metadata', '--format-version', '1', '--no-deps'], { quiet: true });
const target = JSON.parse(metadata).target_directory;

const bindgenTarget = join(target, 'bindgen');
run('cargo', ['build', '--locked', '--quiet', '--target-dir', bindgenTarget], { cwd: join(web, 'bindgen') });
const bindgen = join(bindgenTarget, 'debug', 'sakmak-bindgen');

// Instead of the flags of .cargo/config.toml, which are for other targets. The same bytes from any folder.
const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
const remapped = [`${root}=/sakmak`, `${cargoHome}=/cargo`].map((paths) => `--remap-path-prefix=${paths}`);
const flags = ['-C target-feature=+simd128', ...remapped].join(' ');

console.log('WebAssembly: search');
const what = ['--package', 'sakmak-web', '--target', TARGET, '--profile', 'release'];
run('cargo', ['build', '--locked', '--quiet', ...what], { env: { RUSTFLAGS: flags } });
run(bindgen, [join(target, TARGET, 'release', 'sakmak_web.wasm'), join(web, 'pkg', 'search')]);
