// Which piece went where between two positions, so that pieces glide instead of jumping.

export interface PlacedPiece {
  /** The same for a piece as long as it stands on the board. */
  id: number;
  square: string;
  letter: string;
}

let nextId = 1;

/** The pieces of a board, each with the identity that it had before, as far as it was there. */
export function follow(
  before: PlacedPiece[],
  squares: { square: string; letter: string }[],
  lastMove: { from: string; to: string } | null,
): PlacedPiece[] {
  const old = new Map(before.map((piece) => [piece.square, piece]));
  const result: PlacedPiece[] = [];
  const open: { square: string; letter: string }[] = [];
  for (const { square, letter } of squares) {
    const same = old.get(square);
    if (same && same.letter === letter) {
      old.delete(square);
      result.push(same);
    } else {
      open.push({ square, letter });
    }
  }
  const take = (piece: PlacedPiece, square: string, letter: string) => {
    old.delete(piece.square);
    result.push({ id: piece.id, square, letter });
  };
  for (const { square, letter } of open) {
    const isSide = (piece: PlacedPiece) => piece.letter < 'a' === letter < 'a';
    // The piece that has just moved may have been promoted on its way.
    const mover = lastMove?.to === square ? old.get(lastMove.from) : undefined;
    const alike = [...old.values()].find((piece) => piece.letter === letter);
    if (mover && isSide(mover)) {
      take(mover, square, letter);
    } else if (alike) {
      take(alike, square, letter);
    } else {
      result.push({ id: nextId++, square, letter });
    }
  }
  return result.sort((a, b) => a.id - b.id);
}
