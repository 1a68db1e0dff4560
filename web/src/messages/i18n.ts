// Messages in the language of the user.
import { settings } from '../state/settings';
import { en, type MessageKey } from './en';
import { th } from './th';

const TABLES: Record<'en' | 'th', Record<MessageKey, string>> = { en, th };

export type { MessageKey };

/** Whether there is a message of this key. */
export function isMessageKey(key: string): key is MessageKey {
  return key in en;
}

/**
 * A message. `{name}` stands for an argument, `{name|move|moves}` for the first word if the argument is 1, else for the
 * second.
 */
export function t(key: MessageKey, args: Record<string, string | number> = {}): string {
  const text = TABLES[settings.value.language][key];
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = args[name] ?? '';
    return one === undefined ? String(value) : ((Number(value) === 1 ? one : many) ?? '');
  });
}

/** The name of a side. */
export function sideName(side: 'w' | 'b'): string {
  return t(side === 'w' ? 'white' : 'black');
}
