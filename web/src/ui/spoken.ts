// Moves as a screen reader shall say them.
import { sideName, t } from '../messages/i18n';
import type { TreeNode } from '../rules/types';
import type { Session } from '../state/session';

/** Where a board stood: its game and the node in it. */
export interface Place {
  session: Session;
  node: number;
}

/** A move and its reply may come between two announcements. */
const MOST_MADE = 2;

/** What is said once a board shows another position: the moves that led there from the one before, else which it is. */
export function announcement(session: Session, before: Place | null): string {
  const last = session.nodeById(session.node);
  const made: TreeNode[] = [];
  for (let at = last; at && made.length < MOST_MADE; at = session.nodeById(at.parent)) {
    made.unshift(at);
    if (before?.session === session && at.parent === before.node && at.san) {
      return made.map(moved).join('. ');
    }
  }
  return last?.san ? t('board.after', { move: moved(last) }) : before ? t('moves.first') : '';
}

function moved({ san, color }: TreeNode): string {
  return t('board.moved', { side: sideName(color), move: inWords(san) });
}

/** Capture and check as words. */
function inWords(name: string): string {
  const words = name
    .replace('x', ` ${t('board.takes')} `)
    .replace(/[+#]$/, (sign) => `, ${t(sign === '+' ? 'board.check' : 'board.mate')}`);
  return words.trim();
}
