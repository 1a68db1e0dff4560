// The puzzles, by the address #/learn/puzzles/PART.
import { useEffect, useState } from 'preact/hooks';
import { router } from '../../app';
import { t } from '../../messages/i18n';
import type { PuzzleIndex } from '../../state/puzzles-data';
import { themeCount } from '../../state/puzzles-pick';
import type { Mode } from '../../state/puzzles-rounds';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/puzzles.css';
import { Button } from '../common';
import { ProgressView } from './ProgressView';
import { Loads, RoundView } from './RoundView';
import { go, progress, source, themeName, tp } from './stores';

const MODES: readonly string[] = ['rated', 'theme', 'streak', 'storm', 'daily', 'repeat'] satisfies Mode[];

export function Puzzles() {
  useStores(router, settings);
  const [, part = '', theme = ''] = router.parts;
  const { language } = settings.value;
  useEffect(() => {
    // After the title of the view.
    queueMicrotask(() => {
      document.title = tp('puzzles.documentTitle');
    });
  }, [language]);
  useEffect(
    () => () => {
      document.title = t('title.learn');
    },
    [],
  );
  if (MODES.includes(part)) {
    return <RoundView key={`${part} ${theme}`} mode={part as Mode} theme={theme} />;
  }
  return part === 'progress' ? <ProgressView /> : <Menu />;
}

function Teaser({ mode, words = [] }: { mode: Exclude<Mode, 'theme'> | 'progress'; words?: (string | false)[] }) {
  const shown = words.filter(Boolean);
  return (
    <button type="button" class="panel teaser" onClick={() => go(mode)}>
      <strong>{tp(`puzzles.${mode}.title`)}</strong>
      <span>{tp(`puzzles.${mode}.lead`)}</span>
      {shown.length > 0 && <span class="aside">{shown.join(' · ')}</span>}
    </button>
  );
}

function Menu() {
  useStores(settings, progress);
  const { best, rating } = progress.value;
  const { todaySolved, dailyRun } = progress;
  const due = progress.due.length;
  const bestOf = (mode: 'streak' | 'storm') => best[mode] > 0 && tp('puzzles.best', { best: best[mode] });
  const today = todaySolved !== undefined && tp(todaySolved ? 'puzzles.daily.solved' : 'puzzles.daily.failed');
  return (
    <div class="page puzzles">
      <h1>{tp('puzzles.title')}</h1>
      <p class="puzzle-rating">
        {tp('puzzles.rating', { rating: Math.round(rating.rating), deviation: Math.round(rating.deviation) })}
      </p>
      {progress.isDamaged && <p role="status">{tp('puzzles.damaged')}</p>}
      <div class="puzzle-modes">
        <Teaser mode="rated" />
        <Teaser mode="daily" words={[today, dailyRun > 1 && tp('puzzles.daily.run', { days: dailyRun })]} />
        <Teaser mode="repeat" words={[due > 0 ? tp('puzzles.due', { due }) : tp('puzzles.repeat.none')]} />
        <Teaser mode="streak" words={[bestOf('streak')]} />
        <Teaser mode="storm" words={[bestOf('storm')]} />
        <Teaser mode="progress" />
      </div>
      <Themes />
      <Button label={tp('puzzles.learn')} icon="back" onClick={() => router.go('learn')} />
    </div>
  );
}

/** The themes of the list, once its index has come. */
function Themes() {
  const [index, setIndex] = useState<PuzzleIndex | null>(source.index);
  const [bytes, setBytes] = useState(0);
  const [isMissing, setMissing] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setMissing(false);
    source
      .loadIndex((come) => !isLeft && setBytes(come))
      .then(
        (one) => {
          if (!isLeft) {
            progress.use(one.list);
            setIndex(one);
          }
        },
        () => !isLeft && setMissing(true),
      );
    return () => {
      isLeft = true;
    };
  }, [attempt]);
  if (!index) {
    return <Loads isMissing={isMissing} bytes={bytes} onRetry={() => setAttempt(attempt + 1)} />;
  }
  const themes = index.themes
    .map((theme, at) => ({ theme, number: themeCount(index, at) }))
    .filter(({ number }) => number > 0);
  return (
    <section aria-labelledby="puzzle-themes">
      <h2 id="puzzle-themes">{tp('puzzles.themes')}</h2>
      <p>{tp('puzzles.lead', { count: index.count })}</p>
      <ul class="puzzle-themes">
        {themes.map(({ theme, number }) => (
          <li key={theme.id}>
            <button type="button" onClick={() => go('theme', theme.id)}>
              <span>{themeName(theme)}</span> <span class="aside">{number}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
