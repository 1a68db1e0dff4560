// The language of the page is changed once its words are there.
import { type Language, settings } from '../state/settings';
import { toasts } from '../state/toasts';
import { loadWords } from './i18n';

export async function switchLanguage(language: Language, load = loadWords): Promise<void> {
  try {
    await load(language);
  } catch {
    toasts.note('page.failed');
    return;
  }
  settings.set({ language });
}
