// The board: an SVG picture, and above it a grid of squares that mouse, touch, keyboard and screen readers use.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sideName, t } from '../messages/i18n';
import type { Side } from '../rules/types';
import { settings } from '../state/settings';
import { follow, type PlacedPiece } from './gliding';
import { Piece, sideOf } from './Piece';
import { fileName, pieceOn, place, rankName, SQUARES, squareAt } from './squares';

export interface Arrow {
  from: string;
  to: string;
  /** `best` and `other` are lines of the engine, `hint` what was asked for, `better` a move that was missed. */
  kind: 'best' | 'other' | 'hint' | 'better';
}

export interface Target {
  to: string;
  capture: boolean;
  /** Whether the move throws a win away, by the solved endings. */
  throws?: boolean;
}

export interface BoardProps {
  /** Letters from a1 to h8, `O` and `o` for promoted bia. */
  board: string;
  flipped?: boolean;
  lastMove?: { from: string; to: string } | null;
  check?: string | null;
  arrows?: Arrow[];
  /** The side that may be moved; null for none. */
  movable?: Side | 'both' | null;
  /** Where the piece on a square may go. */
  targets?: (from: string) => Target[];
  onMove?: (from: string, to: string) => void;
  /** In the editor every drag is allowed; `to` is null off the board. */
  onEdit?: (from: string | null, to: string | null) => void;
  label?: string;
  small?: boolean;
}

/** Pixels that a pointer must go until a press becomes a drag. */
const DRAG_PIXELS = 5;

