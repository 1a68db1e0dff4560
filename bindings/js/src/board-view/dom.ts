// The elements of a board.

export const SVG = 'http://www.w3.org/2000/svg';

/** An element with a class and attributes. */
export function element(name: string, className: string, attributes: Record<string, string> = {}): HTMLElement {
  const node = document.createElement(name);
  node.className = className;
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, value);
  }
  return node;
}

/** An element of SVG with attributes. */
export function svg(name: string, attributes: Record<string, string | number> = {}): SVGElement {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, String(value));
  }
  return node;
}

/** Sets an attribute if it differs. */
export function attribute(node: Element, name: string, value: string): void {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

export interface Dom {
  /** All that a board adds to its element. */
  root: HTMLElement;
  field: HTMLElement;
  /** The grid that pointers, keyboard and screen readers use. */
  grid: HTMLElement;
  /** Row by row from the upper left. */
  cells: HTMLElement[];
  pieces: HTMLElement;
  shapes: SVGElement;
  /** The names of files, left to right, then of ranks, downwards. */
  names: HTMLElement[];
}

/** Builds an empty board in an element. */
export function build(parent: Element): Dom {
  const root = element('div', 'sakmak-board');
  const field = element('div', 'sb-field');
  const grid = element('div', 'sb-grid', { role: 'grid' });
  const cells: HTMLElement[] = [];
  for (let y = 0; y < 8; y++) {
    const row = element('div', 'sb-row', { role: 'row' });
    for (let x = 0; x < 8; x++) {
      const cell = element('div', '', { role: 'gridcell' });
      cells.push(cell);
      row.append(cell);
    }
    grid.append(row);
  }
  const pieces = element('div', 'sb-pieces', { 'aria-hidden': 'true' });
  const shapes = svg('svg', { class: 'sb-shapes', viewBox: '0 0 800 800', 'aria-hidden': 'true' });
  const files = element('div', 'sb-files', { 'aria-hidden': 'true' });
  const ranks = element('div', 'sb-ranks', { 'aria-hidden': 'true' });
  const names = Array.from({ length: 16 }, (_, at) => {
    const name = element('span', 'sb-name');
    (at < 8 ? files : ranks).append(name);
    return name;
  });
  field.append(grid, pieces, shapes);
  root.append(field, files, ranks);
  parent.append(root);
  return { root, field, grid, cells, pieces, shapes, names };
}
