// Files of evaluations for tests and measurements, written from docs/evaluations.md.
import { crc32 } from 'node:zlib';

export const RULES = 'makruk fairy-stockfish';

/** The bits of a move in coordinates. */
export function bitsOf(uci) {
  const square = (text) => text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1);
  return square(uci) | (square(uci.slice(2)) << 6) | (uci.length > 4 ? 0x1000 : 0);
}

/** The keys of a position and of those after its moves, `{key, moves}`: null and none where the game is over. */
export function positionKeys(record, node) {
  const numbers = [...record.evaluationKeys(node)];
  const keys = [];
  while (numbers.length > 0) {
    const [flags, low, high, count] = numbers.splice(0, 4);
    keys.push({ key: flags & 2 ? (BigInt(high) << 32n) + BigInt(low) : null, moves: numbers.splice(0, count) });
  }
  return keys;
}

/**
 * A file with these records, `{best, second, score, isMate, depth}` by their key; `keys`, a sorted BigUint64Array, adds
 * records that nobody looks for.
 */
export function fileOf(records, { rules = RULES, keys = new BigUint64Array(0) } = {}) {
  const wanted = new Map(records);
  const all = new BigUint64Array(keys.length + wanted.size);
  all.set(keys);
  all.set([...wanted.keys()], keys.length);
  all.sort();
  const text = Buffer.from(rules);
  const file = Buffer.alloc(32 + text.length + 16 * all.length);
  let at = 32 + text.length;
  for (const key of all) {
    const { best = 1 << 6, second = 0, score = 0, isMate = false, depth = 1 } = wanted.get(key) ?? {};
    file.writeBigUInt64LE(key, at);
    file.writeUInt16LE(best, at + 8);
    file.writeUInt16LE(second, at + 10);
    file.writeInt16LE(score, at + 12);
    file.writeUInt8(depth, at + 14);
    file.writeUInt8(isMate ? 1 : 0, at + 15);
    at += 16;
  }
  file.write('SAKMAKEV', 'latin1');
  file.writeUInt16LE(1, 8);
  file.writeUInt32LE(text.length, 12);
  file.writeBigUInt64LE(BigInt(all.length), 16);
  file.writeUInt32LE(crc32(file.subarray(32 + text.length)), 24);
  text.copy(file, 32);
  file.writeUInt32LE(crc32(Buffer.concat([file.subarray(0, 28), text])), 28);
  return file;
}

/** Evenly spread keys, sorted. The same ones each time: SplitMix64 of their numbers. */
export function keysOf(count) {
  const keys = new BigUint64Array(count);
  for (let at = 0; at < count; at++) {
    let key = BigInt.asUintN(64, BigInt(at + 1) * 0x9e3779b97f4a7c15n);
    key = BigInt.asUintN(64, (key ^ (key >> 30n)) * 0xbf58476d1ce4e5b9n);
    key = BigInt.asUintN(64, (key ^ (key >> 27n)) * 0x94d049bb133111ebn);
    keys[at] = key ^ (key >> 31n);
  }
  return keys.sort();
}
