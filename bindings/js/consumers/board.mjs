// The board in Chromium, under a content security policy: mouse, fingers, keyboard, premoves, arrows, set-up, and what
// a change touches. `board.html` is a page that uses it.
import assert from 'node:assert/strict';

const START = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR';

/** In the page: a board of its own in place of the last one. Its events are written to `log`. */
function makeBoard([config, dests]) {
  const { createBoard } = globalThis.sakmakBoard;
  globalThis.own?.destroy();
  let host = document.getElementById('own');
  if (!host) {
    host = document.createElement('div');
    host.id = 'own';
    host.className = 'game-board';
    host.style.width = '400px';
    document.body.prepend(host);
  }
  globalThis.log = [];
  const names = ['move', 'premove', 'select', 'shapesChange', 'dropNewPiece', 'dropOff'];
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const events = Object.fromEntries(
    names.map((name) => [name, (...args) => globalThis.log.push([name, ...args.map(text)].join(' '))]),
  );
  const movable = dests ? { color: 'white', ...config.movable, dests: new Map(dests) } : config.movable;
  globalThis.own = createBoard(host, { ...config, ...(movable ? { movable } : {}), events });
}

class Page {
  constructor(page, cdp) {
    this.page = page;
    this.cdp = cdp;
  }

  make(config, dests) {
    return this.page.evaluate(makeBoard, [config, dests]);
  }

  square(name) {
    return this.page.locator(`#own [data-square=${name}]`);
  }

  async middle(name) {
    const { x, y, width, height } = await this.square(name).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  }

  state() {
    return this.page.evaluate(() => {
      const { pieces, ...state } = globalThis.own.state;
      return { ...state, count: pieces.size };
    });
  }

  set(config) {
    return this.page.evaluate((change) => globalThis.own.set(change), config);
  }

  /** The events since the last call, but for selections. */
  async log() {
    const all = await this.page.evaluate(() => globalThis.log.splice(0));
    return all.filter((line) => !line.startsWith('select'));
  }

  async drag(from, to, options = {}) {
    const { x, y } = await this.middle(from);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down(options);
    const end = typeof to === 'string' ? await this.middle(to) : to;
    await this.page.mouse.move(end.x, end.y, { steps: 4 });
    await this.page.mouse.up(options);
  }

