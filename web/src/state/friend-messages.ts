// What two pages say to each other in a live game. Each message is checked by a schema before anything else.
import * as v from 'valibot';
import { FAULT_CODES, type FaultCode, type FriendEvent } from './friend-log';

/** The version of the messages; pages of different versions do not play. */
export const LIVE_VERSION = 1;
/** The longest message in characters. */
const MOST_MESSAGE = 20_000;

const SIDE = v.picklist(['w', 'b']);
const NUMBER = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
const MS = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e9));
const LEFT = v.nullable(v.strictTuple([MS, MS]));
const ID = v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/));
const EVENT: v.GenericSchema<unknown, FriendEvent> = v.union([
  v.object({ what: v.picklist(['move']), uci: v.pipe(v.string(), v.maxLength(8)) }),
  v.object({ what: v.picklist(['count']), word: v.picklist(['start', 'stop', 'claim']) }),
  v.object({ what: v.picklist(['offer', 'decline', 'agree', 'resign', 'flag', 'back']), side: SIDE }),
]);

const MESSAGE = v.union([
  /** First on both sides: the game as it stands here, and the clocks. */
  v.object({ is: v.picklist(['hello']), version: v.number(), game: v.string(), left: LEFT }),
  /** An event after `seen` events of the side that gets this message. */
  v.object({ is: v.picklist(['event']), at: NUMBER, seen: NUMBER, event: EVENT, left: LEFT }),
  /** May I take my last move back? A no; a yes is an event. */
  v.object({ is: v.picklist(['ask']), at: NUMBER }),
  v.object({ is: v.picklist(['no']) }),
  /** Another game with other sides, under this name. */
  v.object({ is: v.picklist(['rematch']), id: ID }),
  v.object({ is: v.picklist(['accept']), id: ID }),
  /** The session ends; `why` is the code of a fault, or empty where the page was left. */
  v.object({ is: v.picklist(['bye']), why: v.picklist(['', ...FAULT_CODES]) }),
]);

export type FriendMessage =
  | { is: 'hello'; version: number; game: string; left: [number, number] | null }
  | { is: 'event'; at: number; seen: number; event: FriendEvent; left: [number, number] | null }
  | { is: 'ask'; at: number }
  | { is: 'no' }
  | { is: 'rematch' | 'accept'; id: string }
  | { is: 'bye'; why: FaultCode | '' };

/** A message; null if it is none. */
export function parseMessage(text: unknown): FriendMessage | null {
  if (typeof text !== 'string' || text.length > MOST_MESSAGE) {
    return null;
  }
  try {
    const { success, output } = v.safeParse(MESSAGE, JSON.parse(text));
    return success ? (output as FriendMessage) : null;
  } catch {
    return null;
  }
}
