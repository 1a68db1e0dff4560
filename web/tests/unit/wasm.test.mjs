// The WebAssembly in Node, against the examples of the native tests.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Board, startFen } from 'sakmak/rules';
import { GameRecord, Library, SakmakError } from 'sakmak/study';

const web = join(dirname(fileURLToPath(import.meta.url)), '../..');
const root = join(web, '..');

const START = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';

/** The position after moves in coordinates. */
function after(fen, moves, rules = {}) {
  const record = new GameRecord(fen, rules);
  let node = 0;
  for (const move of moves) {
    node = record.play(node, move);
  }
  const view = record.view(node);
  record.free();
  return view;
}

test('perft counts what the native generator counts', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((plies) => new Board(START).perft(plies)),
    [23, 529, 12012, 273026, 6223994],
  );
  assert.equal(startFen(), START);
  assert.throws(() => new GameRecord('8/8 w'), { code: 'fen.ranks' });
});

test('the examples of the count', () => {
  const text = readFileSync(join(root, 'tests/data/counting.txt'), 'utf8');
  let examples = 0;
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    const [what, fen, moves, expected, outcome] = line.split(' | ');
    const view = after(fen, moves.split(' ').filter(Boolean));
    assert.equal(view.fen, expected, what);
    assert.equal(view.outcome === null, outcome === 'goes on', what);
    examples += 1;
  }
  assert.ok(examples > 50, String(examples));
});

test('the counts of the other systems', () => {
  // tests/data/rulesets.txt: 1.7, the last man is captured; 2 khon against a bare khun.
  const left = (ruleset) => {
    const fen = ruleset === 'cutechess' ? '8/2K3k1/5m2/4S1S1/8/8/8/8 w - 0 0 1' : '8/2K3k1/5m2/4S1S1/8/8/8/8 w - - 0 1';
    return after(fen, ['e5f6'], { ruleset }).count?.movesLeft ?? null;
  };
  assert.deepEqual(
    ['fairy-stockfish', 'cutechess', 'schemingmind', 'wikipedia', 'knowlton', 'cyningstan', 'none'].map(left),
    [18, 18, 18, 18, 18, 18, null],
  );
});

test('notation is written and read in all alphabets', () => {
  const record = new GameRecord(START);
  for (const text of ['Nd2', 'Nb1-d2', 'ม-ง๒', 'ม ข๑-ง๒', 'b1d2']) {
    assert.equal(record.readMove(0, text), 'b1d2', text);
  }
  const node = record.play(0, 'Nd2');
  const names = ['san', 'lan', 'thai-san', 'thai-lan', 'schemingmind', 'uci'].map(
    (notation) => record.tree(notation)[node].san,
  );
  assert.deepEqual(names, ['Nd2', 'Nb1-d2', 'ม-ง๒', 'ม ข๑-ง๒', 'Nd2', 'b1d2']);
  assert.equal(record.readMove(0, 'Nd3'), null);
});

test('the score sheet of the shared data, where it is there', { skip: !existsSync(sheet()) }, () => {
  const { record } = new Library(readFileSync(sheet(), 'utf8')).open(0);
  const line = record.lineThrough(0);
  assert.equal(line.length, 163);
  assert.deepEqual(record.view(line.at(-1)).outcome, { winner: 'b', reason: 'checkmate' });
});

function sheet() {
  return join(root, '../shared/data/schemingmind-game.txt');
}

test('games go through PGN unchanged, hostile ones end in a fault', () => {
  const pgn = GameRecord.read('1. e4! {a <b>} (1. d4) e5 2. Nd2 {[%eval 0.30]} *').pgn();
  assert.equal(GameRecord.read(pgn).pgn(), pgn);
  for (const text of ['', '{', '[', '(', '1. e4 (', `${'('.repeat(100)}`, '\0\0', '[FEN "x"]\n\n1. e4 *', '$']) {
    try {
      new Library(text).open(0);
    } catch (error) {
      assert.ok(error instanceof SakmakError && error.code.includes('.'), `${text}: ${error}`);
    }
  }
  // The module still works after all that.
  assert.equal(new GameRecord().view().moves.length, 23);
});
