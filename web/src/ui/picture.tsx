// The board as a picture of its own.
import { render } from 'preact';
import { BoardPicture } from '../board/Board';
import { Piece } from '../board/Piece';
import { pieceOn, place, SQUARES, withPromoted } from '../board/squares';
import type { Session } from '../state/session';
import { settings } from '../state/settings';

const SIZE = 800;

/** The board as the text of an SVG file. */
export function boardSvg(session: Session, flipped: boolean): string {
  const { view } = session;
  const { pieces, board: kind, notation } = settings.value;
  const board = withPromoted(view.board, view.promoted);
  const last = session.lastMove;
  const box = document.createElement('div');
  render(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE}>
      <title>{view.fen}</title>
      <BoardPicture kind={kind} flipped={flipped} coordinates thai={notation.startsWith('thai')} />
      {last &&
        [last.from, last.to].map((square) => {
          const { x, y } = place(square, flipped);
          return (
            <rect
              key={square}
              x={x * 100 + 3}
              y={y * 100 + 3}
              width="94"
              height="94"
              rx="8"
              fill="#f4d03f"
              fill-opacity="0.45"
            />
          );
        })}
      {SQUARES.map((square) => {
        const letter = pieceOn(board, square);
        const { x, y } = place(square, flipped);
        return (
          letter && (
            <g key={square} transform={`translate(${x * 100} ${y * 100})`}>
              <Piece letter={letter} set={pieces} />
            </g>
          )
        );
      })}
    </svg>,
    box,
  );
  const svg = box.firstElementChild;
  const text = svg ? new XMLSerializer().serializeToString(svg) : '';
  render(null, box);
  return text;
}

/** The board as a PNG file. */
export async function boardPng(session: Session, flipped: boolean): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([boardSvg(session, flipped)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SIZE;
    canvas.height = SIZE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, SIZE, SIZE);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}
