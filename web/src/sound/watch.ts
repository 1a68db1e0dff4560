// Sees which moves the board of the shown view makes, and has them heard.
import type { PositionView } from '../rules/types';
import type { Session } from '../state/session';
import { settings } from '../state/settings';
import type { Store } from '../state/store';
import { type Cue, cuesOf, spokenNumber } from './cues';

/** What a view shows: its game, and whether that has ended by more than its moves. */
export interface Shown {
  session: Session;
  /** Resigned, out of time, agreed. */
  isOver: boolean;
}

export interface Ear {
  cues: (cues: readonly Cue[]) => void;
  number: (number: number) => void;
}

interface Seen {
  session: Session;
  node: number;
  /** Positions of the game, to see whether a move was made or only gone to. */
  size: number;
  view: PositionView;
  isOver: boolean;
}

/**
 * Follows the board: a move that is made, or gone to from the position before it, is heard; other steps are not.
 * `shown` is asked whenever one of the stores has changed.
 */
export function watchMoves(stores: readonly Store[], shown: () => Shown | null, ear: Ear): void {
  let seen = look(shown());
  for (const store of stores) {
    store.subscribe(() => {
      const before = seen;
      const now = shown();
      if (now && before && now.session === before.session && now.session.node === before.node) {
        if (now.isOver && !before.isOver && !before.view.outcome) {
          ear.cues(['end']);
        }
        before.isOver = now.isOver;
        return;
      }
      seen = look(now);
      if (seen && before?.session === seen.session) {
        hear(before, seen, ear);
      }
    });
  }
}

function look(shown: Shown | null): Seen | null {
  if (!shown) {
    return null;
  }
  const { session } = shown;
  return { ...shown, node: session.node, size: session.tree.length, view: session.view };
}

function hear(before: Seen, now: Seen, ear: Ear): void {
  const made = now.session.nodeById(now.node);
  // The engine may move while an earlier position is shown.
  const isNew = now.size > before.size;
  if (!made || made.id === 0 || (made.parent !== before.node && !isNew)) {
    return;
  }
  const view = made.parent === before.node ? before.view : now.session.record.view(made.parent);
  const move = view.moves.find(({ uci }) => uci === made.uci);
  if (!move) {
    return;
  }
  ear.cues(cuesOf(move, view, now.view));
  const number = settings.value.speak ? spokenNumber(view, now.view) : null;
  if (number !== null) {
    ear.number(number);
  }
}
