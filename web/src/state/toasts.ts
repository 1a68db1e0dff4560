// Short messages that go by themselves.

import type { MessageKey } from '../messages/en';
import { faultText } from '../messages/faults';
import { t } from '../messages/i18n';
import type { FaultData } from '../rules/types';
import { Store } from './store';

export interface Toast {
  id: number;
  text: string;
  kind: 'note' | 'fault';
}

const SHOWN_MS = 6_000;

class Toasts extends Store {
  list: Toast[] = [];
  private nextId = 1;

  private add(text: string, kind: Toast['kind']): void {
    const id = this.nextId++;
    this.list = [...this.list.slice(-2), { id, text, kind }];
    this.changed();
    window.setTimeout(() => this.close(id), SHOWN_MS);
  }

  note(key: MessageKey, args: Record<string, string | number> = {}): void {
    this.add(t(key, args), 'note');
  }

  fault(fault: FaultData): void {
    this.add(faultText(fault), 'fault');
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
    this.changed();
  }
}

export const toasts = new Toasts();
