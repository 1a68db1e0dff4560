// React and Vite, with a board in the manner of chessground: it takes a map of targets and reports from and to.
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

/** Buttons for squares: the least that a board can be. */
function Ground({ fen, movable }: GroundProps) {
  const [from, setFrom] = useState<Square | null>(null);
  const squares = from === null ? [...movable.dests.keys()] : (movable.dests.get(from) ?? []);
  const choose = (square: Square) => {
    if (from !== null) {
      movable.after(from, square);
    }
    setFrom(from === null ? square : null);
  };
  return (
    <div>
      <output>{fen}</output>
      {squares.map((square) => (
        <button type="button" key={square} onClick={() => choose(square)}>
          {square}
        </button>
      ))}
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
      <button type="button" onClick={hint}>
        Hint
      </button>
      <p role="status">{best}</p>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
