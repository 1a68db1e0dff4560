// How a page hears how much of the WebAssembly has come.

/** The end of the name of a worker that shall report it. */
export const PROGRESS = '&progress';

/** Bytes that have come, and all of them; `null` if that is not known. */
export interface LoadingMessage {
  loaded: number;
  total: number | null;
}
