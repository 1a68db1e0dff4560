/** Hands a file to the browser's downloads. */
export function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function pgnFile(pgn: string): Blob {
  return new Blob([pgn], { type: 'application/x-chess-pgn' });
}
