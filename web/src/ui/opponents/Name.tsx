// The name of an opponent beside the board.
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { animalName } from './words';

export function OpponentName({ name, rating }: { name: string; rating: number }) {
  useStores(settings);
  return (
    <>
      {animalName(name)} {rating}
    </>
  );
}
