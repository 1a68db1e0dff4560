"""The engine in this process, with the names of python-chess' `chess.engine`.

>>> from sakmak import Board
>>> from sakmak.engine import Engine, Limit
>>> engine = Engine(hash=16)
>>> info = engine.analyse(Board("3k4/8/8/3K4/8/8/8/R6R w - - 0 1"), Limit(depth=8))
>>> info["score"].white().mate()
2
"""

import asyncio
import functools
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Optional,
    Tuple,
    Type,
    TypedDict,
    TypeVar,
    Union,
    overload,
)

from ._sakmak import Board, Move, NativeEngine, NativeSearch
from ._types import BLACK, WHITE, Color
from .tablebase import Tablebases

_T = TypeVar("_T")

MATE_SCORE = 100_000


@dataclass(frozen=True)
class Limit:
    """When a search ends. Without any limit it goes on until it is stopped."""

    time: Optional[float] = None
    """Seconds for the move."""
    depth: Optional[int] = None
    """Plies."""
    nodes: Optional[int] = None
    mate: Optional[int] = None
    """Searches for a mate in so many moves."""
    white_clock: Optional[float] = None
    """Seconds left to White."""
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None
    """Seconds added after each move."""
    black_inc: Optional[float] = None
    remaining_moves: Optional[int] = None
    """Moves to the next time control."""


