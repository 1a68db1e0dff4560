import { useEffect, useState } from 'preact/hooks';
import { analyse } from '../app';
import { t } from '../messages/i18n';
import type { Dialect } from '../rules/types';
import { address, pack } from '../state/link';
import type { Session } from '../state/session';
import { settings } from '../state/settings';
import { Button, copy, Dialog, Select } from './common';
import { download, pgnFile } from './download';
import { boardPng, boardSvg } from './picture';

/** Who is to read the PGN: programs, or people who like the notation of the settings. */
type Target = Dialect | 'people';

function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div class="copy-field">
      <label class="field">
        <span>{label}</span>
        <input type="text" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <Button label={`${t('copy')}: ${label}`} icon="copy" quiet onClick={() => copy(value)} />
    </div>
  );
}

/** Hands a link to the programs of the device. */
async function send(url: string): Promise<void> {
  try {
    await navigator.share({ title: t('title.analyse'), url });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      await copy(url);
    }
  }
}

export function ShareDialog({
  session,
  flipped,
  onClose,
}: {
  session: Session;
  flipped: boolean;
  onClose: () => void;
}) {
  const [target, setTarget] = useState<Target>('plain');
  const [link, setLink] = useState('');
  const { view } = session;
  const { result } = session.record.header();
  // Programs read short algebraic notation, whatever people like to read.
  const { notation } = settings.value;
  const pgn = session.record.pgn(target === 'people' ? { notation } : { notation: 'san', dialect: target });
  const targets: Target[] = ['plain', 'pychess', 'cutechess'];
  useEffect(() => {
    void pack(session.record.pgn()).then((packed) => setLink(address(`game=${packed}`)));
  }, [session.version]);
  return (
    <Dialog title={t('share.title')} onClose={onClose} kind="wide">
      {'share' in navigator && (
        <div class="row">
          <Button label={t('share.send')} icon="share" primary disabled={link === ''} onClick={() => send(link)} />
        </div>
      )}
      <CopyField label={t('share.link')} value={link} />
      <CopyField label={t('share.linkPosition')} value={address(`fen=${view.markedFen.replaceAll(' ', '_')}`)} />
      <CopyField label={t('share.fen.plain')} value={view.markedFen} />
      <CopyField label={t('share.fen.armed')} value={view.armedFen} />
      <div class="row">
        <Select
          label={t('share.dialect')}
          value={target}
          choices={(notation === 'san' ? targets : [...targets, 'people' as const]).map((value) => ({
            value,
            label: t(`share.dialect.${value}`),
          }))}
          onChange={setTarget}
        />
        <Select
          label={t('share.result')}
          value={result}
          choices={(['*', '1-0', '0-1', '1/2-1/2'] as const).map((value) => ({ value, label: value }))}
          onChange={(value) => analyse.edit((record) => record.setTag('Result', value))}
        />
      </div>
      <textarea class="pgn" rows={8} readOnly value={pgn} aria-label={t('share.pgn')} />
      <div class="row">
        <Button label={t('copy')} icon="copy" onClick={() => copy(pgn)} />
        <Button label={t('share.download')} icon="download" onClick={() => download('sakmak.pgn', pgnFile(pgn))} />
        <Button
          label={t('share.svg')}
          onClick={() => download('sakmak.svg', new Blob([boardSvg(session, flipped)], { type: 'image/svg+xml' }))}
        />
        <Button
          label={t('share.png')}
          onClick={async () => {
            const png = await boardPng(session, flipped);
            if (png) {
              download('sakmak.png', png);
            }
          }}
        />
      </div>
    </Dialog>
  );
}
