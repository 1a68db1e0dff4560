"""Boards for driving UCI engines with python-chess' `chess.engine`.

`chess.engine` asks the class of a board for its variant, and sends a board of python-chess as chess. These boards
answer with their own variant and have the few names that it uses; nothing of python-chess is imported here.

    import sys, chess.engine
    from sakmak.chess_engine import MakrukBoard

    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "sakmak"]) as engine:
        board = MakrukBoard()
        result = engine.play(board, chess.engine.Limit(time=0.1))
        board.push(result.move)

The moves of the results are `sakmak.Move`. The engine learns the moves of the game, not decisions about the count.
"""

from typing import Any, Optional, Type, TypeVar

from ._sakmak import Board, Move

_B = TypeVar("_B", bound="_EngineBoard")


class _EngineBoard(Board):
    """What `chess.engine` asks of a board, beside the names that `Board` has."""

    uci_variant = "makruk"
    xboard_variant = "makruk"
    chess960 = False
    aliases = ("Makruk",)
    starting_fen: Optional[str] = None

    def __new__(
        cls: Type[_B],
        fen: Optional[str] = None,
        variant: Optional[str] = None,
        ruleset: Optional[str] = None,
        *,
        parts: str = "",
    ) -> _B:
        if variant not in (None, cls.uci_variant):
            raise ValueError(f"{cls.__name__} plays {cls.uci_variant}, not {variant}")
        return super().__new__(cls, fen, cls.uci_variant, ruleset, parts=parts)

    def fen(self, *, promoted: bool = False, **chess: Any) -> str:
        """The FEN; the choices of chess (`shredder`, `en_passant`) have no meaning here."""
        return super().fen(promoted=promoted)

    def uci(self, mv: Move, **chess: Any) -> str:
        return mv.uci()

    def xboard(self, mv: Move, **chess: Any) -> str:
        return mv.uci()


class MakrukBoard(_EngineBoard):
    """Makruk."""


class CambodianBoard(_EngineBoard):
    """Ouk Chaktrang."""

    uci_variant = xboard_variant = "cambodian"
    aliases = ("Cambodian",)


class MakpongBoard(_EngineBoard):
    """Makpong."""

    uci_variant = xboard_variant = "makpong"
    aliases = ("Makpong",)
