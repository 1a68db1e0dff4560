// The list of puzzles, loaded in parts: first the index, then each part when a puzzle of it is needed.

export interface PuzzleTheme {
  id: string;
  en: string;
  th: string;
}

export interface PuzzleIndex {
  /** A hash of the content. */
  list: string;
  /** Puzzles in each part but the last. */
  size: number;
  count: number;
  themes: PuzzleTheme[];
  /** Of each puzzle its Elo rating, and the bits of its themes. */
  ratings: number[];
  masks: number[];
}

export interface Puzzle {
  /** A hash of position and moves, the same in every list. */
  id: string;
  /** The position before the mistake; that to solve where there is none. */
  fen: string;
  /** The move that allows the solution; empty for none. */
  mistake: string;
  /** The solver's move first and last. */
  moves: string[];
  goal: string;
  /** All right moves at the plies where there are several. */
  accepted: Record<string, string[]>;
}

/** What the page needs of the browser's Cache Storage. */
export interface PuzzleCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
  keys(): Promise<readonly { url: string }[]>;
  delete(url: string): Promise<boolean>;
}

export interface Loader {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Fails where the browser stores nothing. */
  cache: () => Promise<PuzzleCache>;
  /** The folder of the list, with a slash at its end. */
  folder: string;
}

export class PuzzleSource {
  index: PuzzleIndex | null = null;
  /** The index that was used last, also while it is asked for anew. */
  private last: PuzzleIndex | null = null;
  private readonly parts = new Map<number, Puzzle[]>();
  /** The parts of this list that an earlier visit has stored. */
  private kept = new Set<number>();

  constructor(private readonly loader: Loader) {}

  /** The index of the host; without a network the one that was loaded last. An error if there is neither. */
  async loadIndex(report: (bytes: number) => void = () => {}): Promise<PuzzleIndex> {
    if (this.index) {
      return this.index;
    }
    this.index = await this.freshIndex(report);
    if (this.last && this.last.list !== this.index.list) {
      this.parts.clear();
    }
    this.last = this.index;
    await this.lookForParts(this.index.list);
    return this.index;
  }

  private async freshIndex(report: (bytes: number) => void): Promise<PuzzleIndex> {
    const url = `${this.loader.folder}index.json`;
    try {
      const text = await textOf(await this.loader.fetch(url, { cache: 'no-cache' }), report);
      const index = readIndex(text);
      await this.store(url, text);
      return index;
    } catch (error) {
      const stored = await this.stored(url);
      if (stored !== null) {
        return readIndex(stored);
      }
      if (this.last) {
        return this.last;
      }
      throw error;
    }
  }

  /** The puzzles of a part. An error if it cannot be loaded, or belongs to another list. */
  async loadPart(part: number, report: (bytes: number) => void = () => {}): Promise<Puzzle[]> {
    const known = this.parts.get(part);
    if (known) {
      return known;
    }
    const index = await this.loadIndex(report);
    // Each list has addresses of its own, so that no cache mixes them.
    const url = `${this.loader.folder}part-${String(part).padStart(3, '0')}.json?${index.list}`;
    const puzzles = (await this.storedPart(url, index, part)) ?? (await this.freshPart(url, index, part, report));
    this.parts.set(part, puzzles);
    return puzzles;
  }

  private async freshPart(
    url: string,
    index: PuzzleIndex,
    part: number,
    report: (bytes: number) => void,
  ): Promise<Puzzle[]> {
    const text = await textOf(await this.loader.fetch(url), report);
    const puzzles = readPart(text, index, part);
    await this.store(url, text);
    return puzzles;
  }

  /** A stored part; null if there is none, or it is damaged. */
  private async storedPart(url: string, index: PuzzleIndex, part: number): Promise<Puzzle[] | null> {
    const text = await this.stored(url);
    try {
      return text === null ? null : readPart(text, index, part);
    } catch {
      return null;
    }
  }

