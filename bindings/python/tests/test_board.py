"""The board: moves, pieces, text, the end of the game, copies."""

import copy
import gc
import pickle
import weakref

import pytest

import sakmak
from sakmak import BLACK, WHITE, Board, Move, Piece, Termination

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"


def test_moves_are_made_and_taken_back() -> None:
    board = Board()
    assert (board.fen(), board.turn, len(board.legal_moves), board.legal_moves.count()) == (START, WHITE, 23, 23)
    e4 = Move.from_uci("e3e4")
    assert e4 in board.legal_moves and Move.from_uci("e3e5") not in board.legal_moves
    board.push(e4)
    assert board.push_uci("e6e5") == Move(sakmak.E6, sakmak.E5)
    assert board.push_san("Nd2").uci() == "b1d2"
    assert board.push_san("ม-ง๗").uci() == "b8d7"
    assert [str(move) for move in board.move_stack] == ["e3e4", "e6e5", "b1d2", "b8d7"]
    assert board.peek() == board.pop() == Move.from_uci("b8d7")
    while board.move_stack:
        board.pop()
    assert board == Board()
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()


def test_notation() -> None:
    board = Board()
    move = board.parse_san("Nd2")
    assert (board.san(move), board.lan(move), board.thai_san(move)) == ("Nd2", "Nb1-d2", "ม-ง๒")
    assert board.name(move, "thai-lan") == "ม ข๑-ง๒"
    line = [Move.from_uci(text) for text in ["e3e4", "e6e5", "b1d2"]]
    assert board.variation_san(line) == "1. e4 e5 2. Nd2"
    board.push(line[0])
    assert board.variation_san(line[1:]) == "1...e5 2. Nd2"
    assert board.find_move(sakmak.E6, sakmak.E5) == line[1]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("xx", sakmak.InvalidMoveError, "'xx' is not a move"),
        ("Nd3", sakmak.IllegalMoveError, "'Nd3' is not legal here"),
        ("Nd2", sakmak.AmbiguousMoveError, "'Nd2' fits several moves here: b1d2, f1d2"),
        ("--", sakmak.IllegalMoveError, "'--' is a null move, which the rules do not know"),
    ],
)
def test_wrong_moves_are_named(text: str, error: type, message: str) -> None:
    board = Board("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1")
    with pytest.raises(error) as caught:
        board.push_san(text)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == message


def test_wrong_arguments_are_named() -> None:
    board = Board()
    with pytest.raises(sakmak.IllegalMoveError, match="'e3e5' is not legal here"):
        board.push(Move.from_uci("e3e5"))
    with pytest.raises(sakmak.InvalidMoveError):
        board.push_uci("e9")
    with pytest.raises(sakmak.InvalidMoveError):
        Move(0, 0)
    with pytest.raises(sakmak.InvalidMoveError):
        Move(0, 1, sakmak.RUA)
    with pytest.raises(sakmak.InvalidFenError, match="rank 2 is no Makruk piece"):
        Board("4k3/8/8/8/8/8/4Q3/4K3 w")
    with pytest.raises(sakmak.RulesError, match="'chess' is no variant"):
        Board(variant="chess")
    with pytest.raises(sakmak.RulesError, match="ruleset"):
        Board(ruleset="x")
    with pytest.raises(sakmak.RulesError):
        Board(parts="Repetition=twice")
    for square in [-1, 64]:
        with pytest.raises(ValueError, match="is not in 0 to 63"):
            board.piece_at(square)
    for piece_type in [7, 0, -1, -(2**63), 2**63 - 1]:
        with pytest.raises(ValueError, match="is not in 1 to 6"):
            Piece(piece_type, WHITE)
    with pytest.raises(ValueError):
        Piece.from_symbol("Q")
    with pytest.raises(TypeError):
        board.push("e3e4")  # type: ignore[arg-type]
    assert board == Board()


@pytest.mark.parametrize(
    ("fen", "termination", "winner", "result"),
    [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", Termination.CHECKMATE, WHITE, "1-0"),
        ("7k/5K2/6M1/8/8/8/8/8 b - - 0 1", Termination.STALEMATE, None, "1/2-1/2"),
        ("7k/8/8/8/8/8/4R3/4K3 b - 32 33 80", Termination.PIECES_HONOUR, None, "1/2-1/2"),
        ("3k4/8/8/8/8/8/4RM2/3K2m1 w - 128 129 80", Termination.BOARD_HONOUR, None, "1/2-1/2"),
    ],
)
def test_ends_of_games(fen: str, termination: Termination, winner: object, result: str) -> None:
    outcome = Board(fen).outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner, outcome.result()) == (termination, winner, result)
    assert Board(fen).result() == result and Board(fen).is_game_over()
    assert pickle.loads(pickle.dumps(outcome)) == outcome == sakmak.Outcome(termination, outcome.winner)
    assert repr(outcome).startswith(f"Outcome(termination={termination}")


