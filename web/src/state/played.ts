// A game of Play as it is begun, kept and brought back.
import { newRecord, type Reason, ruleNames } from '../rules/rules';
import type { RulesChoice, Side } from '../rules/types';
import { Clock, type ClockData, type TimeControl } from './clock';
import { type KeptGame, sessionOf, summaryOf } from './kept';
import type { Session } from './session';

/** An opponent of the engine, with a character. */
export interface Animal {
  name: string;
  rating: number;
  /** The game counts for the person's rating: no move is taken back, and no hint given. */
  isRated: boolean;
  /** It takes its time as a person does. */
  isPaced: boolean;
  /** The same seed and moves give the same answers. */
  seed: number;
}

export interface NewGame {
  /** Level of the engine from 0; null for two people at one board. */
  level: number | null;
  /** The opponent that plays instead of the level. */
  animal?: Animal;
  /** The side of the person who plays the engine. */
  side: Side;
  time: TimeControl | null;
  rules: RulesChoice;
  /** Start position; the ordinary one if missing. */
  fen?: string;
}

export interface Result {
  winner: Side | null;
  reason: Reason | 'resign' | 'time' | 'timeBare' | 'agreement';
}

/** What is stored of the game on the board. */
export interface Saved {
  game: NewGame;
  pgn: string;
  clock: ClockData | null;
  result: Result | null;
  id: string;
  changed: number;
}

export const other = (side: Side): Side => (side === 'w' ? 'b' : 'w');

/** The tags of a game that begins. */
export function tagPlayers(session: Session, { level, animal, side: own }: NewGame): void {
  const rating = level === null ? null : ruleNames().ratings[level];
  const engine = animal ? animal.name : `Sakmak ${rating}`;
  const name = (side: Side) => (level !== null && side !== own ? engine : '?');
  session.edit((record) => {
    record.setTag('Event', 'Sakmak');
    record.setTag('White', name('w'));
    record.setTag('Black', name('b'));
    if (animal) {
      record.setTag(own === 'w' ? 'BlackElo' : 'WhiteElo', String(animal.rating));
    }
    record.setTag('Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.'));
  });
}

/** The entry of a game among the kept ones. */
export function keptOf(session: Session, play: NonNullable<KeptGame['play']>, id: string, changed: number): KeptGame {
  const kind = play.game.level === null ? 'people' : 'engine';
  return { ...summaryOf(session.record), id, kind, tags: [], created: changed, changed, play };
}

/** A stored game, at its last move. Throws if it cannot be read or begun again. */
export function played({ game: stored, clock, result }: NonNullable<KeptGame['play']>, pgn: string) {
  const { time = null, ...game } = stored;
  const session = sessionOf({ pgn, rules: game.rules });
  newRecord(game.rules, game.fen).free();
  session.step(1_000_000);
  return {
    game: { ...game, time },
    session,
    result: result ?? null,
    clock: clock ? new Clock(clock.control, clock.left) : null,
  };
}
