import { expect, move, moves, openPage, openText, test } from './page';

test('hostile texts and links end in a message, and nothing of them becomes HTML', async ({ page }) => {
  await openPage(page, '#/analyse');
  const evil = '<img src=x onerror=alert(1)>';
  await openText(page, `[White "${evil}"]\n[Event "${evil}"]\n\n1. e4 {${evil}<script>alert(1)</script>} e5 *`);
  await expect(page.locator('.moves .comment')).toContainText(evil);
  await expect(page.locator('main img')).toHaveCount(0);
  await expect(page.locator('.player .name').last()).toHaveText(evil);

  for (const [text, message] of [
    ['1. e4 {never closed', 'Line 1: a comment is never closed.'],
    ['8/8/8/8 w', 'FEN: there must be eight ranks, not 4.'],
    ['rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSQMSNR w', 'is no piece of Makruk'],
    ['[Variant "chess"]\n\n1. e4 *', 'This is a game of western chess (“chess”), not of Makruk.'],
    ['1. Zz9 *', 'is not a move'],
    ['[', 'a malformed tag'],
  ] as const) {
    await openText(page, text);
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(message);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  }
  // A game with an illegal move is shown up to there.
  await openText(page, '1. e4 e5 2. Rb5 *');
  await expect.poll(() => moves(page)).toEqual(['e4', 'e5']);
  await expect(page.locator('.toast.fault')).toContainText('Line 1, move 2. “Rb5” is not legal here.');

  for (const hash of ['#game=%%%', '#game=AAAA', '#fen=x', '#/nonsense/../..', `#game=${'A'.repeat(300_000)}`]) {
    await page.goto(`./${hash}`);
    await expect(page.locator('main')).toBeVisible();
  }
  await page.goto('./#game=AAAA');
  await expect(page.locator('.toast').first()).toBeVisible();
});

test('what was saved by another version does no harm', async ({ page }) => {
  await openPage(page);
  for (const [settings, game] of [
    ['{"language":"xx","notation":"none","rules":{"variant":"chess"},"lines":"many"}', '{"pgn":"[","game":{}}'],
    ['[]', 'null'],
    ['"text"', '{"pgn":"1. e4 *","game":null}'],
    ['{', '7'],
  ]) {
    await page.evaluate(
      ([one, two]) => {
        localStorage.setItem('sakmak.settings', one ?? '');
        localStorage.setItem('sakmak.play', two ?? '');
        localStorage.setItem('sakmak.analyse', two ?? '');
        localStorage.setItem('sakmak.newGame', one ?? '');
      },
      [settings, game],
    );
    // Left from another page, so that this one does not save over it.
    await page.goto('about:blank');
    await openPage(page, '#/analyse');
    await expect(page.locator('.board')).toBeVisible();
    await openPage(page, '#/play');
    await expect(page.locator('.new-game')).toBeVisible();
  }
});

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const GAME = {
  game: { level: null, side: 'w', time: { minutes: 5, seconds: 0 }, rules: RULES },
  pgn: '1. e4 e5 *',
  clock: { control: { minutes: 5, seconds: 0 }, left: [299_000, 298_000], running: 'w' },
  result: null,
};
/** What a browser has stored in which all is well. */
const STORED = {
  settings: { theme: 'dark', notation: 'lan', rules: RULES },
  newGame: { opponent: 'people', level: 2, side: 'b', time: '3+2', minutes: 9, seconds: 9 },
  play: GAME,
  analyse: { pgn: '1. d4 d5 *', node: 2 },
  solved: ['hunt.01', 'hunt.02'],
};
const WORD = 'Something that was stored in this browser could not be read and was left out: ';

