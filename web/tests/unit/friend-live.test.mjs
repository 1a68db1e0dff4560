// Live games with a friend: two stores with a channel between them that the test moves on, and a clock of its own.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

globalThis.location = { href: 'https://example.org/makruk/#/play' };

const [{ LiveStore }, { MeetStore }, logs, links, kept, { GameStore }, { Tabs }, rules] = await load(
  'src/state/friend-live.ts',
  'src/state/friend-meet.ts',
  'src/state/friend-log.ts',
  'src/state/friend-link.ts',
  'src/state/friend-kept.ts',
  'src/state/games.ts',
  'src/state/tabs.ts',
  'src/rules/rules.ts',
);
await rules.loadRules();
const { FriendLog } = logs;

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const HANDSHAKE = { ufrag: 'abcd', pwd: 'a'.repeat(24), fingerprint: Array(32).fill('0A').join(':'), candidates: [] };

function newGames() {
  const refuses = async () => {
    throw new Error('in memory');
  };
  return new GameStore(refuses, new Tabs(), () => {});
}

/** Two pages and what lies in the channel between them. */
class Pair {
  time = { now: 1_000 };
  games = [newGames(), newGames()];
  queue = [];
  white = null;
  black = null;

  static async start(time = null, options = {}) {
    const pair = new Pair();
    pair.white = pair.store(0);
    pair.black = pair.store(1);
    const { fen, rules: chosen = RULES } = options;
    pair.white.begin({ rules: chosen, names: ['W', ''], time, ...(fen && { fen }) }, 'w');
    const { log } = pair.white;
    const packed = links.packLink({
      kind: 'offer',
      log,
      sender: 'w',
      left: pair.white.clock?.whole() ?? null,
      handshake: HANDSHAKE,
    });
    await pair.black.join(links.unpackLink(packed), 'B');
    pair.connect();
    pair.run();
    return pair;
  }

  store(at) {
    return new LiveStore(this.games[at], () => this.time.now);
  }

  connect() {
    const { white, black } = this;
    const wire = (to, back) => ({
      isOpen: true,
      send(text) {
        if (this.isOpen) {
          back.queue.push({ to, text });
        }
      },
      close() {
        this.isOpen = false;
      },
    });
    this.wires = [wire('black', this), wire('white', this)];
    white.connected(this.wires[0]);
    black.connected(this.wires[1]);
  }

  /** Delivers what lies in the channel, of one side only if it is named. */
  run(to = null) {
    for (;;) {
      const at = this.queue.findIndex((one) => to === null || one.to === to);
      if (at < 0) {
        return;
      }
      const [{ to: who, text }] = this.queue.splice(at, 1);
      this[who].received(this.wires[who === 'white' ? 0 : 1], text);
    }
  }

  /** The connection breaks: what is under way is lost. */
  cut() {
    this.queue = [];
    this.wires[0].isOpen = false;
    this.wires[1].isOpen = false;
    this.white.lost(this.wires[0]);
    this.black.lost(this.wires[1]);
  }

  /** Black's page is loaded again. */
  async reloadBlack() {
    this.black.leavePage();
    this.run();
    const { id } = this.black.log.header;
    this.black = this.store(1);
    this.black.resume(await kept.findFriend(this.games[1], id));
  }

  same() {
    assert.deepEqual(this.black.log.events, this.white.log.events);
    assert.deepEqual(this.black.log.result, this.white.log.result);
  }

  play(...moves) {
    for (const uci of moves) {
      const mover = this.white.isMyTurn ? this.white : this.black;
      assert.ok(mover.mayMove, uci);
      mover.move(uci);
      this.run();
    }
    this.same();
  }

  say(to, message) {
    this.queue.push({ to, text: typeof message === 'string' ? message : JSON.stringify(message) });
    this.run(to);
  }
}

function stopped(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
}

test('live: both see the same game to its end, and it is kept on both sides', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  assert.deepEqual([pair.white.stage, pair.black.stage, pair.black.side], ['playing', 'playing', 'b']);
  assert.deepEqual(pair.white.log.header.names, ['W', 'B']);
  let state = 3;
  while (!pair.white.log.result && pair.white.log.plies < 120) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const { moves } = pair.white.log.view;
    pair.play(moves[state % moves.length].uci);
  }
  pair.black.resign();
  pair.run();
  pair.same();
  assert.equal(pair.white.log.result.winner, 'w');
  for (const games of pair.games) {
    const [game, ...others] = await games.list();
    assert.deepEqual([others.length, game.result, game.kind], [0, '1-0', 'people']);
  }
});

