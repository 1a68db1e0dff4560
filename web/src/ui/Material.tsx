// What a side has more than the other.
import { Piece } from '../board/Piece';
import { t } from '../messages/i18n';
import type { PositionView, Side } from '../rules/types';
import { settings } from '../state/settings';

/** In the order of `PositionView.material`. */
const KINDS = ['p', 'm', 's', 'n', 'r'] as const;

export function Material({ view, side }: { view: PositionView; side: Side }) {
  const [own, their] = side === 'w' ? [view.material[0], view.material[1]] : [view.material[1], view.material[0]];
  const more = KINDS.flatMap((kind, at) =>
    Array.from({ length: Math.max(0, (own[at] ?? 0) - (their[at] ?? 0)) }, () => kind),
  );
  if (more.length === 0) {
    return <span class="material" />;
  }
  const names = more.map((kind) => t(`piece.${kind}`)).join(', ');
  const label = t('analyse.material', { side: t(side === 'w' ? 'white' : 'black'), pieces: names });
  return (
    <span class="material" role="img" aria-label={label} title={label}>
      {more.reverse().map((kind, at) => (
        <svg key={`${kind}${at}`} viewBox="0 0 100 100" aria-hidden="true">
          <Piece letter={side === 'w' ? kind.toUpperCase() : kind} set={settings.value.pieces} />
        </svg>
      ))}
    </span>
  );
}
