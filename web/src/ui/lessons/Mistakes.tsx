// Learn from my mistakes: those of all analysed games by what they have in common, by the address #/learn/mistakes.
import { useEffect, useState } from 'preact/hooks';
import { games, router } from '../../app';
import { t } from '../../messages/i18n';
import type { TreeNode } from '../../rules/types';
import { type KeptGame, sessionOf } from '../../state/kept';
import { allMistakes, type Group, groupsOf, type KeptMistake } from '../../state/lessons';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/lessons.css';
import { Button } from '../common';
import { Foreign } from '../Foreign';
import { LessonView } from './LessonView';
import { GLYPHS, groupName, lessonText, moveText, tl } from './words';

/** Mistakes of a group that are listed. */
const LISTED = 20;

export function Mistakes() {
  useStores(router, settings);
  const [, ...parts] = router.parts;
  const { language } = settings.value;
  useEffect(() => {
    // After the title of the view.
    queueMicrotask(() => {
      document.title = tl('mistakes.documentTitle');
    });
  }, [language]);
  useEffect(
    () => () => {
      document.title = t('title.learn');
    },
    [],
  );
  return parts[0] ? <LessonView parts={parts} back="learn" /> : <List />;
}

interface All {
  games: number;
  mistakes: KeptMistake[];
}

/** The mistakes of all kept games with a report. */
async function load(): Promise<All> {
  const found = await Promise.all(
    (await games.list()).map(async (game) => ({ game, report: await games.report(game.id) })),
  );
  const analysed = found.flatMap(({ game, report }) => (report ? [{ game, report }] : []));
  return { games: analysed.length, mistakes: allMistakes(analysed) };
}

function List() {
  const [all, setAll] = useState<All | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(setAll, () => setFailed(true));
  }, []);
  const puzzles = usePuzzleNumbers();
  return (
    <div class="page lessons">
      <h1>{tl('mistakes.title')}</h1>
      {hasFailed && <p role="alert">{tl('mistakes.failed')}</p>}
      {all && (
        <p>
          {all.games === 0 ? tl('mistakes.none') : tl('mistakes.lead', { all: all.mistakes.length, games: all.games })}
        </p>
      )}
      {groupsOf(all?.mistakes ?? []).map((group, at) => (
        <GroupPart key={group.id} group={group} isFirst={at === 0} puzzles={puzzles[group.id] ?? 0} />
      ))}
      <Button label={tl('mistakes.learn')} icon="back" onClick={() => router.go('learn')} />
    </div>
  );
}

const address = ({ game, ply }: KeptMistake) => `#/learn/mistakes/${game.id}/${ply}`;

function GroupPart({ group, isFirst, puzzles }: { group: Group; isFirst: boolean; puzzles: number }) {
  const { id, mistakes, open } = group;
  const isOpen = (one: KeptMistake) => !one.retries[one.ply]?.[1];
  const next = mistakes.find(isOpen);
  const [isShown, setShown] = useState(isFirst);
  return (
    <details class="grade" open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <h2>{groupName(id)}</h2>
        <span class="aside">{tl('mistakes.group', { open, all: mistakes.length })}</span>
      </summary>
      <p class="row">
        {next && (
          <a class="button primary" href={address(next)}>
            {tl('mistakes.next')}
          </a>
        )}
        {puzzles > 0 && (
          <a class="button" href={`#/learn/puzzles/theme/${id}`}>
            {tl('mistakes.puzzles', { number: puzzles })}
          </a>
        )}
      </p>
      <ul class="lesson-list">
        {mistakes.slice(0, isShown ? LISTED : 0).map((one) => (
          <li key={`${one.game.id} ${one.ply}`}>
            <p>
              <a href={address(one)}>
                <Foreign text={itemText(one)} />
              </a>{' '}
              {lessonText(one.lesson)} {!isOpen(one) && <span class="aside">{tl('lessons.found')}</span>}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function itemText({ game, ply, glyph, side }: KeptMistake): string {
  const made = madeMove(game, ply);
  const move = made ? `${moveText(made.moveNumber, side, made.san)}${GLYPHS[glyph] ?? ''}` : '';
  return tl('mistakes.item', { white: game.white || '?', black: game.black || '?', move });
}

/** The move `ply` of the main line of a game; undefined if the game cannot be read. */
function madeMove(game: KeptGame, ply: number): TreeNode | undefined {
  try {
    const session = sessionOf(game);
    session.step(ply + 1);
    return session.nodeById(session.node);
  } catch {
    return undefined;
  }
}

/** How many puzzles there are of each theme; none while their list is not there. */
function usePuzzleNumbers(): Record<string, number> {
  const [numbers, setNumbers] = useState<Record<string, number>>({});
  useEffect(() => {
    const count = async () => {
      const [{ source }, { themeCount }] = await Promise.all([
        import('../puzzles/stores'),
        import('../../state/puzzles-pick'),
      ]);
      const index = await source.loadIndex();
      setNumbers(Object.fromEntries(index.themes.map(({ id }, at) => [id, themeCount(index, at)])));
    };
    // Without the list there are no links.
    count().catch(() => {});
  }, []);
  return numbers;
}