export function Board(props: BoardProps) {
  const { board, flipped = false, lastMove = null, check = null, arrows = [], movable = null } = props;
  const { pieces: set, board: kind, coordinates, notation, animation } = settings.value;
  const [selected, setSelected] = useState<string | null>(null);
  const [focused, setFocused] = useState(flipped ? 'h8' : 'a1');
  const [drag, setDrag] = useState<{ from: string; x: number; y: number; moved: boolean } | null>(null);
  const placed = useRef<PlacedPiece[]>([]);
  const grid = useRef<HTMLDivElement>(null);

  const pieces = useMemo(() => {
    const now = SQUARES.flatMap((square) => {
      const letter = pieceOn(board, square);
      return letter ? [{ square, letter }] : [];
    });
    placed.current = follow(placed.current, now, lastMove);
    return placed.current;
  }, [board, lastMove?.from, lastMove?.to]);

  const mayPick = (square: string): boolean => {
    const letter = pieceOn(board, square);
    if (!letter || (!props.onMove && !props.onEdit)) {
      return false;
    }
    return Boolean(props.onEdit) || movable === 'both' || movable === sideOf(letter);
  };
  const targets = selected && props.targets ? props.targets(selected) : [];
  const targetOn = (square: string) => targets.find((target) => target.to === square);

  /** What a press or Enter on a square does. */
  const activate = (square: string) => {
    if (props.onEdit) {
      props.onEdit(null, square);
    } else if (selected && targetOn(square)) {
      setSelected(null);
      props.onMove?.(selected, square);
    } else {
      setSelected(mayPick(square) && square !== selected ? square : null);
    }
  };

  const locate = (event: PointerEvent) => {
    const box = grid.current?.getBoundingClientRect();
    if (!box) {
      return { x: 0, y: 0, square: null };
    }
    const [x, y] = [((event.clientX - box.left) / box.width) * 8, ((event.clientY - box.top) / box.height) * 8];
    return { x, y, square: squareAt(Math.floor(x), Math.floor(y), flipped) };
  };

  const pressed = useRef<{ pointer: number; square: string; x: number; y: number; wasSelected: boolean } | null>(null);
  /** The pointer that drags. Others are ignored meanwhile: a second finger neither moves nor drops the piece. */
  const dragging = useRef<number | null>(null);
  const isOther = (event: PointerEvent) => dragging.current !== null && dragging.current !== event.pointerId;
  const endDrag = () => {
    dragging.current = null;
    setDrag(null);
  };

  const onPointerDown = (event: PointerEvent) => {
    const { square, x, y } = locate(event);
    if (!square || event.button !== 0 || isOther(event)) {
      return;
    }
    dragging.current = null;
    setFocused(square);
    pressed.current = {
      pointer: event.pointerId,
      square,
      x: event.clientX,
      y: event.clientY,
      wasSelected: selected === square,
    };
    const isTarget = selected !== null && targetOn(square) !== undefined;
    if (mayPick(square) && !isTarget) {
      if (!props.onEdit) {
        setSelected(square);
      }
      dragging.current = event.pointerId;
      setDrag({ from: square, x, y, moved: false });
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    }
  };

  const onPointerMove = (event: PointerEvent) => {
    if (!drag || pressed.current?.pointer !== event.pointerId) {
      return;
    }
    const far = Math.hypot(event.clientX - pressed.current.x, event.clientY - pressed.current.y) > DRAG_PIXELS;
    if (drag.moved || far) {
      const { x, y } = locate(event);
      setDrag({ ...drag, x, y, moved: true });
    }
  };

  const onPointerUp = (event: PointerEvent) => {
    const press = pressed.current;
    if (press?.pointer !== event.pointerId) {
      return;
    }
    pressed.current = null;
    const { square } = locate(event);
    if (drag?.moved) {
      endDrag();
      if (props.onEdit) {
        props.onEdit(drag.from, square);
      } else if (square && square !== drag.from && targetOn(square)) {
        setSelected(null);
        props.onMove?.(drag.from, square);
      }
      return;
    }
    endDrag();
    if (press.square !== square) {
      return;
    }
    if (props.onEdit) {
      props.onEdit(null, square);
    } else if (selected && selected !== square && targetOn(square)) {
      setSelected(null);
      props.onMove?.(selected, square);
    } else if (press.wasSelected || !mayPick(square)) {
      setSelected(null);
    }
  };

  /** The drag ends without a drop. */
  const onPointerLost = (event: PointerEvent) => {
    // A finger is captured by the square first: what the square loses goes to the board.
    if (event.target === event.currentTarget && !isOther(event)) {
      endDrag();
    }
  };

  // A position that has changed leaves nothing picked up.
  useEffect(() => {
    setSelected(null);
    endDrag();
  }, [board]);

  const onKeyDown = (event: KeyboardEvent) => {
    const { x, y } = place(focused, flipped);
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const next = squareAt(x + step[0], y + step[1], flipped);
      if (next) {
        setFocused(next);
        grid.current?.querySelector<HTMLElement>(`[data-square="${next}"]`)?.focus();
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      activate(focused);
    } else if (event.key === 'Escape' && selected) {
      setSelected(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const label = (square: string): string => {
    const letter = pieceOn(board, square);
    const plain = letter
      ? t('square.piece', {
          square,
          side: sideName(sideOf(letter)),
          piece: t(`piece.${letter.toLowerCase()}` as 'piece.k'),
        })
      : t('square.empty', { square });
    const target = targetOn(square);
    return target ? t(target.throws ? 'square.throws' : 'square.target', { label: plain }) : plain;
  };

  const rows = Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => squareAt(x, y, flipped) ?? ''));
  const className = `board ${kind} ${props.small ? 'small' : ''} ${animation ? 'gliding' : ''}`;
  return (
    <div class={className}>
      <svg viewBox="0 0 800 800" aria-hidden="true" class="picture">
        <BoardPicture
          kind={kind}
          flipped={flipped}
          coordinates={coordinates && !props.small}
          thai={notation.startsWith('thai')}
        />
        {lastMove &&
          [lastMove.from, lastMove.to].map((square) => (
            <Mark key={square} square={square} flipped={flipped} name="last" />
          ))}
        {check && <Mark square={check} flipped={flipped} name="check" />}
        {selected && <Mark square={selected} flipped={flipped} name="selected" />}
        {pieces.map(({ id, square, letter }) => {
          const { x, y } = place(square, flipped);
          const dragged = drag?.moved && drag.from === square;
          const [left, top] = dragged ? [drag.x - 0.5, drag.y - 0.5] : [x, y];
          return (
            <g
              key={id}
              class={dragged ? 'piece dragged' : 'piece'}
              style={{ transform: `translate(${left * 100}px, ${top * 100}px)` }}
            >
              <Piece letter={letter} set={set} />
            </g>
          );
        })}
        {targets.map((target) => (
          <TargetMark key={target.to} target={target} flipped={flipped} />
        ))}
        {arrows.map((arrow) => (
          <ArrowShape key={`${arrow.kind}${arrow.from}${arrow.to}`} arrow={arrow} flipped={flipped} />
        ))}
      </svg>
      <div
        ref={grid}
        class="squares"
        role="grid"
        aria-label={props.label ?? t('board.label')}
        // The focus is for the keyboard: with a mouse the arrow keys shall go through the game.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={(event) => !isOther(event) && endDrag()}
        onLostPointerCapture={onPointerLost}
        onKeyDown={onKeyDown}
      >
        {rows.map((row) => (
          <div role="row" key={row[0]} class="rank">
            {row.map((square) => (
              <div
                key={square}
                role="gridcell"
                data-square={square}
                class={mayPick(square) || targetOn(square) ? 'square active' : 'square'}
                tabIndex={square === focused ? 0 : -1}
                aria-label={label(square)}
                aria-selected={square === selected}
                onFocus={() => setFocused(square)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The empty board, with the names of files and ranks at its edge. */
export function BoardPicture({
  kind,
  flipped,
  coordinates,
  thai,
}: {
  kind: 'plain' | 'chequered';
  flipped: boolean;
  coordinates: boolean;
  thai: boolean;
}) {
  const eight = Array.from({ length: 8 }, (_, at) => at);
  const ink = kind === 'plain' ? '#6b4420' : '#5a3a1c';
  return (
    <g>
      <rect width="800" height="800" fill={kind === 'plain' ? '#e3bd83' : '#efd9b0'} />
      {kind === 'plain'
        ? eight.map((at) => (
            <path
              key={at}
              d={`M0 ${40 + at * 100} C200 ${25 + at * 100 + (at % 3) * 14} 520 ${70 + at * 100} 800 ${38 + at * 100 + (at % 2) * 20}`}
              fill="none"
              stroke="#dfb77b"
              stroke-width={10 + (at % 3) * 8}
            />
          ))
        : SQUARES.map((square) => {
            const { x, y } = place(square, false);
            return (
              (x + y) % 2 === 1 && <rect key={square} x={x * 100} y={y * 100} width="100" height="100" fill="#c99a5f" />
            );
          })}
      {kind === 'plain' &&
        eight
          .slice(1)
          .map((at) => (
            <path
              key={at}
              d={`M${at * 100} 0 V800 M0 ${at * 100} H800`}
              stroke="#8a5a2b"
              stroke-width="2.5"
              fill="none"
            />
          ))}
      <rect x="1.5" y="1.5" width="797" height="797" fill="none" stroke="#7a4c22" stroke-width="3" />
      {coordinates &&
        eight.map((at) => (
          <g key={at} font-family="system-ui, sans-serif" font-size="19" font-weight="600" fill={ink}>
            <text x={at * 100 + 92} y="793" text-anchor="end">
              {fileName(flipped ? 7 - at : at, thai)}
            </text>
            <text x="7" y={at * 100 + 23}>
              {rankName(flipped ? at : 7 - at, thai)}
            </text>
          </g>
        ))}
    </g>
  );
}

const MARKS = {
  last: { fill: '#f4d03f', opacity: 0.45 },
  check: { fill: '#d62c1a', opacity: 0.5 },
  selected: { fill: '#2f7fc1', opacity: 0.45 },
} as const;

function Mark({ square, flipped, name }: { square: string; flipped: boolean; name: keyof typeof MARKS }) {
  const { x, y } = place(square, flipped);
  const { fill, opacity } = MARKS[name];
  return (
    <rect
      class={`mark ${name}`}
      x={x * 100 + 3}
      y={y * 100 + 3}
      width="94"
      height="94"
      rx="8"
      fill={fill}
      fill-opacity={opacity}
    />
  );
}

function TargetMark({ target, flipped }: { target: Target; flipped: boolean }) {
  const { x, y } = place(target.to, flipped);
  const [cx, cy] = [x * 100 + 50, y * 100 + 50];
  const colour = target.throws ? '#b3261e' : '#1d5f3a';
  const shape = target.capture ? (
    <circle cx={cx} cy={cy} r="44" fill="none" stroke={colour} stroke-opacity="0.75" stroke-width="7" />
  ) : (
    <circle cx={cx} cy={cy} r="14" fill={colour} fill-opacity="0.65" />
  );
  return (
    <g class={target.throws ? 'target throws' : 'target'}>
      {shape}
      {target.throws && (
        <path d={`M${cx - 8} ${cy - 8} l16 16 m0 -16 l-16 16`} stroke="#fff" stroke-width="4" stroke-linecap="round" />
      )}
    </g>
  );
}

const ARROWS: Record<Arrow['kind'], { colour: string; width: number; opacity: number }> = {
  best: { colour: '#15607a', width: 15, opacity: 0.8 },
  other: { colour: '#15607a', width: 9, opacity: 0.5 },
  hint: { colour: '#8e44ad', width: 15, opacity: 0.8 },
  better: { colour: '#1d7a46', width: 13, opacity: 0.75 },
};

function ArrowShape({ arrow, flipped }: { arrow: Arrow; flipped: boolean }) {
  const [from, to] = [place(arrow.from, flipped), place(arrow.to, flipped)];
  const { colour, width, opacity } = ARROWS[arrow.kind];
  const [x1, y1, x2, y2] = [from.x * 100 + 50, from.y * 100 + 50, to.x * 100 + 50, to.y * 100 + 50];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = width * 2.4;
  const [bx, by] = [x2 - dx * head, y2 - dy * head];
  const wing = width * 1.25;
  return (
    <g class={`arrow ${arrow.kind}`} opacity={opacity}>
      <path
        d={`M${x1 + dx * 28} ${y1 + dy * 28} L${bx} ${by}`}
        stroke={colour}
        stroke-width={width}
        stroke-linecap="round"
      />
      <path
        d={`M${x2} ${y2} L${bx - dy * wing} ${by + dx * wing} L${bx + dy * wing} ${by - dx * wing} Z`}
        fill={colour}
      />
    </g>
  );
}
