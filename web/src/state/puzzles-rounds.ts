// A round of puzzles: rated, by theme, streak, storm, the daily one, or those that were failed.
import type { Puzzle, PuzzleSource } from './puzzles-data';
import { dailyPlace, hasTheme, isOfCount, pick, runRating, type Wish } from './puzzles-pick';
import type { PuzzleProgress } from './puzzles-progress';
import type { SolverStore } from './puzzles-solver';
import { Store } from './store';

export type Mode = 'rated' | 'theme' | 'streak' | 'storm' | 'daily' | 'repeat';

export type RoundState =
  | 'loading'
  /** A puzzle is on the board. */
  | 'solving'
  /** Index or part could not be loaded. */
  | 'missing'
  /** There is no puzzle: nothing is due, or the theme has none. */
  | 'none';

export const STORM_MS = 180_000;
/** Milliseconds before the next puzzle of a run. */
const NEXT_MS = { streak: 700, storm: 300 };
/** A puzzle of a changed list may turn out to be one that was shown: then another one is drawn, at most so often. */
const MOST_DRAWS = 40;

export class RoundStore extends Store {
  mode: Mode = 'rated';
  theme = '';
  state: RoundState = 'loading';
  /** Bytes that have come while something is loaded. */
  bytes = 0;
  /** The puzzle on the board, its place and rating. */
  puzzle: Puzzle | null = null;
  at = -1;
  /** The result of the puzzle; null until there is one. */
  isSolved: boolean | null = null;
  /** What a rated puzzle has changed, in points. */
  change = 0;
  /** Puzzles solved in a streak or storm, and faults in a storm. */
  score = 0;
  faults = 0;
  /** A streak or storm has ended, and whether it was the best so far. */
  isOver = false;
  isBest = false;
  /** When a storm ends; null before its first puzzle. */
  endsAt: number | null = null;
  /** The day of a daily puzzle: it may be solved after midnight. */
  private day = 0;
  private readonly used = new Set<number>();
  /** Whether the last puzzle was about the count: those that are take turns with the others. */
  private wasOfCount = true;
  private timer = 0;
  private ending = 0;
  /** Distinguishes the puzzles: what is loaded late is not shown in place of the next. */
  private attempt = 0;

