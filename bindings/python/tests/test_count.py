"""The count."""

import pickle

import pytest

import sakmak
from sakmak import BLACK, WHITE, Board, Move, Termination


def test_the_count_begins_when_a_khun_is_bare() -> None:
    board = Board("7k/8/5K2/8/8/8/1m6/RR6 w - - 0 40")
    assert board.count() is None
    capture = board.parse_san("Rxb2")
    after = board.count_after(capture)
    board.push(capture)
    count = board.count()
    assert count is not None and count == after
    assert (count.kind, count.counter, count.attacker) == ("pieces", BLACK, WHITE)
    assert (count.number, count.limit, count.moves_left, count.ply, count.limit_ply) == (4, 8, 4, 8, 16)
    assert str(count) == "pieces 4/8, white may make 4 more moves"
    board.pop()
    assert board.count() is None


def test_counts_are_started_and_stopped() -> None:
    board = Board("3k4/8/8/8/8/8/4RM2/3K2m1 b - - 0 60", ruleset="wikipedia", parts="CountStarted=-1")
    assert board.count() is None
    with pytest.raises(sakmak.CountRuleError, match="nobody is counting"):
        board.stop_count()
    board.start_count()
    count = board.count()
    assert count is not None and (count.kind, count.counter, count.limit) == ("board", BLACK, 64)
    board.push_uci("d8c8")
    with pytest.raises(sakmak.CountRuleError, match="it is black's count"):
        board.stop_count()
    board.push_uci("d1c1")
    board.stop_count()
    assert board.count() is None
    assert board.uci_words() == ["count-start", "d8c8", "d1c1", "count-stop"]
    assert pickle.loads(pickle.dumps(board)).uci_words() == board.uci_words()
    # What was decided after a move goes with it, what was decided before it stays.
    board.pop()
    assert board.uci_words() == ["count-start", "d8c8"]
    board.pop()
    assert board.uci_words() == ["count-start"] and board.count() is not None


def test_draws_are_claimed_where_the_rules_ask_for_it() -> None:
    fen = "7k/8/8/8/8/8/4R3/4K3 b - 32 33 80"
    with pytest.raises(sakmak.CountRuleError, match="has not run out"):
        Board().claim_draw()
    board = Board(fen, parts="CountClaim=manual")
    assert board.outcome() is None and board.can_claim_draw()
    assert board.claim_draw().termination is Termination.PIECES_HONOUR
    assert board.result() == "1/2-1/2"
    board.push_uci("h8g8")
    assert board.result() == "*"
    board.pop()
    assert board.result() == "1/2-1/2"


def test_a_mate_by_the_counter() -> None:
    board = Board("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", ruleset="wikipedia")
    mate = Move.from_uci("g3a3")
    assert board.must_stop_count(mate) and not board.must_stop_count(Move.from_uci("g3g2"))
    drawn = board.copy()
    drawn.push(mate)
    outcome = drawn.outcome()
    assert outcome is not None and outcome.termination is Termination.COUNTER_MATED and outcome.winner is None
    board.stop_count()
    board.push(mate)
    assert board.result() == "0-1"


def test_decisions_before_the_first_move_are_kept() -> None:
    fen = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60"
    board = Board(fen, ruleset="wikipedia")
    board.stop_count()
    for other in [board.copy(), pickle.loads(pickle.dumps(board))]:
        assert other == board and other.uci_words() == ["count-stop"] and other.count() is None
    board.push_uci("g3a3")
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.uci_words() == ["count-stop", "g3a3"] and again.result() == "0-1"
    assert board.root() == Board(fen, ruleset="wikipedia") and board.root().uci_words() == []
    # A copy without its moves begins with the stopped count.
    short = board.copy(stack=False)
    assert pickle.loads(pickle.dumps(short)) == short == board
    board.set_fen(fen)
    assert board.root().fen() == fen and pickle.loads(pickle.dumps(board)).uci_words() == []
