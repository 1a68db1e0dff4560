// Which sounds belong to a move, what they are made of, and who hears them.
import './browser.mjs';
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { GameRecord } from 'sakmak/study';
import { load } from '../source.mjs';
import { FakeEngine } from './browser.mjs';

const [
  cues,
  synth,
  speech,
  { watchMoves },
  { PlayStore },
  { GameStore },
  { GameDatabase },
  { Tabs },
  rules,
  state,
  { EngineQueue },
] = await load(
  'src/sound/cues.ts',
  'src/sound/synth.ts',
  'src/sound/speech.ts',
  'src/sound/watch.ts',
  'src/state/play.ts',
  'src/state/games.ts',
  'src/state/games-db.ts',
  'src/state/tabs.ts',
  'src/rules/rules.ts',
  'src/state/settings.ts',
  'src/engine/queue.ts',
);
await rules.loadRules();

/** Sounds and spoken number of the last of some moves. */
function heard(fen, ...moves) {
  const record = new GameRecord(fen);
  let node = 0;
  let before = record.view(0);
  let move;
  for (const uci of moves) {
    before = record.view(node);
    move = before.moves.find((one) => one.uci === uci);
    assert.ok(move, uci);
    node = record.play(node, uci);
  }
  const after = record.view(node);
  return [cues.cuesOf(move, before, after), cues.spokenNumber(before, after)];
}

const START = undefined;

test('a move, a capture, a bia that is turned over, check, mate', () => {
  assert.deepEqual(heard(START, 'e3e4'), [['move'], null]);
  assert.deepEqual(heard(START, 'e3e4', 'd6d5', 'e4d5'), [['capture'], null]);
  assert.deepEqual(heard('4k3/8/8/P7/8/7p/8/4K3 w - - 0 1', 'a5a6m'), [['move', 'turn'], null]);
  assert.deepEqual(heard('4k3/8/8/p7/8/7P/8/R3K3 w - - 0 1', 'a1a5'), [['capture'], null]);
  assert.deepEqual(heard('4k3/8/8/p7/8/7P/8/1R2K3 w - - 0 1', 'b1b8')[0], ['move', 'check']);
  assert.deepEqual(heard('7k/R7/8/8/8/7P/8/1R2K3 w - - 0 1', 'b1b8')[0], ['move', 'end']);
});

test('a count begins, the counting side speaks its numbers, the last ones are heard', () => {
  const fen = '4k3/8/8/3m4/4M3/8/8/R3K3 w - - 0 1';
  assert.deepEqual(heard(fen, 'e4d5'), [['capture', 'count'], null]);
  assert.deepEqual(heard(fen, 'e4d5', 'e8e7'), [['move'], 5]);
  assert.deepEqual(heard(fen, 'e4d5', 'e8e7', 'a1a2'), [['move'], null]);
  // 16 moves, five of them left.
  const late = '4k3/8/8/8/8/2M~5/8/R3K3 w - 32 23 1';
  const [sounds, number] = heard(late, 'a1a2', 'e8d8');
  assert.deepEqual(sounds, ['move', 'late']);
  assert.ok(number > 10, String(number));
});

test('each sound is short, audible, never too loud, and ends in silence', () => {
  for (const cue of ['move', 'capture', 'turn', 'check', 'count', 'late', 'end']) {
    const samples = synth.samplesOf(cue, 48_000);
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.2 && peak <= 1, `${cue}: ${peak}`);
    assert.ok(samples.every(Number.isFinite), cue);
    assert.ok(synth.lengthOf(cue) < 1.1, cue);
    assert.equal(Math.abs(samples.at(-1)), 0, cue);
    assert.ok(synth.VIBRATIONS[cue].length % 2 === 1, cue);
  }
  assert.ok(synth.lengthOf('move') < 0.4);
  assert.deepEqual(synth.samplesOf('move', 8_000), synth.samplesOf('move', 8_000));
});

test('only voices of the device speak', () => {
  const said = [];
  let voices = [];
  globalThis.speechSynthesis = { getVoices: () => voices, cancel() {}, speak: (one) => said.push(one) };
  globalThis.SpeechSynthesisUtterance = class {
    constructor(text) {
      this.text = text;
    }
  };
  voices = [
    { lang: 'th-TH', localService: false },
    { lang: 'en-GB', localService: true, name: 'own' },
  ];
  assert.equal(speech.localVoice('th'), null);
  speech.speak(7, 'th', 1);
  assert.deepEqual(said, []);
  speech.speak(7, 'en', 1);
  assert.equal(said[0].text, '7');
  assert.equal(said[0].voice.name, 'own');
  voices.push({ lang: 'th_TH', localService: true, name: 'thai' });
  assert.equal(speech.localVoice('th').name, 'thai');
  delete globalThis.speechSynthesis;
});

function playing(game) {
  const games = new GameStore(
    async () => new GameDatabase(),
    new Tabs(),
    () => {},
  );
  const engine = new FakeEngine();
  const store = new PlayStore(new EngineQueue(engine), games);
  const sounds = [];
  watchMoves([store], () => store.session && { session: store.session, isOver: store.isOver }, {
    cues: (list) => sounds.push(list.join(' ')),
    number: (number) => sounds.push(number),
  });
  const makruk = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
  store.begin({ level: null, side: 'w', time: null, rules: makruk, ...game });
  return { store, engine, sounds };
}

const choose = (store, uci) => store.choose(store.session.view.moves.find((move) => move.uci === uci));

test('moves that are made and gone to are heard, steps back and jumps are not, resigning is', () => {
  const { store, sounds } = playing({});
  assert.deepEqual(sounds, []);
  choose(store, 'e3e4');
  choose(store, 'd6d5');
  choose(store, 'e4d5');
  assert.deepEqual(sounds, ['move', 'move', 'capture']);
  store.step(-1);
  store.step(-1_000_000);
  assert.equal(sounds.length, 3);
  store.step(1_000_000);
  assert.equal(sounds.length, 3);
  store.step(-1);
  store.step(1);
  assert.deepEqual(sounds.slice(3), ['capture']);
  store.takeBack();
  assert.equal(sounds.length, 4);
  store.resign();
  store.show(0);
  assert.deepEqual(sounds.slice(4), ['end']);
});

test('a move of the engine is heard while an earlier position is shown', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { store, engine, sounds } = playing({ level: 3 });
  choose(store, 'e3e4');
  store.step(-1);
  engine.end('done', { best: 'd6d5', stopsCount: false });
  t.mock.timers.tick(1_000);
  assert.deepEqual(sounds, ['move', 'move']);
});

test('numbers are spoken if that is wanted', () => {
  state.settings.set({ speak: true, warn: false });
  const { store, sounds } = playing({ fen: '4k3/8/8/3m4/4M3/8/8/R3K3 w - - 0 1' });
  choose(store, 'e4d5');
  choose(store, 'e8e7');
  state.settings.set({ speak: false });
  choose(store, 'a1a2');
  choose(store, 'e7e8');
  assert.deepEqual(sounds, ['capture count', 'move', 5, 'move', 'move']);
});
