import { timeOf } from '../state/puzzles-pick';
import { settings } from '../state/settings';

/** A day, counted as the daily puzzle counts them, in words. */
export function dateText(day: number): string {
  const language = settings.value.language === 'th' ? 'th-TH' : 'en-GB';
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(timeOf(day));
}
