// The forms of the package's engine and those of the page.
import type { Endings, Info, Review, SearchPosition } from 'sakmak/engine';
import type { EngineLine, Evaluation, Facts, GameReport, RulesChoice, SearchLine, Side } from '../rules/types';

/** The position of a job or question. */
export function positionOf({ rules, line }: { rules: RulesChoice; line: EngineLine }): SearchPosition {
  const { variant, ruleset, parts } = rules;
  const pairs = parts.split(/\s+/).filter(Boolean);
  const named = {
    ...(variant && { variant }),
    ...(ruleset && { ruleset }),
    parts: Object.fromEntries(pairs.map((pair) => pair.split('=', 2))),
  };
  return { fen: line.fen, moves: line.words, ...named } as SearchPosition;
}

/** The side to move at the end of a line. Words of the count are no moves. */
export function sideToMove({ fen, words }: EngineLine): Side {
  const plies = words.filter((word) => !word.startsWith('count-')).length;
  const isWhite = (fen.split(' ')[1] !== 'b') === (plies % 2 === 0);
  return isWhite ? 'w' : 'b';
}

export type Chances = [number, number, number];

/** Chances of the side to move, from White's side. */
export function whiteChances([win, draw, loss]: Chances, side: Side): Chances {
  return side === 'w' ? [win, draw, loss] : [loss, draw, win];
}

function whiteScore(score: Info['score'], side: Side): Evaluation {
  const sign = side === 'w' ? 1 : -1;
  return 'mate' in score ? { mate: sign * score.mate } : { cp: sign * score.cp };
}

/** A line of a search, with its names in the notation of the page. */
export function lineOf(info: Info, side: Side, names: string[]): SearchLine {
  return {
    rank: info.multiPv,
    depth: info.depth,
    seldepth: info.selDepth ?? info.depth,
    score: whiteScore(info.score, side),
    chances: whiteChances(info.wdl ?? [0, 1000, 0], side),
    nodes: info.nodes,
    time: info.time,
    moves: info.pv,
    names,
  };
}

export function factsOf({ value, withoutCount, pliesLeft, moves, needs }: Endings): Facts {
  return { value, uncounted: withoutCount, left: pliesLeft, moves: Object.entries(moves), needs };
}

export function reportOf({ positions, moves, sides, phases, counts }: Review): GameReport {
  const summary = (side: Side, { lostToCount, inaccuracies, accuracy, ...others }: Review['sides'][0]) => ({
    ...others,
    side,
    doubtful: inaccuracies,
    accuracy: accuracy ?? 0,
    races: lostToCount,
  });
  return {
    positions: positions.map(({ score, ...others }) => ({ ...others, evaluation: score })),
    moves: moves.map(({ lost, nag, finding }) => ({ lost, glyph: nag, race: finding !== null })),
    sides: [summary('w', sides[0]), summary('b', sides[1])],
    teaching: { lessons: moves.map(({ lesson }) => lesson), phases, counts },
  };
}
