// Links that hold a whole game: PGN, compressed, behind the `#`. Nothing of it reaches a server.

/** Longest text that a link may unpack to, in characters. */
const MAX_TEXT = 1_000_000;
/** Longest link that is read, in characters. */
const MAX_LINK = 200_000;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** All that a stream gives; an error if it is more than a text may have. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    chunks.push(value);
    length += value.length;
    if (length > MAX_TEXT) {
      await reader.cancel();
      throw new Error('too long');
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return toBase64(await collect(stream));
}

/** The text of a link; null if it is damaged. */
export async function unpack(packed: string): Promise<string | null> {
  if (packed.length > MAX_LINK) {
    return null;
  }
  try {
    const stream = new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream));
  } catch {
    return null;
  }
}

/** The address of the page with another part behind the `#`. */
export function address(part: string): string {
  return `${location.href.split('#')[0]}#${part}`;
}
