// What the solved endings know of the positions on the board.
import type { EngineClient } from '../engine/client';
import type { Facts } from '../rules/types';
import type { Session } from './session';
import { settings } from './settings';
import { Store } from './store';

/** Endings of more pieces are not solved: two khun, two pieces, and one more to be captured. */
const MOST_PIECES = 5;
const MOST_KEPT = 200;

export class FactStore extends Store {
  private readonly known = new Map<string, Facts | null>();

  constructor(private readonly engine: EngineClient) {
    super();
  }

  /** What is known of the position on the board. Where it is not known yet, the engine is asked. */
  of(session: Session): Facts | null {
    const { view } = session;
    const pieces = [...view.board].filter((letter) => letter !== '.').length;
    if (pieces > MOST_PIECES) {
      return null;
    }
    const { rules } = session;
    // Endgame files know more than the endings that are solved here.
    const key = `${view.fen} ${rules.variant} ${rules.ruleset} ${rules.parts} ${settings.value.tables}`;
    const known = this.known.get(key);
    if (known !== undefined) {
      return known;
    }
    this.known.set(key, null);
    if (this.known.size > MOST_KEPT) {
      const oldest = this.known.keys().next().value;
      this.known.delete(oldest ?? '');
    }
    const line = session.record.engineLine(session.node);
    void this.engine.facts({ rules, line }).then((facts) => {
      this.known.set(key, facts);
      this.changed();
    });
    return null;
  }
}