  constructor(
    private readonly source: PuzzleSource,
    readonly solver: SolverStore,
    private readonly progress: PuzzleProgress,
    private readonly random: () => number,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  get isRun(): boolean {
    return this.mode === 'streak' || this.mode === 'storm';
  }

  /** Elo of the puzzle on the board. */
  get rating(): number {
    return this.source.index?.ratings[this.at] ?? 0;
  }

  /** Milliseconds left of a storm. */
  get left(): number {
    return this.endsAt === null ? STORM_MS : Math.max(0, this.endsAt - this.now());
  }

  begin(mode: Mode, theme = ''): void {
    this.stop();
    this.mode = mode;
    this.theme = theme;
    this.score = 0;
    this.faults = 0;
    this.isOver = false;
    this.isBest = false;
    this.used.clear();
    // Also for who solves one puzzle a visit.
    this.wasOfCount = this.progress.value.rated % 2 === 0;
    void this.next();
  }

  /** The view is left. */
  stop(): void {
    this.attempt += 1;
    window.clearTimeout(this.timer);
    window.clearTimeout(this.ending);
    this.endsAt = null;
    this.puzzle = null;
    this.solver.close();
  }

  /** The next puzzle. */
  async next(): Promise<void> {
    window.clearTimeout(this.timer);
    if (this.isOver) {
      return;
    }
    this.attempt += 1;
    const { attempt } = this;
    this.state = 'loading';
    this.bytes = 0;
    this.isSolved = null;
    this.puzzle = null;
    this.solver.close();
    this.changed();
    try {
      await this.prepare();
      await this.drawOne(attempt);
      if (attempt === this.attempt && !this.puzzle) {
        this.state = 'none';
        // A run may use all puzzles that are loaded.
        this.end();
        this.changed();
      }
    } catch {
      if (attempt === this.attempt) {
        // The host may have another list by now.
        this.source.refresh();
        this.state = 'missing';
        this.changed();
      }
    }
  }

  /** Draws puzzles until one can be shown, or none is left. */
  private async drawOne(attempt: number): Promise<void> {
    let isCut = false;
    for (let draws = 0; draws < MOST_DRAWS; draws++) {
      const at = await this.draw(isCut);
      if (at === null && isCut) {
        throw new Error('no network, and no puzzle of this kind is there without it');
      }
      if (at === null || attempt !== this.attempt) {
        return;
      }
      const timesBefore = this.times(at);
      let puzzle: Puzzle;
      try {
        puzzle = await this.load(at);
      } catch (error) {
        if (isCut || (this.mode !== 'rated' && this.mode !== 'theme')) {
          throw error;
        }
        // Without a network the puzzles that are there do, too.
        isCut = true;
        continue;
      }
      if (attempt !== this.attempt) {
        return;
      }
      const isKnown = (this.mode === 'rated' || this.mode === 'theme') && this.times(at) > timesBefore;
      this.used.add(at);
      if (!isKnown && this.show(puzzle, at)) {
        return;
      }
      if (this.mode === 'repeat') {
        this.progress.forget(puzzle.id);
      }
    }
  }

  private readonly report = (bytes: number) => {
    this.bytes = bytes;
    this.changed();
  };

  /** Loads the index, and for a run the part of which most puzzles are new. */
  private async prepare(): Promise<void> {
    const index = await this.source.loadIndex(this.report);
    this.progress.use(index.list);
    if (!this.isRun || this.used.size > 0) {
      return;
    }
    const times = this.progress.timesByPlace();
    const shown = Array.from({ length: this.source.partCount }, () => 0);
    for (const at of times.keys()) {
      const part = Math.floor(at / index.size);
      shown[part] = (shown[part] ?? 0) + 1;
    }
    const part = shown.indexOf(Math.min(...shown));
    try {
      await this.loadPart(part);
    } catch (error) {
      // Without a network a part that is there does, too.
      if (!index.ratings.some((_, at) => this.source.isLoaded(at))) {
        throw error;
      }
    }
  }

  private async loadPart(part: number): Promise<Puzzle[]> {
    const puzzles = await this.source.loadPart(part, this.report);
    this.progress.locate(puzzles, part * (this.source.index?.size ?? 0));
    return puzzles;
  }

  private async load(at: number): Promise<Puzzle> {
    const size = this.source.index?.size ?? 1;
    const puzzle = (await this.loadPart(Math.floor(at / size)))[at % size];
    if (!puzzle) {
      throw new Error(`there is no puzzle ${at}`);
    }
    return puzzle;
  }

  private times(at: number): number {
    return this.progress.timesByPlace().get(at) ?? 0;
  }

  /** The place of the next puzzle, of those that are there if the network is cut; null if there is none. */
  private async draw(isCut: boolean): Promise<number | null> {
    const { mode, source, used } = this;
    const { index } = source;
    if (!index || index.count === 0) {
      return null;
    }
    if (mode === 'daily') {
      this.day = this.progress.today;
      return used.size > 0 ? null : dailyPlace(index, this.day);
    }
    if (mode === 'repeat') {
      return this.nextDue();
    }
    const places = this.progress.timesByPlace();
    const times = (at: number) => places.get(at) ?? 0;
    const isLoaded = (at: number) => source.isLoaded(at);
    const own = this.progress.value.rating.rating;
    const isCounted = isOfCount(index);
    const prefers = (at: number) => isCounted(at) !== this.wasOfCount;
    if (mode === 'streak' || mode === 'storm') {
      const allows = (at: number) => isLoaded(at) && !used.has(at);
      const rating = runRating(mode, this.score);
      return pick(index, { rating, allows, prefers, times, isLoaded, order: 'near' }, this.random);
    }
    const theme = index.themes.findIndex(({ id }) => id === this.theme);
    const isOfTheme = (at: number) =>
      (!isCut || isLoaded(at)) && (mode === 'rated' || (theme >= 0 && hasTheme(index.masks[at] ?? 0, theme)));
    const wish: Wish = { rating: own, times, isLoaded, order: 'rounds' };
    if (mode === 'rated') {
      wish.prefers = prefers;
    }
    const isAnother = (at: number) => at !== this.at && isOfTheme(at);
    return (
      pick(index, { ...wish, allows: isAnother }, this.random) ??
      pick(index, { ...wish, allows: isOfTheme }, this.random)
    );
  }

  /** The place of a failed puzzle. One whose place is not known is looked for in all parts. */
  private async nextDue(): Promise<number | null> {
    const size = this.source.index?.size ?? 1;
    for (const id of this.progress.due) {
      if (this.placeOf(id) >= 0) {
        // Imported progress may name a wrong place.
        await this.loadPart(Math.floor(this.placeOf(id) / size));
      }
      for (let part = 0; this.placeOf(id) < 0 && part < this.source.partCount; part++) {
        await this.loadPart(part);
      }
      const at = this.placeOf(id);
      if (at >= 0) {
        return at;
      }
      this.progress.forget(id);
    }
    return null;
  }

  private placeOf(id: string): number {
    return this.progress.value.tried[id]?.at ?? -1;
  }

  private show(puzzle: Puzzle, at: number): boolean {
    const { attempt } = this;
    const took = (isSolved: boolean) => attempt === this.attempt && this.take(isSolved);
    if (!this.solver.start(puzzle, took, { isQuick: this.mode === 'storm' })) {
      return false;
    }
    this.puzzle = puzzle;
    this.at = at;
    this.wasOfCount = this.source.index !== null && isOfCount(this.source.index)(at);
    this.state = 'solving';
    if (this.mode === 'storm' && this.endsAt === null) {
      this.endsAt = this.now() + STORM_MS;
      this.ending = window.setTimeout(() => this.end(), STORM_MS);
    }
    this.changed();
    return true;
  }

  /** The result of the puzzle on the board. */
  private take(isSolved: boolean): void {
    const { mode, puzzle, at, progress } = this;
    if (!puzzle || this.isOver) {
      return;
    }
    this.isSolved = isSolved;
    progress.note(puzzle.id, at, isSolved, { isRepeat: mode === 'repeat' });
    if (mode === 'rated') {
      this.change = progress.rate(this.rating, isSolved);
    } else if (mode === 'daily') {
      progress.noteDaily(this.day, isSolved);
    } else if (mode === 'streak' || mode === 'storm') {
      this.score += isSolved ? 1 : 0;
      this.faults += isSolved ? 0 : 1;
      if (mode === 'streak' && !isSolved) {
        this.end();
      } else {
        this.timer = window.setTimeout(() => void this.next(), NEXT_MS[mode]);
      }
    }
    this.changed();
  }

  /** A streak ends by a fault, a storm by its clock. */
  private end(): void {
    const { mode } = this;
    if (mode !== 'streak' && mode !== 'storm') {
      return;
    }
    window.clearTimeout(this.timer);
    window.clearTimeout(this.ending);
    this.isOver = true;
    this.isBest = this.progress.noteRun(mode, this.score);
    if (mode === 'storm') {
      this.attempt += 1;
      this.solver.freeze();
    }
    this.changed();
  }

  /** Again what could not be loaded. */
  retry(): void {
    void this.next();
  }
}
