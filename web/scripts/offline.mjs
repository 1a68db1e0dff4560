// Fills in the service worker of a built page.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

/** Writes sw.js of the folder from its template: the files, those that index.html loads, and a version by content. */
export function writeServiceWorker(folder, template) {
  const worker = join(folder, 'sw.js');
  const text = readFileSync(template, 'utf8');
  // Puzzles and openings are loaded when they are needed, and kept by the page.
  const later = ['puzzles', 'openings'].map((name) => join(folder, name) + sep);
  const files = filesOf(folder).filter(
    (path) => path !== worker && !path.endsWith('preview.png') && !later.some((start) => path.startsWith(start)),
  );
  const hash = createHash('sha256').update(text);
  for (const file of files.sort()) {
    hash.update(readFileSync(file));
  }
  const names = files.map((file) => relative(folder, file).replaceAll('\\', '/'));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const entries = names.filter((name) => /^assets\/.*\.(js|css)$/.test(name) && page.includes(name));
  writeFileSync(
    worker,
    text
      .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 12)))
      .replace("['FILES']", JSON.stringify(['./', ...names]))
      .replace("['ENTRIES']", JSON.stringify(entries)),
  );
}
