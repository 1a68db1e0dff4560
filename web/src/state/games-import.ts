// Takes the games of a PGN text into the list of all games.
import { faultOf, libraryOf } from '../rules/rules';
import type { FaultData, RulesChoice } from '../rules/types';
import type { GameStore } from './games';
import { isWorthKeeping, type KeptGame, type Kind, keyOf, newId, type Summary, summaryOf, tagsOf } from './kept';

/** Games that are read before the page may draw again. */
const AT_ONCE = 25;

export interface Imported {
  added: number;
  /** Games that were there already. */
  known: number;
  /** Games that cannot be read. */
  broken: number;
  fault: FaultData | null;
}

/** Adds the games of a text that are not there yet. `rules` are those of games that do not name theirs. */
export async function importGames(
  store: GameStore,
  text: string,
  rules: RulesChoice,
  onProgress: (finished: number, total: number) => void = () => {},
): Promise<Imported> {
  const done: Imported = { added: 0, known: 0, broken: 0, fault: null };
  const fresh: KeptGame[] = [];
  try {
    const library = libraryOf(text, rules);
    const keys = new Set((await store.list()).map(keyOf));
    for (let index = 0; index < library.length; index += 1) {
      if (index % AT_ONCE === AT_ONCE - 1) {
        onProgress(index, library.length);
        await new Promise((resolve) => window.setTimeout(resolve, 0));
      }
      const game = readGame(library, index);
      const key = game && keyOf(game);
      if (!game || !key) {
        done.broken += 1;
      } else if (keys.has(key)) {
        done.known += 1;
      } else {
        keys.add(key);
        fresh.push(game);
      }
    }
    library.free();
  } catch (error) {
    done.fault = faultOf(error);
  }
  await store.add(fresh);
  return { ...done, added: fresh.length };
}

/** A game of an imported text; null if it cannot be read to its end. */
function readGame(library: ReturnType<typeof libraryOf>, index: number): KeptGame | null {
  try {
    const { record, error } = library.open(index);
    if (error || !isWorthKeeping(record)) {
      return null;
    }
    const tags = tagsOf(record.header().tags.Keywords ?? '');
    record.setTag('Keywords', '');
    const summary = summaryOf(record);
    record.free();
    const now = Date.now();
    return { ...summary, id: newId(), kind: kindOf(summary), tags, created: now + index, changed: now };
  } catch {
    return null;
  }
}

/** What a game of this page is by its tags. */
function kindOf({ event, white, black }: Summary): Kind {
  if (event !== 'Sakmak') {
    return 'opened';
  }
  return /^Sakmak \d+$/.test(white) || /^Sakmak \d+$/.test(black) ? 'engine' : 'people';
}
