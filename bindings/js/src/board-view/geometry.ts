// Squares, their places on the screen, FENs, and where a piece could go.
import { ArgumentError, FenError } from '../errors.js';
import type { Figure, Piece, PieceType, Side, Square } from './types.js';

const FILES = 'abcdefgh';

/** A piece as a letter: a capital for White, `O` and `o` for a promoted bia. */
export type Code = string;

/** The squares from a1, b1 to h8. */
export const SQUARES = Array.from({ length: 64 }, (_, at) => `${FILES[at % 8]}${(at >> 3) + 1}` as Square);

const KNOWN = new Set<string>(SQUARES);

/** The name of a square, checked. */
export function toSquare(name: string): Square {
  if (!KNOWN.has(name)) {
    throw new ArgumentError('argument.square', `there is no square '${name}'`, { square: String(name) });
  }
  return name as Square;
}

export const fileOf = (square: Square): number => FILES.indexOf(square[0] as string);
export const rankOf = (square: Square): number => Number(square[1]) - 1;

/** Column and row on the screen, from the upper left. */
export function place(square: Square, orientation: Side): { x: number; y: number } {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return orientation === 'white' ? { x: file, y: 7 - rank } : { x: 7 - file, y: rank };
}

/** The square at a column and row of the screen; `null` outside. */
export function squareAt(x: number, y: number, orientation: Side): Square | null {
  const [file, rank] = orientation === 'white' ? [x, 7 - y] : [7 - x, y];
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? (SQUARES[rank * 8 + file] as Square) : null;
}

export const sideOf = (code: Code): Side => (code < 'a' ? 'white' : 'black');
export const figureOf = (code: Code): Figure => code.toLowerCase() as Figure;
export const otherSide = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export function toCode({ type, color, promoted }: Piece): Code {
  if (!/^[kmsnrp]$/.test(type) || !/^[wb]$/.test(color)) {
    throw new ArgumentError('argument.piece', 'a piece has a type of k m s n r p and a color w or b');
  }
  const letter = promoted && type === 'm' ? 'o' : type;
  return color === 'w' ? letter.toUpperCase() : letter;
}

export function toPiece(code: Code): Piece {
  const figure = figureOf(code);
  const piece: Piece = { type: (figure === 'o' ? 'm' : figure) as PieceType, color: code < 'a' ? 'w' : 'b' };
  return figure === 'o' ? { ...piece, promoted: true } : piece;
}

/** The pieces of a FEN, and the side to move if it names one. */
export function readFen(fen: string): { pieces: Map<Square, Code>; turn: Side | null } {
  const [board = '', turn] = fen.trim().split(/[\s_]+/);
  const wrong = () => new FenError('fen.board', `the board of the FEN '${fen}' is wrong`, { field: 'board', fen });
  const pieces = new Map<Square, Code>();
  const ranks = board.split('/');
  if (ranks.length !== 8) {
    throw wrong();
  }
  for (const [row, text] of ranks.entries()) {
    let file = 0;
    for (const token of text.match(/[mM]~|[\s\S]/g) ?? []) {
      if (/[1-8]/.test(token)) {
        file += Number(token);
      } else if (/^[kmsnrp]~?$/i.test(token) && file < 8) {
        pieces.set(SQUARES[(7 - row) * 8 + file] as Square, token[1] ? (token[0] === 'M' ? 'O' : 'o') : token);
        file++;
      } else {
        throw wrong();
      }
    }
    if (file !== 8) {
      throw wrong();
    }
  }
  return { pieces, turn: turn === 'w' ? 'white' : turn === 'b' ? 'black' : null };
}

/** The board part of a FEN. */
export function writeFen(pieces: ReadonlyMap<Square, Code>): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    const row = SQUARES.slice(rank * 8, rank * 8 + 8).map((square) => pieces.get(square) ?? '.');
    const text = row.join('').replace(/O/g, 'M~').replace(/o/g, 'm~');
    ranks.push(text.replace(/\.+/g, (empty) => String(empty.length)));
  }
  return ranks.join('/');
}

/** Whether a bia that arrives on a square is turned over: on the sixth rank as its side sees it. */
export function promotesOn(code: Code, square: Square): boolean {
  return figureOf(code) === 'p' && rankOf(square) === (code === 'P' ? 5 : 2);
}

/** The squares that a piece could reach on some board: for premoves. */
export function reachable(code: Code, from: Square): Square[] {
  const forward = sideOf(code) === 'white' ? 1 : -1;
  const goes = (dx: number, dy: number): boolean => {
    const [x, y] = [Math.abs(dx), Math.abs(dy)];
    switch (figureOf(code)) {
      case 'k':
        return x < 2 && y < 2;
      case 'm':
      case 'o':
        return x === 1 && y === 1;
      case 's':
        return (x === 1 && y === 1) || (x === 0 && dy === forward);
      case 'n':
        return x * y === 2;
      case 'r':
        return x === 0 || y === 0;
      default:
        return x < 2 && dy === forward;
    }
  };
  const [file, rank] = [fileOf(from), rankOf(from)];
  return SQUARES.filter((to) => to !== from && goes(fileOf(to) - file, rankOf(to) - rank));
}
