// Everything that the page stores as one file, and such a file joined with what another browser has.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { IDBFactory } from 'fake-indexeddb';
import { load } from '../source.mjs';

const [
  { everything, joinEverything },
  { GameStore },
  { GameDatabase },
  { Tabs },
  { importGames },
  { parseReport },
  rules,
] = await load(
  'src/state/everything.ts',
  'src/state/games.ts',
  'src/state/games-db.ts',
  'src/state/tabs.ts',
  'src/state/games-import.ts',
  'src/state/kept.ts',
  'src/rules/rules.ts',
);
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };

/** A browser that has stored nothing but this. */
function browser(stored = {}, database = undefined) {
  globalThis.indexedDB = new IDBFactory();
  for (const name of Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at))) {
    localStorage.removeItem(name);
  }
  put(stored);
  const made = database ?? new GameDatabase();
  return new GameStore(
    async () => made,
    new Tabs(),
    () => {},
  );
}

function put(stored) {
  for (const [name, value] of Object.entries(stored)) {
    localStorage.setItem(`sakmak.${name}`, JSON.stringify(value));
  }
}

const get = (name) => JSON.parse(localStorage.getItem(`sakmak.${name}`));
const linesOf = async (games) => (await games.list()).map(({ moves }) => moves).sort();

const SETTINGS = { language: 'th', notation: 'thai-san', lines: 3, persistAsked: true };
const TRIED = { mc0001: [1, 1, 20_000, 4, -1, 0] };
/** FEN, day, stage and due day of failed positions of the drill. */
const FAILED = {
  aaaaaaaaaaaaaaaa: ['a', 20_000, 1, 20_003],
  bbbbbbbbbbbbbbbb: ['b', 20_010, 0, 20_011],
};
const STORED = {
  settings: SETTINGS,
  solved: ['hunt.01', 'hunt.02'],
  trainer: { many: { best: 9, streak: 4, days: 2, last: '2026-11-20' }, stars: { a: 3, b: 1 } },
  friend: { name: 'Anan' },
  opponents: {
    rating: { rating: 1400, deviation: 120, volatility: 0.06 },
    tallies: { Frog: { won: 2, drawn: 0, lost: 1 } },
    games: [
      { id: 'x', name: 'Frog', score: 1, change: [1380, 1400] },
      { id: 'y', name: 'Frog', score: 0, change: null },
    ],
  },
  puzzles: { puzzles: 1, rated: 5, rating: { rating: 1600, deviation: 90, volatility: 0.06 }, tried: TRIED },
  drill: { drill: 1, failed: FAILED },
  later: { of: 'another part' },
};

const REPORT = {
  moves: ['e3e4'],
  data: {
    positions: [],
    moves: [],
    sides: ['w', 'b'].map((side) => ({
      ...{ side, moves: 0, doubtful: 0, mistakes: 0, blunders: 0, lost: 0, accuracy: 0, races: [] },
    })),
  },
};

/** A browser with two games, the first with a report and a tag, and all else. Returns the file and the games. */
async function filled() {
  const games = browser({ ...STORED, 'waiting.tab': { games: [] } });
  await importGames(games, '[White "Anan"]\n\n1. e4 *\n\n[White "Boon"]\n\n1. d4 d5 *\n', RULES);
  const first = (await games.list()).find(({ white }) => white === 'Anan');
  assert.ok(parseReport({ ...REPORT, id: first.id }));
  games.keepReport({ ...REPORT, id: first.id });
  await games.setTags(first, 'good');
  const file = await everything(games);
  return { file, first, list: await games.list() };
}

test('a browser that has nothing has all of it afterwards', async () => {
  const { file, first, list } = await filled();
  assert.equal(JSON.parse(file).stored['waiting.tab'], undefined);
  const games = browser();
  const done = await joinEverything(file, games);
  assert.deepEqual(done, { added: 2, known: 0, parted: 0, broken: 0, refused: null });
  assert.deepEqual(new Set(await games.list()), new Set(list));
  assert.deepEqual((await games.report(first.id)).moves, REPORT.moves);
  const { puzzles, settings, ...others } = STORED;
  for (const [name, value] of Object.entries(others)) {
    assert.deepEqual(get(name), value, name);
  }
  assert.deepEqual(get('settings'), { ...settings, persistAsked: false });
  assert.equal(get('puzzles').rated, puzzles.rated);
  assert.deepEqual(get('puzzles').tried, TRIED);
  // The same file once more changes nothing.
  assert.deepEqual(await joinEverything(file, games), { added: 0, known: 2, parted: 0, broken: 0, refused: null });
  assert.deepEqual(await linesOf(games), ['d3d4 d6d5', 'e3e4']);
  assert.deepEqual(get('opponents').tallies, STORED.opponents.tallies);
});

