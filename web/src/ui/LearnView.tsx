import { useState } from 'preact/hooks';
import { facts, learn, router } from '../app';
import { Thumbnail } from '../board/Thumbnail';
import { type MessageKey, sideName, t } from '../messages/i18n';
import { exerciseList } from '../rules/rules';
import type { Exercise, Facts } from '../rules/types';
import type { LearnStore } from '../state/learn';
import type { Session } from '../state/session';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { Button, Icon, Waiting } from './common';
import { Later } from './Later';
import { PracticeTable } from './PracticeTable';

const GRADES = [1, 2, 3, 4, 5];

function themeName(exercise: Exercise): string {
  return t(`theme.${exercise.theme}` as MessageKey);
}

function goalText(exercise: Exercise): string {
  const side = sideName(exercise.fen.split(' ')[1] === 'b' ? 'b' : 'w');
  return t(exercise.goal === 'win' ? 'learn.win' : 'learn.draw', { side });
}

const loadPuzzles = () => import('./puzzles/Puzzles').then(({ Puzzles }) => Puzzles);
const loadPuzzleCard = () => import('./puzzles/PuzzleCard').then(({ PuzzleCard }) => PuzzleCard);
const loadMistakes = () => import('./lessons/Mistakes').then(({ Mistakes }) => Mistakes);
const loadMistakesCard = () => import('./lessons/MistakesCard').then(({ MistakesCard }) => MistakesCard);
const loadDrill = () => import('./explorer/Drill').then(({ Drill }) => Drill);
const loadDrillCard = () => import('./explorer/DrillCard').then(({ DrillCard }) => DrillCard);
const loadTrainer = () => import('./trainer/Trainer').then(({ Trainer }) => Trainer);

export function LearnView() {
  useStores(learn, facts, settings, router);
  const { exercise, session } = learn;
  if (router.parts[0] === 'count') {
    return <Later load={loadTrainer} props={{}} />;
  }
  if (router.parts[0] === 'puzzles') {
    return <Later load={loadPuzzles} props={{}} />;
  }
  if (router.parts[0] === 'mistakes') {
    return <Later load={loadMistakes} props={{}} />;
  }
  if (router.parts[0] === 'openings') {
    return <Later load={loadDrill} props={{}} />;
  }
  return exercise && session ? (
    <ExerciseView
      learn={learn}
      exercise={exercise}
      session={session}
      known={learn.state === 'toMove' ? null : facts.of(session)}
      flipped={router.flipped.learn}
      onFlip={() => router.flip()}
      onGo={(id) => router.go('learn', id)}
    />
  ) : (
    <ExerciseList learn={learn} onGo={(id) => router.go('learn', id)} onRules={() => router.go('rules')} />
  );
}

/** What is solved, and what comes next. */
type Solved = Pick<LearnStore, 'next' | 'isSolved' | 'solvedCount'>;

function ExerciseList({
  learn,
  onGo,
  onRules,
}: {
  learn: Solved;
  /** To an exercise, or to another part of Learn. */
  onGo: (id: string) => void;
  onRules: () => void;
}) {
  const all = exerciseList();
  const { next } = learn;
  return (
    <div class="page">
      <h1>{t('nav.learn')}</h1>
      <div class="teasers">
        <button type="button" class="panel teaser" onClick={onRules}>
          <strong>{t('learn.rules')}</strong>
          <span>{t('learn.rules.lead')}</span>
        </button>
        <button type="button" class="panel teaser" onClick={() => onGo('count')}>
          <strong>{t('learn.count')}</strong>
          <span>{t('learn.count.lead')}</span>
        </button>
        <Later load={loadPuzzleCard} props={{}} />
        <Later load={loadMistakesCard} props={{}} />
        <Later load={loadDrillCard} props={{}} />
      </div>
      <h2>{t('learn.exercises')}</h2>
      <p>
        {t('learn.lead')} {t('learn.solvedCount', { solved: learn.solvedCount, all: all.length })}
      </p>
      {next && (
        <button type="button" class="panel teaser next" onClick={() => onGo(next.id)}>
          <Thumbnail fen={next.fen} />
          <span>
            <strong>{t('learn.nextForYou')}</strong>
            <span>{themeName(next)}</span>
            <span class="aside">{goalText(next)}</span>
          </span>
        </button>
      )}
      {GRADES.map((grade) => (
        <Grade
          key={grade}
          grade={grade}
          exercises={all.filter((one) => one.grade === grade)}
          isFirst={grade === (next?.grade ?? 1)}
          learn={learn}
          onGo={onGo}
        />
      ))}
    </div>
  );
}

