import type { Page } from '@playwright/test';
import { expect, move, moves, openPage, playFrom, square, test } from './page';

interface Heard {
  heard: { contexts: number; sounds: number; said: string[]; vibrations: number };
}

/** Counts what would be heard. The device has a voice for English, none for Thai, and vibrates. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard = { contexts: 0, sounds: 0, said: [] as string[], vibrations: 0 };
    Object.assign(window, { heard });
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        heard.contexts += 1;
      }
    };
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...args) {
      heard.sounds += 1;
      start.apply(this, args);
    };
    const voices = [
      { lang: 'en-GB', localService: true, default: true },
      { lang: 'th-TH', localService: false, default: false },
    ];
    window.speechSynthesis.getVoices = () => voices as SpeechSynthesisVoice[];
    window.speechSynthesis.speak = ({ text }) => heard.said.push(text);
    window.SpeechSynthesisUtterance = class {
      constructor(readonly text: string) {}
    } as unknown as typeof SpeechSynthesisUtterance;
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 });
    navigator.vibrate = () => {
      heard.vibrations += 1;
      return true;
    };
  });
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as Heard).heard);

const ENDING = '4k3/8/8/3m4/4M3/8/8/R3K3 w - - 0 1';

test('sounds come with moves, none before a gesture, and can be switched off', async ({ page }) => {
  await listen(page);
  const loaded = page.waitForResponse(/start-[\w-]+\.js/);
  await openPage(page);
  await loaded;
  await page.waitForLoadState('load');
  expect((await heard(page)).contexts).toBe(0);
  await page.getByRole('radio', { name: 'Two people at this board' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await move(page, 'e3', 'e4');
  await expect.poll(async () => (await heard(page)).sounds).toBe(1);
  expect(await heard(page)).toMatchObject({ contexts: 1, vibrations: 1 });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await heard(page)).sounds).toBe(2);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Sounds of moves' }).getByRole('radio', { name: 'off' }).check();
  await page.getByRole('checkbox', { name: 'Vibrate with moves' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await move(page, 'd6', 'd5');
  await expect.poll(() => moves(page)).toHaveLength(2);
  expect(await heard(page)).toMatchObject({ sounds: 2, vibrations: 2 });
});

test('the count is spoken by a voice of the device; where there is none, the setting says so', async ({ page }) => {
  await listen(page);
  await playFrom(page, ENDING);
  await page.getByRole('button', { name: 'Settings' }).click();
  const speak = page.getByRole('checkbox', { name: 'Speak the numbers of the count' });
  await expect(speak).not.toBeChecked();
  await speak.check();
  await page.getByRole('checkbox', { name: 'Ask before a move' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await move(page, 'e4', 'd5');
  await expect(square(page, 'd5')).toHaveAttribute('aria-label', 'd5, White met');
  await move(page, 'e8', 'e7');
  await expect.poll(async () => (await heard(page)).said).toEqual(['5']);

  await page.getByRole('button', { name: 'ภาษาไทย' }).click();
  await page.getByRole('button', { name: 'ตั้งค่า' }).click();
  await expect(page.getByRole('checkbox', { name: 'อ่านออกเสียงเลขที่นับ' })).toBeDisabled();
  await expect(page.getByText('เครื่องนี้ไม่มีเสียงอ่านภาษาไทยในเครื่อง')).toBeVisible();
});
