// A board in the manner of chessground: it takes a FEN and a map of targets, and reports from and to.
import { useState } from 'react';
import type { Square } from 'sakmak/rules';

interface GroundProps {
  fen: string;
  movable: { dests: Map<Square, Square[]>; events: { after: (from: Square, to: Square) => void } };
}

const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];

/** The pieces of a FEN, from a8 on, with a blank for each empty square. */
function piecesOf(fen: string): string[] {
  const board = (fen.split(' ')[0] ?? '').replace(/\d/g, (digit) => ' '.repeat(Number(digit)));
  return [...board.replaceAll('/', '')];
}

/** Sixty-four buttons: the least that a board can be. A click chooses a piece that can move, the next one its target. */
export function Ground({ fen, movable }: GroundProps) {
  const [from, setFrom] = useState<Square | null>(null);
  const targets = from === null ? [] : (movable.dests.get(from) ?? []);
  const choose = (square: Square) => {
    if (from !== null && targets.includes(square)) {
      movable.events.after(from, square);
      setFrom(null);
    } else {
      setFrom(movable.dests.has(square) ? square : null);
    }
  };
  const pieces = piecesOf(fen);
  return (
    <>
      <div style={{ display: 'grid', gridTemplateColumns: 'repeat(8, 3rem)', gridAutoRows: '3rem' }}>
        {pieces.map((piece, at) => {
          const square = `${'abcdefgh'[at % 8]}${RANKS[Math.floor(at / 8)]}` as Square;
          const colour = square === from ? 'gold' : targets.includes(square) ? 'lightgreen' : 'wheat';
          return (
            <button
              type="button"
              key={square}
              aria-label={`${square} ${piece}`.trim()}
              style={{ background: colour }}
              onClick={() => choose(square)}
            >
              {piece}
            </button>
          );
        })}
      </div>
      <output>{fen}</output>
    </>
  );
}
