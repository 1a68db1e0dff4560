// Which piece went where between two positions, so that pieces glide instead of jumping.
import { type Code, fileOf, rankOf, sideOf } from './geometry.js';
import type { Square } from './types.js';

/** A piece with its node, the same as long as it stands on the board. */
export interface Man {
  square: Square;
  code: Code;
}

const distance = (a: Square, b: Square) => Math.hypot(fileOf(a) - fileOf(b), rankOf(a) - rankOf(b));

/**
 * The man of `men` that stands on each square of `pieces` now; `null` for a new one. The piece that `lastMove` names may
 * have been promoted on its way; others go to the nearest square with their letter.
 */
export function follow<M extends Man>(
  men: ReadonlyMap<Square, M>,
  pieces: ReadonlyMap<Square, Code>,
  lastMove: readonly Square[],
): Map<Square, M | null> {
  const free = new Map(men);
  const result = new Map<Square, M | null>();
  const open: Square[] = [];
  for (const [square, code] of pieces) {
    const same = men.get(square);
    if (same?.code === code) {
      free.delete(square);
      result.set(square, same);
    } else {
      open.push(square);
    }
  }
  const [from, to] = lastMove;
  for (const square of open.sort((a, b) => Number(b === to) - Number(a === to))) {
    const code = pieces.get(square) as Code;
    const mover = square === to && from ? free.get(from) : undefined;
    let found = mover && sideOf(mover.code) === sideOf(code) ? mover : undefined;
    for (const man of found ? [] : free.values()) {
      if (man.code === code && (!found || distance(man.square, square) < distance(found.square, square))) {
        found = man;
      }
    }
    if (found) {
      free.delete(found.square);
    }
    result.set(square, found ?? null);
  }
  return result;
}