  /** Whether a puzzle is there without the network. */
  isLoaded(at: number): boolean {
    const part = Math.floor(at / (this.index?.size ?? 1));
    return this.index !== null && (this.parts.has(part) || this.kept.has(part));
  }

  get partCount(): number {
    return this.index ? Math.ceil(this.index.count / this.index.size) : 0;
  }

  /** The index is asked for anew: the host may have another list. */
  refresh(): void {
    this.index = null;
  }

  private async stored(url: string): Promise<string | null> {
    try {
      return (await (await (await this.loader.cache()).match(url))?.text()) ?? null;
    } catch {
      return null;
    }
  }

  private async store(url: string, text: string): Promise<void> {
    try {
      const headers = { 'Content-Type': 'application/json' };
      await (await this.loader.cache()).put(url, new Response(text, { headers }));
    } catch {
      // Full or forbidden: the next visit needs the network again.
    }
  }

  /** Finds the stored parts of a list, and deletes those of others. */
  private async lookForParts(list: string): Promise<void> {
    this.kept = new Set();
    try {
      const cache = await this.loader.cache();
      for (const { url } of await cache.keys()) {
        const [, part, query] = /part-(\d+)\.json\?(\w+)$/.exec(url) ?? [];
        if (query === list) {
          this.kept.add(Number(part));
        } else if (query !== undefined) {
          await cache.delete(url);
        }
      }
    } catch {
      // As above.
    }
  }
}

/** The text of a response, with the bytes that have come. */
async function textOf(response: Response, report: (bytes: number) => void): Promise<string> {
  if (!response.ok) {
    throw new Error(`the host answers ${response.status}`);
  }
  if (!response.body) {
    return response.text();
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.length;
    report(bytes);
    text += decoder.decode(value, { stream: true });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const areIntegers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);

export function readIndex(text: string): PuzzleIndex {
  const data: unknown = JSON.parse(text);
  if (!isObject(data) || data.format !== 1) {
    throw new Error('not an index of puzzles');
  }
  const { list, size, count, themes, ratings, masks } = data;
  const isWhole =
    typeof list === 'string' &&
    /^[0-9a-f]{1,64}$/.test(list) &&
    Number.isInteger(size) &&
    (size as number) > 0 &&
    areIntegers(ratings) &&
    areIntegers(masks) &&
    ratings.length === count &&
    masks.length === count &&
    Array.isArray(themes) &&
    themes.length <= 31 &&
    themes.every((theme) => isObject(theme) && areStrings([theme.id, theme.en, theme.th]));
  if (!isWhole) {
    throw new Error('the index of puzzles is damaged');
  }
  return { list, size: size as number, count: ratings.length, themes: themes as PuzzleTheme[], ratings, masks };
}

export function readPart(text: string, { list, size, count }: PuzzleIndex, part: number): Puzzle[] {
  const data: unknown = JSON.parse(text);
  const wanted = Math.min(size, count - part * size);
  const isWhole = isObject(data) && Array.isArray(data.puzzles) && data.puzzles.length === wanted;
  if (!isWhole || (data.list !== undefined && data.list !== list)) {
    throw new Error('the part of the list is damaged, or of another list');
  }
  return (data.puzzles as unknown[]).map(puzzleOf);
}

function puzzleOf(row: unknown): Puzzle {
  if (!Array.isArray(row) || !areStrings(row.slice(0, 5)) || row.length < 5) {
    throw new Error('a puzzle is damaged');
  }
  const [id, fen, mistake, line, goal, accepted] = row as [string, string, string, string, string, unknown];
  const moves = line.split(' ').filter(Boolean);
  const several = isObject(accepted) ? accepted : {};
  if (moves.length % 2 === 0 || !Object.values(several).every(areStrings)) {
    throw new Error(`puzzle ${id} is damaged`);
  }
  return { id, fen, mistake, moves, goal, accepted: several as Record<string, string[]> };
}
