// A puzzle on the board, its state in words, and what comes after it.
import { useEffect } from 'preact/hooks';
import { facts, router } from '../../app';
import { fileName, rankName, SQUARES } from '../../board/squares';
import { sideName, t } from '../../messages/i18n';
import type { Puzzle } from '../../state/puzzles-data';
import { hasTheme } from '../../state/puzzles-pick';
import type { Mode } from '../../state/puzzles-rounds';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Button } from '../common';
import { dateText } from '../dateText';
import { PracticeTable } from '../PracticeTable';
import { NextButton, useTicks } from '../practice';
import { analysePuzzle, go, progress, rounds, solver, source, themeName, tp } from './stores';

const GOALS = ['win', 'mate', 'hold', 'advantage'] as const;

/** What is loaded, how much of it has come; or that it cannot be loaded. */
export function Loads({ isMissing, bytes, onRetry }: { isMissing: boolean; bytes: number; onRetry: () => void }) {
  if (!isMissing) {
    return (
      <p role="status">
        <span class="waiting">
          {tp('puzzles.loading')}{' '}
          <span aria-hidden="true">
            {bytes > 0 && tp('puzzles.kilobytes', { size: Math.max(1, Math.round(bytes / 1000)) })}
          </span>
        </span>
      </p>
    );
  }
  return (
    <>
      <p role="alert">{tp('puzzles.missing')}</p>
      <Button label={tp('puzzles.again')} primary onClick={onRetry} />
    </>
  );
}

export function RoundView({ mode, theme }: { mode: Mode; theme: string }) {
  useStores(rounds, solver, progress, settings, facts, router);
  useEffect(() => {
    rounds.begin(mode, theme);
    return () => rounds.stop();
  }, [mode, theme]);
  const { session } = solver;
  const { puzzle } = rounds;
  if (rounds.state === 'solving' && session && puzzle) {
    return <Solving session={session} puzzle={puzzle} />;
  }
  return (
    <div class="page puzzles">
      <Title />
      <RunState />
      {rounds.isOver ? (
        <NextButton label={tp('puzzles.run.again')} onClick={() => rounds.begin(mode)} />
      ) : rounds.state === 'none' ? (
        <>
          <p role="status">{noneText()}</p>
          <NextButton label={tp('puzzles.all')} onClick={() => go()} />
        </>
      ) : (
        <Loads isMissing={rounds.state === 'missing'} bytes={rounds.bytes} onRetry={() => rounds.retry()} />
      )}
    </div>
  );
}

function noneText(): string {
  const { nextDue } = progress;
  if (rounds.mode !== 'repeat') {
    return tp('puzzles.none');
  }
  return nextDue === null ? tp('puzzles.repeat.none') : tp('puzzles.repeat.next', { date: dateText(nextDue) });
}

function Title() {
  const { mode } = rounds;
  const theme = source.index?.themes.find(({ id }) => id === rounds.theme);
  const name = mode === 'theme' ? theme && themeName(theme) : tp(`puzzles.${mode}.title`);
  return (
    <h1 class="small">
      <a href="#/learn/puzzles">{tp('puzzles.title')}</a>
      {name && ` · ${name}`}
    </h1>
  );
}

function Solving({ session, puzzle }: { session: Session; puzzle: Puzzle }) {
  const { side, isOver } = solver;
  // What the solved endings know would give the solution away.
  const known = isOver || solver.state === 'wrong' ? facts.of(session) : null;
  return (
    <PracticeTable
      session={session}
      side={side}
      mayMove={solver.mayMove}
      flipped={(side === 'b') !== router.flipped.learn}
      facts={known}
      report={
        <section class={`panel exercise puzzle ${isOver ? 'over' : ''}`}>
          <Title />
          <RunState />
          <p class={`exercise-state ${mood()}`} aria-live="polite">
            {stateText(session, puzzle)}
          </p>
          {isOver && <After />}
          <Buttons />
        </section>
      }
      onMove={(uci) => solver.play(uci)}
      redraw={() => solver.redraw()}
      onFlip={() => router.flip()}
    />
  );
}

/** Solved ones and time left in a streak or storm. */
function RunState() {
  useTicks(rounds.mode === 'storm' && !rounds.isOver);
  if (!rounds.isRun) {
    return null;
  }
  const { score, isOver, isBest, mode } = rounds;
  const seconds = Math.ceil(rounds.left / 1000);
  const clock = { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, '0') };
  return (
    <p class="puzzle-run">
      {isOver ? (
        <strong role="status">{tp(isBest ? 'puzzles.run.best' : 'puzzles.run.over', { score })}</strong>
      ) : (
        <>
          <strong>{tp('puzzles.runScore', { score })}</strong>
          {mode === 'storm' && <span role="timer">{tp('puzzles.clock', clock)}</span>}
        </>
      )}
    </p>
  );
}

