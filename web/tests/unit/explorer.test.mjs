// The opening explorer: keys, the book's file, what is shown of a position, a game against the book, and the drill.
import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { Board } from 'sakmak/rules';
import { GameRecord } from 'sakmak/study';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [keys, books, explorers, owns, names, drills, progresses, sessions, queues, { explorerEn }, { explorerTh }] =
  await load(
    'src/state/explorer-key.ts',
    'src/state/explorer-book.ts',
    'src/state/explorer.ts',
    'src/state/explorer-own.ts',
    'src/state/explorer-names.ts',
    'src/state/explorer-drill.ts',
    'src/state/explorer-progress.ts',
    'src/state/session.ts',
    'src/engine/queue.ts',
    'src/messages/explorer-en.ts',
    'src/messages/explorer-th.ts',
  );
const { boardAfter, boardOfFen, keyOfBoard, keyText } = keys;
const { BookSource, centipawns, evaluationOf, OpeningBook } = books;
const { ExplorerStore } = explorers;
const { Session } = sessions;

const root = join(import.meta.dirname, '../../..');
const START = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';
const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const DAY = 86_400_000;

/** The key of the position after moves from the start. */
function keyAfter(line) {
  let { board, turn } = boardOfFen(START);
  for (const uci of line.split(' ').filter(Boolean)) {
    board = boardAfter(board, uci);
    turn = turn === 'w' ? 'b' : 'w';
  }
  return keyOfBoard(board, turn);
}

const bitsOf = (uci) => {
  const square = (text) => text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1);
  return square(uci) | (square(uci.slice(2)) << 6) | (uci.length > 4 ? 0x1000 : 0);
};

/** A book as the tool writes it: lines, each with moves `[uci, score, results]`. */
function bookOf(lines, text = 'made by hand') {
  const short = (value) => [value & 255, (value >> 8) & 255];
  const varied = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varied(value >> 7)]);
  const long = (value) => [...short(value & 0xffff), ...short(value >>> 16)];
  const entries = Object.entries(lines).map(([line, moves]) => [keyAfter(line), moves]);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const [index, records] = [[], []];
  for (const [key, moves] of entries) {
    index.push(...new Uint8Array(new BigUint64Array([key]).buffer), ...long(records.length));
    records.push(moves.length, moves[0][1] === null ? 0 : 12, ...short(moves[0][1] ?? -32768), ...varied(120));
    for (const [uci, score, results = [0, 0, 0]] of moves) {
      records.push(...short(bitsOf(uci)), ...short(score ?? -32768), ...results.flatMap(varied));
    }
  }
  const words = [...new TextEncoder().encode(text)];
  const head = [...new TextEncoder().encode('SAKMAKOB'), 1, 0, 0, 0];
  const body = [...head, ...[words, entries, records].flatMap((part) => long(part.length)), ...words, ...index];
  const all = [...body, ...records];
  return new Uint8Array([...all, ...long(crc32(new Uint8Array(all)))]);
}

/** 1. e4 e5 and 1. d4 e5 meet; 1. a4 is worth less; 1. h4 is known by games alone. */
const SMALL = bookOf({
  '': [
    ['e3e4', 20, [3, 4, 300]],
    ['d3d4', 11],
    ['a3a4', -80],
    ['h3h4', null, [1, 0, 0]],
  ],
  e3e4: [
    ['e6e5', -20, [1, 0, 1]],
    ['f6f5', -22],
    ['d6d5', -90],
  ],
  'e3e4 e6e5': [['d3d4', 20]],
  d3d4: [['e6e5', -11]],
  'd3d4 e6e5': [['e3e4', 11]],
  'd3d4 e6e5 e3e4': [['d6d5', -11]],
});

const hostOf = (bytes) => {
  const host = { bytes, isOff: false, asked: 0, stored: null, url: 'book' };
  host.fetch = async () => {
    host.asked += 1;
    if (host.isOff) {
      throw new TypeError('no network');
    }
    return new Response(host.bytes, { status: host.bytes ? 200 : 404 });
  };
  host.cache = async () => ({
    match: async () => host.stored && new Response(host.stored),
    put: async (_, response) => {
      host.stored = new Uint8Array(await response.arrayBuffer());
    },
  });
  return host;
};

const NO_GAMES = { list: async () => [], subscribe() {} };

