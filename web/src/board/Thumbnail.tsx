// A small picture of a position.
import { settings } from '../state/settings';
import { BoardPicture, type PictureProps } from './BoardPicture';
import { lettersOf } from './squares';

export function Thumbnail({ fen, ...how }: { fen: string } & Pick<PictureProps, 'flipped' | 'lastMove'>) {
  const { pieces, board } = settings.value;
  return (
    <svg class="thumbnail" viewBox="0 0 800 800" aria-hidden="true">
      <BoardPicture kind={board} set={pieces} board={lettersOf(fen)} {...how} />
    </svg>
  );
}
