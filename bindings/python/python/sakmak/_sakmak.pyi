from os import PathLike
from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    final,
)

from ._types import Color, PieceType, Square, Termination

_B = TypeVar("_B", bound="Board")

__version__: str
_needs_avx2: bool

class SakmakError(ValueError):
    """The base of all errors of this package."""

class InvalidFenError(SakmakError):
    """A FEN that cannot be read, or is no valid position."""

class InvalidPositionError(SakmakError):
    """The pieces on the board are no valid position."""

class InvalidMoveError(SakmakError):
    """A text that has the form of no move."""

class IllegalMoveError(SakmakError):
    """A move that is not legal in the position."""

class AmbiguousMoveError(SakmakError):
    """A text that fits several legal moves."""

class CountRuleError(SakmakError):
    """A count that cannot be started, stopped or claimed."""

class RulesError(SakmakError):
    """An unknown variant, ruleset or part of the rules."""

@final
class Move:
    """A move by its squares."""

    def __new__(cls, from_square: Square, to_square: Square, promotion: Optional[PieceType] = None) -> Move: ...
    @classmethod
    def from_uci(cls, uci: str) -> Move:
        """Reads `e3e4` or `e5e6m`. The move may be illegal."""
    def uci(self) -> str: ...
    @property
    def from_square(self) -> Square: ...
    @property
    def to_square(self) -> Square: ...
    @property
    def promotion(self) -> Optional[PieceType]:
        """`MET` for a promotion, else `None`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Piece:
    """A piece of one colour."""

    def __new__(cls, piece_type: PieceType, color: Color) -> Piece: ...
    @classmethod
    def from_symbol(cls, symbol: str) -> Piece:
        """The piece of a letter, one of KMSNRP, small for Black."""
    @property
    def piece_type(self) -> PieceType: ...
    @property
    def color(self) -> Color: ...
    def symbol(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Count:
    """A running count. `str(count)` is it in words."""

    @property
    def kind(self) -> str:
        """`board`, `pieces` or `fifty`."""
    @property
    def counter(self) -> Optional[Color]:
        """The side that counts; `None` if the count belongs to neither."""
    @property
    def attacker(self) -> Color:
        """The side that has to mate; the side to move if the count belongs to neither."""
    @property
    def number(self) -> int:
        """The number spoken last, in moves."""
    @property
    def limit(self) -> Optional[int]:
        """The number at which the game is drawn, in moves; `None` for a count without an end."""
    @property
    def moves_left(self) -> Optional[int]:
        """Moves that the attacker has left; `None` for a count without an end."""
    @property
    def ply(self) -> int:
        """Plies counted, as in the FEN."""
    @property
    def limit_ply(self) -> int:
        """The limit in plies, as in the FEN; 0 for a count without an end."""
    @property
    def text(self) -> str:
        """The count in words, as `str(count)`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """How a game ended."""

    def __new__(cls, termination: Termination, winner: Optional[Color]) -> Outcome: ...
    @property
    def termination(self) -> Termination: ...
    @property
    def winner(self) -> Optional[Color]:
        """The side that won; `None` for a draw."""
    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class LegalMoves:
    """The legal moves of a board at the time they are asked for."""

    def __iter__(self) -> Iterator[Move]: ...
    def __contains__(self, mv: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def count(self) -> int:
        """The number of legal moves, without a list of them."""

class Board:
    """A game from its start to the present position.

    `fen` is `None` for the start position, `variant` is `makruk`, `cambodian` or `makpong`. `ruleset` is the source of
    the rules, `fairy-stockfish` by default; others are `cutechess`, `schemingmind`, `wikipedia`, `cyningstan`,
    `knowlton`, `chessvariants` and `none`. `parts` are parts of the rules that differ, such as `Repetition=none`.
    """

    def __new__(
        cls: Type[_B],
        fen: Optional[str] = None,
        variant: str = "makruk",
        ruleset: Optional[str] = None,
        *,
        parts: str = "",
    ) -> _B: ...
    @classmethod
    def empty(cls, variant: str = "makruk", ruleset: Optional[str] = None, *, parts: str = "") -> Board:
        """A board without pieces, to set up with `set_piece_at`."""
    @classmethod
    def from_fen(cls: Type[_B], fen: str) -> _B: ...
    @property
    def variant(self) -> str: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def turn(self) -> Color: ...
    @turn.setter
    def turn(self, turn: Color) -> None: ...
    @property
    def fullmove_number(self) -> int: ...
    @property
    def halfmove_clock(self) -> int: ...
    def ply(self) -> int:
        """Plies since the start of the game, by the move number."""
    # Moves
    @property
    def legal_moves(self) -> LegalMoves: ...
    def is_legal(self, mv: Move) -> bool: ...
    def push(self, mv: Move) -> None:
        """Makes a move; raises `IllegalMoveError` if it is not legal."""
    def push_uci(self, uci: str) -> Move: ...
    def push_san(self, san: str) -> Move:
        """Makes a move given in any notation, Thai too."""
    def pop(self) -> Move:
        """Takes back the last move; raises `IndexError` if there is none."""
    def peek(self) -> Move:
        """The last move; raises `IndexError` if there is none."""
    @property
    def move_stack(self) -> List[Move]:
        """The moves so far, as a new list."""
    def find_move(self, from_square: Square, to_square: Square) -> Move:
        """The legal move between two squares, with the promotion if it is one."""
    def gives_check(self, mv: Move) -> bool: ...
    def is_capture(self, mv: Move) -> bool: ...
    # The end of the game
    def is_check(self) -> bool: ...
    def is_checkmate(self) -> bool: ...
    def is_stalemate(self) -> bool: ...
    def is_insufficient_material(self) -> bool:
        """Whether neither side can ever mate. Most rulesets do not end the game for that."""
    def has_insufficient_material(self, color: Color) -> bool:
        """Whether this side can never mate."""
    def is_repetition(self, count: int = 3) -> bool:
        """Whether the position has occurred at least `count` times."""
    def is_game_over(self) -> bool: ...
    def outcome(self) -> Optional[Outcome]:
        """The end of the game by the rules in force; `None` while it goes on."""
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` or `*`."""
    # The count
    def count(self) -> Optional[Count]:
        """The running count; `None` if nothing is counted."""
    def count_after(self, mv: Move) -> Optional[Count]:
        """The count after a legal move."""
    def start_count(self) -> None:
        """The side to move starts to count; raises `CountRuleError` if it cannot."""
    def stop_count(self) -> None:
        """The side to move stops its count; raises `CountRuleError` if it cannot."""
    def claim_draw(self) -> Outcome:
        """Claims the draw of an expired count, where draws must be claimed."""
    def can_claim_draw(self) -> bool: ...
    def must_stop_count(self, mv: Move) -> bool:
        """Whether `mv` mates but only draws unless the side to move stops its count before."""
    def uci_words(self) -> List[str]:
        """Moves and decisions about the count, as after `position ... moves` in UCI."""
    def push_uci_word(self, word: str) -> None:
        """Makes a move or a decision about the count, as `uci_words` writes them."""
    def _obey_count(self, comment: str) -> None: ...
    def _start_headers(self) -> List[Tuple[str, str]]: ...
    # Pieces
    def piece_at(self, square: Square) -> Optional[Piece]: ...
    def piece_type_at(self, square: Square) -> Optional[PieceType]: ...
    def color_at(self, square: Square) -> Optional[Color]: ...
    def piece_map(self) -> Dict[Square, Piece]: ...
    def pieces(self, piece_type: PieceType, color: Color) -> FrozenSet[Square]: ...
    @property
    def promoted(self) -> FrozenSet[Square]:
        """The squares of met that were bia."""
    def khun(self, color: Color) -> Optional[Square]: ...
    def king(self, color: Color) -> Optional[Square]: ...
    def set_piece_at(self, square: Square, piece: Optional[Piece], promoted: bool = False) -> None:
        """Puts a piece on a square or empties it. The moves so far are forgotten, the count goes on.

        Until the board is a valid position, all that needs one raises `InvalidPositionError`.
        """
    def remove_piece_at(self, square: Square) -> Optional[Piece]: ...
    def clear(self) -> None: ...
    def reset(self) -> None: ...
    def _set_up(self, fen: str) -> None: ...
    def is_valid(self) -> bool: ...
    def attackers(self, color: Color, square: Square) -> FrozenSet[Square]: ...
    def is_attacked_by(self, color: Color, square: Square) -> bool: ...
    def attacks(self, square: Square) -> FrozenSet[Square]: ...
    def checkers(self) -> FrozenSet[Square]: ...
    def is_pinned(self, color: Color, square: Square) -> bool: ...
    # Text
    def fen(self, *, promoted: bool = False) -> str:
        """The FEN in Fairy-Stockfish's form; with `promoted`, met that were bia are marked `M~`."""
    def board_fen(self) -> str: ...
    def set_fen(self, fen: str) -> None: ...
    def san(self, mv: Move) -> str: ...
    def lan(self, mv: Move) -> str: ...
    def thai_san(self, mv: Move) -> str: ...
    def name(self, mv: Move, notation: str) -> str:
        """The move in a notation: `san`, `lan`, `thai-san`, `thai-lan`, `schemingmind` or `uci`."""
    def uci(self, mv: Move) -> str: ...
    def parse_san(self, san: str) -> Move: ...
    def parse_uci(self, uci: str) -> Move: ...
    def variation_san(self, variation: Sequence[Move], notation: str = "san") -> str: ...
    def _repr_svg_(self) -> str: ...
    # Copies
    def copy(self: _B, *, stack: bool = True) -> _B: ...
    def __copy__(self: _B) -> _B: ...
    def __deepcopy__(self: _B, _memo: Any) -> _B: ...
    def root(self: _B) -> _B:
        """The position before the first move and the first decision about the count."""
    def mirror(self: _B) -> _B:
        """The board with colours and top and bottom exchanged, without the moves before."""
    def perft(self, depth: int) -> int:
        """The number of paths of `depth` plies."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def ffish_version() -> Tuple[int, int, int]: ...
def ffish_info() -> str: ...
def ffish_variants() -> List[str]: ...
def ffish_set_option(name: str, value: Any) -> None: ...
def ffish_load_variant_config(config: str) -> None: ...
def ffish_start_fen(variant: str) -> str: ...
def ffish_two_boards(variant: str) -> bool: ...
def ffish_captures_to_hand(variant: str) -> bool: ...
def ffish_get_san(variant: str, fen: str, move: str, chess960: bool = False, notation: int = 0) -> str: ...
def ffish_get_san_moves(
    variant: str, fen: str, movelist: List[str], chess960: bool = False, notation: int = 0
) -> List[str]: ...
def ffish_legal_moves(variant: str, fen: str, movelist: List[str], chess960: bool = False) -> List[str]: ...
def ffish_get_fen(
    variant: str,
    fen: str,
    movelist: List[str],
    chess960: bool = False,
    sfen: bool = False,
    show_promoted: bool = False,
    count_started: int = 0,
) -> str: ...
def ffish_gives_check(variant: str, fen: str, movelist: List[str], chess960: bool = False) -> bool: ...
def ffish_is_capture(variant: str, fen: str, movelist: List[str], move: str, chess960: bool = False) -> bool: ...
def ffish_piece_to_partner(variant: str, fen: str, movelist: List[str], chess960: bool = False) -> str: ...
def ffish_game_result(variant: str, fen: str, movelist: List[str], chess960: bool = False) -> int: ...
def ffish_is_immediate_game_end(
    variant: str, fen: str, movelist: List[str], chess960: bool = False
) -> Tuple[bool, int]: ...
def ffish_is_optional_game_end(
    variant: str, fen: str, movelist: List[str], chess960: bool = False, count_started: int = 0
) -> Tuple[bool, int]: ...
def ffish_has_insufficient_material(
    variant: str, fen: str, movelist: List[str], chess960: bool = False
) -> Tuple[bool, bool]: ...
def ffish_validate_fen(fen: str, variant: str, chess960: bool = False) -> int: ...
def ffish_get_fog_fen(fen: str, variant: str, chess960: bool = False) -> str: ...

@final
class GameReader:
    """The games of a PGN text."""

    def __new__(cls, data: bytes, ruleset: Optional[str] = None) -> GameReader: ...
    def set_ruleset(self, ruleset: Optional[str]) -> None: ...
    def read(self) -> Optional[Tuple[Dict[str, str], str, List[Any], Board, List[str]]]:
        """The next game as `(headers, comment, moves, board, errors)`; `None` after the last one."""

def pgn_text(headers: List[Tuple[str, str]], comment: str, moves: List[Any], board: Board) -> str:
    """The text of a game."""

_Wdl = Tuple[int, Optional[int]]

@final
class NativeTablebases:
    def __new__(cls, folders: List[str]) -> NativeTablebases: ...
    @property
    def errors(self) -> List[str]: ...
    def endings(self) -> List[str]: ...
    def probe(self, board: Board) -> Optional[Tuple[_Wdl, _Wdl, Optional[int], bool]]: ...
    def moves(self, board: Board) -> Optional[List[Tuple[Move, _Wdl]]]: ...

@final
class NativeEngine:
    def __new__(
        cls,
        hash: int,
        threads: int,
        move_overhead: float,
        tablebases: Optional[NativeTablebases],
        network: Optional[Union[str, PathLike[str]]],
    ) -> NativeEngine: ...
    def new_game(self) -> None: ...
    def stop(self) -> None: ...
    def start(
        self,
        board: Board,
        limits: Dict[str, Any],
        multipv: int,
        root_moves: Optional[List[Move]],
        elo: Optional[int],
        ignore_count: bool,
    ) -> NativeSearch: ...

@final
class NativeSearch:
    def next(self, timeout: Optional[float] = None) -> Optional[Tuple[Any, ...]]: ...
    def stop(self) -> None: ...

def run_uci() -> None: ...
def review(
    board: Board, nodes: int, hash: int, progress: Optional[Callable[[int, int], object]] = None
) -> Tuple[List[Optional[float]], List[Tuple[str, float, float, Optional[int], Optional[str], List[Move]]]]: ...

@final
class NativePositions:
    def __new__(cls, path: str) -> NativePositions: ...
    @property
    def positions(self) -> int: ...
    @property
    def blocks(self) -> int: ...
    def block(self, index: int) -> bytes: ...

@final
class NativeGames:
    def __new__(cls, path: str) -> NativeGames: ...
    def read(self) -> Optional[Tuple[Board, float, str, List[Move], List[int]]]: ...
