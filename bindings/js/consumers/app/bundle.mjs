// What webpack and others bundle into a classic script: the files lie where the bundler has put them, not beside it.
import { Sakmak } from 'sakmak/engine';
import { Board, init } from 'sakmak/rules';

async function hint() {
  await init();
  const engine = await Sakmak();
  const best = await engine.play(new Board(), { depth: 3 });
  engine.terminate();
  return best;
}

hint().then(
  (best) => {
    document.title = best;
  },
  (error) => {
    document.title = `failed: ${error.message}`;
  },
);
