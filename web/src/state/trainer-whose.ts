// Whose count? Who counts, may the side to move start, should it stop: under rules that leave this to the players.
import { randomArmed } from 'sakmak/study';
import { optionsOf } from '../rules/rules';
import type { PositionView, RulesChoice } from '../rules/types';
import { Session } from './session';
import type { Ask, Task } from './trainer-quiz';

/**
 * The board's honour runs by itself, and its counter may stop; or it waits until a side starts it, which either may.
 */
const RUNNING: RulesChoice = { variant: 'makruk', ruleset: 'wikipedia', parts: '' };
const BY_HAND: RulesChoice = { ...RUNNING, parts: 'CountClaim=manual CountStarted=-1' };

/** Positions made by hand, with the questions on them. */
const MADE: { rules: RulesChoice; fen: string; asks: Ask[] }[] = [
  // As much on both sides: the count belongs to nobody.
  { rules: RUNNING, fen: '2k5/2r5/8/1m6/4M3/3K4/8/6R1 b - 128n 10 40', asks: ['whose'] },
  // A bare khun counts the pieces' honour.
  { rules: RUNNING, fen: '8/3k4/8/8/4S3/3K4/8/6R1 b - 32 8 40', asks: ['whose', 'stop'] },
  { rules: RUNNING, fen: '8/2s5/2r3k1/8/8/5K2/8/8 w - 32 8 40', asks: ['whose', 'stop'] },
  // The counter mates by Ra3: the mate counts only if it stops before.
  { rules: RUNNING, fen: '1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 40 60', asks: ['whose', 'stop'] },
];

/** A bia is left: nobody may count. */
const WITH_BIA = [
  '8/3k4/1n6/4P3/4S3/3K4/8/6R1 b - - 0 40',
  '2k5/2n5/8/1m6/1p2S3/3K4/8/6R1 b - - 0 40',
  '4k3/8/2p5/8/3N4/3K4/8/r7 w - - 0 40',
  '8/2k5/8/1r6/7P/2S1K3/8/8 w - - 0 40',
  '3k4/8/3s4/8/P7/8/2R1K3/8 b - - 0 40',
  '8/1k6/5p2/8/2N5/8/M2K4/8 b - - 0 40',
];

/** The move by which the side to move mates while it counts, which draws. */
function wastedMate({ moves }: PositionView): string | null {
  return moves.find(({ outcome }) => outcome?.reason === 'counter-mated')?.san ?? null;
}

function taskOf(session: Session, ask: Ask): Task | null {
  const { view } = session;
  const { count, byHand, turn } = view;
  const counter = count?.counter ?? 'nobody';
  const args = { side: turn };
  if (ask === 'whose') {
    const why = count?.honour === 'pieces' ? 'pieces' : counter === 'nobody' ? 'equal' : 'board';
    return {
      session,
      ask,
      choices: ['w', 'b', 'nobody'],
      right: counter,
      why: `trainer.whose.${why}`,
      args: { side: count?.counter ?? turn },
    };
  }
  const choices: Task['choices'] = ['yes', 'no'];
  if (ask === 'start') {
    const why = byHand.start ? 'may' : 'bia';
    return { session, ask, choices, right: byHand.start ? 'yes' : 'no', why: `trainer.start.${why}`, args };
  }
  const mate = byHand.stop ? wastedMate(view) : null;
  const why = mate ? 'mate' : count?.honour === 'pieces' ? 'pieces' : 'later';
  const right = mate ? 'yes' : 'no';
  return { session, ask, choices, right, why: `trainer.stop.${why}`, args: { ...args, move: mate ?? '' } };
}

/** The questions on the position of a seed: may it start; whose is it, and should it stop; one by hand. */
export function whoseTasks(seed: number): Task[] {
  const tasks = (rules: RulesChoice, fen: string | null | undefined, asks: Ask[]) => {
    const session = fen ? Session.start(rules, fen) : null;
    return asks.map((ask) => session && taskOf(session, ask)).filter((task) => task !== null);
  };
  const kind = seed % 4;
  if (kind === 0) {
    const at = Math.floor(seed / 4);
    const fen = at % 2 === 0 ? randomArmed(optionsOf(BY_HAND), false, seed) : WITH_BIA[(at >> 1) % WITH_BIA.length];
    return tasks(BY_HAND, fen, ['start']);
  }
  if (kind === 3) {
    const one = MADE[Math.floor(seed / 4) % MADE.length];
    return one ? tasks(one.rules, one.fen, one.asks) : [];
  }
  const fen = randomArmed(optionsOf(RUNNING), kind === 2, seed);
  const [whose, stop] = tasks(RUNNING, fen, ['whose', 'stop']);
  if (!whose?.session.view.count) {
    // The weaker side counts from its own first move on.
    return [];
  }
  // Only the counter may stop.
  const mayStop = stop?.session.view.byHand.stop;
  return [whose, mayStop ? stop : undefined].filter((task) => task !== undefined);
}
