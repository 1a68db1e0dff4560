import { useState } from 'preact/hooks';
import { t } from '../messages/i18n';
import type { SettingsData } from '../state/settings';
import { MEMORIES, SECONDS } from '../state/stored';
import { Button, Select, Waiting } from './common';
import { EngineLines, type EngineLinesProps } from './EngineLines';
import { Later } from './Later';

const MOST_LINES = 5;

const loadEvaluationsForm = () => import('./evaluations/Evaluations').then(({ EvaluationsForm }) => EvaluationsForm);

export interface EnginePanelProps extends EngineLinesProps {
  isOn: boolean;
  /** How many lines are wanted. */
  count: number;
  /** Whether lines are to come. */
  isAwaited: boolean;
  /** Win, draw and loss of White in thousandths. */
  chances: [number, number, number] | null;
  onToggle: () => void;
  onCount: (count: number) => void;
}

/** The engine's switch, its lines, and what they say of the result. */
export function EnginePanel({ isOn, lines, count, isAwaited, chances, onToggle, onCount, ...shown }: EnginePanelProps) {
  const [first] = lines;
  return (
    <section class="panel engine" aria-label={t('analyse.engine')}>
      <div class="engine-head">
        <label class="switch">
          <input type="checkbox" checked={isOn} onChange={onToggle} aria-label={t('analyse.engine')} />
          <span>{t('analyse.engine')}</span>
        </label>
        {first && (
          <span class="aside">
            {t('analyse.depth', { depth: first.depth })} ·{' '}
            {t('analyse.speed', { speed: Math.round(first.nodes / Math.max(1, first.time)) })}
          </span>
        )}
        <span class="spinner">
          <Button
            label={t('analyse.lines.fewer')}
            icon="minus"
            quiet
            disabled={count <= 1}
            onClick={() => onCount(count - 1)}
          />
          <span>
            <span class="hidden">{t('analyse.lines')} </span>
            {count}
          </span>
          <Button
            label={t('analyse.lines.more')}
            icon="plus"
            quiet
            disabled={count >= MOST_LINES}
            onClick={() => onCount(count + 1)}
          />
        </span>
      </div>
      {isOn && isAwaited && lines.length === 0 && <Waiting text={t('play.thinking')} />}
      {isOn && <EngineLines lines={lines.slice(0, count)} {...shown} />}
      {chances && (
        <div
          class="chances"
          role="img"
          aria-label={t('analyse.chances', {
            win: Math.round(chances[0] / 10),
            draw: Math.round(chances[1] / 10),
            loss: Math.round(chances[2] / 10),
          })}
        >
          <span class="w" style={{ flexGrow: chances[0] }}>
            {chances[0] >= 120 ? `${Math.round(chances[0] / 10)}%` : ''}
          </span>
          <span class="d" style={{ flexGrow: chances[1] }}>
            {chances[1] >= 300 ? `${t('result.draw')} ` : ''}
            {chances[1] >= 120 ? `${Math.round(chances[1] / 10)}%` : ''}
          </span>
          <span class="b" style={{ flexGrow: chances[2] }}>
            {chances[2] >= 120 ? `${Math.round(chances[2] / 10)}%` : ''}
          </span>
        </div>
      )}
    </section>
  );
}

type EngineChoices = Pick<SettingsData, 'memory' | 'seconds' | 'tables'>;

/** The engine's memory and time, where it finds endgame files, and which file of evaluations is shown. */
export function EngineSettings({
  memory,
  seconds,
  tables,
  onChoose,
}: EngineChoices & { onChoose: (choice: Partial<EngineChoices>) => void }) {
  const [address, setAddress] = useState(tables);
  const apply = (chosen: string) => {
    setAddress(chosen);
    onChoose({ tables: chosen });
  };
  return (
    <details class="engine-settings">
      <summary>{t('analyse.settings')}</summary>
      <div class="row">
        <Select
          label={t('analyse.memory')}
          value={memory}
          choices={MEMORIES.map((value) => ({ value, label: `${value} MB` }))}
          onChange={(value) => onChoose({ memory: value })}
        />
        <Select
          label={t('analyse.time')}
          value={seconds}
          choices={SECONDS.map((value) => ({
            value,
            label: value > 0 ? t('settings.pace.each', { pace: value }) : t('analyse.time.none'),
          }))}
          onChange={(value) => onChoose({ seconds: value })}
        />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply(address.trim());
        }}
      >
        <label class="field">
          <span>{t('analyse.tables')}</span>
          <input
            type="text"
            value={address}
            maxLength={500}
            placeholder="./tables/"
            autoCapitalize="off"
            spellcheck={false}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <p class="aside">{t(tables ? 'analyse.tables.on' : 'analyse.tables.off')}</p>
        <div class="row">
          <button type="submit" class="button" disabled={address.trim() === ''}>
            {t('analyse.tables.use')}
          </button>
          <Button label={t('analyse.tables.none')} disabled={tables === ''} onClick={() => apply('')} />
        </div>
      </form>
      <Later load={loadEvaluationsForm} props={{}} />
    </details>
  );
}