/** The exercises of a grade, with how many of them are solved. Their pictures are drawn once it is open. */
function Grade({
  grade,
  exercises,
  isFirst,
  learn,
  onGo,
}: {
  grade: number;
  exercises: Exercise[];
  isFirst: boolean;
  learn: Solved;
  onGo: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(isFirst);
  const solved = exercises.filter((one) => learn.isSolved(one.id)).length;
  return (
    <details class="grade" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{t('learn.grade', { grade })}</h3>
        <span class="aside">{t('learn.solvedCount', { solved, all: exercises.length })}</span>
        <progress value={solved} max={exercises.length} aria-hidden="true" />
      </summary>
      <ul class="exercises">
        {exercises.map((one) => (
          <li key={one.id}>
            <button type="button" class={learn.isSolved(one.id) ? 'solved' : ''} onClick={() => onGo(one.id)}>
              {isOpen && <Thumbnail fen={one.fen} />}
              <span>{themeName(one)}</span>
              <span class="aside">
                {t('learn.moves', { moves: Math.ceil(one.plies / 2) })}
                {learn.isSolved(one.id) && (
                  <span class="done">
                    <Icon name="check" />
                    <span class="hidden">{t('learn.solved')}</span>
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ExerciseView({
  learn,
  exercise,
  session,
  known,
  flipped,
  onFlip,
  onGo,
}: {
  learn: LearnStore;
  exercise: Exercise;
  session: Session;
  /** What the solved endings know of the position, where that may be shown. */
  known: Facts | null;
  flipped: boolean;
  onFlip: () => void;
  /** To another exercise, or to the list. */
  onGo: (id?: string) => void;
}) {
  const { state, solution, next } = learn;
  const text: Record<typeof state, string> = {
    toMove: t('learn.toMove'),
    thinking: t('learn.thinking'),
    solved: t(learn.isHelped ? 'learn.helped' : 'learn.right'),
    failed: t(exercise.goal === 'win' ? 'learn.failed.win' : 'learn.failed.draw'),
  };
  return (
    <PracticeTable
      session={session}
      side={learn.side}
      mayMove={learn.mayMove}
      flipped={flipped}
      facts={known}
      arrows={solution ? [{ ...solution, kind: 'hint' }] : []}
      report={
        <section class="panel exercise">
          <h1 class="small">
            {themeName(exercise)} <span class="aside">{exercise.id}</span>
          </h1>
          <p>{goalText(exercise)}</p>
          <p class={`exercise-state ${state}`} aria-live="polite">
            {state === 'thinking' ? <Waiting text={text[state]} /> : text[state]}
          </p>
          <div class="row">
            {state === 'solved' ? (
              next && <Button label={t('learn.next')} icon="forward" primary onClick={() => onGo(next.id)} />
            ) : (
              <>
                <Button
                  label={t('learn.retry')}
                  icon="undo"
                  primary={state === 'failed'}
                  disabled={session.tree.length === 1}
                  onClick={() => learn.retry()}
                />
                <Button label={t('learn.solution')} icon="hint" onClick={() => void learn.showSolution()} />
              </>
            )}
            <Button label={t('learn.back')} onClick={() => onGo()} />
          </div>
        </section>
      }
      onMove={(uci) => void learn.play(uci)}
      redraw={() => learn.redraw()}
      onFlip={onFlip}
    />
  );
}
