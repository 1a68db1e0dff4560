import { useEffect, useState } from 'preact/hooks';
import { analyse, engine, facts, router, setup, useTables } from '../app';
import type { Arrow } from '../board/Board';
import { sideName, t } from '../messages/i18n';
import type { Side } from '../rules/types';
import { other } from '../state/played';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { CountPanel } from './CountPanel';
import { Button, Dialog } from './common';
import { solvedEvaluation } from './countWords';
import { EnginePanel, EngineSettings } from './EnginePanel';
import { Foreign } from './Foreign';
import { GameBoard, MoveInput } from './GameBoard';
import { GamesLink } from './GamesLink';
import { Graph } from './Graph';
import { Later } from './Later';
import { Material } from './Material';
import { MoveTools } from './MoveTools';
import { NewGameForm } from './NewGame';
import { OpenDialog } from './OpenDialog';
import { ReportPanel } from './ReportPanel';
import { SetupView } from './SetupView';
import { ShareDialog } from './ShareDialog';
import { scoreShare, scoreText } from './scores';
import { Table } from './Table';

const loadLesson = () => import('./lessons/LessonView').then(({ LessonView }) => LessonView);

type Open = 'open' | 'share' | 'play' | null;

const loadExplorer = () => import('./explorer/Explorer').then(({ Explorer }) => Explorer);
const loadEvaluations = () => import('./evaluations/Evaluations').then(({ Evaluations }) => Evaluations);
const loadExplorerButton = () => import('./explorer/Explorer').then(({ ExplorerButton }) => ExplorerButton);

