// One mistake on the board: what it allowed is played, or somebody looks for a better move.
import { useEffect } from 'preact/hooks';
import { facts, router } from '../../app';
import { sideName } from '../../messages/i18n';
import { MARGIN } from '../../state/lesson';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/lessons.css';
import { Button, Waiting } from '../common';
import { PracticeTable } from '../PracticeTable';
import { lesson } from './stores';
import { GLYPHS, lessonText, moveText, tl } from './words';

export interface LessonViewProps {
  /** The entry of the game, the index of the mistake, and whether it is shown or tried again. */
  parts: string[];
  /** Where it goes back to: the report, or all mistakes. */
  back: 'analyse' | 'learn';
}

export function LessonView({ parts, back }: LessonViewProps) {
  useStores(lesson, settings, facts, router);
  const [id = '', ply = '', mode = ''] = parts;
  useEffect(() => {
    void lesson.open(id, Number(ply), mode === 'show');
    return () => lesson.close();
  }, [id, ply, mode]);
  const goBack = () => router.go(back, back === 'learn' ? 'mistakes' : '');
  const backButton = (
    <Button label={tl(back === 'learn' ? 'lesson.backAll' : 'lesson.back')} icon="back" onClick={goBack} />
  );
  const { session, state } = lesson;
  if (!session) {
    return (
      <div class="page">
        <p role="status">{tl(state === 'missing' ? 'lesson.missing' : 'lesson.loading')}</p>
        {backButton}
      </div>
    );
  }
  return <OnBoard session={session} flipped={(lesson.side === 'b') !== router.flipped[back]} backButton={backButton} />;
}

interface OnBoardProps {
  session: Session;
  flipped: boolean;
  backButton: preact.JSX.Element;
}

function OnBoard({ session, flipped, backButton }: OnBoardProps) {
  const { state, side, mistake, mayMove, score } = lesson;
  const [times, right] = score;
  const mood = state === 'right' ? 'solved' : state === 'wrong' ? 'failed' : '';
  // What the solved endings know would give the better move away.
  const known = state === 'toMove' || state === 'thinking' ? null : facts.of(session);
  return (
    <PracticeTable
      session={session}
      side={side}
      mayMove={mayMove}
      flipped={flipped}
      facts={known}
      report={
        <section class="panel exercise lesson">
          <h1 class="small">{tl('lesson.title', { move: playedText() })}</h1>
          <p class={`exercise-state ${mood}`} aria-live="polite">
            {state === 'thinking' ? <Waiting text={tl('lesson.thinking')} /> : stateText()}
          </p>
          {mistake && state !== 'toMove' && state !== 'thinking' && <p>{lessonText(mistake.lesson)}</p>}
          {state === 'toMove' && <p class="aside">{tl('lesson.margin', { margin: MARGIN })}</p>}
          {times > 0 && (
            <p class="aside">
              {tl('lesson.times', { times })} {right > 0 && tl('lesson.foundAt', { right })}
            </p>
          )}
          <div class="row">
            {state !== 'toMove' && (
              <Button
                label={tl('lessons.try')}
                icon="undo"
                primary={state !== 'right'}
                onClick={() => lesson.retry()}
              />
            )}
            <Button label={tl('lessons.show')} icon="play" onClick={() => lesson.show(false)} />
            <Button label={tl('lesson.better')} icon="hint" onClick={() => lesson.show(true)} />
            {backButton}
          </div>
        </section>
      }
      onMove={(uci) => lesson.play(uci)}
      redraw={() => lesson.redraw()}
      onFlip={() => router.flip()}
    />
  );
}

/** The move that was made, with its number and sign. */
function playedText(): string {
  const { mistake, side, name } = lesson;
  return mistake ? `${moveText(name.number, side, name.move)}${GLYPHS[mistake.glyph] ?? ''}` : '';
}

function stateText(): string {
  const { state, isBetter, worse, side } = lesson;
  const move = playedText();
  switch (state) {
    case 'showing':
      return isBetter ? tl('lesson.showingBetter') : tl('lesson.showing', { move });
    case 'shown':
      return isBetter ? tl('lesson.shownBetter') : tl('lesson.shown', { move });
    case 'toMove':
      return tl('lesson.toMove', { side: sideName(side), move });
    case 'right':
      return tl(worse > 0 ? 'lesson.rightNearly' : 'lesson.right');
    case 'wrong':
      return tl('lesson.wrong', { worse: Math.max(1, Math.round(worse)) });
    case 'unknown':
      return tl('lesson.unknown');
    default:
      return tl('lesson.loading');
  }
}
