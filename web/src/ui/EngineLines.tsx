// The engine's lines. Each move leads to the position after it; a mouse or the keyboard shows that position first.
import { Fragment } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Thumbnail } from '../board/Thumbnail';
import { t } from '../messages/i18n';
import type { SearchLine } from '../rules/types';
import { Icon } from './common';
import { scoreText } from './scores';

/** Moves of a line that are shown. */
const SHOWN_MOVES = 20;

export interface EngineLinesProps {
  lines: SearchLine[];
  flipped: boolean;
  /** The moves of a line up to the chosen one. */
  onPlay: (moves: string[]) => void;
  /** The position after moves. */
  preview: (moves: string[]) => string;
}

/** A button of the list: row and place in it. */
interface Cell {
  row: number;
  column: number;
}

/** A move that is pointed at, and where it stands in the window. */
interface Pointed {
  rank: number;
  at: number;
  top: number;
  left: number;
}

/**
 * All lines are one stop of the Tab key. The arrow keys, Home and End lead from button to button: the score, the moves,
 * and the switch that shows the whole line.
 */
export function EngineLines({ lines, flipped, onPlay, preview }: EngineLinesProps) {
  const list = useRef<HTMLOListElement>(null);
  const [stop, setStop] = useState<Cell>({ row: 0, column: 0 });
  const [unfolded, setUnfolded] = useState<number[]>([]);
  const [pointed, setPointed] = useState<Pointed | null>(null);

  const row = Math.max(0, Math.min(stop.row, lines.length - 1));
  const shownMoves = (line: SearchLine) => line.names.slice(0, Math.min(SHOWN_MOVES, line.moves.length));
  const column = Math.min(stop.column, (lines[row] ? shownMoves(lines[row]).length : 0) + 1);
  const tab = (cell: Cell) => (cell.row === row && cell.column === column ? 0 : -1);

  const choose = (event: MouseEvent, moves: string[]) => {
    setPointed(null);
    setStop({ row: 0, column: 0 });
    if (event.detail === 0) {
      // The lines go, the keys stay here.
      list.current?.focus();
    }
    onPlay(moves);
  };
  const point = (element: Element) => {
    const { rank, at } = (element.closest('.line-move') as HTMLElement | null)?.dataset ?? {};
    const box = list.current?.getBoundingClientRect();
    setPointed(
      rank && at && box
        ? { rank: Number(rank), at: Number(at), top: element.getBoundingClientRect().top, left: box.left }
        : null,
    );
  };
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // After a click the arrow keys go through the game.
    const isOurs = target === list.current || target.matches(':focus-visible');
    if (!isOurs || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const rows = [...(list.current?.children ?? [])].map((item) => [...item.querySelectorAll('button')]);
    const from = rows.findIndex((buttons) => buttons.includes(target as HTMLButtonElement));
    const at = rows[from]?.indexOf(target as HTMLButtonElement) ?? -1;
    const places: Record<string, [number, number]> = {
      ArrowLeft: [from, at - 1],
      ArrowRight: [from, at + 1],
      ArrowUp: [from - 1, at],
      ArrowDown: [from + 1, at],
      Home: [from, 0],
      End: [from, Number.MAX_SAFE_INTEGER],
    };
    const place = from < 0 && rows.length > 0 && event.key.startsWith('Arrow') ? [0, 1] : places[event.key];
    const buttons = rows[place?.[0] ?? -1];
    if (!place || rows.length === 0) {
      return;
    }
    // The keys of the page do not act as well.
    event.preventDefault();
    event.stopPropagation();
    buttons?.[Math.max(0, Math.min(buttons.length - 1, place[1] ?? 0))]?.focus();
  };
  const onFocus = ({ target }: FocusEvent) => {
    const rows = [...(list.current?.children ?? [])];
    const button = target as HTMLElement;
    const to = rows.findIndex((item) => item.contains(button));
    if (to >= 0) {
      setStop({
        row: to,
        column: [...(rows[to]?.querySelectorAll('button') ?? [])].indexOf(button as HTMLButtonElement),
      });
      if (button.matches(':focus-visible')) {
        point(button);
      }
    }
  };

  return (
    <>
      <ol
        ref={list}
        class="lines"
        aria-label={t('analyse.lines')}
        tabIndex={-1}
        onKeyDown={onKey}
        onFocusIn={onFocus}
        onFocusOut={() => setPointed(null)}
        onPointerMove={(event) => event.pointerType === 'mouse' && point(event.target as Element)}
        onPointerLeave={() => setPointed(null)}
      >
        {lines.map((line, at) => {
          const names = shownMoves(line);
          const isWhole = unfolded.includes(line.rank);
          return (
            <li key={line.rank} class={isWhole ? 'whole' : ''}>
              <button
                type="button"
                class="score"
                tabIndex={tab({ row: at, column: 0 })}
                onClick={(event) => choose(event, line.moves.slice(0, 1))}
              >
                {scoreText(line.score)}
              </button>
              <span class="line-moves">
                {names.map((name, ply) => (
                  <Fragment key={ply}>
                    <button
                      type="button"
                      class="line-move"
                      data-rank={line.rank}
                      data-at={ply}
                      tabIndex={tab({ row: at, column: ply + 1 })}
                      onClick={(event) => choose(event, line.moves.slice(0, ply + 1))}
                    >
                      {name}
                    </button>{' '}
                  </Fragment>
                ))}
              </span>
              <button
                type="button"
                class="line-whole"
                aria-label={t('analyse.line.whole')}
                aria-expanded={isWhole}
                tabIndex={tab({ row: at, column: names.length + 1 })}
                onClick={() =>
                  setUnfolded(isWhole ? unfolded.filter((rank) => rank !== line.rank) : [...unfolded, line.rank])
                }
              >
                <Icon name="forward" />
              </button>
            </li>
          );
        })}
      </ol>
      {pointed && <Preview pointed={pointed} lines={lines} flipped={flipped} preview={preview} />}
    </>
  );
}

function Preview({
  pointed,
  lines,
  flipped,
  preview,
}: Pick<EngineLinesProps, 'lines' | 'flipped' | 'preview'> & { pointed: Pointed }) {
  const { rank, at, top, left } = pointed;
  const moves = lines.find((line) => line.rank === rank)?.moves.slice(0, at + 1) ?? [];
  const fen = useMemo(() => {
    try {
      return moves.length > at ? preview(moves) : null;
    } catch {
      return null;
    }
  }, [moves.join()]);
  const last = moves.at(-1);
  return (
    fen &&
    last && (
      <div class="line-preview" style={{ '--line-top': `${top}px`, '--line-left': `${left}px` }}>
        <Thumbnail fen={fen} flipped={flipped} lastMove={{ from: last.slice(0, 2), to: last.slice(2, 4) }} />
      </div>
    )
  );
}
