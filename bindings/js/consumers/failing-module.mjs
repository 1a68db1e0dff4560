// A module in place of sakmak-threads.wasm whose threads fail, as after a panic.

/** A module with the session's functions, whose threads fail. Its `step` says that there is more to do. */
export function failingModule() {
  const [I32, FUNCTION, MEMORY, SHARED] = [0x7f, 0, 2, 3];
  const text = (name) => [name.length, ...new TextEncoder().encode(name)];
  const section = (id, items) => {
    const length = items.flat().length + 1;
    return [id, (length & 0x7f) | 0x80, length >> 7, items.length, ...items.flat()];
  };
  const types = [
    [[], []],
    [[], [I32]],
    [[I32], [I32]],
    [[I32, I32], []],
  ];
  const value = (number) => [0x41, number];
  // Of each function its name, its type and its code.
  const functions = [
    ['_initialize', 0, []],
    ['sakmak_new', 1, value(0)],
    ['sakmak_input', 2, value(16)],
    // Starts a thread.
    ['sakmak_command', 1, [...value(0), 0x10, 0, 0x1a, ...value(1)]],
    ['sakmak_step', 2, value(1)],
    ['sakmak_finish', 0, []],
    ['sakmak_load_network', 2, value(0)],
    ['sakmak_take', 1, value(0)],
    ['sakmak_answers', 1, value(0)],
    ['sakmak_output', 1, value(0)],
    // `unreachable`, as at the end of a panic.
    ['wasi_thread_start', 3, [0x00]],
  ];
  const imports = [
    [...text('env'), ...text('memory'), MEMORY, SHARED, 0x80, 0x02, 0x80, 0x80, 0x04],
    [...text('wasi'), ...text('thread-spawn'), FUNCTION, 2],
  ];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      types.map(([from, to]) => [0x60, from.length, ...from, to.length, ...to]),
    ),
    ...section(2, imports),
    ...section(
      3,
      functions.map(([, type]) => [type]),
    ),
    ...section(
      7,
      functions.map(([name], index) => [...text(name), FUNCTION, index + 1]),
    ),
    ...section(
      10,
      functions.map(([, , code]) => [code.length + 2, 0, ...code, 0x0b]),
    ),
  ];
  return new Uint8Array(bytes);
}
