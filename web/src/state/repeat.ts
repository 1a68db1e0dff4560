// Spaced repetition: what was failed comes again after some days, each time after more of them.

/** Days until what was failed comes again; once it was right after each of them it is learnt. */
export const INTERVALS = [1, 3, 7, 21];

/** How many of `INTERVALS` have passed, and the day on which it comes again. */
export interface Repeat {
  stage: number;
  due: number;
}

/** What follows an attempt; null if it does not come again. `isRepeat` is an attempt that was due. */
export function repeatAfter(
  before: Repeat | null,
  { isRight, isRepeat, today }: { isRight: boolean; isRepeat: boolean; today: number },
): Repeat | null {
  if (!isRight) {
    return { stage: 0, due: today + (INTERVALS[0] ?? 1) };
  }
  if (!isRepeat || !before) {
    return before;
  }
  const stage = before.stage + 1;
  const days = INTERVALS[stage];
  return days === undefined ? null : { stage, due: today + days };
}
