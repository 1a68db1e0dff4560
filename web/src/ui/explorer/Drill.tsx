// The repertoire drill, by the address #/learn/openings, or #/learn/openings/board from the board of Analyse.
import { useEffect, useState } from 'preact/hooks';
import { START_FEN } from 'sakmak/study';
import { analyse, router } from '../../app';
import { sideName, t } from '../../messages/i18n';
import type { Side } from '../../rules/types';
import { DrillStore } from '../../state/explorer-drill';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { toasts } from '../../state/toasts';
import '../../style/explorer.css';
import { Button, Segments } from '../common';
import { dateText } from '../dateText';
import { PracticeTable } from '../PracticeTable';
import { NextButton } from '../practice';
import { drill, explorer, lossText, progress, te } from './stores';

export function Drill() {
  useStores(router, settings, drill, explorer);
  const { language } = settings.value;
  useEffect(() => {
    // After the title of the view.
    queueMicrotask(() => {
      document.title = te('drill.documentTitle');
    });
  }, [language]);
  useEffect(() => {
    void explorer.loadBook();
    return () => {
      drill.close();
      document.title = t('title.learn');
    };
  }, []);
  return drill.session ? <Line session={drill.session} /> : <Menu />;
}

function Menu() {
  useStores(progress);
  const { book, isMissing } = explorer;
  const { session } = analyse;
  const { fen } = session.view;
  const [side, setSide] = useState<Side>('w');
  const isKnown = book !== null && session.rules.variant === 'makruk' && DrillStore.knows(book, fen);
  const [from, setFrom] = useState<'start' | 'board'>(router.parts[1] === 'board' ? 'board' : 'start');
  const due = progress.due.length;
  const { nextDue } = progress;
  return (
    <div class="page drill">
      <h1>{te('drill.title')}</h1>
      <p>{te('drill.lead')}</p>
      <Segments
        label={te('drill.side')}
        value={side}
        choices={(['w', 'b'] as const).map((value) => ({ value, label: sideName(value) }))}
        onChange={setSide}
      />
      <Segments
        label={te('drill.from')}
        value={from}
        choices={(['start', 'board'] as const).map((value) => ({ value, label: te(`drill.from.${value}`) }))}
        onChange={setFrom}
      />
      {book ? (
        <>
          {from === 'board' && !isKnown && <p role="status">{te('drill.from.unknown')}</p>}
          <div class="row">
            <Button
              label={te('drill.begin')}
              icon="play"
              primary
              disabled={from === 'board' && !isKnown}
              onClick={() => drill.begin(book, { side, fen: from === 'board' ? fen : START_FEN })}
            />
          </div>
          <h2>{te('drill.repeat')}</h2>
          <p>{te('drill.repeat.lead')}</p>
          <p>
            {due > 0
              ? te('drill.due', { due })
              : nextDue === null
                ? te('drill.repeat.none')
                : te('drill.repeat.next', { date: dateText(nextDue) })}
          </p>
          {due > 0 && <Button label={te('drill.repeat')} icon="undo" onClick={() => drill.repeat(book)} />}
        </>
      ) : isMissing ? (
        <>
          <p role="alert">{te('explorer.missing')}</p>
          <Button label={te('explorer.again')} onClick={() => void explorer.loadBook()} />
        </>
      ) : (
        <p role="status">{te('explorer.loading')}</p>
      )}
      <Button label={te('drill.learn')} icon="back" onClick={() => router.go('learn')} />
    </div>
  );
}

function Line({ session }: { session: Session }) {
  const { side, state, mistake } = drill;
  const arrow =
    mistake && session.isAtEnd
      ? [{ from: mistake.bestUci.slice(0, 2), to: mistake.bestUci.slice(2, 4), kind: 'hint' as const }]
      : [];
  const isOver = state === 'over';
  return (
    <PracticeTable
      session={session}
      side={side}
      mayMove={drill.mayMove}
      flipped={(side === 'b') !== router.flipped.learn}
      arrows={arrow}
      report={
        <section class="panel exercise">
          <h1 class="small">{te('drill.title')}</h1>
          <p class={`exercise-state ${mood()}`} aria-live="polite">
            {stateText()}
          </p>
          <div class="row">
            {isOver && (
              <NextButton label={te(drill.start ? 'drill.next' : 'drill.nextDue')} onClick={() => drill.next()} />
            )}
            {!isOver && (
              <Button label={te('drill.show')} icon="hint" disabled={state !== 'toMove'} onClick={() => drill.show()} />
            )}
            {isOver && <Button label={te('drill.analyse')} icon="chart" onClick={() => analyseLine(session)} />}
            <Button label={te('drill.stop')} onClick={() => drill.close()} />
          </div>
        </section>
      }
      onMove={(uci) => drill.play(uci)}
      redraw={() => drill.redraw()}
      onFlip={() => router.flip()}
    />
  );
}

function mood(): string {
  if (drill.state === 'wrong') {
    return 'failed';
  }
  return drill.state === 'over' && drill.wrong === 0 ? 'solved' : '';
}

function stateText(): string {
  const { state, mistake, side, right, wrong, start } = drill;
  const name = sideName(side);
  switch (state) {
    case 'none':
      return '';
    case 'reply':
      return te('drill.reply');
    case 'toMove':
      return te(right > 0 ? 'drill.right' : 'drill.toMove', { side: name });
    case 'over':
      return start ? te('drill.over', { right, wrong }) : te(wrong === 0 ? 'drill.over.right' : 'drill.over.wrong');
    case 'wrong': {
      const { san = '', best = '', loss = null } = mistake ?? {};
      if (san === '') {
        return te('drill.shown', { best });
      }
      return loss === null
        ? te('drill.unknown', { san, best })
        : te('drill.wrong', { san, best, loss: lossText(loss) });
    }
  }
}

/** Opens the line in the analysis, where it ends. */
function analyseLine(session: Session): void {
  const fault = analyse.read(session.record.pgn());
  if (fault) {
    toasts.fault(fault);
    return;
  }
  analyse.step(1_000_000);
  router.setFlipped('analyse', drill.side === 'b');
  router.go('analyse');
}
