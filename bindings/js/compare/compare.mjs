// Compares sakmak/rules and sakmak/ffish with the real ffish-es6 on random games of Makruk and Ouk Chaktrang.
//
//   node compare.mjs [POSITIONS [SEED]]
//
// Every difference is counted. Those that docs/packages.md argues have a name in `EXPECTED`; any other one fails.
import * as shim from 'sakmak/ffish';
import { Board, validateFen } from 'sakmak/rules';
import { loadFfish } from './peers.mjs';
import { randomEnding, randomMove, randomNumbers } from './positions.mjs';
import { FAULTS, LET_PASS_BY_FFISH, REFUSED_BY_FFISH } from './wrong.mjs';

const positions = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 1);
const LONGEST = 300;
const VARIANTS = ['makruk', 'cambodian'];

const ffish = await loadFfish();

/** The names of differences that are argued in docs/packages.md. */
const EXPECTED = [
  'Thai promotion letter',
  'countStarted against a bare khun of Ouk Chaktrang',
  'validateFen of what ffish lets pass',
  'validateFen of blanks and digits',
];
const found = new Map();
let compared = 0;

function differ(name, fen, ours, theirs) {
  const entry = found.get(name) ?? { count: 0, example: `${fen}: ours ${ours}, ffish ${theirs}` };
  entry.count += 1;
  found.set(name, entry);
}

/** Compares values that must be equal. */
function same(name, fen, ours, theirs) {
  compared += 1;
  if (ours !== theirs) {
    differ(name, fen, ours, theirs);
  }
}

/** SAN in a notation of all moves, compared one by one. */
function compareNames(board, shimBoard, real, fen, moves) {
  for (const move of moves) {
    const san = real.sanMove(move);
    same('SAN', fen, board.san(move), san);
    same('SAN of the shim', fen, shimBoard.sanMove(move), san);
    same('LAN', fen, board.san(move, { notation: 'lan' }), real.sanMove(move, ffish.Notation.LAN));
    const thai = board.san(move, { notation: 'thai-san' });
    const theirs = real.sanMove(move, ffish.Notation.THAI_SAN);
    same(thai.replace('=ง', '=M') === theirs ? 'Thai promotion letter' : 'Thai SAN', fen, thai, theirs);
    same('SAN read again', fen, board.uci(san), move);
    same('capture', fen, board.isCapture(move), real.isCapture(move));
  }
}

/** Everything about a position but the names of its moves. */
function compareState(board, shimBoard, real, fen) {
  for (const [name, ours] of [
    ['rules', board],
    ['shim', shimBoard],
  ]) {
    same(`FEN (${name})`, fen, ours.fen(), fen);
    same(`check (${name})`, fen, ours.isCheck(), real.isCheck());
    same(`insufficient material (${name})`, fen, ours.isInsufficientMaterial(), real.isInsufficientMaterial());
  }
  same('turn', fen, shimBoard.turn(), real.turn());
  same('turn (rules)', fen, board.turn() === 'w', real.turn());
  same('checked pieces', fen, shimBoard.checkedPieces(), real.checkedPieces());
  same('numberLegalMoves', fen, shimBoard.numberLegalMoves(), real.numberLegalMoves());
  same('fullmoveNumber', fen, shimBoard.fullmoveNumber(), real.fullmoveNumber());
  same('halfmoveClock', fen, shimBoard.halfmoveClock(), real.halfmoveClock());
  same('gamePly', fen, shimBoard.gamePly(), real.gamePly());
  same('toString', fen, shimBoard.toString(), real.toString());
  same('FEN with promoted', fen, shimBoard.fen(true), real.fen(true));
  const since = 1 + (shimBoard.gamePly() >> 1);
  const isBare = shimBoard.variant() === 'cambodian' && (board.isBare('w') || board.isBare('b'));
  const name = isBare ? 'countStarted against a bare khun of Ouk Chaktrang' : 'FEN with countStarted';
  same(name, fen, shimBoard.fen(false, since), real.fen(false, since));
  same('FEN with countStarted -1', fen, shimBoard.fen(false, -1), real.fen(false, -1));
  for (const side of [true, false]) {
    same('hasInsufficientMaterial', fen, shimBoard.hasInsufficientMaterial(side), real.hasInsufficientMaterial(side));
    same(`isGameOver(${side})`, fen, shimBoard.isGameOver(side), real.isGameOver(side));
    same(`result(${side})`, fen, shimBoard.result(side), real.result(side));
  }
  // The board itself ends a game by the count and by repetition, as ffish does on a claim, but not by material.
  if (!real.isInsufficientMaterial()) {
    same('isGameOver (rules)', fen, board.isGameOver(), real.isGameOver(true));
    same('result (rules)', fen, board.result(), real.result(true));
  }
  compareCodes('validateFen', fen, shimBoard.variant());
}

