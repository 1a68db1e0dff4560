// The board with its players and, beside or below it, count, moves and buttons: the layout of all views with a game.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SQUARES } from '../board/squares';
import { t } from '../messages/i18n';
import type { Side } from '../rules/types';
import type { Session } from '../state/session';
import { Button, Dialog } from './common';
import { MoveList, Navigation } from './MoveList';

/** Windows in which board and panel do not fit side by side at full height. */
const COMPACT = '(max-width: 52rem), (max-height: 30rem)';
/** A finger that goes so many pixels to a side steps through the game. */
const SWIPE_PIXELS = 40;

/** Whether the window is a phone's or as small. */
export function useCompact(): boolean {
  const [query] = useState(() => window.matchMedia(COMPACT));
  const [matches, setMatches] = useState(query.matches);
  useEffect(() => {
    const change = () => setMatches(query.matches);
    change();
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, [query]);
  return matches;
}

export interface TableProps {
  session: Session;
  /** The side of the person: a finger on its pieces does not step through the game. */
  own?: Side | null;
  board: ComponentChildren;
  /** Name, pieces and clock of the side that is shown above the board, and of the one below. */
  upper?: ComponentChildren;
  lower?: ComponentChildren;
  count: ComponentChildren;
  /** What the view reports: whose turn it is, the engine's lines, an exercise. */
  report: ComponentChildren;
  /** Moves by which a race with the count was lost. */
  races?: Set<number>;
  onGo: (node: number) => void;
  onStep: (plies: number) => void;
  onFlip: () => void;
  /** A button at the thumb, such as the hint. */
  thumb?: ComponentChildren;
  moveInput?: ComponentChildren;
  /** What stands below the moves, and on a phone in the sheet. */
  more: ComponentChildren;
}

export function Table(props: TableProps) {
  const { session, onGo, onStep, onFlip, races, thumb, moveInput } = props;
  const isCompact = useCompact();
  const [isOpen, setOpen] = useState(false);
  const swipe = useSwipe(onStep, (square) => props.own != null && sideOn(session, square) === props.own);
  useEffect(() => setOpen(false), [isCompact]);
  const list = (isStrip: boolean) => (
    <MoveList session={session} onGo={onGo} isStrip={isStrip} {...(races ? { races } : {})} />
  );
  return (
    <div class={isCompact ? 'table compact' : 'table'} {...(isCompact ? swipe : {})}>
      <div class="seat">{props.board}</div>
      <div class="side">
        {props.upper}
        {props.count}
        {props.report}
        <section class="panel record">
          {list(isCompact)}
          {!isCompact && <Navigation session={session} onStep={onStep} onFlip={onFlip} />}
        </section>
        {isCompact ? (
          <div class="thumbs">
            <Navigation session={session} onStep={onStep} onFlip={onFlip} isShort />
            {thumb}
            <Button label={t('more')} icon="more" quiet onClick={() => setOpen(true)} />
          </div>
        ) : (
          <div class="more">
            {moveInput}
            {props.more}
          </div>
        )}
        {props.lower}
      </div>
      {isOpen && isCompact && (
        <Sheet onClose={() => setOpen(false)}>
          {props.more}
          {moveInput}
          <Navigation session={session} onStep={onStep} onFlip={onFlip} />
          {list(false)}
        </Sheet>
      )}
    </div>
  );
}

/** A dialog at the lower edge. A button in it that acts closes it. */
function Sheet({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  return (
    <Dialog title={t('more')} onClose={onClose} kind="sheet">
      {/* biome-ignore lint/a11y: the buttons inside are what is pressed */}
      <div
        class="sheet-body"
        onClick={(event) => (event.target as Element).closest('.actions button, .through button') && onClose()}
      >
        {children}
      </div>
    </Dialog>
  );
}

/** The side whose piece stands on a square of the shown position. */
function sideOn({ view: { board } }: Session, square: string): Side | null {
  const letter = board[SQUARES.indexOf(square)] ?? '.';
  return letter === '.' ? null : letter === letter.toUpperCase() ? 'w' : 'b';
}

/** A finger that goes to a side, anywhere but on a piece that may move or is one's own, steps through the game. */
function useSwipe(onStep: (plies: number) => void, isOwn: (square: string) => boolean) {
  const start = useRef<{ pointer: number; x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      const on = event.target as Element;
      const isTaken = on.closest('.sb-square.pick, .sb-square.dest, .moves, .dialog, button, input, textarea') !== null;
      const square = on.closest<HTMLElement>('[data-square]')?.dataset.square;
      start.current =
        event.pointerType === 'touch' && event.isPrimary && !isTaken && !(square && isOwn(square))
          ? { pointer: event.pointerId, x: event.clientX, y: event.clientY }
          : null;
    },
    onPointerUp: (event: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (from?.pointer !== event.pointerId) {
        return;
      }
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) >= SWIPE_PIXELS && Math.abs(dx) > 2 * Math.abs(dy)) {
        onStep(dx < 0 ? 1 : -1);
      }
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}
