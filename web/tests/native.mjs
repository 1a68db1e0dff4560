import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../../Cargo.toml', import.meta.url));

/** What the native engine answers to UCI commands, line by line; it is built if it is not. */
export function nativeUci(commands) {
  const engine = ['run', '--release', '--quiet', '--manifest-path', manifest];
  return execFileSync('cargo', engine, { encoding: 'utf8', input: `${commands.join('\n')}\n` }).split('\n');
}

/** The nodes of `sakmak bench` to a depth, by the native engine, which is built if it is not. */
export function nativeBench(depth) {
  const bench = ['run', '--release', '--quiet', '--manifest-path', manifest, '--', 'bench', `${depth}`];
  return Number(execFileSync('cargo', bench, { encoding: 'utf8' }).match(/^\d+(?= nodes)/m)?.[0]);
}
