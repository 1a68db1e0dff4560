import { t } from '../messages/i18n';
import { Icon } from './common';

/** Leads to the list of all games. */
export function GamesLink() {
  return (
    <a class="button" href="#/games">
      <Icon name="games" />
      <span>{t('games.title')}</span>
    </a>
  );
}
