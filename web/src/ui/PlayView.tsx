import { useEffect, useRef, useState } from 'preact/hooks';
import { analyse, facts, play, router } from '../app';
import { sideName, t } from '../messages/i18n';
import { ruleNames } from '../rules/rules';
import type { LegalMove, Side } from '../rules/types';
import { sessionOf } from '../state/kept';
import { other, type Result } from '../state/played';
import { Session } from '../state/session';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { ClockTime } from './ClockTime';
import { CountPanel } from './CountPanel';
import { Button, focusBoard, Icon, SureButton, Waiting } from './common';
import { GameBoard, MoveInput } from './GameBoard';
import { GamesLink } from './GamesLink';
import { Later } from './Later';
import { Material } from './Material';
import { NewGameForm } from './NewGame';
import { Table, useCompact } from './Table';

const loadName = () => import('./opponents/Name').then(({ OpponentName }) => OpponentName);
const loadResult = () => import('./opponents/Result').then(({ OpponentResult }) => OpponentResult);

/** The end of a game in words; `person` is the side of the one who plays the engine. */
export function resultText({ winner, reason }: Result, person: Side | null): string {
  const own = t(winner === person ? 'result.youWon' : 'result.youLost');
  const head = winner ? (person ? own : t('result.win', { side: sideName(winner) })) : t('result.draw');
  const loser = winner ? sideName(other(winner)) : '';
  return `${head}: ${t(`reason.${reason}`, { loser })}`;
}

export function PlayView() {
  useStores(play, facts, settings, router);
  const { session } = play;
  if (!session) {
    return <Start />;
  }
  return <Game session={session} />;
}

/** Each move counts once it is confirmed. */
function Confirm({ move }: { move: LegalMove }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus({ preventScroll: true }), [move.uci]);
  const done = (act: () => void, byKeyboard: boolean) => {
    act();
    // After a click the arrow keys go through the game.
    if (byKeyboard) {
      focusBoard();
    }
  };
  const take = (event: MouseEvent) => done(() => play.decline(), event.detail === 0);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      done(() => play.decline(), true);
    } else if (event.repeat) {
      // The key that made the move does not confirm it too.
      event.preventDefault();
    }
  };
  return (
    <div ref={box} class="status talks confirm" role="group" aria-label={t('play.confirm')} onKeyDown={onKey}>
      <Button
        label={t('warn.play', { move: move.san })}
        icon="check"
        primary
        onClick={(event) => done(() => play.confirm(), event.detail === 0)}
      />
      <Button label={t('play.takeBack')} icon="undo" onClick={take} />
    </div>
  );
}

/** The start position, and beside it what the next game shall be. */
function Start() {
  const [session] = useState(() => Session.start(settings.value.rules));
  const isCompact = useCompact();
  return (
    <div class={isCompact ? 'start' : 'table start'}>
      {!isCompact && (
        <div class="seat">
          <GameBoard session={session} flipped={false} movable={null} onMove={() => {}} />
        </div>
      )}
      <div class="side">
        <div class="start-text">
          <h1>{t('new.title')}</h1>
          <p>{t('new.lead')}</p>
          <div class="actions">
            <GamesLink />
            <a class="button" href="#/friend">
              <Icon name="share" />
              <span>{t('play.friend')}</span>
            </a>
          </div>
        </div>
        <div class="panel">
          <NewGameForm />
        </div>
      </div>
    </div>
  );
}

