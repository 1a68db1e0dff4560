// Games with a friend by links: the format, hostile links, resuming, forks, conditional moves.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { load } from '../source.mjs';

globalThis.location = { href: 'https://example.org/makruk/#/play' };

const [bytes, logs, links, plans, kept, { MailStore }, sdp, { GameStore }, { Tabs }, rules, en, th] = await load(
  'src/state/friend-bytes.ts',
  'src/state/friend-log.ts',
  'src/state/friend-link.ts',
  'src/state/friend-plan.ts',
  'src/state/friend-kept.ts',
  'src/state/friend-mail.ts',
  'src/state/friend-sdp.ts',
  'src/state/games.ts',
  'src/state/tabs.ts',
  'src/rules/rules.ts',
  'src/messages/friend-en.ts',
  'src/messages/friend-th.ts',
);
await rules.loadRules();
const { FriendLog, FriendFault, FAULT_CODES, commonEvents, replayed } = logs;
const { packLink, unpackLink, packedIn } = links;

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const HEADER = {
  id: 'a1'.repeat(12),
  kind: 'mail',
  rules: RULES,
  names: ['Somchai', 'สมหญิง'],
  day: 20_000,
  time: null,
};
const NO_PLAN = new Uint8Array();
const move = (uci) => ({ what: 'move', uci });

/** A game of random moves, from seed to seed the same. */
function randomGame(plies, seed = 1, header = HEADER) {
  const log = new FriendLog(header);
  let state = seed;
  while (log.plies < plies && !log.result) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const { moves } = log.view;
    log.add(move(moves[state % moves.length].uci));
  }
  return log;
}

const codeOf = (act) => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof FriendFault, String(error));
    return error.code;
  }
  return null;
};

test('bytes: numbers, texts and blocks come back; what is cut or changed is damaged', () => {
  const out = new bytes.ByteWriter();
  for (const number of [0, 127, 128, 300, 2 ** 40]) {
    out.number(number);
  }
  out.text('ขุน');
  out.block(Uint8Array.of(1, 2, 3));
  const input = new bytes.ByteReader(bytes.fromText(bytes.toText(out.done())));
  assert.deepEqual(
    [0, 127, 128, 300, 2 ** 40].map(() => input.number()),
    [0, 127, 128, 300, 2 ** 40],
  );
  assert.equal(input.text(10), 'ขุน');
  assert.deepEqual([...input.block()], [1, 2, 3]);
  assert.ok(input.isAtEnd);
  const text = bytes.toText(out.done());
  assert.match(text, /^[\w-]+$/);
  for (const broken of [text.slice(0, -1), text.slice(1), `${text}A`, text.replace(/[A-Z]/, '~'), '', 'AAAA']) {
    assert.throws(() => bytes.fromText(broken), bytes.DamagedLink, broken);
  }
});

test('link: a game of 150 moves stays below 600 characters', () => {
  for (const seed of [1, 2, 3, 4]) {
    const log = randomGame(300, seed);
    const text = packLink({ kind: 'game', log, sender: 'w', plan: NO_PLAN });
    assert.ok(text.length < 600, `${log.plies} plies: ${text.length}`);
    const back = unpackLink(text);
    assert.deepEqual(back.log.events, log.events);
    assert.deepEqual(back.log.header, log.header);
  }
  const longest = [1, 2, 3, 4].map((seed) => randomGame(300, seed).plies);
  assert.ok(Math.max(...longest) === 300, String(longest));
});

test('link: rules, position, comments, count, offers and ends come back', () => {
  const header = {
    ...HEADER,
    rules: { variant: 'makruk', ruleset: 'wikipedia', parts: 'CountClaim=manual CountStarted=-1' },
  };
  const log = new FriendLog({ ...header, fen: '8/8/3k4/8/8/3K4/4R3/r7 w - - 0 1' });
  log.add(move('e2e3'));
  log.add({ what: 'comment', text: 'เดินดี' });
  log.add({ what: 'offer', side: 'w' });
  log.add({ what: 'decline', side: 'b' });
  if (log.view.byHand.start) {
    log.add({ what: 'count', word: 'start' });
  }
  log.add({ what: 'resign', side: 'b' });
  const back = unpackLink(packLink({ kind: 'game', log, sender: 'b', plan: Uint8Array.of(9) }));
  assert.deepEqual([back.log.events, back.log.header, back.log.result], [log.events, log.header, log.result]);
  assert.deepEqual([back.sender, [...back.plan], back.log.result], ['b', [9], { winner: 'w', reason: 'resign' }]);
});