async function storeOf(bytes = SMALL, games = NO_GAMES) {
  const store = new ExplorerStore(new BookSource(hostOf(bytes)), games);
  await store.loadBook();
  return store;
}

function sessionAfter(line, fen = START) {
  const session = Session.start(RULES, fen);
  for (const move of line.split(' ').filter(Boolean)) {
    session.play(move);
  }
  return session;
}

test('keys are those of the program, in games with captures and promotions', () => {
  let random = 7;
  let promotions = 0;
  for (let game = 0; game < 20; game++) {
    const board = new Board();
    let { board: squares, turn } = boardOfFen(START);
    for (let ply = 0; ply < 120 && !board.isGameOver(); ply++) {
      assert.equal(keyText(keyOfBoard(squares, turn)), board.hash());
      const moves = board.legalMoves();
      random = (random * 1103515245 + 12345) & 0x7fffffff;
      const uci = moves[random % moves.length];
      promotions += uci.length > 4 ? 1 : 0;
      board.push(uci);
      squares = boardAfter(squares, uci);
      turn = turn === 'w' ? 'b' : 'w';
      const plain = boardOfFen(board.fen());
      assert.equal(plain?.board ?? squares, squares);
    }
  }
  assert.ok(promotions > 10, String(promotions));
  assert.equal(boardOfFen('4k3/8/8/8/8/8/3R4/4K3 w - 32 3 40'), null, 'a count runs');
  assert.equal(boardOfFen('rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1'), null, 'first moves');
});

test('a book of the tool has what the tool exports of it', () => {
  const folder = join(root, 'tools/book/tests/small');
  const book = new OpeningBook(readFileSync(`${folder}.book`));
  const lines = readFileSync(`${folder}.epd`, 'utf8').trim().split('\n');
  assert.equal(lines.length, book.size);
  for (const line of lines) {
    const [, fen, operations] = /^(\S+ \S+ \S+ \S+ \S+ \S+) (.*)$/.exec(line);
    const place = boardOfFen(fen);
    const found = book.find(keyOfBoard(place.board, place.turn));
    const games = found.moves.reduce((sum, { results }) => sum + results[0] + results[1] + results[2], 0);
    const san = new Board(fen).san(found.moves[0].uci);
    const expected =
      found.score === null
        ? `c0 "${games} games";`
        : `bm ${san}; ce ${centipawns(found.score)}; acd ${found.depth}; acn ${found.kilonodes * 1000}; c0 "${games} games";`;
    assert.equal(operations, expected, line);
  }
});

test('the book of the page: every position is found by its moves; its size', () => {
  const bytes = readFileSync(join(root, 'web/public/openings/sakmak.book'));
  const book = new OpeningBook(bytes);
  const seen = new Set();
  const open = [boardOfFen(START)];
  for (let place = open.pop(); place; place = open.pop()) {
    const key = keyOfBoard(place.board, place.turn);
    const found = seen.has(key) ? null : book.find(key);
    if (found) {
      seen.add(key);
      open.push(...found.moves.map(({ uci }) => ({ board: boardAfter(place.board, uci), turn: flip(place.turn) })));
    }
  }
  assert.equal(seen.size, book.size);
  const size = gzipSync(bytes, { level: 9 }).length;
  console.log(`opening book: ${book.size} positions, ${bytes.length} bytes, ${size} by gzip`);
  assert.ok(size <= 600_000, String(size));
});

const flip = (turn) => (turn === 'w' ? 'b' : 'w');

test('a damaged, foreign or later file is refused', () => {
  assert.equal(new OpeningBook(SMALL).text, 'made by hand');
  for (let at = 0; at < SMALL.length; at++) {
    const damaged = SMALL.slice();
    damaged[at] ^= 64;
    assert.throws(() => new OpeningBook(damaged), /book/, String(at));
    assert.throws(() => new OpeningBook(SMALL.slice(0, at)), /book/, String(at));
  }
});

test('scores are from White’s side, in centipawns or moves to mate', () => {
  assert.deepEqual(evaluationOf(285, 'w'), { cp: 100 });
  assert.deepEqual(evaluationOf(285, 'b'), { cp: -100 });
  assert.deepEqual(evaluationOf(0, 'b'), { cp: 0 });
  assert.deepEqual([centipawns(20), centipawns(-20), centipawns(4)], [7, -7, 1]);
  assert.deepEqual(evaluationOf(31_997, 'w'), { mate: 2 });
  assert.deepEqual(evaluationOf(-31_996, 'w'), { mate: -2 });
});

