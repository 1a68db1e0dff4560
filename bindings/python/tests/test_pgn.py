"""Games in PGN."""

import io
from pathlib import Path
from typing import BinaryIO, List, TextIO, Union

import pytest

import sakmak
from sakmak import Board, Move
from sakmak.pgn import Game, read_game, read_games

RULESETS = [
    "fairy-stockfish",
    "cutechess",
    "schemingmind",
    "wikipedia",
    "cyningstan",
    "knowlton",
    "chessvariants",
    "none",
]
TEXT = """[Event "Test"]
[White "A"]
[Black "B"]
[Result "1-0"]

{Before} 1. e4! {A bia} e5 (1... d5 $2 {worse} 2. Nd2 (2. d4) 2... Nd7) (1... c5) 2. Nd2 1-0

[Event "Second"]

1. Nd2 Nd7 *
"""


def test_a_game_is_a_tree() -> None:
    game = read_game(TEXT)
    assert game is not None and game.errors == []
    assert game.headers["White"] == "A" and game.comment == "Before"
    assert [node.san() for node in game.mainline()] == ["e4", "e5", "Nd2"]
    first = game.variation(0)
    assert (first.nags, first.comment) == ([1], "A bia")
    assert [str(node.move) for node in first.variations] == ["e6e5", "d6d5", "c6c5"]
    other = first.variation(Move.from_uci("d6d5"))
    assert (other.nags, other.comment) == ([2], "worse")
    assert [node.uci() for node in other.mainline()] == ["b1d2", "b8d7"]
    assert [str(node.move) for node in other.variations] == ["b1d2", "d3d4"]
    assert game.end().board().fen() == "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/3N4/R1SKMSNR b - - 1 2"
    assert game.end().game() is game and game.end().is_end()


def test_games_are_written_as_they_were_read() -> None:
    games = list(read_games(TEXT))
    assert [game.headers["Event"] for game in games] == ["Test", "Second"]
    for game in games:
        again = read_game(str(game))
        assert again is not None and str(again) == str(game)
        assert [node.move for node in again.mainline()] == [node.move for node in game.mainline()]
    assert "1. e4 $1 {A bia}" in str(games[0]) or "1. e4! {A bia}" in str(games[0])
    assert "(1... d5 $2 {worse}" in str(games[0]) or "(1... d5? {worse}" in str(games[0])


def test_open_files_are_read_game_by_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TEXT)
    files: List[Union[TextIO, BinaryIO]] = [path.open(), path.open("rb"), io.StringIO(TEXT)]
    for file in files:
        with file:
            events = []
            while (game := read_game(file)) is not None:
                events.append(game.headers["Event"])
        assert events == ["Test", "Second"]
    assert len(list(read_games(path))) == 2
    assert read_game("") is None


def test_open_files_are_read_again_after_a_seek(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TEXT)
    files: List[Union[TextIO, BinaryIO]] = [path.open(), path.open("rb"), io.StringIO(TEXT)]
    for file in files:
        with file:
            for _ in range(2):
                first = read_game(file)
                assert first is not None and first.headers["Event"] == "Test"
                second = read_game(file, ruleset="wikipedia")
                assert second is not None and second.headers["Event"] == "Second"
                assert (first.board().ruleset, second.board().ruleset) == ("fairy-stockfish", "wikipedia")
                assert read_game(file) is None
                file.seek(0)


def test_faults_are_reported_and_the_moves_before_them_kept() -> None:
    game = read_game("1. e4 e5 2. Nd5 Nd7 *")
    assert game is not None and len(list(game.mainline())) == 2
    assert len(game.errors) == 1 and "'Nd5' is not legal here" in game.errors[0]
    game = read_game('[Variant "chess"]\n\n1. e4 *')
    assert game is not None and "unknown variant" in game.errors[0] and game.is_end()
    game = read_game('[FEN "8/8 w"]\n\n1. e4 *')
    assert game is not None and "FEN" in game.errors[0]
    game = read_game("1. e4 {never closed")
    assert game is not None and "never closed" in game.errors[0]