test('link: damage, other versions, illegal moves and too long ones have clear faults', () => {
  const log = randomGame(30);
  const text = packLink({ kind: 'game', log, sender: 'w', plan: NO_PLAN });
  let state = 7;
  for (let round = 0; round < 200; round++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state % text.length;
    const letter = 'ABCDEFGHabcdefgh0123'[(state >>> 8) % 20];
    const changed = text.slice(0, at) + letter + text.slice(at + 1);
    if (changed !== text) {
      assert.equal(
        codeOf(() => unpackLink(changed)),
        'damaged',
      );
    }
  }
  // The same with a right checksum: a fault or another legal game, never another error.
  const raw = bytes.fromText(text);
  const seen = new Set();
  for (let at = 0; at < raw.length; at++) {
    for (const value of [0, 1, 4, 127, 255, raw[at] ^ 1]) {
      const changed = Uint8Array.from(raw);
      changed[at] = value;
      seen.add(codeOf(() => unpackLink(bytes.toText(changed))));
    }
  }
  assert.ok(seen.has('illegal') && seen.has('version') && seen.has('event'), [...seen].join());
  assert.equal(
    codeOf(() => unpackLink('A'.repeat(30_000))),
    'damaged',
  );
  assert.equal(packedIn(`see https://example.org/makruk/#/friend/${text} `), text);
  assert.equal(packedIn(text), text);
  assert.equal(packedIn('hello'), null);
});

test('log: the rules check each event, and a refused one changes nothing', () => {
  const log = new FriendLog(HEADER);
  assert.equal(
    codeOf(() => log.add(move('e3e5'))),
    'illegal',
  );
  assert.equal(
    codeOf(() => log.add({ what: 'comment', text: 'before' })),
    'event',
  );
  assert.equal(
    codeOf(() => log.add({ what: 'agree', side: 'w' })),
    'event',
  );
  assert.equal(
    codeOf(() => log.add({ what: 'count', word: 'start' })),
    'event',
  );
  assert.equal(
    codeOf(() => log.add({ what: 'back', side: 'w' })),
    'event',
  );
  assert.deepEqual(log.events, []);
  log.add(move('e3e4'));
  log.add({ what: 'offer', side: 'w' });
  assert.equal(
    codeOf(() => log.add({ what: 'offer', side: 'b' })),
    'event',
  );
  log.add(move('e6e5'));
  assert.equal(log.offer, null);
  log.add({ what: 'resign', side: 'b' });
  assert.equal(
    codeOf(() => log.add(move('d3d4'))),
    'over',
  );
  assert.deepEqual(log.authors, ['w', 'w', 'b', 'b']);
  assert.equal(commonEvents(log.events, replayed(log, 2).events), 2);
  assert.equal(
    codeOf(() => new FriendLog({ ...HEADER, fen: 'no position' })),
    'start',
  );
  assert.equal(
    codeOf(() => new FriendLog({ ...HEADER, rules: { ...RULES, ruleset: 'none such' } })),
    'start',
  );
});

test('log: a bare khun does not win on time', () => {
  const log = new FriendLog({ ...HEADER, kind: 'live', fen: '8/8/3k4/8/8/3K4/4R3/8 w - - 0 1' });
  log.add({ what: 'flag', side: 'w' });
  assert.deepEqual(log.result, { winner: null, reason: 'timeBare' });
});

