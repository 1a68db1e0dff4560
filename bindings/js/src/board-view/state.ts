// What the board knows, and how a configuration changes it.
import { ArgumentError } from '../errors.js';
import { type Code, otherSide, promotesOn, reachable, readFen, SQUARES, sideOf, toCode, toSquare } from './geometry.js';
import { carved } from './pieces/carved.js';
import type { BoardConfig, BoardEvents, Dests, Mark, PieceSet, Shape, Side, Square } from './types.js';

export interface State {
  pieces: Map<Square, Code>;
  orientation: Side;
  turnColor: Side;
  check: string | boolean | null;
  lastMove: readonly Square[];
  selected: Square | null;
  premove: readonly [Square, Square] | null;
  /** The square that Tab leads to. */
  focused: Square;
  viewOnly: boolean;
  coordinates: 'none' | 'inside' | 'outside';
  coordinateNames: 'latin' | 'thai';
  theme: string;
  scheme: 'auto' | 'light' | 'dark';
  pieceSet: PieceSet;
  marks: readonly Mark[];
  animation: { enabled: boolean; duration: number };
  movable: {
    color: Side | 'both' | null;
    dests: Dests;
    bad: Dests;
    showDests: boolean;
    free: boolean;
    place: Code | 'erase' | null;
  };
  premovable: { enabled: boolean; dests: Dests | null; showDests: boolean };
  draggable: { enabled: boolean; distance: number; showGhost: boolean };
  drawable: {
    enabled: boolean;
    visible: boolean;
    eraseOnClick: boolean;
    shapes: readonly Shape[];
    autoShapes: readonly Shape[];
  };
  highlight: { lastMove: boolean; check: boolean };
  labels: NonNullable<BoardConfig['labels']>;
  events: BoardEvents;
}

const NOWHERE: Dests = new Map();

/** The board of a configuration that says nothing: empty, to look at. */
export function initialState(): State {
  return {
    pieces: new Map(),
    orientation: 'white',
    turnColor: 'white',
    check: null,
    lastMove: [],
    selected: null,
    premove: null,
    focused: 'a1',
    viewOnly: false,
    coordinates: 'inside',
    coordinateNames: 'latin',
    theme: 'wood',
    scheme: 'auto',
    pieceSet: carved,
    marks: [],
    animation: { enabled: true, duration: 180 },
    movable: { color: null, dests: NOWHERE, bad: NOWHERE, showDests: true, free: false, place: null },
    premovable: { enabled: false, dests: null, showDests: true },
    draggable: { enabled: true, distance: 4, showGhost: true },
    drawable: { enabled: true, visible: true, eraseOnClick: true, shapes: [], autoShapes: [] },
    highlight: { lastMove: true, check: true },
    labels: {},
    events: {},
  };
}

const PLAIN = [
  'orientation',
  'turnColor',
  'check',
  'viewOnly',
  'coordinates',
  'coordinateNames',
  'theme',
  'scheme',
  'pieceSet',
  'marks',
] as const;
const GROUPS = ['animation', 'premovable', 'draggable', 'highlight', 'labels', 'events'] as const;

/** Copies the values that are given; those that are `undefined` stay. */
function assign(
  target: object,
  source: object | undefined,
  names: readonly string[] = Object.keys(source ?? {}),
): void {
  for (const name of names) {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    if (value !== undefined) {
      (target as Record<string, unknown>)[name] = value;
    }
  }
}

const isSide = (name: unknown): name is Side => name === 'white' || name === 'black';
const checkShape = ({ orig, dest }: Shape) => [toSquare(orig), dest && toSquare(dest)];

/**
 * Applies a configuration. A wrong square, piece or FEN throws before anything has changed. The selection and the
 * premove stay as long as their piece does.
 */
