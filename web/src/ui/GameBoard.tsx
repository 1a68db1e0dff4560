// The board of a session: moves are made by its legal moves, the wheel and keys go through the game.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Arrow, Board, type Dests } from '../board/Board';
import { withPromoted } from '../board/squares';
import { t } from '../messages/i18n';
import type { Facts, LegalMove, PositionView, Side } from '../rules/types';
import type { Session } from '../state/session';
import { thrownAway } from './countWords';
import { announcement, type Place } from './spoken';
import { whereChanged } from './whereChanged';

export interface GameBoardProps {
  session: Session;
  flipped: boolean;
  movable: Side | 'both' | null;
  /** The side of `movable` may choose its next move while the other side is to move. */
  premovable?: boolean;
  /** A move that is shown but not made, and the position after it. */
  preview?: { move: LegalMove; view: PositionView } | null;
  onMove: (move: LegalMove) => void;
  onStep?: (plies: number) => void;
  onPremove?: (isChosen: boolean) => void;
  arrows?: Arrow[];
  /** Marks the moves that throw away what the side to move has. */
  facts?: Facts | null;
  small?: boolean;
  label?: string;
}

/** A turn of the wheel by so many pixels is a move. */
const WHEEL_PIXELS = 40;

function GameBoardView(props: GameBoardProps) {
  const { session, flipped, movable, onMove, onStep, arrows = [], facts = null } = props;
  const { view } = session;
  const { preview = null } = props;
  const shown = preview?.view ?? view;
  const wheel = useRef(0);
  const box = useRef<HTMLDivElement>(null);
  const thrown = thrownAway(facts);
  const said = useSaid(session);

  useEffect(() => {
    const element = box.current;
    if (!element || !onStep) {
      return;
    }
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      wheel.current += event.deltaY;
      if (Math.abs(wheel.current) >= WHEEL_PIXELS) {
        onStep(Math.sign(wheel.current));
        wheel.current = 0;
      }
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [onStep]);

  const [dests, bad]: [Dests, Dests] = [new Map(), new Map()];
  for (const { from, to, uci } of view.moves) {
    dests.set(from, [...(dests.get(from) ?? []), to]);
    if (thrown.has(uci)) {
      bad.set(from, [...(bad.get(from) ?? []), to]);
    }
  }
  return (
    <div ref={box} class="game-board">
      <Board
        board={withPromoted(shown.board, shown.promoted)}
        turn={shown.turn}
        flipped={flipped}
        lastMove={preview?.move ?? session.lastMove}
        check={shown.check}
        arrows={arrows}
        movable={preview ? null : movable}
        premovable={props.premovable ?? false}
        dests={dests}
        bad={bad}
        onMove={(from, to) => {
          const move = view.moves.find((one) => one.from === from && one.to === to);
          if (move) {
            onMove(move);
          }
        }}
        small={props.small ?? false}
        {...(props.onPremove ? { onPremove: props.onPremove } : {})}
        {...(props.label ? { label: props.label } : {})}
      />
      {!props.small && (
        <p class="hidden" aria-live="polite">
          {said}
        </p>
      )}
    </div>
  );
}

export const GameBoard = whereChanged(
  GameBoardView,
  ({ session, flipped, movable, premovable, preview, arrows = [], facts, small, label }) => [
    session,
    session.node,
    session.version,
    flipped,
    movable,
    premovable,
    preview?.view,
    arrows.map(({ from, to, kind }) => `${from}${to}${kind}`).join(),
    facts,
    small,
    label,
  ],
);

/** What is said of the position that is shown, until another one is. */
function useSaid(session: Session): string {
  const last = useRef<(Place & { text: string }) | null>(null);
  const { node } = session;
  if (last.current?.session !== session || last.current.node !== node) {
    last.current = { session, node, text: announcement(session, last.current) };
  }
  return last.current.text;
}

/** Moves can be typed in any notation. */
export function MoveInput({ session, onMove }: { session: Session; onMove: (move: LegalMove) => void }) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const move = session.findMove(text);
    setWrong(!move && text.trim() !== '');
    if (move) {
      setText('');
      onMove(move);
    }
  };
  return (
    <form class="move-input" onSubmit={submit}>
      <input
        type="text"
        value={text}
        placeholder={t('move.input')}
        aria-label={t('move.input')}
        aria-invalid={wrong}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={24}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      {wrong && (
        <span class="fault" role="alert">
          {t('fault.move.illegal', { text })}
        </span>
      )}
    </form>
  );
}
