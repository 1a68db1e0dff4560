// The board without a browser: what it computes, agrees with `sakmak/rules`; its drawings and its size.
// consumers/board.mjs tests it in Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createBoard } from 'sakmak/board';
import { latin, plain, thai } from 'sakmak/board-sets';
import { Board } from 'sakmak/rules';

/** The board's sizes by gzip: script with the default set, and CSS. */
const MOST_BYTES = 25_000;

const source = `
  export * from './geometry.js';
  export { initialState, configure, movePiece, destsOf } from './state.js';
  export { follow } from './follow.js';
  export { carved } from './pieces/carved.js';`;
const resolveDir = fileURLToPath(new URL('../src/board-view', import.meta.url));
const stdin = { contents: source, resolveDir };
const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm' });
const parts = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
const { carved, configure, destsOf, follow, initialState, movePiece, reachable, readFen, writeFen } = parts;

const css = readFileSync(new URL('../src/board-view/board.css', import.meta.url), 'utf8');

/** Numbers from 0 to `below`, the same in each run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

test('script, default set and CSS are small', () => {
  const sizes = ['board-view.js', 'board.css'].map(
    (file) => gzipSync(readFileSync(new URL(`../dist/${file}`, import.meta.url)), { level: 9 }).length,
  );
  assert.ok(sizes[0] + sizes[1] <= MOST_BYTES, sizes.join(' + '));
});

test('it can be imported where there is no page', () => {
  assert.equal(typeof createBoard, 'function');
});

test('moves of random games: as the rules have them', () => {
  const random = numbers(48);
  let promotions = 0;
  for (let game = 0; game < 20; game++) {
    const rules = new Board();
    const state = initialState();
    for (let ply = 0; ply < 120 && !rules.isGameOver(); ply++) {
      const moves = rules.moves({ verbose: true });
      const { from, to } = moves[random(moves.length)];
      configure(state, { fen: rules.fen({ promoted: true }), movable: { color: 'both', dests: rules.dests() } });
      assert.deepEqual(writeFen(state.pieces), rules.fen({ promoted: true }).split(' ')[0]);
      for (const move of moves) {
        const code = state.pieces.get(move.from);
        assert.ok(reachable(code, move.from).includes(move.to), `${code} ${move.from}${move.to}`);
        assert.ok(destsOf(state, move.from).includes(move.to));
      }
      const captured = movePiece(state, from, to);
      assert.equal(captured === null, rules.get(to) === null);
      rules.move({ from, to });
      assert.equal(writeFen(state.pieces), rules.fen({ promoted: true }).split(' ')[0]);
      assert.equal(state.turnColor, rules.turn() === 'w' ? 'white' : 'black');
      const given = initialState();
      configure(given, { pieces: rules.pieces() });
      assert.deepEqual(given.pieces.size, state.pieces.size);
      assert.equal(writeFen(given.pieces), writeFen(state.pieces));
      promotions += Number(rules.history({ verbose: true }).at(-1)?.promotion !== undefined);
    }
  }
  assert.ok(promotions > 20, `${promotions} promotions`);
});

test('premoves go where a piece could go on some board', () => {
  const counts = { K: 8, M: 4, O: 4, S: 5, N: 8, R: 14, P: 3 };
  for (const [code, count] of Object.entries(counts)) {
    assert.equal(reachable(code, 'd4').length, count, code);
    assert.equal(reachable(code.toLowerCase(), 'd5').length, count, code);
  }
  assert.deepEqual(reachable('s', 'a1').sort(), ['b2']);
});

test('FENs: all that is wrong is refused', () => {
  for (const fen of [
    '',
    '8',
    '8/8/8/8/8/8/8',
    '8/8/8/8/8/8/8/9',
    '8/8/8/8/8/8/8/44k',
    '8/8/8/8/8/8/8/7R~',
    '7q/8/8/8/8/8/8/8',
  ]) {
    assert.throws(() => readFen(fen), { code: 'fen.board' }, fen);
  }
  assert.equal(readFen('8/8/8/8/8/8/8/4M~2k b - - 0 1').turn, 'black');
  assert.deepEqual(
    [...readFen('8/8/8/8/8/8/8/4M~2k').pieces],
    [
      ['e1', 'O'],
      ['h1', 'k'],
    ],
  );
});

test('a configuration that is wrong changes nothing', () => {
  const state = initialState();
  configure(state, { fen: 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR' });
  const before = structuredClone({ ...state, pieceSet: null });
  const wrong = [
    { theme: 'plain', selected: 'a9' },
    { turnColor: 'black', lastMove: ['a1', ''] },
    { fen: '8/8/8/8/8/8/8/8', drawable: { shapes: [{ orig: 'a1', dest: 'x' }] } },
    { movable: { free: true, place: { type: 'x', color: 'w' } } },
    { check: 'i9', viewOnly: true },
    { pieceSet: 'thai' },
  ];
  for (const config of wrong) {
    assert.throws(() => configure(state, config), { code: /^argument/ }, JSON.stringify(config));
    assert.deepEqual(structuredClone({ ...state, pieceSet: null }), before);
  }
});

/** The men that stand on squares, as text. */
function men(text) {
  return new Map(text.split(' ').map((man) => [man.slice(1), { code: man[0], square: man.slice(1) }]));
}