function mood(): string {
  if (solver.state === 'solved') {
    return solver.hasFailed ? '' : 'solved';
  }
  return solver.state === 'wrong' || solver.state === 'refuting' ? 'failed' : '';
}

function stateText(session: Session, puzzle: Puzzle): string {
  const { state, side, hint, hasFailed, isBegun, isRefuted } = solver;
  const goal = GOALS.find((one) => one === puzzle.goal) ?? 'best';
  switch (state) {
    case 'mistake':
      return tp('puzzles.mistake');
    case 'toMove': {
      const task = isBegun ? tp('puzzles.goOn') : tp(`puzzles.goal.${goal}`, { side: sideName(side) });
      return hint ? `${task} ${hintText(session, hint)}` : task;
    }
    case 'reply':
      return tp('puzzles.right');
    case 'refuting':
      return tp('puzzles.refuting');
    case 'wrong':
      return tp(isRefuted ? 'puzzles.refuted' : 'puzzles.wrong');
    case 'showing':
      return tp('puzzles.showing');
    case 'solved':
      return `${tp(hasFailed ? 'puzzles.solvedLater' : 'puzzles.solved')} ${endingText(goal)}`;
    case 'shown':
      return rounds.isOver && rounds.mode === 'storm' ? '' : `${tp('puzzles.shown')} ${endingText(goal)}`;
  }
}

/** Why the puzzle ends before the game. */
function endingText(goal: (typeof GOALS)[number] | 'best'): string {
  const { ending } = solver;
  return ending === 'enough' ? tp(`puzzles.enough.${goal}`) : ending === 'others' ? tp('puzzles.others') : '';
}

function hintText({ view }: Session, square: string): string {
  const at = SQUARES.indexOf(square);
  const isThai = settings.value.notation.startsWith('thai');
  return tp('puzzles.hintText', {
    piece: t(`piece.${(view.board[at] ?? '').toLowerCase()}` as 'piece.r'),
    square: `${fileName(at % 8, isThai)}${rankName(Math.floor(at / 8), isThai)}`,
  });
}

/** Rating and themes of the puzzle. */
function After() {
  const { index } = source;
  const mask = index?.masks[rounds.at] ?? 0;
  const themes = index?.themes.filter((_, at) => hasTheme(mask, at)) ?? [];
  const after = Math.round(progress.value.rating.rating);
  return (
    <div class="puzzle-after">
      <p>
        {tp('puzzles.of', { rating: rounds.rating })}
        {rounds.mode === 'rated' &&
          rounds.isSolved !== null &&
          ` · ${tp('puzzles.change', { before: after - rounds.change, after })}`}
      </p>
      <ul class="puzzle-themes" aria-label={tp('puzzles.themes')}>
        {themes.map((theme) => (
          <li key={theme.id}>
            <a href={`#/learn/puzzles/theme/${theme.id}`}>{themeName(theme)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Buttons() {
  const { state, isOver } = solver;
  const { mode, isRun } = rounds;
  const isRunning = isRun && !rounds.isOver;
  const next =
    mode === 'streak' || mode === 'storm' ? (
      <NextButton label={tp('puzzles.run.again')} onClick={() => rounds.begin(mode)} />
    ) : mode === 'daily' ? (
      <NextButton label={tp('puzzles.all')} onClick={() => go()} />
    ) : (
      <NextButton label={tp('puzzles.next')} onClick={() => void rounds.next()} />
    );
  return (
    <div class="row">
      {(isOver || (isRun && rounds.isOver)) && next}
      {state === 'wrong' && !isRun && <NextButton label={tp('puzzles.again')} onClick={() => solver.retry()} />}
      {isOver && !isRunning && <Button label={tp('puzzles.analyse')} icon="chart" onClick={analysePuzzle} />}
      {!isOver && !isRun && (
        <Button
          label={tp('puzzles.hint')}
          icon="hint"
          disabled={state !== 'toMove'}
          onClick={() => solver.showHint()}
        />
      )}
      {!isOver && !isRunning && (
        <Button
          label={tp('puzzles.solution')}
          disabled={state === 'mistake' || state === 'showing'}
          onClick={() => solver.showSolution()}
        />
      )}
    </div>
  );
}
