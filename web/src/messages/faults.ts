// What is wrong with input, in words.
import type { FaultData } from '../rules/types';
import { isMessageKey, sideName, t } from './i18n';
import { visible } from './visible';

/** A fault in the language of the user; in English where there are no words for it. */
export function faultText(fault: FaultData): string {
  const key = `fault.${fault.code}`;
  const { color } = fault.args;
  const args = color === 'w' || color === 'b' ? { ...fault.args, color: sideName(color) } : fault.args;
  // The arguments quote what was read.
  const text = visible(isMessageKey(key) ? t(key, args) : fault.text);
  return fault.cause ? `${text} ${faultText(fault.cause)}` : text;
}
