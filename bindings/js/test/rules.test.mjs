import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as sakmak from 'sakmak/rules';
import {
  ArgumentError,
  Board,
  CountError,
  FenError,
  MoveError,
  NOTATIONS,
  PgnError,
  parsePgn,
  RULESETS,
  RulesError,
  SakmakError,
  START_FEN,
  StateError,
  startFen,
  toPgn,
  VARIANTS,
  validateFen,
} from 'sakmak/rules';

/** The error that a function throws. */
function thrown(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

test('the start position', () => {
  const board = new Board();
  assert.equal(board.fen(), START_FEN);
  assert.equal(board.turn(), 'w');
  assert.equal(board.legalMoves().length, 23);
  assert.equal(board.legalMoveCount(), 23);
  assert.equal(board.perft(4), 273026);
  assert.equal(board.pieces().size, 32);
  assert.deepEqual(board.get('d1'), { type: 'k', color: 'w' });
  assert.equal(board.get('d4'), null);
  assert.equal(board.khun('b'), 'e8');
  assert.match(board.hash(), /^[0-9a-f]{16}$/);
  assert.equal(startFen(), START_FEN);
  assert.equal(startFen({ variant: 'cambodian' }), START_FEN.replace('w - -', 'w DEde -'));
});

test('moves are read in every notation and written in all', () => {
  const board = new Board();
  assert.equal(board.move('e4').uci, 'e3e4');
  assert.equal(board.move('b8d7').san, 'Nd7');
  assert.equal(board.move('ม-ง๒').uci, 'b1d2');
  assert.equal(board.move({ from: 'e6', to: 'e5' }).san, 'e5');
  board.push('g1e2');
  assert.deepEqual(board.history(), ['e4', 'Nd7', 'Nd2', 'e5', 'Ne2']);
  assert.deepEqual(board.history({ notation: 'uci' }), ['e3e4', 'b8d7', 'b1d2', 'e6e5', 'g1e2']);
  assert.deepEqual(board.history({ notation: 'thai-san' }), ['จ๔', 'ม-ง๗', 'ม-ง๒', 'จ๕', 'ม-จ๒']);
  assert.deepEqual(board.history({ verbose: true })[1], {
    uci: 'b8d7',
    san: 'Nd7',
    from: 'b8',
    to: 'd7',
    color: 'b',
    piece: 'n',
  });
  assert.equal(board.pop(), 'g1e2');
  assert.equal(board.san({ from: 'g1', to: 'e2' }, { notation: 'lan' }), 'Ng1-e2');
  assert.equal(board.uci('Ne2'), 'g1e2');
  assert.equal(board.variationSan('g1e2 g8e7'), '3. Ne2 Ne7');
  assert.equal(board.variationSan(['g1e2', 'g8e7'], { moveNumbers: false, notation: 'uci' }), 'g1e2 g8e7');
  while (board.pop() !== null) {}
  assert.equal(board.fen(), START_FEN);
  assert.equal(board.pop(), null);
});

test('moves of a square and a kind of piece, and targets by square', () => {
  const board = new Board();
  assert.deepEqual(board.moves({ square: 'b1' }), ['Nd2']);
  assert.deepEqual(board.moves({ piece: 'n' }).sort(), ['Nd2', 'Ne2']);
  assert.equal(board.moves().length, 23);
  assert.deepEqual(board.moves({ square: 'a5' }), []);
  assert.deepEqual(board.dests().get('e3'), ['e4']);
  assert.equal([...board.dests().values()].flat().length, 23);
  const take = new Board('4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1').moves({ square: 'e4', verbose: true });
  assert.deepEqual(take.map((move) => [move.san, move.captured ?? '']).sort(), [
    ['e5', ''],
    ['exd5', 'p'],
  ]);
  const promotion = new Board('4k3/8/8/4P3/8/8/8/R3K3 w - - 0 1').move('e6');
  assert.deepEqual([promotion.uci, promotion.san, promotion.promotion], ['e5e6m', 'e6=M', 'm']);
});

test('two pieces move in a two-piece move', () => {
  const board = new Board(null, { parts: { SutMa: 'on' } });
  const [two] = board.moves({ piece: 'n', verbose: true }).filter((move) => move.twoPiece);
  assert.equal(two.captured, undefined);
  board.push(two.uci);
  assert.deepEqual(board.get(two.to), { type: 'n', color: 'w' });
});

test('the end of a game', () => {
  const mate = new Board('R6k/8/6K1/8/8/8/8/8 b - - 0 1');
  assert.ok(mate.isCheck() && mate.isCheckmate() && mate.isGameOver() && !mate.isStalemate());
  assert.deepEqual(mate.outcome(), { winner: 'w', reason: 'checkmate' });
  assert.equal(mate.result(), '1-0');
  assert.deepEqual(mate.checkers(), ['a8']);
  assert.deepEqual(mate.attackers('h7', 'w'), ['g6']);
  const stalemate = new Board('7k/5K2/6M1/8/8/8/8/8 b - - 0 1');
  assert.ok(stalemate.isStalemate());
  assert.deepEqual(stalemate.outcome(), { winner: null, reason: 'stalemate' });
  const board = new Board();
  for (const move of ['Nd2', 'Nd7', 'Nb1', 'Nb8', 'Nd2', 'Nd7', 'Nb1', 'Nb8']) {
    assert.equal(board.result(), '*');
    board.move(move);
  }
  assert.deepEqual(board.outcome(), { winner: null, reason: 'repetition' });
  assert.ok(board.isRepetition() && !board.isRepetition(4));
  board.pop();
  assert.equal(board.outcome(), null);
  const drawn = new Board('7k/8/8/8/8/8/4R3/4K3 b - 32 33 80');
  assert.deepEqual(drawn.outcome(), { winner: null, reason: 'pieces-honour' });
  assert.ok(new Board('4k3/8/8/8/8/8/8/4KN2 w - - 0 1').isInsufficientMaterial());
  assert.ok(new Board('8/1k6/7M/8/K7/2m5/8/8 b - 128 0 75').isInsufficientMaterial());
  assert.ok(!new Board('4km2/8/8/8/8/8/8/4KM2 w - - 0 1').isInsufficientMaterial());
  const knight = new Board('4k3/7p/8/8/8/8/8/4KN2 w - - 0 1');
  assert.ok(!knight.isInsufficientMaterial() && !knight.isInsufficientMaterial('w') && !knight.isBare('b'));
});

test('the count', () => {
  const board = new Board('8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80');
  const count = board.count();
  assert.deepEqual(count, {
    honour: 'pieces',
    counter: 'b',
    attacker: 'w',
    number: 5,
    limit: 16,
    movesLeft: 12,
    ply: 9,
    plyLimit: 32,
  });
  assert.equal(board.countAfter('Rc6').ply, 10);
  assert.equal(new Board().count(), null);
  assert.equal(thrown(() => board.startCount()).code, 'count.theirs');
  const theirs = board.clone();
  theirs.push('c2c3');
  for (const decide of [() => theirs.startCount(), () => theirs.stopCount()]) {
    assert.equal(thrown(decide).code, 'count.automatic');
  }
  assert.deepEqual(theirs.history(), ['Rc3']);
  assert.ok(thrown(() => board.claimDraw()) instanceof CountError);
  // The last bia falls: the board's honour begins.
  const last = new Board('3k4/2m5/5M2/4p3/3KS3/8/8/8 w - - 0 33');
  assert.equal(last.countAfter('f6e5').honour, 'board');
  const claim = new Board('7k/8/8/8/8/8/4R3/4K3 b - 32 33 80', { parts: { CountClaim: 'manual' } });
  assert.ok(claim.mayClaimDraw() && !claim.isGameOver());
  claim.claimDraw();
  assert.equal(claim.result(), '1/2-1/2');
});

test('a count stopped by its counter', () => {
  const board = new Board('1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60', { ruleset: 'wikipedia' });
  const played = board.clone();
  played.push('g3a3');
  assert.deepEqual(played.outcome(), { winner: null, reason: 'counter-mated' });
  board.stopCount();
  assert.equal(board.count(), null);
  board.push('g3a3');
  assert.equal(board.result(), '0-1');
});

test('pieces are put and taken off', () => {
  const board = new Board('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
  board.put({ type: 'm', color: 'w', promoted: true }, 'a4');
  assert.equal(board.fen({ promoted: true }).split(' ')[0], '4k3/8/8/8/M~7/8/8/4K3');
  assert.deepEqual(board.remove('a4'), { type: 'm', color: 'w', promoted: true });
  assert.equal(board.remove('a4'), null);
  assert.equal(thrown(() => board.remove('e1')).code, 'fen.khun');
  assert.equal(thrown(() => board.put({ type: 'p', color: 'w' }, 'a1')).code, 'fen.bia');
  assert.equal(thrown(() => board.put({ type: 'q', color: 'w' }, 'a1')).code, 'argument.piece');
  assert.equal(board.fen().split(' ')[0], '4k3/8/8/8/8/8/8/4K3');
});

test('errors have a class, a code and arguments', () => {
  const board = new Board();
  for (const [action, Class, code, args] of [
    [() => new Board('x'), FenError, 'fen.ranks', { field: 'board', count: '1' }],
    [() => board.load('8/8/8/8/8/8/8/8 w'), FenError, 'fen.khun', { field: 'board', color: 'w', count: '0' }],
    [() => new Board(null, { variant: 'chess' }), RulesError, 'rules.name', {}],
    [() => new Board(null, { parts: { SutMa: 'maybe' } }), RulesError, 'rules.part', {}],
    [() => board.push('e3e9'), MoveError, 'move.malformed', { text: 'e3e9' }],
    [() => board.push('e3e5'), MoveError, 'move.illegal', { text: 'e3e5' }],
    [() => board.push('a1a1'), MoveError, 'move.malformed', { text: 'a1a1' }],
    [() => board.move('Nd5'), MoveError, 'move.illegal', { text: 'Nd5' }],
    [() => board.move('--'), MoveError, 'move.null', { text: '--' }],
    [() => board.get('i9'), ArgumentError, 'argument.square', { text: 'i9' }],
    [() => board.move({ from: 'e3', to: 'x' }), ArgumentError, 'argument.square', { text: 'x' }],
    [() => board.moves({ notation: 'x' }), ArgumentError, 'argument.notation', undefined],
    [() => board.perft(99), ArgumentError, 'argument.depth', { depth: '99' }],
    [() => board.stopCount(), CountError, 'count.none', {}],
  ]) {
    const error = thrown(action);
    assert.ok(error instanceof Class && error instanceof SakmakError && error instanceof Error, String(error));
    assert.equal(error.code, code);
    assert.equal(error.name, Class.name);
    assert.ok(error.message.length > 5);
    if (args) {
      assert.deepEqual(error.args, args);
    }
  }
  assert.equal(board.fen(), START_FEN);
});

test('wrong types of arguments are refused and leave the board usable', () => {
  const board = new Board();
  for (const action of [
    () => board.push(undefined),
    () => board.push(7),
    () => board.move(null),
    () => board.move(undefined),
    () => board.move(5),
    () => board.get(undefined),
    () => board.load(undefined),
    () => new Board(5),
    () => new Board({}),
    () => validateFen(null),
    () => parsePgn(undefined),
    () => toPgn(null),
    () => board.put(null, 'a1'),
    () => board.put({}, 'a1'),
    () => board.variationSan([1]),
    () => board.put({ type: 'r', color: 'white' }, 'a4'),
    () => board.put({ type: 'r' }, 'a4'),
    () => board.put({ type: 'R', color: 'b' }, 'a4'),
    () => board.put({ type: 'pawn', color: 'w' }, 'a4'),
    () => board.khun('white'),
    () => board.khun(),
    () => board.attackers('a4', 'W'),
    () => board.isBare(true),
    () => board.isInsufficientMaterial('white'),
  ]) {
    assert.ok(thrown(action) instanceof SakmakError, String(action));
  }
  assert.equal(board.legalMoves().length, 23);
  assert.equal(board.fen(), START_FEN);
});

test('a FEN is checked field by field', () => {
  assert.deepEqual(validateFen(START_FEN), { ok: true });
  for (const [fen, code, field] of [
    ['', 'fen.empty', 'fen'],
    ['x', 'fen.ranks', 'board'],
    ['4k3/8/8/8/8/8/8/4Q3 w', 'fen.piece', 'board'],
    ['4k4/8/8/8/8/8/8/4K3 w', 'fen.rank', 'board'],
    ['4k3/8/8/8/8/8/8/4K3 x', 'fen.turn', 'turn'],
    ['4k3/8/8/8/8/8/8/4K3 w ? - 0 1', 'fen.rights', 'rights'],
    ['4k3/8/8/8/8/8/8/4K3 w - q 0 1', 'fen.number', 'count'],
    ['4k3/8/8/8/8/8/8/4K3 w - - x 1', 'fen.number', 'clock'],
    ['4k3/8/8/8/8/8/8/4K3 w - - 0 x', 'fen.number', 'number'],
    ['4k3/8/8/8/8/8/8/4K3 w - - 0 1 2', 'fen.trailing', 'trailing'],
    ['4k3/8/8/8/8/8/4R3/4K3 w - - 0 1', 'fen.check', 'board'],
  ]) {
    const report = validateFen(fen);
    assert.deepEqual([report.ok, report.code, report.field], [false, code, field], fen);
    assert.ok(report.message.startsWith('FEN'));
  }
});

test('the lists of names are those of the rules', () => {
  for (const variant of VARIANTS) {
    for (const ruleset of RULESETS) {
      assert.equal(validateFen(startFen({ variant, ruleset }), { variant, ruleset }).ok, true);
    }
  }
  const board = new Board();
  assert.equal(new Set(NOTATIONS.map((notation) => board.san('b1d2', { notation }))).size, 5);
});

test('PGN is read with comments, glyphs and variations, and written again', () => {
  const text = '[White "a"]\n\n1. e4! {good} e5 (1... Nd7 {quiet} 2. Nd2) 2. Nd2 $14 1-0\n\n[White "b"]\n\n1. Ne2 *\n';
  const [game, second] = parsePgn(text);
  assert.deepEqual(game.headers, { White: 'a' });
  assert.deepEqual([game.variant, game.fen, game.result, game.line], ['makruk', START_FEN, '1-0', 1]);
  assert.deepEqual(game.moves[0], { uci: 'e3e4', san: 'e4', nags: [1], comments: ['good'], variations: [] });
  assert.deepEqual(game.moves[1].variations[0].moves[1].san, 'Nd2');
  assert.equal(second.headers.White, 'b');
  const again = parsePgn(toPgn(game))[0];
  assert.deepEqual(again.moves, game.moves);
  assert.match(toPgn(game, { notation: 'thai-san' }), /1\. จ๔ \$1 \{good\}/);
  const error = thrown(() => parsePgn('1. e4 e9'));
  assert.ok(error instanceof PgnError && error.cause instanceof MoveError);
  assert.deepEqual([error.code, error.line, error.cause.code], ['pgn.move', 1, 'move.malformed']);
  const errors = [];
  const [half] = parsePgn('1. e4 e9 2. Nd2 (2. Ne2)', { onError: (fault, part) => errors.push([fault.code, part]) });
  assert.deepEqual(errors, [['pgn.move', half]]);
  assert.equal(half.moves.length, 1);
  assert.equal(thrown(() => parsePgn('[Variant "chess"]\n\n1. e4 *')).code, 'pgn.variant');
  assert.equal(thrown(() => parsePgn('1. e4 {never closed')).code, 'pgn.comment');
  assert.equal(parsePgn('1. e4 (1. zz9) *')[0].warnings.length, 1);
  assert.equal(thrown(() => toPgn({ moves: [{ uci: 'e3e5' }] })).code, 'move.illegal');
  assert.equal(thrown(() => toPgn({ moves: [], result: '2-0' })).code, 'pgn.result');
});

test('a board becomes PGN with its start, variant and rules', () => {
  const board = new Board(null, { variant: 'cambodian' });
  board.move('e4');
  assert.match(toPgn(board, { headers: { White: 'x' } }), /\[White "x"\][\s\S]*\[Variant "cambodian"\]\n\n1\. e4 \*/);
  const late = new Board('4k3/8/8/8/8/8/1m6/RR2K3 b - 128 4 40', { ruleset: 'wikipedia' });
  late.move('Mxa1');
  const text = toPgn(late);
  assert.match(text, /\[Ruleset "wikipedia"\]/);
  const [game] = parsePgn(text);
  assert.deepEqual([game.ruleset, game.fen, game.moves[0].uci], ['wikipedia', late.startFen(), 'b2a1']);
});

test('tags of any name and value', () => {
  const headers = { Round: 1, White: 'x', Black: undefined, Site: null };
  const [game] = parsePgn(toPgn({ moves: [] }, { headers }));
  const { Round, White, Black, Site } = game.headers;
  assert.deepEqual([Round, White, Black, Site], ['1', 'x', '?', '?']);
  const [odd] = parsePgn('[__proto__ "y"]\n[White "x"]\n\n*');
  assert.deepEqual(Object.entries(odd.headers), [
    ['__proto__', 'y'],
    ['White', 'x'],
  ]);
  assert.match(toPgn(odd), /\[__proto__ "y"\]/);
});

test('PGN keeps rules, start and decisions', () => {
  const again = (board) => {
    const [game] = parsePgn(toPgn(board), { ruleset: 'none' });
    const { fen, variant, ruleset, parts } = game;
    const copy = new Board(fen, { variant, ruleset, parts });
    const decide = (comments) => {
      for (const [, word] of comments.join(' ').matchAll(/\[%count (\w+)\]/g)) {
        ({ start: () => copy.startCount(), stop: () => copy.stopCount(), claim: () => copy.claimDraw() })[word]();
      }
    };
    decide(game.comments);
    for (const { uci, comments } of game.moves) {
      copy.push(uci);
      decide(comments);
    }
    assert.deepEqual(
      [copy.fen({ promoted: true }), copy.uciWords(), copy.startFen(), copy.count(), copy.outcome(), copy.dests()],
      [
        board.fen({ promoted: true }),
        board.uciWords(),
        board.startFen(),
        board.count(),
        board.outcome(),
        board.dests(),
      ],
    );
    assert.equal(toPgn(game), toPgn(board));
    return game;
  };
  const parts = { CountClaim: 'manual', SutMet: 'on' };
  const board = new Board('7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30', { ruleset: 'schemingmind', parts });
  board.push('b1b2');
  board.claimDraw();
  const game = again(board);
  assert.deepEqual([game.ruleset, game.parts, game.result], ['schemingmind', parts, '1/2-1/2']);
  const started = new Board('3k4/8/8/8/8/8/4RM2/3K2m1 b - - 0 60', { ruleset: 'wikipedia' });
  started.startCount();
  again(started);
  for (const move of ['d8c8', 'd1c1']) {
    started.push(move);
  }
  started.stopCount();
  started.startCount();
  again(started);
  // A count by hand that runs when a piece is put on the board belongs to the start from then on.
  started.put({ type: 'n', color: 'w' }, 'a8');
  again(started);
  // Readers assume the standard array.
  again(new Board(null, { ruleset: 'chessvariants' }));
  again(new Board(null, { parts: { StartArray: 'mirrored', TakhaengRueaWhite: 'a', SutMa: 'on' } }));
  assert.throws(() => parsePgn('[RuleParts "Repetition=twice"]\n\n*'), /RuleParts tag/);
});

test('PGN keeps what was done about the count', () => {
  const fen = '1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60';
  const board = new Board(fen, { ruleset: 'wikipedia' });
  assert.throws(() => board.claimDraw(), CountError);
  assert.deepEqual(board.uciWords(), []);
  board.stopCount();
  const copy = board.clone();
  board.push('g3a3');
  assert.deepEqual([board.startFen(), board.uciWords()], [fen, ['count-stop', 'g3a3']]);
  assert.match(toPgn(board), /\{\[%count stop\]\} 60\.\.\. Ra3# 0-1/);
  const [game] = parsePgn(toPgn(board));
  assert.deepEqual([game.fen, game.result, game.comments], [fen, '0-1', ['[%count stop]']]);
  board.pop();
  assert.deepEqual([board.uciWords(), copy.uciWords(), copy.startFen()], [['count-stop'], ['count-stop'], fen]);
  // Later in the game it stands behind the last move, and goes with it.
  const late = new Board('1R6/2k5/K7/8/8/6r1/6R1/2N5 w - 128 19 60', { ruleset: 'wikipedia' });
  late.push('a6a7');
  late.stopCount();
  assert.match(toPgn(late), /60\. Ka7 \{\[%count stop\]\}/);
  late.pop();
  assert.deepEqual(late.uciWords(), []);
  copy.load(fen);
  assert.deepEqual(copy.uciWords(), []);
  const claim = new Board('7k/8/8/8/8/8/4R3/4K3 b - 32 33 80', { parts: { CountClaim: 'manual' } });
  claim.claimDraw();
  assert.deepEqual(claim.uciWords(), ['count-claim']);
  // A claim that was taken back does not hold in another line.
  const other = new Board('7k/8/8/8/8/8/4R3/4K3 b - 32 33 80', { parts: { CountClaim: 'manual' } });
  other.push('h8g8');
  other.push('e2e3');
  other.claimDraw();
  other.pop();
  other.push('e2e4');
  assert.equal(other.result(), '*');
});

test('a board knows its rules', () => {
  const parts = { SutMa: 'on' };
  const board = new Board(null, { parts });
  assert.deepEqual([board.parts, board.clone().parts, new Board().parts], [parts, parts, {}]);
});

test('a freed board refuses every call', () => {
  const board = new Board();
  const copy = board.clone();
  board.free();
  board.free();
  for (const action of [() => board.fen(), () => board.push('e3e4'), () => board.legalMoves(), () => board.clone()]) {
    const error = thrown(action);
    assert.ok(error instanceof StateError);
    assert.equal(error.code, 'state.freed');
  }
  assert.equal(copy.fen(), START_FEN);
  copy[Symbol.dispose]();
  assert.equal(thrown(() => copy.fen()).code, 'state.freed');
});

/** What a program prints that makes boards and drops them; `memory` is the memory of the WebAssembly. */
function dropped(program) {
  const source = `
    import { setFlagsFromString } from 'node:v8';
    import { runInNewContext } from 'node:vm';
    let memory;
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(Instance, args) {
        const instance = new Instance(...args);
        memory = instance.exports.memory;
        return instance;
      },
    });
    const { Board } = await import('sakmak/rules');
    const drop = async (boards, collect = () => {}) => {
      for (let made = 1; made <= boards; made++) {
        new Board();
        if (made % 1000 === 0) {
          collect();
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      return memory.buffer.byteLength;
    };
    ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

test('the memory of dropped boards is used again', () => {
  const [before, after] = dropped(`
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    console.log(JSON.stringify([await drop(20_000, gc), await drop(100_000, gc)]));`);
  // The collector's tasks may come a step later; 80,000 boards would take much more.
  assert.ok(after <= before + (1 << 20), `${before}, then ${after} bytes`);
});

test('CommonJS and ESM share their classes', () => {
  const cjs = createRequire(import.meta.url)('sakmak/rules');
  assert.equal(cjs.Board, Board);
  assert.deepEqual(
    Object.keys(cjs)
      .filter((name) => name !== 'default')
      .sort(),
    Object.keys(sakmak).sort(),
  );
});
