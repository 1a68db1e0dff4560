// The count and the solved endings in words.
import { sideName, t } from '../messages/i18n';
import type { Count, Evaluation, Facts, LegalMove, PositionView, Prospect, Side, Solved } from '../rules/types';
import { other } from '../state/played';

export type Mood = 'good' | 'bad' | 'plain';

export interface Sentence {
  text: string;
  mood: Mood;
}

const plain = (text: string): Sentence => ({ text, mood: 'plain' });

/** Moves of the side to move in so many plies, the first being its own. */
const ownMoves = (plies: number) => Math.ceil(plies / 2);

export function countName(honour: Count['honour']): string {
  return t(honour === 'board' ? 'count.board' : honour === 'pieces' ? 'count.pieces' : 'count.fifty');
}

/** The count in one line: its name, how far it has come, and how many moves are left. */
export function countLine({ count, material, beginning }: PositionView): string {
  if (!count && beginning?.byNextMove) {
    return t('count.line.begins', { moves: beginning.movesLeft });
  }
  if (!count) {
    return t(material[0][0] !== 0 || material[1][0] !== 0 ? 'count.line.bia' : 'count.line.none');
  }
  const name = countName(count.honour);
  if (count.limit === null || count.movesLeft === null) {
    return `${name} · ${t('count.line.stopped')}`;
  }
  return `${name} ${count.number}/${count.limit} · ${t('count.line.left', { moves: count.movesLeft })}`;
}

/** Who counts, how far, and how many moves are left; without a count, when one would begin. */
export function countSentences(view: PositionView): Sentence[] {
  const { count, beginning } = view;
  if (!count && beginning) {
    const { attacker, limit, pieces, movesLeft: moves, byNextMove } = beginning;
    const key = byNextMove ? 'count.begins' : 'count.beginsNever';
    return [plain(t('count.none')), plain(t(key, { attacker: sideName(attacker), limit, pieces, moves }))];
  }
  if (!count) {
    const hasBia = view.material[0][0] !== 0 || view.material[1][0] !== 0;
    const none = plain(t(hasBia ? 'count.none.bia' : 'count.none'));
    const prospects = likely(view).map(({ attacker, limit, movesLeft }) =>
      plain(
        t(movesLeft > 0 ? 'count.prospect' : 'count.prospect.late', {
          attacker: sideName(attacker),
          defender: sideName(other(attacker)),
          moves: movesLeft,
          limit,
        }),
      ),
    );
    return [none, ...prospects];
  }
  const { number, limit, movesLeft, counter, attacker } = count;
  if (limit === null || movesLeft === null) {
    return [plain(counter ? t('count.endless', { side: sideName(counter) }) : t('count.stopped'))];
  }
  const sentences = [
    plain(counter ? t('count.counts', { side: sideName(counter), number, limit }) : t('count.runs', { number, limit })),
    // A count that belongs to neither side is nobody's task.
    plain(
      counter
        ? t('count.left', { side: sideName(attacker), moves: movesLeft })
        : t('count.leftAny', { moves: movesLeft }),
    ),
  ];
  if (count.secondPliesLeft > 0) {
    sentences.push(plain(t('count.second', { moves: Math.floor(count.secondPliesLeft / 2) })));
  }
  return sentences;
}

/** The counts that may begin: those in which the side with fewer pieces would be bare. */
function likely(view: PositionView): Prospect[] {
  const pieces = (side: Side) => view.material[side === 'w' ? 0 : 1].reduce((sum, number) => sum + number, 0);
  return view.prospects.filter(({ attacker }) => pieces(attacker) >= pieces(other(attacker)));
}