test('plan: lines are added, replaced, followed and taken out', () => {
  let plan = plans.withLine([], ['e6e5', 'd3d4', 'd6d5', 'c3c4']);
  plan = plans.withLine(plan, ['e6e5', 'd3d4', 'c6c5', 'b3b4']);
  plan = plans.withLine(plan, ['d6d5', 'd3d4']);
  assert.deepEqual(plans.linesOf(plan), [
    ['e6e5', 'd3d4', 'd6d5', 'c3c4'],
    ['e6e5', 'd3d4', 'c6c5', 'b3b4'],
    ['d6d5', 'd3d4'],
  ]);
  assert.deepEqual(plans.follow(plan, ['d6d5']), { plan: [], due: 'd3d4' });
  assert.equal(plans.follow(plan, ['e6e5', 'd3d4']).plan.length, 2);
  assert.equal(plans.follow(plan, ['e6e5', 'c3c4']), null);
  assert.deepEqual(plans.follow(plan, ['h6h5']), { plan: [], due: null });
  plan = plans.withoutLine(plan, ['e6e5', 'd3d4', 'd6d5', 'c3c4']);
  assert.equal(plans.linesOf(plan).length, 2);
  assert.deepEqual(plans.linesOf(plans.withLine(plan, ['d6d5', 'c3c4'])).at(-1), ['d6d5', 'c3c4']);
});

test('plan: an answer is sealed with its move, and hostile bytes give none', () => {
  const log = new FriendLog(HEADER);
  log.add(move('e3e4'));
  const plan = plans.withLine(plans.withLine([], ['e6e5', 'd3d4', 'd6d5', 'c3c4']), ['d6d5', 'd3d4']);
  const seal = plans.sealed(log, plan);
  assert.equal(plans.unsealed(log, seal, 'c6c5'), null);
  const { answer, rest } = plans.unsealed(log, seal, 'e6e5');
  assert.equal(answer, 'd3d4');
  log.add(move('e6e5'));
  log.add(move('d3d4'));
  assert.equal(plans.unsealed(log, rest, 'd6d5').answer, 'c3c4');
  for (let length = 0; length < seal.length; length++) {
    plans.unsealed(log, seal.slice(0, length), 'd6d5');
  }
  assert.equal(plans.sealed(log, [{ move: 'a1a9', answer: 'b1b2', next: [] }]).length, 0);
});

/** The page of one player: a database of its own would need a process of its own, so games stay in memory. */
function page() {
  const refuses = async () => {
    throw new Error('in memory');
  };
  const games = new GameStore(refuses, new Tabs(), () => {});
  return { games, mail: new MailStore(games) };
}

const opened = (link) => unpackLink(packedIn(link));

test('by links: a whole game, a move each', async () => {
  const [white, black] = [page(), page()];
  white.mail.begin({ rules: RULES, names: ['W', ''] }, 'w');
  const script = randomGame(60, 5).events;
  const pages = [white.mail, black.mail];
  for (const [ply, event] of script.entries()) {
    const [mover, waiting] = ply % 2 === 0 ? pages : [...pages].reverse();
    assert.ok(mover.mayMove);
    mover.move(event.uci);
    assert.ok(mover.isUnsent && !mover.mayMove);
    if (ply === 3) {
      mover.setComment('  well played ');
    }
    const { link } = mover;
    mover.sent();
    assert.equal(mover.isUnsent, false);
    await waiting.open(opened(link));
    assert.equal(waiting.note, ply === 0 ? 'new' : 'goesOn');
    assert.equal(waiting.side, ply % 2 === 0 ? 'b' : 'w');
  }
  assert.equal(black.mail.log.plies, 60);
  assert.ok(white.mail.log.events.some(({ text }) => text === 'well played'));
  assert.match(white.mail.log.session.record.pgn(), /well played/);
  // An older link and the same one change nothing.
  const last = black.mail.log.events.length;
  await black.mail.open({ kind: 'game', log: replayed(black.mail.log, 8), sender: 'w', plan: NO_PLAN });
  assert.deepEqual([black.mail.note, black.mail.log.events.length], ['older', last]);
  await black.mail.open({ kind: 'game', log: replayed(black.mail.log), sender: 'w', plan: NO_PLAN });
  assert.equal(black.mail.note, 'known');
  // It is one game among My games, and goes on after a reload.
  const [game, ...others] = await black.games.list();
  assert.deepEqual([others.length, game.kind, game.id], [0, 'people', black.mail.log.header.id]);
  const state = kept.friendOf(JSON.parse(JSON.stringify(game)));
  assert.deepEqual([state.side, state.log.events.length], ['b', last]);
});

