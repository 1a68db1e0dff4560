// The board as a picture of its own.
import { render } from 'preact';
import { BoardPicture } from '../board/BoardPicture';
import { withPromoted } from '../board/squares';
import type { Session } from '../state/session';
import { settings } from '../state/settings';

const SIZE = 800;
/** The style rules that a picture needs, and no other. */
const RULES = /\.(picture-|sb-figure|sb-(ground|body|shade|light|hollow|line|rim|text)\b)/;

/** The rules of the page's style sheets for pictures, with the colours that the board has now. */
function styles(): string {
  const board = document.querySelector('.sakmak-board') ?? document.body;
  const colours = getComputedStyle(board);
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule && RULES.test(rule.selectorText));
  return rules
    .map((rule) => rule.cssText.replace(/var\((--sb-[\w-]+)\)/g, (_, name: string) => colours.getPropertyValue(name)))
    .join('\n');
}

/** The board as the text of an SVG file. */
export function boardSvg(session: Session, flipped: boolean): string {
  const { view } = session;
  const { pieces, board, notation } = settings.value;
  const box = document.createElement('div');
  render(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE}>
      <title>{view.fen}</title>
      <style>{styles()}</style>
      <BoardPicture
        kind={board}
        set={pieces}
        board={withPromoted(view.board, view.promoted)}
        flipped={flipped}
        coordinates={notation.startsWith('thai') ? 'thai' : 'latin'}
        lastMove={session.lastMove}
      />
    </svg>,
    box,
  );
  const svg = box.firstElementChild;
  const text = svg ? new XMLSerializer().serializeToString(svg) : '';
  render(null, box);
  return text;
}

/** The board as a PNG file. */
export async function boardPng(session: Session, flipped: boolean): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([boardSvg(session, flipped)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SIZE;
    canvas.height = SIZE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, SIZE, SIZE);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}
