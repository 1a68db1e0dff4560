import { useEffect, useState } from 'preact/hooks';
import { analyse, facts, router, setup, useTables } from '../app';
import type { Arrow } from '../board/Board';
import { sideName, t } from '../messages/i18n';
import type { Side } from '../rules/types';
import { other } from '../state/played';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { CountPanel } from './CountPanel';
import { Button, Dialog, Waiting } from './common';
import { solvedEvaluation } from './countWords';
import { Foreign } from './Foreign';
import { GameBoard, MoveInput } from './GameBoard';
import { GamesLink } from './GamesLink';
import { Graph } from './Graph';
import { Material } from './Material';
import { NewGameForm } from './NewGame';
import { OpenDialog } from './OpenDialog';
import { SetupView } from './SetupView';
import { ShareDialog } from './ShareDialog';
import { GLYPHS, scoreShare, scoreText } from './scores';
import { Table } from './Table';

/** Moves of a line that are shown. */
const SHOWN_MOVES = 14;
const MOST_LINES = 5;

type Open = 'open' | 'share' | 'play' | null;

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
            <EnginePanel />
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
            {session.node !== 0 && <MoveTools />}
            <ReportPanel />
            <EngineSettings />
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
              <GamesLink />
            </div>
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

function nameOf(tag: 'White' | 'Black'): string {
  const value = analyse.session.record.header().tags[tag] ?? '';
  return value === '?' ? '' : value;
}

function EnginePanel() {
  const { lines, chances } = analyse;
  const count = settings.value.lines;
  const first = lines[0];
  return (
    <section class="panel engine" aria-label={t('analyse.engine')}>
      <div class="engine-head">
        <label class="switch">
          <input
            type="checkbox"
            checked={analyse.isEngineOn}
            onChange={() => analyse.toggleEngine()}
            aria-label={t('analyse.engine')}
          />
          <span>{t('analyse.engine')}</span>
        </label>
        {first && (
          <span class="aside">
            {t('analyse.depth', { depth: first.depth })} ·{' '}
            {t('analyse.speed', { speed: Math.round(first.nodes / Math.max(1, first.time)) })}
          </span>
        )}
        <span class="spinner">
          <Button
            label={t('analyse.lines.fewer')}
            icon="minus"
            quiet
            disabled={count <= 1}
            onClick={() => analyse.setLines(count - 1)}
          />
          <span>
            <span class="hidden">{t('analyse.lines')} </span>
            {count}
          </span>
          <Button
            label={t('analyse.lines.more')}
            icon="plus"
            quiet
            disabled={count >= MOST_LINES}
            onClick={() => analyse.setLines(count + 1)}
          />
        </span>
      </div>
      {analyse.isEngineOn && lines.length === 0 && !analyse.session.view.outcome && (
        <Waiting text={t('play.thinking')} />
      )}
      {analyse.isEngineOn && (
        <ol class="lines">
          {lines.slice(0, count).map((line) => (
            <li key={line.rank}>
              <button type="button" class="score" onClick={() => analyse.playLine(line.moves.slice(0, 1))}>
                {scoreText(line.score)}
              </button>
              <span class="line-moves">{line.names.slice(0, SHOWN_MOVES).join(' ')}</span>
            </li>
          ))}
        </ol>
      )}
      {chances && (
        <div
          class="chances"
          role="img"
          aria-label={t('analyse.chances', {
            win: Math.round(chances[0] / 10),
            draw: Math.round(chances[1] / 10),
            loss: Math.round(chances[2] / 10),
          })}
        >
          <span class="w" style={{ flexGrow: chances[0] }}>
            {chances[0] >= 120 ? `${Math.round(chances[0] / 10)}%` : ''}
          </span>
          <span class="d" style={{ flexGrow: chances[1] }}>
            {chances[1] >= 120 ? `${Math.round(chances[1] / 10)}%` : ''}
          </span>
          <span class="b" style={{ flexGrow: chances[2] }}>
            {chances[2] >= 120 ? `${Math.round(chances[2] / 10)}%` : ''}
          </span>
        </div>
      )}
    </section>
  );
}

