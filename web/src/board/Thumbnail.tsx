// A small picture of a position.
import { settings } from '../state/settings';
import { BoardPicture } from './Board';
import { Piece } from './Piece';

export function Thumbnail({ fen }: { fen: string }) {
  const { pieces, board } = settings.value;
  return (
    <svg class="thumbnail" viewBox="0 0 800 800" aria-hidden="true">
      <BoardPicture kind={board} flipped={false} coordinates={false} thai={false} />
      {placed(fen).map(({ letter, x, y }) => (
        <g key={`${x}${y}`} transform={`translate(${x * 100} ${y * 100})`}>
          <Piece letter={letter} set={pieces} />
        </g>
      ))}
    </svg>
  );
}

/** The pieces of a FEN with their columns and rows from the upper left; `O` and `o` are promoted bia. */
function placed(fen: string): { letter: string; x: number; y: number }[] {
  const pieces: { letter: string; x: number; y: number }[] = [];
  (fen.split(' ')[0] ?? '').split('/').forEach((rank, y) => {
    let x = 0;
    for (const [, letter, mark, empty] of rank.matchAll(/([a-z])(~?)|(\d)/gi)) {
      if (letter) {
        pieces.push({ letter: mark ? (letter < 'a' ? 'O' : 'o') : letter, x, y });
      }
      x += empty ? Number(empty) : 1;
    }
  });
  return pieces;
}