  /** What all fingers do: those on the screen, by their numbers; `touchEnd` names none. */
  async touch(type, fingers) {
    const touchPoints = [];
    for (const [id, square] of Object.entries(fingers)) {
      touchPoints.push({ id: Number(id), ...(await this.middle(square)) });
    }
    await this.cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}

const RUA = [['a1', ['a2', 'a3', 'a4', 'a5', 'b1', 'c1']]];
const RUA_FEN = '4k3/8/8/p7/8/8/8/R3K3 w';

async function clicks(board) {
  await board.make({ fen: RUA_FEN }, RUA);
  await board.square('a1').click();
  assert.match(await board.square('a1').getAttribute('aria-label'), /rua, selected$/);
  assert.equal(await board.page.locator('#own .sb-square.dest').count(), 6);
  await board.square('h5').click();
  assert.equal((await board.state()).selected, null);
  await board.square('a1').click();
  await board.square('a5').click();
  assert.deepEqual(await board.log(), ['move a1 a5 {"captured":{"type":"p","color":"b"},"by":"click"}']);
  assert.equal((await board.state()).fen, '4k3/8/8/R7/8/8/8/4K3');
  // No more moves until the page gives some; the position of before takes the move back.
  await board.square('a5').click();
  assert.equal((await board.state()).selected, null);
  await board.set({ fen: RUA_FEN, lastMove: null });
  assert.equal((await board.state()).fen, '4k3/8/8/p7/8/8/8/R3K3');
  // A bia on the sixth rank is turned over.
  await board.make({ fen: '4k3/8/8/2P5/8/8/8/4K3 w' }, [['c5', ['c6']]]);
  await board.square('c5').click();
  await board.square('c6').click();
  assert.equal((await board.state()).fen, '4k3/8/2M~5/8/8/8/8/4K3');
  assert.match(await board.square('c6').getAttribute('aria-label'), /promoted bia/);
}

async function drags(board) {
  const { page } = board;
  await board.make({ fen: RUA_FEN }, RUA);
  await board.drag('a1', 'a4');
  assert.deepEqual(await board.log(), ['move a1 a4 {"captured":null,"by":"drag"}']);
  await board.make({ fen: RUA_FEN }, RUA);
  await board.drag('a1', 'h7');
  assert.deepEqual(await board.log(), []);
  assert.equal((await board.state()).dragging, false);
  assert.equal(await page.locator('#own .dragged, #own .ghost, #own [data-over]').count(), 0);
  // In the air it is above all other pieces and the arrows, and the square below is lit.
  const { x, y } = await board.middle('a1');
  await page.mouse.move(x, y);
  await page.mouse.down();
  const end = await board.middle('a5');
  await page.mouse.move(end.x, end.y, { steps: 3 });
  assert.equal(await board.square('a5').evaluate((cell) => cell.hasAttribute('data-over')), true);
  const order = await page.evaluate(() => {
    const level = (selector) => Number(getComputedStyle(document.querySelector(selector)).zIndex) || 0;
    return [level('#own .dragged'), level('#own .sb-shapes'), level('#own .sb-piece:not(.dragged)')];
  });
  assert.ok(order[0] > order[1] && order[1] > order[2], `levels ${order}`);
  // Escape lets go.
  await board.square('a1').focus();
  await page.keyboard.press('Escape');
  assert.equal((await board.state()).dragging, false);
  await page.mouse.up();
  assert.deepEqual(await board.log(), []);
}

async function fingers(board) {
  await board.make({ fen: RUA_FEN }, RUA);
  // A second finger on a target does not play the dragged piece there.
  await board.touch('touchStart', { 1: 'a1' });
  await board.touch('touchMove', { 1: 'a3' });
  assert.equal((await board.state()).dragging, true);
  await board.touch('touchStart', { 1: 'a3', 2: 'a5' });
  await board.touch('touchMove', { 1: 'a3' });
  assert.equal((await board.state()).dragging, true);
  assert.deepEqual(await board.log(), []);
  // Enlarged, and above the finger.
  const [piece, cell] = await board.page.evaluate(() =>
    ['#own .dragged', '#own [data-square=a3]'].map((selector) => {
      const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
      return { middle: (top + bottom) / 2, height };
    }),
  );
  assert.ok(piece.height > 1.5 * cell.height && piece.middle < cell.middle - 0.5 * cell.height);
  await board.touch('touchMove', { 1: 'a4' });
  await board.touch('touchEnd', {});
  assert.deepEqual(await board.log(), ['move a1 a4 {"captured":null,"by":"drag"}']);
  // Taps.
  await board.make({ fen: RUA_FEN }, RUA);
  for (const square of ['a1', 'c1']) {
    await board.touch('touchStart', { 1: square });
    await board.touch('touchEnd', {});
  }
  assert.deepEqual(await board.log(), ['move a1 c1 {"captured":null,"by":"click"}']);
  // The page scrolls from everywhere but from pieces that can be moved.
  await board.make({ fen: RUA_FEN }, RUA);
  const actions = await board.page.evaluate(() =>
    ['a1', 'e8', 'd4'].map(
      (name) => getComputedStyle(document.querySelector(`#own [data-square=${name}]`)).touchAction,
    ),
  );
  assert.deepEqual(actions, ['none', 'auto', 'auto']);
}

async function premoves(board) {
  await board.make({ fen: '4k3/8/8/p7/8/8/8/R3K3 b', premovable: { enabled: true } }, []);
  await board.square('a1').click();
  // Without a list, wherever a rua could go.
  assert.equal(await board.page.locator('#own .sb-square.later').count(), 14);
  await board.drag('a1', 'a4');
  assert.deepEqual((await board.state()).premove, ['a1', 'a4']);
  await board.square('h8').click();
  assert.equal((await board.state()).premove, null);
  await board.square('a1').click();
  await board.square('a4').click();
  assert.deepEqual(await board.log(), ['premove ["a1","a4"]', 'premove null', 'premove ["a1","a4"]']);
  const played = await board.page.evaluate(() => {
    const dests = new Map([['a1', ['a4']]]);
    globalThis.own.set({ fen: '4k3/8/8/8/p7/8/8/R3K3 w', movable: { dests }, lastMove: ['a5', 'a4'] });
    return [globalThis.own.playPremove(), globalThis.own.playPremove()];
  });
  assert.deepEqual(played, [true, false]);
  assert.deepEqual(await board.log(), ['move a1 a4 {"captured":{"type":"p","color":"b"},"by":"premove"}']);
  // One that has become impossible is dropped.
  await board.make({ fen: '4k3/8/8/p7/8/8/8/R3K3 b', premovable: { enabled: true } }, []);
  await board.drag('a1', 'h1');
  await board.set({ fen: '4k3/8/8/8/p7/8/8/R3K3 w' });
  assert.equal(await board.page.evaluate(() => globalThis.own.playPremove()), false);
  assert.equal((await board.state()).premove, null);
}

async function shapes(board) {
  await board.make({ fen: RUA_FEN }, RUA);
  await board.drag('b2', 'd4', { button: 'right' });
  await board.page.keyboard.down('Shift');
  await board.square('e5').click({ button: 'right' });
  await board.page.keyboard.up('Shift');
  const arrow = { orig: 'b2', dest: 'd4', brush: 'green' };
  const circle = { orig: 'e5', brush: 'red' };
  assert.deepEqual((await board.state()).shapes, [arrow, circle]);
  assert.equal(await board.page.locator('#own .sb-arrow, #own .sb-circle').count(), 2);
  const fill = await board.page.locator('#own .sb-arrow').evaluate((node) => getComputedStyle(node).fill);
  assert.match(fill, /^rgba?\(21, 120, 27/);
  // The same again removes it; a click removes all; those of the program stay.
  await board.drag('b2', 'd4', { button: 'right' });
  assert.deepEqual((await board.state()).shapes, [circle]);
  await board.set({ drawable: { autoShapes: [{ orig: 'a1', dest: 'a2', brush: 'best' }] } });
  await board.square('h3').click();
  assert.deepEqual((await board.state()).shapes, []);
  assert.equal(await board.page.locator('#own .sb-shape').count(), 1);
  const events = await board.log();
  assert.equal(events.length, 4);
  assert.equal(events[3], 'shapesChange []');
}

async function keys(board) {
  const { page } = board;
  const press = async (...names) => {
    for (const name of names) {
      await page.keyboard.press(name);
    }
  };
  const focused = () => page.evaluate(() => document.activeElement?.dataset.square);
  await board.make({ fen: RUA_FEN }, RUA);
  assert.equal(await page.locator('#own [role=grid] > [role=row] > [role=gridcell]').count(), 64);
  assert.equal(await page.locator('#own [tabindex="0"]').count(), 1);
  await board.square('a1').focus();
  await press('ArrowLeft', 'ArrowDown');
  assert.equal(await focused(), 'a1');
  await press('Enter', 'Escape', 'Enter', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowLeft');
  assert.equal(await focused(), 'a3');
  assert.equal(await board.square('a1').getAttribute('aria-selected'), 'true');
  assert.match(await board.square('a5').getAttribute('aria-label'), /black bia, can be captured$/);
  await press('Enter');
  assert.deepEqual(await board.log(), ['move a1 a3 {"captured":null,"by":"keyboard"}']);
  await press('End', 'ArrowUp');
  assert.equal(await focused(), 'h4');
  // A click does not take the focus: the arrow keys of the page still work.
  await page.evaluate(() => document.activeElement.blur());
  await board.square('b2').click();
  assert.equal(await focused(), undefined);
  // Labels of the page's own.
  await page.evaluate(() => globalThis.own.set({ labels: { board: 'กระดาน', square: (square) => `ช่อง ${square}` } }));
  assert.equal(await board.square('b2').getAttribute('aria-label'), 'ช่อง b2');
  assert.equal(await page.locator('#own [role=grid]').getAttribute('aria-label'), 'กระดาน');
}

async function flips(board) {
  await board.make({ fen: START, orientation: 'black', coordinateNames: 'thai' });
  const first = board.page.locator('#own [role=gridcell]').first();
  assert.equal(await first.getAttribute('data-square'), 'h1');
  await board.set({ orientation: 'white' });
  assert.equal(await first.getAttribute('data-square'), 'a8');
  assert.equal(await board.page.locator('#own .sb-files').textContent(), 'กขคงจฉชญ');
  const [piece, cell] = await board.page.evaluate(() =>
    ['#own [data-piece=K]', '#own [data-square=d1]'].map((selector) => {
      const { x, y } = document.querySelector(selector).getBoundingClientRect();
      return [Math.round(x), Math.round(y)];
    }),
  );
  assert.ok(Math.abs(piece[0] - cell[0]) <= 1 && Math.abs(piece[1] - cell[1]) <= 1, `${piece} ${cell}`);
  // To look at: nothing can be selected or drawn.
  await board.set({ viewOnly: true, movable: { color: 'both' } });
  await board.square('a1').click();
  await board.drag('a3', 'a4', { button: 'right' });
  assert.deepEqual([(await board.state()).selected, (await board.state()).shapes], [null, []]);
}

async function setsUp(board) {
  const { page } = board;
  await board.make({ fen: RUA_FEN, movable: { color: 'both', free: true } });
  await board.drag('e8', 'c3');
  await board.drag('a5', 'a1');
  assert.equal((await board.state()).fen, '8/8/8/8/8/2k5/8/p3K3');
  const { x, y, width, height } = await page.locator('#own').boundingBox();
  await board.drag('a1', { x: x + width + 60, y: y + height / 2 });
  assert.equal((await board.state()).fen, '8/8/8/8/8/2k5/8/4K3');
  await board.set({ movable: { place: { type: 's', color: 'w' } } });
  await board.square('f4').click();
  await board.square('g4').click();
  await board.square('g4').click();
  await board.square('h4').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  assert.equal((await board.state()).fen, '8/8/8/8/5S2/2k5/8/4K3');
  const events = (await board.log()).filter((line) => line.startsWith('drop'));
  const khon = '{"type":"s","color":"w"}';
  const expected = ['dropOff a1', `dropNewPiece ${khon} f4`, `dropNewPiece ${khon} g4`, 'dropOff g4'];
  assert.deepEqual(events, [...expected, `dropNewPiece ${khon} h4`, 'dropOff h4']);
  // From a palette.
  await page.evaluate(() => {
    const button = document.createElement('button');
    button.id = 'own-palette';
    button.textContent = 'met';
    button.onpointerdown = (event) => globalThis.own.dragNewPiece({ type: 'm', color: 'b', promoted: true }, event);
    document.body.prepend(button);
  });
  await page.hover('#own-palette');
  await page.mouse.down();
  const end = await board.middle('h8');
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
  assert.equal((await board.state()).fen, '7m~/8/8/8/5S2/2k5/8/4K3');
  await page.evaluate(() => document.getElementById('own-palette').remove());
}

/** What a change of the configuration touches in the page. */
async function changes(board) {
  await board.make({ fen: START, animation: { duration: 0 } });
  const counts = await board.page.evaluate(async () => {
    const seen = [];
    const observer = new MutationObserver((records) => seen.push(...records));
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document.getElementById('own'), options);
    const count = (config) => {
      globalThis.own.set(config);
      return [...seen.splice(0), ...observer.takeRecords()].map(({ type, attributeName, target }) =>
        type === 'attributes' ? `${target.dataset.square ?? target.dataset.piece} ${attributeName}` : type,
      );
    };
    const fen = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3N4/R1SKMSNR';
    return [count({ fen, lastMove: ['b1', 'd2'] }), count({ fen, lastMove: ['b1', 'd2'] }), count({ theme: 'plain' })];
  });
  const touched = ['N style', 'b1 aria-label', 'b1 class', 'd2 aria-label', 'd2 class'];
  assert.deepEqual(counts[0].sort(), touched);
  assert.deepEqual(counts[1], []);
  assert.deepEqual(counts[2], ['undefined data-theme']);
}

/** Glides with the default animation end where the piece stands, and a wrong configuration changes nothing. */
async function positions(board) {
  await board.make({ fen: START });
  await board.set({ fen: 'rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR', lastMove: ['e3', 'e4'] });
  await board.page.waitForFunction(() => !document.querySelector('#own .gliding, #own .leaving'));
  const faults = await board.page.evaluate(() => {
    const { own } = globalThis;
    const before = own.state.fen;
    const wrong = [
      { fen: '8/8' },
      { fen: 'rnsmksnr/8/pppppppp/9/8/8/8/8' },
      { fen: 'q7/8/8/8/8/8/8/8' },
      { orientation: 'white', lastMove: ['a1', 'i9'] },
      { marks: [{ square: 'z1', kind: 'hint' }] },
      { pieces: new Map([['a1', { type: 'q', color: 'w' }]]) },
      { orientation: 'left' },
    ];
    const codes = wrong.map((config) => {
      try {
        own.set(config);
        return 'nothing';
      } catch (error) {
        return error.code;
      }
    });
    return [codes.join(' '), own.state.fen === before];
  });
  const squares = 'argument.square argument.square argument.piece argument.orientation';
  assert.deepEqual(faults, [`fen.board fen.board fen.board ${squares}`, true]);
  await board.page.evaluate(() => {
    globalThis.own.set({ pieces: new Map([['c4', { type: 'm', color: 'w', promoted: true }]]) });
  });
  assert.equal((await board.state()).fen, '8/8/8/8/2M~5/8/8/8');
}

/** The position changes while the user drags. */
async function interrupted(board) {
  const { page } = board;
  const lift = async (fen) => {
    await board.make({ fen, premovable: { enabled: true } }, RUA);
    const { x, y } = await board.middle('a1');
    await page.mouse.move(x, y);
    await page.mouse.down();
    const end = await board.middle('a4');
    await page.mouse.move(end.x, end.y, { steps: 3 });
  };
  // The other side moves: what was to be a premove is a move.
  await lift('4k3/8/8/p7/8/8/8/R3K3 b');
  await board.set({ fen: '8/4k3/8/p7/8/8/8/R3K3 w', lastMove: ['e8', 'e7'] });
  assert.equal((await board.state()).dragging, true);
  await page.mouse.up();
  assert.deepEqual(await board.log(), ['move a1 a4 {"captured":null,"by":"drag"}']);
  // The piece is captured: nothing is left in the air.
  await lift('4k3/8/8/8/8/8/8/R3K2r b');
  await board.set({ fen: '4k3/8/8/8/8/8/8/r3K3 w', lastMove: ['h1', 'a1'] });
  assert.equal((await board.state()).dragging, false);
  await page.mouse.up();
  await page.waitForFunction(() => !document.querySelector('#own .dragged, #own .leaving, #own .ghost'));
  assert.deepEqual(await board.log(), []);
  assert.equal(await page.locator('#own .sb-piece').count(), 3);
}

/** On a board that the page scales, and in a page that runs from right to left, the piece is below the pointer. */
async function scales(board) {
  const { page } = board;
  await board.make({ fen: RUA_FEN }, RUA);
  const style = (transform, dir) =>
    page.evaluate(
      ([value, direction]) => {
        document.getElementById('own').style.transform = value;
        document.documentElement.dir = direction;
      },
      [transform, dir],
    );
  await style('scale(0.6)', 'rtl');
  const from = await board.middle('a1');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const to = await board.middle('a4');
  await page.mouse.move(to.x, to.y, { steps: 3 });
  const { x, y, width, height } = await page.locator('#own .dragged').boundingBox();
  await page.mouse.up();
  await style('', 'ltr');
  const [dx, dy] = [x + width / 2 - to.x, y + height / 2 - to.y];
  assert.ok(Math.hypot(dx, dy) < 1.5, `${dx} ${dy}`);
  assert.deepEqual(await board.log(), ['move a1 a4 {"captured":null,"by":"drag"}']);
}

/** The figures of the default set have heights of their own, in hundredths of a square; the met has at least 70. */
async function heights(board) {
  await board.make({ fen: '8/8/8/8/8/8/8/KSMRNPM~1' });
  const { K, S, M, R, N, P } = await board.page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('#own .sb-piece')].map((piece) => {
        const boxes = [...piece.querySelectorAll('.sb-body')].map((path) => path.getBBox());
        const [top, bottom] = [
          Math.min(...boxes.map(({ y }) => y)),
          Math.max(...boxes.map((box) => box.y + box.height)),
        ];
        return [piece.dataset.piece, bottom - top];
      }),
    ),
  );
  const text = JSON.stringify({ K, S, N, M, R, P });
  assert.ok(K <= 97 && K > S + 8 && S > M + 8 && M >= 70 && M > R + 8 && R > P + 8 && N > M, text);
}

