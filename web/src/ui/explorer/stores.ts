// The stores of the opening explorer and its drill, and their words.
import { games, queue } from '../../app';
import { type ExplorerKey, explorerEn } from '../../messages/explorer-en';
import { explorerTh } from '../../messages/explorer-th';
import { translator } from '../../messages/i18n';
import { playCues, speakNumber } from '../../sound/sound';
import { watchMoves } from '../../sound/watch';
import { ExplorerStore } from '../../state/explorer';
import { BookSource } from '../../state/explorer-book';
import { DrillStore } from '../../state/explorer-drill';
import { DrillProgress } from '../../state/explorer-progress';

export const te = translator<ExplorerKey>({ en: explorerEn, th: explorerTh });

const source = new BookSource({
  fetch: (url, init) => fetch(url, init),
  // Not among those that the service worker deletes.
  cache: async () => caches.open('makruk-openings'),
  url: './openings/sakmak.book',
});
export const explorer = new ExplorerStore(source, games);
export const progress = new DrillProgress();
export const drill = new DrillStore(queue, progress, Math.random);

watchMoves([drill], () => drill.session && { session: drill.session, isOver: false }, {
  cues: playCues,
  number: speakNumber,
});

/** The difference of two scores in centipawns, as scores are written. */
export const lossText = (loss: number): string => (loss / 100).toFixed(2);
