// What a game by links and a live one have in common.
import type { Side } from '../rules/types';
import type { FriendLog } from './friend-log';
import { other } from './played';
import { Store } from './store';

export abstract class FriendGame extends Store {
  abstract readonly log: FriendLog | null;
  /** The side of the person at this device. */
  abstract readonly side: Side;

  get isMyTurn(): boolean {
    const { log } = this;
    return log !== null && !log.result && log.turn === this.side;
  }

  /** Whether the other side has offered a draw. */
  get isOffered(): boolean {
    return this.log?.offer === other(this.side);
  }

  go(node: number): void {
    this.log?.session.go(node);
    this.changed();
  }

  step(plies: number): void {
    this.log?.session.step(plies);
    this.changed();
  }
}
