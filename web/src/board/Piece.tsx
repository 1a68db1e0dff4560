// The pieces outside of the board: drawn from the same sets, coloured by the board's style sheet.
import { carved, type Figure, type PieceSet } from 'sakmak/board';
import { latin, plain, thai } from 'sakmak/board-sets';
import type { SettingsData } from '../state/settings';

const SETS: Record<SettingsData['pieces'], PieceSet> = { carved, figures: plain, thaiLetters: thai, letters: latin };

export function setOf(name: SettingsData['pieces']): PieceSet {
  return SETS[name];
}

export interface PieceProps {
  /** As in FENs, and `o` for a promoted bia; capitals for White. */
  letter: string;
  set: SettingsData['pieces'];
}

/** A piece on a square of 100 units. */
export function Piece({ letter, set }: PieceProps) {
  const figure = letter.toLowerCase() as Figure;
  return (
    <g class={`sb-figure ${letter === figure ? 'black' : 'white'}`}>
      {SETS[set].parts[figure].map(({ as, d, text }) =>
        text === undefined ? (
          <path key={`${as}${d}`} class={`sb-${as}`} d={d} />
        ) : (
          <text key={text} class="sb-text" x="50" y="50">
            {text}
          </text>
        ),
      )}
    </g>
  );
}
