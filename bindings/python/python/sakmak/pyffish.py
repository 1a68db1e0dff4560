"""The functions of pyffish for makruk, cambodian and makpong: write `from sakmak import pyffish as sf`.

Positions of other variants, FENs that are no position and illegal moves are `ValueError`.
"""

from ._sakmak import ffish_captures_to_hand
from ._sakmak import ffish_game_result as game_result
from ._sakmak import ffish_get_fen as get_fen
from ._sakmak import ffish_get_fog_fen as get_fog_fen
from ._sakmak import ffish_get_san as get_san
from ._sakmak import ffish_get_san_moves as get_san_moves
from ._sakmak import ffish_gives_check as gives_check
from ._sakmak import ffish_has_insufficient_material as has_insufficient_material
from ._sakmak import ffish_info as info
from ._sakmak import ffish_is_capture as is_capture
from ._sakmak import ffish_is_immediate_game_end as is_immediate_game_end
from ._sakmak import ffish_is_optional_game_end as is_optional_game_end
from ._sakmak import ffish_legal_moves as legal_moves
from ._sakmak import ffish_load_variant_config as load_variant_config
from ._sakmak import ffish_piece_to_partner as piece_to_partner
from ._sakmak import ffish_set_option as set_option
from ._sakmak import ffish_start_fen
from ._sakmak import ffish_two_boards
from ._sakmak import ffish_validate_fen as validate_fen
from ._sakmak import ffish_variants as variants
from ._sakmak import ffish_version as version

_START_FENS = {variant: ffish_start_fen(variant) for variant in variants()}


def start_fen(variant: str) -> str:
    """The start position."""
    fen = _START_FENS.get(variant)
    return ffish_start_fen(variant) if fen is None else fen


def two_boards(variant: str) -> bool:
    """`False`: no variant here is played on two boards."""
    return False if variant in _START_FENS else ffish_two_boards(variant)


def captures_to_hand(variant: str) -> bool:
    """`False`: captured pieces are gone."""
    return False if variant in _START_FENS else ffish_captures_to_hand(variant)


error = ValueError
"""What wrong arguments raise."""

FEN_OK = 1
FEN_INVALID_PROMOTED_PIECE = -12

NOTATION_DEFAULT = 0
NOTATION_SAN = 1
NOTATION_LAN = 2
NOTATION_SHOGI_HOSKING = 3
NOTATION_SHOGI_HODGES = 4
NOTATION_SHOGI_HODGES_NUMBER = 5
NOTATION_JANGGI = 6
NOTATION_XIANGQI_WXF = 7
NOTATION_THAI_SAN = 8
NOTATION_THAI_LAN = 9

VALUE_DRAW = 0
VALUE_MATE = 32000

__all__ = [
    "FEN_INVALID_PROMOTED_PIECE",
    "FEN_OK",
    "NOTATION_DEFAULT",
    "NOTATION_JANGGI",
    "NOTATION_LAN",
    "NOTATION_SAN",
    "NOTATION_SHOGI_HODGES",
    "NOTATION_SHOGI_HODGES_NUMBER",
    "NOTATION_SHOGI_HOSKING",
    "NOTATION_THAI_LAN",
    "NOTATION_THAI_SAN",
    "NOTATION_XIANGQI_WXF",
    "VALUE_DRAW",
    "VALUE_MATE",
    "captures_to_hand",
    "error",
    "game_result",
    "get_fen",
    "get_fog_fen",
    "get_san",
    "get_san_moves",
    "gives_check",
    "has_insufficient_material",
    "info",
    "is_capture",
    "is_immediate_game_end",
    "is_optional_game_end",
    "legal_moves",
    "load_variant_config",
    "piece_to_partner",
    "set_option",
    "start_fen",
    "two_boards",
    "validate_fen",
    "variants",
    "version",
]
