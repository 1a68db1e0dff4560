// All that the page stores: as one file, and such a file joined with what is here.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type EverythingKey, everythingEn } from '../messages/everything-en';
import { everythingTh } from '../messages/everything-th';
import { loadWords, translator } from '../messages/i18n';
import { everything, type Joined, joinEverything } from '../state/everything';
import type { GameStore } from '../state/games';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { load } from '../state/stored';
import { Button, Check } from './common';
import { download } from './download';
import { FileButton } from './FileButton';

const te = translator<EverythingKey>({ en: everythingEn, th: everythingTh });

/** Some 20,000 games with reports. */
const MOST_MB = 256;

export interface EverythingProps {
  games: GameStore;
  /** Stores what stands on the boards. */
  onSave: () => void;
}

export function Everything({ games, onSave }: EverythingProps) {
  useStores(settings);
  const [withSettings, setWithSettings] = useState(true);
  const [says, setSays] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isJoined = useRef(false);
  // The stores of the page know what was there before.
  const show = () => location.reload();
  useEffect(() => () => isJoined.current && show(), []);

  const save = async () => {
    onSave();
    const day = new Date().toISOString().slice(0, 10);
    download(`sakmak-${day}.json`, new Blob([await everything(games)], { type: 'application/json' }));
  };
  const take = async (file: File) => {
    if (file.size > MOST_MB * 1_000_000) {
      setSays([te('everything.tooLarge', { size: MOST_MB })]);
      return;
    }
    onSave();
    setBusy(true);
    const onProgress = (finished: number, total: number) => setSays([te('everything.reading', { finished, total })]);
    const joined = await joinEverything(await file.text(), games, { withSettings, onProgress });
    isJoined.current = !joined.refused;
    if (isJoined.current) {
      await readSettings();
    }
    setBusy(false);
    setSays(report(joined));
  };

  return (
    <fieldset class="group">
      <legend>{te('everything.title')}</legend>
      <p>{te('everything.lead')}</p>
      {!isJoined.current && (
        <>
          <div class="row">
            <Button label={te('everything.export')} icon="download" disabled={isBusy} onClick={() => void save()} />
            <FileButton
              label={te('everything.import')}
              accept=".json,application/json"
              disabled={isBusy}
              onFile={take}
            />
          </div>
          <Check label={te('everything.settings')} value={withSettings} onChange={setWithSettings} />
        </>
      )}
      <div role="status">
        {says.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {isJoined.current && <Button label={te('everything.show')} primary onClick={show} />}
    </fieldset>
  );
}

/** The page goes on with the settings that are stored now. */
async function readSettings(): Promise<void> {
  const stored = load('settings') ?? {};
  await loadWords(stored.language ?? settings.value.language).then(
    () => settings.set(stored),
    // The words cannot be had just now; the page is loaded anew soon.
    () => {},
  );
}

function report({ added, known, parted, broken, refused }: Joined): string[] {
  if (refused) {
    return [te(`everything.${refused}`)];
  }
  return [
    te('everything.done', { added, known }),
    ...(parted > 0 ? [te('everything.parted', { count: parted })] : []),
    ...(broken > 0 ? [te('everything.broken', { count: broken })] : []),
  ];
}
