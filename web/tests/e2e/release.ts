// Two releases of the page on one host, as a deployment replaces one by the other.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeServiceWorker } from '../../scripts/offline.mjs';
import { answer, type Site } from '../../scripts/serve.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The built page as another release: its name stands in index.html, and in the names of all files with content. */
function writeRelease(folder: string, release: string): void {
  cpSync(join(web, 'dist'), folder, { recursive: true });
  const assets = readdirSync(join(folder, 'assets'));
  for (const name of assets) {
    renameSync(join(folder, 'assets', name), join(folder, 'assets', `${release}-${name}`));
  }
  const texts = [join(folder, 'index.html'), ...assets.map((name) => join(folder, 'assets', `${release}-${name}`))];
  for (const file of texts.filter((path) => /^\.(html|js|css)$/.test(extname(path)))) {
    let text = readFileSync(file, 'utf8');
    for (const name of assets) {
      text = text.replaceAll(name, `${release}-${name}`);
    }
    writeFileSync(file, text.replace('<html ', `<html data-release="${release}" `));
  }
  writeServiceWorker(folder, join(web, 'public/sw.js'));
}

/** A host that serves one release. It lets browsers keep everything for a year, as careless hosts do. */
export class Host {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sakmak-releases-'));
  private readonly site: Site = {
    folder: this.folder,
    prefix: '/',
    headers: { 'Cache-Control': 'public, max-age=31536000' },
  };
  private readonly server: Server = createServer((request, response) => answer(this.site, request, response));
  /** Paths that are answered with a file of another release, as a cache between the host and the browser does. */
  private stale: { release: string; path: string } | null = null;

  async start(release: string): Promise<string> {
    this.deploy(release);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Replaces the files of the release before. */
  deploy(release: string): void {
    const folder = join(this.folder, release);
    if (!existsSync(folder)) {
      writeRelease(folder, release);
    }
    this.site.folder = folder;
    if (this.stale) {
      cpSync(join(this.folder, this.stale.release, this.stale.path), join(folder, this.stale.path));
    }
  }

  /** Puts a file of an older release among those of the next. */
  keepStale(release: string, path: string): void {
    this.stale = { release, path };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.folder, { recursive: true });
  }
}
