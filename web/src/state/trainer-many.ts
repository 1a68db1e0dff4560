// How many? Questions about a count against a bare khun that has just begun.
import { countQuestion } from 'sakmak/study';
import { EXERCISE_RULES } from './playout';
import { Session } from './session';
import type { Ask, Task } from './trainer-quiz';

const ASKS = ['pieces', 'limit', 'first', 'left'] as const satisfies Ask[];

/** The four questions on the position of a seed. */
export function manyTasks(seed: number): Task[] {
  const question = countQuestion(seed);
  if (!question) {
    return [];
  }
  const session = Session.start(EXERCISE_RULES, question.fen);
  const [pieces, limit, first, left] = question.answers;
  return ASKS.map((ask, at) => ({
    session,
    ask,
    choices: question.choices[at] ?? [],
    right: question.answers[at] ?? 0,
    why: ask === 'limit' ? `trainer.line.${question.line}` : `trainer.why.${ask}`,
    args: { pieces, limit, first, left },
  }));
}
