// The list of all games that were played or opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import { decodeText } from 'sakmak/study';
import { t } from '../messages/i18n';
import { visible } from '../messages/visible';
import type { GameStore } from '../state/games';
import { importGames } from '../state/games-import';
import { type KeptGame, KINDS, RESULTS } from '../state/kept';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { toasts } from '../state/toasts';
import { Button, Select } from './common';
import { FileButton } from './FileButton';
import { Foreign } from './Foreign';
import { MOST_MB } from './OpenDialog';
import { animalName } from './opponents/words';
import '../style/games.css';

/** Games that are listed at once, and by each press of a button. */
const LISTED = 100;
/** The list waits so many milliseconds for further changes. */
const REST_MS = 50;

type Order = 'changed' | 'date' | 'opponent';

interface Wanted {
  text: string;
  kind: KeptGame['kind'] | 'all';
  result: KeptGame['result'] | 'all';
  order: Order;
}

/** The kept games, read again whenever they change; null until they are there. */
function useGames(games: GameStore): KeptGame[] | null {
  const [list, setList] = useState<KeptGame[] | null>(null);
  useEffect(() => {
    let timer = 0;
    let isShown = true;
    const read = async () => {
      const all = await games.list();
      if (isShown) {
        setList(all);
      }
    };
    void read();
    const end = games.subscribe(() => {
      window.clearTimeout(timer);
      timer = window.setTimeout(read, REST_MS);
    });
    return () => {
      isShown = false;
      window.clearTimeout(timer);
      end();
    };
  }, [games]);
  return list;
}

const named = (name: string) => (name === '?' ? '' : name);

/** Who played; else the event, the kind. */
function titleOf({ kind, white, black, event, play: played }: KeptGame): string {
  const own = kind === 'engine' ? t('play.you') : '';
  const animal = played?.game.animal?.name;
  const nameOf = (tag: string) => (animal !== undefined && tag === animal ? animalName(animal) : named(tag)) || own;
  const names = [nameOf(white), nameOf(black)];
  if (names.every((name) => name !== '')) {
    return names.join(' – ');
  }
  return names.find((name) => name !== '') ?? (kind === 'opened' && named(event) ? event : t(`games.kind.${kind}`));
}

/** The day of the game, else that on which it came here. */
function dayOf({ date, created }: KeptGame): string {
  const known = date.replaceAll('.??', '');
  return /\d/.test(known) ? known : new Date(created).toISOString().slice(0, 10).replaceAll('-', '.');
}

function chosen(all: KeptGame[], { text, kind, result, order }: Wanted): KeptGame[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (game: KeptGame) => {
    const where = [titleOf(game), game.event, dayOf(game), ...game.tags].join(' ').toLowerCase();
    return words.every((word) => where.includes(word));
  };
  const found = all.filter(
    (game) => (kind === 'all' || game.kind === kind) && (result === 'all' || game.result === result) && fits(game),
  );
  if (order === 'date') {
    found.sort((a, b) => dayOf(b).localeCompare(dayOf(a)));
  } else if (order === 'opponent') {
    found.sort((a, b) => titleOf(a).localeCompare(titleOf(b)));
  }
  return found;
}

export interface GamesViewProps {
  games: GameStore;
  /** A game was chosen, to be looked at or to be played on. */
  onOpen: (game: KeptGame) => void;
  onGoOn: (game: KeptGame) => void;
}

