"""Tablebases, review, training data."""

import struct
import zlib
from pathlib import Path

import pytest

import sakmak
from sakmak import Board
from sakmak.pgn import read_game
from sakmak.review import annotate
from sakmak.tablebase import Tablebases, Value


def test_small_endings_are_known_without_files() -> None:
    tables = Tablebases()
    board = Board("8/8/8/3k4/8/8/8/R2K3R w - - 0 1")
    probe = tables.probe(board)
    assert probe is not None and probe.value.wdl == 1 and probe.to_mate
    moves = tables.moves(board)
    assert moves is not None and moves[0][1] == probe.value and len(moves) == len(board.legal_moves)
    board.push(moves[0][0])
    after = tables.probe(board)
    assert after is not None and probe.value.plies is not None
    assert after.value == Value(-1, probe.value.plies - 1)
    # Too late for the count.
    late = tables.probe(Board("8/8/8/3k4/8/8/8/R2K3R w - 16 15 40"))
    assert late is not None and (late.value.wdl, late.uncounted.wdl) == (0, 1)
    assert tables.probe(Board()) is None and tables.endings() == []


def test_wrong_folders_are_named(tmp_path: Path) -> None:
    tables = Tablebases([tmp_path / "none", tmp_path])
    assert len(tables.errors) == 1 and "none" in tables.errors[0]
    assert sakmak.Engine(hash=1, tablebases=tables) is not None


def test_a_review_is_written_into_the_game() -> None:
    game = read_game("1. e4 {good} e5 2. a4 Re8 *".replace("Re8", "Ra7"))
    assert game is not None and game.errors == []
    seen = []
    review = annotate(game, nodes=500, hash=1, progress=lambda done, total: seen.append((done, total)))
    assert len(review.plies) == 4 and seen[-1] == (5, 5)
    assert all(accuracy is not None and 0 <= accuracy <= 100 for accuracy in review.accuracy)
    first = game.variation(0)
    assert first.comment.startswith("[%eval ") and first.comment.endswith("] good")
    annotate(game, nodes=200, hash=1)
    assert first.comment.count("[%eval") == 1


def position_file(records: bytes) -> bytes:
    count = len(records) // 32
    header = b"SAKMAKPO" + struct.pack("<IIQ", 1, 32, count)
    header += struct.pack("<I", zlib.crc32(header))
    return header + records + (struct.pack("<I", zlib.crc32(records)) if count else b"")


def test_training_positions_are_arrays(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    from sakmak.dataset import Positions, planes

    # Khun on a1, enemy bia on c3, enemy khun on h8.
    squares = 1 << sakmak.A1 | 1 << sakmak.C3 | 1 << sakmak.H8
    record = struct.pack("<Q16shBBHH", squares, bytes([5 | 8 << 4, 13] + [0] * 14), -120, 1, 255, 7, 0)
    path = tmp_path / "positions"
    path.write_bytes(position_file(record * 3))
    positions = Positions(path)
    read = positions.read()
    assert len(positions) == len(read) == 3
    assert (read["score"][0], read["points2"][0], read["left"][0], read["ply"][0]) == (-120, 1, 255, 7)
    board = planes(read)
    assert board.shape == (3, 12, 64) and board.sum() == 9
    assert all(board[0, plane, square] for plane, square in [(5, sakmak.A1), (6, sakmak.C3), (11, sakmak.H8)])
    assert isinstance(read, numpy.ndarray)

    damaged = bytearray(path.read_bytes())
    damaged[40] ^= 1
    path.write_bytes(bytes(damaged))
    with pytest.raises(OSError):
        Positions(path).read()
    path.write_bytes(b"nothing")
    with pytest.raises(OSError):
        Positions(path)


def test_wrong_files_of_games_are_named(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    from sakmak.dataset import games

    path = tmp_path / "games"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(OSError):
        list(games(path))
