// The report of `sakmak-tools annotate`, a page without a server.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './page';

const manifest = fileURLToPath(new URL('../../../Cargo.toml', import.meta.url));
const HOSTILE = '</script><script>document.title = "hostile"</script><img src=x onerror=alert(1)>';
const GAMES = `[White "${HOSTILE}"]
[Black "Second"]
[Result "0-1"]

1. e4 d5 2. exd5 exd5 3. Nd2 Nd7 4. d4 Ne7 0-1

[White "Hunter"]
[Black "Bare"]
[Variant "makruk"]
[FEN "8/8/3k4/8/3K4/8/8/R6r w - - 0 1"]
[SetUp "1"]
[Result "1/2-1/2"]

1. Rxh1 Kc6 2. Ra1 Kb6 1/2-1/2
`;

let folder: string;
test.beforeAll(() => {
  test.setTimeout(600_000); // builds the tools where they are not built
  folder = mkdtempSync(join(tmpdir(), 'sakmak-report-'));
  const [games, out, report] = ['games.pgn', 'annotated.pgn', 'report.html'].map((name) => join(folder, name));
  writeFileSync(games as string, GAMES);
  const annotate = ['annotate', games, '--nodes', '1000', '--out', out, '--report', report] as string[];
  const run = ['run', '--quiet', '--package', 'sakmak-tools', '--manifest-path', manifest, '--', ...annotate];
  execFileSync('cargo', run, { stdio: 'pipe' });
});
test.afterAll(() => rmSync(folder, { recursive: true }));
test.beforeEach(async ({ page }) => {
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
});

test('the games of a report are gone through by buttons, keys, list and graph', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report on games.pgn');
  const board = page.locator('#board');
  const start = await board.getAttribute('aria-label');
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(page.locator('#words')).toContainText('1. e4');
  await expect(board).not.toHaveAttribute('aria-label', start as string);
  await page.keyboard.press('End');
  await expect(page.locator('#words')).toContainText('4... Ne7');
  await expect(page.locator('.move.now')).toHaveText(/^Ne7/);
  await page.keyboard.press('Home');
  await expect(board).toHaveAttribute('aria-label', start as string);
  await page.getByRole('button', { name: /^exd5/ }).first().click();
  await expect(page.locator('#words')).toContainText('2. exd5');
  await page.locator('#graph').click({ position: { x: 1, y: 10 } });
  await expect(page.locator('#words')).toContainText('start position');
  await page.getByRole('button', { name: 'Flip' }).click();
  await expect(board.locator('text').first()).toHaveText('h');
});

test('a report explains in English and Thai', async ({ page }) => {
  await page.getByLabel('Game', { exact: true }).selectOption('1');
  await expect(page.locator('#sides')).toContainText('White: Hunter');
  await expect(page.locator('#summary')).toContainText("games with the pieces' honour counted1");
  await page.getByLabel('Language').selectOption('th');
  await expect(page.locator('html')).toHaveAttribute('lang', 'th');
  await expect(page.locator('#sides')).toContainText('ขาว: Hunter');
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('การนับศักดิ์');
});

test('names from a file are text', async ({ page }) => {
  await expect(page.locator('#sides')).toContainText(HOSTILE);
  await expect(page).toHaveTitle('Report on games.pgn');
  await expect(page.locator('img')).toHaveCount(0);
});

test('axe finds nothing in a report', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.keyboard.press('End');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  }
});

test('a report prints without its controls', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Flip' })).toBeHidden();
  await expect(page.locator('#board')).toBeVisible();
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});
