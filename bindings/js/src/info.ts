/** A score for the side to move: centipawns, or moves to a mate, negative if it is mated. */
export type Score = { cp: number } | { mate: number };

/** A report of a search. */
export interface Info {
  /** Plies. */
  depth: number;
  /** Plies of the longest line. */
  selDepth?: number;
  /** The rank of the line, from 1. */
  multiPv: number;
  score: Score;
  /** Whether the true score may be higher or lower. */
  bound?: 'lower' | 'upper';
  /** Chances to win, draw and lose in thousandths, with the option UCI_ShowWDL. */
  wdl?: [number, number, number];
  nodes: number;
  /** Nodes per second. */
  nps: number;
  /** Milliseconds. */
  time: number;
  /** Thousandths of the transposition table in use. */
  hashFull?: number;
  /** The line, in coordinates. */
  pv: string[];
}

const NUMBERS: Record<string, 'depth' | 'selDepth' | 'multiPv' | 'nodes' | 'nps' | 'time' | 'hashFull'> = {
  depth: 'depth',
  seldepth: 'selDepth',
  multipv: 'multiPv',
  nodes: 'nodes',
  nps: 'nps',
  time: 'time',
  hashfull: 'hashFull',
};

/** The report of a line `info … score … pv …`; `null` for other lines. */
export function parseInfo(line: string): Info | null {
  const words = line.split(' ');
  if (words[0] !== 'info' || words[1] === 'string') {
    return null;
  }
  const info: Info = { depth: 0, multiPv: 1, score: { cp: 0 }, nodes: 0, nps: 0, time: 0, pv: [] };
  let hasScore = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    const name = NUMBERS[word];
    const number = (ahead: number) => Number(words[at + ahead]);
    if (name !== undefined) {
      info[name] = number(1);
    } else if (word === 'score') {
      info.score = words[at + 1] === 'mate' ? { mate: number(2) } : { cp: number(2) };
      hasScore = true;
    } else if (word === 'lowerbound' || word === 'upperbound') {
      info.bound = word === 'lowerbound' ? 'lower' : 'upper';
    } else if (word === 'wdl') {
      info.wdl = [number(1), number(2), number(3)];
    } else if (word === 'pv') {
      info.pv = words.slice(at + 1);
      break;
    }
  }
  return hasScore ? info : null;
}