test('what both have becomes one, and of each the better stays', async () => {
  const { file } = await filled();
  const games = browser({
    settings: { language: 'en', lines: 1 },
    solved: ['hunt.02', 'hunt.03'],
    trainer: { many: { best: 4, streak: 6, days: 7, last: '2026-11-25' }, stars: { b: 2, c: 1 } },
    friend: { name: 'Boon', stun: 'stun:a:1' },
    opponents: {
      rating: { rating: 1500, deviation: 300, volatility: 0.06 },
      tallies: { Frog: { won: 1, drawn: 1, lost: 0 }, Tiger: { won: 0, drawn: 0, lost: 1 } },
      games: [
        { id: 'x', name: 'Frog', score: 1, change: [1380, 1400] },
        { id: 'z', name: 'Frog', score: 0.5, change: null },
        { id: 'u', name: 'Tiger', score: 0, change: null },
      ],
    },
    drill: { drill: 1, failed: { aaaaaaaaaaaaaaaa: ['a', 20_005, 2, 20_012], cccccccccccccccc: ['c', 1, 0, 2] } },
    later: { of: 'this one' },
  });
  await importGames(games, '[White "Chai"]\n\n1. c4 *\n', RULES);
  await joinEverything(file, games);
  assert.deepEqual(await linesOf(games), ['c3c4', 'd3d4 d6d5', 'e3e4']);
  assert.deepEqual(get('solved'), ['hunt.02', 'hunt.03', 'hunt.01']);
  assert.deepEqual(get('trainer'), {
    many: { best: 9, streak: 6, days: 7, last: '2026-11-25' },
    stars: { a: 3, b: 2, c: 1 },
  });
  assert.deepEqual(get('friend'), { name: 'Boon', stun: 'stun:a:1' });
  const { rating, tallies, games: list } = get('opponents');
  assert.equal(rating.rating, 1400);
  assert.deepEqual(tallies, { Frog: { won: 2, drawn: 1, lost: 1 }, Tiger: { won: 0, drawn: 0, lost: 1 } });
  assert.deepEqual(list.map(({ id }) => id).sort(), ['u', 'x', 'y', 'z']);
  assert.deepEqual(get('drill').failed, {
    aaaaaaaaaaaaaaaa: ['a', 20_005, 2, 20_012],
    bbbbbbbbbbbbbbbb: FAILED.bbbbbbbbbbbbbbbb,
    cccccccccccccccc: ['c', 1, 0, 2],
  });
  assert.deepEqual(get('later'), { of: 'this one' });
  // The settings are those that one asks for.
  assert.equal(get('settings').language, 'en');
  await joinEverything(file, games, { withSettings: true });
  assert.deepEqual(get('settings'), { ...SETTINGS, persistAsked: false });
});

test('a game that has gone on keeps one entry; one that went on in two ways has two', async () => {
  const { file, first } = await filled();
  const entry = (moves, changed, more = {}) => ({ ...first, pgn: first.pgn.replace('1. e4', moves), changed, ...more });
  const after = async (here, there, stored = {}) => {
    const games = browser(stored);
    await games.add([here]);
    const done = await joinEverything(JSON.stringify({ ...JSON.parse(file), games: [there], reports: [] }), games);
    const list = await games.list();
    return { done, texts: list.map(({ pgn }) => /1\. .*?(?= \*)/.exec(pgn)[0]).sort(), list };
  };
  const [one, other] = ['1. e4 e5', '1. e4 d5'];
  // It has gone on in the file, or here.
  const later = await after(first, entry(one, first.changed + 1));
  assert.deepEqual([later.texts, later.done.known, later.done.parted], [[one], 1, 0]);
  assert.deepEqual((await after(entry(one, 2), entry('1. e4', 1))).texts, [one]);
  // In both.
  for (const [here, there] of [
    [1, 2],
    [2, 1],
  ]) {
    const { done, texts, list } = await after(entry(one, here), entry(other, there));
    assert.deepEqual([texts, done.parted], [[other, one].sort(), 1]);
    assert.match(list.find(({ id }) => id === first.id).pgn, there > here ? / d5/ : / e5/);
  }
  // The board goes on with the game as it is here.
  const { texts, list } = await after(entry(one, 1), entry(other, 2), { analyse: { pgn: first.pgn, id: first.id } });
  assert.deepEqual(texts, [other, one].sort());
  assert.match(list.find(({ id }) => id === first.id).pgn, / e5/);
});

test('other files, later versions and damaged parts are named, and change nothing', async () => {
  const { file } = await filled();
  const games = browser({ solved: ['hunt.09'] });
  const before = localStorage.getItem('sakmak.solved');
  for (const text of [
    '',
    '1. e4 *',
    '[]',
    '{"puzzles":1}',
    '{"sakmak":1}',
    JSON.stringify({ ...JSON.parse(file), sakmak: 0 }),
  ]) {
    assert.equal((await joinEverything(text, games)).refused, 'none', text.slice(0, 20));
  }
  const newer = JSON.stringify({ ...JSON.parse(file), sakmak: 2 });
  assert.equal((await joinEverything(newer, games)).refused, 'newer');
  assert.equal(localStorage.getItem('sakmak.solved'), before);
  assert.deepEqual(await games.list(), []);
  const parts = JSON.parse(file);
  parts.games[0].pgn = '1. Qh5 *';
  parts.games.push(7);
  parts.reports.push({});
  parts.stored.settings.lines = 'many';
  parts.stored.puzzles = [];
  const { added, broken, refused } = await joinEverything(JSON.stringify(parts), games);
  assert.deepEqual({ added, broken, refused }, { added: 1, broken: 5, refused: null });
  assert.equal(get('settings').language, 'th');
});

test('a browser without room says so', async () => {
  const { file } = await filled();
  const refusing = new GameDatabase();
  refusing.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const games = browser({ solved: ['hunt.09'] }, refusing);
  assert.equal((await joinEverything(file, games)).refused, 'refused');
  assert.deepEqual(get('solved'), ['hunt.09']);
});
