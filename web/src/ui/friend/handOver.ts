// An answer that was opened in a new tab goes to the tab that waits for it.
import { unpackLink } from '../../state/friend-link';
import { attempt, meet } from './stores';

/** Another tab has so long to say that it waits for the answer, in milliseconds. */
const ANSWER_MS = 1_000;

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('sakmak.friend') : null;
const waiting = new Map<string, () => void>();

channel?.addEventListener('message', ({ data }: MessageEvent) => {
  const { packed, taken } = (data ?? {}) as Record<string, unknown>;
  if (typeof taken === 'string') {
    waiting.get(taken)?.();
  } else if (typeof packed === 'string') {
    void attempt(async () => {
      const link = unpackLink(packed);
      if (link.kind === 'answer' && meet.isMine(link)) {
        channel.postMessage({ taken: link.id });
        await meet.take(link);
      }
    });
  }
});

/** Hands an answer to the other tabs. Returns whether one has taken it. */
export function handOver(id: string, packed: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      waiting.delete(id);
      window.clearTimeout(timer);
      resolve(isTaken);
    };
    const timer = window.setTimeout(() => end(false), channel ? ANSWER_MS : 0);
    waiting.set(id, () => end(true));
    channel?.postMessage({ packed });
  });
}
