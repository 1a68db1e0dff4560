// The kept games: a database in memory, and the stores that write to it.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { IDBFactory } from 'fake-indexeddb';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [
  { GameStore },
  { GameDatabase },
  { importGames },
  kept,
  { Tabs },
  { PlayStore },
  { AnalyseStore },
  { settings },
  { toasts },
  rules,
  { EngineQueue },
] = await load(
  'src/state/games.ts',
  'src/state/games-db.ts',
  'src/state/games-import.ts',
  'src/state/kept.ts',
  'src/state/tabs.ts',
  'src/state/play.ts',
  'src/state/analyse.ts',
  'src/state/settings.ts',
  'src/state/toasts.ts',
  'src/rules/rules.ts',
  'src/engine/queue.ts',
);
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const GAME = { level: null, side: 'w', time: null, rules: RULES };

/** Tabs of one browser: what one posts, the others hear at once. */
class Hub {
  channels = [];

  join() {
    const channel = { onmessage: null, postMessage: (message) => this.post(channel, message) };
    this.channels.push(channel);
    return channel;
  }

  post(from, message) {
    for (const channel of this.channels) {
      if (channel !== from) {
        channel.onmessage?.({ data: structuredClone(message) });
      }
    }
  }
}

/** A tab: stores over the one database of the browser. */
function openTab({ database = new GameDatabase(), hub = new Hub() } = {}) {
  const tabs = new Tabs();
  tabs.connect(hub.join());
  const downloads = [];
  const games = new GameStore(
    async () => database,
    tabs,
    (pgn) => downloads.push(pgn),
  );
  const engine = new FakeEngine();
  const queue = new EngineQueue(engine);
  return { games, engine, downloads, play: new PlayStore(queue, games), analyse: new AnalyseStore(queue, games) };
}

/** A browser that has stored nothing. */
function freshBrowser() {
  globalThis.indexedDB = new IDBFactory();
  for (const key of ['play', 'analyse', 'settings']) {
    localStorage.removeItem(`sakmak.${key}`);
  }
  settings.set({ persistAsked: false });
  toasts.list = [];
}

async function stored(games) {
  await games.flush();
  return games.list();
}

