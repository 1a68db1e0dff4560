"""Files of training data as numpy arrays. Needs numpy: `pip install sakmak[numpy]`."""

from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Iterator, List, Union

from ._sakmak import Board, Move, NativeGames, NativePositions

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

MATE = 32_000
"""Scores of games are internal units; a mate in `n` plies is `MATE - n`."""


def record_type() -> "numpy.dtype[Any]":
    """A training position as in its file. The board is turned so that the side to move is White.

    `occupied` has bit 0 for a1. `pieces` holds four bits for each piece in the order of the squares, the first in the
    lower half of a byte: bia 0, met, khon, maa, rua, khun 5; 8 more for pieces of the other side. `points2` is the
    result for the side to move, doubled; 3 if the position is of no game. `left` is the number of plies left of the
    count; 255 if none runs.
    """
    import numpy

    fields = [("occupied", "<u8"), ("pieces", "u1", (16,)), ("score", "<i2"), ("points2", "u1"), ("left", "u1")]
    return numpy.dtype([*fields, ("ply", "<u2"), ("zero", "<u2")])


class Positions:
    """A file of training positions, from `sakmak-tools datagen positions`."""

    def __init__(self, path: "Union[str, PathLike[str]]") -> None:
        self._native = NativePositions(fspath(path))

    def __len__(self) -> int:
        return self._native.positions

    def blocks(self) -> "Iterator[NDArray[Any]]":
        """The positions in arrays of at most 65,536 records; damaged blocks raise `OSError`."""
        import numpy

        for index in range(self._native.blocks):
            yield numpy.frombuffer(self._native.block(index), dtype=record_type())

    def read(self) -> "NDArray[Any]":
        """All positions in one array."""
        import numpy

        blocks = list(self.blocks())
        return numpy.concatenate(blocks) if blocks else numpy.empty(0, dtype=record_type())


def planes(records: "NDArray[Any]") -> "NDArray[numpy.bool_]":
    """The boards as an array of shape (n, 12, 64): bia to khun of the side to move, then those of the other side."""
    import numpy

    occupied = numpy.unpackbits(
        records["occupied"].astype("<u8").reshape(-1, 1).view(numpy.uint8), axis=1, bitorder="little"
    ).astype(bool)
    pieces = records["pieces"]
    codes = numpy.stack([pieces & 15, pieces >> 4], axis=2).reshape(len(records), 32)
    number = numpy.cumsum(occupied, axis=1) - 1
    code = numpy.take_along_axis(codes, numpy.clip(number, 0, 31), axis=1)
    plane = (code & 7) + 6 * (code >> 3)
    found = occupied[:, None, :] & (plane[:, None, :] == numpy.arange(12)[None, :, None])
    return numpy.asarray(found, dtype=numpy.bool_)


@dataclass(frozen=True)
class ScoredGame:
    """A game of training data."""

    start: Board
    points: float
    """White's: 1, 0.5 or 0."""
    reason: str
    """Why it ended."""
    moves: List[Move]
    scores: "NDArray[numpy.int16]"
    """For the side that makes the move, in internal units."""


def games(path: "Union[str, PathLike[str]]") -> Iterator[ScoredGame]:
    """The games of a file of `sakmak-tools datagen`."""
    import numpy

    reader = NativeGames(fspath(path))
    while True:
        record = reader.read()
        if record is None:
            return
        start, points, reason, moves, scores = record
        yield ScoredGame(start, points, reason, moves, numpy.array(scores, dtype=numpy.int16))
