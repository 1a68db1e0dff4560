// Squares and their places on the board.

export const FILES = 'abcdefgh';
const THAI_FILES = 'กขคงจฉชญ';
const THAI_DIGITS = '๐๑๒๓๔๕๖๗๘๙';

/** All squares from a1, b1 to h8. */
export const SQUARES = Array.from({ length: 64 }, (_, at) => `${FILES[at % 8]}${Math.floor(at / 8) + 1}`);

/** Column and row on the screen, from the upper left. */
export function place(square: string, flipped: boolean): { x: number; y: number } {
  const file = FILES.indexOf(square[0] ?? 'a');
  const rank = Number(square[1]) - 1;
  return flipped ? { x: 7 - file, y: rank } : { x: file, y: 7 - rank };
}

/** The square at a column and row; null outside. */
export function squareAt(x: number, y: number, flipped: boolean): string | null {
  if (x < 0 || x > 7 || y < 0 || y > 7) {
    return null;
  }
  const [file, rank] = flipped ? [7 - x, y] : [x, 7 - y];
  return `${FILES[file]}${rank + 1}`;
}

export function fileName(file: number, thai: boolean): string {
  return (thai ? THAI_FILES : FILES)[file] ?? '';
}

export function rankName(rank: number, thai: boolean): string {
  return thai ? (THAI_DIGITS[rank + 1] ?? '') : String(rank + 1);
}

/** The letter on a square of a board string; null if it is empty. */
export function pieceOn(board: string, square: string): string | null {
  const at = (Number(square[1]) - 1) * 8 + FILES.indexOf(square[0] ?? '');
  const letter = board[at];
  return letter && letter !== '.' ? letter : null;
}

/** The board string with promoted bia as `O` and `o`. */
export function withPromoted(board: string, promoted: string[]): string {
  if (promoted.length === 0) {
    return board;
  }
  const letters = [...board];
  for (const square of promoted) {
    const at = SQUARES.indexOf(square);
    letters[at] = letters[at] === 'M' ? 'O' : 'o';
  }
  return letters.join('');
}
