// Letters on discs, Thai as in score sheets or Latin. The higher the piece, the larger its disc; the rim of a bia is
// single, that of a promoted bia, which moves as a met, broken.
import type { Figure, Part, PieceSet } from '../types.js';
import { ellipse } from './lathe.js';

const RADII: Record<Figure, number> = { k: 44, m: 38, s: 40, n: 40, r: 42, p: 33, o: 33 };

function disc(figure: Figure, text: string): Part[] {
  const radius = RADII[figure];
  const edge = ellipse(50, 50, radius, radius);
  const inner = ellipse(50, 50, radius - 6, radius - 6);
  // Four arcs where the bia lies on its back.
  const r = radius - 6;
  const arcs = [0, 1, 2, 3].map((quarter) => {
    const [a, b] = [(quarter * Math.PI) / 2 + 0.35, ((quarter + 1) * Math.PI) / 2 - 0.35];
    const at = (angle: number) => `${(50 + r * Math.cos(angle)).toFixed(1)} ${(50 + r * Math.sin(angle)).toFixed(1)}`;
    return `M${at(a)}A${r} ${r} 0 0 1 ${at(b)}`;
  });
  return [
    { as: 'body', d: edge },
    { as: 'rim', d: edge },
    { as: 'line', d: figure === 'o' ? arcs.join('') : inner },
    { as: 'text', text },
  ];
}

function letters(name: string, texts: Record<Figure, string>): PieceSet {
  const figures = Object.entries(texts) as [Figure, string][];
  return {
    name,
    parts: Object.fromEntries(
      figures.map(([figure, text]) => [figure, disc(figure, text)]),
    ) as unknown as PieceSet['parts'],
  };
}

/** The letters of Thai score sheets; ง, for the upturned bia, is เบี้ยหงาย. */
export const thai = letters('thai', { k: 'ข', m: 'ม็', s: 'ค', n: 'ม', r: 'ร', p: 'บ', o: 'ง' });

/** The letters of FENs. */
export const latin = letters('latin', { k: 'K', m: 'M', s: 'S', n: 'N', r: 'R', p: 'P', o: 'M' });
