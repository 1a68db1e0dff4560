// What a finger or the right button begins on the board.
import { expect, move, moves, openPageWithHeldEngine, playFrom, square, test } from './page';

test('an arrow that was drawn is gone with the position', async ({ page }) => {
  await playFrom(page, 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1');
  const [from, to] = [await square(page, 'b2').boundingBox(), await square(page, 'd4').boundingBox()];
  await page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 20);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 20, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await expect(page.locator('.game-board .sb-shape')).toHaveCount(1);
  await move(page, 'e3', 'e4');
  await expect(page.locator('.game-board .sb-shape')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a finger on one’s own piece does not step back while Sakmak thinks', async ({ page }) => {
    const engine = await openPageWithHeldEngine(page);
    await page.evaluate(() => localStorage.setItem('sakmak.settings', JSON.stringify({ premove: false })));
    await page.reload();
    await page.getByRole('radio', { name: 'Sakmak', exact: true }).check();
    await page.getByRole('button', { name: 'Begin' }).click();
    await engine.hold();
    await move(page, 'e3', 'e4');
    const swipe = (name: string) =>
      page.locator('.table').evaluate((table, on) => {
        const at = table.querySelector(`[data-square=${on}]`) as HTMLElement;
        const { x, y } = at.getBoundingClientRect();
        const finger = { bubbles: true, isPrimary: true, pointerType: 'touch', pointerId: 7, clientY: y + 10 };
        at.dispatchEvent(new PointerEvent('pointerdown', { ...finger, clientX: x + 10 }));
        at.dispatchEvent(new PointerEvent('pointerup', { ...finger, clientX: x + 90 }));
      }, name);
    await swipe('a1');
    await expect(page.getByText('An earlier position is shown.')).toHaveCount(0);
    await swipe('d5');
    await expect(page.getByText('An earlier position is shown.')).toBeVisible();
    await engine.release();
    await expect.poll(() => moves(page), { timeout: 60_000 }).toHaveLength(2);
  });
});
