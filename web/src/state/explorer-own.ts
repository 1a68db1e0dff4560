// The games that the page keeps, as a second source of the explorer: their moves by position.
import type { Side } from '../rules/types';
import type { BookMove } from './explorer-book';
import { boardAfter, boardOfFen, keyOfBoard } from './explorer-key';
import type { KeptGame } from './kept';

/** Games are followed up to this ply. */
const MOST_PLIES = 60;

export interface OwnFilter {
  /** The side of the person, or of the name; null for both. */
  side: Side | null;
  /** A part of a player's name; empty for all. */
  name: string;
}

/** The moves of games in all their positions, joined by transposition. */
export class OwnGames {
  private readonly moves = new Map<bigint, Map<string, BookMove>>();
  /** The games counted. */
  count = 0;

  constructor(games: readonly KeptGame[], filter: OwnFilter) {
    for (const game of games) {
      if (fits(game, filter)) {
        this.add(game);
      }
    }
  }

  private add({ start, moves, result }: KeptGame): void {
    const from = boardOfFen(start);
    if (!from || moves === '') {
      return;
    }
    this.count += 1;
    let { board, turn } = from;
    const at = result === '1-0' ? 0 : result === '1/2-1/2' ? 1 : result === '0-1' ? 2 : null;
    for (const uci of moves.split(' ').slice(0, MOST_PLIES)) {
      const key = keyOfBoard(board, turn);
      const known = this.moves.get(key) ?? new Map<string, BookMove>();
      this.moves.set(key, known);
      const move = known.get(uci) ?? { uci, score: null, results: [0, 0, 0] };
      known.set(uci, move);
      // A game without a result counts as a move, and for nobody.
      if (at !== null) {
        move.results[at] += 1;
      }
      board = boardAfter(board, uci);
      turn = turn === 'w' ? 'b' : 'w';
    }
  }

  /** The moves of a position, those of most games first. */
  find(key: bigint): BookMove[] {
    const total = ({ results: [white, draws, black] }: BookMove) => white + draws + black;
    return [...(this.moves.get(key)?.values() ?? [])].sort((a, b) => total(b) - total(a));
  }
}

function fits(game: KeptGame, { side, name }: OwnFilter): boolean {
  if (game.rules.variant !== 'makruk') {
    return false;
  }
  const wanted = name.trim().toLowerCase();
  const sides: Side[] = [];
  if (wanted === '') {
    const own = game.kind === 'engine' ? game.play?.game.side : undefined;
    sides.push(...(own ? [own] : side === null ? (['w'] as const) : []));
  } else {
    sides.push(...(game.white.toLowerCase().includes(wanted) ? (['w'] as const) : []));
    sides.push(...(game.black.toLowerCase().includes(wanted) ? (['b'] as const) : []));
  }
  return side === null ? sides.length > 0 : sides.includes(side);
}
