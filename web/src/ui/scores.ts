// Evaluations as text and as a height.
import type { Evaluation } from '../rules/types';

/** `+0.35`, `−1.20`, `#3`, `#−2`. */
export function scoreText(evaluation: Evaluation | null): string {
  if (!evaluation) {
    return '';
  }
  if (evaluation.mate !== undefined) {
    return `#${evaluation.mate}`.replace('-', '−');
  }
  const cp = evaluation.cp ?? 0;
  return `${cp > 0 ? '+' : cp < 0 ? '−' : ''}${(Math.abs(cp) / 100).toFixed(2)}`;
}

/** White's share of the bar, from 0 to 1. */
export function scoreShare(evaluation: Evaluation | null): number {
  if (!evaluation) {
    return 0.5;
  }
  if (evaluation.mate !== undefined) {
    return evaluation.mate > 0 ? 1 : evaluation.mate < 0 ? 0 : 0.5;
  }
  // 1.00 wins half of the games.
  return 1 / (1 + Math.exp(-(evaluation.cp ?? 0) / 100));
}

export const GLYPHS: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };
