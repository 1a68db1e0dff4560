import { ArgumentError } from './errors.js';
import { asText } from './moves.js';
import { partsText } from './parts.js';
import type { Color, Notation, Ruleset, RulesOptions, Variant } from './types.js';

/** The start position of Makruk. */
export const START_FEN = 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1';
/** The names of all variants. */
export const VARIANTS: readonly Variant[] = ['makruk', 'cambodian', 'makpong'];
/** The names of all rulesets. */
export const RULESETS: readonly Ruleset[] = [
  'fairy-stockfish',
  'cutechess',
  'schemingmind',
  'wikipedia',
  'cyningstan',
  'knowlton',
  'chessvariants',
  'none',
];
/** The names of all notations. */
export const NOTATIONS: readonly Notation[] = ['san', 'lan', 'thai-san', 'thai-lan', 'schemingmind', 'uci'];
/** The colours, by their indices in the WebAssembly. */
export const COLORS = ['w', 'b'] as const;

/** The index of a notation. */
export function notationIndex(notation: Notation): number {
  const index = NOTATIONS.indexOf(notation);
  if (index < 0) {
    throw new ArgumentError('argument.notation', `'${notation}' is no notation; there are ${NOTATIONS.join(', ')}`);
  }
  return index;
}

/** The index of a colour. */
export function colorIndex(color: Color): number {
  const index = COLORS.indexOf(color);
  if (index < 0) {
    throw new ArgumentError('argument.color', `'${color}' is no colour; there are w and b`, { text: String(color) });
  }
  return index;
}

/** The arguments of the WebAssembly for rules. */
export function rulesOf(options: RulesOptions): [Variant, Ruleset, string] {
  const { variant = 'makruk', ruleset = 'fairy-stockfish', parts } = options;
  asText(variant, 'a variant');
  asText(ruleset, 'a ruleset');
  return [variant, ruleset, partsText(parts)];
}
