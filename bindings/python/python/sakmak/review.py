"""The review of a game: mistakes, lost races with the count, accuracy."""

import re
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

from ._sakmak import Move, review
from .pgn import ChildNode, Game

VERDICTS = {6: "inaccuracy", 2: "mistake", 4: "blunder"}


@dataclass(frozen=True)
class PlyReview:
    """The review of a move."""

    move: Move
    eval: str
    """The evaluation after it for White, as in PGN's `[%eval]`: pawns, or `#` and moves to mate, then the depth."""
    points: float
    """White's expected points after it, in hundredths of a game."""
    lost: float
    """Expected points that it lost, in hundredths of a game."""
    verdict: Optional[str]
    """`inaccuracy`, `mistake` or `blunder`."""
    finding: Optional[str]
    """What it did about the count, in words."""
    best: List[Move]
    """The best line instead."""


@dataclass(frozen=True)
class Review:
    """The review of a game."""

    accuracy: Tuple[Optional[float], Optional[float]]
    """Of White and Black, from 0 to 100; `None` without a move."""
    plies: List[PlyReview]


def annotate(
    game: Game, *, nodes: int = 100_000, hash: int = 64, progress: Optional[Callable[[int, int], object]] = None
) -> Review:
    """Reviews the main line of a game and writes what it finds into its comments and glyphs.

    Each position is searched for `nodes` nodes. `progress` gets the positions searched so far and their number.
    """
    nodes_of_line = list(game.mainline())
    native_accuracy, found = review(game.end().board(), nodes, hash, progress)
    plies = []
    for node, (text, points, lost, nag, finding, best) in zip(nodes_of_line, found):
        ply = PlyReview(node.move, text, points, lost, VERDICTS.get(nag or 0), finding, best)
        _write(node, ply, nag)
        plies.append(ply)
    return Review((native_accuracy[0], native_accuracy[1]), plies)


def _write(node: ChildNode, ply: PlyReview, nag: Optional[int]) -> None:
    words = [re.sub(r"\s*\[%eval [^\]]*\]", "", node.comment).strip()]
    if ply.eval:
        words.insert(0, f"[%eval {ply.eval}]")
    if ply.finding and ply.finding not in words[-1]:
        words.append(ply.finding)
    node.comment = " ".join(word for word in words if word)
    node.nags = [one for one in node.nags if one not in VERDICTS] + ([nag] if nag else [])
