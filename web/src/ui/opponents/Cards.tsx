// The opponents of a new game: cards to choose from, what the chosen one is like, and whether the game counts.
import { ANIMALS, animalNamed, opponents } from '../../state/opponents';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Check } from '../common';
import '../../style/opponents.css';
import { Picture } from './Picture';
import { animalName, ot } from './words';

/** Standard deviations in half of a 95% interval. */
const DEVIATIONS = 1.96;

export interface Chosen {
  name: string;
  isRated: boolean;
  isPaced: boolean;
}

export function OpponentCards({
  chosen,
  mayBeRated,
  onChange,
}: {
  chosen: Chosen;
  /** Whether rules and start allow a rated game. */
  mayBeRated: boolean;
  onChange: (part: Partial<Chosen>) => void;
}) {
  useStores(opponents, settings);
  const { rating, next } = opponents;
  const name = animalNamed(chosen.name) ? chosen.name : 'Frog';
  const isRated = chosen.isRated && mayBeRated;
  const { won, drawn, lost } = opponents.tally(name);
  return (
    <>
      <fieldset class="field opponents">
        <legend class="hidden">{ot('opponents.title')}</legend>
        <div>
          {ANIMALS.map((animal) => {
            const { won, drawn, lost } = opponents.tally(animal.name);
            return (
              <label key={animal.name} class={animal.name === name ? 'chosen' : ''}>
                <input
                  type="radio"
                  name="animal"
                  checked={animal.name === name}
                  aria-describedby="opponent-is"
                  onChange={() => onChange({ name: animal.name })}
                />
                <Picture name={animal.name} />
                <strong>{animalName(animal.name)}</strong>
                <small>{animal.rating}</small>
                {animal.name === next && (
                  <em title={ot('opponents.next')}>
                    <span aria-hidden="true">★</span>
                    <span class="hidden">{ot('opponents.next')}</span>
                  </em>
                )}
                {won + drawn + lost > 0 && <span class="hidden">, {ot('opponents.record', { won, drawn, lost })}</span>}
              </label>
            );
          })}
        </div>
        <p id="opponent-is" aria-live="polite">
          {ot(`opponents.${name as 'Frog'}.is`)}
          {name === next && ` ★ ${ot('opponents.next')}.`}
          {won + drawn + lost > 0 && ` ${ot('opponents.record', { won, drawn, lost })}.`}
        </p>
      </fieldset>
      <div class="opponents-how">
        <Check
          label={ot('opponents.rated')}
          value={isRated}
          disabled={!mayBeRated}
          onChange={(value) => onChange({ isRated: value })}
        />
        <Check label={ot('opponents.paced')} value={chosen.isPaced} onChange={(isPaced) => onChange({ isPaced })} />
        <p>
          {ot(isRated ? 'opponents.rated.yes' : 'opponents.rated.no')}{' '}
          {rating &&
            ot('opponents.own', {
              rating: Math.round(rating.rating),
              error: Math.round(DEVIATIONS * rating.deviation),
            })}
        </p>
      </div>
    </>
  );
}
