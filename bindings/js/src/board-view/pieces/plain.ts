// The set that the page of Sakmak began with: plain figures with an outline.
import type { Part, PieceSet } from '../types.js';
import { ellipse } from './lathe.js';

const body = (d: string): Part[] => [
  { as: 'body', d },
  { as: 'rim', d },
];
const line = (d: string): Part[] => [{ as: 'line', d }];
const dot = (d: string): Part[] => [{ as: 'hollow', d }];
const circle = (x: number, y: number, r: number) => ellipse(x, y, r, r);

/** The back of a cowrie, seen from above and a little turned. */
const SHELL = 'M22 66 C17 50 30 35 52 34 C72 33 84 45 82 60 C80 76 64 85 48 84 C34 83 25 77 22 66 Z';

const PARTS: PieceSet['parts'] = {
  k: [
    ...body('M20 91 H80 C82 84 77 81 71 80 H29 C23 81 18 84 20 91 Z'),
    ...body('M29 80 C31 70 35 63 36 57 H64 C65 63 69 70 71 80 Z'),
    ...body('M32 57 C31 52 34 50 37 50 H63 C66 50 69 52 68 57 Z'),
    ...body('M37 50 C35 41 38 34 44 29 H56 C62 34 65 41 63 50 Z'),
    ...body('M42 29 C41 26 43 24 45 24 H55 C57 24 59 26 58 29 Z'),
    ...body('M45 24 C47 18 49 11 50 3 C51 11 53 18 55 24 Z'),
    ...line('M33 70 H67 M39 40 H61'),
  ],
  m: [
    ...body('M28 91 H72 C74 85 70 82 65 81 H35 C30 82 26 85 28 91 Z'),
    ...body('M35 81 C36 74 39 70 40 66 H60 C61 70 64 74 65 81 Z'),
    ...body('M37 66 C36 62 38 60 41 60 H59 C62 60 64 62 63 66 Z'),
    ...body('M40 60 C39 53 42 49 46 46 H54 C58 49 61 53 60 60 Z'),
    ...body('M46 46 C48 41 49 37 50 31 C51 37 52 41 54 46 Z'),
    ...line('M38 74 H62'),
  ],
  s: [
    ...body('M24 91 H76 C78 84 73 81 68 80 H32 C27 81 22 84 24 91 Z'),
    ...body('M34 80 C33 75 35 73 38 73 H62 C65 73 67 75 66 80 Z'),
    ...body('M50 16 C54 31 71 39 71 55 C71 66 62 73 50 73 C38 73 29 66 29 55 C29 39 46 31 50 16 Z'),
    ...line('M50 30 C42 45 42 60 50 72 M50 30 C58 45 58 60 50 72'),
  ],
  n: [
    ...body('M27 91 H76 C78 84 74 81 69 80 H33 C28 81 25 84 27 91 Z'),
    ...body(
      'M33 80 C33 73 37 68 42 63 C46 59 48 55 48 50 C44 56 38 57 33 61 C29 65 22 65 20 60 C18 56 22 51 25 46 ' +
        'C27 40 29 34 34 29 L33 17 L43 24 C56 24 66 33 69 46 C72 57 71 69 69 80 Z',
    ),
    ...line('M49 29 C58 34 63 45 63 58 M24 57 C26 58 28 58 29 57'),
    ...dot(circle(38, 39, 2.8)),
  ],
  r: [
    ...body('M8 55 C16 60 24 62 34 62 H66 C76 62 84 60 92 55 C91 70 84 82 70 85 H30 C16 82 9 70 8 55 Z'),
    ...body('M32 62 C32 51 39 45 50 45 C61 45 68 51 68 62 Z'),
    ...line('M15 70 C28 74 72 74 85 70 M41 62 V49 M50 62 V45 M59 62 V49'),
  ],
  p: [
    ...body(SHELL),
    ...line('M31 58 C34 47 43 41 55 41'),
    ...line('M29 71 C42 79 64 79 76 68'),
    ...dot(circle(63, 55, 2.4)),
    ...dot(circle(53, 62, 2.8)),
    ...dot(circle(43, 64, 2)),
  ],
  // The promoted bia: the slit between the teeth shows.
  o: [
    ...body(SHELL),
    ...dot('M30 67 C42 55 60 48 75 52 C63 57 47 66 38 75 C34 74 31 71 30 67 Z'),
    ...line(
      'M36 58 L40 63 M44 52 L48 58 M53 48 L57 54 M62 46 L65 52 M46 78 L43 71 M55 75 L51 66 M63 70 L59 61 M70 63 L66 56',
    ),
  ],
};

export const plain: PieceSet = { name: 'plain', parts: PARTS };
