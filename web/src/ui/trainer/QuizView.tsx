// How many? and Whose count? Questions with large buttons, alone or for a minute against the clock.
import { useEffect } from 'preact/hooks';
import { countAgainst } from 'sakmak/study';
import { sideName } from '../../messages/i18n';
import type { TrainerKey } from '../../messages/trainer-en';
import { other } from '../../state/played';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import type { QuizStore, Task } from '../../state/trainer-quiz';
import { Button } from '../common';
import { NextButton, useTicks } from '../practice';
import { Choices, Quiz, Reached } from './parts';
import { answerName, progress, tt } from './stores';

/** The lines of the usual table of limits. */
const LINES = ['RR', 'R', 'SS', 'NN', 'S', 'M'] as const;

/** The arguments of a message; sides by their names. */
function words({ args, session }: Task): Record<string, string | number> {
  const side = args.side === 'w' || args.side === 'b' ? args.side : session.view.turn;
  return { ...args, side: sideName(side) };
}

export function QuizView({ store, title }: { store: QuizStore; title: string }) {
  useStores(store, progress, settings);
  useEffect(() => {
    store.begin(false);
    return () => store.stop();
  }, [store]);
  useTicks(store.endsAt !== null);
  const { task, chosen, isOver, endsAt } = store;
  const view = task?.session.view;
  const isFlipped = view?.bare ? other(view.bare) === 'b' : view?.turn === 'b';
  return (
    <Quiz session={task?.session ?? null} flipped={isFlipped} title={title}>
      <p class="quiz-state">
        {endsAt !== null && (
          <span class="quiz-clock" role="timer">
            {tt('trainer.seconds', { seconds: Math.ceil(store.left / 1000) })}
          </span>
        )}
        <span>{tt('trainer.score', { score: store.score })}</span>
        <span>{tt('trainer.run', { streak: store.streak })}</span>
        <Reached mode={store.mode} />
      </p>
      {isOver ? (
        <>
          <p class="quiz-ask" role="status">
            {tt('trainer.over', { score: store.score })}
          </p>
          <NextButton label={tt('trainer.again')} onClick={() => store.begin(true)} />
        </>
      ) : (
        task && (
          <>
            <p class="quiz-ask" aria-live="polite">
              {tt(`trainer.ask.${task.ask}`, words(task))}
            </p>
            <Choices
              choices={task.choices}
              label={answerName}
              marks={chosen === null ? null : { right: task.right, chosen }}
              onChoose={(answer) => store.choose(answer)}
            />
            <div aria-live="polite">{chosen !== null && <Why task={task} isRight={store.isRight} />}</div>
            {chosen !== null && <NextButton label={tt('trainer.next')} onClick={() => store.next()} />}
          </>
        )
      )}
      {endsAt === null && !isOver && chosen === null && (
        <Button label={tt('trainer.timed')} onClick={() => store.begin(true)} />
      )}
    </Quiz>
  );
}

/** Whether the answer was right, and the rule in one sentence. */
function Why({ task, isRight }: { task: Task; isRight: boolean }) {
  return (
    <>
      <p class={isRight ? 'mood-good' : 'mood-bad'}>
        {isRight ? tt('trainer.right') : tt('trainer.wrong', { answer: answerName(task.right) })}
      </p>
      <p>{tt(task.why as TrainerKey, words(task))}</p>
      {task.ask === 'limit' && !isRight && <Limits />}
    </>
  );
}

function Limits() {
  return (
    <dl class="limits" aria-label={tt('trainer.table')}>
      {LINES.map((pieces, at) => (
        <div key={pieces}>
          <dt>{tt(`trainer.table.${at}` as TrainerKey)}</dt>
          <dd>{countAgainst(pieces)?.limit}</dd>
        </div>
      ))}
    </dl>
  );
}
