// Calls per second of sakmak/rules, sakmak/ffish and the real ffish-es6, call by call.
//
//   node compare/speed.mjs [SECONDS]
//
// Each call is timed in rounds, the three libraries in turn, and the best round counts. Exit status 1 if a call of the
// shim is slower than its original.
import * as shim from 'sakmak/ffish';
import { Board } from 'sakmak/rules';
import { loadFfish } from './peers.mjs';
import { randomNumbers } from './positions.mjs';

const seconds = Number(process.argv[2] ?? 0.2);
const ROUNDS = 5;
const ffish = await loadFfish();
const GAMES = 8;

/** Games of 60 plies, as UCI moves. */
function games(variant) {
  const random = randomNumbers(7);
  return Array.from({ length: GAMES }, () => {
    const board = new Board(null, { variant });
    for (let ply = 0; ply < 60 && board.hasLegalMove(); ply++) {
      const moves = board.legalMoves();
      board.push(moves[random(moves.length)]);
    }
    return board.history({ notation: 'uci' });
  });
}

/** Calls per second of `call`, which makes `calls` of them. */
function rate(call, calls) {
  let best = 0;
  const until = performance.now() + seconds * 1000;
  let rounds = 0;
  while (rounds < ROUNDS || performance.now() < until) {
    const begin = performance.now();
    call();
    best = Math.max(best, (1000 * calls) / (performance.now() - begin));
    rounds += 1;
  }
  return best;
}

const libraries = {
  rules: (variant) => new Board(null, { variant }),
  shim: (variant) => new shim.Board(variant),
  ffish: (variant) => new ffish.Board(variant),
};

/** Boards after each second ply of the games. */
function boards(make, variant) {
  const list = [];
  for (const game of games(variant)) {
    for (let length = 0; length < game.length; length += 6) {
      const board = make(variant);
      for (const move of game.slice(0, length)) {
        board.push(move);
      }
      list.push(board);
    }
  }
  return list;
}

/** Each call: for a board of the rules and for one with ffish's names. */
const CALLS = {
  'legal moves': [(board) => board.legalMoves(), (board) => board.legalMoves().split(' ')],
  'legal moves as text': [null, (board) => board.legalMoves()],
  'SAN of all moves': [(board) => board.moves(), (board) => board.legalMovesSan()],
  'number of moves': [(board) => board.legalMoveCount(), (board) => board.numberLegalMoves()],
  'SAN of a move': [(board, move) => board.san(move), (board, move) => board.sanMove(move)],
  'Thai SAN of a move': [
    (board, move) => board.san(move, { notation: 'thai-san' }),
    (board, move, names) => board.sanMove(move, names.Notation.THAI_SAN),
  ],
  'push and pop': [
    (board, move) => {
      board.push(move);
      board.pop();
    },
    (board, move) => {
      board.push(move);
      board.pop();
    },
  ],
  'push SAN and pop': [
    (board, _move, _names, san) => {
      board.move(san);
      board.pop();
    },
    (board, _move, _names, san) => {
      board.pushSan(san);
      board.pop();
    },
  ],
  FEN: [(board) => board.fen(), (board) => board.fen()],
  'FEN with promoted': [(board) => board.fen({ promoted: true }), (board) => board.fen(true)],
  check: [(board) => board.isCheck(), (board) => board.isCheck()],
  turn: [(board) => board.turn(), (board) => board.turn()],
  capture: [(board, move) => board.isCapture(move), (board, move) => board.isCapture(move)],
  'game over': [(board) => board.isGameOver(), (board) => board.isGameOver(true)],
  result: [(board) => board.result(), (board) => board.result(true)],
  'move stack': [(board) => board.history({ notation: 'uci' }), (board) => board.moveStack()],
  'targets by square': [(board) => board.dests(), null],
};

/** Calls without a board. */
function makeCalls(variant, fen) {
  return {
    'new board and free': [() => new Board(null, { variant }).free(), (library) => new library.Board(variant).delete()],
    'board from FEN and free': [
      () => new Board(fen, { variant }).free(),
      (library) => new library.Board(variant, fen).delete(),
    ],
  };
}

let slower = 0;
function report(name, rates) {
  const [rules, compared, real] = rates;
  const text = (value) => (value ? Math.round(value).toLocaleString('en').padStart(12) : ''.padStart(12));
  const times = (value) => (value && real ? `${(value / real).toFixed(1).padStart(6)}x` : ''.padStart(7));
  slower += compared && real && compared < real ? 1 : 0;
  console.log(name.padEnd(24) + text(rules) + times(rules) + text(compared) + times(compared) + text(real));
}

console.log(
  `${'calls per second'.padEnd(24)}${'rules'.padStart(12)}${''.padStart(7)}${'shim'.padStart(12)}${''.padStart(7)}${'ffish'.padStart(12)}`,
);
for (const variant of ['makruk', 'cambodian']) {
  console.log(variant);
  const sets = Object.fromEntries(Object.entries(libraries).map(([name, make]) => [name, boards(make, variant)]));
  const moves = sets.rules.map((board) => board.legalMoves().at(-1));
  const names = moves.map((move, index) => sets.rules[index].san(move));
  const keep = [];
  for (const [name, [own, theirs]] of Object.entries(CALLS)) {
    const timed = Object.entries(sets).map(([library, set]) => {
      const call = library === 'rules' ? own : theirs;
      const module = library === 'ffish' ? ffish : shim;
      if (call === null) {
        return 0;
      }
      return rate(() => {
        for (const [index, board] of set.entries()) {
          keep[0] = call(board, moves[index], module, names[index]);
        }
      }, set.length);
    });
    report(name, timed);
  }
  const fen = sets.rules.at(-1).fen();
  for (const [name, [own, theirs]] of Object.entries(makeCalls(variant, fen))) {
    const repeat = (call) => () => {
      for (let count = 0; count < 100; count++) {
        call();
      }
    };
    const timed = [own, () => theirs(shim), () => theirs(ffish)].map((call) => rate(repeat(call), 100));
    report(name, timed);
  }
}
console.log(slower === 0 ? 'no call of the shim is slower' : `${slower} calls of the shim are slower`);
process.exitCode = slower === 0 ? 0 : 1;
