// React and Vite, with a board in the manner of chessground: it takes a FEN and a map of targets, and reports from and to.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Sakmak } from 'sakmak/engine';
import { Board, init, type Square } from 'sakmak/rules';

await init();
const game = new Board();

interface GroundProps {
  fen: string;
  movable: { dests: Map<Square, Square[]>; after: (from: Square, to: Square) => void };
}

const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];

/** The pieces of a FEN, from a8 on, with a blank for each empty square. */
function piecesOf(fen: string): string[] {
  const board = (fen.split(' ')[0] ?? '').replace(/\d/g, (digit) => ' '.repeat(Number(digit)));
  return [...board.replaceAll('/', '')];
}

/** Sixty-four buttons: the least that a board can be. A click chooses a piece that can move, the next one its target. */
function Ground({ fen, movable }: GroundProps) {
  const [from, setFrom] = useState<Square | null>(null);
  const targets = from === null ? [] : (movable.dests.get(from) ?? []);
  const choose = (square: Square) => {
    if (from !== null && targets.includes(square)) {
      movable.after(from, square);
      setFrom(null);
    } else {
      setFrom(movable.dests.has(square) ? square : null);
    }
  };
  const pieces = piecesOf(fen);
  return (
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
  );
}

const engine = Sakmak();

function App() {
  const [, setPly] = useState(0);
  const [best, setBest] = useState('');
  const hint = async () => setBest((await (await engine).play(game, { depth: 4 })) ?? '');
  const after = (from: Square, to: Square) => {
    game.move({ from, to });
    setPly(game.ply());
  };
  return (
    <>
      <Ground fen={game.fen()} movable={{ dests: game.dests(), after }} />
      <output>{game.fen()}</output>
      <button type="button" onClick={hint}>
        Hint
      </button>
      <p role="status">{best}</p>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
