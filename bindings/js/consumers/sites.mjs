// How Makruk sites drive their engine: which calls and commands, in which order, what they wait for. Written from what
// their sources do in 2026, for the engine that is given here as `factory`. Runs in a page and in Node.
//
// Each function throws if an answer that the site waits for does not come, and returns what a test should look at.

export const START = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';
const MATE_IN_2 = '3k4/8/8/3K4/8/8/8/R6R w - - 0 1';

function check(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
}

/** All lines of an engine, and a promise for the next one that fits. */
function listen(engine) {
  const lines = [];
  engine.addMessageListener((line) => lines.push(line));
  const next = (isWanted, send) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${isWanted}; the last line: ${lines.at(-1)}`)), 60_000);
      const listener = (line) => {
        if (isWanted(line)) {
          clearTimeout(late);
          engine.removeMessageListener(listener);
          resolve(line);
        }
      };
      engine.addMessageListener(listener);
      for (const command of send) {
        engine.postMessage(command);
      }
    });
  return { lines, next };
}

/** The words of a report before `pv`, in the order in which pychess.org looks for them. */
const ORDER = ['depth', 'seldepth', 'multipv', 'score', 'bound', 'nodes', 'nps', 'hashfull', 'tbhits', 'time'];

/** The reports of a search, with the order of their words checked. */
function reports(lines) {
  return lines
    .filter((line) => line.startsWith('info depth ') && line.includes(' pv '))
    .map((line) => {
      const [head, moves] = line.split(' pv ');
      const words = head.split(' ');
      const names = words.filter((word) => ORDER.includes(word) || /^(lower|upper)bound$/.test(word));
      const places = names.map((word) => ORDER.indexOf(word.replace(/^(lower|upper)/, '')));
      check(
        places.every((place, at) => at === 0 || places[at - 1] < place) && names.length >= 7 && names.at(-1) === 'time',
        `the order of a report: ${line}`,
      );
      const at = (name) => words[words.indexOf(name) + 1];
      const score = words
        .slice(words.indexOf('score') + 1)
        .slice(0, 2)
        .join(' ');
      return { line, depth: Number(at('depth')), multipv: Number(at('multipv')), score, pv: moves.split(' ') };
    });
}

/**
 * openmakruk: `window.Stockfish({ locateFile })`; `uci`, `uciok`, variant, `isready`, `readyok`; a level or three lines,
 * `position fen`, `go depth` or `go movetime`; a network by `FS.writeFile('/makruk.nnue')` and `EvalFile makruk.nnue`;
 * `terminate`, and the same again.
 */
export async function openmakruk(factory, options, network) {
  const boot = async () => {
    const engine = await factory(options);
    const client = listen(engine);
    await client.next((line) => line === 'uciok', ['uci']);
    engine.postMessage('setoption name UCI_Variant value makruk');
    await client.next((line) => line === 'readyok', ['isready']);
    return { engine, client };
  };
  const isBest = (line) => line.startsWith('bestmove');
  let { engine, client } = await boot();
  const search = async (fen, go, ...before) =>
    (await client.next(isBest, [...before, `position fen ${fen}`, go])).split(/\s+/);

  // Its levels.
  for (const level of [0, 5, 12, 20]) {
    const [, best] = await search(START, 'go depth 4', `setoption name Skill Level value ${level}`);
    check(/^[a-h][1-8][a-h][1-8]m?$/.test(best), `level ${level}: ${best}`);
  }
  check((await search(MATE_IN_2, 'go movetime 50'))[1] !== '(none)', 'no move in time');
  client.lines.length = 0;
  await search(MATE_IN_2, 'go depth 8');
  const { score } = reports(client.lines).at(-1);
  check(score === 'mate 2', `a mate in 2 is ${score}`);

  // Its analysis: the last line of each rank, with moves up to the end of the line.
  client.lines.length = 0;
  await search(START, 'go depth 6', 'setoption name MultiPV value 3');
  engine.postMessage('setoption name MultiPV value 1');
  const ranks = new Map();
  for (const report of reports(client.lines)) {
    check(report.depth > 0 && report.score, `a report without depth or score: ${report.line}`);
    ranks.set(report.multipv, report.pv.length);
  }
  check([...ranks.keys()].sort().join() === '1,2,3' && ranks.get(1) > 2, `lines of ranks ${[...ranks]}`);

  // Its network, a file that is none, and one that is.
  const load = async (bytes) => {
    client.lines.length = 0;
    engine.FS.writeFile('/makruk.nnue', bytes);
    await client.next((line) => line === 'readyok', ['setoption name EvalFile value makruk.nnue', 'isready']);
    return client.lines.filter((line) => line.startsWith('info string')).join('\n');
  };
  const refused = await load(new Uint8Array(1000));
  const loaded = network && (await load(network));
  check((await search(START, 'go depth 4'))[1].length === 4, 'no move after EvalFile');

  engine.terminate();
  ({ engine, client } = await boot());
  const [, best] = await search(START, 'go depth 3');
  engine.terminate();
  return { refused, loaded, best };
}

/**
 * Fairyground: `Stockfish({ wasmBinary })` with what it has fetched; one listener for all; `uci`, whose options it shows;
 * a variant with `ucinewgame` and `UCI_Chess960`; `position … moves` with nothing behind; `go` behind two blanks after
 * options it always sends, some beyond their range; `FS.writeFile` of a network and of variants.ini, `check`, `load`.
 */
export async function fairyground(factory, options) {
  const engine = await factory(options);
  const client = listen(engine);
  await client.next((line) => line === 'uciok', ['uci']);
  const [variants] = client.lines.filter((line) => line.startsWith('option name UCI_Variant'));
  check(variants?.includes(' var makruk'), `variants: ${variants}`);
  for (const command of ['stop', 'ucinewgame', 'setoption name UCI_Variant value makruk']) {
    engine.postMessage(command);
  }
  engine.postMessage('setoption name UCI_Chess960 value false');
  engine.postMessage('position startpos');

  const moves = [];
  const isBest = (line) => line.startsWith('bestmove');
  const limits = ['go  depth 3', 'go  depth 4 movetime 2000 nodes 5000', 'go wtime 900 winc 10 btime 900 binc 10'];
  for (const [ply, go] of [...limits, ...limits].entries()) {
    engine.postMessage('stop');
    engine.postMessage(
      ply < 3 ? `position startpos moves ${moves.join(' ')}` : `position fen ${START} moves ${moves.join(' ')}`,
    );
    const prepare = ['Move Overhead value 100', 'Threads value 1', 'Hash value 16', 'MultiPV value 1'];
    const best = await client.next(isBest, [...prepare.map((option) => `setoption name ${option}`), 'isready', go]);
    moves.push(best.split(' ')[1]);
  }
  check(
    moves.every((move) => /^[a-h][1-8][a-h][1-8]m?$/.test(move)),
    moves.join(' '),
  );

  // Analysis, as far as its numbers go, then a stop.
  client.lines.length = 0;
  const greedy = ['Threads value 512', 'Hash value 33554432', 'MultiPV value 500'];
  const deep = await client.next(
    (line) => /^info depth 3 .*multipv 20 /.test(line),
    [...greedy.map((option) => `setoption name ${option}`), 'isready', 'position startpos moves ', 'go infinite'],
  );
  check(/ pv [a-h]/.test(deep), deep);
  await client.next(isBest, ['stop']);
  const refusals = client.lines.filter((line) => line.startsWith('info string'));

  client.lines.length = 0;
  engine.FS.writeFile('/makruk-0123456789ab.nnue', new Uint8Array(5000));
  engine.postMessage('setoption name EvalFile value /makruk-0123456789ab.nnue');
  engine.FS.writeFile('/variants.ini', new TextEncoder().encode('[mine:makruk]\n'));
  await client.next((line) => line === 'uciok', ['check /variants.ini', 'load /variants.ini', 'uci']);
  refusals.push(...client.lines.filter((line) => line.startsWith('info string')));
  engine.postMessage('setoption name MultiPV value 1');
  const best = await client.next(isBest, ['isready', 'position startpos moves e3e4', 'go  depth 3']);
  check(/^bestmove [a-h]/.test(best), best);
  engine.terminate();
  return { moves, refusals };
}

/**
 * pychess.org: `Stockfish()` without options; `load <<` and `uci`, the option UCI_Variant, `uciok`, `readyok`; variant,
 * `Use NNUE`, `Hash`, `Threads`, `MultiPV`, a position with moves, a depth and a time; before the next search `stop` and
 * `isready`, after whose `readyok` no line of the last one may come. Its reports must have the form that it reads.
 */
export async function pychess(factory, options) {
  const engine = await factory(options);
  const client = listen(engine);
  await client.next((line) => line.includes('uciok'), ['load <<VARIANTS_END_1', 'uci']);
  const variants = client.lines.find((line) => line.startsWith('option name UCI_Variant'));
  check(variants?.includes('makruk'), `variants: ${variants}`);
  await client.next((line) => line.includes('readyok'), ['isready']);

  let read = 0;
  for (const go of ['go movetime 90000 depth 18', 'go depth 99', 'go movetime 90000 depth 18']) {
    client.lines.length = 0;
    const values = ['UCI_Variant value makruk', 'Use NNUE value false', 'Hash value 16', 'Threads value 1'];
    const before = [...values, 'MultiPV value 3'].map((value) => `setoption name ${value}`);
    const isDeep = (line) => /^info depth [5-9] .*multipv 3 /.test(line);
    await client.next(isDeep, [...before, `position fen ${START} moves e3e4 e6e5 f3f4`, go]);
    await client.next((line) => line.includes('readyok'), ['stop', 'isready']);
    check(
      client.lines.some((line) => line.startsWith('bestmove ')),
      'the search goes on after stop and readyok',
    );
    read += reports(client.lines).length;
  }
  const refusals = [...new Set(client.lines.filter((line) => line.startsWith('info string')))];
  engine.terminate();
  return { read, refusals };
}

/**
 * thaichess.dev's server: a program with pipes. `uci`, variant, `Threads`, `Hash`, `isready`; for each question
 * `MultiPV`, `isready`, a FEN of six fields, `go nodes`, `depth` or `movetime`; `stop` if it takes too long; kills it.
 * `start()` gives `{ write(text), onText(listener), kill() }`.
 */
export async function thaichess(start) {
  const run = async () => {
    const program = start();
    const listeners = new Set();
    let rest = '';
    program.onText((text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines.map((one) => one.trim()).filter(Boolean)) {
        for (const listener of [...listeners]) {
          listener(line);
        }
      }
    });
    const engine = {
      postMessage: (command) => program.write(`${command}\n`),
      addMessageListener: (listener) => listeners.add(listener),
      removeMessageListener: (listener) => listeners.delete(listener),
    };
    const client = listen(engine);
    await client.next((line) => line === 'uciok', ['uci']);
    const options = ['UCI_Variant value makruk', 'Threads value 1', 'Hash value 32'];
    const prepare = options.map((option) => `setoption name ${option}`);
    await client.next((line) => line === 'readyok', [...prepare, 'isready']);
    return { program, engine, client };
  };
  const { program, engine, client } = await run();
  const answers = [];
  const isBest = (line) => line.startsWith('bestmove ');
  const mated = 'R6k/8/6K1/8/8/8/8/8 b - - 0 1';
  for (const [fen, go] of [
    [START, 'go depth 6'],
    [START, 'go nodes 3000'],
    [START, 'go movetime 50'],
    [MATE_IN_2, 'go depth 8'],
    [mated, 'go depth 10'],
  ]) {
    await client.next((line) => line === 'readyok', ['setoption name MultiPV value 1', 'isready']);
    client.lines.length = 0;
    const best = await client.next(isBest, [`position fen ${fen}`, go]);
    const last = client.lines.filter((line) => line.startsWith('info ') && line.includes(' score ')).at(-1);
    answers.push([best.split(' ')[1], last.split(' score ')[1].split(' ').slice(0, 2).join(' ')]);
  }
  // What it does when an answer is late.
  await client.next((line) => /^info depth 4 /.test(line), [`position fen ${START}`, 'go movetime 60000']);
  await client.next(isBest, ['stop']);
  engine.postMessage('go movetime 60000');
  program.kill();
  const again = await run();
  again.program.kill();
  return answers;
}

/** A game from the start position to its end, both sides by `go nodes`; each move is checked by the rules. */
export async function playGame(engine, Board, nodes) {
  const client = listen(engine);
  await client.next((line) => line === 'readyok', ['uci', 'ucinewgame', 'isready']);
  const board = new Board();
  while (!board.isGameOver()) {
    const moves = board.history({ notation: 'uci' }).join(' ');
    const best = await client.next(
      (line) => line.startsWith('bestmove '),
      [`position startpos moves ${moves}`, `go nodes ${nodes}`],
    );
    const move = best.split(' ')[1];
    check(board.legalMoves().includes(move), `${move} in ${board.fen()}`);
    board.push(move);
    check(board.ply() < 2000, 'the game does not end');
  }
  const { winner, reason } = board.outcome();
  const refused = client.lines.filter((line) => /unchanged|cannot|illegal/.test(line));
  check(refused.length === 0, refused.join('\n'));
  const result = { plies: board.ply(), result: board.result(), winner, reason, fen: board.fen() };
  board.free();
  return result;
}
