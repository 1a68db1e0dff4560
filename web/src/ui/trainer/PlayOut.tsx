// A hunt or an escape on the board, with the plies that it loses and its stars.
import { useState } from 'preact/hooks';
import { sideName } from '../../messages/i18n';
import { Button } from '../common';
import { PracticeTable } from '../PracticeTable';
import { NextButton } from '../practice';
import { go, Stars } from './parts';
import { hunt, tt } from './stores';

export function PlayOut({ title, onNext }: { title: string; onNext: (() => void) | null }) {
  const [isTurned, setTurned] = useState(false);
  const { session, side, state, lost } = hunt;
  if (!session) {
    return null;
  }
  const kind = hunt.isEscape ? 'escape' : 'hunt';
  const texts: Record<typeof state, string> = {
    toMove: tt('trainer.toMove'),
    thinking: tt('trainer.thinking'),
    reached: tt(`trainer.reached.${kind}`),
    failed: tt(`trainer.failed.${kind}`),
    stuck: tt('trainer.stuck'),
  };
  const isOver = state === 'reached' || state === 'failed' || state === 'stuck';
  return (
    <PracticeTable
      session={session}
      side={side}
      mayMove={hunt.mayMove}
      flipped={(side === 'b') !== isTurned}
      report={
        <section class="panel exercise">
          <h1 class="small">{title}</h1>
          <p>{tt(`trainer.${kind}.goal`, { side: sideName(side) })}</p>
          <p class={`exercise-state ${state === 'reached' ? 'solved' : state}`} aria-live="polite">
            {texts[state]} {(isOver || lost > 0) && tt('trainer.lost', { lost })}
          </p>
          {state === 'reached' && <Stars stars={hunt.stars} />}
          <div class="row">
            {state === 'reached' && onNext && <NextButton label={tt('trainer.next')} onClick={onNext} />}
            <Button
              label={tt('trainer.retry')}
              icon="undo"
              primary={state === 'failed' || state === 'stuck'}
              onClick={() => hunt.retry()}
            />
            {state !== 'reached' && onNext && <Button label={tt('trainer.next')} onClick={onNext} />}
            <Button label={tt('trainer.back')} onClick={() => go()} />
          </div>
        </section>
      }
      onMove={(uci) => void hunt.play(uci)}
      redraw={() => hunt.redraw()}
      onFlip={() => setTurned(!isTurned)}
    />
  );
}
