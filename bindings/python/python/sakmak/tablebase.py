"""Endgame tables: files made by `sakmak-tools tablebase build`, and small endings solved in memory."""

from dataclasses import dataclass
from os import PathLike, fspath
from typing import Iterable, List, Optional, Tuple, Union

from ._sakmak import Board, Move, NativeTablebases


@dataclass(frozen=True)
class Value:
    """A value for the side to move."""

    wdl: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: Optional[int]
    """Plies to the mate or to the next decision; `None` for a draw."""


@dataclass(frozen=True)
class Probe:
    """The value of a position."""

    value: Value
    """With the count of the position."""
    uncounted: Value
    """If no count cut it off."""
    left: Optional[int]
    """Plies that the count leaves; `None` if none is running. A win may take one more."""
    to_mate: bool
    """Whether the plies are those to mate, not to another decision."""


class Tablebases:
    """The tables of some folders. Endings of up to two pieces against a bare khun need no files.

    `errors` are the files and folders that are not used, with the reason.
    """

    errors: List[str]

    def __init__(self, folders: "Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]]]" = ()) -> None:
        if isinstance(folders, (str, PathLike)):
            folders = [folders]
        self._native = NativeTablebases([fspath(folder) for folder in folders])
        self.errors = self._native.errors

    def endings(self) -> List[str]:
        """The endings that files were found for."""
        return self._native.endings()

    def probe(self, board: Board) -> Optional[Probe]:
        """The value of the position; `None` if no table has it."""
        found = self._native.probe(board)
        if found is None:
            return None
        value, uncounted, left, to_mate = found
        return Probe(Value(*value), Value(*uncounted), left, to_mate)

    def moves(self, board: Board) -> Optional[List[Tuple[Move, Value]]]:
        """The legal moves from best to worst with their values for the side that makes them."""
        found = self._native.moves(board)
        return None if found is None else [(move, Value(*value)) for move, value in found]
