import './older';
import { render } from 'preact';
import { analyse, engine, games, learn, play, router, setup, tabs, VIEWS, viewOf } from './app';
import { loadWords, t } from './messages/i18n';
import { loadRules, newRecord } from './rules/rules';
import type { RulesChoice } from './rules/types';
import { offline } from './state/offline';
import { settings } from './state/settings';
import { onDamaged } from './state/stored';
import { toasts } from './state/toasts';
import './style.css';
import { App, Boundary, Crashed, Refusal } from './ui/App';
import { loadView } from './ui/views';

/** The smallest module with an instruction of WebAssembly SIMD. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** What is shown where the words could not be loaded. */
const NO_WORDS = 'Sakmak could not be loaded. · โหลด Sakmak ไม่สำเร็จ';

async function start(root: HTMLElement): Promise<void> {
  settings.apply();
  const hasSimd = typeof WebAssembly === 'object' && WebAssembly.validate(SIMD);
  // All at once: the rules, which are the largest, come last.
  const words = loadWords(settings.value.language);
  const others = hasSimd ? Promise.all([loadRules(), loadView(viewOf(location.hash))]) : null;
  others?.catch(() => {
    // It is said below, once there are words.
  });
  try {
    await words;
  } catch {
    render(<Refusal text={NO_WORDS} />, root);
    return;
  }
  try {
    await others;
  } catch {
    render(<Refusal text={t('page.failed')} />, root);
    return;
  }
  if (!hasSimd) {
    render(<Refusal text={t('engine.simd')} />, root);
    return;
  }
  settings.checkRules(isKnown);
  if (typeof BroadcastChannel === 'function') {
    tabs.connect(new BroadcastChannel('sakmak'));
  }
  try {
    games.restore();
    analyse.restore();
    play.restore();
    setup.restore();
    router.read();
    if (play.game?.level != null) {
      router.setFlipped('play', play.game.side === 'b');
    }
  } catch {
    render(<Crashed />, root);
    return;
  }
  root.replaceChildren();
  render(
    <Boundary>
      <App />
    </Boundary>,
    root,
  );
  onDamaged((keys) => {
    toasts.keep('stored.damaged', { what: keys.map((key) => t(`stored.${key}`)).join(', ') });
  });
  performance.mark('usable');
  // The other views are there when they are asked for.
  window.setTimeout(() => {
    for (const view of VIEWS) {
      loadView(view).catch(() => {
        // It is loaded again, or refused with a word, when it is asked for.
      });
    }
  }, 0);
  // The faces of the page take the place of the system's when they are there.
  window.setTimeout(() => import('./faces.css'), 0);
  window.setTimeout(() => {
    import('./sound/start').then(
      ({ startSounds }) => startSounds({ play, analyse, learn, router }),
      () => {
        // The page stays silent.
      },
    );
  }, 0);
  window.addEventListener('hashchange', () => router.read());
  window.addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave());
  // Another tab may have gone on with the game while this one was stored.
  window.addEventListener('pageshow', (event) => event.persisted && play.askTabs());
  // The page works before the engine is there, and the engine comes before what makes the page work offline.
  window.setTimeout(() => engine.warmUp().then(keepOffline), 0);
}

/** Writes what has changed: the browser may end the page without another word. */
function leave(): void {
  play.leavePage();
  analyse.leavePage();
  games.leavePage();
}

function isKnown(rules: RulesChoice): boolean {
  try {
    newRecord(rules).free();
    return true;
  } catch {
    return false;
  }
}

function keepOffline(): void {
  if ('serviceWorker' in navigator && import.meta.env.PROD) {
    offline.watch(navigator.serviceWorker);
    navigator.serviceWorker.register('./sw.js').catch(() => {
      // Without it the page needs a network, and nothing else changes.
    });
  }
}

const root = document.getElementById('app');
if (root) {
  void start(root);
}
