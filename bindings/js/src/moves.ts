import { ArgumentError } from './errors.js';
import type { Square } from './types.js';

/** A text, or an error that names what should be one. */
export function asText(value: unknown, what: string): string {
  if (typeof value !== 'string') {
    throw new ArgumentError('argument.type', `${what} must be a text, not ${value === null ? 'null' : typeof value}`);
  }
  return value;
}

/** The squares in the order of their indices. */
export const SQUARES: readonly Square[] = Array.from(
  { length: 64 },
  (_, index) => `${'abcdefgh'[index & 7]}${(index >> 3) + 1}` as Square,
);

/** From-square, to-square and the mark of a promotion. */
const NAMED_BITS = 0x1fff;
const PROMOTION = 1 << 12;
const NAMES: (string | undefined)[] = new Array(NAMED_BITS + 1).fill(undefined);

/** The coordinates of a move given by its 16 bits. */
export function moveName(bits: number): string {
  const named = bits & NAMED_BITS;
  const known = NAMES[named];
  if (known !== undefined) {
    return known;
  }
  const name = `${SQUARES[bits & 63]}${SQUARES[(bits >> 6) & 63]}${bits & PROMOTION ? 'm' : ''}`;
  NAMES[named] = name;
  return name;
}

/** The bits of a move in coordinates; 0 if the text is none. */
export function moveBits(text: string): number {
  if (typeof text !== 'string' || (text.length !== 4 && text.length !== 5)) {
    return 0;
  }
  const fromFile = text.charCodeAt(0) - 97;
  const fromRank = text.charCodeAt(1) - 49;
  const toFile = text.charCodeAt(2) - 97;
  const toRank = text.charCodeAt(3) - 49;
  if ((fromFile | fromRank | toFile | toRank) & ~7) {
    return 0;
  }
  const bits = fromFile | (fromRank << 3) | (toFile << 6) | (toRank << 9);
  if (((bits ^ (bits >> 6)) & 63) === 0) {
    return 0;
  }
  if (text.length === 4) {
    return bits;
  }
  const letter = text.charCodeAt(4) | 32;
  return letter === 109 ? bits | PROMOTION : 0;
}

/** The index of a square, a1 = 0. */
export function squareIndex(square: string): number {
  const text = asText(square, 'a square');
  const file = text.charCodeAt(0) - 97;
  const rank = text.charCodeAt(1) - 49;
  if (text.length !== 2 || (file | rank) & ~7) {
    throw new ArgumentError('argument.square', `'${text}' is no square`, { text });
  }
  return file | (rank << 3);
}

/** The squares of a set of 64 bits. */
export function squaresOf(set: bigint): Square[] {
  return SQUARES.filter((_, index) => (set >> BigInt(index)) & 1n);
}
