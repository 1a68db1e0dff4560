// The moves of a game with variations, comments and marks.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../messages/i18n';
import type { TreeNode } from '../rules/types';
import type { Session } from '../state/session';
import { settings } from '../state/settings';
import { useStores } from '../state/store';
import { walk } from '../state/walk';
import { Button } from './common';
import { Foreign } from './Foreign';
import { GLYPHS, scoreText } from './scores';
import { whereChanged } from './whereChanged';

export interface MoveListProps {
  session: Session;
  onGo: (node: number) => void;
  /** Moves by which a race with the count was lost. */
  races?: Set<number>;
  /** One line of the moves on the way to the board's position and behind it, without comments. */
  isStrip?: boolean;
}

function MoveListView({ session, onGo, races = new Set(), isStrip = false }: MoveListProps) {
  const list = useRef<HTMLElement>(null);
  const { node: current, tree } = session;
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector<HTMLElement>('[aria-current="true"]');
    if (box) {
      showIn(box, here ?? null);
    }
  }, [current, tree.length]);
  const root = session.nodeById(0);
  if (isStrip) {
    const nodes = session.line.slice(1).map((id) => session.nodeById(id));
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
      <section ref={list} class="moves strip" aria-label={t('moves.title')} tabIndex={0}>
        {tree.length === 1 && <span class="empty">{t('moves.none')}</span>}
        <div class="line main">
          {nodes.map(
            (node, at) =>
              node && (
                <MoveItem
                  key={node.id}
                  node={{ ...node, comments: [] }}
                  current={current}
                  onGo={onGo}
                  numbered={at === 0}
                  race={races.has(node.id)}
                />
              ),
          )}
        </div>
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section ref={list} class="moves" aria-label={t('moves.title')} tabIndex={0}>
      {tree.length === 1 && <p class="empty">{t('moves.none')}</p>}
      {commentsOf(root?.comments).map((comment) => (
        <p class="comment" key={comment}>
          <Foreign text={comment} />
        </p>
      ))}
      {root && <Line session={session} after={root} current={current} onGo={onGo} races={races} isMain />}
    </section>
  );
}

export const MoveList = whereChanged(MoveListView, ({ session, races, isStrip }) => [
  session,
  session.node,
  session.version,
  races && [...races].join(),
  isStrip,
]);

/** Those that are shown: the list can be had without comments. */
function commentsOf(comments: readonly string[] = []): readonly string[] {
  return settings.value.comments ? comments : [];
}

/** Scrolls a list, and nothing else, so that an item is in sight; without one to its beginning. */
function showIn(box: HTMLElement, item: HTMLElement | null): void {
  if (!item) {
    box.scrollTo(0, 0);
    return;
  }
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
  if (inner.left < outer.left || inner.right > outer.right) {
    box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

interface LineProps {
  session: Session;
  /** The node behind which the line begins. */
  after: TreeNode;
  current: number;
  onGo: (node: number) => void;
  races: Set<number>;
  isMain?: boolean;
  /** The first move of a variation. */
  first?: TreeNode;
}

/** The moves behind a node; variations stand behind the move that they replace. */
function Line({ session, after, current, onGo, races, isMain = false, first }: LineProps) {
  const rows = [];
  let interrupted = true;
  let at: TreeNode | undefined = first ?? session.nodeById(after.children[0] ?? -1);
  let siblings = first ? [] : after.children.slice(1);
  while (at) {
    const node = at;
    const variations = siblings.map((id) => session.nodeById(id)).filter((one) => one !== undefined);
    rows.push(
      <MoveItem
        key={node.id}
        node={node}
        current={current}
        onGo={onGo}
        numbered={interrupted}
        race={races.has(node.id)}
      />,
    );
    interrupted = commentsOf(node.comments).length > 0 || variations.length > 0;
    for (const variation of variations) {
      rows.push(
        <div class="variation" key={`v${variation.id}`}>
          {commentsOf(variation.commentsBefore).map((comment) => (
            <span class="comment" key={comment}>
              <Foreign text={comment} />{' '}
            </span>
          ))}
          <Line session={session} after={after} first={variation} current={current} onGo={onGo} races={races} />
        </div>,
      );
    }
    siblings = node.children.slice(1);
    at = session.nodeById(node.children[0] ?? -1);
  }
  return <div class={isMain ? 'line main' : 'line'}>{rows}</div>;
}

const COUNT_WORDS = { start: 'count.start', stop: 'count.stop', claim: 'count.claim' } as const;

function MoveItem({
  node,
  current,
  onGo,
  numbered,
  race,
}: {
  node: TreeNode;
  current: number;
  onGo: (node: number) => void;
  numbered: boolean;
  race: boolean;
}) {
  const glyph = node.nags.map((nag) => GLYPHS[nag]).find(Boolean);
  const shown = node.color === 'w' || numbered;
  const kind = node.nags.find((nag) => nag <= 6);
  return (
    <span class={`item ${node.color}`}>
      {shown && <span class="number">{`${node.moveNumber}${node.color === 'w' ? '.' : '…'}`}</span>}
      <button
        type="button"
        class={`move ${kind ? `glyph-${kind}` : ''} ${race ? 'race' : ''}`}
        aria-current={node.id === current ? 'true' : undefined}
        onClick={() => onGo(node.id)}
        title={node.evaluation ? scoreText(node.evaluation) : undefined}
      >
        {node.san}
        {glyph ?? ''}
        {race && <span class="flag" aria-hidden="true" />}
      </button>
      {node.count.map((word) => (
        <span class="comment" key={word}>
          [{t(COUNT_WORDS[word])}]
        </span>
      ))}
      {commentsOf(node.comments).map((comment) => (
        <span class="comment" key={comment}>
          <Foreign text={comment} />
        </span>
      ))}
    </span>
  );
}

/** Buttons to go through a game. */
export function Navigation({
  session,
  onStep,
  onFlip,
  isShort = false,
}: {
  session: Session;
  onStep: (plies: number) => void;
  onFlip: () => void;
  /** Without the buttons to the first and the last position. */
  isShort?: boolean;
}) {
  useStores(walk, settings);
  const isStart = session.node === 0;
  const isEnd = session.isAtEnd;
  const { comments } = settings.value;
  const hasComments = session.tree.some((node) => node.comments.length > 0 || node.commentsBefore.length > 0);
  return (
    <div class="navigation">
      {!isShort && (
        <Button label={t('moves.first')} icon="first" quiet disabled={isStart} onClick={() => onStep(-1_000_000)} />
      )}
      <Button label={t('moves.previous')} icon="back" quiet disabled={isStart} onClick={() => onStep(-1)} />
      <Button label={t('moves.next')} icon="forward" quiet disabled={isEnd} onClick={() => onStep(1)} />
      {!isShort && (
        <Button label={t('moves.last')} icon="last" quiet disabled={isEnd} onClick={() => onStep(1_000_000)} />
      )}
      <span class="through">
        {walk.isRunning ? (
          <Button label={t('moves.through.stop')} icon="stop" quiet pressed onClick={() => walk.stop()} />
        ) : (
          <Button
            label={t('moves.through')}
            icon="play"
            quiet
            disabled={isEnd}
            onClick={() => walk.start(session, () => onStep(1))}
          />
        )}
      </span>
      <Button label={t('play.flip')} icon="flip" quiet onClick={onFlip} />
      {!isShort && hasComments && (
        <Button
          label={t('moves.comments')}
          icon="comment"
          quiet
          pressed={comments}
          onClick={() => settings.set({ comments: !comments })}
        />
      )}
    </div>
  );
}