test('live: a mate ends the game by the rules', async (t) => {
  stopped(t);
  const pair = await Pair.start(null, { fen: 'k7/8/1K6/8/8/8/8/7R w - - 0 1' });
  pair.play('h1h8');
  assert.deepEqual(pair.black.log.result, { winner: 'w', reason: 'checkmate' });
});

test('live: draws, requests to take back, and another game', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4', 'e6e5');
  pair.black.offerDraw();
  pair.run();
  assert.ok(pair.white.isOffered);
  pair.white.answerDraw(false);
  pair.run();
  assert.ok(pair.black.isDeclined);
  pair.white.askBack();
  pair.run();
  assert.equal(pair.black.back, 'wanted');
  pair.black.answerBack(false);
  pair.run();
  assert.equal(pair.white.back, 'declined');
  pair.play('d3d4');
  pair.white.askBack();
  pair.run();
  pair.black.answerBack(true);
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.log.plies, pair.white.back], [2, null]);
  pair.play('c3c4', 'c6c5');
  pair.white.askBack();
  pair.run();
  pair.black.answerBack(true);
  pair.run();
  assert.deepEqual([pair.white.log.plies, pair.white.isMyTurn], [2, true]);
  pair.white.offerDraw();
  pair.run();
  pair.black.answerDraw(true);
  pair.run();
  assert.deepEqual(pair.white.log.result, { winner: null, reason: 'agreement' });
  const { id } = pair.white.log.header;
  pair.black.playAgain();
  pair.run();
  assert.equal(pair.white.rematch, 'wanted');
  pair.white.playAgain();
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.side, pair.black.side], ['b', 'w']);
  assert.notEqual(pair.white.log.header.id, id);
  assert.equal(pair.white.log.header.id, pair.black.log.header.id);
  assert.deepEqual(pair.white.log.header.names, ['B', 'W']);
  pair.black.move('e3e4');
  pair.run();
  pair.same();
  assert.equal((await pair.games[0].list()).length, 2);
});

test('live: both ask for another game at once', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.white.resign();
  pair.run();
  pair.white.playAgain();
  pair.black.playAgain();
  pair.run();
  assert.equal(pair.white.log.header.id, pair.black.log.header.id);
  assert.deepEqual([pair.white.side, pair.black.side, pair.white.log.result], ['b', 'w', null]);
});

test('live: a count is started by hand', async (t) => {
  stopped(t);
  const pair = await Pair.start(null, {
    rules: { variant: 'makruk', ruleset: 'wikipedia', parts: 'CountClaim=manual CountStarted=-1' },
    fen: '8/8/3k4/8/8/3K4/4R3/r7 w - - 0 1',
  });
  for (const store of [pair.white, pair.black]) {
    if (store.log.view.byHand.start && store.isMyTurn) {
      store.count('start');
      pair.run();
      pair.same();
      assert.deepEqual(store.log.events, [{ what: 'count', word: 'start' }]);
      return;
    }
  }
  assert.fail('nobody may start the count');
});

test('live: events that cross are put in the same order on both sides', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  // White moves while Black offers a draw.
  pair.white.move('e3e4');
  pair.black.offerDraw();
  pair.run();
  pair.same();
  assert.deepEqual(
    pair.white.log.events.map(({ what }) => what),
    ['move', 'offer'],
  );
  assert.ok(pair.white.isOffered);
  // Black moves while White resigns.
  pair.black.move('e6e5');
  pair.white.resign();
  pair.run();
  pair.same();
  assert.equal(pair.white.log.result.winner, 'b');
});

test('live: several crossed events', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4');
  pair.white.offerDraw();
  pair.black.move('e6e5');
  pair.run('black');
  pair.run('white');
  pair.run();
  pair.same();
  pair.black.offerDraw();
  pair.white.move('d3d4');
  pair.run('black');
  pair.black.move('d6d5');
  pair.run();
  pair.same();
  assert.equal(pair.white.stage, 'playing');
  assert.equal(pair.white.log.plies, 4);
});

test('live: a consent to take back that crosses a move of the one who asked holds no more', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4', 'e6e5');
  pair.white.askBack();
  pair.run();
  pair.white.move('d3d4');
  pair.black.answerBack(true);
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.stage, pair.black.stage, pair.white.log.plies], ['playing', 'playing', 3]);
  pair.play('d6d5');
});

