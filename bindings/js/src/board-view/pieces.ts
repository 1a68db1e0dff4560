// The nodes of pieces.
import { element, svg } from './dom.js';
import { type Code, figureOf, sideOf } from './geometry.js';
import type { PieceSet } from './types.js';

/** Fills a node with the drawing of a piece. */
export function drawPiece(node: HTMLElement, code: Code, set: PieceSet): void {
  const picture = svg('svg', { viewBox: '0 0 100 100' });
  for (const { as, d, text } of set.parts[figureOf(code)]) {
    if (text === undefined) {
      picture.append(svg('path', { class: `sb-${as}`, d: d ?? '' }));
    } else {
      const letter = svg('text', { class: 'sb-text', x: 50, y: 50 });
      letter.textContent = text;
      picture.append(letter);
    }
  }
  node.className = `sb-piece ${sideOf(code)}`;
  node.dataset.piece = code;
  node.replaceChildren(picture);
}

export function pieceNode(code: Code, set: PieceSet): HTMLElement {
  const node = element('div', '');
  drawPiece(node, code, set);
  return node;
}
