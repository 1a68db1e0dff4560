// Short messages. Most go by themselves.

import type { MessageKey } from '../messages/en';
import { faultText } from '../messages/faults';
import { t } from '../messages/i18n';
import type { FaultData } from '../rules/types';
import { Store } from './store';

export interface Toast {
  id: number;
  text: string;
  kind: 'note' | 'fault';
  /** Whether it stays until it is closed. */
  stays?: boolean;
  /** What can be done about it, as a button. */
  action?: { label: MessageKey; run: () => void };
}

const SHOWN_MS = 6_000;
/** Those that offer something stay longer. */
const OFFERED_MS = 12_000;

class Toasts extends Store {
  list: Toast[] = [];
  private nextId = 1;

  private add(toast: Omit<Toast, 'id'>): number {
    const id = this.nextId++;
    // Not more than three, but those that stay.
    const spare = this.list.filter((other) => !other.stays).slice(-2);
    this.list = [...this.list.filter((other) => other.stays || spare.includes(other)), { id, ...toast }];
    this.changed();
    return id;
  }

  /** A message in words of a part that is loaded later. */
  say(text: string, kind: Toast['kind'] = 'fault'): void {
    const id = this.add({ text, kind });
    window.setTimeout(() => this.close(id), SHOWN_MS);
  }

  note(key: MessageKey, args: Record<string, string | number> = {}): void {
    this.say(t(key, args), 'note');
  }

  /** A message with something to do about it, such as undo. */
  offer(key: MessageKey, args: Record<string, string | number>, action: NonNullable<Toast['action']>): void {
    const run = () => {
      this.close(id);
      action.run();
    };
    const id = this.add({ text: t(key, args), kind: 'note', action: { ...action, run } });
    window.setTimeout(() => this.close(id), OFFERED_MS);
  }

  fault(fault: FaultData): void {
    this.say(faultText(fault), 'fault');
  }

  /** A message that stays until it is closed. It stands there once. */
  keep(key: MessageKey, args: Record<string, string | number> = {}, action?: Toast['action']): void {
    const text = t(key, args);
    if (!this.list.some((toast) => toast.text === text)) {
      this.add({ text, kind: 'fault', stays: true, ...(action && { action }) });
    }
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
    this.changed();
  }
}

export const toasts = new Toasts();
