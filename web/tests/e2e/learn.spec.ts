import { expect, move, moves, openPage, square, test } from './page';

test('the rules have boards on which the pieces move', async ({ page }) => {
  await openPage(page, '#/learn');
  await page.getByRole('button', { name: /The rules on one page/ }).click();
  await expect(page.locator('.chapter')).toHaveCount(10);
  const chapter = page.locator('.chapter', { hasText: 'Sak mak' }).last();
  await chapter.locator('[data-square=b1]').click();
  await chapter.locator('[data-square=b2]').click();
  await expect(chapter).toContainText('Black counts: 5 of 8.');
  await chapter.getByRole('button', { name: 'Back to the start' }).click();
  await expect(chapter).toContainText('White would have 3 moves');
});

test('an exercise is solved against perfect defence', async ({ page }) => {
  await openPage(page, '#/learn');
  await expect(page.locator('.exercises li')).toHaveCount(160);
  await expect(page.getByText('0 of 160 solved')).toBeVisible();
  await openPage(page, '#/learn/hunt.08');
  await expect(page.getByText('White to move wins')).toBeVisible();
  // Any move but one throws the win away.
  await move(page, 'd7', 'e6');
  await expect(page.getByText('That throws the win away.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  for (let at = 0; at < 5 && !(await page.getByText('Right, with help.').isVisible()); at++) {
    await expect(page.getByText('Your move.')).toBeVisible();
    const made = (await moves(page)).length;
    await page.getByRole('button', { name: 'Show a right move' }).click();
    await expect(page.locator('.sb-shape.hint')).toBeVisible();
    const to = await solution(page);
    await move(page, to.from, to.to);
    await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(made);
    await expect(page.getByText(/Right, with help|Your move\./)).toBeVisible();
  }
  await expect(page.getByText('Right, with help.')).toBeVisible();
  expect((await moves(page)).at(-1)).toMatch(/#$/);
  await expect.poll(() => moves(page)).toHaveLength(7);
  // What was shown is not solved.
  await page.getByRole('button', { name: 'All exercises' }).click();
  await expect(page.getByText('0 of 160 solved')).toBeVisible();
});

/** Where the arrow of the solution begins and ends: its outline goes from the beginning around the tip and back. */
async function solution(page: import('@playwright/test').Page): Promise<{ from: string; to: string }> {
  const outline = (await page.locator('.sb-shape.hint path').getAttribute('d')) ?? '';
  const points = [...outline.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const [first, tip, last] = [points[0] ?? [0, 0], points[3] ?? [0, 0], points[6] ?? [0, 0]];
  const name = (x: number, y: number) => `${'abcdefgh'[Math.floor(x / 100)]}${8 - Math.floor(y / 100)}`;
  return { from: name((first[0] + last[0]) / 2, (first[1] + last[1]) / 2), to: name(tip[0], tip[1]) };
}

test('a position that the count decides: the right first move is the task', async ({ page }) => {
  await openPage(page, '#/learn/hunt.01');
  await expect(page.locator('.count')).toContainText('of 16');
  await move(page, 'a2', 'a7');
  await expect(page.getByText(/The defence moves|Your move\./)).toBeVisible();
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await expect(square(page, 'a7')).toHaveAttribute('aria-label', /rua/);
});
