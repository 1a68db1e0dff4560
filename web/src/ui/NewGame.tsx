// How a game begins: opponent, side, time, rules, position.
import { useState } from 'preact/hooks';
import { analyse, play, router } from '../app';
import { t } from '../messages/i18n';
import { ruleNames } from '../rules/rules';
import type { RulesChoice, Side } from '../rules/types';
import type { TimeControl } from '../state/clock';
import { randomNumber } from '../state/play';
import type { NewGame } from '../state/played';
import { settings } from '../state/settings';
import { load, save } from '../state/stored';
import { toasts } from '../state/toasts';
import { Button, focusBoard, Segments } from './common';
import { Later } from './Later';
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

const loadCards = () => import('./opponents/Cards').then(({ OpponentCards }) => OpponentCards);

interface Form {
  opponent: 'animal' | 'engine' | 'people';
  animal: string;
  isRated: boolean;
  isPaced: boolean;
  level: number;
  side: Side | 'random';
  time: string;
  minutes: number;
  seconds: number;
}

const DEFAULT: Form = {
  opponent: 'animal',
  animal: 'Frog',
  isRated: false,
  isPaced: true,
  level: 3,
  side: 'w',
  time: NONE,
  minutes: 20,
  seconds: 10,
};

/** Rated games begin at the start position of Makruk. */
const mayBeRated = (rules: RulesChoice, from: 'start' | 'board') => rules.variant === 'makruk' && from === 'start';

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

  const begin = (game: NewGame, byKeyboard: boolean) => {
    save('newGame', form);
    settings.set({ rules });
    play.begin(game);
    router.setFlipped('play', game.level !== null && game.side === 'b');
    router.go('play');
    onBegun?.();
    if (byKeyboard) {
      window.setTimeout(focusBoard, 0);
    }
  };

  const submit = (byKeyboard: boolean) => {
    const { level, opponent, isRated, isPaced } = form;
    const side = form.side === 'random' ? (Math.random() < 0.5 ? 'w' : 'b') : form.side;
    const time =
      form.time === CUSTOM
        ? { minutes: form.minutes, seconds: form.seconds }
        : (TIMES.find((one) => timeKey(one) === form.time) ?? null);
    const start = from === 'board' ? { fen: fen ?? analyse.session.view.markedFen } : {};
    const game: NewGame = { level: opponent === 'people' ? null : level, side, time, rules, ...start };
    if (opponent !== 'animal') {
      begin(game, byKeyboard);
      return;
    }
    // It has come with the cards.
    import('../state/opponents').then(
      ({ ANIMALS, animalNamed }) => {
        const { name, rating } = animalNamed(form.animal) ?? ANIMALS[2];
        // Ratings are for the whole game by the usual rules.
        const isCounted = isRated && mayBeRated(rules, from);
        begin({ ...game, animal: { name, rating, isRated: isCounted, isPaced, seed: randomNumber() } }, byKeyboard);
      },
      () => toasts.note('page.failed'),
    );
  };

  return (
    <form
      class="new-game"
      onSubmit={(event) => {
        event.preventDefault();
        submit(true);
      }}
    >
      <div class="fields">
        <Segments
          label={t('new.opponent')}
          value={form.opponent}
          choices={[
            { value: 'animal', label: t('new.animals') },
            { value: 'engine', label: t('new.engine') },
            { value: 'people', label: t('new.people') },
          ]}
          onChange={(opponent) => change({ opponent })}
          look="even"
        />
        {form.opponent === 'animal' && (
          <div class="opponents-room">
            <Later
              load={loadCards}
              props={{
                chosen: { name: form.animal, isRated: form.isRated, isPaced: form.isPaced },
                mayBeRated: mayBeRated(rules, from),
                onChange: ({ name = form.animal, ...part }) => change({ ...part, animal: name }),
              }}
            />
          </div>
        )}
        {form.opponent === 'engine' && (
          <Segments
            label={t('new.level')}
            value={form.level}
            look="cards"
            choices={ratings.map((rating, level) => ({
              value: level,
              label: `${level + 1} · ${t(`level.${level}` as 'level.0')}`,
              detail: String(rating),
            }))}
            onChange={(level) => change({ level })}
          />
        )}
        {form.opponent !== 'people' && (
          <Segments
            label={t('new.side')}
            value={form.side}
            choices={[
              { value: 'w', label: t('white') },
              { value: 'b', label: t('black') },
              { value: 'random', label: t('new.random') },
            ]}
            onChange={(side) => change({ side })}
            look="even"
          />
        )}
        <Segments
          label={`${t('new.time')}: ${t('new.minutes')} + ${t('new.seconds')}`}
          value={form.time}
          choices={[
            ...TIMES.map((time) => ({
              value: timeKey(time),
              label: time ? t('new.time.each', { ...time }) : t('new.time.none'),
              ...(time && { short: timeKey(time) }),
            })),
            { value: CUSTOM, label: t('new.custom') },
          ]}
          onChange={(time) => change({ time })}
          look="chips"
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
      <Button label={t('new.begin')} icon="play" primary onClick={(event) => submit(event.detail === 0)} />
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