def test_repetition() -> None:
    board = Board()
    for text in ["Nd2", "Nd7", "Nb1", "Nb8"] * 2:
        assert board.outcome() is None and not board.is_repetition()
        board.push_san(text)
    assert board.is_repetition(3) and not board.is_repetition(4)
    outcome = board.outcome()
    assert outcome is not None and outcome.termination is Termination.THREEFOLD_REPETITION
    # The rules of this source have no repetition.
    other = Board(ruleset="wikipedia")
    for move in board.move_stack:
        other.push(move)
    assert other.outcome() is None


def test_checks_and_attacks() -> None:
    board = Board("4k3/4r3/8/8/8/8/4M3/4K3 b - - 0 1")
    check = board.parse_san("Rxe2+")
    assert board.is_capture(check) and board.gives_check(check)
    assert board.is_pinned(WHITE, sakmak.E2) and not board.is_pinned(WHITE, sakmak.E1)
    board.push(check)
    assert board.is_check() and not board.is_checkmate() and not board.is_stalemate()
    assert board.checkers() == {sakmak.E2} == board.attackers(BLACK, sakmak.E1)
    assert board.is_attacked_by(BLACK, sakmak.E1) and sakmak.H2 in board.attacks(sakmak.E2)
    assert board.king(WHITE) == board.khun(WHITE) == sakmak.E1
    assert Board("4k3/8/8/8/8/8/8/4K3 w").is_insufficient_material()
    assert board.has_insufficient_material(WHITE) and not board.has_insufficient_material(BLACK)


def test_pieces_are_put_and_removed() -> None:
    board = Board()
    assert len(board.piece_map()) == 32 and board.piece_map()[sakmak.E1] == Piece(sakmak.MET, WHITE)
    assert board.pieces(sakmak.RUA, BLACK) == {sakmak.A8, sakmak.H8}
    assert (board.piece_type_at(sakmak.D1), board.color_at(sakmak.D1)) == (sakmak.KHUN, WHITE)
    khun = board.remove_piece_at(sakmak.D1)
    assert khun == Piece.from_symbol("K") and not board.is_valid()
    with pytest.raises(sakmak.InvalidPositionError, match="white has 0 khun, not one"):
        board.legal_moves.count()
    assert board.remove_piece_at(sakmak.D1) is None
    board.set_piece_at(sakmak.D1, khun)
    assert board == Board()

    board = Board.empty()
    assert board.fen() == "8/8/8/8/8/8/8/8 w - - 0 1" and board.move_stack == []
    for square, symbol in [(sakmak.E1, "K"), (sakmak.E8, "k"), (sakmak.A1, "R")]:
        board.set_piece_at(square, Piece.from_symbol(symbol))
    board.set_piece_at(sakmak.B3, Piece.from_symbol("M"), promoted=True)
    board.turn = BLACK
    assert board.fen(promoted=True) == "4k3/8/8/8/8/1M~6/8/R3K3 b - - 0 1"
    assert board.promoted == {sakmak.B3} and "M~" not in board.fen()
    board.clear()
    assert board.piece_map() == {}
    board.reset()
    assert board == Board()


@pytest.mark.parametrize(
    "fen",
    [
        "3k4/8/8/8/8/8/4R3/4K3 w - 32 9 80",
        "3k4/8/8/8/8/8/4RM2/3K2m1 b - 128 20 60",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 7 20",
    ],
)
def test_the_count_goes_on_when_pieces_are_put(fen: str) -> None:
    board = Board(fen)
    board.set_piece_at(sakmak.A1, board.piece_at(sakmak.A1))
    assert board.fen() == fen
    # Through a position that is not valid.
    square = board.khun(BLACK)
    assert square is not None
    khun = board.remove_piece_at(square)
    assert not board.is_valid()
    board.set_piece_at(square, khun)
    assert board.fen() == fen and board.is_valid()
    board.turn = not board.turn
    assert board.fen() == fen.replace(" w ", " x ").replace(" b ", " w ").replace(" x ", " b ")


