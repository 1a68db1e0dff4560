// Reads a file of evaluations by ranges of its bytes. docs/evaluations.md, "For the engine", has the format.
import { crc32 } from './explorer-book';

const MAGIC = 'SAKMAKEV';
const VERSION = 1;
const HEADER = 32;
const MOST_RULES = 4_096;
const RECORD = 16;
/** Records that are read at once: 4 KiB. */
const BLOCK = 256;
/** Most blocks of one request. */
const MOST_BLOCKS = 4;
/** Blocks that are kept: 8 MiB. */
const MOST_KEPT = 2_048;
/** Requests of a search by interpolation; then it halves, for files whose keys are not spread evenly. */
const GUESSES = 6;
/** Keys are below this. */
const KEYS = 1n << 64n;

/** What a source gives for a range. It may be shorter where the file ends. */
export interface RangeAnswer {
  bytes: Uint8Array;
  /** Size of the whole file, if it is known. */
  fileBytes?: number;
}

/**
 * Reads the bytes `start` to `end`, `end` left out. `null` once `signal` is aborted, or if there is no such file, or
 * after a problem that the source has reported.
 */
export type ReadRange = (start: number, end: number, signal: AbortSignal) => Promise<RangeAnswer | null>;

/** What is wrong with a file. */
export class FileFault extends Error {
  /** `gone`: the source does not read it, and may have said why. */
  constructor(readonly code: 'format' | 'version' | 'length' | 'damaged' | 'gone') {
    super(code);
  }
}

/** What a search found about a position. */
export interface KnownRecord {
  /** The bits of the best move, and of the second best one; 0 for none. */
  best: number;
  second: number;
  /** For the side to move: centipawns, or moves to mate. */
  score: number;
  isMate: boolean;
  depth: number;
}

/** A record whose place is known, or one of the two ends. */
interface Anchor {
  index: number;
  key: bigint;
}

interface Block {
  data: Promise<DataView | null>;
  signal: AbortSignal;
}

export class EvaluationsFile {
  /** Sorted: the first and the last record of each block that was read. They stay when the block goes. */
  private readonly anchors: Anchor[];
  private readonly blocks = new Map<number, Block>();

  private constructor(
    private readonly read: ReadRange,
    /** Where the records begin, in bytes. */
    private readonly start: number,
    /** The number of positions. */
    readonly size: number,
    /** The rules of the positions: variant, ruleset, and the parts that differ. */
    readonly rules: string,
  ) {
    this.anchors = [
      { index: -1, key: -1n },
      { index: size, key: KEYS },
    ];
  }

  /** Reads the header and checks it. Throws a `FileFault`; returns `null` once `signal` is aborted. */
  static async open(read: ReadRange, signal: AbortSignal): Promise<EvaluationsFile | null> {
    const answer = await read(0, HEADER + MOST_RULES, signal);
    if (signal.aborted) {
      return null;
    }
    if (!answer) {
      throw new FileFault('gone');
    }
    const { bytes, fileBytes } = answer;
    if (bytes.length < HEADER || String.fromCharCode(...bytes.subarray(0, 8)) !== MAGIC) {
      throw new FileFault('format');
    }
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (data.getUint16(8, true) !== VERSION) {
      throw new FileFault('version');
    }
    const length = data.getUint32(12, true);
    const start = HEADER + length;
    const size = Number(data.getBigUint64(16, true));
    const wanted = start + size * RECORD;
    if (length > MOST_RULES) {
      throw new FileFault('damaged');
    }
    // Between origins the size may be hidden; a file that is too short is then found where it ends.
    const isWhole = bytes.length === Math.min(wanted, HEADER + MOST_RULES) && (fileBytes ?? wanted) === wanted;
    if (!isWhole || wanted > Number.MAX_SAFE_INTEGER) {
      throw new FileFault('length');
    }
    const checked = new Uint8Array(HEADER - 4 + length);
    checked.set(bytes.subarray(0, HEADER - 4));
    checked.set(bytes.subarray(HEADER, start), HEADER - 4);
    if (crc32(checked) !== data.getUint32(HEADER - 4, true)) {
      throw new FileFault('damaged');
    }
    return new EvaluationsFile(read, start, size, new TextDecoder().decode(bytes.subarray(HEADER, start)));
  }

  /**
   * The record of a key; `null` if there is none, or once `signal` is aborted. Throws a `FileFault`.
   *
   * The keys are spread evenly, so their places are guessed by interpolation between the nearest known ones (Peterson,
   * 1957). The guess errs by the square root of what lies between them: the first request of a large file misses by
   * some thousand records, the second one finds the place; a file of which much is known needs one.
   */
  async find(key: bigint, signal: AbortSignal): Promise<KnownRecord | null> {
    for (let requests = 0; !signal.aborted; requests++) {
      const [low, high] = this.around(key);
      if (low.key !== key && high.index - low.index < 2) {
        return null;
      }
      const [first, last] = low.key === key ? [low.index, low.index] : guess(key, low, high, requests < GUESSES);
      const data = await this.blocksOf(first, last, signal);
      if (data.some((block) => block === null)) {
        if (signal.aborted) {
          return null;
        }
        throw new FileFault('gone');
      }
      const found = this.lookIn(data as DataView[], Math.floor(first / BLOCK), key);
      if (found !== undefined) {
        return found;
      }
    }
    return null;
  }

  /** The last anchor whose key is not greater, and the next one. */
  private around(key: bigint): [Anchor, Anchor] {
    const at = this.placeOf(({ key: other }) => other > key);
    return [this.anchors[at - 1] as Anchor, this.anchors[at] as Anchor];
  }

