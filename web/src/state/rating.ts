// Ratings by Glicko-2 (Glickman, "Example of the Glicko-2 system", 2022).

export interface Rating {
  /** On the scale of Elo. */
  rating: number;
  /** Standard deviation of the rating. */
  deviation: number;
  /** How much the strength itself changes from one rating period to the next. */
  volatility: number;
}

/** A finished game or puzzle: rating and deviation of the opponent, and 1 for a win, 0.5 for a draw, 0 for a loss. */
export interface RatedResult {
  rating: number;
  deviation: number;
  score: number;
}

/** Of somebody without results. */
export const START: Rating = { rating: 1500, deviation: 350, volatility: 0.06 };

/** Elo per unit of Glicko-2's own scale. */
const SCALE = 173.7178;
/** How little the volatility changes. */
const TAU = 0.5;
/** Precision of the volatility's logarithm, and a cap on the steps until it is reached. */
const PRECISION = 1e-6;
const MOST_STEPS = 100;

/** The weight of a result against an opponent whose deviation is `phi`. */
const weight = (phi: number) => 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));

/** The expected score, from 0 to 1, against an opponent. */
export function expectedScore(own: { rating: number }, opponent: { rating: number; deviation: number }): number {
  const difference = (own.rating - opponent.rating) / SCALE;
  return 1 / (1 + Math.exp(-weight(opponent.deviation / SCALE) * difference));
}

/** The rating after the results of one rating period. Without results only the deviation grows. */
export function rated(before: Rating, results: readonly RatedResult[]): Rating {
  const phi = before.deviation / SCALE;
  // Sums over the results: information about the rating, and score above the expectation.
  let information = 0;
  let surplus = 0;
  for (const result of results) {
    const g = weight(result.deviation / SCALE);
    const expected = expectedScore(before, result);
    information += g * g * expected * (1 - expected);
    surplus += g * (result.score - expected);
  }
  if (information === 0) {
    const deviation = Math.min(START.deviation, SCALE * Math.hypot(phi, before.volatility));
    return { ...before, deviation };
  }
  const variance = 1 / information;
  const volatility = volatilityAfter(before.volatility, phi, variance, variance * surplus);
  const grown = Math.hypot(phi, volatility);
  const phiAfter = 1 / Math.sqrt(1 / (grown * grown) + information);
  return {
    rating: before.rating + SCALE * phiAfter * phiAfter * surplus,
    deviation: Math.min(START.deviation, SCALE * phiAfter),
    volatility,
  };
}

/** Step 5 of Glickman's text: the root of `f` by the Illinois algorithm. */
function volatilityAfter(volatility: number, phi: number, variance: number, delta: number): number {
  const a = 2 * Math.log(volatility);
  const f = (x: number) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high: number;
  const excess = delta * delta - phi * phi - variance;
  if (excess > 0) {
    high = Math.log(excess);
  } else {
    let k = 1;
    while (f(a - k * TAU) < 0) {
      k += 1;
    }
    high = a - k * TAU;
  }
  let atLow = f(low);
  let atHigh = f(high);
  for (let step = 0; step < MOST_STEPS && Math.abs(high - low) > PRECISION; step += 1) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) {
      low = high;
      atLow = atHigh;
    } else {
      atLow /= 2;
    }
    high = middle;
    atHigh = atMiddle;
  }
  return Math.exp(low / 2);
}
