// What the parts of the count trainer share: the board beside the questions, stars, keys.
import type { ComponentChildren } from 'preact';
import { router } from '../../app';
import type { Session } from '../../state/session';
import type { TrainerMode } from '../../state/trainer-progress';
import { Icon } from '../common';
import { GameBoard } from '../GameBoard';
import { useKey } from '../practice';
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

export function go(...parts: (string | number)[]): void {
  router.go('learn', ['count', ...parts].join('/'));
}
