// The stores of the puzzles, and their words.
import { analyse, queue, router } from '../../app';
import { translator } from '../../messages/i18n';
import { type PuzzlesKey, puzzlesEn } from '../../messages/puzzles-en';
import { puzzlesTh } from '../../messages/puzzles-th';
import { playCues, speakNumber } from '../../sound/sound';
import { watchMoves } from '../../sound/watch';
import { randomNumber } from '../../state/play';
import { PuzzleSource, type PuzzleTheme } from '../../state/puzzles-data';
import { PuzzleProgress } from '../../state/puzzles-progress';
import { RoundStore } from '../../state/puzzles-rounds';
import { SolverStore } from '../../state/puzzles-solver';
import { settings } from '../../state/settings';
import { toasts } from '../../state/toasts';

export const tp = translator<PuzzlesKey>({ en: puzzlesEn, th: puzzlesTh });

export const source = new PuzzleSource({
  fetch: (url, init) => fetch(url, init),
  // Not among those that the service worker deletes: it keeps the page, and this the puzzles.
  cache: async () => caches.open('makruk-puzzles'),
  folder: './puzzles/',
});
export const progress = new PuzzleProgress();
export const solver = new SolverStore(queue);
export const rounds = new RoundStore(source, solver, progress, randomNumber);

watchMoves([solver], () => solver.session && { session: solver.session, isOver: false }, {
  cues: playCues,
  number: speakNumber,
});

/** The name of a theme. The page writes one kind of digits. */
export function themeName({ en, th }: PuzzleTheme): string {
  const digits = (name: string) => name.replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0xe50));
  return settings.value.language === 'th' ? digits(th) : en;
}

export function go(...parts: string[]): void {
  router.go('learn', ['puzzles', ...parts].join('/'));
}

/** Opens the puzzle in the analysis, where the solver was to move first. */
export function analysePuzzle(): void {
  const { session, puzzle, side } = solver;
  if (!session || !puzzle) {
    return;
  }
  const fault = analyse.read(session.record.pgn());
  if (fault) {
    toasts.fault(fault);
    return;
  }
  analyse.step(puzzle.mistake ? 1 : 0);
  router.setFlipped('analyse', side === 'b');
  router.go('analyse');
}
