// Parts of rules as the option and the tag RuleParts have them, such as `Repetition=none SutMet=on`.
import type { RulesOptions } from './types.js';

export function partsText(parts: RulesOptions['parts']): string {
  const pairs = Object.entries(parts ?? {});
  return pairs.map(([name, value]) => `${name}=${value}`).join(' ');
}

export function partsOf(text: string): Record<string, string> {
  const words = text.split(/\s+/).filter(Boolean);
  return Object.fromEntries(words.map((word) => word.split('=', 2) as [string, string]));
}
