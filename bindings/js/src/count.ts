import { COLORS } from './names.js';
import type { Color, Count } from './types.js';
import { numbers } from './wasm.js';

const HONOURS = ['board', 'pieces', 'fifty-moves'] as const;
/** Stands for a number that there is not. */
const NONE = 0xffff;

/** The count that was just written. */
export function readCount(length: number): Count | null {
  if (length === 0) {
    return null;
  }
  const [honour, counter, attacker, number, limit, left, ply, plyLimit] = numbers(length) as unknown as number[];
  const orNull = (value: number | undefined) => (value === NONE ? null : (value as number));
  return {
    honour: HONOURS[(honour as number) - 1] as Count['honour'],
    counter: COLORS[(counter as number) - 1] ?? null,
    attacker: COLORS[(attacker as number) - 1] as Color,
    number: number as number,
    limit: orNull(limit),
    movesLeft: orNull(left),
    ply: ply as number,
    plyLimit: orNull(plyLimit),
  };
}
