// The stores of games with a friend, and their words.
import { games, router } from '../../app';
import { type FriendKey, friendEn } from '../../messages/friend-en';
import { friendTh } from '../../messages/friend-th';
import { sideName, translator } from '../../messages/i18n';
import { visible } from '../../messages/visible';
import type { Side } from '../../rules/types';
import { playCues, speakNumber } from '../../sound/sound';
import { watchMoves } from '../../sound/watch';
import { LiveStore } from '../../state/friend-live';
import { FriendFault, type FriendLog } from '../../state/friend-log';
import { MailStore } from '../../state/friend-mail';
import { MeetStore } from '../../state/friend-meet';
import { Meeting } from '../../state/friend-rtc';
import { load, save } from '../../state/stored';
import { toasts } from '../../state/toasts';

export const tf = translator<FriendKey>({ en: friendEn, th: friendTh });

export interface Chosen {
  name: string;
  /** The address of a STUN server; empty for none. */
  stun: string;
}

export const chosen: Chosen = { name: '', stun: '', ...load('friend') };

export function choose(change: Partial<Chosen>): void {
  Object.assign(chosen, change);
  save('friend', chosen);
}

export const mail = new MailStore(games);
export const live = new LiveStore(games);
export const meet = new MeetStore(live, (failed) => new Meeting(live, chosen.stun, failed));

/** What is on the board of this view. */
export const shownLog = (): FriendLog | null => live.log ?? mail.log;

// Its moves are heard while it is shown.
watchMoves(
  [mail, live, router],
  () => {
    const log = router.view === 'friend' ? shownLog() : null;
    return log && { session: log.session, isOver: log.result !== null };
  },
  { cues: playCues, number: speakNumber },
);

window.addEventListener('pagehide', () => {
  live.leavePage();
  games.leavePage();
});

export function nameOf(log: FriendLog, side: Side): string {
  return visible(log.header.names[side === 'w' ? 0 : 1]) || sideName(side);
}

export function faultText({ code, args }: Pick<FriendFault, 'code' | 'args'>): string {
  return tf(`friend.fault.${code}`, { text: '', number: '', ...args });
}

/** Does what may fail by the rules or the browser, and says why it has failed. */
export async function attempt(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof FriendFault)) {
      throw error;
    }
    toasts.say(faultText(error));
  }
}
