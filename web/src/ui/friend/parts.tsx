// What both kinds of games with a friend share: the table, links to send, links to open.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { analyse, router } from '../../app';
import { t } from '../../messages/i18n';
import type { LegalMove, PositionView, Side } from '../../rules/types';
import type { FriendClock } from '../../state/friend-clock';
import type { FriendLog } from '../../state/friend-log';
import { sessionOf } from '../../state/kept';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { ClockTime } from '../ClockTime';
import { CountPanel } from '../CountPanel';
import { Button, copy } from '../common';
import { GameBoard, MoveInput } from '../GameBoard';
import { Material } from '../Material';
import { Table } from '../Table';
import { Qr } from './Qr';
import { Scan } from './Scan';
import { nameOf, tf } from './stores';

/** Hands a link to the programs of the device. Returns false if the user changed their mind. */
async function share(url: string): Promise<boolean> {
  try {
    await navigator.share({ title: tf('friend.title'), url });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return false;
    }
    await copy(url);
    return true;
  }
}

/** A link to send: to the device's programs, to the clipboard, or as a QR code. */
export function SendLink({ link, isQr = false, onSent }: { link: string; isQr?: boolean; onSent?: () => void }) {
  const [isShown, setShown] = useState(isQr);
  const done = (act: Promise<boolean>) => void act.then((isSent) => isSent && onSent?.());
  return (
    <div class="friend-send">
      <div class="row">
        {'share' in navigator && (
          <Button label={tf('friend.send')} icon="share" primary onClick={() => done(share(link))} />
        )}
        <Button
          label={tf('friend.copy')}
          icon="copy"
          primary={!('share' in navigator)}
          onClick={() => done(copy(link).then(() => true))}
        />
        <Button label={tf('friend.qr')} pressed={isShown} onClick={() => setShown(!isShown)} />
      </div>
      <input
        type="text"
        class="friend-link"
        readOnly
        value={link}
        aria-label={tf('friend.link')}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={() => onSent?.()}
      />
      {isShown && <Qr text={link} />}
    </div>
  );
}

/** A field for a link that was sent, and the camera where the browser reads QR codes. */
export function OpenLink({ onOpen }: { onOpen: (text: string) => void }) {
  const [text, setText] = useState('');
  const [isScanning, setScanning] = useState(false);
  return (
    <form
      class="friend-open"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) {
          onOpen(text);
          setText('');
        }
      }}
    >
      <label class="field">
        <span>{tf('friend.paste.label')}</span>
        <input
          type="text"
          value={text}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button type="submit" class="button" disabled={text.trim() === ''}>
          <span>{tf('friend.paste.open')}</span>
        </button>
        {'BarcodeDetector' in window && <Button label={tf('friend.scan')} onClick={() => setScanning(true)} />}
      </div>
      {isScanning && (
        <Scan
          onClose={() => setScanning(false)}
          onFound={(found) => {
            setScanning(false);
            onOpen(found);
          }}
        />
      )}
    </form>
  );
}

interface GameProps {
  log: FriendLog;
  /** What is shown in place of the game, such as a line of conditional moves. */
  other?: Session | null;
  side: Side;
  clock: FriendClock | null;
  mayMove: boolean;
  /** Whether each move is asked for, if the settings say so. */
  isConfirmed: boolean;
  onMove: (uci: string) => void;
  onGo: (node: number) => void;
  onStep: (plies: number) => void;
  onHand?: (word: 'start' | 'stop' | 'claim') => void;
  report: ComponentChildren;
  more: ComponentChildren;
}

/** The board of a game with a friend. */
export function FriendTable(props: GameProps) {
  const { log, side, clock, onStep } = props;
  const [asked, setAsked] = useState<{ move: LegalMove; preview: PositionView | null } | null>(null);
  const session = props.other ?? log.session;
  const { view } = session;
  const flipped = (side === 'b') !== router.flipped.friend;
  const [upper, lower]: [Side, Side] = flipped ? ['w', 'b'] : ['b', 'w'];
  const mayMove = props.mayMove || props.other != null;
  useEffect(() => setAsked(null), [session.node, mayMove]);
  useGameKeys(onStep);

  const choose = (move: LegalMove) => {
    const change = move.count?.what;
    const warns = settings.value.warn && (change === 'begins' || change === 'shortens');
    if (props.other || !(warns && move.outcome?.reason !== 'checkmate')) {
      if (!props.other && props.isConfirmed && settings.value.confirm) {
        setAsked({ move, preview: session.preview(move.uci) });
      } else {
        props.onMove(move.uci);
      }
    } else {
      setAsked({ move, preview: null });
    }
  };
  const answer = (isGiven: boolean) => {
    setAsked(null);
    if (isGiven && asked) {
      props.onMove(asked.move.uci);
    }
  };
  const preview = asked?.preview ? { move: asked.move, view: asked.preview } : null;
  const arrows = asked && !preview ? [{ from: asked.move.from, to: asked.move.to, kind: 'hint' as const }] : [];
  const bar = (one: Side) => {
    return (
      <div class={`player ${view.turn === one && !log.result ? 'turn' : ''}`}>
        <span class={`disc ${one}`} aria-hidden="true" />
        <bdi class="name">{nameOf(log, one)}</bdi>
        <Material view={view} side={one} />
        {clock && <ClockTime clock={clock} side={one} />}
      </div>
    );
  };
  return (
    <Table
      session={session}
      own={log.result ? null : side}
      upper={bar(upper)}
      lower={bar(lower)}
      board={
        <GameBoard
          session={session}
          flipped={flipped}
          movable={props.other ? 'both' : mayMove ? side : null}
          preview={preview}
          onMove={choose}
          onStep={onStep}
          arrows={arrows}
        />
      }
      count={
        <CountPanel
          view={view}
          facts={null}
          pending={preview ? null : (asked?.move ?? null)}
          onConsent={answer}
          onHand={mayMove && !props.other ? props.onHand : undefined}
        />
      }
      report={
        preview ? (
          <div class="status talks confirm" role="group" aria-label={t('play.confirm')}>
            <Button
              label={t('warn.play', { move: preview.move.san })}
              icon="check"
              primary
              onClick={() => answer(true)}
            />
            <Button label={t('play.takeBack')} icon="undo" onClick={() => answer(false)} />
          </div>
        ) : (
          <section class="panel friend-report">{props.report}</section>
        )
      }
      onGo={props.onGo}
      onStep={onStep}
      onFlip={() => router.flip()}
      moveInput={mayMove && <MoveInput session={session} onMove={choose} />}
      more={
        <div class="actions">
          {props.more}
          <Button label={t('play.analyse')} icon="chart" onClick={() => toAnalysis(log)} />
        </div>
      }
    />
  );
}

function toAnalysis(log: FriendLog): void {
  const { session } = log;
  analyse.open(sessionOf({ pgn: session.record.pgn(), rules: session.rules }), { kind: 'analysed' });
  analyse.step(1_000_000);
  router.go('analyse');
}

/** The keys that go through the game. */
function useGameKeys(onStep: (plies: number) => void): void {
  useEffect(() => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -1_000_000, End: 1_000_000 };
    const press = (event: KeyboardEvent) => {
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      const plies = steps[event.key];
      if (
        plies &&
        !isField &&
        !event.altKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        !document.querySelector('dialog[open]')
      ) {
        event.preventDefault();
        onStep(plies);
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onStep]);
}
