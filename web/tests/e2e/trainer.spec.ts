// The count trainer, on a phone and on a desktop.
import { countAgainst } from 'sakmak/study';
import { checkAccessibility, expect, openPage, test } from './page';

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 844 }, atNight: '' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, atNight: ' @nightly' },
];

type Page = import('@playwright/test').Page;

/** The page is not wider than its window. */
async function fits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

const choice = (page: Page, name: string | number) =>
  page.locator('.choices').getByRole('button', { name: String(name), exact: true });

/** The letters of the pieces on the board, by what a screen reader says of its squares. */
async function pieces(page: Page): Promise<string[]> {
  const labels = await page
    .locator('.game-board [data-square]')
    .evaluateAll((squares) => squares.map((square) => square.getAttribute('aria-label') ?? ''));
  return labels.filter((label) => /khun|rua|khon|maa|met/.test(label));
}

for (const { name, viewport, atNight } of SIZES) {
  test.describe(`${name}${atNight}`, () => {
    test.use({ viewport });

    test('how many: answers by tapping, the rule after a wrong one, the clock', async ({ page }) => {
      await openPage(page, '#/learn');
      await page.getByRole('button', { name: /The count trainer/ }).click();
      await expect(page.getByRole('heading', { name: 'The count trainer' })).toBeVisible();
      await checkAccessibility(page);
      await page.getByRole('button', { name: /How many\?/ }).click();
      await expect(page.getByText('How many pieces stand on the board?')).toBeVisible();
      await fits(page);
      await checkAccessibility(page);
      const standing = await pieces(page);
      await choice(page, standing.length).click();
      await expect(page.getByText('Right!')).toBeVisible();
      await expect(page.getByText('1 in a row')).toBeVisible();
      // Enter goes on: the button has the focus.
      await page.keyboard.press('Enter');
      await expect(page.getByText('What is the limit?')).toBeVisible();
      const attacker = standing.map((label) => /White/.test(label)).filter(Boolean).length > 1 ? 'White' : 'Black';
      const letters = standing
        .filter((label) => label.includes(attacker) && !label.includes('khun'))
        .map((label) => ({ rua: 'R', khon: 'S', maa: 'N', met: 'M' })[/rua|khon|maa|met/.exec(label)?.[0] ?? ''] ?? '');
      const limit = countAgainst(letters.join(''))?.limit ?? 0;
      const wrong = (await page.locator('.choices button').allInnerTexts()).findIndex((text) => Number(text) !== limit);
      await page.keyboard.press(String(wrong + 1));
      await expect(page.getByText(`No: ${limit}.`)).toBeVisible();
      await expect(page.locator('.limits')).toContainText('Two rua');
      await expect(page.getByText('0 in a row')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Next' })).toBeInViewport({ ratio: 1 });
      await checkAccessibility(page);
      await page.keyboard.press('Enter');
      await page.clock.install();
      await page.getByRole('button', { name: /One minute/ }).click();
      await expect(page.getByRole('timer')).toContainText('60');
      await choice(page, (await pieces(page)).length).click();
      await expect(page.getByText('1 right', { exact: true })).toBeVisible();
      await page.clock.runFor(61_000);
      await expect(page.getByText('Time is up: 1 right answer.')).toBeVisible();
      await page.getByRole('link', { name: 'The count trainer' }).click();
      await expect(page.getByText('best 1 in a minute')).toBeVisible();
      await page.reload();
      await expect(page.getByText('best 1 in a minute')).toBeVisible();
    });

    test('whose count: who counts, who may start, who should stop', async ({ page }) => {
      await openPage(page, '#/learn/count/whose');
      await expect(page.locator('.quiz-ask')).toBeVisible();
      await fits(page);
      await checkAccessibility(page);
      for (let at = 0; at < 4; at++) {
        await page.locator('.choices button').first().click();
        await expect(page.locator('.mood-good, .mood-bad')).toBeVisible();
        await page.getByRole('button', { name: 'Next' }).click();
        await expect(page.locator('.choice.right')).toHaveCount(0);
      }
    });

    test('is there time: yes or no, the mate behind it, then it is played out', async ({ page }) => {
      await openPage(page, '#/learn/count/time');
      await expect(page.getByText('Is there time?', { exact: false }).last()).toBeVisible();
      await expect(choice(page, 'Yes')).toBeVisible();
      await fits(page);
      await expect(page.getByText(/Mate in/)).toHaveCount(0);
      await choice(page, 'Yes').press('Enter');
      await expect(page.getByText(/There is (no )?time: Mate in \d+, \d+ left\./)).toBeVisible();
      await checkAccessibility(page);
      await page.getByRole('button', { name: /Play the (hunt|escape)/ }).click();
      await expect(page.locator('.exercise-state')).toContainText('Your move.');
      await expect(page.locator('.count')).toContainText(/left/);
      await fits(page);
    });

    test('hunt and escape: a film, then a hunt on the board', async ({ page }) => {
      await openPage(page, '#/learn/count/hunt');
      const lesson = page.getByRole('region', { name: 'Two rua' });
      await expect(lesson.getByRole('img', { name: '0 of 3 stars' })).toHaveCount(3);
      await fits(page);
      await checkAccessibility(page);
      await lesson.getByRole('button', { name: 'Film' }).click();
      const made = page.locator('.moves .line.main > .item > .move');
      await expect.poll(() => made.count()).toBeGreaterThan(1);
      const pause = page.getByRole('button', { name: 'Pause' });
      if (await pause.isVisible()) {
        await pause.click();
      }
      await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'From the start' }).click();
      await page.getByRole('button', { name: 'One move on' }).click();
      await expect(page.locator('.sb-square.last')).not.toHaveCount(0);
      await fits(page);
      await checkAccessibility(page);
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await expect(page.locator('.exercise-state')).toContainText('Your move.');
      await page.locator('.sb-square.pick').first().click();
      await page.locator('.sb-square.dest').first().click();
      await expect(page.locator('.exercise-state')).not.toContainText('The other side moves');
      await expect.poll(() => made.count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(made).toHaveCount(0);
    });

    test('the counter: material, taps, the space bar, back, clocks, the screen kept awake', async ({ page }) => {
      await page.addInitScript(() => {
        const request = async () => {
          document.documentElement.dataset.awake = 'yes';
          return { release: async () => delete document.documentElement.dataset.awake };
        };
        Object.defineProperty(navigator, 'wakeLock', { value: { request } });
      });
      await openPage(page, '#/learn/count/counter');
      await expect(page.getByText('Limit 16, the first number is 4.')).toBeVisible();
      await page.getByRole('button', { name: 'rua: one more' }).click();
      await expect(page.getByText('Limit 8, the first number is 5.')).toBeVisible();
      await fits(page);
      await checkAccessibility(page);
      await page.getByRole('button', { name: 'Begin' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-awake', 'yes');
      const number = page.locator('.counter-number > [aria-hidden]');
      await expect(number).toHaveText('–');
      await page.keyboard.press('Space');
      await expect(number).toHaveText('5');
      await page.locator('.counter-tap').click({ position: { x: 20, y: 20 } });
      await expect(number).toHaveText('6');
      await page.getByRole('button', { name: 'One back' }).click();
      await expect(number).toHaveText('5');
      await fits(page);
      await checkAccessibility(page);
      for (let at = 0; at < 4; at++) {
        await page.locator('.counter-tap').click();
      }
      await expect(number).toHaveText('8');
      await expect(page.getByText('The limit: one last move may mate, else it is a draw.')).toBeVisible();
      await page.getByRole('button', { name: 'End' }).click();
      await expect(page.locator('html')).not.toHaveAttribute('data-awake', 'yes');
      await page.getByRole('radio', { name: 'Board’s honour' }).check();
      await expect(page.getByText('Limit 64, the first number is 1.')).toBeVisible();
      await page.getByLabel(/Minutes on each clock/).fill('5');
      await page.getByRole('button', { name: 'Begin' }).click();
      await expect(page.getByRole('timer', { name: 'White' })).toContainText('5:00');
    });
  });
}