/** What the solved endings know: whether the win fits the count, and which moves keep it. */
export function factSentences(view: PositionView, facts: Facts | null): Sentence[] {
  if (!facts?.value || !facts.uncounted || view.outcome) {
    return [];
  }
  const { value, uncounted } = facts;
  const left = view.count?.movesLeft ?? null;
  const attacker = sideName(view.bare ? other(view.bare) : view.turn);
  // The count that the next moves begin is in the value, too.
  const begins = left === null && view.beginning?.byNextMove;
  const sentences: Sentence[] = [];
  if (uncounted.result === 'draw') {
    sentences.push(plain(t('facts.noMate')));
  } else if (value.result === 'win') {
    const moves = ownMoves(value.plies ?? 0);
    const plainText = t(begins ? 'facts.winInTime' : 'facts.win', { moves });
    const text = left === null ? plainText : t('facts.winFits', { moves, left });
    sentences.push({ text, mood: 'good' });
  } else if (value.result === 'loss') {
    const moves = (value.plies ?? 0) / 2;
    const plainText = t(begins ? 'facts.matedInTime' : 'facts.mated.plain', { attacker, moves });
    const text = left === null ? plainText : t('facts.mated', { attacker, moves, left });
    sentences.push({ text, mood: 'bad' });
  } else if (uncounted.result === 'win') {
    const moves = ownMoves(uncounted.plies ?? 0);
    const text = left === null ? t('facts.noTime', { moves }) : t('facts.late', { moves, left });
    sentences.push({ text, mood: 'bad' });
  } else {
    const moves = (uncounted.plies ?? 0) / 2;
    const text =
      left === null ? t('facts.savedNoTime', { attacker, moves }) : t('facts.saved', { attacker, moves, left });
    sentences.push({ text, mood: 'good' });
  }
  sentences.push(...keepingMoves(view, facts, value));
  return sentences;
}

/** The evaluation that the solved endings give, from White's side. */
export function solvedEvaluation(view: PositionView, facts: Facts | null): Evaluation | null {
  const value = facts?.value;
  if (!value || view.outcome) {
    return null;
  }
  if (value.result === 'draw') {
    return { cp: 0 };
  }
  const moves = value.result === 'win' ? ownMoves(value.plies ?? 0) : -(value.plies ?? 0) / 2;
  return { mate: view.turn === 'w' ? moves : -moves };
}

/** How many moves keep what the side to move has. */
function keepingMoves(view: PositionView, facts: Facts, value: Solved): Sentence[] {
  if (value.result === 'loss' || facts.uncounted?.result === 'draw') {
    return [];
  }
  const keeping = facts.moves.filter(([, solved]) => solved.result === value.result);
  const [keep, all] = [keeping.length, facts.moves.length];
  if (value.result === 'draw') {
    return view.bare === view.turn && keep < all ? [plain(t('facts.keepDraw', { keep, all }))] : [];
  }
  if (keep === all) {
    return [plain(t('facts.all'))];
  }
  const name = view.moves.find((move) => move.uci === keeping[0]?.[0])?.san ?? '';
  return [plain(keep === 1 ? t('facts.only', { move: name }) : t('facts.keep', { keep, all }))];
}

/** Moves that throw away what the side to move has. */
export function thrownAway(facts: Facts | null): Set<string> {
  if (!facts?.value || facts.value.result === 'loss') {
    return new Set();
  }
  const rank = { win: 2, draw: 1, loss: 0 };
  const best = rank[facts.value.result];
  return new Set(facts.moves.filter(([, solved]) => rank[solved.result] < best).map(([uci]) => uci));
}

/** What a move does to the count, before it is made. */
export function warning(move: LegalMove, turn: Side, facts: Facts | null): Sentence[] {
  const change = move.count;
  const count = change?.count;
  if (!change || !count) {
    return [];
  }
  const { limit } = count;
  const sentences: Sentence[] = [];
  if (limit === null) {
    return [];
  }
  if (change.what === 'shortens') {
    sentences.push(plain(t('warn.shortens')));
  } else if (count.honour === 'pieces' && move.captured && count.counter !== turn) {
    sentences.push(plain(t('warn.taking', { limit, pieces: change.pieces })));
  } else {
    sentences.push(plain(t('warn.starts', { kind: countName(count.honour), limit })));
  }
  const moves = count.movesLeft ?? 0;
  if (move.outcome?.winner === null) {
    sentences.push({ text: t('warn.atOnce'), mood: 'bad' });
    return sentences;
  }
  const { counter, attacker } = count;
  sentences.push(plain(counter ? t('warn.left', { side: sideName(attacker), moves }) : t('count.leftAny', { moves })));
  const solved = facts?.moves.find(([uci]) => uci === move.uci)?.[1];
  if (solved?.result === 'win') {
    // The move itself is one of the plies.
    sentences.push({ text: t('warn.needs', { moves: Math.floor((solved.plies ?? 1) / 2) }), mood: 'good' });
  } else if (solved?.result === 'draw') {
    const needed = facts?.needs[move.uci];
    const text = needed === undefined ? t('warn.noMate') : t('warn.needsLate', { moves: Math.ceil(needed / 2) });
    sentences.push({ text, mood: 'bad' });
  }
  return sentences;
}
