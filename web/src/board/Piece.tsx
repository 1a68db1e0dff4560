import type { Side } from '../rules/types';
import { COLOURS, INNER, LETTERS, THAI } from './shapes';

export interface PieceProps {
  /** As in FENs, and `o` for a promoted bia; capitals for White. */
  letter: string;
  set: 'thai' | 'letters';
}

export function sideOf(letter: string): Side {
  return letter === letter.toUpperCase() ? 'w' : 'b';
}

/** A piece on a square of 100 units. */
export function Piece({ letter, set }: PieceProps) {
  const side = sideOf(letter);
  const kind = letter.toLowerCase();
  const colours = COLOURS[side];
  if (set === 'letters') {
    return (
      <g>
        <circle cx="50" cy="50" r="37" fill={colours.body} stroke={colours.line} stroke-width="4" />
        <circle cx="50" cy="50" r="31" fill="none" stroke={INNER[side]} stroke-width="1.5" />
        <text
          x="50"
          y="66"
          text-anchor="middle"
          font-family="system-ui, sans-serif"
          font-size="44"
          font-weight="700"
          fill={side === 'w' ? '#2c1a0a' : '#fbeed6'}
        >
          {LETTERS[kind]}
        </text>
        {kind === 'o' && (
          <path
            d="M34 73 q8 -6 16 0 t16 0"
            fill="none"
            stroke={side === 'w' ? '#2c1a0a' : '#fbeed6'}
            stroke-width="3"
          />
        )}
      </g>
    );
  }
  return (
    <g stroke-linejoin="round" stroke-linecap="round">
      {(THAI[kind] ?? []).map(({ d, as }) => (
        <path
          key={d}
          d={d}
          fill={as === 'body' ? colours.body : as === 'dot' ? INNER[side] : 'none'}
          stroke={as === 'body' ? colours.line : as === 'line' ? INNER[side] : 'none'}
          stroke-width={as === 'body' ? 3 : 2.4}
        />
      ))}
    </g>
  );
}
