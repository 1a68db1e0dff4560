// What is waited for shows itself.
import { expect, moves, openPage, openPageWithHeldEngine, slowNetwork, square, test } from './page';

test('while the engine loads, who waits for its move sees how much has come', async ({ page }) => {
  await slowNetwork(page);
  await openPage(page);
  await page.getByRole('radio', { name: 'Black', exact: true }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  const bar = page.locator('.player').getByRole('progressbar', { name: 'Engine loads' });
  await expect(bar).toBeVisible();
  const values: number[] = [];
  await expect
    .poll(async () => {
      values.push(Number(await bar.getAttribute('value', { timeout: 1_000 }).catch(() => 100)));
      return values.at(-1);
    })
    .toBeGreaterThan(60);
  expect(values.some((value) => value > 0 && value < 100)).toBe(true);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(1);
  await expect(bar).toHaveCount(0);
});

test('a hint shows that it is looked for, and can be given up', async ({ page }) => {
  await slowNetwork(page);
  await openPage(page);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Hint' }).click();
  const stop = page.getByRole('button', { name: 'Stop the hint' });
  await expect(stop).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.status .waiting')).toBeVisible();
  await stop.click();
  await expect(page.locator('.status .waiting')).toHaveCount(0);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('.sb-shape.hint')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Hint' })).toBeVisible();
});

test('the engine’s turn shows itself after 0.3 seconds, not before', async ({ page }) => {
  const engine = await openPageWithHeldEngine(page);
  await page.getByRole('radio', { name: 'Sakmak', exact: true }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await engine.hold();
  await square(page, 'e3').click();
  await square(page, 'e4').click();
  const waiting = page.locator('.player .waiting');
  const { delay, name } = await waiting.evaluate((element) => {
    const { animationDelay: delay, animationName: name } = getComputedStyle(element);
    return { delay, name };
  });
  expect([delay, name]).toEqual(['0.25s', 'appear']);
  await expect(waiting).toHaveCSS('opacity', '1');
  await engine.release();
  await expect.poll(() => moves(page), { timeout: 30_000 }).toHaveLength(2);
});