const toastTexts = () => toasts.list.map(({ text }) => text);
/** Lets what was begun without waiting come to its end: turns of the event loop, however long they take. */
async function settle() {
  for (let turn = 0; turn < 300; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Waits until something holds. */
async function until(holds) {
  for (const end = Date.now() + 60_000; !(await holds()); ) {
    assert.ok(Date.now() < end, `never: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a game in play is kept from its first move and updated after each', async () => {
  freshBrowser();
  const { games, play } = openTab();
  play.begin(GAME);
  assert.deepEqual(await stored(games), []);
  play.choose({ uci: 'e3e4' });
  play.choose({ uci: 'e6e5' });
  const [game, ...others] = await stored(games);
  assert.deepEqual(others, []);
  assert.equal(game.moves, 'e3e4 e6e5');
  assert.equal(game.kind, 'people');
  assert.equal(game.result, '*');
  play.resign();
  const [over] = await stored(games);
  assert.equal(over.id, game.id);
  assert.equal(over.result, '0-1');
  assert.equal(over.created, game.created);
  // Taken back, it is another game: the finished one stays.
  play.takeBack();
  assert.deepEqual((await stored(games)).map(({ moves }) => moves).sort(), ['e3e4', 'e3e4 e6e5']);
});

test('the next game does not destroy the one before, and that can be gone on with', async () => {
  freshBrowser();
  const { games, play } = openTab();
  play.begin(GAME);
  play.choose({ uci: 'e3e4' });
  play.close();
  toasts.list.at(-1).action.run();
  assert.ok(play.mayMove);
  play.close();
  play.begin({ ...GAME, time: { minutes: 5, seconds: 5 } });
  play.choose({ uci: 'd3d4' });
  const list = await stored(games);
  assert.deepEqual(list.map(({ moves }) => moves).sort(), ['d3d4', 'e3e4']);
  const first = list.find(({ moves }) => moves === 'e3e4');
  assert.equal(play.resume(first), null);
  assert.equal(play.clock, null);
  assert.ok(play.mayMove);
  play.choose({ uci: 'e6e5' });
  assert.deepEqual((await stored(games)).map(({ moves }) => moves).sort(), ['d3d4', 'e3e4 e6e5']);
  play.close();
});

test('what an older page has stored is taken over, once', async () => {
  freshBrowser();
  const play = { game: GAME, pgn: '1. e4 e5 *', clock: null, result: null };
  localStorage.setItem('sakmak.play', JSON.stringify(play));
  localStorage.setItem('sakmak.analyse', JSON.stringify({ pgn: '1. d4 {well} *', node: 1 }));
  for (let start = 0; start < 3; start += 1) {
    const tab = openTab();
    tab.analyse.restore();
    tab.play.restore();
    const list = await stored(tab.games);
    assert.deepEqual(list.map(({ kind, moves }) => `${kind} ${moves}`).sort(), ['analysed d3d4', 'people e3e4 e6e5']);
    tab.play.leavePage();
    tab.analyse.leavePage();
  }
});

test('what the database had no time to write is kept at the next start', async () => {
  freshBrowser();
  const never = { ...refusing('InvalidStateError'), put: () => new Promise(() => {}), withMoves: async () => [] };
  const { games, analyse } = openTab({ database: never });
  analyse.read('1. e4 *');
  await settle();
  analyse.read('1. d4 *');
  await settle();
  games.leavePage();
  const next = openTab();
  next.games.restore();
  assert.deepEqual((await stored(next.games)).map(({ moves }) => moves).sort(), ['d3d4', 'e3e4']);
  assert.deepEqual(leftNames(), []);
});

const leftNames = () =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at)).filter((name) => /waiting/.test(name));

test('two tabs that are left at once lose nothing, reports included', async () => {
  freshBrowser();
  const never = { ...refusing('InvalidStateError'), put: () => new Promise(() => {}), withMoves: async () => [] };
  const leftWith = async (text) => {
    const tab = openTab({ database: never });
    tab.analyse.read(text);
    await settle();
    return tab;
  };
  const first = await leftWith('1. e4 e5 *');
  first.analyse.analyseGame();
  first.engine.end('report', REPORT);
  first.games.leavePage();
  const second = await leftWith('1. d4 *');
  second.games.leavePage();
  assert.equal(leftNames().length, 2);
  // A third tab writes something of its own: what it has not read stays.
  const third = openTab();
  third.play.begin(GAME);
  third.play.choose({ uci: 'a3a4' });
  await third.games.flush();
  assert.equal(leftNames().length, 2);
  const next = openTab();
  next.games.restore();
  const list = await stored(next.games);
  assert.deepEqual(list.map(({ moves }) => moves).sort(), ['a3a4', 'd3d4', 'e3e4 e6e5']);
  const { id } = list.find(({ moves }) => moves === 'e3e4 e6e5');
  assert.deepEqual((await next.games.report(id)).data, REPORT);
  assert.deepEqual(leftNames(), []);
});

test('what an older version left under the one name is kept', async () => {
  freshBrowser();
  const { games, analyse } = openTab();
  analyse.read('1. e4 *');
  const [game] = await stored(games);
  freshBrowser();
  localStorage.setItem('sakmak.waiting', JSON.stringify([game, 7]));
  localStorage.setItem('sakmak.waiting.other', '{"games":');
  const next = openTab();
  next.games.restore();
  assert.deepEqual(await stored(next.games), [game]);
  assert.deepEqual(leftNames(), []);
});

test('a game that is deleted does not come back from what a tab left', async () => {
  freshBrowser();
  const { games, analyse } = openTab({ database: refusing('InvalidStateError') });
  analyse.read('1. e4 *');
  await settle();
  const [game] = await games.list();
  games.leavePage();
  await games.remove(game);
  const next = openTab();
  next.games.restore();
  assert.deepEqual(await stored(next.games), []);
});

test('an opened game is kept, its changes go to the same entry, and the same text gets no second one', async () => {
  freshBrowser();
  const { games, analyse } = openTab();
  const text = '[White "Anan"]\n[Black "Boon"]\n[Date "2026.01.02"]\n\n1. e4 e5 1-0\n';
  analyse.read(text);
  await settle();
  analyse.reset();
  analyse.read(text);
  await settle();
  const [game, ...others] = await stored(games);
  assert.deepEqual(others, []);
  const { kind, white, black, date, result } = game;
  assert.deepEqual(
    { kind, white, black, date, result },
    { kind: 'opened', white: 'Anan', black: 'Boon', date: '2026.01.02', result: '1-0' },
  );
  analyse.edit((record) => record.setComment(analyse.session.line[1], 'well'));
  // What is not written yet is kept when another game comes.
  analyse.read('1. d4 *');
  await settle();
  const list = await stored(games);
  assert.equal(list.length, 2);
  const edited = list.find(({ id }) => id === game.id);
  assert.match(edited.pgn, /well/);
  // The text as it was is another game now.
  analyse.openKept(edited);
  analyse.play('h3h4');
  analyse.leavePage();
  assert.equal((await stored(games)).length, 2);
});

test('clear and deleted moves can be undone', async () => {
  freshBrowser();
  const { games, analyse } = openTab();
  analyse.read('1. e4 e5 2. d4 *');
  await settle();
  analyse.deleteFrom(analyse.session.line[2]);
  analyse.leavePage();
  assert.equal((await stored(games))[0].moves, 'e3e4');
  toasts.list.at(-1).action.run();
  analyse.leavePage();
  const [game, ...others] = await stored(games);
  assert.deepEqual(others, []);
  assert.equal(game.moves, 'e3e4 e6e5 d3d4');
  analyse.clear();
  assert.equal(analyse.session.tree.length, 1);
  toasts.list.at(-1).action.run();
  assert.equal(analyse.session.tree.length, 4);
  analyse.play('a3a4');
  analyse.leavePage();
  assert.equal((await stored(games)).length, 1);
});

const REPORT = {
  positions: [0, 1, 2].map(() => ({
    evaluation: { cp: 10 },
    chances: [300, 400, 300],
    best: 'd3d4',
    line: [],
    names: ['d4'],
  })),
  moves: [
    { lost: 0, glyph: 0, race: false },
    { lost: 20, glyph: 2, race: false },
  ],
  sides: ['w', 'b'].map((side) => ({
    side,
    moves: 1,
    doubtful: 0,
    mistakes: 0,
    blunders: 0,
    lost: 0,
    accuracy: 99.5,
    races: [],
  })),
};

test('a report is there again after the next start, and with its game', async () => {
  freshBrowser();
  const { games, engine, analyse } = openTab();
  analyse.read('1. e4 e5 *');
  analyse.analyseGame();
  engine.end('report', REPORT);
  analyse.leavePage();
  await stored(games);
  const next = openTab();
  next.analyse.restore();
  await settle();
  assert.deepEqual(next.analyse.report?.data, REPORT);
  const { nodes } = next.analyse.report;
  assert.deepEqual(
    nodes.map((node) => next.analyse.session.nodeById(node).uci),
    ['', 'e3e4', 'e6e5'],
  );
  next.analyse.reset();
  assert.equal(next.analyse.report, null);
  const [game] = await stored(next.games);
  next.analyse.openKept(game);
  await settle();
  assert.equal(next.analyse.report?.data.moves.length, 2);
});

test('a deleted game stays deleted, and comes back whole by undo', async () => {
  freshBrowser();
  const tab = openTab();
  tab.analyse.read('[White "Anan"]\n\n1. e4 e5 *');
  tab.analyse.analyseGame();
  tab.engine.end('report', REPORT);
  const [game] = await stored(tab.games);
  await tab.games.setTags(game, ' school, , opening,school');
  const [tagged] = await tab.games.list();
  assert.deepEqual(tagged.tags, ['school', 'opening']);
  const removed = await tab.games.remove(tagged);
  assert.deepEqual(await stored(tab.games), []);
  // Neither the board nor the next start brings it back.
  tab.analyse.leavePage();
  const next = openTab();
  next.analyse.restore();
  assert.deepEqual(await stored(next.games), []);
  assert.equal(next.analyse.session.tree.length, 3);
  next.games.bringBack(removed);
  assert.deepEqual(await stored(next.games), [tagged]);
  assert.deepEqual((await next.games.report(tagged.id)).data, REPORT);
});

test('a deleted game that stands on the board is one entry after undo, also if it has gone on since', async () => {
  freshBrowser();
  const { games, analyse, play } = openTab();
  analyse.read('1. e4 e5 *');
  play.begin(GAME);
  play.choose({ uci: 'a3a4' });
  for (const [goOn, line] of [
    [() => {}, 'e3e4 e6e5'],
    [() => analyse.play('d3d4'), 'e3e4 e6e5 d3d4'],
  ]) {
    const game = (await stored(games)).find(({ moves }) => moves === 'e3e4 e6e5');
    await games.setTags(game, 'school');
    const removed = await games.remove({ ...game, tags: ['school'] });
    goOn();
    analyse.leavePage();
    games.bringBack(removed);
    analyse.step(1_000_000);
    analyse.edit((record) => record.setComment(analyse.session.node, 'well'));
    analyse.leavePage();
    const list = (await stored(games)).filter(({ kind }) => kind === 'opened');
    assert.deepEqual(
      list.map(({ id, moves }) => [id, moves]),
      [[game.id, line]],
    );
    await until(async () => (await games.list()).some(({ tags }) => tags.includes('school')));
  }
  // The same in Play.
  const [game] = (await stored(games)).filter(({ kind }) => kind === 'people');
  const removed = await games.remove(game);
  games.bringBack(removed);
  play.choose({ uci: 'a6a5' });
  const list = (await stored(games)).filter(({ kind }) => kind === 'people');
  assert.deepEqual(
    list.map(({ id, moves }) => [id, moves]),
    [[game.id, 'a3a4 a6a5']],
  );
});

test('all games go into one PGN and come back without duplicates', async () => {
  freshBrowser();
  const { games, play } = openTab();
  play.begin({ ...GAME, level: 3 });
  play.choose({ uci: 'e3e4' });
  play.close();
  const text =
    '[White "A"]\n[Date "2026.01.01"]\n[Keywords "club, \\"final\\""]\n\n1. e4 *\n\n' +
    '[White "A"]\n[Date "2026.01.02"]\n\n1. e4 *\n\n[White "A"]\n[Date "2026.01.01"]\n\n1. e4 {again} *\n\n' +
    '[White "B"]\n\n1. e4 Zz9 *\n';
  assert.deepEqual(await importGames(games, text, RULES), { added: 2, known: 1, broken: 1, fault: null });
  const list = await stored(games);
  assert.deepEqual(list.find(({ date }) => date === '2026.01.01').tags, ['club', '"final"']);
  const pgn = await games.pgn();
  assert.deepEqual(await importGames(games, pgn, RULES), { added: 0, known: 3, broken: 0, fault: null });
  freshBrowser();
  const next = openTab();
  assert.deepEqual(await importGames(next.games, pgn, RULES), { added: 3, known: 0, broken: 0, fault: null });
  assert.equal(await next.games.pgn(), pgn);
  assert.deepEqual((await next.games.list()).map(({ kind }) => kind).sort(), ['engine', 'opened', 'opened']);
  const { fault } = await importGames(next.games, '', RULES);
  assert.match(fault.code, /^pgn\./);
});

/** A database that refuses. */
function refusing(name) {
  const refuse = async () => {
    throw new DOMException('no', name);
  };
  return {
    all: refuse,
    withMoves: refuse,
    put: refuse,
    setTags: refuse,
    report: refuse,
    putReport: refuse,
    delete: refuse,
  };
}

test('full or refused storage is named once, play goes on, and the games can be saved', async () => {
  for (const [name, word] of [
    ['QuotaExceededError', 'storage is full'],
    ['InvalidStateError', 'stores no games here'],
  ]) {
    freshBrowser();
    const { games, play, analyse, downloads } = openTab({ database: refusing(name) });
    play.begin(GAME);
    play.choose({ uci: 'e3e4' });
    await games.flush();
    play.choose({ uci: 'e6e5' });
    analyse.read('1. d4 *');
    await settle();
    const list = await stored(games);
    assert.deepEqual(list.map(({ moves }) => moves).sort(), ['d3d4', 'e3e4 e6e5']);
    assert.equal(toastTexts().filter((text) => text.includes(word)).length, 1, String(toastTexts()));
    toasts.list.find(({ text }) => text.includes(word)).action.run();
    await settle();
    assert.match(downloads[0], /1\. e4 e5[\s\S]*1\. d4/);
    await games.remove(list[0]);
    assert.equal((await games.list()).length, 1);
  }
});

test('a missing database is named too', async () => {
  freshBrowser();
  const { indexedDB } = globalThis;
  delete globalThis.indexedDB;
  try {
    const { games, play } = openTab();
    play.begin(GAME);
    play.choose({ uci: 'e3e4' });
    assert.equal((await stored(games)).length, 1);
    assert.equal(toastTexts().length, 1);
    globalThis.indexedDB = indexedDB;
    // It is tried again with the next change.
    play.choose({ uci: 'e6e5' });
    await games.flush();
    assert.equal((await openTab().games.list()).length, 1);
  } finally {
    globalThis.indexedDB = indexedDB;
  }
});

test('what another version has stored is not shown and not destroyed', async () => {
  freshBrowser();
  const database = new GameDatabase();
  await database.put([{ id: 'strange', pgn: 5 }]);
  const { games } = openTab({ database });
  assert.deepEqual(await games.list(), []);
  assert.equal(kept.parseReport({ id: 'x', moves: [], data: {} }), null);
  await database.delete('strange');
});

test('a newer entry is not overwritten by an older one', async () => {
  freshBrowser();
  const { games, analyse } = openTab();
  analyse.read('1. e4 *');
  const [game] = await stored(games);
  games.keep({ ...game, pgn: '1. d4 *', changed: game.changed - 1 });
  assert.equal((await stored(games))[0].pgn, game.pgn);
});

test('two tabs: the analysis follows', async () => {
  freshBrowser();
  const hub = new Hub();
  const first = openTab({ hub });
  first.analyse.read('1. e4 e5 *');
  first.analyse.leavePage();
  await first.games.flush();
  const second = openTab({ hub });
  second.analyse.restore();
  second.analyse.step(1);
  await settle();
  first.analyse.step(2);
  first.analyse.play('d3d4');
  first.analyse.leavePage();
  assert.deepEqual(
    second.analyse.session.tree.map(({ uci }) => uci),
    ['', 'e3e4', 'e6e5', 'd3d4'],
  );
  assert.equal(second.analyse.session.nodeById(second.analyse.session.node).uci, 'e3e4');
  // Both change it: both versions stay.
  await settle();
  second.analyse.play('h6h5');
  first.analyse.play('a6a5');
  first.analyse.leavePage();
  second.analyse.leavePage();
  await first.games.flush();
  const list = await stored(second.games);
  assert.equal(list.length, 2);
  assert.equal(list.filter(({ pgn }) => pgn.includes('h5')).length, 1);
  assert.equal(list.filter(({ pgn }) => pgn.includes('a5')).length, 1);
});

test('two tabs: a game is played in one of them', async () => {
  freshBrowser();
  const hub = new Hub();
  const first = openTab({ hub });
  first.play.begin({ ...GAME, level: 3 });
  await settle();
  first.play.choose({ uci: 'e3e4' });
  assert.ok(first.play.isThinking);
  await settle();
  const second = openTab({ hub });
  second.play.restore();
  assert.ok(second.play.isElsewhere);
  assert.equal(second.play.isThinking, false);
  assert.equal(second.play.isStuck, false);
  assert.equal(second.play.mayMove, false);
  assert.equal(first.play.isElsewhere, false);
  first.engine.end('done', { best: 'e6e5', stopsCount: false });
  await until(() => second.play.session.tree.length === 3);
  assert.deepEqual(
    second.play.session.tree.map(({ uci }) => uci),
    ['', 'e3e4', 'e6e5'],
  );
  assert.equal(second.play.mayMove, false);
  // The other tab takes it over, and this one follows.
  await settle();
  second.play.takeOver();
  assert.ok(second.play.mayMove);
  assert.ok(first.play.isElsewhere);
  second.play.choose({ uci: 'd3d4' });
  assert.equal(first.play.session.tree.length, 4);
  assert.equal((await stored(second.games)).length, 1);
});

test('the browser is asked once to keep what is stored', async () => {
  freshBrowser();
  let asked = 0;
  navigator.storage = {
    persist: async () => {
      asked += 1;
      return true;
    },
  };
  const { play } = openTab();
  play.begin(GAME);
  play.choose({ uci: 'e3e4' });
  assert.equal(asked, 0);
  play.resign();
  play.begin(GAME);
  play.choose({ uci: 'e3e4' });
  play.resign();
  assert.equal(asked, 1);
  delete navigator.storage;
});
