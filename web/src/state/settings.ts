// What the user has chosen for good.
import type { Notation, RulesChoice } from '../rules/types';
import { Store } from './store';
import { drop, load, type MEMORIES, type SECONDS, save } from './stored';

export type Language = 'en' | 'th';

export interface SettingsData {
  language: Language;
  notation: Notation;
  pieces: 'carved' | 'figures' | 'thaiLetters' | 'letters';
  board: 'wood' | 'plain' | 'chequered';
  theme: 'auto' | 'light' | 'dark';
  animation: boolean;
  coordinates: boolean;
  /** Ask before a move that begins or shortens a count. */
  warn: boolean;
  /** A move counts once it is confirmed. */
  confirm: boolean;
  /** A move can be chosen while the engine looks for its own. */
  premove: boolean;
  /** Show in a game what the solved endings know. */
  facts: boolean;
  /** Lines of the analysis. */
  lines: number;
  /** Size of the engine's transposition table in MiB. */
  memory: (typeof MEMORIES)[number];
  /** Seconds for the lines of a position; 0 for no limit. */
  seconds: (typeof SECONDS)[number];
  /** Off, quiet, medium, loud. */
  sound: 0 | 1 | 2 | 3;
  /** Phones vibrate with the sounds. */
  vibration: boolean;
  /** The numbers of the count are spoken. */
  speak: boolean;
  /** The move list shows comments. */
  comments: boolean;
  /** Milliseconds a move when a game is played through. */
  pace: 500 | 1_000 | 2_000 | 4_000;
  rules: RulesChoice;
  /** The address of endgame files; empty for none. */
  tables: string;
  /** The address of a file of evaluations; empty for none. */
  evaluations: string;
  /** The browser has been asked to keep what the page stores. */
  persistAsked: boolean;
}

function browserLanguage(): Language {
  return navigator.languages.find((name) => /^(th|en)/.test(name))?.startsWith('th') ? 'th' : 'en';
}

/** Readers of Thai are used to Thai notation. */
function forLanguage(language: Language): Pick<SettingsData, 'language' | 'notation'> {
  return { language, notation: language === 'th' ? 'thai-san' : 'san' };
}

const DEFAULTS: SettingsData = {
  language: 'en',
  notation: 'san',
  pieces: 'carved',
  board: 'wood',
  theme: 'auto',
  animation: true,
  coordinates: true,
  warn: true,
  confirm: false,
  premove: true,
  facts: true,
  lines: 1,
  memory: 48,
  seconds: 0,
  sound: 2,
  vibration: true,
  speak: false,
  comments: true,
  pace: 1_000,
  rules: { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' },
  tables: '',
  evaluations: '',
  persistAsked: false,
};

const DARK = window.matchMedia('(prefers-color-scheme: dark)');

class Settings extends Store {
  private data: SettingsData = { ...DEFAULTS, ...forLanguage(browserLanguage()), ...load('settings') };

  get value(): Readonly<SettingsData> {
    return this.data;
  }

  set(change: Partial<SettingsData>): void {
    this.data = { ...this.data, ...change };
    save('settings', this.data);
    this.apply();
    this.changed();
  }

  /** Falls back to the ordinary rules if `isKnown` does not know the saved ones. */
  checkRules(isKnown: (rules: RulesChoice) => boolean): void {
    if (!isKnown(this.data.rules)) {
      this.data = { ...this.data, rules: DEFAULTS.rules };
      drop('settings', this.data);
    }
  }

  get isDark(): boolean {
    return this.data.theme === 'auto' ? DARK.matches : this.data.theme === 'dark';
  }

  /** Gives the document its language and colours. */
  apply(): void {
    const root = document.documentElement;
    root.lang = this.data.language;
    root.dataset.theme = this.isDark ? 'dark' : 'light';
    // The colours of pieces beside the board.
    document.body.classList.add('sb-colours');
    document.body.dataset.scheme = root.dataset.theme;
    document.body.dataset.boardTheme = this.data.board;
  }
}

export const settings = new Settings();

DARK.addEventListener('change', () => settings.set({}));
