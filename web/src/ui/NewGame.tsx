// How a game begins: opponent, side, time, rules, position.
import { useState } from 'preact/hooks';
import { analyse, play, router } from '../app';
import { t } from '../messages/i18n';
import { ruleNames } from '../rules/rules';
import type { RulesChoice, Side } from '../rules/types';
import type { TimeControl } from '../state/clock';
import type { NewGame } from '../state/played';
import { settings } from '../state/settings';
import { load, save } from '../state/stored';
import { Button, focusBoard, Segments } from './common';
import { RulesForm } from './RulesForm';

const TIMES: (TimeControl | null)[] = [
  null,
  { minutes: 3, seconds: 2 },
  { minutes: 5, seconds: 5 },
  { minutes: 10, seconds: 5 },
  { minutes: 15, seconds: 10 },
  { minutes: 30, seconds: 20 },
];
const CUSTOM = 'custom';
const NONE = 'none';

interface Form {
  opponent: 'engine' | 'people';
  level: number;
  side: Side | 'random';
  time: string;
  minutes: number;
  seconds: number;
}

const DEFAULT: Form = { opponent: 'engine', level: 3, side: 'w', time: NONE, minutes: 20, seconds: 10 };

const timeKey = (time: TimeControl | null) => (time ? `${time.minutes}+${time.seconds}` : NONE);

/** `fen` is a position to play from, as the analysis and the editor hand it over. */
export function NewGameForm({
  fen,
  rules: given,
  onBegun,
}: {
  fen?: string;
  rules?: RulesChoice;
  onBegun?: () => void;
}) {
  const [form, setForm] = useState<Form>(() => ({ ...DEFAULT, ...load('newGame') }));
  const [rules, setRules] = useState(given ?? settings.value.rules);
  const [from, setFrom] = useState<'start' | 'board'>(fen ? 'board' : 'start');
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const { ratings } = ruleNames();

  const begin = (byKeyboard: boolean) => {
    save('newGame', form);
    settings.set({ rules });
    const side = form.side === 'random' ? (Math.random() < 0.5 ? 'w' : 'b') : form.side;
    const time =
      form.time === CUSTOM
        ? { minutes: form.minutes, seconds: form.seconds }
        : (TIMES.find((one) => timeKey(one) === form.time) ?? null);
    const game: NewGame = { level: form.opponent === 'engine' ? form.level : null, side, time, rules };
    const position = fen ?? analyse.session.view.markedFen;
    play.begin(from === 'board' ? { ...game, fen: position } : game);
    router.setFlipped('play', form.opponent === 'engine' && side === 'b');
    router.go('play');
    onBegun?.();
    if (byKeyboard) {
      window.setTimeout(focusBoard, 0);
    }
  };

  return (
    <form
      class="new-game"
      onSubmit={(event) => {
        event.preventDefault();
        begin(true);
      }}
    >
      <div class="fields">
        <Segments
          label={t('new.opponent')}
          value={form.opponent}
          choices={[
            { value: 'engine', label: t('new.engine') },
            { value: 'people', label: t('new.people') },
          ]}
          onChange={(opponent) => change({ opponent })}
        />
        {form.opponent === 'engine' && (
          <>
            <Segments
              label={t('new.level')}
              value={form.level}
              cards
              choices={ratings.map((rating, level) => ({
                value: level,
                label: `${level + 1} · ${t(`level.${level}` as 'level.0')}`,
                detail: String(rating),
              }))}
              onChange={(level) => change({ level })}
            />
            <Segments
              label={t('new.side')}
              value={form.side}
              choices={[
                { value: 'w', label: t('white') },
                { value: 'b', label: t('black') },
                { value: 'random', label: t('new.random') },
              ]}
              onChange={(side) => change({ side })}
            />
          </>
        )}
        <Segments
          label={t('new.time')}
          value={form.time}
          choices={[
            ...TIMES.map((time) => ({
              value: timeKey(time),
              label: time ? t('new.time.each', { ...time }) : t('new.time.none'),
            })),
            { value: CUSTOM, label: t('new.custom') },
          ]}
          onChange={(time) => change({ time })}
        />
        {form.time === CUSTOM && (
          <div class="row">
            <NumberField
              label={t('new.minutes')}
              value={form.minutes}
              min={1}
              max={180}
              onChange={(minutes) => change({ minutes })}
            />
            <NumberField
              label={t('new.seconds')}
              value={form.seconds}
              min={0}
              max={180}
              onChange={(seconds) => change({ seconds })}
            />
          </div>
        )}
        <details>
          <summary>
            {t('new.rules')}: {t(`variant.${rules.variant}` as 'variant.makruk')},{' '}
            {t(`ruleset.${rules.ruleset}` as 'ruleset.none')}
          </summary>
          <RulesForm value={rules} onChange={setRules} />
          {!fen && (
            <Segments
              label={t('new.from')}
              value={from}
              choices={[
                { value: 'start', label: t('new.from.start') },
                { value: 'board', label: t('new.from.board') },
              ]}
              onChange={setFrom}
            />
          )}
        </details>
      </div>
      <Button label={t('new.begin')} icon="play" primary onClick={(event) => begin(event.detail === 0)} />
    </form>
  );
}

export function NumberField({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        value={value}
        min={min}
        max={max}
        onInput={(event) => {
          const number = Number(event.currentTarget.value);
          if (Number.isFinite(number)) {
            onChange(Math.max(min, Math.min(max, Math.round(number))));
          }
        }}
      />
    </label>
  );
}
