// What a file of evaluations knows of the position on the board: by ranges from an address, and from this computer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { checkAccessibility, expect, move, openPage, serveRanges, test } from './page';

/** 94 positions: the start, those after its moves, after 1. e4 and 1. e4 e5, and two endings. */
const FILE = join(import.meta.dirname, '../data/known.skev');
const URL = '**/evaluations/known.skev';

const known = (page: Page) => page.getByRole('region', { name: 'Known evaluations' });
const own = (page: Page) => known(page).locator('.known-own');
const rows = (page: Page) => known(page).locator('.known-moves > li');

async function useAddress(page: Page): Promise<void> {
  await page.getByText('Engine settings').click();
  await page.getByLabel('Address of a file of evaluations').fill('./evaluations/known.skev');
  await page.getByRole('button', { name: 'Use this file' }).click();
}

test('the file is off, asked for at the address that is typed, and follows the game', async ({ page }) => {
  const asked = await serveRanges(page, URL, readFileSync(FILE));
  await openPage(page, '#/analyse');
  await page.getByText('Engine settings').click();
  await expect(page.getByText('Off: no file of evaluations is asked.')).toBeVisible();
  await page.getByText('Engine settings').click();
  await expect(known(page)).toHaveCount(0);
  expect(asked).toEqual([]);
  await useAddress(page);
  await expect(own(page)).toContainText('+0.04');
  await expect(own(page)).toContainText('depth 5');
  await expect(own(page).getByRole('button')).toHaveText(['e4', 'Mf2']);
  await expect(rows(page)).toHaveCount(23);
  await expect(known(page)).toContainText('From the file known.skev, 94 positions');
  await expect(page.getByRole('checkbox', { name: 'Engine' })).not.toBeChecked();
  // The header, and the only block.
  expect(asked).toHaveLength(2);
  await checkAccessibility(page);
  // A row plays its move; a move on the board and steps are followed.
  await own(page).getByRole('button', { name: 'e4' }).click();
  await expect(page.locator('.moves .line.main > .item > .move')).toHaveText(['e4']);
  // Black's moves, the best one for Black first.
  await expect(rows(page).first()).toContainText('Nd7 +0.03');
  await expect(rows(page).last()).toContainText('b5 +0.20');
  await move(page, 'e6', 'e5');
  await move(page, 'd1', 'e2');
  await expect(rows(page)).toHaveCount(0);
  await expect(own(page)).toBeVisible();
  await move(page, 'd6', 'd5');
  await expect(known(page)).toContainText('The file has neither this position nor one after its moves.');
  await page.keyboard.press('ArrowLeft');
  await expect(own(page)).toBeVisible();
  await page.keyboard.press('Home');
  await expect(own(page)).toContainText('+0.04');
  expect(asked).toHaveLength(2);
  // It is kept until it is ended.
  await page.reload();
  await expect(own(page)).toContainText('+0.04');
  await page.getByText('Engine settings').click();
  await page.getByRole('button', { name: 'Use no file' }).click();
  await expect(known(page)).toHaveCount(0);
});

test('a server without ranges is told in words, and asked again by a button', async ({ page }) => {
  const asked = await serveRanges(page, URL, readFileSync(FILE), { whole: true });
  await openPage(page, '#/analyse');
  await useAddress(page);
  await expect(known(page).getByRole('alert')).toContainText('The server sends whole files instead of parts');
  await move(page, 'e3', 'e4');
  await expect(known(page).getByRole('alert')).toBeVisible();
  expect(asked).toHaveLength(1);
  await page.unroute(URL);
  await serveRanges(page, URL, readFileSync(FILE));
  await known(page).getByRole('button', { name: 'Try again' }).click();
  await expect(rows(page)).toHaveCount(23);
});

test('a file of this computer is read until the page is closed', async ({ page }) => {
  await openPage(page, '#/analyse');
  await page.getByText('Engine settings').click();
  await page.locator('.known-form input[type=file]').setInputFiles(FILE);
  await expect(own(page)).toContainText('+0.04');
  await expect(page.getByText('On: the analysis reads the file known.skev of this computer')).toBeVisible();
  await page.reload();
  await expect(page.locator('main')).toBeVisible();
  await page.getByText('Engine settings').click();
  await expect(page.getByText('Off: no file of evaluations is asked.')).toBeVisible();
  await expect(known(page)).toHaveCount(0);
});
