import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../../Cargo.toml', import.meta.url));

/** The nodes of `sakmak bench` to a depth, by the native engine, which is built if it is not. */
export function nativeBench(depth) {
  const bench = ['run', '--release', '--quiet', '--manifest-path', manifest, '--', 'bench', `${depth}`];
  return Number(execFileSync('cargo', bench, { encoding: 'utf8' }).match(/^\d+(?= nodes)/m)?.[0]);
}
