// The views that are not part of the first load.
import type { View } from '../app';
import { type Load, loadPart } from './Later';

export const VIEWS_LATER = {
  analyse: () => import('./AnalyseView').then(({ AnalyseView }) => AnalyseView),
  learn: () => import('./LearnView').then(({ LearnView }) => LearnView),
  rules: () => import('./RulesView').then(({ RulesView }) => RulesView),
  games: () => import('./GamesView').then(({ GamesView }) => GamesView),
  friend: () => import('./friend/Friend').then(({ Friend }) => Friend),
};

/** Loads what a view needs. */
export async function loadView(view: View): Promise<void> {
  if (view !== 'play') {
    await loadPart(VIEWS_LATER[view] as Load<object>);
  }
}
