// Builds the package sakmak in bindings/js, which the page imports.
//
// Needs a Rust toolchain with the target wasm32-unknown-unknown.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
function run(program, args, { quiet = false, cwd = root } = {}) {
  const result = spawnSync(program, args, {
    cwd,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
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
