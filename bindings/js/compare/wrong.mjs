// FENs with faults, of which `validateFen` gives codes.

const BOARD = '4k3/8/8/8/8/8/3M4/4K3';
const TAIL = 'w - - 0 1';

/** FENs on which ffish and the shim agree. */
export const FAULTS = [
  '',
  ' ',
  'x',
  'nonsense',
  `${BOARD} x - - 0 1`,
  `${BOARD} W - - 0 1`,
  ...['a5', 'x', 'q', '-1'].map((count) => `${BOARD} w - ${count} 0 1`),
  ...['-1', 'x', '+5', '1.5'].map((clock) => `${BOARD} w - - ${clock} 1`),
  ...['-1', 'x'].map((number) => `${BOARD} w - - 0 ${number}`),
  ...['2', 'x y'].map((trailing) => `${BOARD} ${TAIL} ${trailing}`),
  ...[
    '8/8/8/8/8/8/3M4/4K3',
    '4k3/8/8/8/8/8/3M4/8',
    '4k3/8/8/8/8/8/3MK3/4K3',
    'kk6/8/8/8/8/8/8/4K3',
    '8/8/8/4k3/4K3/8/8/8',
    '8/8/8/4k3/5K2/8/8/8',
    '4k4/8/8/8/8/8/3M4/4K3',
    '4k2/8/8/8/8/8/3M4/4K3',
    '4k3/8/8/8/8/8/3M4',
    '4k3/8/8/8/8/8/8/3M4/4K3',
    '4k3/9/8/8/8/8/3M4/4K3',
    '4k3/0/8/8/8/8/3M4/4K3',
    '4k3/8/8/8/8/8/4Q3/4K3',
    '4k3/8/8/8/8/8/4?3/4K3',
    '4k3/8/8/8/8/8/3+M4/4K3',
    '4k3/8/8/8/8/8/3ก4/4K3',
    '4k3/8/8/8/8/8/3M4/4K3/',
    'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR[P]',
    '////////',
  ].map((board) => `${board} ${TAIL}`),
];

/** FENs that the shim refuses and ffish takes for right. */
export const LET_PASS_BY_FFISH = [
  BOARD,
  `${BOARD} ww - - 0 1`,
  ...['?', 'R~', 'x'].map((rights) => `${BOARD} w ${rights} - 0 1`),
  `${BOARD} w - 999999 0 1`,
  `${BOARD} w - - 999999 1`,
  ...['4k3/8/8/8/8/8/4R3/4K3', '4k3/8/8/8/8/8/3R~4/4K3', '4k3/8/8/8/8/8/8/P3K3'].map((board) => `${board} ${TAIL}`),
];

/** FENs that the shim reads and ffish refuses. */
export const REFUSED_BY_FFISH = [`${BOARD}  ${TAIL}`, ` ${BOARD} ${TAIL}`, `4k3/44/8/8/8/8/3M4/4K3 ${TAIL}`];