test('the book is loaded once, and comes from the storage without a network', async () => {
  const host = hostOf(SMALL);
  const source = new BookSource(host);
  const [one, two] = await Promise.all([source.load(), source.load()]);
  assert.equal(one, two);
  assert.equal(host.asked, 1);
  host.isOff = true;
  assert.equal((await new BookSource(host).load()).size, one.size);
  host.stored = null;
  const failing = new BookSource(host);
  await assert.rejects(failing.load(), /no network/);
  host.isOff = false;
  assert.equal((await failing.load()).size, one.size);
  host.bytes = SMALL.slice(1);
  host.stored = null;
  await assert.rejects(new BookSource(host).load(), /not an opening book/);
});

test('a position shows its moves with games, results, score and best line; transpositions meet', async () => {
  const store = await storeOf();
  const start = store.known(sessionAfter(''));
  assert.deepEqual(
    start.rows.map(({ san, score, results, line }) => [san, score?.cp ?? null, results.join(' '), line.join(' ')]),
    [
      ['e4', 7, '3 4 300', 'e5 d4 d5'],
      ['d4', 4, '0 0 0', 'e5 e4 d5'],
      ['a4', -28, '0 0 0', ''],
      ['h4', null, '1 0 0', ''],
    ],
  );
  assert.deepEqual([start.depth, start.kilonodes], [12, 120]);
  // Black to move: still from White's side.
  assert.deepEqual(
    store.known(sessionAfter('e3e4')).rows.map(({ score }) => score.cp),
    [7, 8, 32],
  );
  assert.equal(store.known(sessionAfter('e3e4 e6e5 d3d4')).rows[0].san, 'd5');
  assert.equal(store.known(sessionAfter('a3a4')), null);
  // Another game, and a count that runs.
  assert.equal(store.known(Session.start({ ...RULES, variant: 'makpong' })), null);
});

test('a game against the book: the first move of each side that it does not have or scores worse', async () => {
  const store = await storeOf();
  const compare = (line) => {
    const { known, deviations } = store.compared(sessionAfter(line));
    return [known, deviations.map(({ side, moveNumber, san, best, loss }) => [side, moveNumber, san, best, loss])];
  };
  assert.deepEqual(compare('e3e4 e6e5 d3d4 d6d5'), [4, []]);
  assert.deepEqual(compare('a3a4'), [1, [['w', 1, 'a4', 'e4', 35]]]);
  assert.deepEqual(compare('e3e4 d6d5'), [2, [['b', 1, 'd5', 'e5', 25]]]);
  assert.deepEqual(compare('e3e4 a6a5 d3d4'), [2, [['b', 1, 'a5', 'e5', null]]]);
  // 2. a4 has left the book; a later position of it counts again.
  assert.deepEqual(compare('e3e4 e6e5 a3a4'), [3, [['w', 2, 'a4', 'd4', null]]]);
  // A move that only games have has no score.
  assert.deepEqual(compare('h3h4'), [1, [['w', 1, 'h4', 'e4', null]]]);
  assert.equal(store.compared(Session.start({ ...RULES, variant: 'makpong' })), null);
});

const kept = (moves, result, more = {}) => ({
  id: moves,
  kind: 'opened',
  rules: RULES,
  start: START,
  moves,
  white: 'Anan',
  black: 'Boonmee',
  result,
  ...more,
});

test('own games are a source, by colour and name', async () => {
  const engine = (side, moves, result) =>
    kept(moves, result, { kind: 'engine', white: '', black: 'Frog', play: { game: { side } } });
  const list = [
    kept('e3e4 e6e5 d3d4', '1-0'),
    kept('d3d4 e6e5 e3e4', '0-1', { white: 'Boonmee', black: 'Anan' }),
    engine('w', 'e3e4', '1/2-1/2'),
    engine('b', 'a3a4', '*'),
    kept('e3e4', '1-0', { rules: { ...RULES, variant: 'makpong' } }),
  ];
  const store = await storeOf(SMALL, { list: async () => list, subscribe() {} });
  const moves = async (filter = {}, line = '') => {
    store.isOpen = true;
    store.source = 'games';
    store.own = null;
    store.setFilter({ side: null, name: '', ...filter });
    while (!store.own) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return store.known(sessionAfter(line))?.rows.map(({ san, results }) => `${san} ${results.join('')}`) ?? null;
  };
  assert.deepEqual(await moves(), ['e4 110', 'd4 001', 'a4 000']);
  assert.deepEqual(await moves({ name: 'anan' }), ['e4 100', 'd4 001']);
  assert.deepEqual(await moves({ name: 'anan', side: 'b' }), ['d4 001']);
  assert.deepEqual(await moves({ side: 'w' }), ['e4 010']);
  assert.deepEqual(await moves({ name: 'frog', side: 'b' }), ['e4 010', 'a4 000']);
  assert.equal(await moves({ name: 'nobody' }), null);
  // The games meet where their moves do.
  assert.equal(new owns.OwnGames(list, { side: null, name: '' }).find(keyAfter('d3d4 e6e5 e3e4')).length, 0);
  assert.deepEqual(await moves({}, 'e3e4 e6e5'), ['d4 100']);
});