/** The codes of a FEN. */
function compareCodes(name, fen, variant) {
  same(name, fen, shim.validateFen(fen, variant), ffish.validateFen(fen, variant));
}

/** Compares a game from a FEN, or from the start position. Returns the number of its positions. */
function compareGame(variant, fen, random, limit) {
  const board = new Board(fen, { variant });
  const shimBoard = new shim.Board(variant, fen ?? undefined);
  const real = fen === null ? new ffish.Board(variant) : new ffish.Board(variant, fen);
  let plies = 0;
  for (; plies < limit; plies++) {
    const here = real.fen();
    const theirs = real.legalMoves().split(' ').filter(Boolean);
    const sorted = [...theirs].sort().join(' ');
    same('legal moves', here, board.legalMoves().sort().join(' '), sorted);
    same('legal moves of the shim', here, shimBoard.legalMoves().split(' ').filter(Boolean).sort().join(' '), sorted);
    const names = real.legalMovesSan().split(' ').filter(Boolean).sort().join(' ');
    same('SAN of all moves', here, board.moves().sort().join(' '), names);
    same(
      'SAN of all moves of the shim',
      here,
      shimBoard.legalMovesSan().split(' ').filter(Boolean).sort().join(' '),
      names,
    );
    compareNames(board, shimBoard, real, here, theirs);
    compareState(board, shimBoard, real, here);
    if (theirs.length === 0) {
      plies += 1;
      break;
    }
    const move = randomMove(random, theirs, (one) => real.isCapture(one));
    const line = `${move}`;
    same('variationSan', here, shimBoard.variationSan(line), real.variationSan(line));
    board.push(move);
    same('push', here, shimBoard.push(move), real.push(move));
    if (random(8) === 0) {
      board.pop();
      shimBoard.pop();
      real.pop();
      same('FEN after pop', here, board.fen(), real.fen());
      board.move(shimBoard.sanMove(move));
      same('pushSan', here, shimBoard.pushSan(real.sanMove(move)), real.pushSan(real.sanMove(move)));
    }
  }
  same('moveStack', fen, shimBoard.moveStack(), real.moveStack());
  board.free();
  shimBoard.delete();
  real.delete();
  return plies;
}

for (const variant of VARIANTS) {
  // ffish knows the pieces of a variant only once there was a board of it.
  new ffish.Board(variant).delete();
  for (const fen of FAULTS) {
    compareCodes('validateFen of a wrong FEN', fen, variant);
  }
  for (const fen of LET_PASS_BY_FFISH) {
    compareCodes('validateFen of what ffish lets pass', fen, variant);
  }
  for (const fen of REFUSED_BY_FFISH) {
    compareCodes('validateFen of blanks and digits', fen, variant);
  }
  const random = randomNumbers(seed);
  let left = positions;
  for (let game = 0; left > 0; game++) {
    // Every second game begins with few pieces, where the counts are.
    const isValid = (fen) => validateFen(fen, { variant }).ok;
    const fen = game % 2 === 0 ? null : randomEnding(random, isValid);
    left -= compareGame(variant, fen, random, Math.min(left, LONGEST));
  }
}

console.log(`${VARIANTS.length} x ${positions} positions, ${compared} comparisons`);
let failed = false;
for (const [name, { count, example }] of found) {
  const isExpected = EXPECTED.includes(name);
  failed ||= !isExpected;
  console.log(`${isExpected ? 'expected' : 'UNEXPECTED'} difference in ${name}: ${count} times, first at ${example}`);
}
process.exitCode = failed ? 1 : 0;
