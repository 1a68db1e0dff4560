// Draws public/preview.png, which messengers show beside a link: node scripts/preview.mjs (after npm run build).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const PORT = 4191;
const POSITION = 'r1smk2r/3ns1n1/ppp1pppp/3p4/2P1P3/PP1P1PPP/3NS1N1/R1SKM2R_w_-_-_0_6';
const system = process.env.SAKMAK_CHROMIUM ?? '/usr/bin/chromium';

const server = spawn('node', ['scripts/serve.mjs', 'dist', String(PORT), '/'], { cwd: web, stdio: 'ignore' });
const browser = await chromium.launch({
  ...(existsSync(system) && { executablePath: system }),
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, locale: 'th-TH' });
  const address = `http://localhost:${PORT}/#fen=${POSITION}`;
  // The server may take a moment to start.
  for (let attempt = 0; ; attempt++) {
    try {
      await page.goto(address);
      break;
    } catch (error) {
      if (attempt === 50) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await page.locator('.board').waitFor();
  await page.evaluate(() => document.fonts.ready);
  const board = (await page.locator('.board').screenshot()).toString('base64');
  const card = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await card.setContent(`<style>
      body { margin: 0; display: flex; align-items: center; background: #f6f1e7; color: #2a2118;
        font-family: Sarabun, "Noto Sans Thai", sans-serif; height: 630px }
      img { width: 630px; height: 630px } div { padding: 0 50px } h1 { font-size: 88px; margin: 0 0 10px }
      p { font-size: 40px; line-height: 1.5; margin: 0; color: #62564a }</style>
    <img src="data:image/png;base64,${board}" alt=""><div><h1>Sakmak</h1><p>หมากรุกไทย</p><p>เล่น วิเคราะห์<br>และนับศักดิ์</p></div>`);
  await card.screenshot({ path: join(web, 'public', 'preview.png') });
} finally {
  await browser.close();
  server.kill();
}
