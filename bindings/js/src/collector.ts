/**
 * The collector sees the small objects of dropped boards, not their memory in WebAssembly, and comes ever later: after
 * millions of boards hundreds of thousands wait for it. An empty buffer now and then, which takes no memory since nothing
 * writes to it, has a size that the collector does see.
 * @module
 */

const BOARDS_PER_BUFFER = 2500;
const BUFFER_BYTES = 8 << 20;
/** Boards made, less those freed, since the last buffer. */
let unfreed = 0;
const lastBuffer: { current: ArrayBuffer | null } = { current: null };

/** Notes that a board was made. */
export function boardMade(): void {
  unfreed += 1;
  if (unfreed >= BOARDS_PER_BUFFER) {
    unfreed = 0;
    try {
      lastBuffer.current = new ArrayBuffer(BUFFER_BYTES);
    } catch {
      lastBuffer.current = null;
    }
  }
}

/** Notes that a board was freed by its user. */
export function boardFreed(): void {
  unfreed = Math.max(0, unfreed - 1);
}