test('by links: what is not sent can be taken back, what is sent cannot', () => {
  const { mail } = page();
  mail.begin({ rules: RULES, names: ['', ''] }, 'w');
  mail.move('e3e4');
  mail.undo();
  assert.ok(mail.mayMove && mail.log.plies === 0);
  mail.move('d3d4');
  mail.offerDraw();
  mail.sent();
  assert.equal(mail.mayUndo, false);
  mail.resign();
  assert.deepEqual(mail.log.result, { winner: 'b', reason: 'resign' });
});

test('by links: draw offers are agreed to, or answered by a move', async () => {
  const [white, black] = [page(), page()];
  white.mail.begin({ rules: RULES, names: ['', ''] }, 'w');
  white.mail.move('e3e4');
  white.mail.offerDraw();
  await black.mail.open(opened(white.mail.link));
  assert.ok(black.mail.isOffered);
  black.mail.agree();
  await white.mail.open(opened(black.mail.link));
  assert.deepEqual(white.mail.log.result, { winner: null, reason: 'agreement' });
});

test('by links: conditional moves answer at once, on the sender’s device or in the link', async () => {
  for (const isSent of [false, true]) {
    const [white, black] = [page(), page()];
    white.mail.begin({ rules: RULES, names: ['', ''] }, 'w');
    white.mail.move('e3e4');
    white.mail.addLine(['e6e5', 'd3d4', 'd6d5', 'c3c4']);
    white.mail.sendPlan(isSent);
    await black.mail.open(opened(white.mail.link));
    white.mail.sent();
    black.mail.move('e6e5');
    if (isSent) {
      assert.equal(black.mail.note, 'answered');
      assert.ok(black.mail.mayMove && black.mail.log.plies === 3);
      // The answer is seen: the move before it stands.
      assert.equal(black.mail.mayUndo, false);
      black.mail.move('d6d5');
      assert.equal(black.mail.log.plies, 5);
      black.mail.move('c6c5');
      await white.mail.open(opened(black.mail.link));
      assert.deepEqual([white.mail.note, white.mail.log.plies], ['goesOn', 6]);
    } else {
      assert.equal(black.mail.log.plies, 2);
      await white.mail.open(opened(black.mail.link));
      assert.deepEqual([white.mail.note, white.mail.log.plies], ['planned', 3]);
      assert.ok(white.mail.isUnsent);
      assert.equal(white.mail.plan.length, 1);
    }
  }
});

test('by links: a fork is named and nothing is lost', async () => {
  const [white, black] = [page(), page()];
  white.mail.begin({ rules: RULES, names: ['', ''] }, 'w');
  white.mail.move('e3e4');
  const first = white.mail.link;
  white.mail.sent();
  await black.mail.open(opened(first));
  black.mail.move('e6e5');
  const answer = black.mail.link;
  black.mail.undo();
  black.mail.move('d6d5');
  const otherAnswer = black.mail.link;
  await white.mail.open(opened(answer));
  white.mail.move('d3d4');
  white.mail.sent();
  await white.mail.open(opened(otherAnswer));
  assert.deepEqual([white.mail.question.kind, white.mail.question.number], ['fork', 1]);
  assert.equal(white.mail.mayMove, false);
  white.mail.keepMine();
  assert.equal(white.mail.log.plies, 3);
  await white.mail.open(opened(otherAnswer));
  white.mail.takeLink();
  assert.deepEqual(
    white.mail.log.events.map(({ uci }) => uci),
    ['e3e4', 'd6d5'],
  );
  const all = await white.games.list();
  assert.deepEqual(all.map(({ moves }) => moves).sort(), ['e3e4 d6d5', 'e3e4 e6e5 d3d4']);
});

