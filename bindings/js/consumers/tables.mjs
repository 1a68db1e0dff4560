// Serves a folder of endgame tables by the page's server, probes positions with an engine, and prints the requests and
// bytes that each takes.
//
//   node consumers/tables.mjs FOLDER [FEN ...]
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { answer } from '../../../web/scripts/serve.mjs';

/** Probed without arguments: the longest wins of two endings. */
const POSITIONS = ['2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60', '8/8/4k3/8/8/3K4/2MMM3/8 w - 128 10 60'];
/** Moves that are played from each position, the best ones. */
const PLIES = 3;

/** Serves a folder of tables below `/tables/` on a free port. Gives the address, and a function that ends the server. */
export async function serveTables(folder, headers = {}) {
  const site = { folder, prefix: '/tables/', headers };
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/tables/`, close };
}

/** In a page: the value of a position by tables from an address. */
async function probeInPage([script, address, fen]) {
  const { default: Sakmak, TableSource } = await import(script);
  const problems = [];
  const source = new TableSource(address, { onProblem: (...problem) => problems.push(problem) });
  const engine = await Sakmak();
  await engine.setTables(source);
  const { value } = await engine.endings(fen);
  engine.terminate();
  return { value, problems, ...source.counters };
}

/** Uses tables of another origin in a page, which `origin` serves. */
export async function checkTables(page, origin, tables) {
  const server = await serveTables(tables.folder, { 'Access-Control-Allow-Origin': '*' });
  try {
    const fen = tables.info('KRvKM').white_to_move.longest_fen;
    const { plies } = tables.probe(fen);
    await page.goto(`${origin}/blank.html`);
    const script = `${origin}/node_modules/sakmak/dist/engine.js`;
    const { value, problems, requests, bytes } = await page.evaluate(probeInPage, [script, server.address, fen]);
    if (value?.plies !== plies || problems.length > 0) {
      throw new Error(`tables: ${JSON.stringify(value)}, not a win in ${plies}; ${problems.join(', ')}`);
    }
    console.log(`used: tables of another origin: ${requests} requests, ${bytes} bytes for a first probe`);
  } finally {
    server.close();
  }
}

/**
 * Probes positions in a folder that is served, and those after some best moves. Gives requests, bytes and milliseconds
 * of each.
 */
export async function measure({ Sakmak, TableSource }, folder, positions) {
  const server = await serveTables(folder);
  const problems = [];
  const onProblem = (code, message) => problems.push(`${code}: ${message}`);
  const source = new TableSource(server.address, { onProblem });
  const engine = await Sakmak();
  try {
    await engine.setTables(source);
    const probes = [];
    for (const fen of positions) {
      const moves = [];
      for (let ply = 0; ply <= PLIES; ply += 1) {
        const before = source.counters;
        const begin = performance.now();
        const { bestMove, lines } = await engine.analyse({ fen, moves }, { depth: 1 });
        const { requests, bytes } = source.counters;
        probes.push({
          position: [fen, ...moves].join(' '),
          score: lines[0]?.score,
          requests: requests - before.requests,
          bytes: bytes - before.bytes,
          ms: Math.round(performance.now() - begin),
        });
        moves.push(bestMove);
      }
    }
    return { probes, files: source.files(), problems };
  } finally {
    engine.terminate();
    server.close();
  }
}

/** The result as a table. */
export function describe({ probes, files, problems }) {
  const row = ({ position, score, requests, bytes, ms }) =>
    `| ${position} | ${Object.entries(score ?? {})
      .join(' ')
      .replace(',', ' ')} | ${requests} | ${bytes} | ${ms} |`;
  const sizes = files.map(({ file, bytes }) => `${file} ${bytes}`);
  const head = ['| position | score | requests | bytes | ms |', '| --- | --- | --- | --- | --- |'];
  return [...head, ...probes.map(row), `files: ${sizes.join(', ')}`, ...problems].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...positions] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: node consumers/tables.mjs FOLDER [FEN ...]');
    process.exit(2);
  }
  const { default: Sakmak, TableSource } = await import('../dist/engine.node.js');
  console.log(describe(await measure({ Sakmak, TableSource }, folder, positions.length > 0 ? positions : POSITIONS)));
}
