// The visitor's progress: the rating as a line, numbers, export and import.
import { useState } from 'preact/hooks';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Button } from '../common';
import { dateText } from '../dateText';
import { download } from '../download';
import { FileButton } from '../FileButton';
import { go, progress, tp } from './stores';

const WIDTH = 600;
const HEIGHT = 160;
/** Least range of the graph, in points of rating. */
const LEAST_SPAN = 200;
/** An export of all puzzles has a twentieth of that. */
const MOST_BYTES = 10_000_000;

export function ProgressView() {
  useStores(progress, settings);
  const [imported, setImported] = useState<'' | 'imported' | 'notImported'>('');
  const take = async (file: File) => {
    const isRead = file.size <= MOST_BYTES && progress.importText(await file.text());
    setImported(isRead ? 'imported' : 'notImported');
  };
  const { rating, rated, ratings, best, tried } = progress.value;
  const waiting = Object.values(tried).filter(({ repeat }) => repeat).length;
  const numbers = [
    ['puzzles.tried', progress.triedCount],
    ['puzzles.triedSolved', progress.solvedCount],
    ['puzzles.ratedNumber', rated],
    ['puzzles.waiting', waiting],
    ['puzzles.bestStreak', best.streak],
    ['puzzles.bestStorm', best.storm],
  ] as const;
  const save = () => download('sakmak-puzzles.json', new Blob([progress.exportText()], { type: 'application/json' }));
  return (
    <div class="page puzzles">
      <h1>
        <a href="#/learn/puzzles">{tp('puzzles.title')}</a> · {tp('puzzles.progress.title')}
      </h1>
      <p class="puzzle-rating">
        {tp('puzzles.rating', { rating: Math.round(rating.rating), deviation: Math.round(rating.deviation) })}
      </p>
      {progress.isRefused && <p role="alert">{tp('puzzles.refused')}</p>}
      <section class="panel">
        {ratings.length < 2 ? <p>{tp('puzzles.graph.none')}</p> : <RatingGraph ratings={ratings} />}
      </section>
      <dl class="puzzle-numbers">
        {numbers.map(([key, number]) => (
          <div key={key}>
            <dt>{tp(key)}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      <p role="status">{imported && tp(`puzzles.${imported}`)}</p>
      <div class="row">
        <Button label={tp('puzzles.export')} icon="download" onClick={save} />
        <FileButton label={tp('puzzles.import')} accept=".json,application/json" onFile={take} />
        <Button label={tp('puzzles.all')} icon="back" onClick={() => go()} />
      </div>
    </div>
  );
}

/** One point for each rated puzzle. */
function RatingGraph({ ratings }: { ratings: [number, number][] }) {
  const values = ratings.map(([, rating]) => rating);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0, LEAST_SPAN - (high - low)) / 2 + 20;
  const [bottom, top] = [low - spare, high + spare];
  const x = (at: number) => ((at / (values.length - 1)) * WIDTH).toFixed(1);
  const y = (rating: number) => (HEIGHT * (1 - (rating - bottom) / (top - bottom))).toFixed(1);
  const line = values.map((rating, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(rating)}`).join(' ');
  const lines = Array.from({ length: Math.floor(top / 100) - Math.ceil(bottom / 100) + 1 }, (_, at) => {
    return (Math.ceil(bottom / 100) + at) * 100;
  });
  const [first, last] = [dateText(ratings[0]?.[0] ?? 0), dateText(ratings.at(-1)?.[0] ?? 0)];
  return (
    <figure class="puzzle-graph">
      <div class="puzzle-scale" aria-hidden="true">
        <span>{Math.round(top)}</span>
        <span>{Math.round(bottom)}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={tp('puzzles.graph', { first, last, low, high })}
      >
        {lines.map((rating) => (
          <path
            key={rating}
            d={`M0 ${y(rating)} H${WIDTH}`}
            class="puzzle-hundred"
            vector-effect="non-scaling-stroke"
          />
        ))}
        <path d={line} class="graph-line" vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  );
}