def test_boards_that_are_set_up_are_copied_and_pickled() -> None:
    board = Board(variant="cambodian", ruleset="cutechess")
    for square in [sakmak.D1, sakmak.D8, sakmak.E8]:
        board.remove_piece_at(square)
    board.set_piece_at(sakmak.B4, Piece(sakmak.MET, WHITE), promoted=True)
    board.turn = BLACK
    for board in [board, Board.empty(), Board.empty("makpong", "wikipedia", parts="Repetition=none")]:
        for other in [board.copy(), pickle.loads(pickle.dumps(board))]:
            assert other == board and not other.is_valid() and other.fen(promoted=True) == board.fen(promoted=True)
            assert (other.variant, other.ruleset) == (board.variant, board.ruleset)
    with pytest.raises(sakmak.InvalidFenError):
        Board()._set_up("x")


class KeepingBoard(Board):
    """A subclass that needs an argument and keeps what refers to itself."""

    def __new__(cls, label: str) -> "KeepingBoard":
        board = super().__new__(cls)
        board.label = label
        board.kept = board.legal_moves
        return board

    label: str
    kept: sakmak.LegalMoves


def test_subclasses_may_need_arguments() -> None:
    board = KeepingBoard("label")
    board.push_uci("e3e4")
    assert board.label == "label"
    for other in [board.copy(), board.copy(stack=False), copy.copy(board), pickle.loads(pickle.dumps(board))]:
        assert type(other) is KeepingBoard and other == board
    assert type(board.root()) is type(board.mirror()) is KeepingBoard


def test_cycles_are_freed() -> None:
    board = KeepingBoard("label")
    freed = weakref.ref(board)
    assert freed() is board
    del board
    gc.collect()
    assert freed() is None


def test_first_moves_of_ouk_chaktrang() -> None:
    board = Board(variant="cambodian")
    assert board.fen() == START.replace("- -", "DEde -")
    leap = Move.from_uci("d1b2")
    assert leap in board.legal_moves
    board.push(leap)
    assert board.fen() == "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/1K6/RNS1MSNR b Ede - 1 1"
    # A move of two pieces.
    sut = Board(parts="SutMa=on")
    assert Move.from_uci("b1c3") in sut.legal_moves
    assert all(move in sut.legal_moves and move == Move.from_uci(move.uci()) for move in sut.legal_moves)
    sut.push_uci("b1c3")
    assert sut.board_fen() == "rnsmksnr/8/pppppppp/8/2P5/PPNPPPPP/8/R1SKMSNR"
    assert sut.peek() == Move.from_uci("b1c3")


def test_copies_are_equal_and_independent() -> None:
    board = Board("7k/8/5K2/8/8/8/1m6/RR6 w - - 0 40", ruleset="wikipedia")
    board.push_san("Rxb2")
    for other in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
        assert other == board and hash(other) == hash(board) and other.move_stack == board.move_stack
        other.push_uci("h8g8")
        assert other != board and len(board.move_stack) == 1
    assert board.copy(stack=False) == board and board.copy(stack=False).move_stack == []
    assert board.root().fen() == "7k/8/5K2/8/8/8/1m6/RR6 w - - 0 40"
    assert board != Board(board.fen()) and board != "board"
    assert board.mirror().mirror() == board
    assert repr(board) == "Board('7k/8/5K2/8/8/8/1R6/R7 b - 16 8 40', ruleset='wikipedia')"


def test_perft() -> None:
    assert [Board().perft(depth) for depth in range(6)] == [1, 23, 529, 12012, 273026, 6223994]
    with pytest.raises(ValueError, match="depth 101 is above 100"):
        Board().perft(101)


def test_text_and_picture() -> None:
    board = Board()
    assert str(board).splitlines()[0] == "r n s m k s n r" and len(str(board).splitlines()) == 8
    board.push_san("e4")
    picture = board._repr_svg_()
    assert picture.startswith("<svg") and picture.count("<circle") == 32
    assert picture != sakmak.svg.board(board, orientation=BLACK) and "<svg" in sakmak.svg.board(Board.empty())


def test_squares() -> None:
    assert sakmak.SQUARE_NAMES[sakmak.H8] == sakmak.square_name(63) == "h8"
    assert sakmak.parse_square("e3") == sakmak.square(4, 2) == sakmak.E3
    assert (sakmak.square_file(sakmak.E3), sakmak.square_rank(sakmak.E3)) == (4, 2)
    for wrong in ["", "i1", "a9"]:
        with pytest.raises(ValueError):
            sakmak.parse_square(wrong)
