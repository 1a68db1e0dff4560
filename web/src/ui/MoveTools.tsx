import { useState } from 'preact/hooks';
import type { GameRecord } from 'sakmak/study';
import { t } from '../messages/i18n';
import type { Session } from '../state/session';
import { Button } from './common';
import { GLYPHS } from './scores';

/** Comment, mark and order of the move on the board. */
export function MoveTools({
  session,
  onEdit,
  onDelete,
}: {
  session: Session;
  onEdit: (work: (record: GameRecord) => void) => void;
  onDelete: (node: number) => void;
}) {
  const node = session.nodeById(session.node);
  const [isOpen, setOpen] = useState(false);
  if (!node) {
    return null;
  }
  const glyph = node.nags.find((nag) => nag <= 6) ?? 0;
  return (
    <details class="tools" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('analyse.comment.edit')}</summary>
      <textarea
        key={node.id}
        aria-label={t('analyse.comment')}
        rows={2}
        maxLength={2000}
        // What is typed is not overwritten by a redraw.
        defaultValue={node.comments.join(' ')}
        onChange={(event) => {
          const text = event.currentTarget.value;
          onEdit((record) => record.setComment(node.id, text));
        }}
      />
      <div class="row">
        <label class="field inline">
          <span>{t('analyse.glyph')}</span>
          <select
            value={String(glyph)}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value);
              onEdit((record) => record.setGlyph(node.id, chosen));
            }}
          >
            {[0, 1, 2, 3, 4, 5, 6].map((mark) => (
              <option key={mark} value={String(mark)} selected={mark === glyph}>
                {`${GLYPHS[mark] ?? ''} ${t(`analyse.glyph.${mark}` as 'analyse.glyph.0')}`}
              </option>
            ))}
          </select>
        </label>
        <Button label={t('analyse.promote')} icon="up" onClick={() => onEdit((record) => record.promote(node.id))} />
        <Button label={t('analyse.delete')} icon="trash" onClick={() => onDelete(node.id)} />
      </div>
    </details>
  );
}
