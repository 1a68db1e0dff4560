// Which game is played: variant, ruleset, and the parts that players change most.
import { t } from '../messages/i18n';
import { ruleNames } from '../rules/rules';
import type { RulesChoice } from '../rules/types';
import { Check, Select } from './common';

/** The rulesets in the order in which players will look for them. Others follow. */
const USUAL = ['fairy-stockfish', 'knowlton', 'wikipedia'];

/** The rulesets with their names for players. */
export function rulesetChoices(): { value: string; label: string }[] {
  const { rulesets } = ruleNames();
  const rank = (name: string) => USUAL.indexOf(name) + 1 || USUAL.length + 1;
  return [...rulesets]
    .sort((a, b) => rank(a) - rank(b))
    .map((value) => ({ value, label: t(`ruleset.${value}` as 'ruleset.none') }));
}

const FIRST_MOVES = ['SutKhun', 'SutMet', 'SutMa', 'LordHorse', 'MinisterTwo', 'StreetKhun'] as const;

function partsOf(text: string): Map<string, string> {
  const pairs = text.split(' ').filter(Boolean);
  return new Map(pairs.map((pair) => pair.split('=') as [string, string]));
}

function textOf(parts: Map<string, string>): string {
  return [...parts].map(([name, value]) => `${name}=${value}`).join(' ');
}

export function RulesForm({ value, onChange }: { value: RulesChoice; onChange: (value: RulesChoice) => void }) {
  const { variants } = ruleNames();
  const parts = partsOf(value.parts);
  const setParts = (change: Record<string, string | null>) => {
    for (const [name, setting] of Object.entries(change)) {
      if (setting === null) {
        parts.delete(name);
      } else {
        parts.set(name, setting);
      }
    }
    onChange({ ...value, parts: textOf(parts) });
  };
  return (
    <div class="rules-form">
      <Select
        label={t('rules.variant')}
        value={value.variant}
        choices={variants.map((name) => ({ value: name, label: t(`variant.${name}` as 'variant.makruk') }))}
        onChange={(variant) => onChange({ ...value, variant })}
      />
      <Select
        label={t('rules.ruleset')}
        value={value.ruleset}
        choices={rulesetChoices()}
        onChange={(ruleset) => onChange({ ...value, ruleset })}
      />
      <Check
        label={t('rules.byHand')}
        value={parts.get('CountClaim') === 'manual'}
        onChange={(on) => setParts({ CountClaim: on ? 'manual' : null, CountStarted: on ? '-1' : null })}
      />
      <Check
        label={t('rules.threefold')}
        value={parts.has('Repetition') ? parts.get('Repetition') === 'threefold' : value.ruleset === 'fairy-stockfish'}
        onChange={(on) => setParts({ Repetition: on ? 'threefold' : 'none' })}
      />
      <fieldset class="field">
        <legend>{t('rules.first')}</legend>
        {FIRST_MOVES.map((name) => (
          <Check
            key={name}
            label={t(`first.${name}`)}
            value={parts.get(name) === 'on'}
            onChange={(on) => setParts({ [name]: on ? 'on' : null })}
          />
        ))}
        <Check
          label={t('rules.boat.w')}
          value={parts.get('TakhaengRueaWhite') === 'a'}
          onChange={(on) => setParts({ TakhaengRueaWhite: on ? 'a' : null })}
        />
        <Check
          label={t('rules.boat.b')}
          value={parts.get('TakhaengRueaBlack') === 'a'}
          onChange={(on) => setParts({ TakhaengRueaBlack: on ? 'a' : null })}
        />
      </fieldset>
    </div>
  );
}
