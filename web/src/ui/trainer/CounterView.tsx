// The counter for a real board: big numbers, a tap anywhere for the next, two clocks, the screen kept awake.
import { useEffect, useRef } from 'preact/hooks';
import { sideName, t } from '../../messages/i18n';
import type { Side } from '../../rules/types';
import { clockText } from '../../state/clock';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { COUNTED_PIECES } from '../../state/trainer-counter';
import { Button, Segments } from '../common';
import { useKey, useTicks } from '../practice';
import { counter, tt } from './stores';

const SIDES = ['w', 'b'] as const satisfies Side[];

export function CounterView() {
  useStores(counter, settings);
  useEffect(() => () => counter.stop(), []);
  return counter.isRunning ? <Running /> : <Choose />;
}

function Choose() {
  const { honour, chosen, pieces, minutes } = counter;
  return (
    <div class="page trainer">
      <h1>
        <a href="#/learn/count">{tt('trainer.title')}</a> · {tt('trainer.counter.title')}
      </h1>
      <div class="panel">
        <Segments
          label={tt('trainer.counter.honour')}
          value={honour}
          choices={(['pieces', 'board'] as const).map((value) => ({ value, label: tt(`trainer.counter.${value}`) }))}
          onChange={(value) => counter.setHonour(value)}
        />
        {honour === 'pieces' && (
          <fieldset class="field">
            <legend>{tt('trainer.counter.attacker')}</legend>
            {COUNTED_PIECES.map((piece) => {
              const name = t(`piece.${piece.toLowerCase()}` as 'piece.r');
              return (
                <div key={piece} class="stepper">
                  <span>{name}</span>
                  <Button
                    label={tt('trainer.counter.fewer', { piece: name })}
                    icon="minus"
                    quiet
                    disabled={!counter.mayAdd(piece, -1)}
                    onClick={() => counter.add(piece, -1)}
                  />
                  <output aria-label={name}>{pieces[piece]}</output>
                  <Button
                    label={tt('trainer.counter.more', { piece: name })}
                    icon="plus"
                    quiet
                    disabled={!counter.mayAdd(piece, 1)}
                    onClick={() => counter.add(piece, 1)}
                  />
                </div>
              );
            })}
          </fieldset>
        )}
        <p class="quiz-ask" aria-live="polite">
          {chosen ? tt('trainer.counter.begun', { ...chosen }) : tt('trainer.counter.none')}
        </p>
        <Segments
          label={tt('trainer.counter.who')}
          value={counter.counter}
          choices={SIDES.map((value) => ({ value, label: sideName(value) }))}
          onChange={(side) => counter.setCounter(side)}
        />
        <label class="field">
          <span>{tt('trainer.counter.minutes')}</span>
          <input
            type="number"
            min={0}
            max={180}
            value={minutes}
            onInput={(event) => counter.setMinutes(event.currentTarget.valueAsNumber)}
          />
        </label>
        <Button label={tt('trainer.start')} icon="play" primary disabled={!chosen} onClick={() => counter.start()} />
      </div>
    </div>
  );
}

function Running() {
  const { number, begun, isOver, turn, minutes } = counter;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  useAwake();
  useTicks(minutes > 0);
  useKey((key, event) => {
    // A button that has the focus is pressed by the space bar itself.
    if (key === ' ' && (event.target as Element).tagName !== 'BUTTON') {
      event.preventDefault();
      counter.next();
    } else if (key === 'Backspace') {
      event.preventDefault();
      counter.back();
    }
  });
  return (
    <div class="counter">
      {minutes > 0 && (
        <div class="counter-clocks">
          {SIDES.map((side) => (
            <span key={side} class={turn === side ? 'runs' : ''} role="timer" aria-label={sideName(side)}>
              {sideName(side)} {clockText(counter.left(side))}
            </span>
          ))}
        </div>
      )}
      <button ref={button} type="button" class="counter-tap" onClick={() => counter.next()}>
        <span class="counter-number" aria-live="assertive">
          <span class="hidden">{tt('trainer.counter.label', { number: number ?? 0, limit: begun.limit })}</span>
          <span aria-hidden="true">{number ?? '–'}</span>
        </span>
        <span aria-hidden="true">{tt('trainer.counter.of', { limit: begun.limit })}</span>
        <span>{isOver ? tt('trainer.counter.last') : tt('trainer.counter.tap', { side: sideName(turn) })}</span>
      </button>
      <div class="row">
        <Button
          label={tt('trainer.counter.back')}
          icon="undo"
          disabled={!counter.mayGoBack}
          onClick={() => counter.back()}
        />
        <Button label={tt('trainer.counter.end')} icon="cross" onClick={() => counter.stop()} />
      </div>
    </div>
  );
}

/** Keeps the screen on while the counter runs, where the browser can. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isLeft = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) {
        return;
      }
      try {
        lock = await navigator.wakeLock.request('screen');
        if (isLeft) {
          await lock.release();
        }
      } catch {
        // A low battery, say: the screen then goes dark as always.
      }
    };
    void ask();
    // The browser ends the lock when the page is hidden.
    document.addEventListener('visibilitychange', ask);
    return () => {
      isLeft = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
