// Names of opening structures: the same as in tools/book/src/names.rs, which has the sources.
import { SQUARES } from '../board/squares';
import type { Side } from '../rules/types';

export interface Structure {
  id: string;
  en: string;
  th: string;
  /** Letters of pieces and White's squares. Black's are turned by 180 degrees. */
  pieces: [string, string][];
}

/** Those of the same pieces exclude one another. */
export const STRUCTURES: Structure[] = [
  {
    id: 'linked-right',
    en: 'Linked maa (right)',
    th: 'ม้าผูก (ม้าโยงขวา)',
    pieces: [
      ['N', 'f3'],
      ['N', 'd2'],
    ],
  },
  {
    id: 'linked-left',
    en: 'Linked maa (left)',
    th: 'ม้าผูกซ้าย',
    pieces: [
      ['N', 'c3'],
      ['N', 'e2'],
    ],
  },
  {
    id: 'paired',
    en: 'Paired maa',
    th: 'ม้าเทียม (ม้าเตี้ย)',
    pieces: [
      ['N', 'd2'],
      ['N', 'e2'],
    ],
  },
  {
    id: 'spread',
    en: 'Spread maa',
    th: 'ม้าถ่างแดก',
    pieces: [
      ['N', 'e2'],
      ['N', 'f3'],
    ],
  },
  {
    id: 'high',
    en: 'Both maa on the third rank',
    th: 'ม้าสูงทั้งคู่',
    pieces: [
      ['N', 'c3'],
      ['N', 'f3'],
    ],
  },
  { id: 'khun-wing', en: 'Khun on the left wing', th: 'ขุนเข้าปีกซ้าย', pieces: [['K', 'b2']] },
  { id: 'khon-low', en: 'Left khon on the second rank', th: 'โคนซ้ายต่ำ', pieces: [['S', 'c2']] },
  { id: 'met-ahead', en: 'Met in the centre', th: 'เม็ดกลาง', pieces: [['M', 'e3']] },
];

function has(board: string, { pieces }: Structure, side: Side): boolean {
  return pieces.every(([letter, square]) => {
    const at = SQUARES.indexOf(square);
    return side === 'w' ? board[at] === letter : board[63 - at] === letter.toLowerCase();
  });
}

/** The structures of both sides on a board, White's first. */
export function structuresOf(board: string): { side: Side; structure: Structure }[] {
  return (['w', 'b'] as const).flatMap((side) =>
    STRUCTURES.filter((one) => has(board, one, side)).map((structure) => ({ side, structure })),
  );
}
