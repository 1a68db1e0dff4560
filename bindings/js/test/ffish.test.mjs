import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Module, * as ffish from 'sakmak/ffish';
import { FenError, RulesError, START_FEN, StateError } from 'sakmak/rules';

test('the factory works with and without new', async () => {
  let told;
  const first = await new Module({ onRuntimeInitialized: (module) => (told = module) });
  const second = await Module();
  assert.equal(told, first);
  assert.equal(first.Board, second.Board);
  assert.equal(first.variants(), 'cambodian makpong makruk');
  assert.equal(first.startingFen('makruk'), START_FEN);
  assert.equal(first.capturesToHand('makruk'), false);
  const asked = [];
  await Module({ locateFile: (...names) => asked.push(names) });
  assert.deepEqual(asked, [['rules.wasm', fileURLToPath(new URL('../dist/', import.meta.url))]]);
});

test('a game by the names of ffish', () => {
  const board = new ffish.Board('makruk');
  assert.equal(board.legalMoves().split(' ').length, board.numberLegalMoves());
  assert.equal(board.push('e3e4'), true);
  assert.equal(board.push('e3e4'), false);
  assert.equal(board.push('nonsense'), false);
  assert.equal(board.pushSan('e5'), true);
  assert.equal(board.pushSan('e5'), false);
  assert.equal(board.moveStack(), 'e3e4 e6e5');
  assert.equal(board.sanMove('b1d2', ffish.Notation.THAI_SAN), 'ม-ง๒');
  assert.equal(board.sanMove('b1d3'), '');
  assert.equal(board.variationSan('b1d2 b8d7 g1e2'), '2. Nd2 Nd7 3. Ne2');
  assert.equal(board.variationSan('b1d2 b8d7', ffish.Notation.LAN, false), 'Nb1-d2 Nb8-d7');
  assert.equal(board.variationSan('b1d3'), '');
  assert.deepEqual([board.turn(), board.gamePly(), board.fullmoveNumber(), board.halfmoveClock()], [true, 2, 2, 0]);
  board.pushMoves('b1d2 b8d7');
  board.pushSanMoves('Ne2 Ne7');
  assert.equal(board.moveStack(), 'e3e4 e6e5 b1d2 b8d7 g1e2 g8e7');
  board.pop();
  board.reset();
  board.pop();
  assert.equal(board.fen(), START_FEN);
  assert.deepEqual(
    [board.is960(), board.isBikjang(), board.pocket(true), board.variant()],
    [false, false, '', 'makruk'],
  );
  assert.equal(board.toString().split('\n')[0], 'r n s m k s n r');
  assert.match(board.toVerboseString(), /Fen: rnsmksnr/);
  board.delete();
  assert.throws(() => board.fen(), StateError);
});

test('games end by themselves or on a claim', () => {
  const drawn = new ffish.Board('makruk', '4k3/8/8/8/8/8/4R3/4K3 b - 32 33 80');
  assert.deepEqual(
    [drawn.isGameOver(), drawn.isGameOver(true), drawn.result(), drawn.result(true)],
    [false, true, '*', '1/2-1/2'],
  );
  assert.equal(drawn.checkedPieces(), 'e8');
  const mate = new ffish.Board('makruk', 'R6k/8/6K1/8/8/8/8/8 b - 128 18 50');
  assert.deepEqual([mate.isGameOver(), mate.result()], [true, '1-0']);
  const board = new ffish.Board('makruk', '8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - 128 18 50');
  assert.equal(board.fen(true), '8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - 128 18 50');
  assert.equal(board.fen(false, 5), '8/6ks/3M2r1/2K1M3/8/3R4/8/8 w - 128 94 50');
});

test('FENs are checked, wrong ones and other games refused', () => {
  assert.equal(ffish.validateFen(START_FEN, 'makruk'), 1);
  for (const [fen, code] of [
    ['', 0],
    ['4k3/8/8/8/8/8/3M4/4K3 w - - 0 y', -1],
    ['4k3/8/8/8/8/8/3M4/4K3 w - - x 1', -2],
    ['8/8/8/8/8/8/4R3/4K3 w - - 0 1', -3],
    ['4k3/8/8/8/8/8/3M4/4K3 x - - 0 1', -6],
    ['4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1', -10],
    [`${START_FEN} 7`, -11],
    ['4k3/8/8/8/8/8/3M4/4K3 w - a5 0 1', -14],
    ['4k4/8/8/8/8/8/3M4/4K3 w - - 0 1', -8],
    [' ', -8],
    ['x', -10],
    ['4k3/9/8/8/8/8/3M4/4K3 w - - 0 1', -8],
    ['8/8/8/4k3/4K3/8/8/8 w - - 0 1', -9],
    ['4k3/8/8/8/8/8/4R3/4K3 w - - 0 1', -8],
  ]) {
    assert.equal(ffish.validateFen(fen, 'makruk'), code, fen);
  }
  assert.throws(() => new ffish.Board('makruk', 'nonsense'), FenError);
  assert.throws(() => new ffish.Board('chess'), RulesError);
});

test('the main line of a PGN game', () => {
  const game = ffish.readGamePGN('[Event "x"]\n[Variant "Makruk"]\n\n1. e4 e5 2. Nd2 {hi} (2. Ne2) *\n');
  assert.deepEqual(game.headerKeys().split(' ').sort(), ['Event', 'Variant']);
  assert.deepEqual([game.headers('Event'), game.headers('None'), game.headers('toString')], ['x', '', '']);
  assert.equal(game.mainlineMoves(), 'e3e4 e6e5 b1d2');
});