export function configure(state: State, config: BoardConfig): void {
  const read = config.fen === undefined ? null : readFen(config.fen);
  const given =
    config.pieces && new Map([...config.pieces].map(([square, piece]) => [toSquare(square), toCode(piece)] as const));
  const lastMove = config.lastMove?.map(toSquare);
  const selected = config.selected && toSquare(config.selected);
  const place = config.movable?.place;
  const placed = place && place !== 'erase' ? toCode(place) : place;
  config.drawable?.shapes?.forEach(checkShape);
  config.drawable?.autoShapes?.forEach(checkShape);
  for (const { square } of config.marks ?? []) {
    toSquare(square);
  }
  if (typeof config.check === 'string' && !isSide(config.check)) {
    toSquare(config.check);
  }
  for (const name of ['orientation', 'turnColor'] as const) {
    if (config[name] !== undefined && !isSide(config[name])) {
      throw new ArgumentError(`argument.${name}`, `there is no side '${config[name]}'`);
    }
  }
  if (config.pieceSet !== undefined && typeof config.pieceSet?.parts !== 'object') {
    throw new ArgumentError('argument.pieceSet', 'a set of pieces is an object with parts, such as thai');
  }

  const before = state.pieces;
  state.pieces = read?.pieces ?? given ?? before;
  if (read?.turn) {
    state.turnColor = read.turn;
  }
  assign(state, config, PLAIN);
  for (const group of GROUPS) {
    assign(state[group], config[group]);
  }
  assign(state.movable, config.movable);
  if (placed !== undefined) {
    state.movable.place = placed;
  }
  assign(state.drawable, config.drawable);
  if (config.lastMove !== undefined) {
    state.lastMove = lastMove ?? [];
  }
  const gone = (square: Square | undefined) => square && before.get(square) !== state.pieces.get(square);
  if (state.selected && (gone(state.selected) || !mayPick(state, state.selected))) {
    state.selected = null;
  }
  if (gone(state.premove?.[0])) {
    state.premove = null;
  }
  if (selected !== undefined) {
    state.selected = selected || null;
  }
}

/** The square of the khun in check. */
export function checkedSquare({ check, pieces, turnColor }: State): Square | null {
  if (check === null || check === false) {
    return null;
  }
  const side = check === true ? turnColor : check;
  if (!isSide(side)) {
    return side as Square;
  }
  const khun = side === 'white' ? 'K' : 'k';
  return SQUARES.find((square) => pieces.get(square) === khun) ?? null;
}

/** Whether the user may move the piece on a square now. */
export function mayMove({ pieces, viewOnly, movable, turnColor }: State, square: Square): boolean {
  const code = pieces.get(square);
  if (code === undefined || viewOnly) {
    return false;
  }
  const side = sideOf(code);
  return (movable.color === 'both' || movable.color === side) && (movable.free || turnColor === side);
}

/** Whether the user may choose a move of the piece on a square for his next turn. */
export function mayPremove({ pieces, viewOnly, movable, premovable, turnColor }: State, square: Square): boolean {
  const code = pieces.get(square);
  if (code === undefined || viewOnly || !premovable.enabled || movable.free) {
    return false;
  }
  return movable.color === sideOf(code) && turnColor !== movable.color;
}

export const mayPick = (state: State, square: Square): boolean => mayMove(state, square) || mayPremove(state, square);

/** Where the piece on a square may be moved or premoved to. */
export function destsOf(state: State, from: Square): readonly string[] {
  const { movable, premovable, pieces } = state;
  if (mayMove(state, from)) {
    return movable.free ? SQUARES.filter((to) => to !== from) : (movable.dests.get(from) ?? []);
  }
  if (mayPremove(state, from)) {
    return premovable.dests ? (premovable.dests.get(from) ?? []) : reachable(pieces.get(from) as Code, from);
  }
  return [];
}

/** Moves a piece, as the user did; returns what it captured. A bia on the sixth rank is turned over. */
export function movePiece(state: State, from: Square, to: Square): Code | null {
  const code = state.pieces.get(from) as Code;
  const captured = state.pieces.get(to) ?? null;
  const pieces = new Map(state.pieces);
  pieces.delete(from);
  const promotes = !state.movable.free && promotesOn(code, to);
  pieces.set(to, promotes ? (code === 'P' ? 'O' : 'o') : code);
  Object.assign(state, { pieces, selected: null, premove: null, check: null, lastMove: [from, to] });
  if (state.movable.free) {
    state.lastMove = [];
  } else {
    state.turnColor = otherSide(state.turnColor);
    state.movable.dests = NOWHERE;
    state.movable.bad = NOWHERE;
  }
  return captured;
}

/** Puts a piece on a square, or removes what stands there. */
export function putPiece(state: State, square: Square, code: Code | null): void {
  const pieces = new Map(state.pieces);
  if (code === null) {
    pieces.delete(square);
  } else {
    pieces.set(square, code);
  }
  state.pieces = pieces;
  state.selected = null;
}
