// The stores of the page, and which of its views is shown.
import { EngineClient } from './engine/client';
import { EngineQueue } from './engine/queue';
import { AnalyseStore } from './state/analyse';
import { FactStore } from './state/facts';
import { GameStore } from './state/games';
import { LearnStore } from './state/learn';
import { unpack } from './state/link';
import { loading } from './state/loading';
import { PlayStore } from './state/play';
import { settings } from './state/settings';
import { SetupStore } from './state/setup';
import { Store } from './state/store';
import { Tabs } from './state/tabs';
import { toasts } from './state/toasts';
import { download, pgnFile } from './ui/download';

export type View = 'play' | 'analyse' | 'learn' | 'rules' | 'games' | 'friend';
export const VIEWS: readonly View[] = ['play', 'analyse', 'learn', 'rules', 'games', 'friend'];

export const engine = new EngineClient({
  restarted: () => toasts.note('engine.restarted'),
  lost: () => toasts.keep('engine.lost', {}, { label: 'page.reload', run: () => location.reload() }),
  // What the service worker has stored is there at once; the browser then also has it compiled.
  ...(!navigator.serviceWorker?.controller && { loads: (bytes) => loading.report(bytes, ENGINE_BYTES) }),
});
/** The engine reads endgame files below the address of the settings, if there is one. */
export function useTables(): void {
  engine.useTables(settings.value.tables, (code, text) => toasts.fault({ code, args: {}, text }));
}
useTables();
engine.useMemory(settings.value.memory);
/** The searches of all views, one at a time. */
export const queue = new EngineQueue(engine);
export const tabs = new Tabs();
export const games = new GameStore(
  () => import('./state/games-db').then(({ GameDatabase }) => new GameDatabase()),
  tabs,
  (pgn) => download('sakmak-games.pgn', pgnFile(pgn)),
);
export const play = new PlayStore(queue, games);
export const analyse = new AnalyseStore(queue, games);
export const setup = new SetupStore();
export const learn = new LearnStore(queue);
export const facts = new FactStore(engine);

class Router extends Store {
  view: View = 'play';
  /** What follows the view in the address. */
  parts: string[] = [];
  /** The board's lower side is Black's, in each view. */
  flipped: Record<View, boolean> = {
    play: false,
    analyse: false,
    learn: false,
    rules: false,
    games: false,
    friend: false,
  };

  go(view: View, part = ''): void {
    const hash = `#/${view}${part ? `/${part}` : ''}`;
    if (location.hash === hash) {
      this.read();
    } else {
      location.hash = hash;
    }
  }

  flip(): void {
    this.flipped[this.view] = !this.flipped[this.view];
    this.changed();
  }

  setFlipped(view: View, flipped: boolean): void {
    this.flipped[view] = flipped;
    this.changed();
  }

  /** Shows what the address says: a view, an exercise, or a game in the link. */
  read(): void {
    const address = addressOf(location.hash);
    if (address.kind !== 'view') {
      void this.readLink(address.kind, address.rest);
      return;
    }
    const { view: next, part, parts } = address;
    if (this.view === 'analyse' && next !== 'analyse') {
      analyse.leave();
    }
    this.view = next;
    this.parts = [part, ...parts];
    if (next === 'play') {
      play.tryAgain();
    }
    if (next === 'learn') {
      if (part) {
        learn.open(part);
        this.flipped.learn = learn.side === 'b';
      } else {
        learn.close();
      }
    }
    this.changed();
  }

  private async readLink(kind: 'game' | 'fen', packed: string): Promise<void> {
    const text = kind === 'fen' ? packed.replaceAll('_', ' ') : await unpack(packed);
    const fault = text === null ? null : analyse.read(text);
    if (text === null) {
      toasts.note('link.broken');
    } else if (fault) {
      toasts.fault(fault);
    }
    // The address shall not bring the game back over later work.
    history.replaceState(null, '', '#/analyse');
    this.read();
  }
}

type Address = { kind: 'game' | 'fen'; rest: string } | { kind: 'view'; view: View; part: string; parts: string[] };

/** What the hash of an address says. */
function addressOf(hash: string): Address {
  const text = decoded(hash.slice(1));
  const [kind, rest] = split(text);
  if (kind === 'game' || kind === 'fen') {
    return { kind, rest };
  }
  const [, view = 'play', part = '', ...parts] = text.split('/');
  return { kind: 'view', view: VIEWS.find((one) => one === view) ?? 'play', part, parts };
}

/** The view that an address shows: links are opened in the analysis. */
export function viewOf(hash: string): View {
  const address = addressOf(hash);
  return address.kind === 'view' ? address.view : 'analyse';
}

/** The text of an address; as it stands if it is malformed. */
function decoded(hash: string): string {
  try {
    return decodeURI(hash);
  } catch {
    return hash;
  }
}

/** The part before the `=` and the part behind it. */
function split(hash: string): [string, string] {
  const at = hash.indexOf('=');
  return at < 0 ? [hash, ''] : [hash.slice(0, at), hash.slice(at + 1)];
}

export const router = new Router();
