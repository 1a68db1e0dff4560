// Small endgame tables for tests, built by sakmak-tools, and servers for them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Milliseconds after which a program hangs; Cargo may have to build it. */
const HANGS = 1_200_000;

/** Runs sakmak-tools: that of SAKMAK_TOOLS, one that is built, or by Cargo. */
function tools(args) {
  const target = process.env.CARGO_TARGET_DIR || join(root, 'target');
  const built = ['release', 'debug'].map((profile) => join(target, profile, 'sakmak-tools'));
  const program = process.env.SAKMAK_TOOLS ?? built.find((path) => existsSync(path));
  const cargo = ['run', '--quiet', '--locked', '--package', 'sakmak-tools', '--'];
  const [name, all] = program ? [program, args] : ['cargo', [...cargo, ...args]];
  const { status, stdout, stderr, error } = spawnSync(name, all, { cwd: root, encoding: 'utf8', timeout: HANGS });
  if (error || status !== 0) {
    throw new Error(`sakmak-tools ${args.join(' ')} failed: ${error ?? ''}\n${stderr}`);
  }
  return stdout;
}

/** A folder with the tables of endings and those that they need. */
export function buildTables(...endings) {
  const folder = mkdtempSync(join(tmpdir(), 'sakmak-tables-'));
  tools(['tablebase', 'build', '--dir', folder, ...endings]);
  return {
    folder,
    /** What the native tools say about a position. */
    probe: (fen) => JSON.parse(tools(['tablebase', 'probe', '--json', '--dir', folder, '--fen', fen])),
    /** Statistics of an ending, with positions of the longest wins. */
    info: (ending) => JSON.parse(tools(['tablebase', 'info', '--json', '--dir', folder, ending])),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Listens on a free port. Gives the address with a slash at its end, and a function that ends the server. */
export async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}
