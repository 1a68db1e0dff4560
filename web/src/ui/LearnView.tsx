import { facts, learn, router } from '../app';
import { type MessageKey, sideName, t } from '../messages/i18n';
import { exerciseList } from '../rules/rules';
import type { Exercise } from '../rules/types';
import type { Session } from '../state/session';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { CountPanel } from './CountPanel';
import { Button, Icon } from './common';
import { GameBoard, MoveInput } from './GameBoard';
import { MoveList, Navigation } from './MoveList';

const GRADES = [1, 2, 3, 4, 5];

function themeName(exercise: Exercise): string {
  return t(`theme.${exercise.theme}` as MessageKey);
}

function goalText(exercise: Exercise): string {
  const side = sideName(exercise.fen.split(' ')[1] === 'b' ? 'b' : 'w');
  return t(exercise.goal === 'win' ? 'learn.win' : 'learn.draw', { side });
}

export function LearnView() {
  useStores(learn, facts, settings, router);
  const { exercise, session } = learn;
  return exercise && session ? <ExerciseView exercise={exercise} session={session} /> : <ExerciseList />;
}

function ExerciseList() {
  const all = exerciseList();
  return (
    <div class="page">
      <h1>{t('nav.learn')}</h1>
      <button type="button" class="panel teaser" onClick={() => router.go('rules')}>
        <strong>{t('learn.rules')}</strong>
        <span>{t('learn.rules.lead')}</span>
      </button>
      <h2>{t('learn.exercises')}</h2>
      <p>
        {t('learn.lead')} {t('learn.solvedCount', { solved: learn.solvedCount, all: all.length })}
      </p>
      {GRADES.map((grade) => (
        <section key={grade} aria-label={t('learn.grade', { grade })}>
          <h3>{t('learn.grade', { grade })}</h3>
          <ul class="exercises">
            {all
              .filter((one) => one.grade === grade)
              .map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    class={learn.isSolved(one.id) ? 'solved' : ''}
                    onClick={() => router.go('learn', one.id)}
                  >
                    <span>{themeName(one)}</span>
                    <span class="aside">
                      {t('learn.plies', { plies: one.plies })}
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
        </section>
      ))}
    </div>
  );
}

function ExerciseView({ exercise, session }: { exercise: Exercise; session: Session }) {
  const { state, solution } = learn;
  const flipped = router.flipped.learn;
  const { view } = session;
  const known = state === 'toMove' ? null : facts.of(session);
  const text: Record<typeof state, string> = {
    toMove: t('learn.toMove'),
    thinking: t('learn.thinking'),
    solved: t('learn.right'),
    failed: t(exercise.goal === 'win' ? 'learn.failed.win' : 'learn.failed.draw'),
  };
  return (
    <div class="table">
      <div class="board-side">
        <GameBoard
          session={session}
          flipped={flipped}
          movable={learn.mayMove ? learn.side : null}
          onMove={(move) => void learn.play(move.uci)}
          arrows={solution ? [{ ...solution, kind: 'hint' }] : []}
        />
        {learn.mayMove && <MoveInput session={session} onMove={(move) => void learn.play(move.uci)} />}
      </div>
      <div class="panels">
        <section class="panel">
          <h1 class="small">
            {themeName(exercise)} <span class="aside">{exercise.id}</span>
          </h1>
          <p>{goalText(exercise)}</p>
          <p class={`exercise-state ${state}`} aria-live="polite">
            {text[state]}
          </p>
          <div class="row">
            {state === 'solved' ? (
              learn.next && (
                <Button
                  label={t('learn.next')}
                  icon="forward"
                  primary
                  onClick={() => router.go('learn', learn.next?.id)}
                />
              )
            ) : (
              <>
                <Button
                  label={t('learn.retry')}
                  icon="undo"
                  primary={state === 'failed'}
                  onClick={() => learn.retry()}
                />
                <Button label={t('learn.solution')} icon="hint" onClick={() => void learn.showSolution()} />
              </>
            )}
            <Button label={t('learn.back')} onClick={() => router.go('learn')} />
          </div>
        </section>
        <CountPanel view={view} facts={known} />
        <section class="panel">
          <MoveList
            session={session}
            onGo={(node) => {
              session.go(node);
              learn.redraw();
            }}
          />
          <Navigation
            session={session}
            onStep={(plies) => {
              session.step(plies);
              learn.redraw();
            }}
            onFlip={() => router.flip()}
          />
        </section>
      </div>
    </div>
  );
}
