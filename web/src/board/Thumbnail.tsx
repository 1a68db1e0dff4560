// A small picture of a position.
import { settings } from '../state/settings';
import { BoardPicture } from './BoardPicture';
import { lettersOf } from './squares';

export function Thumbnail({ fen }: { fen: string }) {
  const { pieces, board } = settings.value;
  return (
    <svg class="thumbnail" viewBox="0 0 800 800" aria-hidden="true">
      <BoardPicture kind={board} set={pieces} board={lettersOf(fen)} />
    </svg>
  );
}