test('the structures are those of the tools', () => {
  const source = readFileSync(join(root, 'tools/book/src/names.rs'), 'utf8');
  const list = [
    ...source.matchAll(/id: "([^"]+)",\s+english: "([^"]+)",\s+thai: "([^"]+)",[^}]*?pieces: &\[(.*?)\],\n/gs),
  ];
  const letters = { Maa: 'N', Khun: 'K', Khon: 'S', Met: 'M' };
  const expected = list.map(([, id, en, th, pieces]) => ({
    id,
    en,
    th,
    pieces: [...pieces.matchAll(/\((\w+), Square::(\w\d)\)/g)].map(([, kind, square]) => [
      letters[kind],
      square.toLowerCase(),
    ]),
  }));
  assert.deepEqual(names.STRUCTURES, expected);
  const board = sessionAfter('f3f4 c6c5 g1f3 b8c6 b1d2 g8e7 c1c2').view.board;
  assert.deepEqual(
    names.structuresOf(board).map(({ side, structure }) => `${side} ${structure.id}`),
    ['w linked-right', 'w khon-low', 'b linked-right'],
  );
});

/** A drill whose replies come when the test says so. */
async function drillOf({ random = () => 0, now = () => 100.5 * DAY } = {}) {
  localStorage.removeItem('sakmak.drill');
  const timers = [];
  const real = window.setTimeout;
  window.setTimeout = (act) => timers.push(act);
  const progress = new progresses.DrillProgress(now);
  const drill = new drills.DrillStore(new queues.EngineQueue(new FakeEngine()), progress, random);
  const book = new OpeningBook(SMALL);
  const reply = () => {
    for (const act of timers.splice(0)) {
      act();
    }
  };
  const end = () => {
    window.setTimeout = real;
  };
  return { drill, progress, book, reply, end };
}

test('drill: failed positions that the browser refuses to store last until the page is closed', (context) => {
  localStorage.removeItem('sakmak.drill');
  const progress = new progresses.DrillProgress(() => 100.5 * DAY);
  progress.note('0'.repeat(16), START, false);
  context.mock.method(localStorage, 'setItem', () => {
    throw new Error('full');
  });
  progress.note('1'.repeat(16), START, false);
  progress.note('2'.repeat(16), START, false);
  context.mock.restoreAll();
  assert.equal(progress.nextDue, 101);
  progress.note('3'.repeat(16), START, false);
  assert.equal(new progresses.DrillProgress(() => 102 * DAY).due.length, 4);
});

test('drill: the book replies, right moves go on, a wrong one is named and comes again', async (context) => {
  const { drill, progress, book, reply, end } = await drillOf();
  context.after(end);
  drill.begin(book, { side: 'w', fen: START });
  assert.equal(drill.state, 'toMove');
  drill.play('a3a4');
  assert.deepEqual([drill.state, drill.mistake.san, drill.mistake.best, drill.mistake.loss], ['wrong', 'a4', 'e4', 35]);
  assert.equal(drill.session.line.length, 1, 'the wrong move is not made');
  drill.play('b1d2');
  assert.deepEqual(drill.mistake.loss, null);
  // Another move within the margin is right, too, but the position was failed.
  drill.play('d3d4');
  assert.deepEqual([drill.state, drill.right, drill.wrong], ['reply', 0, 1]);
  reply();
  assert.equal(drill.state, 'toMove');
  drill.play('e3e4');
  assert.deepEqual([drill.state, drill.right], ['reply', 1]);
  reply();
  assert.deepEqual([drill.state, drill.right, drill.wrong], ['over', 1, 1]);
  assert.deepEqual(progress.due, []);
  assert.equal(progress.nextDue, 101);
  drill.next();
  drill.show();
  assert.deepEqual([drill.mistake.san, drill.mistake.best], ['', 'e4']);
  drill.close();
  assert.equal(drill.session, null);
});

