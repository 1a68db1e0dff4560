// The opening drill in the list of what can be learnt: how many positions are due.
import { router } from '../../app';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { progress, te } from './stores';

export function DrillCard() {
  useStores(progress, settings);
  const due = progress.due.length;
  return (
    <button type="button" class="panel teaser" onClick={() => router.go('learn', 'openings')}>
      <strong>{te('drill.title')}</strong>
      <span>{te('drill.card.lead')}</span>
      {due > 0 && <span class="aside">{te('drill.due', { due })}</span>}
    </button>
  );
}
