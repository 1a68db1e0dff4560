// Turned figures: their outline, shade and light from one half of the outline.
import type { Part } from '../types.js';

/** A point of the half outline: distance from the axis, and height from the upper edge; six numbers are a curve. */
export type Step = readonly [number, number] | readonly [number, number, number, number, number, number];

const AXIS = 50;
/** How far a ring hangs in its middle, as part of its width: the figures are seen a little from above. */
const HANG = 0.16;
const round = (value: number) => Math.round(value * 10) / 10;
const point = (factor: number, x: number, y: number) => `${round(AXIS + factor * x)} ${round(y)}`;

/** The steps downwards, `factor` times as wide. */
function down(steps: readonly Step[], factor: number): string {
  return steps
    .map((step) => {
      const pairs: string[] = [];
      for (let at = 0; at < step.length; at += 2) {
        pairs.push(point(factor, step[at] as number, step[at + 1] as number));
      }
      return `${step.length === 2 ? 'L' : 'C'}${pairs.join(' ')}`;
    })
    .join('');
}

/** The same steps from the last point back to the first. */
function up(steps: readonly Step[], factor: number): string {
  const ends = steps.map((step) => step.slice(-2) as [number, number]);
  let path = '';
  for (let at = steps.length - 1; at > 0; at--) {
    const step = steps[at] as Step;
    const [x, y] = ends[at - 1] as [number, number];
    const curve = step.length === 6 ? `${point(factor, step[2], step[3])} ${point(factor, step[0], step[1])} ` : '';
    path += `${curve ? 'C' : 'L'}${curve}${point(factor, x, y)}`;
  }
  return path;
}

/** The path between two multiples of the half outline. */
function between(steps: readonly Step[], left: number, right: number): string {
  const [width, bottom] = (steps[steps.length - 1] as Step).slice(-2) as [number, number];
  const hang = (factor: number) => bottom + HANG * width * Math.sqrt(Math.max(0, 1 - factor * factor));
  const middle = (left + right) / 2;
  const foot = `Q${point(middle, width, 2 * hang(middle) - (hang(left) + hang(right)) / 2)} ${point(left, width, hang(left))}`;
  return `M${down(steps, right).slice(1)}L${point(right, width, hang(right))}${foot}L${point(left, width, bottom)}${up(steps, left)}Z`;
}

/** A ring around the figure. */
export function ring(width: number, y: number): string {
  return `M${point(-width, 1, y)}Q${point(0, 1, y + 2 * HANG * width)} ${point(width, 1, y)}`;
}

/** A figure by the right half of its outline, from the tip down to the foot, and its rings. */
export function turned(steps: readonly Step[], rings: readonly (readonly [number, number])[]): Part[] {
  const [width, bottom] = (steps[steps.length - 1] as Step).slice(-2) as [number, number];
  return [
    { as: 'ground', d: ellipse(AXIS + 4, bottom, width + 3, HANG * width) },
    { as: 'body', d: between(steps, -1, 1) },
    { as: 'shade', d: between(steps, 0.36, 1) },
    { as: 'light', d: between(steps, -0.72, -0.42) },
    { as: 'rim', d: between(steps, -1, 1) },
    { as: 'line', d: rings.map(([width, y]) => ring(width, y)).join('') },
  ];
}

/** An ellipse. */
export function ellipse(x: number, y: number, rx: number, ry: number): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
}
