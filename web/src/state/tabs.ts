// What the tabs in which the page is open say to one another.
import { type KeptGame, parseKept } from './kept';

export type TabMessage =
  /** A game has been kept or changed. */
  | { what: 'game'; game: KeptGame }
  /** What was kept is in the database now. */
  | { what: 'written' }
  /** A game has been deleted. */
  | { what: 'removed'; id: string }
  /** Who plays this game? The tab that has had it longer answers. */
  | { what: 'ask' | 'mine'; id: string; since: number }
  /** The game goes on in the tab that says so. */
  | { what: 'take'; id: string };

export interface Channel {
  postMessage(message: TabMessage): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export class Tabs {
  private channel: Channel | null = null;
  private readonly listeners = new Set<(message: TabMessage) => void>();

  connect(channel: Channel): void {
    this.channel = channel;
    channel.onmessage = ({ data }) => {
      const message = parse(data);
      if (message) {
        for (const listener of this.listeners) {
          listener(message);
        }
      }
    };
  }

  post(message: TabMessage): void {
    this.channel?.postMessage(message);
  }

  hear(listener: (message: TabMessage) => void): void {
    this.listeners.add(listener);
  }
}

/** A message; null for one of another version. */
function parse(data: unknown): TabMessage | null {
  const { what, id, since, game } = (data ?? {}) as Record<string, unknown>;
  if (what === 'game') {
    const parsed = parseKept(game);
    return parsed && { what, game: parsed };
  }
  if (what === 'written') {
    return { what };
  }
  if (typeof id !== 'string') {
    return null;
  }
  if (what === 'removed' || what === 'take') {
    return { what, id };
  }
  return (what === 'ask' || what === 'mine') && typeof since === 'number' ? { what, id, since } : null;
}