test('by links: moves of one’s own that were not made here are asked about', async () => {
  const [white, black] = [page(), page()];
  white.mail.begin({ rules: RULES, names: ['', ''] }, 'w');
  white.mail.move('e3e4');
  white.mail.sent();
  await black.mail.open(opened(white.mail.link));
  const forged = replayed(black.mail.log);
  forged.add(move('e6e5'));
  forged.add(move('a3a4'));
  await white.mail.open({ kind: 'game', log: forged, sender: 'b', plan: NO_PLAN });
  assert.equal(white.mail.question.kind, 'own');
  assert.equal(white.mail.log.plies, 1);
  const resigned = replayed(black.mail.log);
  resigned.add({ what: 'resign', side: 'w' });
  await white.mail.open({ kind: 'game', log: resigned, sender: 'b', plan: NO_PLAN });
  assert.equal(white.mail.question.kind, 'own');
  assert.equal(white.mail.log.result, null);
  // Another game under the same name.
  const renamed = new FriendLog({ ...white.mail.log.header, rules: { ...RULES, ruleset: 'knowlton' } });
  await assert.rejects(white.mail.open({ kind: 'game', log: renamed, sender: 'b', plan: NO_PLAN }), { code: 'other' });
  // The own link on another device of the same person is simply taken.
  const second = page();
  await second.mail.open(opened(black.mail.link));
  assert.equal(second.mail.side, 'w');
});

test('handshake: what Chromium and Firefox write comes back as a description, and nothing else of a link does', () => {
  const fingerprint = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0').toUpperCase()).join(':');
  const text = [
    'v=0',
    'a=candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 0.0.0.0 rport 0 generation 0',
    'a=candidate:1 1 UDP 2122252543 8f1c2d3e-aaaa-bbbb-cccc-0123456789ab.local 50123 typ host',
    'a=candidate:2 1 tcp 2105524479 192.168.1.2 9 typ host tcptype active',
    'a=ice-ufrag:Ab1+',
    'a=ice-pwd:0123456789abcdefghijklmn',
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:actpass',
  ].join('\r\n');
  const handshake = sdp.handshakeOf(text);
  assert.deepEqual(
    handshake.candidates.map(({ kind, port }) => [kind, port]),
    [
      ['srflx', 46154],
      ['host', 50123],
    ],
  );
  assert.deepEqual(sdp.handshakeOf(sdp.sdpOf(handshake, 'offer')), handshake);
  assert.match(sdp.sdpOf(handshake, 'answer'), /a=setup:active/);
  assert.equal(sdp.handshakeOf('v=0'), null);
  const log = new FriendLog({ ...HEADER, kind: 'live', time: { minutes: 5, seconds: 3 } });
  const offer = { kind: 'offer', log, sender: 'w', left: [1000, 2000], handshake };
  const packed = packLink(offer);
  const back = unpackLink(packed);
  assert.deepEqual([back.left, back.handshake, back.log.header], [offer.left, handshake, log.header]);
  assert.ok(packed.length < 350, String(packed.length));
  const answer = { kind: 'answer', id: HEADER.id, name: 'B', handshake };
  assert.deepEqual(unpackLink(packLink(answer)), answer);
  for (const change of [
    { ufrag: 'a\r\na=x' },
    { candidates: [{ kind: 'host', host: 'example.org', port: 5 }] },
    { candidates: [{ kind: 'host', host: '1.2.3.4', port: 0 }] },
  ]) {
    const hostile = packLink({ ...answer, handshake: { ...handshake, ...change } });
    assert.equal(
      codeOf(() => unpackLink(hostile)),
      'damaged',
    );
  }
});

test('words: Thai has each of English with its arguments, and each is used', () => {
  const args = (text) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name));
  assert.deepEqual(Object.keys(th.friendTh).sort(), Object.keys(en.friendEn).sort());
  for (const [key, text] of Object.entries(th.friendTh)) {
    for (const name of args(text)) {
      assert.ok(args(en.friendEn[key]).has(name), `${key}: ${name}`);
    }
    assert.doesNotMatch(text, /[๐-๙]/, key);
  }
  const root = join(import.meta.dirname, '../../src/ui/friend');
  const source = readdirSync(root)
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  const prefixes = [...source.matchAll(/`(friend\.[\w.]+\.)\$\{/g)].map(([, prefix]) => prefix);
  const unused = Object.keys(en.friendEn).filter(
    (key) => !source.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  assert.deepEqual(unused, []);
  for (const code of FAULT_CODES) {
    assert.ok(`friend.fault.${code}` in en.friendEn, code);
  }
});
