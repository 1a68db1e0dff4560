// Arrows, circles and badges above the pieces.
import { type Dom, svg } from './dom.js';
import { place, toSquare } from './geometry.js';
import type { State } from './state.js';
import type { Mark, Shape, Side } from './types.js';

/** Widths of arrows in units of which a square has 100; other brushes are as wide as the first. */
const WIDTHS: Record<string, number> = { green: 14, other: 9, better: 12, best: 15, hint: 15 };
/** An arrow starts so far from the middle of its square. */
const START = 26;
const RADIUS = 45;

export const shapeKey = ({ orig, dest, brush = 'green' }: Shape): string => `${orig}${dest ?? ''} ${brush}`;

/** The brush of the keys that are held. */
export function brushOf(event: { shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean }): string {
  const [first, second] = [event.shiftKey || event.ctrlKey, event.altKey || event.metaKey];
  return ['green', 'red', 'blue', 'yellow'][Number(first) + 2 * Number(second)] as string;
}

const middle = (name: string, side: Side) => {
  const { x, y } = place(toSquare(name), side);
  return { x: x * 100 + 50, y: y * 100 + 50 };
};

function draw({ orig, dest, brush = 'green' }: Shape, side: Side): SVGElement {
  const group = svg('g', { class: `sb-shape ${brush}` });
  group.style.setProperty('--sb-brush', `var(--sb-brush-${brush})`);
  const { x: x1, y: y1 } = middle(orig, side);
  if (!dest || dest === orig) {
    group.append(svg('circle', { class: 'sb-circle', cx: x1, cy: y1, r: RADIUS }));
    return group;
  }
  const { x: x2, y: y2 } = middle(dest, side);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const width = WIDTHS[brush] ?? 14;
  const [head, wing] = [width * 2.4, width * 1.3];
  // One outline, so that what shines through is as strong everywhere.
  const at = (along: number, aside: number) => `${x1 + dx * along - dy * aside} ${y1 + dy * along + dx * aside}`;
  const [half, neck] = [width / 2, length - head];
  const points = [
    [START, half],
    [neck, half],
    [neck, wing],
    [length, 0],
    [neck, -wing],
    [neck, -half],
    [START, -half],
  ].map(([along, aside]) => at(along as number, aside as number));
  group.append(svg('path', { class: 'sb-arrow', d: `M${points.join('L')}Z` }));
  return group;
}

function badge({ square, kind, glyph }: Mark, side: Side): SVGElement {
  const { x, y } = middle(square, side);
  // In the corner, but never cut off by the edge of the board.
  const [cx, cy] = [Math.min(x + 36, 780), Math.max(y - 36, 20)];
  const group = svg('g', { class: `sb-badge ${kind}` });
  group.style.setProperty('--sb-mark', `var(--sb-mark-${kind})`);
  const text = svg('text', { x: cx, y: cy });
  text.textContent = glyph ?? '';
  group.append(svg('circle', { cx, cy, r: 20 }), text);
  return group;
}

/** Draws shapes and badges; nodes of those that were there stay. */
export class Shapes {
  #nodes = new Map<string, SVGElement>();

  render(dom: Dom, state: State, current: Shape | null): void {
    const { orientation: side, drawable, marks } = state;
    const wanted = new Map<string, () => SVGElement>();
    const all = drawable.visible ? [...drawable.autoShapes, ...drawable.shapes, ...(current ? [current] : [])] : [];
    for (const shape of all) {
      wanted.set(`${side} ${shapeKey(shape)}`, () => draw(shape, side));
    }
    for (const mark of marks) {
      if (mark.glyph) {
        wanted.set(`${side} ${mark.square} ${mark.kind} ${mark.glyph}`, () => badge(mark, side));
      }
    }
    for (const [key, node] of this.#nodes) {
      if (!wanted.has(key)) {
        node.remove();
        this.#nodes.delete(key);
      }
    }
    for (const [key, make] of wanted) {
      if (!this.#nodes.has(key)) {
        const node = make();
        this.#nodes.set(key, node);
        dom.shapes.append(node);
      }
    }
  }
}

/** The list with a shape added, or without it if it was there; one on the same squares is replaced. */
export function toggled(shapes: readonly Shape[], shape: Shape): Shape[] {
  const others = shapes.filter(({ orig, dest }) => orig !== shape.orig || dest !== shape.dest);
  return shapes.some((one) => shapeKey(one) === shapeKey(shape)) ? others : [...others, shape];
}
