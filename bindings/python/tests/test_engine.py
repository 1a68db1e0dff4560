"""The engine: analysis, play, async twins, Ctrl-C, `python -m sakmak`."""

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Coroutine, List, Tuple

import pytest

from sakmak import BLACK, WHITE, Board, Move
from sakmak.engine import Analysis, Engine, Limit, PovScore, Score

PATIENCE = 60
"""Seconds after which a program that should have ended is taken for hanging."""
TASKS = Path("/proc/self/task")
"""The threads of this process, native ones too."""
MATE_IN_2 = "3k4/8/8/3K4/8/8/8/R6R w - - 0 1"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(hash=4)


def test_analysis_finds_a_mate(engine: Engine) -> None:
    board = Board(MATE_IN_2)
    info = engine.analyse(board, Limit(depth=8))
    assert info["score"].white().mate() == 2 and info["score"].black().mate() == -2
    assert info["pv"][0] in board.legal_moves and info["depth"] >= 3
    assert sum(info["wdl"]) == 1000 and info["nodes"] > 0
    lines = engine.analyse(Board(), Limit(depth=4), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert lines[0]["score"].relative >= lines[2]["score"].relative
    only = engine.analyse(Board(), Limit(depth=4), root_moves=[Move.from_uci("h3h4")])
    assert only["pv"][0].uci() == "h3h4"


def test_the_game_before_counts() -> None:
    engine = Engine(hash=1)
    board = Board("7k/8/5K2/8/8/8/R7/1R6 w - 16 10 30")
    # Two rua mate in two moves.
    assert engine.analyse(board, Limit(depth=6))["score"].is_mate()
    late = Board("7k/8/5K2/8/8/8/R7/1R6 w - 16 15 30")
    assert not engine.analyse(late, Limit(depth=6))["score"].is_mate()
    assert engine.analyse(late, Limit(depth=6), ignore_count=True)["score"].is_mate()


def test_play(engine: Engine) -> None:
    board = Board()
    for _ in range(6):
        result = engine.play(board, Limit(nodes=500), elo=800 if board.turn else None)
        assert result.move is not None and not result.stops_count
        board.push(result.move)
    over = engine.play(Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1"), Limit(depth=1))
    assert over.move is None and over.ponder is None
    clock = Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01, remaining_moves=10)
    assert engine.play(board, clock).move in board.legal_moves
    counter = Board("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", ruleset="wikipedia")
    result = engine.play(counter, Limit(depth=3), root_moves=[Move.from_uci("g3a3")])
    assert result.stops_count


def test_an_analysis_goes_on_until_it_is_stopped(engine: Engine) -> None:
    with engine.analysis(Board(), multipv=2) as analysis:
        for info in analysis:
            if info["depth"] >= 5:
                break
        assert not analysis.done() and len(analysis.multipv) == 2
    answer = analysis.wait()
    assert analysis.done() and answer.move in Board().legal_moves
    assert analysis.get() is None and analysis.wait() == answer
    # A new search ends the old one, and the old one does not end the new one.
    old = engine.analysis(Board())
    new = engine.analysis(Board(MATE_IN_2), Limit(depth=8))
    old.stop()
    assert old.wait().move is not None
    new.wait()
    assert new.info["score"].is_mate()


def test_other_threads_run_during_a_search(engine: Engine) -> None:
    counted = [0]
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    engine.analyse(Board(), Limit(nodes=100_000))
    done.set()
    thread.join()
    assert counted[0] > before + 1000


def test_async_twins(engine: Engine) -> None:
    async def run() -> None:
        engines = [Engine(hash=1) for _ in range(3)]
        found = await asyncio.gather(*(one.analyse_async(Board(), Limit(nodes=3000)) for one in engines))
        assert all(lines[0]["pv"] for lines in found)
        result = await engine.play_async(Board(), Limit(depth=3))
        assert result.move in Board().legal_moves
        async with await engine.analysis_async(Board()) as analysis:
            async for info in analysis:
                if info["depth"] >= 4:
                    break
        assert (await analysis.wait()).move is not None

    asyncio.run(run())


class RecordingEngine(Engine):
    """Keeps the analyses that it started."""

    started: List[Analysis]

    def analysis(self, *arguments: Any, **options: Any) -> Analysis:
        analysis = super().analysis(*arguments, **options)
        self.started.append(analysis)
        return analysis


@pytest.mark.parametrize("steps", range(4))
@pytest.mark.parametrize("plays", [False, True])
def test_cancelled_tasks_end_their_search(steps: int, plays: bool) -> None:
    engine = RecordingEngine(hash=1)
    engine.started = []

    async def run() -> None:
        call: Coroutine[Any, Any, object]
        call = engine.play_async(Board(), Limit()) if plays else engine.analyse_async(Board(), Limit())
        task = asyncio.ensure_future(call)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert len(engine.started) == min(steps, 1)
    for analysis in engine.started:
        while analysis.get(timeout=PATIENCE) is not None:
            pass
        assert analysis.done()


def test_waiting_tasks_do_not_keep_a_search_from_its_end(engine: Engine) -> None:
    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        analysis = await engine.analysis_async(Board())
        waiting = [asyncio.ensure_future(analysis.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        # The threads of the loop are free.
        await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, int), PATIENCE)
        await asyncio.wait_for(analysis.stop(), PATIENCE)
        best = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
        assert best[0] == best[1] == best[2] and best[0].move is not None

    asyncio.run(run())


def test_finished_games_have_a_score(engine: Engine) -> None:
    mated = engine.analyse(Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1"), Limit(depth=3))
    assert mated["score"] == PovScore(Score(mate=0), BLACK) and mated["pv"] == [] and mated["wdl"].losses == 1000
    assert mated["score"].white() > Score(mate=1)
    (stalemated,) = engine.analyse(Board("7k/5K2/6M1/8/8/8/8/8 b - - 0 1"), Limit(depth=3), multipv=2)
    assert stalemated["score"].white() == Score(0) and stalemated["wdl"].expectation() == 0.5
    with engine.analysis(Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1")) as analysis:
        assert next(iter(analysis))["depth"] == 0


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="hash is 1 to"):
        Engine(hash=0)
    with pytest.raises(ValueError, match="-1 is no time in seconds"):
        Engine(hash=1, move_overhead=-1)
    with pytest.raises(ValueError, match="threads are 1 to 512"):
        Engine(hash=1, threads=0)
    with pytest.raises(OSError, match="no-such-file"):
        Engine(hash=1, network="no-such-file")
    engine = Engine(hash=1)
    with pytest.raises(ValueError, match="elo is 600 to 3475"):
        engine.play(Board(), Limit(depth=1), elo=1)
    with pytest.raises(ValueError, match="multipv is 1 to 500"):
        engine.analyse(Board(), Limit(depth=1), multipv=0)
    with pytest.raises(ValueError, match="time in seconds"):
        engine.analyse(Board(), Limit(time=-1))
    with pytest.raises(ValueError, match="not legal"):
        engine.analyse(Board(), Limit(depth=1), root_moves=[Move.from_uci("e3e5")])
    with pytest.raises(ValueError, match="0 khun"):
        engine.analyse(Board.empty(), Limit(depth=1))
    with engine.analysis(Board()) as analysis:
        analysis.get()
        with pytest.raises(TimeoutError):
            while True:
                analysis.get(timeout=0)
        with pytest.raises(ValueError):
            analysis.get(timeout=-1)


@pytest.mark.skipif(not TASKS.exists(), reason="only Linux lists the threads of a process")
def test_engines_end_with_their_last_reference() -> None:
    gc.collect()
    before = len(list(TASKS.iterdir()))
    for _ in range(20):
        engine = Engine(hash=1)
        analysis = engine.analysis(Board())
        analysis.get()
        del engine, analysis
    gc.collect()
    until = time.monotonic() + PATIENCE
    # Other engines may have ended their threads meanwhile.
    while len(list(TASKS.iterdir())) > before and time.monotonic() < until:
        time.sleep(0.01)
    assert len(list(TASKS.iterdir())) <= before


def test_scores_are_ordered() -> None:
    scores = [Score(mate=0), Score(mate=-3), Score(-50), Score(0), Score(50), Score(mate=3), Score(mate=1)]
    assert sorted(reversed(scores)) == scores == [-(-score) for score in scores]
    assert [str(score) for score in scores] == ["#+0", "#-3", "-50", "+0", "+50", "#+3", "#+1"]
    assert Score(mate=3).score(mate_score=1000) == 997 and Score(mate=3).score() is None
    assert PovScore(Score(30), WHITE) == PovScore(Score(-30), BLACK)


def interrupted(code: str, announcement: str) -> Tuple[str, str]:
    """Runs a program, interrupts it after its first line, and returns the rest of its output and its errors."""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == announcement + "\n"
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=PATIENCE)
        finally:
            process.kill()


def test_ctrl_c_ends_a_search() -> None:
    code = """
import sakmak
engine = sakmak.Engine(hash=1)
analysis = engine.analysis(sakmak.Board())
analysis.get()
try:
    print("searching", flush=True)
    analysis.wait()
except KeyboardInterrupt:
    analysis.stop()
    print("interrupted", analysis.wait().move is not None)
"""
    assert interrupted(code, "searching")[0] == "interrupted True\n"


def test_ctrl_c_ends_perft() -> None:
    code = "import sakmak, sys\nprint('counting', flush=True)\nsakmak.Board().perft(12)\n"
    assert "KeyboardInterrupt" in interrupted(code, "counting")[1]


def test_the_uci_program() -> None:
    commands = "uci\nisready\nposition startpos moves e3e4\ngo depth 4\nquit\n"
    program = [sys.executable, "-m", "sakmak"]
    run = subprocess.run(program, input=commands, capture_output=True, text=True, check=True, timeout=PATIENCE)
    lines = run.stdout.splitlines()
    assert "uciok" in lines and "readyok" in lines and any(line.startswith("bestmove ") for line in lines)
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("isready\ngo infinite\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
    assert subprocess.run([*program, "x"], capture_output=True, timeout=PATIENCE).returncode == 2
