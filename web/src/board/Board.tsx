// The board of the package, as a component of the page.
import { type BoardConfig, createBoard, type Piece, type SakmakBoard, type SquareFacts } from 'sakmak/board';
import 'sakmak/board.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sideName, t } from '../messages/i18n';
import type { Side } from '../rules/types';
import { settings } from '../state/settings';
import { setOf } from './Piece';
import { letterOf, pieceOf, SQUARES } from './squares';

export interface Arrow {
  from: string;
  to: string;
  /** `best` and `other` are lines of the engine, `hint` what was asked for, `better` a move that was missed. */
  kind: 'best' | 'other' | 'hint' | 'better';
}

export type Dests = Map<string, string[]>;

export interface BoardProps {
  /** Letters from a1 to h8, `O` and `o` for promoted bia. */
  board: string;
  turn?: Side;
  flipped?: boolean;
  lastMove?: { from: string; to: string } | null;
  check?: string | null;
  arrows?: Arrow[];
  /** The side that may be moved; null for none. */
  movable?: Side | 'both' | null;
  /** The side of `movable` may choose its next move while the other side is to move. */
  premovable?: boolean;
  /** Where the pieces may go, and which of these moves throw a win away. */
  dests?: Dests;
  bad?: Dests;
  onMove?: (from: string, to: string) => void;
  /** The set-up: a square gets another piece, or none. */
  onPut?: (square: string, letter: string | null) => void;
  /** What a click puts on a square in the set-up; null removes. */
  placed?: string | null;
  /** A premove was chosen, or dropped by the person or by another position. */
  onPremove?: (isChosen: boolean) => void;
  label?: string;
  small?: boolean;
}

const NOWHERE: Dests = new Map();
const colour = (side: Side) => (side === 'w' ? 'white' : 'black');

export function Board(props: BoardProps) {
  const box = useRef<HTMLDivElement>(null);
  const board = useRef<SakmakBoard | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const own = createBoard(element, configOf(latest.current));
    board.current = own;
    own.set({
      events: {
        move: (from, to) => {
          const { onMove, onPut } = latest.current;
          if (onPut) {
            const letter = letterOf(own.state.pieces.get(to));
            onPut(from, null);
            onPut(to, letter);
          } else {
            onMove?.(from, to);
            // A move that is not made yet, or refused, goes back; one that is made has been drawn by then.
            queueMicrotask(() => own.set(configOf(latest.current)));
          }
        },
        premove: (squares) => latest.current.onPremove?.(squares !== null),
        dropNewPiece: (piece, square) => latest.current.onPut?.(square, letterOf(piece)),
        dropOff: (square) => latest.current.onPut?.(square, null),
      },
    });
    return () => own.destroy();
  }, []);
  useLayoutEffect(() => {
    const own = board.current;
    own?.set(configOf(props));
    if (own?.state.premove && !props.premovable) {
      const { movable } = props;
      if (movable && movable === props.turn) {
        own.playPremove();
      } else {
        // Another position is shown, or the game is over.
        own.cancelPremove();
      }
    }
  });
  // Arrows of the user belong to a position.
  useLayoutEffect(() => board.current?.set({ drawable: { shapes: [] } }), [props.board]);

  return <div ref={box} class={props.small ? 'board small' : 'board'} />;
}

function configOf(props: BoardProps): BoardConfig {
  const { board, flipped = false, lastMove = null, check = null, arrows = [], movable = null, placed } = props;
  const { pieces: set, board: theme, coordinates, notation, animation } = settings.value;
  const pieces = new Map<string, Piece>();
  SQUARES.forEach((square, at) => {
    const letter = board[at];
    if (letter && letter !== '.') {
      pieces.set(square, pieceOf(letter));
    }
  });
  const place = placed === undefined ? null : placed === null ? 'erase' : pieceOf(placed);
  return {
    pieces,
    orientation: flipped ? 'black' : 'white',
    turnColor: colour(props.turn ?? 'w'),
    check,
    lastMove: lastMove ? [lastMove.from, lastMove.to] : [],
    coordinates: coordinates && !props.small ? 'inside' : 'none',
    coordinateNames: notation.startsWith('thai') ? 'thai' : 'latin',
    theme,
    scheme: settings.isDark ? 'dark' : 'light',
    pieceSet: setOf(set),
    animation: { enabled: animation },
    movable: props.onPut
      ? { color: 'both', free: true, place }
      : {
          color: movable === null || movable === 'both' ? movable : colour(movable),
          dests: props.dests ?? NOWHERE,
          bad: props.bad ?? NOWHERE,
        },
    premovable: { enabled: props.premovable ?? false },
    drawable: {
      enabled: !props.small,
      autoShapes: arrows.map(({ from, to, kind }) => ({ orig: from, dest: to, brush: kind })),
    },
    labels: { board: props.label ?? t('board.label'), square: labelOf },
  };
}

/** What a screen reader says of a square. */
function labelOf(square: string, { piece, dest }: SquareFacts): string {
  const plain = piece
    ? t('square.piece', {
        square,
        side: sideName(piece.color),
        piece: t(`piece.${(letterOf(piece) ?? '').toLowerCase()}` as 'piece.k'),
      })
    : t('square.empty', { square });
  return dest ? t(dest === 'bad' ? 'square.throws' : 'square.target', { label: plain }) : plain;
}
