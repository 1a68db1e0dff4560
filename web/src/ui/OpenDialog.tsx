import { useState } from 'preact/hooks';
import { decodeText } from 'sakmak/study';
import { analyse, router } from '../app';
import { faultText } from '../messages/faults';
import { t } from '../messages/i18n';
import { visible } from '../messages/visible';
import { faultOf } from '../rules/rules';
import type { FaultData, LibraryEntry } from '../rules/types';
import { useStores } from '../state/store';
import { toasts } from '../state/toasts';
import { Button, Dialog, Select } from './common';
import { FileButton } from './FileButton';
import { Foreign } from './Foreign';

/** Larger files are not read, in MB. */
export const MOST_MB = 64;
/** Games that are listed at once, and by each press of a button. */
const LISTED = 200;

type Order = 'file' | 'date' | 'white' | 'plies';

/** Reads a file as a text of games; what is wrong with it. */
export async function readFile(file: File): Promise<FaultData | null> {
  if (file.size > MOST_MB * 1_000_000) {
    return { code: 'open.tooLarge', args: { size: String(MOST_MB) }, text: t('open.tooLarge', { size: MOST_MB }) };
  }
  const { text, encoding } = decodeText(new Uint8Array(await file.arrayBuffer()));
  const fault = analyse.read(text);
  if (!fault && encoding.startsWith('windows')) {
    toasts.note('open.encoding', { encoding });
  }
  return fault;
}

export function OpenDialog({ onClose }: { onClose: () => void }) {
  useStores(analyse);
  const [text, setText] = useState('');
  const [filter, setFilter] = useState('');
  const [fault, setFault] = useState<FaultData | null>(null);
  const [order, setOrder] = useState<Order>('file');
  const [most, setMost] = useState(LISTED);
  const { library } = analyse;

  const take = (wrong: FaultData | null) => {
    setFault(wrong);
    if (!wrong && !analyse.library) {
      router.go('analyse');
      onClose();
    }
  };

  const wanted = filter.trim().toLowerCase();
  const found = (library?.entries ?? [])
    .map((entry, index) => ({ entry, index }))
    .filter(
      ({ entry }) =>
        wanted === '' || `${entry.white} ${entry.black} ${entry.event} ${entry.date}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => compare(a.entry, b.entry, order) || a.index - b.index);

  return (
    <Dialog title={t('open.title')} onClose={onClose} kind="wide">
      <textarea
        rows={library ? 2 : 8}
        value={text}
        aria-label={t('open.text')}
        placeholder={t('open.text')}
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row">
        <Button
          label={t('open.read')}
          icon="check"
          primary
          disabled={text.trim() === ''}
          onClick={() => take(analyse.read(text))}
        />
        <FileButton
          label={t('open.file')}
          accept=".pgn,.txt,.fen,.epd,text/plain"
          onFile={async (file) => take(await readFile(file))}
        />
        <span class="aside">{t('open.drop')}</span>
      </div>
      {fault && (
        <p class="fault" role="alert">
          {faultText(fault)}
        </p>
      )}
      {library && (
        <div class="library">
          <div class="row">
            <strong>{t('open.games', { count: library.entries.length })}</strong>
            <input
              type="search"
              value={filter}
              placeholder={t('open.filter')}
              aria-label={t('open.filter')}
              onInput={(event) => {
                setFilter(event.currentTarget.value);
                setMost(LISTED);
              }}
            />
            <Select
              label={t('open.order')}
              value={order}
              choices={(['file', 'date', 'white', 'plies'] as const).map((value) => ({
                value,
                label: t(`open.order.${value}`),
              }))}
              onChange={setOrder}
            />
          </div>
          <ul>
            {found.slice(0, most).map(({ entry, index }) => (
              <li key={index}>
                <button
                  type="button"
                  disabled={entry.error !== undefined}
                  onClick={() => {
                    const wrong = analyse.openGame(library.games, index);
                    setFault(wrong);
                    if (!wrong) {
                      onClose();
                    }
                  }}
                >
                  <span class="players">
                    <Players entry={entry} />
                  </span>
                  <span class="aside">
                    {entry.error
                      ? `${t('open.broken')}: ${faultText(faultOf(entry.error))}`
                      : `${entry.result} · ${visible(entry.date)} · ${Math.ceil(entry.plies / 2)}`}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {found.length > most && (
            <div class="row">
              <span class="aside">{t('open.shown', { shown: most, count: found.length })}</span>
              <Button label={t('open.more')} onClick={() => setMost(most + LISTED)} />
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

function compare(a: LibraryEntry, b: LibraryEntry, order: Order): number {
  switch (order) {
    case 'date':
      return b.date.localeCompare(a.date);
    case 'white':
      return a.white.localeCompare(b.white);
    case 'plies':
      return b.plies - a.plies;
    default:
      return 0;
  }
}

/** Who played; else the event. */
function Players({ entry }: { entry: LibraryEntry }) {
  const [first, second] = [entry.white, entry.black].filter((name) => name && name !== '?');
  if (!first || !second) {
    return <Foreign text={first || entry.event || t('open.unnamed')} />;
  }
  return (
    <>
      <Foreign text={first} /> – <Foreign text={second} />
    </>
  );
}