test('one bad value in the storage is left out with a word, and the rest is kept', async ({ page }) => {
  await openPage(page);
  const all: [key: keyof typeof STORED, text: string, what: string, isGameKept: boolean][] = [
    ...['{}', '5', 'true', '"x"', '[5]', '{'].map((text) => ['solved', text, 'solved exercises', true] as never),
    ['settings', '{"theme":"dark","notation":"lan","rules":{}}', 'settings', true],
    ['settings', '{"theme":"dark","notation":"lan","lines":null}', 'settings', true],
    [
      'settings',
      '{"theme":"dark","notation":"lan","rules":{"variant":"chess","ruleset":"x","parts":""}}',
      'settings',
      true,
    ],
    ['settings', '{"theme":"dark","notation":"lan","__proto__":{"language":"xx"},"pieces":{}}', 'settings', true],
    ['newGame', '{"level":"x","minutes":null}', 'choices for a new game', true],
    ['play', JSON.stringify({ ...GAME, result: 5 }), 'the game that was played', true],
    ['play', JSON.stringify({ ...GAME, result: { winner: 'x' } }), 'the game that was played', true],
    [
      'play',
      JSON.stringify({ ...GAME, clock: { ...GAME.clock, left: [null, null] } }),
      'the game that was played',
      true,
    ],
    [
      'play',
      JSON.stringify({ ...GAME, game: { ...GAME.game, time: { minutes: 'x' } } }),
      'the game that was played',
      true,
    ],
    ['play', JSON.stringify({ ...GAME, game: { ...GAME.game, rules: {} } }), 'the game that was played', false],
    ['play', JSON.stringify({ ...GAME, pgn: '[' }), 'the game that was played', false],
    ['play', 'true', 'the game that was played', false],
    ['analyse', '{"pgn":"1. d4 d5 *","node":{}}', 'the analysis', true],
    ['analyse', '{"pgn":5}', 'the analysis', true],
  ];
  // The first of each key, and all at night; tests/unit/stored.test.mjs reads them all, and more.
  const isFirst = (key: string, index: number) => all.findIndex(([other]) => other === key) === index;
  const cases = all.filter(([key], index) => process.env.SAKMAK_NIGHTLY !== undefined || isFirst(key, index));
  for (const [key, text, what, isGameKept] of cases) {
    const label = `${key}: ${text}`;
    await page.evaluate(
      (entries) => {
        for (const [name, value] of entries) {
          localStorage.setItem(`sakmak.${name}`, value);
        }
        // The page that is left shall not store its own over it.
        Object.assign(Storage.prototype, { setItem: () => {}, removeItem: () => {} });
      },
      [...Object.entries(STORED).map(([name, value]) => [name, JSON.stringify(value)] as const), [key, text] as const],
    );
    await page.goto('about:blank');
    await openPage(page, key === 'newGame' ? '#/analyse' : '#/play');
    if (key === 'newGame') {
      // It is read with the form.
      await page.getByRole('button', { name: 'Play from here' }).click();
      await expect(page.getByRole('dialog').getByLabel('Minutes')).toHaveCount(0);
    }
    await expect(page.locator('.toast'), label).toHaveText(`${WORD}${what}.`);
    await expect(page.locator('html'), label).toHaveAttribute('data-theme', 'dark');
    expect(await page.locator('main').innerText(), label).not.toMatch(/NaN|undefined|Infinity/);
    if (key !== 'newGame') {
      await expect(page.locator(isGameKept ? '.game-board' : '.new-game'), label).toBeVisible();
      await expect.poll(() => moves(page), label).toEqual(isGameKept ? ['e3-e4', 'e6-e5'] : []);
      await page.getByRole('link', { name: 'Learn' }).click();
      await expect(page.locator('h1').first(), label).toBeVisible();
      await page.getByRole('link', { name: 'Analyse' }).click();
      await expect(page.locator('.game-board'), label).toBeVisible();
    }
    // The word is said once.
    await page.goto('about:blank');
    await openPage(page, '#/analyse');
    await expect(page.locator('.game-board'), label).toBeVisible();
    await expect(page.locator('.toast'), label).toHaveCount(0);
  }
});