/** Where the engine finds endgame files. */
function EngineSettings() {
  const [address, setAddress] = useState(settings.value.tables);
  const apply = (tables: string) => {
    setAddress(tables);
    settings.set({ tables });
    useTables();
    analyse.search();
  };
  return (
    <details class="engine-settings">
      <summary>{t('analyse.settings')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply(address.trim());
        }}
      >
        <label class="field">
          <span>{t('analyse.tables')}</span>
          <input
            type="text"
            value={address}
            maxLength={500}
            placeholder="./tables/"
            autoCapitalize="off"
            spellcheck={false}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <p class="aside">{t(settings.value.tables ? 'analyse.tables.on' : 'analyse.tables.off')}</p>
        <div class="row">
          <button type="submit" class="button" disabled={address.trim() === ''}>
            {t('analyse.tables.use')}
          </button>
          <Button label={t('analyse.tables.none')} disabled={settings.value.tables === ''} onClick={() => apply('')} />
        </div>
      </form>
    </details>
  );
}

/** Comment, mark and order of the move on the board. */
function MoveTools() {
  const { session } = analyse;
  const node = session.nodeById(session.node);
  const [isOpen, setOpen] = useState(false);
  if (!node) {
    return null;
  }
  const glyph = node.nags.find((nag) => nag <= 6) ?? 0;
  return (
    <details class="tools" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('analyse.comment.edit')}</summary>
      <textarea
        key={node.id}
        aria-label={t('analyse.comment')}
        rows={2}
        maxLength={2000}
        // What is typed is not overwritten by a redraw.
        defaultValue={node.comments.join(' ')}
        onChange={(event) => {
          const text = event.currentTarget.value;
          analyse.edit((record) => record.setComment(node.id, text));
        }}
      />
      <div class="row">
        <label class="field inline">
          <span>{t('analyse.glyph')}</span>
          <select
            value={String(glyph)}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value);
              analyse.edit((record) => record.setGlyph(node.id, chosen));
            }}
          >
            {[0, 1, 2, 3, 4, 5, 6].map((mark) => (
              <option key={mark} value={String(mark)} selected={mark === glyph}>
                {`${GLYPHS[mark] ?? ''} ${t(`analyse.glyph.${mark}` as 'analyse.glyph.0')}`}
              </option>
            ))}
          </select>
        </label>
        <Button
          label={t('analyse.promote')}
          icon="up"
          onClick={() => analyse.edit((record) => record.promote(node.id))}
        />
        <Button label={t('analyse.delete')} icon="trash" onClick={() => analyse.deleteFrom(node.id)} />
      </div>
    </details>
  );
}

function ReportPanel() {
  const { progress, report, session } = analyse;
  if (progress) {
    return (
      <section class="panel report" aria-live="polite">
        <p>
          {t('analyse.progress', { ...progress })} {progress.finished === 0 && <Waiting text="" />}
        </p>
        <progress value={progress.finished} max={progress.total} aria-label={t('analyse.game')} />
        <Button label={t('analyse.stop')} onClick={() => analyse.cancelReport()} />
      </section>
    );
  }
  if (!report) {
    return session.line.length > 2 ? (
      <Button label={t('analyse.game')} icon="chart" primary onClick={() => analyse.analyseGame()} />
    ) : null;
  }
  const { sides } = report.data;
  const rows = [
    ['summary.accuracy', (side: 0 | 1) => `${sides[side].accuracy.toFixed(0)} %`],
    ['summary.doubtful', (side: 0 | 1) => sides[side].doubtful],
    ['summary.mistakes', (side: 0 | 1) => sides[side].mistakes],
    ['summary.blunders', (side: 0 | 1) => sides[side].blunders],
    ['summary.lost', (side: 0 | 1) => `${sides[side].lost.toFixed(1)} %`],
  ] as const;
  const lost = sides.filter(({ races }) => races.length > 0);
  return (
    <section class="panel report" aria-label={t('summary.title')}>
      <h2>{t('summary.title')}</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{sideName('w')}</th>
            <th scope="col">{sideName('b')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, value]) => (
            <tr key={key}>
              <th scope="row">{t(key)}</th>
              <td>{value(0)}</td>
              <td>{value(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lost.length === 0 && <p>{t('summary.noRace')}</p>}
      {lost.map(({ side, races }) => (
        <p key={side} class="mood-bad">
          {t('summary.race', { side: sideName(side), moves: races.join(', ') })}
        </p>
      ))}
    </section>
  );
}
