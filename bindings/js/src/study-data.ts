// The forms in which values cross to the WebAssembly and back.
import { ArgumentError, makeError, type SakmakError } from './errors.js';
import { asText } from './moves.js';
import { partsText } from './parts.js';
import type { RulesOptions } from './types.js';

/** An error as the WebAssembly writes it inside of other data. */
export interface ErrorData {
  code: string;
  message: string;
  args: Record<string, string>;
  cause?: ErrorData;
}

export function errorOf({ code, message, args, cause }: ErrorData): SakmakError {
  return makeError(code, message, Object.entries(args).flat(), cause && errorOf(cause));
}

/** Variant, ruleset and parts. Names that are left out are empty: a game of a text then keeps its own. */
export function rulesTexts({ variant, ruleset, parts }: RulesOptions): [string, string, string] {
  return [asText(variant ?? '', 'a name of rules'), asText(ruleset ?? '', 'a name of rules'), partsText(parts)];
}

/** A whole number within these limits. */
export function asWhole(value: unknown, what: string, from: number, to: number): number {
  if (!Number.isInteger(value) || (value as number) < from || (value as number) > to) {
    throw new ArgumentError('argument.type', `${what} must be a whole number from ${from} to ${to}, not '${value}'`);
  }
  return value as number;
}

/** A number that is an index of a node or a game; others would be cut to one. */
export function asIndex(value: unknown, what: 'node' | 'game'): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 0xffff_ffff) {
    throw new ArgumentError(`argument.${what}`, `'${value}' is no number of a ${what}`, { [what]: String(value) });
  }
  return value as number;
}
