// What a report teaches, below its summary: mistakes to look at and to try again, turning points, phases, time, counts.

import { useEffect, useState } from 'preact/hooks';
import type { CountRun } from 'sakmak/engine';
import { games } from '../../app';
import { sideName } from '../../messages/i18n';
import type { Side } from '../../rules/types';
import type { Report } from '../../state/analyse';
import {
  type Mistake,
  mistakesOf,
  type Retries,
  retriesOf,
  scoreOf,
  type TimeUse,
  teachingOf,
  timeOf,
  turningPoints,
} from '../../state/lessons';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/lessons.css';
import { GLYPHS, lessonText, movesOf, moveText, timeText, tl, turnText } from './words';

export interface ReportDetailsProps {
  report: Report;
  session: Session;
  /** The entry of the game among the kept ones. */
  id: string;
  onGo: (node: number) => void;
}

export function ReportDetails({ report, session, id, onGo }: ReportDetailsProps) {
  useStores(settings);
  const [retries, setRetries] = useState<Retries>({});
  useEffect(() => {
    void games.report(id).then((kept) => setRetries(kept ? retriesOf(kept) : {}));
  }, [id, report]);
  const { nodes, data } = report;
  const teaching = teachingOf(data);
  const fen = session.record.header().startFen;
  const nameAt = (ply: number) => {
    const node = session.nodeById(nodes[ply + 1] ?? -1);
    return node ? moveText(node.moveNumber, node.color, node.san) : '';
  };
  const go = (ply: number) => onGo(nodes[ply + 1] ?? 0);
  if (!teaching) {
    return <p class="aside">{tl('lessons.old')}</p>;
  }
  const mistakes = mistakesOf(data, fen);
  const turns = turningPoints(data);
  const time = timeOf(session.record.pgn(), fen, data.moves.length);
  const score = scoreOf(
    retries,
    mistakes.map(({ ply }) => ply),
  );
  return (
    <div class="lessons">
      <h3>{tl('lessons.title')}</h3>
      {mistakes.length === 0 && <p>{tl('lessons.none')}</p>}
      {score.tried > 0 && <p role="status">{tl('lessons.score', { ...score, all: mistakes.length })}</p>}
      <ul class="lesson-list">
        {mistakes.map((mistake) => (
          <MistakeItem
            key={mistake.ply}
            mistake={mistake}
            name={nameAt(mistake.ply)}
            id={id}
            right={retries[mistake.ply]?.[1] ?? 0}
            onGo={() => go(mistake.ply)}
          />
        ))}
      </ul>
      <p>
        <a href="#/learn/mistakes">{tl('lessons.learn')}</a>
      </p>
      {turns.length > 0 && (
        <>
          <h3>{tl('lessons.turns')}</h3>
          <ul class="lesson-turns">
            {turns.map(({ ply, change }) => (
              <li key={ply}>
                <button type="button" class="lesson-move" onClick={() => go(ply)}>
                  {turnText(nameAt(ply), change)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{tl('lessons.phases')}</h3>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{sideName('w')}</th>
            <th scope="col">{sideName('b')}</th>
          </tr>
        </thead>
        <tbody>
          {teaching.phases.map(({ kind, accuracy }) => (
            <tr key={kind}>
              <th scope="row">{tl(`lessons.phase.${kind}`)}</th>
              {accuracy.map((share, at) => (
                <td key={at === 0 ? 'w' : 'b'}>{share === null ? '–' : `${share.toFixed(0)} %`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Time time={time} nameAt={nameAt} />
      {teaching.counts.length > 0 && (
        <>
          <h3>{tl('lessons.counts')}</h3>
          {teaching.counts.map((run) => (
            <p key={run.ply}>{countText(run, nameAt(run.ply))}</p>
          ))}
        </>
      )}
    </div>
  );
}

function MistakeItem({
  mistake,
  name,
  id,
  right,
  onGo,
}: {
  mistake: Mistake;
  name: string;
  id: string;
  /** The attempt that was right; 0 for none yet. */
  right: number;
  onGo: () => void;
}) {
  const { ply, glyph, lesson } = mistake;
  const address = `#/analyse/mistake/${id}/${ply}`;
  const title = `${name}${GLYPHS[glyph] ?? ''}`;
  return (
    <li>
      <p>
        <button type="button" class="lesson-move" onClick={onGo}>
          <strong>{title}</strong>
        </button>{' '}
        {lessonText(lesson)}
      </p>
      {id && (
        <p class="row">
          <a class="button" href={`${address}/show`} aria-label={`${tl('lessons.show')}: ${title}`}>
            {tl('lessons.show')}
          </a>
          <a class="button" href={address} aria-label={`${tl('lessons.try')}: ${title}`}>
            {tl('lessons.try')}
          </a>
          {right > 0 && <span class="aside">{tl('lessons.found')}</span>}
        </p>
      )}
    </li>
  );
}

function Time({ time, nameAt }: { time: [TimeUse | null, TimeUse | null]; nameAt: (ply: number) => string }) {
  const line = (use: TimeUse | null, side: Side) =>
    use && (
      <p>
        {tl('lessons.time.used', {
          side: sideName(side),
          total: timeText(use.total),
          longest: timeText(use.longest.seconds),
          move: nameAt(use.longest.ply),
        })}
      </p>
    );
  return time[0] || time[1] ? (
    <>
      <h3>{tl('lessons.time')}</h3>
      {line(time[0], 'w')}
      {line(time[1], 'b')}
    </>
  ) : null;
}

function countText({ began, honour, left, needed, end, unused }: CountRun, move: string): string {
  const begins = tl(`lessons.count.${honour}${began ? '' : 'Start'}`, { move, left: movesOf(left ?? 0) });
  const isEnough = needed !== null && left !== null && needed <= left + 1;
  const time = needed === null ? '' : tl(`lessons.count.${isEnough ? 'enough' : 'short'}`, { needed: movesOf(needed) });
  return [begins, time, tl(`lessons.count.${end}`, { unused: movesOf(unused) })].filter(Boolean).join(' ');
}
