// Squares and their places on the board, and boards as texts.
import type { Piece } from 'sakmak/board';

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

export function fileName(file: number, thai: boolean): string {
  return (thai ? THAI_FILES : FILES)[file] ?? '';
}

export function rankName(rank: number, thai: boolean): string {
  return thai ? (THAI_DIGITS[rank + 1] ?? '') : String(rank + 1);
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

/** The piece of a letter of a board string. */
export function pieceOf(letter: string): Piece {
  const small = letter.toLowerCase();
  const color = letter === small ? 'b' : 'w';
  return small === 'o' ? { type: 'm', color, promoted: true } : { type: small as Piece['type'], color };
}

/** The letter of a piece in a board string; null for none. */
export function letterOf(piece: Piece | undefined): string | null {
  if (!piece) {
    return null;
  }
  const letter = piece.promoted ? 'o' : piece.type;
  return piece.color === 'w' ? letter.toUpperCase() : letter;
}

/** The board string of a FEN. */
export function lettersOf(fen: string): string {
  const ranks = (fen.split(' ')[0] ?? '')
    .split('/')
    .map((rank) =>
      rank
        .replace(/\d/g, (empty) => '.'.repeat(Number(empty)))
        .replace(/([a-z])~/gi, (_, letter: string) => (letter < 'a' ? 'O' : 'o')),
    );
  return ranks.reverse().join('');
}
