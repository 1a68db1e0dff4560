// The puzzles in the list of what can be learnt: rating, and how many are due.
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { go, progress, tp } from './stores';

export function PuzzleCard() {
  useStores(progress, settings);
  const { rating, rated } = progress.value;
  const due = progress.due.length;
  const words = [
    rated > 0 && tp('puzzles.ratingShort', { rating: Math.round(rating.rating) }),
    due > 0 && tp('puzzles.due', { due }),
  ].filter(Boolean);
  return (
    <button type="button" class="panel teaser" onClick={() => go()}>
      <strong>{tp('puzzles.title')}</strong>
      <span>{tp('puzzles.card.lead')}</span>
      {words.length > 0 && <span class="aside">{words.join(' · ')}</span>}
    </button>
  );
}
