import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NOTATIONS } from 'sakmak/study';
import { analyse, play, router, type View } from '../app';
import { t } from '../messages/i18n';
import { offline } from '../state/offline';
import { type SettingsData, settings } from '../state/settings';
import { useStores } from '../state/store';
import { forget, STORED_KEYS } from '../state/stored';
import { toasts } from '../state/toasts';
import { AnalyseView } from './AnalyseView';
import { Button, Check, Dialog, focusBoard, Segments, Select, SureButton } from './common';
import { LearnView } from './LearnView';
import { readFile } from './OpenDialog';
import { PlayView } from './PlayView';
import { RulesView } from './RulesView';

const VIEWS: { view: View; key: 'nav.play' | 'nav.analyse' | 'nav.learn' }[] = [
  { view: 'play', key: 'nav.play' },
  { view: 'analyse', key: 'nav.analyse' },
  { view: 'learn', key: 'nav.learn' },
];

/** Views that belong to one in the head of the page. */
const WITHIN: Partial<Record<View, View>> = { rules: 'learn', games: 'analyse' };

/** Steps through the game of the view that is shown. */
function stepThrough(plies: number): void {
  if (router.view === 'analyse') {
    analyse.step(plies);
  } else if (router.view === 'play') {
    play.step(plies);
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

  useEffect(() => {
    const drop = async (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      event.preventDefault();
      if (file) {
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
          onClick={() => settings.set({ language: language === 'en' ? 'th' : 'en' })}
        >
          {t('nav.language')}
        </button>
        <Button label={t('nav.settings')} icon="settings" quiet onClick={() => setSettings(true)} />
      </header>
      <main>
        {view === 'play' && <PlayView />}
        {view === 'analyse' && <AnalyseView />}
        {view === 'learn' && <LearnView />}
        {view === 'rules' && <RulesView />}
        {view === 'games' && <Games />}
      </main>
      {isSettings && <SettingsDialog onClose={() => setSettings(false)} />}
      <ToastList />
    </>
  );
}

/** The list of games, which is loaded when it is asked for. */
function Games() {
  const [View, setView] = useState<ComponentType | null>(null);
  useEffect(() => {
    import('./GamesView').then(
      ({ GamesView }) => setView(() => GamesView),
      () => toasts.keep('page.failed', {}, { label: 'page.reload', run: () => location.reload() }),
    );
  }, []);
  return View && <View />;
}

function ToastList() {
  useStores(toasts);
  return (
    <div class="toasts" aria-live="polite">
      {toasts.list.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast ${kind}`} role={kind === 'fault' ? 'alert' : 'status'}>
          <span>{text}</span>
          {action && <Button label={t(action.label)} onClick={action.run} />}
          <Button label={t('close')} icon="cross" quiet onClick={() => toasts.close(id)} />
        </div>
      ))}
    </div>
  );
}

function SettingsDialog({ onClose }: { onClose: () => void }) {
  useStores(settings, offline);
  const { value } = settings;
  const set = (change: Partial<SettingsData>) => settings.set(change);
  return (
    <Dialog title={t('settings.title')} onClose={onClose}>
      <Segments
        label={t('settings.language')}
        value={value.language}
        choices={[
          { value: 'th', label: 'ไทย' },
          { value: 'en', label: 'English' },
        ]}
        onChange={(language) => set({ language })}
      />
      <Segments
        label={t('settings.theme')}
        value={value.theme}
        choices={(['auto', 'light', 'dark'] as const).map((theme) => ({
          value: theme,
          label: t(`settings.theme.${theme}`),
        }))}
        onChange={(theme) => set({ theme })}
      />
      <Segments
        label={t('settings.pieces')}
        value={value.pieces}
        choices={(['carved', 'figures', 'thaiLetters', 'letters'] as const).map((pieces) => ({
          value: pieces,
          label: t(`settings.pieces.${pieces}`),
        }))}
        onChange={(pieces) => set({ pieces })}
      />
      <Segments
        label={t('settings.board')}
        value={value.board}
        choices={(['wood', 'plain', 'chequered'] as const).map((board) => ({
          value: board,
          label: t(`settings.board.${board}`),
        }))}
        onChange={(board) => set({ board })}
      />
      <Select
        label={t('settings.notation')}
        value={value.notation}
        choices={NOTATIONS.map((name) => ({
          value: name,
          label: t(`notation.${name}`),
        }))}
        onChange={(notation) => set({ notation })}
      />
      <Check label={t('settings.warn')} value={value.warn} onChange={(warn) => set({ warn })} />
      <Check label={t('settings.facts')} value={value.facts} onChange={(show) => set({ facts: show })} />
      <Check
        label={t('settings.coordinates')}
        value={value.coordinates}
        onChange={(coordinates) => set({ coordinates })}
      />
      <Check label={t('settings.animation')} value={value.animation} onChange={(animation) => set({ animation })} />
      <p class="aside">
        {t('settings.about')} {offline.isReady && t('app.offline')}
      </p>
    </Dialog>
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
