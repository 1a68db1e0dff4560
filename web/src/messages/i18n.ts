// Messages in the language of the user.
import { type Language, settings } from '../state/settings';
import { en, type MessageKey } from './en';
import { th } from './th';

const TABLES: Record<Language, Record<MessageKey, string>> = { en, th };

export type { MessageKey };

/** Whether there is a message of this key. */
export function isMessageKey(key: string): key is MessageKey {
  return key in en;
}

/**
 * A message. `{name}` stands for an argument, `{name|move|moves}` for the first word if the argument is 1, else for the
 * second.
 */
export const t = translator(TABLES);

/** The same for words of a part of the page that is loaded later. */
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
