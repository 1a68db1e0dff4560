// What a page could not write to the database before it was left: it lies in localStorage, for each tab under a name of
// its own, until a page has written it.
import { type KeptGame, type KeptReport, parseKept, parseReport } from './kept';

/** Until version 0.1 all tabs shared this name. */
const LEFT = 'sakmak.waiting';

interface Left {
  games: KeptGame[];
  reports: KeptReport[];
  /** The texts in which it stands, by their names. */
  texts: [name: string, text: string][];
}

/** Stores what waits when a tab is left. */
export function leave(tab: string, games: KeptGame[], reports: KeptReport[]): void {
  // Without the reports, which can be made again, if there is no room for them.
  for (const part of [{ games, reports }, { games }]) {
    try {
      localStorage.setItem(`${LEFT}.${tab}`, JSON.stringify(part));
      return;
    } catch {
      // Full or refused: the database may still get it.
    }
  }
}

/** What all tabs have left. */
export function left(): Left {
  const all: Left = { games: [], reports: [], texts: [] };
  try {
    const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    for (const name of names.filter((one) => one === LEFT || one.startsWith(`${LEFT}.`))) {
      const text = localStorage.getItem(name) ?? '';
      all.texts.push([name, text]);
      const { games, reports } = parsed(text);
      all.games.push(...games);
      all.reports.push(...reports);
    }
  } catch {
    // The browser stores nothing.
  }
  return all;
}

function parsed(text: string): Pick<Left, 'games' | 'reports'> {
  try {
    const value: unknown = JSON.parse(text);
    const { games = [], reports = [] } = (Array.isArray(value) ? { games: value } : value) as Record<string, unknown>;
    const list = (some: unknown) => (Array.isArray(some) ? some : []);
    return {
      games: list(games)
        .map(parseKept)
        .filter((game) => game !== null),
      reports: list(reports)
        .map(parseReport)
        .filter((report) => report !== null),
    };
  } catch {
    return { games: [], reports: [] };
  }
}

/** Removes what a tab has left, and the texts of others that are written now, unless those have changed since. */
export function forgetLeft(tab: string, texts: Left['texts']): void {
  try {
    localStorage.removeItem(`${LEFT}.${tab}`);
    for (const [name, text] of texts) {
      if (localStorage.getItem(name) === text) {
        localStorage.removeItem(name);
      }
    }
  } catch {
    // As above.
  }
}

/** Takes a deleted game out of what all tabs have left. */
export function withoutLeft(id: string): void {
  try {
    for (const [name, text] of left().texts) {
      const { games, reports } = parsed(text);
      if (games.some((game) => game.id === id) || reports.some((report) => report.id === id)) {
        const others = { games: games.filter((one) => one.id !== id), reports: reports.filter((one) => one.id !== id) };
        localStorage.setItem(name, JSON.stringify(others));
      }
    }
  } catch {
    // As above.
  }
}
