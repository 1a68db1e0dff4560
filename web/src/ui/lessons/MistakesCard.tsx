// The mistakes in the list of what can be learnt.
import { router } from '../../app';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { tl } from './words';

export function MistakesCard() {
  useStores(settings);
  return (
    <button type="button" class="panel teaser" onClick={() => router.go('learn', 'mistakes')}>
      <strong>{tl('mistakes.title')}</strong>
      <span>{tl('mistakes.card')}</span>
    </button>
  );
}