test('live: a consent to take back that crosses an offer of the one who asked holds, before the offer', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4', 'e6e5');
  pair.black.askBack();
  pair.run();
  pair.black.offerDraw();
  pair.white.answerBack(true);
  pair.run();
  pair.same();
  assert.deepEqual([pair.black.stage, pair.black.log.plies, pair.white.isOffered], ['playing', 1, true]);
  pair.play('e6e5');
});

test('live: both pages flag the same side', async (t) => {
  stopped(t);
  const pair = await Pair.start({ minutes: 1, seconds: 0 });
  pair.play('e3e4');
  pair.time.now += 63_000;
  t.mock.timers.tick(2_000);
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.stage, pair.black.stage], ['playing', 'playing']);
  assert.deepEqual(pair.white.log.result, { winner: 'w', reason: 'time' });
  pair.white.playAgain();
  pair.run();
  assert.equal(pair.black.rematch, 'wanted');
});

/** Black moves with a tenth of a second left, and White hears of it after three seconds more. */
async function late(t) {
  stopped(t);
  const pair = await Pair.start({ minutes: 1, seconds: 0 });
  pair.play('e3e4');
  pair.time.now += 59_900;
  pair.black.move('e6e5');
  pair.time.now += 3_000;
  t.mock.timers.tick(2_000);
  assert.deepEqual(pair.white.log.result, { winner: 'w', reason: 'time' });
  assert.equal(pair.black.log.result, null);
  return pair;
}

test('live: a move that comes after the flag was made in time: the game goes on', async (t) => {
  const pair = await late(t);
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.stage, pair.white.log.result, pair.black.stage], ['playing', null, 'playing']);
  pair.play('d3d4');
});

test('live: another game that is asked for after a flag is forgotten when the move was made in time', async (t) => {
  const pair = await late(t);
  pair.white.playAgain();
  assert.equal(pair.white.rematch, 'asked');
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.stage, pair.black.stage], ['playing', 'playing']);
  assert.deepEqual([pair.white.rematch, pair.black.rematch, pair.white.log.result], [null, null, null]);
  pair.play('d3d4');
});

test('live: a move that the flag has crossed stands after a new pair of links, too', async (t) => {
  const pair = await late(t);
  pair.cut();
  pair.connect();
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.stage, pair.white.log.result, pair.white.log.plies], ['playing', null, 2]);
  pair.play('d3d4');
});

test('live: a resignation that crosses the own flag changes nothing', async (t) => {
  stopped(t);
  for (const isCut of [false, true]) {
    const pair = await Pair.start({ minutes: 1, seconds: 0 });
    pair.play('e3e4');
    pair.time.now += 60_001;
    t.mock.timers.tick(2_000);
    assert.equal(pair.white.log.result, null);
    pair.white.resign();
    if (isCut) {
      pair.cut();
      pair.connect();
    }
    pair.run();
    pair.same();
    assert.deepEqual(pair.white.log.result, { winner: 'w', reason: 'time' });
  }
});

test('live: a reload in the middle, and a new pair of links goes on at the same move and clocks', async (t) => {
  stopped(t);
  const pair = await Pair.start({ minutes: 5, seconds: 3 });
  pair.time.now += 10_000;
  pair.play('e3e4');
  pair.time.now += 20_000;
  pair.play('e6e5');
  pair.time.now += 5_000;
  await pair.reloadBlack();
  assert.equal(pair.white.stage, 'lost');
  const before = pair.white.clock.whole();
  assert.deepEqual(before, [288_000, 283_000]);
  // The clocks stand.
  pair.time.now += 3_600_000;
  assert.deepEqual(pair.white.clock.whole(), before);
  assert.deepEqual(pair.black.clock.whole(), before);
  pair.connect();
  pair.run();
  assert.deepEqual([pair.white.stage, pair.black.stage], ['playing', 'playing']);
  pair.same();
  assert.deepEqual([pair.white.clock.whole(), pair.black.clock.whole()], [before, before]);
  pair.play('d3d4', 'd6d5');
});

test('live: what one side has not got when the connection breaks comes with the greeting', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4');
  pair.black.move('e6e5');
  pair.cut();
  assert.deepEqual([pair.white.log.plies, pair.black.log.plies], [1, 2]);
  pair.connect();
  pair.run();
  pair.same();
  pair.play('d3d4');
  // Both have something that the other has not.
  pair.black.move('d6d5');
  pair.white.offerDraw();
  pair.cut();
  pair.connect();
  pair.run();
  pair.same();
  assert.deepEqual([pair.white.log.plies, pair.black.isOffered], [4, true]);
  // A move that is given back without being seen stands.
  pair.white.askBack();
  pair.run();
  pair.black.answerBack(true);
  pair.cut();
  pair.connect();
  pair.run();
  pair.same();
  assert.equal(pair.black.log.plies, 4);
});