def test_trees_are_built() -> None:
    game = Game()
    node = game.add_variation(Move.from_uci("e3e4"), comment="best", nags=[1])
    node.add_variation(Move.from_uci("e6e5"))
    node.add_main_variation(Move.from_uci("d6d5"))
    with pytest.raises(sakmak.IllegalMoveError):
        node.add_variation(Move.from_uci("e3e4"))
    assert [str(child.move) for child in node.variations] == ["d6d5", "e6e5"]
    node.promote_to_main(1)
    assert [str(child.move) for child in node.variations] == ["e6e5", "d6d5"]
    assert "1. e4 $1 {best} e5 (1... d5)" in str(game).replace("e4!", "e4 $1").replace("1... e5", "e5")
    node.remove_variation(1)
    with pytest.raises(KeyError):
        node.variation(1)


def test_boards_become_games() -> None:
    board = Board("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", ruleset="wikipedia")
    board.stop_count()
    board.push_uci("g3a3")
    game = Game.from_board(board)
    assert game.headers["Result"] == "0-1" and "[%count stop]" in str(game)
    again = read_game(str(game))
    assert again is not None and again.end().board() == board and again.end().board().result() == "0-1"
    assert again.end().board().uci_words() == ["count-stop", "g3a3"]
    cambodian = Board(variant="cambodian")
    cambodian.push_uci("d1b2")
    again = read_game(str(Game.from_board(cambodian)))
    assert again is not None and again.end().board() == cambodian


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_keep_their_ruleset_and_decisions(ruleset: str) -> None:
    board = Board("3k4/8/8/8/8/8/4RM2/3K2m1 b - - 0 60", ruleset=ruleset)
    for word in ["count-start", "d8c8", "d1c1", "count-stop", "count-start", "c8b8", "c1b1", "count-start", "b8a8"]:
        try:
            board.push_uci_word(word)
        except sakmak.CountRuleError:
            assert word.startswith("count-")
    again = read_game(str(Game.from_board(board)))
    assert again is not None and again.errors == [] and again.board().ruleset == ruleset
    assert again.end().board() == board and again.end().board().uci_words() == board.uci_words()
    # The header counts more than the argument.
    again = read_game(str(Game.from_board(board)), ruleset="none")
    if ruleset != "fairy-stockfish":
        assert again is not None and again.end().board() == board


def test_games_keep_parts_of_rules_and_claims() -> None:
    parts = "CountClaim=manual SutMet=on"
    board = Board("7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30", ruleset="schemingmind", parts=parts)
    board.push_uci("b1b2")
    board.claim_draw()
    game = Game.from_board(board)
    assert game.headers["RuleParts"] == parts and "{[%count claim]}" in str(game)
    again = read_game(str(game), ruleset="none")
    assert again is not None and again.errors == [] and again.board() == board.root()
    end = again.end().board()
    assert end == board and end.uci_words() == board.uci_words() and end.outcome() == board.outcome()
    # A count by hand that runs when a board loses its history belongs to the start from then on.
    board = Board("3k4/8/8/8/8/8/4RM2/3K2m1 b - - 0 60", ruleset="wikipedia")
    board.start_count()
    board.push_uci("d8c8")
    short = board.copy(stack=False)
    again = read_game(str(Game.from_board(short)))
    assert again is not None and again.board() == short and again.board().count() == board.count()
    # Readers assume the standard array.
    for mirrored in (Board(ruleset="chessvariants"), Board(parts="StartArray=mirrored TakhaengRueaWhite=a SutMa=on")):
        again = read_game(str(Game.from_board(mirrored)))
        assert again is not None and again.board() == mirrored
    wrong = read_game('[RuleParts "Repetition=twice"]\n\n*')
    assert wrong is not None and "RuleParts tag" in wrong.errors[0]
