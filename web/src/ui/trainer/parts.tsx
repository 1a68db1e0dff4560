// What the parts of the count trainer share: the board beside the questions, stars, keys.
import type { ComponentChildren } from 'preact';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { router } from '../../app';
import type { Session } from '../../state/session';
import type { TrainerMode } from '../../state/trainer-progress';
import { Icon } from '../common';
import { GameBoard } from '../GameBoard';
import { progress, tt } from './stores';

/** A board to look at, and what is asked about it. */
export function Quiz({
  session,
  flipped,
  title,
  children,
}: {
  session: Session | null;
  flipped: boolean;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <div class="quiz">
      <div class="quiz-board">
        {session && <GameBoard session={session} flipped={flipped} movable={null} onMove={() => {}} />}
      </div>
      <section class="panel quiz-side">
        <h1 class="small">
          <a href="#/learn/count">{tt('trainer.title')}</a> · {title}
        </h1>
        {children}
      </section>
    </div>
  );
}

/** Large buttons, also by the keys 1 to 9. */
export function Choices<T extends string | number>({
  choices,
  label,
  marks,
  onChoose,
}: {
  choices: T[];
  label: (choice: T) => string;
  /** The right choice and the one that was made, once it was. */
  marks: { right: T; chosen: T } | null;
  onChoose: (choice: T) => void;
}) {
  useKey((key) => {
    const choice = choices[Number(key) - 1];
    if (choice !== undefined && marks === null) {
      onChoose(choice);
    }
  });
  return (
    <div class="choices">
      {choices.map((choice) => {
        const mark = marks?.right === choice ? 'right' : marks?.chosen === choice ? 'wrong' : '';
        return (
          <button
            key={choice}
            type="button"
            class={`choice ${mark}`}
            aria-disabled={marks !== null}
            onClick={() => marks === null && onChoose(choice)}
          >
            {label(choice)}
            {mark && <Icon name={mark === 'right' ? 'check' : 'cross'} />}
          </button>
        );
      })}
    </div>
  );
}

/** A button that has the focus as soon as it is there: Enter goes on. */
export function NextButton({ label, onClick }: { label: string; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <button ref={button} type="button" class="button primary wide" onClick={onClick}>
      <span>{label}</span>
    </button>
  );
}

export function Stars({ stars }: { stars: number }) {
  return (
    <span class="stars" role="img" aria-label={tt('trainer.stars', { stars })}>
      {'★'.repeat(stars)}
      <span class="dim">{'☆'.repeat(3 - stars)}</span>
    </span>
  );
}

/** What was reached in a part of the trainer. */
export function Reached({ mode }: { mode: TrainerMode }) {
  const { best, streak, days } = progress.of(mode);
  const words = [
    best > 0 && tt('trainer.best', { best }),
    streak > 0 && tt('trainer.streak', { streak }),
    days > 1 && tt('trainer.days', { days }),
  ].filter(Boolean);
  return words.length > 0 ? <span class="aside">{words.join(' · ')}</span> : null;
}

/** Keys without the board's and those of fields. */
export function useKey(press: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      if (!isField && !event.altKey && !event.ctrlKey && !event.metaKey && !document.querySelector('dialog[open]')) {
        latest.current(event.key, event);
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Draws anew several times a second while a clock runs. */
export function useTicks(isOn: boolean): void {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = isOn ? window.setInterval(() => tick(0), 250) : 0;
    return () => window.clearInterval(timer);
  }, [isOn]);
}

export function go(...parts: (string | number)[]): void {
  router.go('learn', ['count', ...parts].join('/'));
}