test('live: one who has lost the game gets it from the invitation', async (t) => {
  stopped(t);
  const pair = await Pair.start({ minutes: 5, seconds: 0 });
  pair.time.now += 4_000;
  pair.play('e3e4', 'e6e5');
  pair.cut();
  pair.games[1] = newGames();
  pair.black = pair.store(1);
  const { log, clock } = pair.white;
  const offer = links.packLink({ kind: 'offer', log, sender: 'w', left: clock.whole(), handshake: HANDSHAKE });
  await pair.black.join(links.unpackLink(offer), 'B');
  pair.connect();
  pair.run();
  pair.same();
  assert.deepEqual(pair.black.clock.whole(), [296_000, 300_000]);
});

test('live: copies that have parted end the session with the move, and both games stay', async (t) => {
  stopped(t);
  const pair = await Pair.start();
  pair.play('e3e4');
  pair.cut();
  pair.black.log.add({ what: 'move', uci: 'e6e5' });
  pair.black.log.add({ what: 'move', uci: 'd3d4' });
  pair.connect();
  pair.run();
  assert.deepEqual([pair.white.stage, pair.white.fault.code], ['ended', 'fork']);
  assert.equal(pair.white.fault.args.number, 1);
  assert.deepEqual([pair.white.log.plies, pair.black.log.plies], [1, 3]);
});

test('live: hostile messages end the session, not the game', async (t) => {
  stopped(t);
  const event = (one, at = 1, seen = 1) => ({ is: 'event', at, seen, event: one, left: null });
  const hostile = [
    ['message', 'no JSON'],
    ['message', 'x'.repeat(30_000)],
    ['message', { is: 'shutdown' }],
    ['message', { is: 'event', at: -1, seen: 0, event: { what: 'move', uci: 'e6e5' }, left: null }],
    ['message', event({ what: 'move', uci: 'e6e5'.repeat(100) })],
    ['message', event({ what: 'comment', text: '<b>' })],
    ['illegal', event({ what: 'move', uci: 'e6e3' })],
    ['illegal', event({ what: 'move', uci: 'd3d4' })],
    ['event', event({ what: 'resign', side: 'w' })],
    ['event', event({ what: 'agree', side: 'b' })],
    ['event', event({ what: 'back', side: 'b' })],
    ['event', event({ what: 'count', word: 'claim' })],
    ['clock', event({ what: 'flag', side: 'w' })],
    ['order', event({ what: 'move', uci: 'e6e5' }, 5)],
    ['order', event({ what: 'move', uci: 'e6e5' }, 1, 9)],
    ['order', { is: 'hello', version: 1, game: 'AAAA', left: null }],
    ['order', { is: 'rematch', id: 'ab'.repeat(12) }],
  ];
  for (const [code, message] of hostile) {
    const pair = await Pair.start();
    pair.play('e3e4');
    pair.say('white', message);
    const what = JSON.stringify(message).slice(0, 80);
    assert.deepEqual([pair.white.stage, pair.white.fault?.code], ['ended', code], what);
    assert.deepEqual([pair.white.log.plies, pair.white.log.result], [1, null], what);
    pair.run();
    assert.deepEqual([pair.black.stage, pair.black.fault.isTheirs], ['ended', true], what);
    // It can go on.
    pair.connect();
    pair.run();
    pair.play('e6e5');
  }
});

