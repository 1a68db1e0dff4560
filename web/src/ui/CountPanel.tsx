// The count, always in sight: who counts, how far, how many moves are left, and whether a win still fits.
import { useEffect, useRef } from 'preact/hooks';
import { play } from '../app';
import { t } from '../messages/i18n';
import type { Facts, LegalMove, PositionView } from '../rules/types';
import { Button } from './common';
import { countName, countSentences, factSentences, type Sentence, warning } from './countWords';

export interface CountPanelProps {
  view: PositionView;
  facts: Facts | null;
  /** A move that changes the count and waits for consent. */
  pending?: LegalMove | null;
  onHand?: ((word: 'start' | 'stop' | 'claim') => void) | undefined;
}

function Words({ sentences }: { sentences: Sentence[] }) {
  return (
    <>
      {sentences.map(({ text, mood }) => (
        <p key={text} class={`mood-${mood}`}>
          {text}
        </p>
      ))}
    </>
  );
}

export function CountPanel({ view, facts, pending = null, onHand }: CountPanelProps) {
  const { count, byHand } = view;
  const runs = count?.limit != null;
  const share = runs ? Math.min(1, count.number / Math.max(1, count.limit ?? 1)) : 0;
  const few = runs && (count.movesLeft ?? 99) <= 5;
  return (
    <section class={`count panel ${count ? 'running' : ''} ${few ? 'few' : ''}`} aria-label={t('count.title')}>
      <div class="count-head">
        <h2>{count ? countName(count.honour) : t('count.title')}</h2>
        {count && count.honour !== 'fifty-moves' && (
          <span class="aside">{t(count.honour === 'board' ? 'count.board.thai' : 'count.pieces.thai')}</span>
        )}
        {runs && (
          <span class="count-number" aria-hidden="true">
            {count.number}
            <small>/{count.limit}</small>
          </span>
        )}
      </div>
      {runs && (
        <div
          class={`bar ${count.counter === 'b' ? 'black' : count.counter === 'w' ? 'white' : ''}`}
          role="progressbar"
          aria-valuemin={0}
          aria-valuemax={count.limit ?? 0}
          aria-valuenow={Math.min(count.number, count.limit ?? 0)}
          aria-label={t('count.bar', { number: count.number, limit: count.limit ?? 0 })}
        >
          <div style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <div class="count-words" aria-live="polite">
        <Words sentences={[...countSentences(view), ...factSentences(view, facts)]} />
      </div>
      {onHand && (byHand.start || byHand.stop || byHand.claim) && (
        <div class="row">
          {byHand.claim && <Button label={t('count.claim')} primary onClick={() => onHand('claim')} />}
          {byHand.start && <Button label={t('count.start')} onClick={() => onHand('start')} />}
          {byHand.stop && <Button label={t('count.stop')} onClick={() => onHand('stop')} />}
        </div>
      )}
      {pending && <Warning move={pending} view={view} facts={facts} />}
    </section>
  );
}

/** What a move does to the count, and whether it shall be made. */
function Warning({ move, view, facts }: { move: LegalMove; view: PositionView; facts: Facts | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It may stand below the edge of a small screen.
    box.current?.querySelector('button')?.focus();
  }, [move.uci]);
  return (
    <div ref={box} class="warning" role="alertdialog" aria-label={t('warn.title')}>
      <h3>{t('warn.title')}</h3>
      <Words sentences={warning(move, view.turn, facts)} />
      <div class="row">
        <Button label={t('warn.play', { move: move.san })} primary onClick={() => play.confirm()} />
        <Button label={t('warn.not')} onClick={() => play.decline()} />
      </div>
    </div>
  );
}
