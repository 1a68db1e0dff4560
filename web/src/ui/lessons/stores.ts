// The store of the mistake on the board.
import { games, queue } from '../../app';
import { playCues, speakNumber } from '../../sound/sound';
import { watchMoves } from '../../sound/watch';
import { LessonStore } from '../../state/lesson';

export const lesson = new LessonStore(queue, games);

watchMoves([lesson], () => lesson.session && { session: lesson.session, isOver: false }, {
  cues: playCues,
  number: speakNumber,
});
