import { sideName, t } from '../messages/i18n';
import type { GameReport } from '../rules/types';
import { Button, Waiting } from './common';
import { Later } from './Later';
import type { ReportDetailsProps } from './lessons/ReportDetails';

const loadDetails = () => import('./lessons/ReportDetails').then(({ ReportDetails }) => ReportDetails);

export interface ReportPanelProps {
  progress: { finished: number; total: number } | null;
  report: GameReport | null;
  /** What its details need; null where there are none. */
  details?: ReportDetailsProps | null;
  /** Whether there is a game to analyse. */
  mayBegin: boolean;
  onBegin: () => void;
  onStop: () => void;
}

/** The report of a game: how to get it, how far it is, what it says. */
export function ReportPanel({ progress, report, details = null, mayBegin, onBegin, onStop }: ReportPanelProps) {
  if (progress) {
    return (
      <section class="panel report" aria-live="polite">
        <p>
          {t('analyse.progress', { ...progress })} {progress.finished === 0 && <Waiting text="" />}
        </p>
        <progress value={progress.finished} max={progress.total} aria-label={t('analyse.game')} />
        <Button label={t('analyse.stop')} onClick={onStop} />
      </section>
    );
  }
  if (!report) {
    return mayBegin ? <Button label={t('analyse.game')} icon="chart" primary onClick={onBegin} /> : null;
  }
  const { sides } = report;
  const rows = [
    ['summary.accuracy', (side: 0 | 1) => `${sides[side].accuracy.toFixed(0)} %`],
    ['summary.doubtful', (side: 0 | 1) => sides[side].doubtful],
    ['summary.mistakes', (side: 0 | 1) => sides[side].mistakes],
    ['summary.blunders', (side: 0 | 1) => sides[side].blunders],
    ['summary.lost', (side: 0 | 1) => `${sides[side].lost.toFixed(1)} %`],
  ] as const;
  const lost = sides.filter(({ races }) => races.length > 0);
  return (
    <section class="panel report" aria-label={t('summary.title')}>
      <h2>{t('summary.title')}</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{sideName('w')}</th>
            <th scope="col">{sideName('b')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, value]) => (
            <tr key={key}>
              <th scope="row">{t(key)}</th>
              <td>{value(0)}</td>
              <td>{value(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lost.length === 0 && <p>{t('summary.noRace')}</p>}
      {lost.map(({ side, races }) => (
        <p key={side} class="mood-bad">
          {t('summary.race', { side: sideName(side), moves: races.join(', ') })}
        </p>
      ))}
      {details && <Later load={loadDetails} props={details} />}
    </section>
  );
}
