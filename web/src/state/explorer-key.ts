// The key of a position, by which the book finds it: the number that the program calls `moves_key`, for Makruk.

const LETTERS = 'pmsnrkPMSNRK';
const MASK = 0xffff_ffff_ffff_ffffn;
const BLACK_TO_MOVE = 8_000n;

/** The output of SplitMix64 at a place of its sequence: the program's numbers come from there. */
function splitmix64(place: bigint): bigint {
  let z = (place * 0x9e37_79b9_7f4a_7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
  return z ^ (z >> 31n);
}

/** The numbers of the pieces on their squares: White's bia, met, khon, maa, rua and khun, then Black's. */
let pieces: bigint[] | null = null;

function pieceKey(letter: string, square: number): bigint {
  const at = LETTERS.indexOf(letter);
  if (at < 0) {
    return 0n;
  }
  pieces ??= Array.from({ length: 768 }, (_, place) => splitmix64(BigInt(place + 1)));
  return pieces[((at + 6) % 12) * 64 + square] ?? 0n;
}

/** The key of a board, as `PositionView` has it, and the side to move. */
export function keyOfBoard(board: string, turn: 'w' | 'b'): bigint {
  let key = turn === 'b' ? splitmix64(BLACK_TO_MOVE) : 0n;
  for (let square = 0; square < 64; square++) {
    key ^= pieceKey(board[square] ?? '.', square);
  }
  return key;
}

export const keyText = (key: bigint): string => key.toString(16).padStart(16, '0');

function squareOf(text: string): number {
  return text.charCodeAt(0) - 97 + 8 * (text.charCodeAt(1) - 49);
}

/** The board after a move in coordinates, which must be legal. No move of Makruk moves a second piece. */
export function boardAfter(board: string, uci: string): string {
  const squares = [...board];
  const from = squareOf(uci);
  const piece = squares[from] ?? '.';
  squares[from] = '.';
  squares[squareOf(uci.slice(2))] = uci.length > 4 ? (piece === 'P' ? 'M' : 'm') : piece;
  return squares.join('');
}

/**
 * The board of a FEN; null if its rules or its count make it a position that no book has: pieces with a first move of
 * their own, or a running count.
 */
export function boardOfFen(fen: string): { board: string; turn: 'w' | 'b' } | null {
  const [rows = '', turn, rights, limit] = fen.split(' ');
  const board = rows
    .replaceAll('~', '')
    .split('/')
    .reverse()
    .map((row) => row.replace(/\d/g, (digit) => '.'.repeat(Number(digit))))
    .join('');
  const isPlain = (rights ?? '-') === '-' && (limit ?? '-') === '-';
  return board.length === 64 && isPlain ? { board, turn: turn === 'b' ? 'b' : 'w' } : null;
}
