// What the page stores: values that do not fit are left out, the rest is kept.
import assert from 'node:assert/strict';
import test from 'node:test';
import { levelRatings, NOTATIONS } from 'sakmak/study';
import { load } from '../source.mjs';

const [stored, { clockText }] = await load('src/state/stored.ts', 'src/state/clock.ts');
const { STORED_KEYS, parseStored } = stored;

const RULES = { variant: 'makruk', ruleset: 'wikipedia', parts: 'SutMet=on' };
const GAME = { level: 3, side: 'b', time: { minutes: 5, seconds: 5 }, rules: RULES };
const CLOCK = { control: { minutes: 5, seconds: 5 }, left: [300_000, 12.5] };
const GOOD = {
  settings: {
    language: 'th',
    notation: 'thai-san',
    pieces: 'letters',
    board: 'chequered',
    theme: 'dark',
    animation: false,
    coordinates: false,
    warn: false,
    confirm: true,
    premove: false,
    facts: false,
    lines: 3,
    memory: 128,
    seconds: 20,
    sound: 1,
    vibration: false,
    speak: true,
    comments: false,
    pace: 500,
    rules: RULES,
  },
  newGame: {
    opponent: 'people',
    animal: 'Frog',
    isRated: true,
    isPaced: false,
    level: 10,
    side: 'random',
    time: '3+2',
    minutes: 1,
    seconds: 0,
  },
  play: {
    game: {
      ...GAME,
      animal: { name: 'Frog', rating: 1050, isRated: true, isPaced: true, seed: 4_294_967_295 },
      fen: '4k3/8/8/8/8/8/8/RK6 w - - 0 1',
    },
    pgn: '1. e4 *',
    clock: CLOCK,
    result: { winner: 'w', reason: 'resign' },
  },
  analyse: { pgn: '1. e4 *', node: 1 },
  setup: {
    board: { board: `K${'.'.repeat(62)}k`, turn: 'b', rights: '-', plyLimit: 32, ply: 9, moveNumber: 1, number: 4 },
    counting: 'hand',
    rules: RULES,
    isOpen: true,
  },
  opponents: {
    rating: { rating: 1512.5, deviation: 200, volatility: 0.06 },
    tallies: { Frog: { won: 1, drawn: 0, lost: 2 } },
    games: [{ id: 'a', name: 'Frog', score: 0.5, change: [1500, 1512] }],
  },
  solved: ['hunt.01', 'hunt.02'],
  trainer: { many: { best: 12, streak: 20, days: 3, last: '2026-11-26' }, stars: { 'SS.1': 3 } },
  friend: { name: 'Somchai', stun: 'stun:stun.example.org:3478' },
};

/** Values that fit nowhere, as texts. */
const BAD = [
  '',
  '{',
  'null',
  'true',
  '5',
  '-1',
  '1e999',
  '"text"',
  '{"__proto__":5}',
  '{"__proto__":{"language":"xx"}}',
  '[[]]',
  '[5]',
  '[null]',
  'NaN',
  'undefined',
];
/** Values that no member has. */
const ODD = [undefined, {}, [], 'x'.repeat(9), '', -5, 1e300, 0.5, [null, null], { a: 1 }, '\u202e', { length: 1 }];

const parse = (key, value) => parseStored(key, JSON.stringify(value) ?? '');

/** Whether a value is of the kind that the page can use: what is left of it is parsed again without a word. */
function assertClean(key, value, what) {
  if (value !== undefined) {
    assert.deepEqual(parse(key, value), { value, damaged: false }, what);
  }
}

test('good values are kept as they are', () => {
  assert.deepEqual(Object.keys(GOOD).sort(), [...STORED_KEYS].sort());
  for (const [key, value] of Object.entries(GOOD)) {
    assert.deepEqual(parse(key, value), { value, damaged: false }, key);
  }
  const people = { game: { ...GAME, level: null, time: null }, pgn: '*', clock: null, result: null };
  assert.deepEqual(parse('play', people), { value: people, damaged: false });
  // An older version stored less, a newer one more.
  assert.deepEqual(parse('settings', { theme: 'dark', fromLater: true }), { value: { theme: 'dark' }, damaged: false });
  // The version before stored whose clock runs.
  assert.equal(parse('play', { ...people, clock: { ...CLOCK, running: 'w' } }).damaged, false);
});