/** The contrast of two colours `#rrggbb`, as WCAG computes it. */
function contrast(...colours) {
  const [a, b] = colours
    .map((colour) => {
      const parts = [1, 3, 5].map((at) => {
        const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    })
    .sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

/** The names of files and ranks can be read on all boards, in light and dark. */
async function themes(board) {
  await board.make({ fen: START });
  for (const theme of ['wood', 'plain', 'chequered']) {
    for (const scheme of ['light', 'dark']) {
      await board.set({ theme, scheme });
      const [ink, light, dark, frameInk, frame] = await board.page.evaluate(() => {
        const style = getComputedStyle(document.querySelector('#own .sakmak-board'));
        const names = ['--sb-ink', '--sb-light', '--sb-dark', '--sb-frame-ink', '--sb-frame'];
        return names.map((name) => style.getPropertyValue(name).trim());
      });
      const least = Math.min(contrast(ink, light), contrast(ink, dark), contrast(frameInk, frame));
      assert.ok(least >= 4.5, `${theme}, ${scheme}: ${least.toFixed(2)}`);
    }
  }
}

/** What the system asks for: less motion, its own colours, darkness. */
async function media(board) {
  const { page } = board;
  const glides = () =>
    page.evaluate(() => {
      const { own } = globalThis;
      const [e3, e4] = ['8/8/8/8/8/4P3/8/8', '8/8/8/8/4P3/8/8/8'];
      own.set({ fen: own.state.fen === e3 ? e4 : e3 });
      return document.getAnimations().length;
    });
  await board.make({ fen: '8/8/8/8/8/4P3/8/8' });
  assert.equal(await glides(), 1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await board.make({ fen: '8/8/8/8/8/4P3/8/8' });
  assert.equal(await glides(), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: 'dark' });
  await page.waitForFunction(() => document.querySelector('#own .sakmak-board').dataset.scheme === 'dark');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await board.make({ fen: RUA_FEN, selected: 'a1' }, RUA);
    const [white, black, field, selected, dot] = await page.evaluate(() => {
      const style = (selector, pseudo) => getComputedStyle(document.querySelector(`#own ${selector}`), pseudo);
      return [
        style('.white .sb-body').fill,
        style('.black .sb-body').fill,
        style('.sb-field').backgroundColor,
        style('[data-square=a1]', '::before').backgroundColor,
        style('[data-square=a2]', '::after').backgroundColor,
      ];
    });
    const [dark, light] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'];
    assert.deepEqual([white, black, field], [light, dark, colorScheme === 'light' ? light : dark]);
    assert.ok(![white, black].includes(selected) && selected === dot, `${selected} ${dot}`);
  }
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
}

/** After `destroy` neither nodes nor listeners are left, though it comes in the middle of a drag. */
async function destroys(board) {
  const { page, cdp } = board;
  const listeners = async () => {
    const counts = [];
    for (const expression of ['window', 'document', 'document.body', 'document.getElementById("own")']) {
      const { result } = await cdp.send('Runtime.evaluate', { expression });
      const found = await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
      counts.push(found.listeners.length);
    }
    return counts;
  };
  await board.make({ fen: RUA_FEN }, RUA);
  await page.evaluate(() => globalThis.own.destroy());
  const before = await listeners();
  await board.make({ fen: RUA_FEN }, RUA);
  assert.notDeepEqual(await listeners(), before);
  const { x, y } = await board.middle('a1');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 50, y - 50, { steps: 3 });
  await page.evaluate(() => globalThis.own.destroy());
  await page.mouse.up();
  assert.deepEqual(await listeners(), before);
  assert.equal(await page.evaluate(() => document.getElementById('own').childNodes.length), 0);
  assert.deepEqual(await board.log(), []);
}

/** A dragged piece moves by its transform alone: no layout for the squares that it passes. */
async function layouts(board) {
  const { page, cdp } = board;
  const count = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount').value;
  };
  await board.make({ fen: START }, [['a1', ['a2']]]);
  const [from, to] = [await board.middle('a1'), await board.middle('h8')];
  await cdp.send('Performance.enable');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y, { steps: 3 });
  const before = await count();
  await page.mouse.move(to.x, to.y, { steps: 50 });
  const after = await count();
  await page.mouse.up();
  assert.ok(after - before < 10, `${after - before} layouts for 50 steps of a drag`);
}

