// Conditional moves: "if he plays X, I answer Y", as a tree. In a link each answer is sealed with the move that it
// answers. That hides it from the eye; a program that tries all legal moves finds it.
import { ByteReader, ByteWriter, DamagedLink, hashOf } from './friend-bytes';
import { type FriendLog, numbered, replayed } from './friend-log';

export interface PlanLine {
  /** The move of the other side, in coordinates. */
  move: string;
  /** The answer to it. */
  answer: string;
  next: PlanLine[];
}

/** The longest sealed plan in bytes, and the most answers in a row. */
export const MOST_PLAN = 2_000;
export const MOST_DEPTH = 10;

/** A plan with one more line of moves: theirs, ours, theirs, ours. A new answer to a move replaces the old one. */
export function withLine(plan: readonly PlanLine[], moves: readonly string[]): PlanLine[] {
  const [theirs, ours, ...rest] = moves;
  if (theirs === undefined || ours === undefined) {
    return [...plan];
  }
  const old = plan.find((line) => line.move === theirs && line.answer === ours);
  const line = { move: theirs, answer: ours, next: withLine(old?.next ?? [], rest) };
  const at = plan.findIndex((one) => one.move === theirs);
  return at < 0 ? [...plan, line] : plan.map((one, index) => (index === at ? line : one));
}

/** A plan without the line that a path of moves leads to. */
export function withoutLine(plan: readonly PlanLine[], moves: readonly string[]): PlanLine[] {
  const [theirs, , ...rest] = moves;
  return plan.flatMap((line) => {
    if (line.move !== theirs) {
      return [line];
    }
    return rest.length === 0 ? [] : [{ ...line, next: withoutLine(line.next, rest) }];
  });
}

/** All lines to their ends, as moves in turn. */
export function linesOf(plan: readonly PlanLine[]): string[][] {
  return plan.flatMap((line) => {
    const rest = line.next.length > 0 ? linesOf(line.next) : [[]];
    return rest.map((moves) => [line.move, line.answer, ...moves]);
  });
}

/** What moves of both sides leave of a plan. */
export interface Followed {
  plan: PlanLine[];
  /** The answer that is due now. */
  due: string | null;
}

/** Follows a plan along moves, the other side's first; null where an answer is not the plan's. */
export function follow(plan: PlanLine[], moves: readonly string[]): Followed | null {
  let [at, due]: [PlanLine[], PlanLine | null] = [plan, null];
  for (const [index, move] of moves.entries()) {
    if (index % 2 === 0) {
      due = at.find((line) => line.move === move) ?? null;
      at = due?.next ?? [];
    } else if (due?.answer !== move) {
      return null;
    } else {
      due = null;
    }
  }
  return { plan: at, due: due?.answer ?? null };
}

/** The key of an answer: game, place in it, and the move that is answered. */
function keyOf(log: FriendLog, move: string): number {
  return hashOf(new TextEncoder().encode(`${log.header.id} ${log.plies} ${move}`));
}

const tagOf = (key: number) => hashOf([key & 255, key >>> 24], key) & 0xffff;

/** Bytes mixed with a stream that a key begins (xorshift32); the same again gives them back. */
function mixed(bytes: Uint8Array, key: number): Uint8Array {
  let state = key || 1;
  return bytes.map((byte) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return byte ^ (state & 255);
  });
}

/** A plan for the end of a game, sealed for a link. Lines with an illegal move are left out. */
export function sealed(log: FriendLog, plan: readonly PlanLine[], depth = 0): Uint8Array {
  const out = new ByteWriter();
  for (const line of depth < MOST_DEPTH ? plan : []) {
    try {
      const key = keyOf(log, line.move);
      const after = replayed(log);
      after.add({ what: 'move', uci: line.move });
      const inner = new ByteWriter();
      const number = numbered(after.view).indexOf(line.answer);
      after.add({ what: 'move', uci: line.answer });
      inner.number(number);
      inner.raw(sealed(after, line.next, depth + 1));
      const tag = tagOf(key);
      out.byte(tag & 255);
      out.byte(tag >> 8);
      out.block(mixed(inner.done(), key));
    } catch {
      // The move is not legal, or the game is over before it.
    }
  }
  const bytes = out.done();
  return bytes.length > MOST_PLAN ? new Uint8Array() : bytes;
}

/** The answer that a sealed plan has to a move at the end of a game, and what is left of the plan then. */
export function unsealed(log: FriendLog, plan: Uint8Array, move: string): { answer: string; rest: Uint8Array } | null {
  const key = keyOf(log, move);
  const tag = tagOf(key);
  const input = new ByteReader(plan);
  try {
    while (!input.isAtEnd) {
      const isIt = (input.byte() | (input.byte() << 8)) === tag;
      const block = input.block();
      if (isIt) {
        const inner = mixed(block, key);
        const reader = new ByteReader(inner);
        const number = reader.number();
        const after = replayed(log);
        after.add({ what: 'move', uci: move });
        const answer = numbered(after.view)[number];
        return answer === undefined || after.result ? null : { answer, rest: reader.rest() };
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedLink)) {
      throw error;
    }
  }
  return null;
}
