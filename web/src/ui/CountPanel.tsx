// The count, always in sight: who counts, how far, how many moves are left, and whether a win still fits.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../messages/i18n';
import type { Count, Facts, LegalMove, PositionView } from '../rules/types';
import { settings } from '../state/settings';
import { Button, Dialog, focusBoard, Icon } from './common';
import { countLine, countName, countSentences, factSentences, type Sentence, warning } from './countWords';
import { useCompact } from './Table';
import { whereChanged } from './whereChanged';

type CountWord = 'start' | 'stop' | 'claim';

export interface CountPanelProps {
  view: PositionView;
  facts: Facts | null;
  /** A move that changes the count and waits for consent. */
  pending?: LegalMove | null;
  /** Whether that move shall be made. */
  onConsent?: (isGiven: boolean) => void;
  onHand?: ((word: CountWord) => void) | undefined;
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

function CountPanelView({ view, facts, pending = null, onConsent, onHand }: CountPanelProps) {
  const { count } = view;
  const isCompact = useCompact();
  const [isOpen, setOpen] = useState(false);
  const runs = count?.limit != null;
  const few = runs && (count.movesLeft ?? 99) <= 5;
  const sentences = [...countSentences(view), ...factSentences(view, facts)];
  const mood = sentences.find((one) => one.mood !== 'plain')?.mood ?? 'plain';
  return (
    <section class={`count panel ${count ? 'running' : ''} ${few ? 'few' : ''}`} aria-label={t('count.title')}>
      {isCompact ? (
        <button type="button" class={`count-strip mood-${mood}`} onClick={() => setOpen(true)}>
          <span>{countLine(view)}</span>
          {mood !== 'plain' && <Icon name={mood === 'good' ? 'check' : 'warn'} />}
          <span class="hidden">{t('count.more')}</span>
        </button>
      ) : (
        <>
          <CountHead view={view} />
          <Bar count={count} />
          <div class="count-words" aria-live="polite">
            <Words sentences={sentences} />
          </div>
        </>
      )}
      {isCompact && <Bar count={count} />}
      {onHand && <ByHand view={view} onHand={onHand} />}
      {isOpen && isCompact && (
        <Dialog title={t('count.title')} onClose={() => setOpen(false)} kind="sheet">
          <CountHead view={view} />
          <Words sentences={sentences} />
        </Dialog>
      )}
      {isCompact && (
        // One element a sentence: only what has changed is read.
        <div class="hidden" aria-live="polite">
          <Words sentences={sentences} />
        </div>
      )}
      {pending && onConsent && <Warning move={pending} view={view} facts={facts} onConsent={onConsent} />}
    </section>
  );
}

export const CountPanel = whereChanged(CountPanelView, ({ view, facts, pending }) => [view, facts, pending]);

/** The name of the count, and how far it has come. */
function CountHead({ view: { count } }: { view: PositionView }) {
  return (
    <div class="count-head">
      <h2>{count ? countName(count.honour) : t('count.title')}</h2>
      {count && count.honour !== 'fifty-moves' && settings.value.language !== 'th' && (
        <span class="aside">{t(count.honour === 'board' ? 'count.board.thai' : 'count.pieces.thai')}</span>
      )}
      {count?.limit != null && (
        <span class="count-number" aria-hidden="true">
          {count.number}
          <small>/{count.limit}</small>
        </span>
      )}
    </div>
  );
}

function Bar({ count }: { count: Count | null }) {
  if (count?.limit == null) {
    return null;
  }
  const { number, limit, counter } = count;
  const share = Math.min(1, number / Math.max(1, limit));
  return (
    <div
      class={`bar ${counter === 'b' ? 'black' : counter === 'w' ? 'white' : ''}`}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(number, limit)}
      aria-label={t('count.bar', { number, limit })}
    >
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
}

/** Buttons of a count that people start, stop or claim. */
function ByHand({ view: { byHand }, onHand }: { view: PositionView; onHand: (word: CountWord) => void }) {
  if (!byHand.start && !byHand.stop && !byHand.claim) {
    return null;
  }
  return (
    <div class="row">
      {byHand.claim && <Button label={t('count.claim')} primary onClick={() => onHand('claim')} />}
      {byHand.start && <Button label={t('count.start')} onClick={() => onHand('start')} />}
      {byHand.stop && <Button label={t('count.stop')} onClick={() => onHand('stop')} />}
    </div>
  );
}

/** What a move does to the count, and whether it shall be made. */
function Warning({
  move,
  view,
  facts,
  onConsent,
}: {
  move: LegalMove;
  view: PositionView;
  facts: Facts | null;
  onConsent: (isGiven: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that makes no move: a second Enter shall not confirm. It lies above the panel: nothing is scrolled.
    box.current?.querySelector<HTMLElement>('button:last-of-type')?.focus({ preventScroll: true });
  }, [move.uci]);
  const done = (isGiven: boolean) => {
    onConsent(isGiven);
    focusBoard();
  };
  return (
    <div
      ref={box}
      class="warning"
      role="alertdialog"
      aria-label={t('warn.title')}
      aria-describedby="warning-words"
      onKeyDown={(event) => event.key === 'Escape' && done(false)}
    >
      <h3>{t('warn.title')}</h3>
      <div id="warning-words">
        <Words sentences={warning(move, view.turn, facts)} />
      </div>
      <div class="row">
        <Button label={t('warn.play', { move: move.san })} primary onClick={() => done(true)} />
        <Button label={t('warn.not')} onClick={() => done(false)} />
      </div>
    </div>
  );
}
