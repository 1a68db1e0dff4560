import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { analyse, games, play, router, type View } from '../app';
import { t } from '../messages/i18n';
import { switchLanguage } from '../messages/language';
import type { KeptGame } from '../state/kept';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { forget, STORED_KEYS } from '../state/stored';
import { type Toast, toasts } from '../state/toasts';
import { walk } from '../state/walk';
import { Button, focusBoard, SureButton } from './common';
import { Later } from './Later';
import { PlayView } from './PlayView';
import { VIEWS_LATER } from './views';

const VIEWS: { view: View; key: 'nav.play' | 'nav.analyse' | 'nav.learn' }[] = [
  { view: 'play', key: 'nav.play' },
  { view: 'analyse', key: 'nav.analyse' },
  { view: 'learn', key: 'nav.learn' },
];

/** Views that belong to one in the head of the page. */
const WITHIN: Partial<Record<View, View>> = { rules: 'learn', games: 'analyse', friend: 'play' };

/** Steps through the game of the view that is shown. */
function stepThrough(plies: number): void {
  if (router.view === 'analyse') {
    analyse.step(plies);
  } else if (router.view === 'play') {
    play.step(plies);
  }
}

/** Plays the game of the view through, or stops that. */
function playThrough(): void {
  const session = router.view === 'analyse' ? analyse.session : router.view === 'play' ? play.session : null;
  if (walk.isRunning) {
    walk.stop();
  } else if (session && !session.isAtEnd) {
    walk.start(session, () => stepThrough(1));
  }
}

/** Keys of the whole page. The board takes the arrow keys where it has the focus. */
function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  if (document.querySelector('dialog[open]')) {
    return;
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => stepThrough(-1),
    ArrowRight: () => stepThrough(1),
    Home: () => stepThrough(-1_000_000),
    End: () => stepThrough(1_000_000),
    p: playThrough,
    ...(walk.isRunning && { Escape: () => walk.stop() }),
    f: () => router.flip(),
    e: () => router.view === 'analyse' && analyse.toggleEngine(),
  };
  const action = keys[event.key];
  if (action) {
    action();
    event.preventDefault();
  }
}

export function App() {
  useStores(router, settings);
  const [isSettings, setSettings] = useState(false);
  const { view } = router;
  const { language } = settings.value;

  useEffect(() => {
    document.title = t(`title.${view}`);
  }, [language, view]);
  useEffect(() => walk.stop(), [view]);

  useEffect(() => {
    const drop = async (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      event.preventDefault();
      if (file) {
        const { readFile } = await import('./OpenDialog');
        const fault = await readFile(file);
        if (fault) {
          toasts.fault(fault);
        } else {
          router.go('analyse');
        }
      }
    };
    const over = (event: DragEvent) => event.preventDefault();
    document.addEventListener('keydown', onKey);
    document.addEventListener('drop', drop);
    document.addEventListener('dragover', over);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('drop', drop);
      document.removeEventListener('dragover', over);
    };
  }, []);

  return (
    <>
      <header class="top">
        <button type="button" class="hidden-until-focus" onClick={focusBoard}>
          {t('app.skip')}
        </button>
        <span class="brand">
          <img src="./icon.svg" alt="" width="28" height="28" />
          <span>Sakmak</span>
        </span>
        <nav aria-label={t('nav.main')}>
          {VIEWS.map(({ view: one, key }) => (
            <a key={one} href={`#/${one}`} aria-current={one === (WITHIN[view] ?? view) ? 'page' : undefined}>
              {t(key)}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="language"
          lang={language === 'en' ? 'th' : 'en'}
          onClick={() => void switchLanguage(language === 'en' ? 'th' : 'en')}
        >
          {t('nav.language')}
        </button>
        <Button label={t('nav.settings')} icon="settings" quiet onClick={() => setSettings(true)} />
      </header>
      <main>
        {view === 'play' && <PlayView />}
        {view === 'analyse' && <Later load={VIEWS_LATER.analyse} props={{}} />}
        {view === 'learn' && <Later load={VIEWS_LATER.learn} props={{}} />}
        {view === 'rules' && <Later load={VIEWS_LATER.rules} props={{}} />}
        {view === 'games' && <Later load={VIEWS_LATER.games} props={{ games, onOpen: openKept, onGoOn: goOnWith }} />}
        {view === 'friend' && <Later load={VIEWS_LATER.friend} props={{}} />}
      </main>
      {isSettings && (
        <Later load={loadSettings} props={{ games, onSave: saveBoards, onClose: () => setSettings(false) }} />
      )}
      <ToastList />
    </>
  );
}

function saveBoards(): void {
  play.leavePage();
  analyse.leavePage();
}

const loadSettings = () => import('./SettingsDialog').then(({ SettingsDialog }) => SettingsDialog);

function openKept(game: KeptGame): void {
  const fault = analyse.openKept(game);
  if (fault) {
    toasts.fault(fault);
  } else {
    router.go('analyse');
  }
}

function goOnWith(game: KeptGame): void {
  if (game.friend !== undefined) {
    router.go('friend', `game/${game.id}`);
    return;
  }
  const fault = play.resume(game);
  if (fault) {
    toasts.fault(fault);
    return;
  }
  router.setFlipped('play', play.game?.level != null && play.game.side === 'b');
  router.go('play');
}

/** Two regions that stay: what is put into them is read once, faults at once. */
function ToastList() {
  useStores(toasts);
  const list = (kind: Toast['kind']) =>
    toasts.list
      .filter((toast) => toast.kind === kind)
      .map(({ id, text, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <span>{text}</span>
          {action && <Button label={t(action.label)} onClick={action.run} />}
          <Button label={t('close')} icon="cross" quiet onClick={() => toasts.close(id)} />
        </div>
      ));
  return (
    <div class="toasts">
      <div aria-live="assertive">{list('fault')}</div>
      <div aria-live="polite">{list('note')}</div>
    </div>
  );
}

/**
 * Catches what should not happen: the game is saved, and the page can be loaded again. Where what is stored brings the
 * fault back each time, it can be deleted.
 */
export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(): void {
    this.setState({ failed: true });
  }

  override render() {
    if (!this.state.failed) {
      return this.props.children;
    }
    return <Crashed />;
  }
}

export function Crashed() {
  const startAfresh = () => {
    play.close();
    for (const key of STORED_KEYS) {
      forget(key);
    }
    location.reload();
  };
  return (
    <main class="refusal">
      <p role="alert">{t('page.crashed')}</p>
      <Button label={t('page.reload')} primary onClick={() => location.reload()} />
      <SureButton label={t('page.afresh')} icon="trash" onClick={startAfresh} />
    </main>
  );
}

/** Shown instead of the page where it cannot run. */
export function Refusal({ text }: { text: string }) {
  return (
    <main class="refusal">
      <p role="alert">{text}</p>
    </main>
  );
}
