import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Board } from 'sakmak/rules';
import * as study from 'sakmak/study';
import {
  ArgumentError,
  CountError,
  checkSetup,
  decodeText,
  exercises,
  FenError,
  GameRecord,
  Library,
  levelRatings,
  MoveError,
  NOTATIONS,
  PgnError,
  RulesError,
  readSetup,
  SakmakError,
  START_FEN,
  StateError,
} from 'sakmak/study';

/** The error that a function throws. */
function thrown(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

test('a record is a tree of moves', () => {
  const record = new GameRecord();
  const e4 = record.play(0, 'e4');
  const e5 = record.play(e4, { from: 'e6', to: 'e5' });
  const nd7 = record.play(e4, 'ม-ง๗');
  assert.equal(record.play(0, 'e3e4'), e4, 'a move that is there is not added again');
  assert.deepEqual(record.lineThrough(0), [0, e4, e5]);
  assert.deepEqual(
    record.tree().map(({ san, uci, color, moveNumber, parent }) => [san, uci, color, moveNumber, parent]),
    [
      ['', '', 'w', 1, 0],
      ['e4', 'e3e4', 'w', 1, 0],
      ['e5', 'e6e5', 'b', 1, e4],
      ['Nd7', 'b8d7', 'b', 1, e4],
    ],
  );
  record.promote(nd7);
  assert.deepEqual(record.lineThrough(0), [0, e4, nd7]);
  record.setComment(nd7, ' good ');
  record.setGlyph(nd7, 1);
  record.setEvaluation(nd7, { cp: -35 });
  record.setEvaluation(e5, { mate: 3 });
  record.setTag('White', 'me');
  record.setTag('Result', '1-0');
  const text = record.pgn();
  assert.match(text, /\[White "me"\]/);
  assert.match(text, /1\. e4 Nd7 \$1 \{\[%eval -0\.35\]\} \{good\} \(1\.\.\. e5 \{\[%eval #3\]\}\) 1-0/);
  assert.equal(GameRecord.read(text).pgn(), text);
  assert.match(record.pgn({ notation: 'thai-san', dialect: 'pychess' }), /ม-ง๗/);
  assert.equal(record.deleteFrom(nd7), e4);
  assert.deepEqual(record.lineThrough(e4), [0, e4, e5]);
  assert.equal(record.deleteFrom(0), 0);
  assert.equal(record.tree().length, 1);
  record.setEvaluation(0, { cp: 5 });
  record.setEvaluation(0, null);
  assert.equal(record.tree()[0].evaluation, null);
});

test('a view has the same moves, count and outcome as a board', () => {
  for (const [fen, rules] of [
    [START_FEN, {}],
    ['8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80', {}],
    ['7k/8/8/8/8/8/1m6/1K1RR1N1 w - - 0 40', {}],
    ['7k/8/5KR1/8/8/8/8/8 b - 32 32 60', {}],
    ['4k3/8/8/3P4/8/8/8/4K3 w - - 30 60', { ruleset: 'chessvariants' }],
    [undefined, { variant: 'cambodian' }],
  ]) {
    const [record, board] = [new GameRecord(fen, rules), new Board(fen, rules)];
    const view = record.view();
    const { secondPliesLeft, ...count } = view.count ?? {};
    assert.deepEqual(view.count && count, board.count(), fen);
    assert.deepEqual(view.outcome, board.outcome(), fen);
    const moves = view.moves.map(({ count, outcome, ...move }) => move);
    const byName = (a, b) => a.uci.localeCompare(b.uci);
    assert.deepEqual(moves.sort(byName), board.moves({ verbose: true }).sort(byName), fen);
    assert.deepEqual([view.turn, view.moveNumber, view.fen], [board.turn(), board.moveNumber(), board.fen()]);
  }
});

test('moves name what they do to the count', () => {
  const { moves, prospects, material, bare } = new GameRecord('7k/8/8/8/8/8/1m6/1K1RR1N1 w - - 0 40').view();
  const { count, captured } = moves.find(({ uci }) => uci === 'b1b2');
  assert.equal(captured, 'm');
  assert.deepEqual([count.what, count.pieces, count.count.limit, count.count.movesLeft], ['begins', 5, 8, 3]);
  assert.deepEqual(prospects[0], { attacker: 'w', limit: 8, movesLeft: 3 });
  assert.deepEqual(material, [
    [0, 0, 0, 1, 2],
    [0, 1, 0, 0, 0],
  ]);
  assert.equal(bare, null);
});

test('counts by hand are part of the record', () => {
  const record = new GameRecord('4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40', { ruleset: 'wikipedia' });
  const node = record.play(0, 'Kxb2');
  assert.deepEqual(record.view(node).byHand, { start: false, stop: true, claim: false });
  record.count(node, 'stop');
  assert.deepEqual(record.tree()[1].count, ['stop']);
  assert.deepEqual(record.engineLine(node), {
    fen: '4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40',
    words: ['a1b2', 'count-stop'],
  });
  const again = GameRecord.read(record.pgn());
  assert.deepEqual(again.engineLine(1), record.engineLine(1));
  assert.ok(thrown(() => record.count(node, 'claim')) instanceof CountError);
});

test('rules go in and come out', () => {
  const rules = { variant: 'makruk', ruleset: 'cyningstan', parts: { Repetition: 'threefold' } };
  const record = new GameRecord(null, rules);
  assert.deepEqual(record.rules, rules);
  const { startFen, isDefaultStart, result, tags } = record.header();
  assert.deepEqual([startFen, isDefaultStart, result, tags], [new Board(null, rules).startFen(), true, '*', {}]);
  const again = GameRecord.read(record.pgn());
  assert.deepEqual(again.rules, rules);
  assert.equal(new Board(again.header().startFen, again.rules).fen(), new Board(null, rules).fen());
  assert.equal(again.header().tags.Ruleset, 'cyningstan');
  // Games that name their rules keep them; the others get those of the library.
  const library = new Library('[Variant "Cambodian"]\n\n1. e4 *\n\n1. e4 *', { ruleset: 'wikipedia' });
  const found = [0, 1].map((index) => library.open(index).record.rules);
  assert.deepEqual(
    found.map(({ variant, ruleset }) => [variant, ruleset]),
    [
      ['cambodian', 'wikipedia'],
      ['makruk', 'wikipedia'],
    ],
  );
});

test('a library lists all games of a text', () => {
  const text = '[White "A"]\n[Date "2026.01.02"]\n\n1. e4 {never closed\n\n[White "B"]\n\n1. e4 e5 2. Rb5 1-0\n';
  const library = new Library(text);
  assert.equal(library.length, 2);
  const [first, second] = library.games();
  assert.ok(first.error instanceof PgnError);
  assert.deepEqual([first.error.code, second.white, second.result, second.plies], ['pgn.comment', 'B', '1-0', 3]);
  assert.equal(thrown(() => library.open(0)).code, 'pgn.comment');
  const { record, error, warning } = library.open(1);
  assert.equal(record.lineThrough(0).length, 3, 'the moves before the fault are there');
  assert.deepEqual(
    [error.code, error.args.number, error.cause.code, warning],
    ['pgn.move', '2.', 'move.illegal', null],
  );
  assert.ok(error instanceof PgnError && error.cause instanceof MoveError);
  assert.deepEqual([error.line, error.message.length > 10], [8, true]);
  const odd = new Library('1. e4 e5 (1... Ke5) 2. d4 *').open(0);
  assert.deepEqual([odd.error, odd.warning.code], [null, 'pgn.illegalVariation']);
  const lines = new Library(`position startpos moves e3e4\n8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80`);
  assert.deepEqual([lines.length, lines.open(1).record.view().count.movesLeft], [2, 12]);
});

test('files are decoded', () => {
  assert.deepEqual(decodeText(new TextEncoder().encode('1. จ๔')), { text: '1. จ๔', encoding: 'utf-8' });
  const thai = decodeText(new Uint8Array([0x31, 0x2e, 0x20, 0xc1, 0xe9, 0xd2]));
  assert.deepEqual(thai, { text: '1. ม้า', encoding: 'windows-874' });
  assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x65, 0x00]).buffer).text, 'e');
  assert.ok(thrown(() => decodeText('text')) instanceof ArgumentError);
});

test('boards set up by hand are checked', () => {
  const letters = new Array(64).fill('.');
  Object.assign(letters, { 4: 'K', 60: 'k', 28: 'O', 0: 'R' });
  const board = letters.join('');
  const good = checkSetup({ board, turn: 'b', plyLimit: 32, ply: 9, moveNumber: 30 });
  assert.deepEqual(good, { fen: '4k3/8/8/8/4M~3/8/8/R3K3 b - 32 9 30', error: null });
  const { fen, error } = checkSetup({ board: board.replace('k', '.') });
  assert.ok(error instanceof FenError);
  assert.deepEqual([fen.split(' ')[0], error.code, error.args.color], ['8/8/8/8/4M~3/8/8/R3K3', 'fen.khun', 'b']);
  // A count by the rules, or by the number spoken last.
  const bare = readSetup('4k3/8/8/8/8/2M~5/8/R3K3');
  assert.deepEqual([bare.board[18], bare.turn, bare.plyLimit], ['O', 'w', 0]);
  assert.equal(checkSetup({ ...bare, byRules: true }).fen, '4k3/8/8/8/8/2M~5/8/R3K3 w - 32 9 1');
  assert.equal(checkSetup({ ...bare, plyLimit: 32, number: 7 }).fen, '4k3/8/8/8/8/2M~5/8/R3K3 w - 32 13 1');
  assert.deepEqual(new GameRecord(checkSetup(bare).fen).view().beginning, {
    attacker: 'w',
    limit: 16,
    pieces: 4,
    movesLeft: 12,
    byNextMove: true,
  });
  assert.equal(thrown(() => readSetup('4k3/8 w')).code, 'fen.ranks');
  assert.ok(thrown(() => readSetup(5)) instanceof ArgumentError);
  assert.ok(thrown(() => checkSetup({ board, ply: -1 })) instanceof ArgumentError);
  assert.ok(thrown(() => checkSetup({})) instanceof ArgumentError);
  for (const wrong of [
    { turn: 1 },
    { rights: null },
    { plyLimit: '32' },
    { ply: 2 ** 32 },
    { number: 1.5 },
    { byRules: 'yes' },
    { moveNumber: null },
  ]) {
    assert.equal(thrown(() => checkSetup({ board, ...wrong })).code, 'argument.type', JSON.stringify(wrong));
  }
  assert.equal(checkSetup({ board, number: undefined, moveNumber: undefined }).error, null);
  assert.ok(checkSetup({ board }, { variant: 'chess' }).error instanceof RulesError);
});

test('exercises and levels', () => {
  const all = exercises();
  assert.equal(all.length, 160);
  for (const { id, fen, goal, right, grade } of all) {
    const legal = new Board(fen).legalMoves();
    assert.ok(right.every((move) => legal.includes(move)) && /^(win|draw)$/.test(goal) && grade >= 1 && grade <= 5, id);
  }
  const ratings = levelRatings();
  assert.deepEqual([ratings.length, ratings[0]], [11, 600]);
  assert.deepEqual(
    ratings,
    [...ratings].sort((a, b) => a - b),
  );
});

test('errors have a class, a code and arguments', () => {
  const record = new GameRecord();
  for (const [action, Class, code] of [
    [() => new GameRecord('8/8 w'), FenError, 'fen.ranks'],
    [() => new GameRecord(5), ArgumentError, 'argument.type'],
    [() => new GameRecord(null, { variant: 'chess' }), RulesError, 'rules.name'],
    [() => new GameRecord(null, { parts: { SutMet: 'maybe' } }), RulesError, 'rules.part'],
    [() => new Library(' \n'), PgnError, 'pgn.empty'],
    [() => new Library('1. e4').open(1), ArgumentError, 'argument.game'],
    [() => new Library('1. e4').open(-1), ArgumentError, 'argument.game'],
    [() => record.play(0, 'Ke5'), MoveError, 'move.illegal'],
    [() => record.play(0, 'zz'), MoveError, 'move.malformed'],
    [() => record.play(0, null), ArgumentError, 'argument.type'],
    [() => record.play(7, 'e4'), ArgumentError, 'argument.node'],
    [() => record.view(NaN), ArgumentError, 'argument.node'],
    [() => record.view(0, 'latin'), ArgumentError, 'argument.notation'],
    [() => record.pgn({ dialect: 'x' }), ArgumentError, 'argument.dialect'],
    [() => record.count(0, 'begin'), ArgumentError, 'argument.count'],
    [() => record.setGlyph(0, 1.5), ArgumentError, 'argument.glyph'],
    [() => record.setEvaluation(0, { cp: 'high' }), ArgumentError, 'argument.type'],
    [() => record.setEvaluation(0, { cp: 0.5 }), ArgumentError, 'argument.type'],
    [() => record.setEvaluation(0, { mate: 2 ** 31 }), ArgumentError, 'argument.type'],
    [() => new GameRecord(null, { ruleset: 5 }), ArgumentError, 'argument.type'],
  ]) {
    const error = thrown(action);
    assert.ok(error instanceof Class && error instanceof SakmakError && error instanceof Error, `${action}: ${error}`);
    assert.equal(error.code, code, `${action}: ${error.message}`);
  }
  assert.equal(record.readMove(0, 'Ke5'), null);
  assert.equal(record.readMove(0, 'Nd2'), 'b1d2');
});

test('what was freed is refused', () => {
  const library = new Library('1. e4 *');
  const { record } = library.open(0);
  library.free();
  library.free();
  assert.equal(thrown(() => library.length).code, 'state.freed');
  assert.equal(record.lineThrough(0).length, 2, 'an opened game outlives its library');
  record[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  for (const use of ['header', 'tree', 'view', 'pgn']) {
    const error = thrown(() => record[use]());
    assert.ok(error instanceof StateError, use);
    assert.equal(error.code, 'state.freed');
  }
});

test('many freed records leave the memory flat', () => {
  const make = (number) => {
    for (let at = 0; at < number; at++) {
      const record = new GameRecord();
      record.play(0, 'e4');
      record.free();
    }
  };
  make(2_000);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  make(50_000);
  globalThis.gc?.();
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  assert.ok(grown < 60, `${grown} MB`);
});

test('import and require share one module, in all notations', () => {
  const required = createRequire(import.meta.url)('sakmak/study');
  assert.equal(required.GameRecord, study.GameRecord);
  const names = NOTATIONS.map((notation) => {
    const record = new GameRecord();
    record.play(0, 'b1d2');
    return record.tree(notation)[1].san;
  });
  assert.deepEqual(names, ['Nd2', 'Nb1-d2', 'ม-ง๒', 'ม ข๑-ง๒', 'Nd2', 'b1d2']);
});

test('a file of evaluations has keys for a position and those after its moves, by the same rules', () => {
  const record = new GameRecord('7k/8/6K1/8/8/8/8/R7 w');
  const numbers = [...record.evaluationKeys(0)];
  const keys = [];
  while (numbers.length > 0) {
    const [flags, , , count] = numbers.splice(0, 4);
    keys.push([flags, numbers.splice(0, count).length]);
  }
  assert.deepEqual(keys[0], [2, record.view().moves.length]);
  assert.equal(keys.length, 1 + keys[0][1]);
  // One of the moves mates: Black is to move, and there is no key.
  assert.equal(keys.filter(([flags, count]) => flags === 1 && count === 0).length, 1);
  assert.ok(record.hasRulesOf(new GameRecord()));
  assert.ok(!record.hasRulesOf(new GameRecord(null, { ruleset: 'wikipedia' })));
  assert.throws(() => record.evaluationKeys(7), { code: 'argument.node' });
});

test('study.wasm keeps its size', () => {
  const bytes = readFileSync(new URL('../dist/study.wasm', import.meta.url));
  const packed = gzipSync(bytes, { level: 9 }).length;
  assert.ok(bytes.length <= 365_000 && packed <= 142_000, `${bytes.length} bytes, ${packed} by gzip`);
});