export function AnalyseView() {
  useStores(analyse, facts, settings, router, setup);
  const [open, setOpen] = useState<Open>(null);
  const { session, lines } = analyse;
  const flipped = router.flipped.analyse;
  const { view } = session;
  const known = facts.of(session);

  // A text with several games opens the list, once.
  useEffect(() => {
    if (analyse.isLibraryNew) {
      analyse.isLibraryNew = false;
      setup.hide();
      setOpen('open');
    }
  }, [analyse.library]);

  if (router.parts[0] === 'mistake') {
    return <Later load={loadLesson} props={{ parts: router.parts.slice(1), back: 'analyse' as const }} />;
  }
  if (setup.shows(session)) {
    return (
      <>
        <h1 class="hidden">{t('nav.analyse')}</h1>
        <SetupView />
      </>
    );
  }

  const arrows: Arrow[] = lines
    .slice(0, 3)
    .flatMap(({ moves, rank }) => {
      const move = moves[0];
      return move
        ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: rank === 1 ? ('best' as const) : ('other' as const) }]
        : [];
    })
    .reverse();
  const at = analyse.report?.nodes.indexOf(session.node) ?? -1;
  const made = at > 0 ? analyse.report?.data.moves[at - 1] : undefined;
  const races = new Set(
    analyse.report?.data.moves.flatMap((move, index) => (move.race ? [analyse.report?.nodes[index + 1] ?? -1] : [])),
  );
  const evaluation = analyse.evaluation ?? solvedEvaluation(view, known);

  const player = (side: Side) => (
    <div class="player">
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="name">
        <Foreign text={nameOf(side === 'w' ? 'White' : 'Black') || sideName(side)} />
      </span>
      <Material view={view} side={side} />
    </div>
  );

  return (
    <>
      <h1 class="hidden">{t('nav.analyse')}</h1>
      <Table
        session={session}
        upper={player(flipped ? 'w' : 'b')}
        lower={player(flipped ? 'b' : 'w')}
        board={
          <>
            <div
              class={`evaluation-bar ${flipped ? 'flipped' : ''}`}
              role="img"
              aria-label={t('analyse.bar', { score: scoreText(evaluation) || '0' })}
            >
              <div style={{ height: `${scoreShare(evaluation) * 100}%` }} />
            </div>
            <GameBoard
              session={session}
              flipped={flipped}
              movable={view.turn}
              onMove={(move) => analyse.play(move.uci)}
              onStep={(plies) => analyse.step(plies)}
              arrows={arrows}
              facts={known}
            />
          </>
        }
        count={
          <CountPanel
            view={view}
            facts={known}
            onHand={view.outcome ? undefined : (word) => analyse.edit((record) => record.count(session.node, word))}
          />
        }
        report={
          <>
            <EnginePanel
              isOn={analyse.isEngineOn}
              lines={lines}
              count={settings.value.lines}
              isAwaited={!view.outcome}
              chances={analyse.chances}
              onToggle={() => analyse.toggleEngine()}
              onCount={(count) => analyse.setLines(count)}
              flipped={flipped}
              onPlay={(moves) => analyse.playLine(moves)}
              preview={(moves) => session.preview(...moves).fen}
            />
            <Later load={loadEvaluations} props={{ session, onPlay: (move: string) => analyse.play(move) }} />
            <Later
              load={loadExplorer}
              props={{
                session,
                onPlay: (move: string) => analyse.play(move),
                onGo: (node: number) => analyse.go(node),
              }}
            />
            {made?.race && (
              <p class="panel race-note" role="note">
                {t('race.here', { side: sideName(other(view.turn)) })}
              </p>
            )}
          </>
        }
        races={races}
        onGo={(node) => analyse.go(node)}
        onStep={(plies) => analyse.step(plies)}
        onFlip={() => router.flip()}
        thumb={
          <Button
            label={t('analyse.engine')}
            icon="chart"
            quiet
            pressed={analyse.isEngineOn}
            onClick={() => analyse.toggleEngine()}
          />
        }
        moveInput={<MoveInput session={session} onMove={(move) => analyse.play(move.uci)} />}
        more={
          <>
            <Graph session={session} onGo={(node) => analyse.go(node)} />
            {session.node !== 0 && (
              <MoveTools
                session={session}
                onEdit={(work) => analyse.edit(work)}
                onDelete={(node) => analyse.deleteFrom(node)}
              />
            )}
            <ReportPanel
              progress={analyse.progress}
              report={analyse.report?.data ?? null}
              details={
                analyse.report && {
                  report: analyse.report,
                  session,
                  id: analyse.entryId,
                  onGo: (node) => analyse.go(node),
                }
              }
              mayBegin={session.line.length > 2}
              onBegin={() => analyse.analyseGame()}
              onStop={() => analyse.cancelReport()}
            />
            <div class="actions">
              <Button label={t('analyse.open')} icon="open" onClick={() => setOpen('open')} />
              <Button label={t('analyse.save')} icon="share" onClick={() => setOpen('share')} />
              <Button
                label={t(setup.draft ? 'analyse.setup.goOn' : 'analyse.setup')}
                icon="edit"
                onClick={() => setup.open(session)}
              />
              <Button label={t('analyse.playFrom')} icon="play" onClick={() => setOpen('play')} />
              <Button label={t('analyse.new')} icon="trash" onClick={() => analyse.clear()} />
              <Later load={loadExplorerButton} props={{}} />
              <GamesLink />
            </div>
            <EngineSettings {...settings.value} onChoose={chooseEngine} />
          </>
        }
      />
      {open === 'open' && <OpenDialog onClose={() => setOpen(null)} />}
      {open === 'share' && <ShareDialog session={session} flipped={flipped} onClose={() => setOpen(null)} />}
      {open === 'play' && (
        <Dialog title={t('new.title')} onClose={() => setOpen(null)}>
          <NewGameForm fen={view.markedFen} rules={session.rules} onBegun={() => setOpen(null)} />
        </Dialog>
      )}
    </>
  );
}

/** The engine searches by other settings from here on. */
function chooseEngine(choice: Partial<typeof settings.value>): void {
  settings.set(choice);
  engine.useMemory(settings.value.memory);
  if (choice.tables !== undefined) {
    useTables();
  }
  analyse.search();
}

function nameOf(tag: 'White' | 'Black'): string {
  const value = analyse.session.record.header().tags[tag] ?? '';
  return value === '?' ? '' : value;
}
