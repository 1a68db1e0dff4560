// Fetches a file with a limit on silence.

/** Milliseconds without a byte after which a server counts as gone; as `timeout` of a `TableSource`. */
const PATIENCE_MS = 10_000;

/**
 * The bytes at an address. Rejects if the server refuses, if it sends nothing for `patience` milliseconds, or with the
 * reason of `signal`.
 */
export async function fetchBytes(address: URL, signal: AbortSignal, patience = PATIENCE_MS): Promise<Uint8Array> {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`no answer within ${patience} ms`));
  let timer = setTimeout(giveUp, patience);
  const leave = () => silence.abort(signal.reason);
  signal.addEventListener('abort', leave);
  if (signal.aborted) {
    leave();
  }
  try {
    const response = await fetch(address, { signal: silence.signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      chunks.push(part.value);
      clearTimeout(timer);
      timer = setTimeout(giveUp, patience);
    }
    return joined(chunks);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
