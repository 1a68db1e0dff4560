"""The shim for pyffish. `compare.py` compares it with the original."""

import pytest

from sakmak import pyffish as sf

BOARD = "3k4/8/8/8/8/8/4R3/4K3"


@pytest.mark.parametrize(
    ("fen", "code"),
    [
        ("", 0),
        (" ", -8),
        (BOARD, 1),
        (f"{BOARD} w - 32 9 80", 1),
        (f"{BOARD} w - - 0 x", -1),
        (f"{BOARD} w - - x 1", -2),
        ("8/8/8/8/8/8/4R3/4K3 w - - 0 1", -3),
        (f"{BOARD} x - - 0 1", -6),
        (f"{BOARD}/8 w - - 0 1", -8),
        ("9/8/8/3k4/8/8/8/3K4 w - - 0 1", -8),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", -9),
        (BOARD.replace("R", "Q") + " w - - 0 1", -10),
        ("x", -10),
        ("hello world", -10),
        (f"{BOARD} w - - 0 1 7", -11),
        (f"{BOARD} w - a5 0 1", -14),
        (f"{BOARD} w - 'x' 0 1", -14),
        (f"{BOARD} w - 128w 3 60", -14),
    ],
)
def test_wrong_fens_have_the_codes_of_pyffish(fen: str, code: int) -> None:
    """The codes are those of pyffish 0.0.90, which is not asked here: wrong boards destroy its memory."""
    assert sf.validate_fen(fen, "makruk") == code