test('drill: Black waits for the book’s move, which is drawn by weight', async (context) => {
  const { drill, book, reply, end } = await drillOf({ random: () => 0.999 });
  context.after(end);
  drill.begin(book, { side: 'b', fen: START });
  assert.deepEqual([drill.state, drill.mayMove], ['reply', false]);
  reply();
  assert.equal(drill.session.lastMove.to, 'd4');
  assert.equal(drill.mayMove, true);
  const moves = explorers.movesWithin(book.find(keyAfter('')), 15);
  assert.deepEqual(
    moves.map(({ uci }) => uci),
    ['e3e4', 'd3d4'],
  );
  // Black's 1... f5 is drawn, too, but the book ends there.
  drill.begin(book, { side: 'w', fen: START });
  drill.play('e3e4');
  reply();
  assert.equal(drill.session.lastMove.to, 'e5');
  // 16 * (1 + 17) against 13 * 1.
  assert.equal(drills.drawn(moves, (288 - 1) / 301).uci, 'e3e4');
  assert.equal(drills.drawn(moves, 288.5 / 301).uci, 'd3d4');
  assert.equal(drills.drawn([], 0.5), undefined);
});

test('drill: failed positions come again after 1, 3, 7 and 21 days, then no more', async (context) => {
  let day = 100;
  const { drill, progress, book, end } = await drillOf({ now: () => (day + 0.5) * DAY });
  context.after(end);
  drill.begin(book, { side: 'w', fen: START });
  drill.show();
  assert.equal(drill.repeat(book), false, 'nothing is due');
  for (const days of [1, 3, 7, 21]) {
    day += days;
    assert.equal(progress.due.length, 1, String(days));
    assert.equal(drill.repeat(book), true);
    drill.play('e3e4');
    assert.equal(drill.state, 'over');
    assert.equal(progress.due.length, 0);
  }
  assert.equal(progress.nextDue, null);
  // Failed again, it begins anew; a position that the book has lost is forgotten.
  drill.begin(book, { side: 'w', fen: START });
  drill.play('a3a4');
  day += 1;
  const other = new OpeningBook(bookOf({ e3e4: [['e6e5', -20]] }));
  assert.equal(drill.repeat(other), false);
  assert.equal(progress.nextDue, null);
});

test('what the drill keeps is read again; what does not fit is left out', async (context) => {
  const { drill, book, end } = await drillOf();
  context.after(end);
  drill.begin(book, { side: 'w', fen: START });
  drill.show();
  const text = localStorage.getItem('sakmak.drill');
  assert.equal(progresses.readFailed(text).size, 1);
  assert.equal(new progresses.DrillProgress(() => 200 * DAY).due.length, 1);
  const [key, row] = Object.entries(JSON.parse(text).failed)[0];
  const read = (failed) => [...progresses.readFailed(JSON.stringify({ drill: 1, failed })).keys()];
  assert.deepEqual(
    read({ [key]: row, nonsense: row, ['0'.repeat(16)]: [1, 2], [`${'1'.repeat(16)}`]: ['', 0, 9, 0] }),
    [key],
  );
  for (const other of ['', 'null', '[]', '{"drill":2,"failed":{}}', '{"drill":1}']) {
    assert.equal(progresses.readFailed(other), null, other);
  }
});

test('words of both languages have the same keys and arguments', () => {
  const args = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
  assert.deepEqual(Object.keys(explorerTh), Object.keys(explorerEn));
  for (const [key, text] of Object.entries(explorerTh)) {
    assert.deepEqual(args(text), args(explorerEn[key]), key);
    assert.doesNotMatch(text, /[๐-๙]/, key);
  }
  for (const text of [...Object.values(explorerEn), ...Object.values(explorerTh)]) {
    assert.doesNotMatch(text, /half-move|\bpl(y|ies)\b|ครึ่งตา/i);
  }
});

test('a record of the page and the board of the package agree on the start', () => {
  assert.equal(new GameRecord().view(0).fen, new Board().fen());
  assert.equal(keyText(keyAfter('')), new Board().hash());
});
