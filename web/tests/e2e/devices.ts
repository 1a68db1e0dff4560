// What the tests of the devices share: words in the language of the project, and a slow machine.
import { expect, type Page } from '@playwright/test';
import { en, type MessageKey } from '../../src/messages/en';
import { th } from '../../src/messages/th';
import { move, openMore, openPage, test as plain, slowNetwork } from './page';

export { expect, move, openMore, openPage };

export interface DeviceOptions {
  /** How many times slower than this machine, on 1.5 Mbit/s; 1 for neither. */
  throttling: number;
}

type Words = (key: MessageKey, args?: Record<string, string>) => string;

export const test = plain.extend<DeviceOptions & { words: Words; slow: undefined }>({
  throttling: [1, { option: true }],
  words: async ({ locale }, use) => {
    const language = locale?.startsWith('th') ? th : en;
    await use((key, args = {}) => language[key].replace(/\{(\w+)\}/g, (_, name: string) => args[name] ?? ''));
  },
  slow: [
    async ({ page, throttling }, use) => {
      if (throttling > 1) {
        const cdp = await page.context().newCDPSession(page);
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
        await slowNetwork(page);
      }
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Begins a game of two people from a FEN, in the language of the project. */
export async function begin(page: Page, words: Words, fen?: string): Promise<void> {
  if (fen) {
    await openPage(page, `#fen=${fen.replaceAll(' ', '_')}`);
    await openSheet(page, words);
    await page.getByRole('button', { name: words('analyse.playFrom') }).click();
  } else {
    await openPage(page);
  }
  await page.getByRole('radio', { name: words('new.people'), exact: true }).check();
  await page.getByRole('button', { name: words('new.begin'), exact: true }).click();
  await expect(page.locator('.game-board')).toBeVisible();
}

/** On a phone, opens the sheet with what a larger window always shows. */
export async function openSheet(page: Page, words: Words): Promise<void> {
  await expect(page.locator('.seat')).toBeVisible();
  const more = page.getByRole('button', { name: words('more'), exact: true });
  if (await more.isVisible()) {
    await more.click();
  }
}
