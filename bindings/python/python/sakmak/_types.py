"""Names and small helpers that need no native code."""

import enum
from typing import TYPE_CHECKING, Iterable, List, Optional, Type

if TYPE_CHECKING:
    from ._sakmak import Board

Color = bool
"""A side: `WHITE` is `True`, `BLACK` is `False`."""
Square = int
"""A square: a1 is 0, b1 is 1, h8 is 63."""
PieceType = int
"""A kind of piece, `BIA` to `KHUN`."""

WHITE: Color = True
BLACK: Color = False
COLORS: List[Color] = [WHITE, BLACK]
COLOR_NAMES: List[str] = ["black", "white"]

BIA: PieceType = 1
MET: PieceType = 2
KHON: PieceType = 3
MAA: PieceType = 4
RUA: PieceType = 5
KHUN: PieceType = 6
PIECE_TYPES: List[PieceType] = [BIA, MET, KHON, MAA, RUA, KHUN]
PIECE_NAMES: List[str] = ["", "bia", "met", "khon", "maa", "rua", "khun"]
PIECE_SYMBOLS: List[str] = ["", "p", "m", "s", "n", "r", "k"]

FILE_NAMES: List[str] = list("abcdefgh")
RANK_NAMES: List[str] = list("12345678")

STARTING_FEN = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
STARTING_BOARD_FEN = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"

SQUARES: List[Square] = list(range(64))
SQUARE_NAMES: List[str] = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)


class Termination(enum.Enum):
    """Why a game is over."""

    CHECKMATE = 1
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    PIECES_HONOUR = 4
    """Sak mak: the bare khun was not mated in time."""
    BOARD_HONOUR = 5
    """Sak kradan: no mate in time after the last bia had gone."""
    COUNTER_MATED = 6
    """The side that was counting mated, which only draws under some rulesets."""
    THREEFOLD_REPETITION = 7
    FIFTY_MOVES = 8
    OTHER_DRAW = 9
    """A draw for a reason that this version of the package has no name for."""


def square(file_index: int, rank_index: int) -> Square:
    """The square of a file and a rank, each from 0 to 7."""
    if not (0 <= file_index < 8 and 0 <= rank_index < 8):
        raise ValueError(f"file {file_index} or rank {rank_index} is not in 0 to 7")
    return 8 * rank_index + file_index


def parse_square(name: str) -> Square:
    """The square of a name such as `e3`."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is no square") from None


def square_name(square: Square) -> str:
    """The name of a square."""
    if not 0 <= square < 64:
        raise ValueError(f"square {square} is not in 0 to 63")
    return SQUARE_NAMES[square]


def square_file(square: Square) -> int:
    """The file of a square, from 0."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square, from 0."""
    return square >> 3


def piece_symbol(piece_type: PieceType) -> str:
    """The small letter of a kind of piece."""
    return PIECE_SYMBOLS[piece_type]


def piece_name(piece_type: PieceType) -> str:
    """The name of a kind of piece."""
    return PIECE_NAMES[piece_type]


def _rebuild_board(
    cls: "Type[Board]", fen: str, variant: str, ruleset: str, parts: str, words: Optional[Iterable[str]]
) -> "Board":
    """A board from a pickle; `words` are `None` if it was being set up."""
    from ._sakmak import Board

    if words is None:
        board = Board.__new__(cls, None, variant, ruleset, parts=parts)
        board._set_up(fen)
        return board
    board = Board.__new__(cls, fen, variant, ruleset, parts=parts)
    for word in words:
        board.push_uci_word(word)
    return board
