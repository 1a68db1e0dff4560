// Glicko-2, by the example of its author.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ expectedScore, rated, START }] = await load('src/state/rating.ts');

const near = (value, expected, error) =>
  assert.ok(Math.abs(value - expected) <= error, `${value} is not ${expected} +- ${error}`);

test("the ratings of Glickman's example", () => {
  const after = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ]);
  near(after.rating, 1464.06, 0.01);
  near(after.deviation, 151.52, 0.01);
  near(after.volatility, 0.05999, 0.00001);
});

test('the expected scores of the example', () => {
  const own = { rating: 1500 };
  near(expectedScore(own, { rating: 1400, deviation: 30 }), 0.639, 0.001);
  near(expectedScore(own, { rating: 1550, deviation: 100 }), 0.432, 0.001);
  near(expectedScore(own, { rating: 1700, deviation: 300 }), 0.303, 0.001);
});

test('a period without results widens the deviation, never beyond the first', () => {
  const after = rated({ rating: 1700, deviation: 200, volatility: 0.06 }, []);
  assert.equal(after.rating, 1700);
  near(after.deviation, Math.hypot(200, 0.06 * 173.7178), 1e-9);
  assert.equal(rated(START, []).deviation, 350);
});

test('one result after the other stays finite, and finds the strength', () => {
  const results = [1, 0.5, 0].map((score) => {
    let own = START;
    for (let game = 0; game < 300; game += 1) {
      own = rated(own, [{ rating: 1500, deviation: 0, score }]);
      assert.ok(Object.values(own).every(Number.isFinite));
      assert.ok(own.deviation > 0 && own.deviation <= 350 && own.volatility > 0);
    }
    return own.rating;
  });
  assert.ok(results[0] > 2000 && results[2] < 1000);
  near(results[1], 1500, 1);
});

test('a surprise raises the volatility', () => {
  const settled = { rating: 1500, deviation: 40, volatility: 0.06 };
  const upset = Array.from({ length: 10 }, () => ({ rating: 2200, deviation: 30, score: 1 }));
  assert.ok(rated(settled, upset).volatility > 0.061);
});
