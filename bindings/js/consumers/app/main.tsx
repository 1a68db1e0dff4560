// React and Vite: a board for moves by clicks, and a hint of the engine.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Sakmak } from 'sakmak/engine';
import { Board, init, type Square } from 'sakmak/rules';
import { Ground } from './Ground';

await init();
const game = new Board();

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
      <Ground fen={game.fen()} movable={{ dests: game.dests(), events: { after } }} />
      <button type="button" onClick={hint}>
        Hint
      </button>
      <p role="status">{best}</p>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