export function GamesView({ games, onOpen, onGoOn }: GamesViewProps) {
  useStores(settings);
  const all = useGames(games);
  const [wanted, setWanted] = useState<Wanted>({ text: '', kind: 'all', result: 'all', order: 'changed' });
  const [most, setMost] = useState(LISTED);
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const found = chosen(all ?? [], wanted);
  const change = (part: Partial<Wanted>) => {
    setWanted({ ...wanted, ...part });
    setMost(LISTED);
  };

  const remove = async (game: KeptGame, at: number) => {
    const removed = await games.remove(game);
    toasts.offer(
      'games.deleted',
      { game: visible(titleOf(game)) },
      { label: 'undo', run: () => games.bringBack(removed) },
    );
    // The keyboard goes on where it was.
    window.setTimeout(() => {
      const opens = list.current?.querySelectorAll<HTMLElement>('.open');
      (opens?.[Math.min(at, opens.length - 1)] ?? search.current)?.focus();
    }, REST_MS * 2);
  };

  return (
    <div class="page games">
      <h1>{t('games.title')}</h1>
      <p>{t('games.lead')}</p>
      <div class="row">
        <ImportButton games={games} />
        <Button
          label={t('games.export')}
          icon="download"
          disabled={!all || all.length === 0}
          onClick={() => void games.exportAll()}
        />
      </div>
      <div class="row">
        <input
          ref={search}
          type="search"
          value={wanted.text}
          placeholder={t('games.search')}
          aria-label={t('games.search')}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <Select
          label={t('games.kind')}
          value={wanted.kind}
          choices={(['all', ...KINDS] as const).map((value) => ({ value, label: t(`games.kind.${value}`) }))}
          onChange={(kind) => change({ kind })}
        />
        <Select
          label={t('games.result')}
          value={wanted.result}
          choices={(['all', ...RESULTS] as const).map((value) => ({ value, label: resultName(value) }))}
          onChange={(result) => change({ result })}
        />
        <Select
          label={t('open.order')}
          value={wanted.order}
          choices={[
            { value: 'changed', label: t('games.order.changed') },
            { value: 'date', label: t('open.order.date') },
            { value: 'opponent', label: t('games.order.opponent') },
          ]}
          onChange={(order) => change({ order })}
        />
      </div>
      {all && (
        <p class="aside" aria-live="polite">
          {all.length === 0
            ? t('games.none')
            : found.length === 0
              ? t('games.noneFound')
              : t('games.found', { count: found.length })}
        </p>
      )}
      <ul ref={list}>
        {found.slice(0, most).map((game, at) => (
          <Row
            key={game.id}
            game={game}
            onOpen={() => onOpen(game)}
            onGoOn={() => onGoOn(game)}
            onTags={(tags) => void games.setTags(game, tags)}
            onRemove={() => void remove(game, at)}
          />
        ))}
      </ul>
      {found.length > most && (
        <div class="row">
          <span class="aside">{t('open.shown', { shown: most, count: found.length })}</span>
          <Button label={t('open.more')} onClick={() => setMost(most + LISTED)} />
        </div>
      )}
    </div>
  );
}

function resultName(result: Wanted['result']): string {
  return result === 'all' ? t('games.result.all') : result === '*' ? t('games.result.open') : result;
}

function Row({
  game,
  onOpen,
  onGoOn,
  onTags,
  onRemove,
}: {
  game: KeptGame;
  onOpen: () => void;
  onGoOn: () => void;
  onTags: (tags: string) => void;
  onRemove: () => void;
}) {
  const [isTagging, setTagging] = useState(false);
  const title = visible(titleOf(game));
  const moves = game.moves === '' ? 0 : Math.ceil(game.moves.split(' ').length / 2);
  const level = game.play?.game.level;
  const facts = [
    `${t(`games.kind.${game.kind}`)}${level == null || game.play?.game.animal ? '' : `, ${t('games.level', { level: level + 1 })}`}`,
    resultName(game.result),
    visible(dayOf(game)),
    t('games.moves', { moves }),
  ];
  const isFriend = game.friend !== undefined && game.result === '*';
  const isRunning = isFriend || (game.play !== undefined && !game.play.result);

  return (
    <li>
      <button type="button" class="open" onClick={onOpen}>
        <span class="players">
          <Foreign text={titleOf(game)} />
        </span>
        <span class="aside">{facts.join(' · ')}</span>
        {game.tags.length > 0 && (
          <span class="tags">
            {game.tags.map((tag) => (
              <span key={tag}>
                <Foreign text={tag} />
              </span>
            ))}
          </span>
        )}
      </button>
      {isRunning && <Button label={t('games.continue')} icon="play" onClick={onGoOn} />}
      <Button
        label={t('games.tags.edit', { game: title })}
        icon="edit"
        quiet
        pressed={isTagging}
        onClick={() => setTagging(!isTagging)}
      />
      <Button label={t('games.delete', { game: title })} icon="trash" quiet onClick={onRemove} />
      {isTagging && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setTagging(false);
          }}
        >
          <input
            type="text"
            maxLength={300}
            // What is typed is not overwritten when another tab writes.
            defaultValue={game.tags.join(', ')}
            placeholder={t('games.tags')}
            aria-label={t('games.tags')}
            onChange={(event) => onTags(event.currentTarget.value)}
          />
        </form>
      )}
    </li>
  );
}

function ImportButton({ games }: { games: GameStore }) {
  const [progress, setProgress] = useState<{ finished: number; total: number } | null>(null);
  const take = async (file: File) => {
    if (file.size > MOST_MB * 1_000_000) {
      toasts.note('open.tooLarge', { size: MOST_MB });
      return;
    }
    const { text } = decodeText(new Uint8Array(await file.arrayBuffer()));
    const { added, known, broken, fault } = await importGames(games, text, settings.value.rules, (finished, total) =>
      setProgress({ finished, total }),
    );
    setProgress(null);
    if (fault) {
      toasts.fault(fault);
    } else {
      toasts.note('games.imported', { added, known });
    }
    if (broken > 0) {
      toasts.note('games.broken', { count: broken });
    }
  };
  return (
    <FileButton
      label={progress ? t('games.importing', progress) : t('games.import')}
      accept=".pgn,.txt,text/plain"
      disabled={progress !== null}
      onFile={take}
    />
  );
}
