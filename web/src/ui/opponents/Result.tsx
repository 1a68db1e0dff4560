// What a finished game against an opponent means: the rating's change, and who to play next.
import { opponents } from '../../state/opponents';
import type { Animal } from '../../state/played';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { animalName, ot } from './words';

export function OpponentResult({ id, animal }: { id: string; animal: Animal }) {
  useStores(opponents, settings);
  const { won, drawn, lost } = opponents.tally(animal.name);
  const change = opponents.change(id);
  return (
    <>
      <p>
        {change ? ot('opponents.changed', change) : ot('opponents.notCounted')}
        {' · '}
        {animalName(animal.name)}: {ot('opponents.record', { won, drawn, lost })}
      </p>
      <p>{ot('opponents.nextUp', { name: animalName(opponents.next) })}</p>
    </>
  );
}
