// The sounds of the page, loaded once it is usable.
import type { analyse, learn, play, router } from '../app';
import { listenForGestures, playCues, speakNumber } from './sound';
import { type Shown, watchMoves } from './watch';

interface Stores {
  play: typeof play;
  analyse: typeof analyse;
  learn: typeof learn;
  router: typeof router;
}

/** The moves of the view that is shown are heard. */
export function startSounds({ play, analyse, learn, router }: Stores): void {
  const shown = (): Shown | null => {
    switch (router.view) {
      case 'play':
        return play.session && { session: play.session, isOver: play.isOver };
      case 'analyse':
        return { session: analyse.session, isOver: false };
      case 'learn':
        return learn.session && { session: learn.session, isOver: false };
      default:
        return null;
    }
  };
  listenForGestures();
  watchMoves([play, analyse, learn, router], shown, { cues: playCues, number: speakNumber });
}