test('live: a greeting with another game, version or side is refused', async (t) => {
  stopped(t);
  const strange = new FriendLog({
    id: 'cd'.repeat(12),
    kind: 'live',
    rules: RULES,
    names: ['', ''],
    day: 1,
    time: null,
  });
  for (const [code, change] of [
    ['version', { version: 2 }],
    ['damaged', { game: 'AAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['other', { game: links.packLink({ kind: 'game', log: strange, sender: 'b', plan: new Uint8Array() }) }],
  ]) {
    const pair = await Pair.start();
    pair.cut();
    pair.connect();
    const greeting = JSON.parse(pair.queue.find(({ to }) => to === 'white').text);
    pair.queue = [];
    pair.say('white', { ...greeting, ...change });
    assert.deepEqual([pair.white.stage, pair.white.fault?.code], ['ended', code]);
  }
});

test('live: the clock of the side to move runs on both sides, and lag is not its player’s', async (t) => {
  stopped(t);
  const pair = await Pair.start({ minutes: 1, seconds: 2 });
  pair.time.now += 10_000;
  pair.white.move('e3e4');
  assert.deepEqual(pair.white.clock.whole(), [52_000, 60_000]);
  // The move takes 1.5 seconds to arrive.
  pair.time.now += 1_500;
  pair.run();
  assert.equal(pair.black.clock.whole()[0], 52_000);
  // A page that says it used no time is believed by two seconds only.
  pair.time.now += 20_000;
  const left = [52_000, 60_000];
  pair.say('white', { is: 'event', at: 1, seen: 1, event: { what: 'move', uci: 'e6e5' }, left });
  assert.equal(pair.white.clock.whole()[1], 60_000 - 21_500 + 2_000 + 2_000);
});

test('live: time that is over ends the game; the other side waits two seconds for the move', async (t) => {
  stopped(t);
  const pair = await Pair.start({ minutes: 1, seconds: 0 });
  pair.play('e3e4');
  pair.time.now += 60_001;
  t.mock.timers.tick(2_000);
  pair.run();
  pair.same();
  assert.deepEqual(pair.white.log.result, { winner: 'w', reason: 'time' });
  // Black's page says nothing.
  const silent = await Pair.start({ minutes: 1, seconds: 0 });
  silent.play('e3e4');
  silent.black.leave = () => {};
  silent.wires[1].isOpen = false;
  silent.time.now += 61_000;
  t.mock.timers.tick(2_000);
  assert.equal(silent.white.log.result, null);
  silent.time.now += 2_000;
  t.mock.timers.tick(2_000);
  assert.deepEqual(silent.white.log.result, { winner: 'w', reason: 'time' });
});

/** Connections of one page: what it was asked for, in order. */
function meeting(live) {
  const made = [];
  const meet = new MeetStore(live, (failed) => {
    const maker = { calls: [], failed };
    for (const name of ['offer', 'answer', 'accept', 'close']) {
      maker[name] = async (handshake) => {
        maker.calls.push(name);
        if (maker.breaks) {
          throw new Error('the browser refuses');
        }
        return name === 'accept' ? undefined : (handshake ?? HANDSHAKE);
      };
    }
    made.push(maker);
    return maker;
  });
  return { meet, made };
}

const opened = (link) => links.unpackLink(links.packedIn(link));

test('meeting: an invitation, its answer, and answers that belong to none', async () => {
  const [host, guest] = [new LiveStore(newGames()), new LiveStore(newGames())];
  host.begin({ rules: RULES, names: ['W', ''], time: null }, 'w');
  const [a, b] = [meeting(host), meeting(guest)];
  await a.meet.invite();
  const offer = opened(a.meet.link);
  assert.deepEqual([a.meet.mode, offer.kind, offer.sender], ['inviting', 'offer', 'w']);
  // The own invitation, opened by mistake, ends nothing.
  await assert.rejects(a.meet.join(offer, 'W'), { code: 'wrongLink' });
  assert.equal(a.meet.mode, 'inviting');
  await b.meet.join(offer, 'B');
  const answer = opened(b.meet.link);
  assert.deepEqual([b.meet.mode, answer.kind, answer.name, guest.side], ['answering', 'answer', 'B', 'b']);
  assert.equal(b.meet.isMine(answer), false);
  await assert.rejects(a.meet.take({ ...answer, id: 'ef'.repeat(12) }), { code: 'wrongAnswer' });
  await assert.rejects(b.meet.take(answer), { code: 'wrongAnswer' });
  await a.meet.take(answer);
  assert.equal(a.meet.isConnecting, true);
  await assert.rejects(a.meet.take(answer), { code: 'wrongAnswer' });
  assert.deepEqual(a.made[0].calls, ['offer', 'accept']);
});

test('meeting: a connection that cannot be made is reported, and another can be tried', async () => {
  const live = new LiveStore(newGames());
  live.begin({ rules: RULES, names: ['', ''], time: null }, 'w');
  const { meet, made } = meeting(live);
  await meet.invite();
  made[0].failed();
  assert.deepEqual([meet.mode, meet.isFailed, meet.link], [null, true, '']);
  await meet.invite();
  assert.deepEqual([meet.mode, meet.isFailed], ['inviting', false]);
  // What an earlier connection says is no longer heard.
  made[0].failed();
  assert.equal(meet.mode, 'inviting');
  meet.cancel();
  assert.ok(made[1].calls.includes('close'));
  const refusing = new MeetStore(live, () => ({ offer: () => Promise.reject(new Error('no')), close() {} }));
  await assert.rejects(refusing.invite(), { code: 'browser' });
  assert.equal(refusing.mode, null);
});
