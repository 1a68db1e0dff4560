// Messages in the language of the user.
import { type Language, settings } from '../state/settings';
import type { MessageKey } from './en';

export type { MessageKey };

type Words = Record<MessageKey, string>;

const LOADERS: Record<Language, () => Promise<Words>> = {
  en: () => import('./en').then(({ en }) => en),
  th: () => import('./th').then(({ th }) => th),
};

/** The words that have been loaded. */
const loaded: Partial<Record<Language, Words>> = {};

/** Loads the words of a language. They must be there before the first message, and before the language is changed. */
export async function loadWords(language: Language, load: () => Promise<Words> = LOADERS[language]): Promise<void> {
  loaded[language] ??= await load();
}

function words(): Partial<Words> {
  return loaded[settings.value.language] ?? {};
}

/** Whether there is a message of this key. */
export function isMessageKey(key: string): key is MessageKey {
  return key in words();
}

/**
 * A message. `{name}` stands for an argument, `{name|move|moves}` for the first word if the argument is 1, else for the
 * second.
 */
export function t(key: MessageKey, args: Record<string, string | number> = {}): string {
  return filled(words()[key] ?? key, args);
}

/** The same for words of a part of the page that is loaded later, in both languages. */
export function translator<K extends string>(tables: Record<Language, Record<K, string>>) {
  return (key: K, args: Record<string, string | number> = {}): string =>
    filled(tables[settings.value.language][key], args);
}

function filled(text: string, args: Record<string, string | number>): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = args[name] ?? '';
    return one === undefined ? String(value) : ((Number(value) === 1 ? one : many) ?? '');
  });
}

/** The name of a side. */
export function sideName(side: 'w' | 'b'): string {
  return t(side === 'w' ? 'white' : 'black');
}