/** The milliseconds that 95% of frames stay within while a piece is dragged, at four times throttling. */
async function frames(board) {
  const { page, cdp } = board;
  await board.make({ fen: START }, [['a1', ['a2']]]);
  const from = await board.middle('a1');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.evaluate(() => {
    globalThis.times = [];
    const step = (time) => {
      globalThis.times.push(time);
      globalThis.stepping = requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  for (let round = 0; round < 6; round++) {
    const to = await board.middle(['h8', 'b2'][round % 2]);
    await page.mouse.move(to.x, to.y, { steps: 40 });
  }
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.stepping);
    return globalThis.times.slice(1).map((time, at) => time - globalThis.times[at]);
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.mouse.up();
  times.sort((a, b) => a - b);
  const within = times.filter((time) => time <= 17).length / times.length;
  return `${times.length} frames, ${(100 * within).toFixed(0)}% within 17 ms, 95% within ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`;
}

/** Uses `board.html`. Throws at the first difference; prints the frames of a drag, which are not a test. */
export async function checkBoard(page, origin) {
  await page.goto(`${origin}/board.html`);
  // A game by the rules, with the module that the page loads.
  await page.locator('#board [data-square=b1]').click();
  await page.locator('#board [data-square=d2]').click();
  await page.waitForFunction(() => document.querySelector('output')?.textContent === 'Nd2');
  // A set-up: a press on the palette chooses a piece, and drags one.
  await page.getByLabel('Set-up').check();
  await page.getByRole('button', { name: 'r', exact: true }).click();
  await page.locator('#board [data-square=e5]').click();
  assert.match(await page.evaluate(() => globalThis.board.state.fen), /\/4r3\/8\/PPPPPPPP\/3N4\//);
  const cdp = await page.context().newCDPSession(page);
  const board = new Page(page, cdp);
  const parts = [clicks, drags, fingers, premoves, shapes, keys, flips, setsUp, changes, positions, interrupted, media];
  for (const part of [...parts, scales, heights, themes, layouts, destroys]) {
    await part(board).catch((error) => {
      throw new Error(`the board, ${part.name}: ${error.stack}`);
    });
  }
  console.log(`used: the board in Chromium; a drag at four times throttling: ${await frames(board)}`);
}