test('all levels and notations of the engine can be stored', () => {
  const ratings = levelRatings();
  assert.equal(parse('newGame', { level: ratings.length - 1 }).damaged, false);
  assert.equal(parse('newGame', { level: ratings.length }).damaged, true);
  for (const notation of NOTATIONS) {
    assert.equal(parse('settings', { notation }).damaged, false, notation);
  }
});

test('values that fit nowhere are dropped, under every key', () => {
  for (const key of STORED_KEYS) {
    for (const text of BAD) {
      const { value, damaged } = parseStored(key, text);
      assertClean(key, value, `${key}: ${text}`);
      // A name that nobody knows is no damage; neither is a prototype that stays one.
      assert.ok(damaged || ['{"__proto__":5}', '{"__proto__":{"language":"xx"}}'].includes(text), `${key}: ${text}`);
      assert.equal({}.language, undefined);
    }
  }
  for (const text of ['{}', '5', 'true', '"x"']) {
    assert.deepEqual(parseStored('solved', text), { value: undefined, damaged: true }, text);
  }
});

test('a member that does not fit is left out, the others are kept', () => {
  for (const key of ['settings', 'newGame']) {
    for (const member of Object.keys(GOOD[key])) {
      for (const odd of [null, ...ODD].filter((one) => one !== undefined)) {
        if (typeof odd === 'boolean') {
          continue;
        }
        const { value, damaged } = parse(key, { ...GOOD[key], [member]: odd });
        const { [member]: _, ...rest } = GOOD[key];
        assert.deepEqual(value, rest, `${key}.${member}: ${JSON.stringify(odd)}`);
        assert.equal(damaged, true);
      }
    }
  }
  for (const rules of [{}, { variant: 5, ruleset: '', parts: '' }, null, [], 'makruk', { __proto__: RULES }]) {
    const { value, damaged } = parse('settings', { ...GOOD.settings, rules });
    assert.equal(value.rules, undefined);
    assert.equal(value.language, 'th');
    assert.equal(damaged, true);
  }
  assert.deepEqual(parse('solved', ['a', 5, null, {}, 'b']), { value: ['a', 'b'], damaged: true });
  assert.deepEqual(parse('analyse', { pgn: '*', node: 'x' }), { value: { pgn: '*' }, damaged: true });
  assert.deepEqual(parse('analyse', { node: 1 }), { value: undefined, damaged: true });
});

test('a game survives a bad clock, result or time; without moves, rules, side or level it is none', () => {
  const withPart = (part) => parse('play', { ...GOOD.play, ...part });
  const results = [5, 'x', [], {}, { winner: 'x', reason: 'resign' }, { winner: 'w', reason: 'x' }, { winner: 'w' }];
  for (const result of results) {
    const { value, damaged } = withPart({ result });
    assert.equal(value.result, undefined, JSON.stringify(result));
    assert.deepEqual(value.clock, CLOCK);
    assert.equal(damaged, true);
  }
  const { control } = CLOCK;
  const clocks = [
    5,
    {},
    { control },
    { control, left: [1] },
    { control, left: [null, 1] },
    { control, left: ['1', 1] },
  ];
  for (const clock of [...clocks, { control, left: [-1, 1] }, { control: {}, left: [1, 1] }, { left: [1, 1] }]) {
    const { value, damaged } = withPart({ clock });
    assert.equal(value.clock, undefined, JSON.stringify(clock));
    assert.deepEqual(value.result, GOOD.play.result);
    assert.equal(damaged, true);
  }
  for (const time of [
    5,
    {},
    { minutes: '5', seconds: 5 },
    { minutes: null, seconds: 5 },
    { minutes: 1e9, seconds: 0 },
  ]) {
    const { value, damaged } = withPart({ game: { ...GAME, time } });
    const { time: _, ...rest } = GAME;
    assert.deepEqual(value.game, rest, JSON.stringify(time));
    assert.equal(damaged, true);
  }
  for (const game of [5, {}, { ...GAME, level: 99 }, { ...GAME, side: 'x' }, { ...GAME, rules: {} }]) {
    assert.deepEqual(withPart({ game }), { value: undefined, damaged: true }, JSON.stringify(game));
  }
  assert.deepEqual(withPart({ pgn: 5 }), { value: undefined, damaged: true });
});

test('clocks are shown in hours, minutes, seconds and tenths', () => {
  assert.deepEqual([0, 19_900, 20_000, 300_000, 3_723_000].map(clockText), [
    '0:00.0',
    '0:19.9',
    '0:20',
    '5:00',
    '1:02:03',
  ]);
});
