// The opening book: a file that `sakmak-tools book build` has made. docs/openings.md describes it.
import type { Evaluation } from '../rules/types';

/** The largest file that is read. */
const MOST_BYTES = 4_000_000;
const MAGIC = 'SAKMAKOB';
const VERSION = 1;
/** Length of the header and of an entry of the index. */
const HEADER = 24;
const INDEX = 12;
const CHECKSUM = 4;
const NO_SCORE = -0x8000;
/** Internal units that are 100 centipawns; least score of a mate, and that of a mate in no plies. */
const HUNDRED = 285;
const MATE_BOUND = 31_872;
const MATE = 32_000;

export interface BookMove {
  /** In coordinates. */
  uci: string;
  /** In internal units for the side that makes it; null if only games have it. */
  score: number | null;
  /** Games that White won, that were drawn, that Black won. */
  results: [number, number, number];
}

export interface BookPosition {
  /** For the side to move; null if it was not searched. */
  score: number | null;
  /** Of its own search in plies; 0 without one. */
  depth: number;
  kilonodes: number;
  /** The best one first. */
  moves: BookMove[];
}

/** A score in centipawns or moves to mate, from White's side. */
export function evaluationOf(score: number, turn: 'w' | 'b'): Evaluation {
  const sign = turn === 'w' ? 1 : -1;
  if (Math.abs(score) >= MATE_BOUND) {
    const moves = score > 0 ? Math.ceil((MATE - score) / 2) : -Math.floor((MATE + score) / 2);
    return { mate: sign * moves };
  }
  // No negative zero.
  return { cp: sign * centipawns(score) || 0 };
}

export function centipawns(score: number): number {
  return Math.sign(score) * Math.round((Math.abs(score) * 100) / HUNDRED);
}

export function gamesOf({ results: [white, draws, black] }: Pick<BookMove, 'results'>): number {
  return white + draws + black;
}

/** A book in memory. */
export class OpeningBook {
  private readonly data: DataView;
  private readonly index: number;
  private readonly records: number;
  /** The number of positions. */
  readonly size: number;
  /** How it was made, in English. */
  readonly text: string;

  /** Reads a file whole. An error if it is none, or damaged. */
  constructor(readonly bytes: Uint8Array) {
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = String.fromCharCode(...bytes.subarray(0, 8));
    if (magic !== MAGIC || bytes.length < HEADER + CHECKSUM) {
      throw new Error('not an opening book');
    }
    if (this.data.getUint16(8, true) !== VERSION || bytes[10] !== 0) {
      throw new Error('an opening book of another version or game');
    }
    const [text, positions, records] = [12, 16, 20].map((at) => this.data.getUint32(at, true)) as [
      number,
      number,
      number,
    ];
    const body = bytes.length - CHECKSUM;
    const isWhole = HEADER + text + positions * INDEX + records === body;
    if (!isWhole || crc32(bytes.subarray(0, body)) !== this.data.getUint32(body, true)) {
      throw new Error('the opening book is damaged');
    }
    this.size = positions;
    this.index = HEADER + text;
    this.records = this.index + positions * INDEX;
    this.text = new TextDecoder().decode(bytes.subarray(HEADER, this.index));
  }

  private keyAt(number: number): bigint {
    return this.data.getBigUint64(this.index + number * INDEX, true);
  }

  /** All keys, rising. */
  keys(): bigint[] {
    return Array.from({ length: this.size }, (_, number) => this.keyAt(number));
  }

  /** The position with this key; null if there is none. */
  find(key: bigint): BookPosition | null {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keyAt(middle) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low >= this.size || this.keyAt(low) !== key) {
      return null;
    }
    return this.read(this.records + this.data.getUint32(this.index + low * INDEX + 8, true));
  }

  private read(offset: number): BookPosition {
    const { data } = this;
    let at = offset;
    const score = () => {
      at += 2;
      const value = data.getInt16(at - 2, true);
      return value === NO_SCORE ? null : value;
    };
    /** Seven bits a byte, the lowest first. */
    const varied = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = data.getUint8(at++);
        value += (byte & 0x7f) * factor;
        if (byte < 0x80) {
          return value;
        }
      }
    };
    const count = data.getUint8(at++);
    const depth = data.getUint8(at++);
    const own = score();
    const kilonodes = varied();
    const moves: BookMove[] = [];
    for (let number = 0; number < count; number++) {
      at += 2;
      const uci = moveOf(data.getUint16(at - 2, true));
      moves.push({ uci, score: score(), results: [varied(), varied(), varied()] });
    }
    return { score: own, depth, kilonodes, moves };
  }
}

/** A move by its bits: from, to, and whether a bia becomes a met. */
export function moveOf(bits: number): string {
  const square = (at: number) => `${String.fromCharCode(97 + (at % 8))}${(at >> 3) + 1}`;
  return `${square(bits & 63)}${square((bits >> 6) & 63)}${bits & 0x1000 ? 'm' : ''}`;
}

export function crc32(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, at) => {
    let value = at;
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

/** What the loader needs of the browser. */
export interface BookHost {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Fails where the browser stores nothing. */
  cache: () => Promise<Pick<Cache, 'match' | 'put'>>;
  url: string;
}

/** Loads the book, once; without a network the one of an earlier visit. */
export class BookSource {
  private loading: Promise<OpeningBook> | null = null;

  constructor(private readonly host: BookHost) {}

  /** An error if there is no book; the next call tries again. */
  load(): Promise<OpeningBook> {
    this.loading ??= this.fresh()
      .catch((error: unknown) => this.stored(error))
      .catch((error: unknown) => {
        this.loading = null;
        throw error;
      });
    return this.loading;
  }

  private async fresh(): Promise<OpeningBook> {
    const { host } = this;
    const response = await host.fetch(host.url, { cache: 'no-cache' });
    if (!response.ok) {
      throw new Error(`the host answers ${response.status}`);
    }
    const bytes = await bounded(response);
    const book = new OpeningBook(bytes);
    try {
      await (await host.cache()).put(host.url, new Response(bytes.slice()));
    } catch {
      // Full or forbidden: the next visit needs the network again.
    }
    return book;
  }

  private async stored(error: unknown): Promise<OpeningBook> {
    let response: Response | undefined;
    try {
      response = await (await this.host.cache()).match(this.host.url);
    } catch {
      // As above.
    }
    if (!response) {
      throw error;
    }
    return new OpeningBook(await bounded(response));
  }
}

async function bounded(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MOST_BYTES) {
    throw new Error('the opening book is too large');
  }
  return bytes;
}
