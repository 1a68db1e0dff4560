// Is there time? Mate in so many moves, so many left: yes or no; then it is played out.
import { useEffect } from 'preact/hooks';
import { sideName } from '../../messages/i18n';
import { other } from '../../state/played';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Button } from '../common';
import { NextButton } from '../practice';
import { PlayOut } from './PlayOut';
import { Choices, Quiz, Reached } from './parts';
import { hunt, progress, race, tt } from './stores';

export function RaceView() {
  useStores(race, hunt, progress, settings);
  useEffect(() => {
    hunt.close();
    void race.next();
    return () => {
      race.stop();
      hunt.close();
    };
  }, []);
  if (hunt.session) {
    const next = () => {
      hunt.close();
      void race.next();
    };
    return <PlayOut title={tt('trainer.time.title')} onNext={next} />;
  }
  const { session, state, moves, isWon, chosen } = race;
  const view = session?.view;
  const attacker = view?.bare ? other(view.bare) : 'w';
  const left = view?.count?.movesLeft ?? 0;
  const playOut = () => {
    if (view) {
      hunt.start(view.fen, isWon ? attacker : other(attacker));
    }
  };
  return (
    <Quiz session={session} flipped={attacker === 'b'} title={tt('trainer.time.title')}>
      <p class="quiz-state">
        <span>{tt('trainer.run', { streak: race.streak })}</span>
        <Reached mode="time" />
      </p>
      {state === 'finding' && <p role="status">{tt('trainer.finding')}</p>}
      {state === 'stuck' && (
        <>
          <p role="status">{tt('trainer.stuck')}</p>
          <Button label={tt('trainer.tryAgain')} primary onClick={() => void race.next()} />
        </>
      )}
      {view && (
        <>
          <p class="quiz-ask" aria-live="polite">
            {tt('trainer.time.ask', { side: sideName(attacker), left })}
          </p>
          <Choices
            choices={['yes', 'no'] as const satisfies string[]}
            label={(answer) => tt(`trainer.${answer as 'yes' | 'no'}`)}
            marks={chosen === null ? null : { right: isWon ? 'yes' : 'no', chosen: chosen ? 'yes' : 'no' }}
            onChoose={(answer) => race.answer(answer === 'yes')}
          />
          <div aria-live="polite">
            {chosen !== null && (
              <p class={race.isRight ? 'mood-good' : 'mood-bad'}>
                {race.isRight && `${tt('trainer.right')} `}
                {tt(isWon ? 'trainer.time.fits' : 'trainer.time.late', {
                  answer: tt('trainer.time.answer', { moves, left }),
                })}
              </p>
            )}
          </div>
          {chosen !== null && (
            <>
              <NextButton label={tt('trainer.next')} onClick={() => void race.next()} />
              <Button label={tt(isWon ? 'trainer.time.hunt' : 'trainer.time.escape')} icon="play" onClick={playOut} />
            </>
          )}
        </>
      )}
    </Quiz>
  );
}
