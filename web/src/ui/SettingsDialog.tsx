// What the user can choose for good.
import { useEffect, useState } from 'preact/hooks';
import { NOTATIONS } from 'sakmak/study';
import { t } from '../messages/i18n';
import { switchLanguage } from '../messages/language';
import { canVibrate, playCues, wake } from '../sound/sound';
import { localVoice, onVoices } from '../sound/speech';
import { offline } from '../state/offline';
import { type SettingsData, settings } from '../state/settings';
import { useStores } from '../state/store';
import { Check, Dialog, Segments, Select } from './common';
import type { EverythingProps } from './Everything';
import { Later } from './Later';

const loadEverything = () => import('./Everything').then(({ Everything }) => Everything);

export function SettingsDialog({ onClose, ...data }: EverythingProps & { onClose: () => void }) {
  useStores(settings, offline);
  const { value } = settings;
  const set = (change: Partial<SettingsData>) => settings.set(change);
  return (
    <Dialog title={t('settings.title')} onClose={onClose}>
      <Segments
        label={t('settings.language')}
        value={value.language}
        choices={[
          { value: 'th', label: 'ไทย' },
          { value: 'en', label: 'English' },
        ]}
        onChange={(language) => void switchLanguage(language)}
      />
      <Segments
        label={t('settings.theme')}
        value={value.theme}
        choices={(['auto', 'light', 'dark'] as const).map((theme) => ({
          value: theme,
          label: t(`settings.theme.${theme}`),
        }))}
        onChange={(theme) => set({ theme })}
      />
      <Segments
        label={t('settings.pieces')}
        value={value.pieces}
        choices={(['carved', 'figures', 'thaiLetters', 'letters'] as const).map((pieces) => ({
          value: pieces,
          label: t(`settings.pieces.${pieces}`),
        }))}
        onChange={(pieces) => set({ pieces })}
      />
      <Segments
        label={t('settings.board')}
        value={value.board}
        choices={(['wood', 'plain', 'chequered'] as const).map((board) => ({
          value: board,
          label: t(`settings.board.${board}`),
        }))}
        onChange={(board) => set({ board })}
      />
      <Select
        label={t('settings.notation')}
        value={value.notation}
        choices={NOTATIONS.map((name) => ({
          value: name,
          label: t(`notation.${name}`),
        }))}
        onChange={(notation) => set({ notation })}
      />
      <Check
        label={t('settings.coordinates')}
        value={value.coordinates}
        onChange={(coordinates) => set({ coordinates })}
      />
      <Check label={t('settings.animation')} value={value.animation} onChange={(animation) => set({ animation })} />
      <fieldset class="group">
        <legend>{t('settings.play')}</legend>
        <Check label={t('settings.warn')} value={value.warn} onChange={(warn) => set({ warn })} />
        <Check label={t('settings.confirm')} value={value.confirm} onChange={(confirm) => set({ confirm })} />
        <Check label={t('settings.premove')} value={value.premove} onChange={(premove) => set({ premove })} />
        <Check label={t('settings.facts')} value={value.facts} onChange={(show) => set({ facts: show })} />
        <Segments
          label={t('settings.pace')}
          value={value.pace}
          choices={([500, 1_000, 2_000, 4_000] as const).map((pace) => ({
            value: pace,
            label: t('settings.pace.each', { pace: pace / 1000 }),
          }))}
          onChange={(pace) => set({ pace })}
        />
      </fieldset>
      <fieldset class="group">
        <legend>{t('settings.hearing')}</legend>
        <Segments
          label={t('settings.sound')}
          value={value.sound}
          choices={([0, 1, 2, 3] as const).map((sound) => ({ value: sound, label: t(`settings.sound.${sound}`) }))}
          onChange={(sound) => {
            set({ sound });
            if (sound > 0) {
              wake();
              playCues(['move']);
            }
          }}
        />
        {canVibrate() && (
          <Check label={t('settings.vibration')} value={value.vibration} onChange={(vibration) => set({ vibration })} />
        )}
        <Speech />
      </fieldset>
      <Later load={loadEverything} props={data} />
      <p class="aside">
        {t('settings.about')} {offline.isReady && t('app.offline')}
      </p>
    </Dialog>
  );
}

/** Whether the count is spoken; without a voice of the device it cannot be. */
function Speech() {
  const { speak, language } = settings.value;
  const [voice, setVoice] = useState(() => localVoice(language));
  useEffect(() => {
    const look = () => setVoice(localVoice(language));
    look();
    return onVoices(look);
  }, [language]);
  return (
    <>
      <Check
        label={t('settings.speak')}
        value={speak && voice !== null}
        disabled={voice === null}
        onChange={(isOn) => settings.set({ speak: isOn })}
      />
      {voice === null && <p class="aside">{t('settings.speak.none')}</p>}
    </>
  );
}