@functools.total_ordering
class Score:
    """An evaluation for one side: centipawns, or moves to mate. Greater is better."""

    def __init__(self, cp: Optional[int] = None, mate: Optional[int] = None, *, is_won: bool = False) -> None:
        self._cp, self._mate, self._is_won = cp, mate, is_won

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Centipawns. A mate is `None`, or near `mate_score` if that is given."""
        if self._mate is None:
            return self._cp
        if mate_score is None:
            return None
        wins = self._mate > 0 or self._is_won
        return mate_score - self._mate if wins else -mate_score - self._mate

    def mate(self) -> Optional[int]:
        """Moves to mate, negative if this side is mated; `None` if no mate is seen."""
        return self._mate

    def is_mate(self) -> bool:
        return self._mate is not None

    def __neg__(self) -> "Score":
        if self._mate is None:
            return Score(None if self._cp is None else -self._cp)
        return Score(mate=-self._mate, is_won=self._mate == 0 and not self._is_won)

    def _key(self) -> int:
        return self.score(mate_score=MATE_SCORE * 10) or 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._key() == other._key()

    def __lt__(self, other: "Score") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        if self._mate is None:
            return f"{self._cp:+}"
        return f"#{self._mate:+}"

    def __repr__(self) -> str:
        return f"Cp({self._cp})" if self._mate is None else f"Mate({self._mate})"


class PovScore:
    """A score from the side of `turn`."""

    def __init__(self, relative: Score, turn: Color) -> None:
        self.relative, self.turn = relative, turn

    def white(self) -> Score:
        return self.pov(WHITE)

    def black(self) -> Score:
        return self.pov(BLACK)

    def pov(self, color: Color) -> Score:
        return self.relative if color == self.turn else -self.relative

    def is_mate(self) -> bool:
        return self.relative.is_mate()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PovScore) and self.white() == other.white()

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"


class Wdl(Tuple[int, int, int]):
    """Chances of the side to move to win, draw and lose, in thousandths."""

    @property
    def wins(self) -> int:
        return self[0]

    @property
    def draws(self) -> int:
        return self[1]

    @property
    def losses(self) -> int:
        return self[2]

    def expectation(self) -> float:
        """Expected points, from 0 to 1."""
        return (self[0] + self[1] / 2) / sum(self)


class InfoDict(TypedDict, total=False):
    """What a search reports of a line."""

    depth: int
    seldepth: int
    multipv: int
    score: PovScore
    wdl: Wdl
    lowerbound: bool
    upperbound: bool
    nodes: int
    nps: int
    tbhits: int
    time: float
    hashfull: int
    pv: List[Move]


@dataclass(frozen=True)
class PlayResult:
    """The move of the engine."""

    move: Optional[Move]
    """`None` if there is no legal move."""
    ponder: Optional[Move]
    """The expected reply."""
    info: InfoDict
    stops_count: bool
    """Whether the side to move must stop its count before this mate, which would only draw otherwise."""


@dataclass(frozen=True)
class BestMove:
    """The answer of an analysis."""

    move: Optional[Move]
    ponder: Optional[Move]


def _limits(limit: Optional[Limit]) -> Dict[str, Any]:
    limit = limit or Limit()
    return {
        "depth": limit.depth,
        "nodes": limit.nodes,
        "time": limit.time,
        "mate": limit.mate,
        "clock": [limit.white_clock, limit.black_clock],
        "increment": [limit.white_inc, limit.black_inc],
        "moves_to_go": limit.remaining_moves,
    }


def _end_of_game(board: Board) -> Optional[InfoDict]:
    """The info of a position without a legal move, of which the search reports nothing."""
    if board.legal_moves:
        return None
    score, wdl = (Score(mate=0), (0, 0, 1000)) if board.is_check() else (Score(0), (0, 1000, 0))
    return {"depth": 0, "multipv": 1, "score": PovScore(score, board.turn), "wdl": Wdl(wdl), "nodes": 0, "pv": []}


class Analysis:
    """A running search: iterate over it for its infos. As a context manager it is stopped at the end."""

    multipv: List[InfoDict]
    """The newest info of each line, the best first."""

    def __init__(self, search: NativeSearch, board: Board) -> None:
        self._search, self._turn = search, board.turn
        self._end = _end_of_game(board)
        # Several threads may wait for one search.
        self._lock = threading.Lock()
        self._best: Optional[BestMove] = None
        self.multipv = [{}]

    @property
    def info(self) -> InfoDict:
        """The newest info of the best line."""
        return self.multipv[0]

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: object, trace: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[InfoDict]:
        while True:
            info = self.get()
            if info is None:
                return
            yield info

    def get(self, timeout: Optional[float] = None) -> Optional[InfoDict]:
        """The next info; `None` at the end of the search. Raises `TimeoutError` after `timeout` seconds."""
        if timeout is None:
            with self._lock:
                return self._next(None)
        if not self._lock.acquire(timeout=max(timeout, 0)):
            raise TimeoutError("no report of the search in time")
        try:
            return self._next(timeout)
        finally:
            self._lock.release()

    def _next(self, timeout: Optional[float]) -> Optional[InfoDict]:
        if self._end is not None:
            self.multipv[0], self._end = self._end, None
            return self.info
        while self._best is None:
            report = self._search.next(timeout)
            if report is None:
                raise TimeoutError("no report of the search in time")
            info = self._take(report)
            if info is not None:
                return info
        return None

    def _take(self, report: Tuple[Any, ...]) -> Optional[InfoDict]:
        kind = report[0]
        if kind == "answer":
            self._best = BestMove(report[1], report[2])
        elif kind == "warning":
            warnings.warn(report[1], RuntimeWarning, stacklevel=3)
        else:
            found: Dict[str, Any] = report[1]
            cp, mate = found["score"]
            found["score"] = PovScore(Score(cp, mate), self._turn)
            found["wdl"] = Wdl(found["wdl"])
            info: InfoDict = found  # type: ignore[assignment]
            while len(self.multipv) < info["multipv"]:
                self.multipv.append({})
            # A bound does not replace an exact score.
            if "lowerbound" not in info and "upperbound" not in info:
                self.multipv[info["multipv"] - 1] = info
            return info
        return None

    def stop(self) -> None:
        """Ends the search. Its last infos and its answer can still be fetched."""
        if self._best is None:
            self._search.stop()

    def wait(self) -> BestMove:
        """Waits for the end of the search and returns its answer. Ctrl-C stops it."""
        try:
            while self.get() is not None:
                pass
        except KeyboardInterrupt:
            self.stop()
            raise
        assert self._best is not None
        return self._best

    def done(self) -> bool:
        """Whether the answer has been fetched."""
        return self._best is not None


class AsyncAnalysis:
    """An analysis for `async with` and `async for`. If a waiting task is cancelled, the search stops."""

    def __init__(self, analysis: Analysis, executor: ThreadPoolExecutor) -> None:
        self._analysis, self._executor = analysis, executor

    @property
    def multipv(self) -> List[InfoDict]:
        return self._analysis.multipv

    @property
    def info(self) -> InfoDict:
        return self._analysis.info

    async def __aenter__(self) -> "AsyncAnalysis":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: object, trace: object) -> None:
        await self.stop()

    async def __aiter__(self) -> AsyncIterator[InfoDict]:
        while True:
            info = await self.get()
            if info is None:
                return
            yield info

    async def get(self) -> Optional[InfoDict]:
        return await self._in_thread(self._analysis.get)

    async def stop(self) -> None:
        # Not in a thread: all of them may be waiting for this search.
        self._analysis.stop()

    async def wait(self) -> BestMove:
        return await self._in_thread(self._analysis.wait)

    async def _in_thread(self, call: Callable[[], _T]) -> _T:
        """Runs a waiting call in a thread, which ends when the search is stopped."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, call)
        except asyncio.CancelledError:
            self._analysis.stop()
            raise


