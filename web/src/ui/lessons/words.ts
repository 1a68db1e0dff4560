// The facts about mistakes in words.
import type { Lesson, LessonFact, LessonMeans, PieceName } from 'sakmak/engine';
import { sideName, t, translator } from '../../messages/i18n';
import { type LessonsKey, lessonsEn } from '../../messages/lessons-en';
import { lessonsTh } from '../../messages/lessons-th';
import type { Side } from '../../rules/types';

export const tl = translator<LessonsKey>({ en: lessonsEn, th: lessonsTh });

const LETTERS = { bia: 'p', met: 'm', khon: 's', maa: 'n', rua: 'r', khun: 'k' } as const;

const pieceName = (piece: PieceName) => t(`piece.${LETTERS[piece]}`);

function joined(parts: string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : tl('lessons.and', { first: parts.slice(0, -1).join(', '), last });
}

/** Pieces in words, equal ones together; `isNamed` gives single ones an article. */
function pieces(names: PieceName[], isNamed = true): string {
  const kinds = [...new Set(names)];
  const words = kinds.map((kind) => {
    const number = names.filter((name) => name === kind).length;
    const piece = pieceName(kind);
    return number === 1 && !isNamed ? piece : tl(number === 1 ? 'pieces.one' : 'pieces.more', { number, piece });
  });
  return joined(words);
}

function meansText(means: LessonMeans | undefined, isMissed = false): string {
  if (!means) {
    return '';
  }
  switch (means.by) {
    case 'fork':
      return tl('means.fork', { piece: pieceName(means.piece), targets: pieces(means.targets, false) });
    case 'cheaper':
      return tl(isMissed ? 'means.with' : 'means.cheaper', { piece: pieceName(means.piece) });
    default:
      return tl(`means.${means.by}`);
  }
}

export const movesOf = (plies: number) => Math.ceil(plies / 2);

function race(left: number, needed: number | null): string {
  const args = { left: movesOf(left), needed: movesOf(needed ?? 0) };
  return tl(needed === null ? 'race.short' : 'race.known', args);
}

const reasonText = (reason: string) => tl(`reason.${reason}` as LessonsKey);

/** What a move allowed. */
function allowedText(fact: LessonFact): string {
  switch (fact.kind) {
    case 'mate':
      return tl(fact.backRank ? 'allowed.mate.backRank' : 'allowed.mate', { moves: fact.moves });
    case 'material': {
      const args = { lost: pieces(fact.lost), won: pieces(fact.won), means: meansText(fact.means) };
      return tl(fact.won.length > 0 ? 'allowed.trade' : 'allowed.material', args);
    }
    case 'promotion':
      return tl('allowed.promotion');
    case 'draw':
      return tl('allowed.draw', { reason: reasonText(fact.reason) });
    case 'count-begins':
      return tl(`allowed.begins.${fact.cause}`, { race: race(fact.left, fact.needed) });
    case 'count-allowed':
      return tl(`allowed.lets.${fact.cause}`, { race: race(fact.left, fact.needed) });
    case 'race-lost':
      return tl('allowed.race', { race: race(fact.left, fact.needed) });
    case 'hold-lost':
      return tl('allowed.hold', { race: race(fact.left, fact.needed) });
    case 'solved': {
      const isAll = fact.before === 'won' && fact.after === 'lost';
      return tl(isAll ? 'allowed.solved.all' : fact.before === 'won' ? 'allowed.solved.drawn' : 'allowed.solved.lost');
    }
    case 'count-missed':
      return '';
  }
}

/** What it missed. */
function missedText(fact: LessonFact): string {
  switch (fact.kind) {
    case 'mate':
      return tl('missed.mate', { moves: fact.moves });
    case 'material': {
      const args = { lost: pieces(fact.lost), won: pieces(fact.won), means: meansText(fact.means, true) };
      return tl(fact.lost.length > 0 ? 'missed.trade' : 'missed.material', args);
    }
    case 'promotion':
      return tl('missed.promotion');
    case 'draw':
      return tl('missed.draw', { reason: reasonText(fact.reason) });
    case 'count-missed':
      return tl(`missed.count.${fact.cause}`, { left: movesOf(fact.left) });
    default:
      return '';
  }
}

/** What a mistake did, in sentences. */
export function lessonText({ allowed, missed, before, after }: Lesson): string {
  const texts = [...allowed.map(allowedText), ...missed.map(missedText)].filter(Boolean);
  if (texts.length > 0) {
    return texts.join(' ');
  }
  const args = { before: tl(`prospects.${before}`), after: tl(`prospects.${after}`) };
  return tl(before === after ? 'prospects.same' : 'prospects.change', args);
}

/** The name of what mistakes have in common. */
export function groupName(id: string): string {
  const moves = /^mate-(\d)$/.exec(id)?.[1];
  return moves ? tl('group.mate', { moves }) : tl(`group.${id}` as LessonsKey);
}

export const GLYPHS: Record<number, string> = { 6: '?!', 2: '?', 4: '??' };

/** A move with its number: `12. Nd4`, `12… Nd4`. */
export function moveText(number: number, side: Side, move: string): string {
  return tl('lessons.move', { number, dots: side === 'w' ? '.' : '…', move });
}

/** A change of White's points for the side that gains. */
export function turnText(move: string, change: number): string {
  const side = sideName(change > 0 ? 'w' : 'b');
  return tl('lessons.turn', { move, change: `+${Math.round(Math.abs(change))}`, side });
}

/** Seconds as minutes and seconds, or hours. */
export function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
