// The words of the opponents, which are loaded with what shows them.
import { translator } from '../../messages/i18n';
import { type OpponentsKey, opponentsEn } from '../../messages/opponents-en';
import { opponentsTh } from '../../messages/opponents-th';
import { animalNamed } from '../../state/opponents';

export const ot = translator<OpponentsKey>({ en: opponentsEn, th: opponentsTh });

/** The name of an opponent in the language of the page; its own where the page does not know it. */
export function animalName(name: string): string {
  return animalNamed(name) ? ot(`opponents.${name as 'Frog'}`) : name;
}