Folders = Union[Tablebases, str, "PathLike[str]", Iterable[Union[str, "PathLike[str]"]]]


class Engine:
    """An engine with its own hash table and search threads. It runs one search at a time; a new one ends the old.

    `hash` is the size of the table in MiB. `move_overhead` are seconds of the clock to set aside for each move.
    `tablebases` are folders of endgame tables, `network` is the file of another evaluation network.
    """

    def __init__(
        self,
        hash: int = 64,
        threads: int = 1,
        *,
        move_overhead: float = 0.01,
        tablebases: Optional[Folders] = None,
        network: Optional[Union[str, "PathLike[str]"]] = None,
    ) -> None:
        if tablebases is not None and not isinstance(tablebases, Tablebases):
            tablebases = Tablebases(tablebases)
        native = None if tablebases is None else tablebases._native
        self._native = NativeEngine(hash, threads, move_overhead, native, network)
        # Its own threads, which wait for reports: those of the event loop remain free for other work.
        self._executor = ThreadPoolExecutor(thread_name_prefix="sakmak")

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: object, trace: object) -> None:
        self.quit()

    def quit(self) -> None:
        """Ends a running search."""
        self._native.stop()

    def new_game(self) -> None:
        """Forgets what was learnt, before the next search."""
        self._native.new_game()

    def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[Move]] = None,
        ignore_count: bool = False,
        elo: Optional[int] = None,
    ) -> Analysis:
        """Starts a search and returns at once."""
        moves = None if root_moves is None else list(root_moves)
        lines = 1 if multipv is None else multipv
        search = self._native.start(board, _limits(limit), lines, moves, elo, ignore_count)
        return Analysis(search, board)

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Literal[None] = None,
        root_moves: Optional[Iterable[Move]] = None,
        ignore_count: bool = False,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Optional[Iterable[Move]] = None,
        ignore_count: bool = False,
    ) -> List[InfoDict]: ...
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[Move]] = None,
        ignore_count: bool = False,
    ) -> Union[InfoDict, List[InfoDict]]:
        """The last info of a search, or with `multipv` those of the best lines."""
        analysis = self.analysis(board, limit, multipv=multipv, root_moves=root_moves, ignore_count=ignore_count)
        analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        elo: Optional[int] = None,
        root_moves: Optional[Iterable[Move]] = None,
    ) -> PlayResult:
        """The move to play. With `elo` (600 to 3475) the engine plays weaker."""
        analysis = self.analysis(board, limit, root_moves=root_moves, elo=elo)
        return _played(board, analysis, analysis.wait())

    async def analysis_async(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[Move]] = None,
    ) -> AsyncAnalysis:
        """As `analysis`, for `async with await engine.analysis_async(...)`.

        A search that is still running is stopped first, which the event loop waits for: a few milliseconds.
        """
        analysis = self.analysis(board, limit, multipv=multipv, root_moves=root_moves)
        return AsyncAnalysis(analysis, self._executor)

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Optional[Iterable[Move]] = None
    ) -> List[InfoDict]:
        """The last infos of the best lines. If the task is cancelled, the search stops."""
        analysis = await self.analysis_async(board, limit, multipv=multipv, root_moves=root_moves)
        await analysis.wait()
        return analysis.multipv

    async def play_async(self, board: Board, limit: Limit, *, elo: Optional[int] = None) -> PlayResult:
        """As `play`. If the task is cancelled, the search stops."""
        board = board.copy()
        analysis = self.analysis(board, limit, elo=elo)
        best = await AsyncAnalysis(analysis, self._executor).wait()
        return _played(board, analysis, best)


def _played(board: Board, analysis: Analysis, best: BestMove) -> PlayResult:
    stops = best.move is not None and board.must_stop_count(best.move)
    return PlayResult(best.move, best.ponder, analysis.info, stops)
