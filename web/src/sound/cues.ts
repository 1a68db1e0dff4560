// Which sounds belong to a move, and which number is spoken with it.
import type { LegalMove, PositionView } from '../rules/types';

/** What can be heard: `turn` is a bia that is turned over, `count` a count that begins, `late` one of its last moves. */
export type Cue = 'move' | 'capture' | 'turn' | 'check' | 'count' | 'late' | 'end';

/** So many moves before its end a count is heard to run out. */
export const LATE_MOVES = 5;

type Before = Pick<PositionView, 'count' | 'turn'>;
type After = Pick<PositionView, 'count' | 'check' | 'outcome'>;

/** The sounds of a move in their order; the first one is that of the piece. */
export function cuesOf(move: Pick<LegalMove, 'captured' | 'promotion'>, before: Before, after: After): Cue[] {
  const cues: Cue[] = [move.captured ? 'capture' : 'move'];
  if (move.promotion) {
    cues.push('turn');
  }
  if (after.outcome) {
    return [...cues, 'end'];
  }
  if (after.check) {
    cues.push('check');
  }
  if (hasBegun(before, after)) {
    cues.push('count');
  } else if (isCounted(before, after) && (after.count?.movesLeft ?? Number.POSITIVE_INFINITY) <= LATE_MOVES) {
    cues.push('late');
  }
  return cues;
}

/** The number that the side which moved speaks with its move; null if it does not count. */
export function spokenNumber(before: Before, after: After): number | null {
  const { count } = after;
  // Fifty moves of chess are not counted aloud.
  if (!count || count.limit === null || count.honour === 'fifty-moves') {
    return null;
  }
  return isCounted(before, after) ? count.number : null;
}

/** Whether another count runs than before. */
function hasBegun({ count: old }: Before, { count }: After): boolean {
  return (
    count !== null && count.honour !== 'fifty-moves' && (old?.honour !== count.honour || old.limit !== count.limit)
  );
}

/** Whether the side that moved has counted with its move. */
function isCounted({ count: old, turn }: Before, { count }: After): boolean {
  if (!count || count.ply === old?.ply) {
    return false;
  }
  return count.counter === null ? count.number !== old?.number : count.counter === turn;
}
