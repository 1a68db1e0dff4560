"""Makruk (Thai chess) for Python: the rules with the count, games, notations and the engine Sakmak.

>>> import sakmak
>>> board = sakmak.Board()
>>> board.push_san("e4")
Move.from_uci('e3e4')
>>> board.fen()
'rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1'
"""

from . import dataset as dataset
from . import engine as engine
from . import pgn as pgn
from . import pyffish as pyffish
from . import review as review
from . import svg as svg
from . import tablebase as tablebase
from ._sakmak import AmbiguousMoveError as AmbiguousMoveError
from ._sakmak import Board as Board
from ._sakmak import Count as Count
from ._sakmak import CountRuleError as CountRuleError
from ._sakmak import IllegalMoveError as IllegalMoveError
from ._sakmak import InvalidFenError as InvalidFenError
from ._sakmak import InvalidMoveError as InvalidMoveError
from ._sakmak import InvalidPositionError as InvalidPositionError
from ._sakmak import LegalMoves as LegalMoves
from ._sakmak import Move as Move
from ._sakmak import Outcome as Outcome
from ._sakmak import Piece as Piece
from ._sakmak import RulesError as RulesError
from ._sakmak import SakmakError as SakmakError
from ._sakmak import __version__ as __version__
from .engine import Engine as Engine
from .engine import Limit as Limit
from ._types import *  # noqa: F403
