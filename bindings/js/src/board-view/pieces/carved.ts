// The default set, after the turned and carved sets of Thai players: khun, khon and met are stupas of three sizes on a
// foot, with three, two and one ring; the rua is a low broad drum under a pointed lid, the maa a horse's head, the bia
// a ringed shell that shows its hollow when it is turned over.
import type { PieceSet } from '../types.js';
import { ellipse, turned } from './lathe.js';

const MAA =
  'M34 83C33 75 38 69 42 63C45 59 45 56 44 54C40 57 36 57 33 60C29 64 22 64 20 59C18 55 20 51 23 47C26 42 27 35 32 29' +
  'C33 25 33 20 32 13C37 15 40 18 42 22C43 18 45 14 48 11C50 15 51 19 51 23C63 27 70 38 71 52C72 63 68 72 67 83Z';
const MAA_FOOT = 'M25 89C25 85 29 83 34 82Q50 86 67 82C72 83 76 85 76 89V93Q50 101 25 93Z';

const SHELL = 'M17 65C17 53 32 45 50 45S83 53 83 65V69C83 79 68 86 50 86S17 79 17 69Z';
const BOWL = 'M17 62C17 51 32 43 50 43S83 51 83 62C83 76 68 86 50 86S17 76 17 62Z';

export const carved: PieceSet = {
  name: 'carved',
  parts: {
    k: turned(
      [
        [0, 3],
        [1.5, 7, 2, 10, 3, 13],
        [6, 14, 6, 18, 4, 19],
        [5, 25, 8, 29, 11, 33],
        [15, 33.5],
        [15, 37.5],
        [12, 38.5],
        [13, 45, 22, 47, 26, 57],
        [33, 58],
        [33, 64],
        [29, 71, 19, 73, 19, 80],
        [20, 83, 31, 84, 32, 88],
        [32, 92],
      ],
      [
        [15, 35],
        [33, 60],
        [19, 80],
        [32, 88.5],
      ],
    ),
    s: turned(
      [
        [0, 13],
        [1.5, 17, 2.5, 20, 4, 23],
        [8, 25, 8, 29, 5, 31],
        [7, 42, 20, 46, 24, 59],
        [31, 60],
        [31, 65.5],
        [27, 72, 18, 74, 18, 80.5],
        [19, 83.5, 28, 84, 29, 88],
        [29, 92],
      ],
      [
        [31, 62],
        [18, 80.5],
        [29, 88.5],
      ],
    ),
    m: turned(
      [
        [0, 24],
        [4.5, 24, 7, 27, 7, 30.5],
        [7, 34, 5.5, 36, 4, 37],
        [6, 46, 16, 50, 19, 62],
        [25, 63],
        [25, 68],
        [22, 74, 14, 76, 14, 82],
        [15, 84.5, 23, 84.5, 24, 88.5],
        [24, 92.5],
      ],
      [
        [25, 64.5],
        [24, 89],
      ],
    ),
    n: [
      { as: 'ground', d: ellipse(54, 92, 29, 5.5) },
      { as: 'body', d: MAA },
      { as: 'shade', d: 'M51 23C63 27 70 38 71 52C72 63 68 72 67 83H57C60 70 62 58 58 45C56 37 51 33 51 23Z' },
      { as: 'rim', d: MAA },
      { as: 'body', d: MAA_FOOT },
      { as: 'shade', d: 'M60 84L67 82C72 83 76 85 76 89V93L60 96.4Z' },
      { as: 'rim', d: MAA_FOOT },
      {
        as: 'line',
        d: 'M51 23C55 33 62 38 61 52M57 29L66 35M61 39L70 46M62 50L71 57M26 89Q50 96 75 89M22 56Q25 58 28 56',
      },
      { as: 'hollow', d: ellipse(38, 37, 2.6, 2.6) },
    ],
    r: turned(
      [
        [0, 31],
        [1.5, 34, 2, 37, 3.5, 39],
        [7, 40, 7, 44, 5, 45],
        [11, 48, 27, 49, 32, 54],
        [38, 55],
        [38, 60.5],
        [35, 61.5],
        [39, 69, 38, 78, 33, 86],
        [33, 89],
      ],
      [
        [38, 56],
        [36.5, 64],
        [34, 84],
      ],
    ),
    p: [
      { as: 'ground', d: ellipse(53, 76, 35, 14) },
      { as: 'body', d: SHELL },
      { as: 'shade', d: 'M62 46C75 49 83 56 83 65V69C83 77 74 83 62 85C72 74 72 58 62 46Z' },
      { as: 'rim', d: SHELL },
      { as: 'line', d: `M17 67C17 77 32 83 50 83S83 77 83 67${ellipse(50, 62, 22, 12)}${ellipse(50, 59, 11, 5.5)}` },
      { as: 'light', d: ellipse(44, 56.5, 4, 1.6) },
    ],
    o: [
      { as: 'ground', d: ellipse(53, 76, 35, 14) },
      { as: 'body', d: BOWL },
      { as: 'shade', d: 'M83 62C83 76 68 86 50 86C60 84 68 80 72 72Z' },
      { as: 'hollow', d: ellipse(50, 62, 26, 14) },
      { as: 'rim', d: BOWL },
      { as: 'line', d: `${ellipse(50, 62, 26, 14)}M31 69Q50 80 69 69M42 72.5Q50 75 58 72.5` },
    ],
  },
};
