// Random games, the same for every run.

/** A generator of numbers below `limit` (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const ENDING = ['r', 'r', 'n', 'n', 's', 's', 'm', 'm', 'm', 'p'];

/** The FEN of a random ending that passes `isValid`: two khuns and up to five pieces, so that counts run. */
export function randomEnding(random, isValid) {
  for (;;) {
    const board = new Array(64).fill('');
    const put = (letter) => {
      let square = random(64);
      while (board[square] !== '') {
        square = random(64);
      }
      board[square] = letter;
    };
    put('K');
    put('k');
    for (let pieces = random(6); pieces > 0; pieces--) {
      const letter = ENDING[random(ENDING.length)];
      put(random(4) > 0 ? letter.toUpperCase() : letter);
    }
    const ranks = [];
    for (let rank = 7; rank >= 0; rank--) {
      const squares = board.slice(8 * rank, 8 * rank + 8).map((letter) => letter || '.');
      ranks.push(squares.join('').replace(/\.+/g, (empty) => String(empty.length)));
    }
    const fen = `${ranks.join('/')} ${random(2) ? 'w' : 'b'} - - 0 ${1 + random(80)}`;
    if (isValid(fen)) {
      return fen;
    }
  }
}

/** A legal move: most often any, sometimes a capture, so that games come to their endings. */
export function randomMove(random, moves, isCapture) {
  const captures = random(3) === 0 ? moves.filter(isCapture) : [];
  const list = captures.length > 0 ? captures : moves;
  return list[random(list.length)];
}
