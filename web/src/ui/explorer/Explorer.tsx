// The opening explorer beside the board of the analysis, and the button that opens it.
import { router } from '../../app';
import { sideName } from '../../messages/i18n';
import type { Side } from '../../rules/types';
import type { Known, Row } from '../../state/explorer';
import { gamesOf } from '../../state/explorer-book';
import { DrillStore } from '../../state/explorer-drill';
import { boardOfFen } from '../../state/explorer-key';
import { structuresOf } from '../../state/explorer-names';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/explorer.css';
import { Button, Segments } from '../common';
import { scoreText } from '../scores';
import { explorer, lossText, te } from './stores';

export function ExplorerButton() {
  useStores(explorer, settings);
  return (
    <Button label={te('explorer.title')} icon="games" pressed={explorer.isOpen} onClick={() => explorer.toggle()} />
  );
}

export interface ExplorerProps {
  session: Session;
  onPlay: (uci: string) => void;
  onGo: (node: number) => void;
}

export function Explorer({ session, onPlay, onGo }: ExplorerProps) {
  useStores(explorer, settings);
  if (!explorer.isOpen) {
    return null;
  }
  const { source, book, isMissing } = explorer;
  const isBook = source === 'book';
  const known = explorer.known(session);
  const isLoading = isBook ? !book && !isMissing : !explorer.own;
  return (
    <section class="panel explorer" aria-label={te('explorer.title')}>
      <div class="explorer-head">
        <Segments
          label={te('explorer.source')}
          value={source}
          choices={[
            { value: 'book', label: te('explorer.source.book') },
            { value: 'games', label: te('explorer.source.games') },
          ]}
          onChange={(value) => explorer.use(value)}
        />
        <Button label={te('explorer.title')} icon="cross" quiet onClick={() => explorer.toggle(false)} />
      </div>
      {!isBook && <Filter />}
      <Structures session={session} />
      {isLoading && <p role="status">{te('explorer.loading')}</p>}
      {isBook && isMissing && (
        <>
          <p role="alert">{te('explorer.missing')}</p>
          <Button label={te('explorer.again')} onClick={() => void explorer.loadBook()} />
        </>
      )}
      {known ? (
        <Moves known={known} isBook={isBook} onPlay={onPlay} />
      ) : (
        !isLoading && !(isBook && isMissing) && <p>{te(isBook ? 'explorer.none' : 'explorer.noGames')}</p>
      )}
      <Compared session={session} onGo={onGo} />
      {book && DrillStore.knows(book, session.view.fen) && (
        <Button label={te('explorer.drill')} icon="play" onClick={() => router.go('learn', 'openings/board')} />
      )}
      {book && <p class="aside">{te('explorer.size', { positions: book.size })}</p>}
    </section>
  );
}

/** Whose games, and with which colour. */
function Filter() {
  const { filter } = explorer;
  return (
    <div class="row">
      <Segments
        label={te('explorer.side')}
        value={filter.side ?? 'both'}
        choices={[
          { value: 'both', label: te('explorer.side.both') },
          { value: 'w', label: sideName('w') },
          { value: 'b', label: sideName('b') },
        ]}
        onChange={(side) => explorer.setFilter({ side: side === 'both' ? null : (side as Side) })}
      />
      <input
        type="search"
        value={filter.name}
        placeholder={te('explorer.name')}
        aria-label={te('explorer.name')}
        maxLength={60}
        onInput={(event) => explorer.setFilter({ name: event.currentTarget.value })}
      />
    </div>
  );
}

/** The names of what both sides have set up. */
function Structures({ session }: { session: Session }) {
  const place = session.rules.variant === 'makruk' ? boardOfFen(session.view.fen) : null;
  const found = place ? structuresOf(place.board) : [];
  const isThai = settings.value.language === 'th';
  return found.length > 0 ? (
    <ul class="explorer-names">
      {found.map(({ side, structure }) => (
        <li key={`${side}${structure.id}`}>
          {sideName(side)}: <strong>{isThai ? structure.th : structure.en}</strong>
        </li>
      ))}
    </ul>
  ) : null;
}

function Moves({ known, isBook, onPlay }: { known: Known; isBook: boolean; onPlay: (uci: string) => void }) {
  const { rows, depth, kilonodes } = known;
  return (
    <>
      <ol class="explorer-moves">
        {rows.map((row) => (
          <Move key={row.uci} row={row} onPlay={onPlay} />
        ))}
      </ol>
      {isBook && (
        <p class="aside">{depth > 0 ? te('explorer.depth', { depth, nodes: kilonodes }) : te('explorer.unsearched')}</p>
      )}
    </>
  );
}

function Move({ row, onPlay }: { row: Row; onPlay: (uci: string) => void }) {
  const { uci, san, score, results, line } = row;
  const [white, draws, black] = results;
  const games = gamesOf(row);
  return (
    <li>
      <button type="button" onClick={() => onPlay(uci)}>
        {san}
      </button>
      <span class="explorer-score">{scoreText(score)}</span>
      <span class="explorer-games aside">{games > 0 && te('explorer.games', { games })}</span>
      {games > 0 && white + draws + black > 0 ? (
        <span class="chances" role="img" aria-label={te('explorer.results', { white, draws, black })}>
          <span class="w" style={{ flexGrow: white }} />
          <span class="d" style={{ flexGrow: draws }} />
          <span class="b" style={{ flexGrow: black }} />
        </span>
      ) : (
        <span />
      )}
      {line.length > 0 && <span class="explorer-line aside">{line.join(' ')}</span>}
    </li>
  );
}

/** The first moves of the game on the board that the book would not have played. */
function Compared({ session, onGo }: { session: Session; onGo: (node: number) => void }) {
  const compared = explorer.compared(session);
  if (!compared || compared.known === 0) {
    return null;
  }
  const { deviations, known } = compared;
  return (
    <section aria-label={te('explorer.compared')}>
      <h2>{te('explorer.compared')}</h2>
      <p>
        {te('explorer.known', { moves: Math.ceil(known / 2) })} {deviations.length === 0 && te('explorer.fine')}
      </p>
      {deviations.length > 0 && (
        <ul class="explorer-deviations">
          {deviations.map(({ side, node, moveNumber: number, san, best, loss }) => (
            <li key={side}>
              <button type="button" onClick={() => onGo(node)}>
                {loss === null
                  ? te('explorer.unknown', { side: sideName(side), number, san, best })
                  : te('explorer.worse', { side: sideName(side), number, san, best, loss: lossText(loss) })}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
