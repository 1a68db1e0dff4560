// What the oldest browsers of docs/web.md lack. `tests/unit/oldest.test.mjs` names what has no replacement here.

/** `Array.prototype.at`: Chrome 92. */
export function at<T>(this: readonly T[], index: number): T | undefined {
  const whole = Math.trunc(index) || 0;
  return this[whole < 0 ? this.length + whole : whole];
}

if (!Array.prototype.at) {
  Object.defineProperty(Array.prototype, 'at', { value: at, configurable: true, writable: true });
}
