// The bytes of a friend's link: whole numbers in groups of seven bits, texts in UTF-8, a checksum, base64url.

/** The bytes are no link, or not a whole one. */
export class DamagedLink extends Error {}

export class ByteWriter {
  private readonly bytes: number[] = [];

  byte(value: number): void {
    this.bytes.push(value & 255);
  }

  /** A whole number from 0 on, the lowest seven bits first. */
  number(value: number): void {
    let rest = Math.floor(value);
    while (rest >= 128) {
      this.bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.bytes.push(rest);
  }

  raw(bytes: Iterable<number>): void {
    for (const byte of bytes) {
      this.bytes.push(byte);
    }
  }

  /** Bytes after their length. */
  block(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.raw(bytes);
  }

  text(value: string): void {
    this.block(new TextEncoder().encode(value));
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) {
      throw new DamagedLink('it ends too early');
    }
    this.at += 1;
    return value;
  }

  /** A number of at most seven groups, which a double holds exactly. */
  number(): number {
    let value = 0;
    for (let group = 0; group < 7; group++) {
      const byte = this.byte();
      value += (byte & 127) * 128 ** group;
      if (byte < 128) {
        return value;
      }
    }
    throw new DamagedLink('a number is too long');
  }

  raw(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) {
      throw new DamagedLink('it ends too early');
    }
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }

  block(): Uint8Array {
    return this.raw(this.number());
  }

  rest(): Uint8Array {
    return this.raw(this.bytes.length - this.at);
  }

  text(most: number): string {
    const bytes = this.block();
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (text.length <= most) {
        return text;
      }
    } catch {
      // Not UTF-8: it is reported below.
    }
    throw new DamagedLink('a text is damaged or too long');
  }
}

/** The FNV-1a hash of bytes, 32 bits. */
export function hashOf(bytes: Iterable<number>, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const byte of bytes) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

const SUM_BYTES = 4;

function sumOf(bytes: Uint8Array): number[] {
  const sum = hashOf(bytes);
  return [sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24];
}

/** Bytes and their checksum as text for an address. */
export function toText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of [...bytes, ...sumOf(bytes)]) {
    text += String.fromCharCode(byte);
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of such a text. Throws DamagedLink if a part is missing or changed. */
export function fromText(text: string): Uint8Array {
  let plain: string;
  try {
    plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new DamagedLink('it holds other letters');
  }
  const all = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  const bytes = all.slice(0, Math.max(0, all.length - SUM_BYTES));
  const sum = sumOf(bytes);
  if (all.length < SUM_BYTES || !sum.every((byte, at) => all[bytes.length + at] === byte)) {
    throw new DamagedLink('the checksum differs');
  }
  return bytes;
}
