// The board as a picture: a background with lines and names, and pieces on it.
import type { SettingsData } from '../state/settings';
import { Piece } from './Piece';
import { fileName, place, rankName, SQUARES } from './squares';

export interface PictureProps {
  kind: SettingsData['board'];
  set: SettingsData['pieces'];
  /** Letters from a1 to h8, `O` and `o` for promoted bia. */
  board: string;
  flipped?: boolean;
  /** Names of files and ranks, in Latin or Thai letters. */
  coordinates?: 'latin' | 'thai';
  lastMove?: { from: string; to: string } | null;
}

const EIGHT = Array.from({ length: 8 }, (_, at) => at);

export function BoardPicture({ kind, set, board, flipped = false, coordinates, lastMove = null }: PictureProps) {
  const thai = coordinates === 'thai';
  return (
    <g>
      <rect width="800" height="800" class="picture-light" />
      {kind === 'chequered'
        ? SQUARES.map((square) => {
            const { x, y } = place(square, false);
            return (
              (x + y) % 2 === 1 && (
                <rect key={square} x={x * 100} y={y * 100} width="100" height="100" class="picture-dark" />
              )
            );
          })
        : EIGHT.slice(1).map((at) => (
            <path key={at} d={`M${at * 100} 0 V800 M0 ${at * 100} H800`} class="picture-line" />
          ))}
      <rect x="1.5" y="1.5" width="797" height="797" class="picture-line" />
      {lastMove &&
        [lastMove.from, lastMove.to].map((square) => {
          const { x, y } = place(square, flipped);
          return <rect key={square} x={x * 100} y={y * 100} width="100" height="100" class="picture-last" />;
        })}
      {coordinates &&
        EIGHT.map((at) => (
          <g key={at} class="picture-name">
            <text x={at * 100 + 92} y="793" text-anchor="end">
              {fileName(flipped ? 7 - at : at, thai)}
            </text>
            <text x="7" y={at * 100 + 23}>
              {rankName(flipped ? at : 7 - at, thai)}
            </text>
          </g>
        ))}
      {SQUARES.map((square, at) => {
        const letter = board[at];
        const { x, y } = place(square, flipped);
        return (
          letter &&
          letter !== '.' && (
            <g key={square} transform={`translate(${x * 100} ${y * 100})`}>
              <Piece letter={letter} set={set} />
            </g>
          )
        );
      })}
    </g>
  );
}
