"""Driving `python -m sakmak` by python-chess."""

import pickle
import sys
from typing import Any

import pytest

from sakmak import Board
from sakmak.chess_engine import CambodianBoard, MakpongBoard, MakrukBoard

chess_engine = pytest.importorskip("chess.engine")


@pytest.mark.parametrize("kind", [MakrukBoard, CambodianBoard, MakpongBoard])
def test_a_game_is_played(kind: Any) -> None:
    engine = chess_engine.SimpleEngine.popen_uci([sys.executable, "-m", "sakmak"], timeout=60)
    try:
        board = kind()
        for _ in range(6):
            result = engine.play(board, chess_engine.Limit(nodes=500), info=chess_engine.INFO_ALL)
            assert result.move in board.legal_moves
            board.push(result.move)
        lines = engine.analyse(board, chess_engine.Limit(depth=4), multipv=2)
        assert [line["multipv"] for line in lines] == [1, 2] and lines[0]["pv"][0] in board.legal_moves
        # The engine knows the variant: a leap is one of its moves.
        start = kind()
        leaps = [move for move in start.legal_moves if move.uci() == "d1b2"]
        if leaps:
            found = engine.analyse(start, chess_engine.Limit(depth=3), root_moves=leaps)
            assert found["pv"][0] == leaps[0]
        assert bool(leaps) == (kind is CambodianBoard)
    finally:
        engine.quit()


def test_copies_keep_their_class() -> None:
    board = CambodianBoard(ruleset="wikipedia")
    board.push_uci("e3e4")
    for other in [board.copy(), board.copy(stack=False), pickle.loads(pickle.dumps(board)), board.root().copy()]:
        assert type(other) is CambodianBoard and other.ruleset == "wikipedia"
    assert board == board.copy() and type(board.mirror()) is CambodianBoard
    assert board.copy().move_stack == board.move_stack
    assert type(Board().copy()) is Board
    with pytest.raises(ValueError, match="plays makpong, not makruk"):
        MakpongBoard(None, "makruk")
