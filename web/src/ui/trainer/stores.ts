// The stores of the count trainer, and its words.
import { queue } from '../../app';
import { sideName, translator } from '../../messages/i18n';
import { type TrainerKey, trainerEn } from '../../messages/trainer-en';
import { trainerTh } from '../../messages/trainer-th';
import { speakNumber } from '../../sound/sound';
import { randomNumber } from '../../state/play';
import { CounterStore } from '../../state/trainer-counter';
import { FilmStore } from '../../state/trainer-film';
import { HuntStore } from '../../state/trainer-hunt';
import { manyTasks } from '../../state/trainer-many';
import { TrainerProgress } from '../../state/trainer-progress';
import { type Answer, QuizStore } from '../../state/trainer-quiz';
import { RaceStore } from '../../state/trainer-race';
import { whoseTasks } from '../../state/trainer-whose';

export const tt = translator<TrainerKey>({ en: trainerEn, th: trainerTh });

export const progress = new TrainerProgress();
export const many = new QuizStore('many', manyTasks, progress, randomNumber);
export const whose = new QuizStore('whose', whoseTasks, progress, randomNumber);
export const race = new RaceStore(queue, progress, randomNumber);
export const hunt = new HuntStore(queue, progress, randomNumber);
export const film = new FilmStore(queue);
export const counter = new CounterStore(speakNumber);

export function answerName(answer: Answer): string {
  if (answer === 'w' || answer === 'b') {
    return sideName(answer);
  }
  return typeof answer === 'number' ? String(answer) : tt(`trainer.${answer}`);
}