function Game({ session }: { session: Session }) {
  const { game, result, clock } = play;
  const flipped = router.flipped.play;
  const { view } = session;
  // A rated game is played without help.
  const known = settings.value.facts && !(play.isRated && !result) ? facts.of(session) : null;
  const isPremove = play.mayPremove;
  const own = game?.level === null ? view.turn : (game?.side ?? null);
  const movable = play.mayMove ? own : null;
  const hint = play.hint ? [{ ...play.hint, kind: 'hint' as const }] : [];
  const preview = play.pending && play.preview ? { move: play.pending, view: play.preview } : null;
  const pending =
    play.pending && !preview ? [{ from: play.pending.from, to: play.pending.to, kind: 'hint' as const }] : [];
  const [upper, lower]: [Side, Side] = flipped ? ['w', 'b'] : ['b', 'w'];

  const toAnalysis = () => {
    const copied = { pgn: session.record.pgn(), rules: session.rules };
    analyse.open(sessionOf(copied), { kind: 'analysed', id: play.entry });
    analyse.step(1_000_000);
    router.setFlipped('analyse', flipped);
    router.go('analyse');
  };

  const bar = (side: Side) => {
    const isEngine = game?.level != null && side !== game.side;
    const rating = game?.level == null ? 0 : (ruleNames().ratings[game.level] ?? 0);
    const { animal } = game ?? {};
    const engine = animal ? (
      <Later key={animal.name} load={loadName} props={{ name: animal.name, rating: animal.rating }} />
    ) : (
      t('play.engine', { rating })
    );
    const name = isEngine ? engine : game?.level != null ? t('play.you') : sideName(side);
    return (
      <div class={`player ${view.turn === side && !result ? 'turn' : ''}`}>
        <span class={`disc ${side}`} aria-hidden="true" />
        <span class="name">{name}</span>
        {isEngine && play.isThinking && <Waiting text={t('play.thinking')} />}
        <Material view={view} side={side} />
        {clock && <ClockTime clock={clock} side={side} />}
      </div>
    );
  };

  const [isChosen, setChosen] = useState(false);
  const isCompact = useCompact();
  const isOver = result !== null;
  const isEarlier = !session.isAtEnd;
  const talks =
    isEarlier || play.isStuck || play.isElsewhere || play.offered !== null || play.isHinting || (isPremove && isChosen);
  const report = result ? (
    <section class="panel result">
      <h2>{resultText(result, game?.level == null ? null : game.side)}</h2>
      {game?.animal && <Later key={play.entry} load={loadResult} props={{ id: play.entry, animal: game.animal }} />}
      <div class="row">
        <Button label={t('play.again')} icon="plus" primary onClick={() => game && play.begin({ ...game })} />
        <Button label={t('play.analyse')} icon="chart" onClick={toAnalysis} />
        <Button label={t('play.new')} onClick={() => play.close()} />
      </div>
    </section>
  ) : preview ? (
    <Confirm move={preview.move} />
  ) : (
    <p class={talks ? 'status talks' : 'status'} aria-live="polite">
      {play.isElsewhere
        ? t('play.elsewhere')
        : isEarlier
          ? t('play.earlier')
          : play.isStuck
            ? t('play.stuck')
            : isPremove && isChosen
              ? t('play.premove')
              : game?.level != null && play.isPersonsTurn
                ? t('play.yourTurn')
                : t('play.turn', { side: sideName(view.turn) })}
      {play.isElsewhere && <Button label={t('play.here')} onClick={() => play.takeOver()} />}
      {isEarlier && <Button label={t('play.toEnd')} icon="last" onClick={() => play.step(1_000_000)} />}
      {play.isStuck && <Button label={t('play.tryAgain')} onClick={() => play.tryAgain()} />}
      {play.offered === 'asked' && <Waiting text={t('play.draw.asked')} />}
      {play.offered === 'declined' && <span> {t('play.draw.declined')}</span>}
      {play.isHinting && <Waiting text={t('play.hinting')} />}
    </p>
  );
  const hintButton = (quiet: boolean) =>
    !isOver && (
      <Button
        label={t(play.isHinting ? 'play.hint.stop' : 'play.hint')}
        icon={play.isHinting ? 'stop' : 'hint'}
        quiet={quiet}
        pressed={play.isHinting}
        disabled={!play.mayHint}
        onClick={() => play.showHint()}
      />
    );

  return (
    <>
      <h1 class="hidden">{t('nav.play')}</h1>
      <p class="hidden" role="status">
        {result && resultText(result, game?.level == null ? null : game.side)}
      </p>
      <Table
        session={session}
        own={isOver || game?.level == null ? null : game.side}
        upper={bar(upper)}
        lower={bar(lower)}
        board={
          <GameBoard
            session={session}
            flipped={flipped}
            movable={isPremove ? own : movable}
            premovable={isPremove}
            preview={preview}
            onMove={(move) => {
              setChosen(false);
              play.choose(move);
            }}
            onPremove={setChosen}
            onStep={(plies) => play.step(plies)}
            arrows={[...hint, ...pending]}
            facts={movable ? known : null}
          />
        }
        count={
          <CountPanel
            view={view}
            facts={known}
            pending={preview ? null : play.pending}
            onConsent={(isGiven) => (isGiven ? play.confirm() : play.decline())}
            onHand={play.mayMove ? (word) => play.count(word) : undefined}
          />
        }
        report={report}
        onGo={(node) => play.show(node)}
        onStep={(plies) => play.step(plies)}
        onFlip={() => router.flip()}
        thumb={hintButton(true)}
        moveInput={movable && <MoveInput session={session} onMove={(move) => play.choose(move)} />}
        more={
          <div class="actions">
            <Button
              label={t('play.takeBack')}
              icon="undo"
              disabled={!play.mayTakeBack}
              onClick={() => play.takeBack()}
            />
            {hintButton(false)}
            {!isOver && (
              <>
                <SureButton
                  label={t(game?.level === null ? 'play.draw.people' : 'play.draw')}
                  icon="draw"
                  disabled={!play.mayMove || play.offered !== null}
                  onClick={() => play.offerDraw()}
                />
                <SureButton
                  label={t('play.resign')}
                  icon="flag"
                  disabled={play.isElsewhere}
                  onClick={() => play.resign()}
                />
              </>
            )}
            {(!isOver || isCompact) && (
              <>
                <Button label={t('play.analyse')} icon="chart" onClick={toAnalysis} />
                <Button label={t('play.new')} icon="plus" onClick={() => play.close()} />
              </>
            )}
          </div>
        }
      />
    </>
  );
}
