// Text from files and links, made safe to read.

/** Characters that change the direction of the text around them: marks, embeddings, overrides and isolates. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with its bidirectional control characters shown as such, `[U+202E]`, in place of their effect. */
export function visible(text: string): string {
  return text.replace(DIRECTIONS, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