test('characters that turn the direction of text are shown, and turn nothing', async ({ page }) => {
  await openPage(page, '#/analyse');
  const [turn, isolate] = ['\u202e', '\u2067'];
  await openText(page, `[White "${turn}abc"]\n[Black "${isolate}xyz"]\n\n1. e4 {${turn}note} e5 *`);
  await expect(page.locator('.player .name').last()).toHaveText('[U+202E]abc');
  await expect(page.locator('.player .name').first()).toHaveText('[U+2067]xyz');
  await expect(page.locator('.moves .comment')).toHaveText('[U+202E]note');
  const game = (name: string) => `[White "${name}"]\n[Black "B"]\n[Date "${turn}2026"]\n\n1. e4 *\n\n`;
  await openText(page, game(`${turn}abc`) + game('d'));
  await expect(page.locator('.library li').first()).toContainText('[U+202E]abc – B');
  await expect(page.locator('.library li').first()).toContainText('[U+202E]2026');
  expect(await page.locator('body').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test('a link that unpacks to very much is refused', async ({ page }) => {
  await openPage(page);
  const link = await page.evaluate(async () => {
    const stream = new Blob(['e4 '.repeat(5_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let text = '';
    for (const byte of bytes) {
      text += String.fromCharCode(byte);
    }
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  });
  expect(link.length).toBeLessThan(100_000);
  await page.goto(`./#game=${link}`);
  await expect(page.locator('.toast')).toHaveText(/This link is damaged/);
});

test('the policy of the page forbids inline scripts', async ({ page, faults }) => {
  await openPage(page);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true;';
    document.head.append(script);
    return 'ran' in window;
  });
  expect(ran).toBe(false);
  expect(faults.some((text) => text.includes('Content Security Policy'))).toBe(true);
  faults.length = 0;
});

test('a worker that dies is replaced with a word, and the game is kept', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  // The engine hangs: an endless loop between two messages.
  const [worker] = page.workers();
  const hanging = worker?.evaluate(() => {
    const until = Date.now() + 60_000;
    while (Date.now() < until) {
      // It answers nobody.
    }
  });
  hanging?.catch(() => {
    // The worker is ended.
  });
  await move(page, 'd3', 'd4');
  await expect(page.getByText('The engine had stopped and was started again.')).toBeVisible({ timeout: 30_000 });
  await expect.poll(async () => (await moves(page)).length, { timeout: 20_000 }).toBe(4);
});

test('an engine that crashes in the middle of a search begins it again', async ({ page }) => {
  await openPage(page, '#/analyse');
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 20_000 });
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error('a fault for a test');
    });
  });
  await expect(page.getByText('The engine had stopped and was started again.')).toBeVisible();
  await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 20_000 });
});

test('browsers without WebAssembly SIMD get a message', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.goto('./');
  await expect(page.getByRole('alert')).toContainText('it lacks WebAssembly SIMD');
});

test('the page works offline after the first visit', async ({ page, context }) => {
  await openPage(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The second load is under the worker's control.
  await page.reload();
  await expect(page.locator('.new-game')).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  await expect.poll(async () => (await moves(page)).length, { timeout: 20_000 }).toBe(2);
  await context.setOffline(false);
});

test('the page can be installed, and asks nobody but its own host', async ({ page, baseURL }) => {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await openPage(page, '#/analyse');
  await page.getByRole('checkbox', { name: 'Engine' }).check();
  await expect(page.locator('.lines li').first()).toBeVisible({ timeout: 20_000 });
  expect([...hosts]).toEqual([new URL(baseURL ?? '').host]);
  const manifest = await (await page.request.get('./manifest.webmanifest')).json();
  expect(manifest.display).toBe('standalone');
  for (const { src } of manifest.icons) {
    expect((await page.request.get(`./${src}`)).status(), src).toBe(200);
  }
});
