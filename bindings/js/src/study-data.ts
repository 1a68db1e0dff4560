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

/** Rules as JSON. Names that are left out stay so: a game of a text then keeps its own. */
export function rulesText({ variant, ruleset, parts }: RulesOptions): string {
  for (const name of [variant, ruleset]) {
    if (name !== undefined) {
      asText(name, 'a name of rules');
    }
  }
  return JSON.stringify({ variant, ruleset, parts: partsText(parts) });
}

/** A number that is an index of a node or a game; others would be cut to one. */
export function asIndex(value: unknown, what: 'node' | 'game'): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 0xffff_ffff) {
    throw new ArgumentError(`argument.${what}`, `'${value}' is no number of a ${what}`, { [what]: String(value) });
  }
  return value as number;
}