test('pieces keep their identity from one position to the next', () => {
  const codes = (text) => new Map([...men(text)].map(([square, { code }]) => [square, code]));
  const went = (before, after, lastMove = []) =>
    [...follow(men(before), codes(after), lastMove)]
      .map(([to, man]) => `${man?.square ?? 'new'}-${to}`)
      .sort()
      .join(' ');
  assert.equal(went('Ra1 Rh1 kd8', 'Ra4 Rh1 kd8'), 'a1-a4 d8-d8 h1-h1');
  // Two alike: the one that was named, else the nearer one.
  assert.equal(went('Ra1 Rh1', 'Rc1 Rh1'), 'a1-c1 h1-h1');
  assert.equal(went('Ra1 Rf1', 'Re1', ['a1', 'e1']), 'a1-e1');
  assert.equal(went('Ra1 Rf1', 'Re1'), 'f1-e1');
  // A promotion, with a capture, and back again.
  assert.equal(went('Pc5 md6', 'Od6', ['c5', 'd6']), 'c5-d6');
  assert.equal(went('Od6', 'Pc5 md6'), 'new-c5 new-d6');
  // The other side's piece does not become ours.
  assert.equal(went('pa4', 'Pa5', ['a4', 'a5']), 'new-a5');
});

test('every set draws every piece, each in its own way', () => {
  for (const { name, parts: drawn } of [carved, plain, thai, latin]) {
    assert.deepEqual(Object.keys(drawn).sort(), ['k', 'm', 'n', 'o', 'p', 'r', 's'], name);
    const pictures = Object.values(drawn).map((list) => JSON.stringify(list));
    assert.equal(new Set(pictures).size, 7, `${name}: two pieces look alike`);
    assert.ok(Object.values(drawn).every((list) => list.every(({ d, text }) => Boolean(d) !== Boolean(text))));
  }
});

test('the CSS has its colours in properties only', () => {
  const declarations = css.match(/^ +[\w-]+:[^;{]+;/gm) ?? [];
  assert.ok(declarations.length > 100);
  const colours = declarations.filter((text) => !/^ +--sb-/.test(text) && /#[\da-f]{3,8}\b|rgb|hsl/i.test(text));
  assert.deepEqual(colours, []);
  // What is used is defined.
  const used = new Set([...css.matchAll(/var\((--sb-[\w-]+)/g)].map(([, name]) => name));
  const defined = new Set([...css.matchAll(/^ +(--sb-[\w-]+):/gm)].map(([, name]) => name));
  // These two are set by the script.
  const missing = [...used].filter((name) => !defined.has(name) && !['--sb-brush', '--sb-mark'].includes(name));
  assert.deepEqual(missing, []);
});
