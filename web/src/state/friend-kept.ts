// A game with a friend among My games: what is stored of it besides its PGN.
import * as v from 'valibot';
import type { Side } from '../rules/types';
import { fromText, toText } from './friend-bytes';
import { packLink, unpackLink } from './friend-link';
import { FriendFault, type FriendLog } from './friend-log';
import type { PlanLine } from './friend-plan';
import type { GameStore } from './games';
import { type KeptGame, summaryOf } from './kept';

export interface FriendState {
  log: FriendLog;
  /** The side of the person at this device. */
  side: Side;
  /** Events that have been sent or received. */
  shared: number;
  /** Own conditional moves. */
  plan: PlanLine[];
  /** Whether links take them along. */
  isPlanSent: boolean;
  /** The other side's conditional moves, sealed. */
  theirs: Uint8Array;
  /** Milliseconds left to White and Black, in a live game with clocks. */
  left: [number, number] | null;
}

/** Whether a value is a plan; it is stored by this page alone, and its moves are checked when they are made. */
function isPlan(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one?.move === 'string' && typeof one.answer === 'string' && isPlan(one.next))
  );
}

const MS = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e9));
const STORED = v.object({
  link: v.string(),
  side: v.picklist(['w', 'b']),
  shared: v.pipe(v.number(), v.integer(), v.minValue(0)),
  plan: v.fallback(v.custom<PlanLine[]>(isPlan), []),
  isPlanSent: v.fallback(v.boolean(), false),
  theirs: v.fallback(v.string(), ''),
  left: v.fallback(v.nullable(v.strictTuple([MS, MS])), null),
});

/** What is stored of a game; null if it cannot be read. */
export function friendOf({ friend }: Pick<KeptGame, 'friend'>): FriendState | null {
  try {
    const { success, output } = v.safeParse(STORED, JSON.parse(friend ?? ''));
    if (!success) {
      return null;
    }
    const { link, theirs, ...stored } = output;
    const unpacked = unpackLink(link);
    return unpacked.kind === 'game' ? { ...stored, log: unpacked.log, theirs: fromText(theirs) } : null;
  } catch {
    return null;
  }
}

/** The entry of a game among the kept ones. */
export function keptFriend({ log, theirs, ...stored }: FriendState): KeptGame {
  const link = packLink({ kind: 'game', log, sender: stored.side, plan: new Uint8Array() });
  const now = Date.now();
  const friend = JSON.stringify({ ...stored, link, theirs: toText(theirs) });
  return {
    ...summaryOf(log.session.record),
    id: log.header.id,
    kind: 'people',
    tags: [],
    created: now,
    changed: now,
    friend,
  };
}

/** The kept game of this name with its state; null if there is none that can be read. */
export async function findFriend(games: GameStore, id: string): Promise<FriendState | null> {
  const kept = (await games.list()).find((game) => game.id === id);
  if (!kept) {
    return null;
  }
  const state = friendOf(kept);
  if (!state && kept.friend) {
    // It shall not be overwritten.
    throw new FriendFault('other');
  }
  return state;
}

/** All games with a friend that can go on, the last changed first. */
export async function openFriends(games: GameStore): Promise<FriendState[]> {
  const all = await games.list();
  return all.flatMap((game) => {
    const state = game.friend && game.result === '*' ? friendOf(game) : null;
    return state ? [state] : [];
  });
}
