// Compiles under strict settings, in every way of finding modules.
import { type BoardConfig, createBoard, type SakmakBoard } from 'sakmak/board';
import { thai } from 'sakmak/board-sets';
import { type Analysis, Sakmak } from 'sakmak/engine';
import Module, { type FairyStockfish } from 'sakmak/ffish';
import { Board, type Count, FenError, type Move, parsePgn, type Square, toPgn } from 'sakmak/rules';

const board: Board = new Board(null, { variant: 'cambodian', ruleset: 'cutechess', parts: { Repetition: 'none' } });
const moves: Move[] = board.moves({ square: 'e3', verbose: true });
const names: string[] = board.moves();
const dests: Map<Square, Square[]> = board.dests();
const count: Count | null = board.countAfter({ from: 'e3', to: 'e4' });
export const ffish: Promise<FairyStockfish> = Module();
export const text: string = toPgn(parsePgn('1. e4 *')[0] ?? board);
export const error =
  new FenError('fen.rank', 'x').field.length + moves.length + names.length + dests.size + (count?.ply ?? 0);
export async function analyse(): Promise<Analysis> {
  using engine = await Sakmak();
  return await engine.analyse(board, { depth: 1 });
}
{
  using other = board.clone();
  other.push('e3e4');
}
// @ts-expect-error there is no such variant
new Board(null, { variant: 'chess' });
// @ts-expect-error there is no such notation
board.moves({ notation: 'pgn' });
export function show(element: Element): SakmakBoard {
  const config: BoardConfig = { fen: board.fen(), movable: { color: 'both', dests: board.dests() }, pieceSet: thai };
  const view = createBoard(element, { ...config, events: { move: (from, to) => board.move({ from, to }) } });
  view.set({ pieces: board.pieces(), lastMove: [moves[0]?.from ?? 'a1', 'a2'] });
  // @ts-expect-error there is no such side
  view.set({ orientation: 'w' });
  return view;
}