  /** The place of the first anchor that is past something. The last one always is. */
  private placeOf(isPast: (anchor: Anchor) => boolean): number {
    let [low, high] = [1, this.anchors.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isPast(this.anchors[middle] as Anchor)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The record of a key if its place is in these blocks; `null` if there is none, undefined if it lies elsewhere. */
  private lookIn(blocks: DataView[], first: number, key: bigint): KnownRecord | null | undefined {
    for (const [number, block] of blocks.entries()) {
      const last = block.byteLength / RECORD - 1;
      const at = rowOf(block, key);
      if (at >= 0) {
        return recordOf(block, at * RECORD);
      }
      const isBehind = block.getBigUint64(last * RECORD, true) < key;
      const isBefore = block.getBigUint64(0, true) > key;
      if (!isBehind && !isBefore) {
        return null;
      }
      if (isBefore) {
        // Between two blocks, or before the first one of the file.
        return number > 0 || first === 0 ? null : undefined;
      }
    }
    return undefined;
  }

  /** The blocks of the records from `first` to `last`. What is missing is read, neighbours in one request. */
  private async blocksOf(first: number, last: number, signal: AbortSignal): Promise<(DataView | null)[]> {
    const [from, to] = [Math.floor(first / BLOCK), Math.floor(last / BLOCK)];
    for (let at = from; at <= to; at++) {
      if (!this.kept(at)) {
        let end = at + 1;
        while (end <= to && !this.kept(end)) {
          end += 1;
        }
        this.request(at, end, signal);
      }
    }
    return Promise.all(Array.from({ length: to - from + 1 }, (_, at) => this.blocks.get(from + at)?.data ?? null));
  }

  /** A block that is there or on its way. It is then the last one to be forgotten. */
  private kept(number: number): boolean {
    const block = this.blocks.get(number);
    this.blocks.delete(number);
    if (!block || block.signal.aborted) {
      return false;
    }
    this.blocks.set(number, block);
    return true;
  }

  /** Asks for the blocks from `from` to `to`, `to` left out. */
  private request(from: number, to: number, signal: AbortSignal): void {
    const [first, end] = [from * BLOCK, Math.min(to * BLOCK, this.size)];
    const all = this.read(this.start + first * RECORD, this.start + end * RECORD, signal).then((answer) => {
      if (!answer) {
        return null;
      }
      const { bytes } = answer;
      if (bytes.length !== (end - first) * RECORD) {
        throw new FileFault('length');
      }
      return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    });
    const never = new AbortController().signal;
    for (let number = from; number < to; number++) {
      const data = all.then((view) => {
        const at = (number - from) * BLOCK * RECORD;
        const part =
          view && new DataView(view.buffer, view.byteOffset + at, Math.min(BLOCK * RECORD, view.byteLength - at));
        if (part) {
          this.note(number, part);
          block.signal = never;
        } else if (this.blocks.get(number) === block) {
          this.blocks.delete(number);
        }
        return part;
      });
      // Whoever waits for it hears of it.
      data.catch(() => this.blocks.delete(number));
      const block: Block = { data, signal };
      this.blocks.set(number, block);
    }
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= MOST_KEPT) {
        break;
      }
      this.blocks.delete(oldest);
    }
  }

  /** Remembers where a block lies. Throws if its records are not in order, among themselves or to what was read. */
  private note(number: number, block: DataView): void {
    const keyAt = (row: number) => block.getBigUint64(row * RECORD, true);
    const last = block.byteLength / RECORD - 1;
    for (let row = 0; row < last; row++) {
      if (keyAt(row) >= keyAt(row + 1)) {
        throw new FileFault('damaged');
      }
    }
    for (const row of new Set([0, last])) {
      const anchor = { index: number * BLOCK + row, key: keyAt(row) };
      const at = this.placeOf(({ index }) => index > anchor.index);
      const [before, after] = [this.anchors[at - 1] as Anchor, this.anchors[at] as Anchor];
      const isThere = before.index === anchor.index;
      if (isThere ? before.key !== anchor.key : before.key >= anchor.key || after.key <= anchor.key) {
        throw new FileFault('damaged');
      }
      if (!isThere) {
        this.anchors.splice(at, 0, anchor);
      }
    }
  }
}

/** The records among which that of a key is looked for: its likely place, give or take two standard deviations. */
function guess(key: bigint, low: Anchor, high: Anchor, isEven: boolean): [number, number] {
  const between = high.index - low.index;
  const share = isEven ? Number(key - low.key) / Number(high.key - low.key) : 0.5;
  const place = low.index + share * between;
  const within = (index: number) => Math.max(low.index + 1, Math.min(high.index - 1, Math.round(index)));
  const spread = 2 * Math.sqrt(between * share * (1 - share));
  const [first, last] = [within(place - spread), within(place + spread)];
  const blocks = Math.floor(last / BLOCK) - Math.floor(first / BLOCK) + 1;
  return blocks <= MOST_BLOCKS ? [first, last] : [within(place), within(place)];
}

/** The row of a key in a block; -1 if it is not there. */
function rowOf(block: DataView, key: bigint): number {
  let [low, high] = [0, block.byteLength / RECORD];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block.getBigUint64(middle * RECORD, true) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low * RECORD < block.byteLength && block.getBigUint64(low * RECORD, true) === key ? low : -1;
}

function recordOf(block: DataView, at: number): KnownRecord {
  const [best, second] = [block.getUint16(at + 8, true), block.getUint16(at + 10, true)];
  const kind = block.getUint8(at + 15);
  if (kind > 1) {
    throw new FileFault('damaged');
  }
  return {
    best,
    second,
    score: block.getInt16(at + 12, true),
    depth: block.getUint8(at + 14),
    isMate: kind === 1,
  };
}
