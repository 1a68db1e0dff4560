"""Compares `sakmak.Board` and `sakmak.pyffish` with the real pyffish in positions of random games, and times both.

    python tests/compare.py [POSITIONS] [--seed N] [--speed]

Ends with status 1 at a difference that README.md does not list. `--speed` only prints: times depend on what else the
machine does.
pyffish is needed for this test only: `pip install pyffish`.
"""

import argparse
import contextlib
import os
import random
import sys
import time
from collections import Counter
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pyffish

import sakmak
from sakmak import BLACK, WHITE, Board
from sakmak import pyffish as shim

VARIANTS = ["makruk", "cambodian"]
MAX_PLIES = 400
NOTATIONS = {
    shim.NOTATION_SAN: "san",
    shim.NOTATION_LAN: "lan",
    shim.NOTATION_THAI_SAN: "thai-san",
    shim.NOTATION_THAI_LAN: "thai-lan",
}
ENDS_BY_OPTION = {
    sakmak.Termination.THREEFOLD_REPETITION,
    sakmak.Termination.PIECES_HONOUR,
    sakmak.Termination.BOARD_HONOUR,
}


WRONG_FIELDS = ["x", "a5", "'x'", "-1", "?", "7.5", "", "KQ", "99", "w", "b", "8", "-"]


class Comparison:
    """Counts what was compared, and prints the first differences of each kind."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.differences: Counter[str] = Counter()

    def equal(self, what: str, where: object, theirs: object, *ours: object) -> None:
        self.compared[what] += 1
        if any(value != theirs for value in ours):
            self.differences[what] += 1
            if self.differences[what] <= 5:
                print(f"{what}: {where}: pyffish {theirs!r}, ours {ours!r}")


def chosen(board: Board, generator: random.Random) -> sakmak.Move:
    """A random move; captures and returns are preferred, so that counts and repetitions come up."""
    moves = list(board.legal_moves)
    captures = [move for move in moves if board.is_capture(move)]
    if captures and generator.random() < 0.6:
        return generator.choice(captures)
    if len(board.move_stack) >= 2 and generator.random() < 0.3:
        last = board.move_stack[-2]
        back = [move for move in moves if (move.from_square, move.to_square) == (last.to_square, last.from_square)]
        if back:
            return back[0]
    return generator.choice(moves)


def compare(board: Board, start: str, generator: random.Random, result: Comparison, every_move: bool) -> None:
    variant, moves = board.variant, [move.uci() for move in board.move_stack]
    game = (variant, start, moves)
    fen = board.fen()
    where = (variant, fen, " ".join(moves[-8:]))
    legal = sorted(move.uci() for move in board.legal_moves)
    result.equal("legal moves", where, sorted(pyffish.legal_moves(*game)), legal, sorted(shim.legal_moves(*game)))
    result.equal("FEN", where, pyffish.get_fen(*game), fen, shim.get_fen(*game))
    marked = pyffish.get_fen(*game, False, False, True)
    shown = board.fen(promoted=True)
    result.equal("FEN with promoted bia", where, marked, shown, shim.get_fen(*game, False, False, True))
    result.equal("SFEN", where, pyffish.get_fen(*game, False, True), shim.get_fen(*game, False, True))
    began = generator.randrange(-1, len(moves) + 3)
    theirs = pyffish.get_fen(variant, start, moves, False, False, False, began)
    ours = shim.get_fen(variant, start, moves, False, False, False, began)
    result.equal("FEN by hand", (began, where), theirs, ours)
    # Pyffish takes milliseconds for a call, so only some moves are named here; those played are named after the game.
    moves_here = list(board.legal_moves)
    for move in moves_here if every_move else generator.sample(moves_here, min(3, len(moves_here))):
        theirs = pyffish.get_san(variant, marked, move.uci())
        result.equal("SAN", (move, where), theirs, board.san(move), shim.get_san(variant, shown, move.uci()))
        result.equal("SAN read", (move, where), move, board.parse_san(theirs))
        taken = pyffish.is_capture(variant, fen, [], move.uci())
        ours_taken = shim.is_capture(variant, fen, [], move.uci())
        result.equal("captures", (move, where), taken, board.is_capture(move), ours_taken)
    result.equal("check", where, pyffish.gives_check(*game), board.is_check(), shim.gives_check(*game))
    compare_end(board, game, where, result)


def compare_end(board: Board, game: Tuple[str, str, List[str]], where: object, result: Comparison) -> None:
    outcome = board.outcome()
    ends, value = pyffish.is_optional_game_end(*game)
    our_ends, our_value = shim.is_optional_game_end(*game)
    if board.legal_moves:
        ended = outcome is not None and outcome.termination in ENDS_BY_OPTION
        result.equal("draws by count and repetition", where, ends, ended, our_ends)
        if ends:
            result.equal("value of a draw", where, value, our_value)
    else:
        lost = pyffish.game_result(*game)
        mated = board.outcome() is not None and board.result() != "1/2-1/2"
        result.equal("result", where, lost, -shim.VALUE_MATE if mated else 0, shim.game_result(*game))
    result.equal("ends at once", where, pyffish.is_immediate_game_end(*game)[0], shim.is_immediate_game_end(*game)[0])
    theirs = pyffish.has_insufficient_material(*game)
    result.equal("insufficient material", where, theirs, shim.has_insufficient_material(*game))
    own = (board.has_insufficient_material(WHITE), board.has_insufficient_material(BLACK))
    if theirs != own:
        result.compared["(listed) insufficient material of Board"] += 1
    for fen in [board.fen(), board.fen(promoted=True)]:
        result.equal("valid FEN", fen, pyffish.validate_fen(fen, board.variant), shim.validate_fen(fen, board.variant))


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Pyffish explains each wrong FEN on standard error."""
    sys.stderr.flush()
    errors, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(errors, 2)
        os.close(errors)
        os.close(nothing)


def compare_wrong_fens(board: Board, generator: random.Random, result: Comparison) -> None:
    """FENs with wrong, missing and surplus fields. Wrong boards are left out: they destroy the memory of pyffish."""
    fields = board.fen().split(" ")
    wrong = fields.copy()
    wrong[generator.randrange(1, len(fields))] = generator.choice(WRONG_FIELDS)
    short = fields[: generator.randrange(1, len(fields))]
    fens = [" ".join(filter(None, wrong)), " ".join(short), " ".join([*short, "x"]), " ".join([*fields, "8"])]
    for fen in fens:
        with silence():
            theirs = pyffish.validate_fen(fen, board.variant)
        ours = shim.validate_fen(fen, board.variant)
        if theirs == shim.FEN_OK and ours < 0:
            result.compared["(listed) wrong FENs that pyffish accepts"] += 1
        else:
            result.equal("wrong FEN", fen, theirs, ours)


def compare_names(board: Board, start: str, result: Comparison) -> None:
    """All moves of a game in four notations."""
    played = [move.uci() for move in board.move_stack]
    replayed = board.root()
    names: Dict[int, List[str]] = {notation: [] for notation in NOTATIONS}
    for move in board.move_stack:
        for notation, name in NOTATIONS.items():
            names[notation].append(replayed.name(move, name).replace("=ง", "=M"))
        replayed.push(move)
    for notation, name in NOTATIONS.items():
        game = (board.variant, start, played, False, notation)
        theirs = pyffish.get_san_moves(*game)
        ours = names[notation]
        if name == "thai-san" and ours != theirs:
            # Where the short form fits several moves, Board writes the long one.
            long = names[shim.NOTATION_THAI_LAN]
            result.compared["(listed) ambiguous Thai names"] += sum(a != b for a, b in zip(ours, theirs))
            ours = [there if mine == full else mine for mine, there, full in zip(ours, theirs, long)]
        result.equal(f"games in {name}", played, theirs, ours, shim.get_san_moves(*game))


def run(positions: int, seed: int, every_move: bool) -> Comparison:
    result = Comparison()
    for variant in VARIANTS:
        generator = random.Random(f"{variant} {seed}")
        faults = random.Random(f"{variant} {seed} faults")
        start = Board(variant=variant).fen()
        result.equal("start", variant, pyffish.start_fen(variant), start, shim.start_fen(variant))
        left = positions // len(VARIANTS)
        while left > 0:
            board = Board(variant=variant)
            goes_on = True
            while goes_on and left > 0:
                if generator.random() < 0.12 or not board.legal_moves or board.outcome() is not None:
                    compare(board, start, generator, result, every_move)
                    compare_wrong_fens(board, faults, result)
                    left -= 1
                goes_on = bool(board.legal_moves) and len(board.move_stack) < MAX_PLIES
                if goes_on:
                    # Most games end at their first end, some go on.
                    goes_on = board.outcome() is None or generator.random() < 0.8
                    board.push(chosen(board, generator))
            compare_names(board, start, result)
    return result


def rate(call: Callable[[], object], seconds: float = 0.15) -> float:
    """Calls per second: the best of three runs."""
    best = 0.0
    for _ in range(3):
        calls, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            for _ in range(20):
                call()
            calls += 20
        best = max(best, calls / (time.perf_counter() - began))
    return best


def speed() -> None:
    """Prints calls per second."""
    variant, start = "makruk", pyffish.start_fen("makruk")
    moves = "e3e4 e6e5 b1d2 b8d7 g1e2 g8e7 d3d4 d6d5 d4e5 d7e5".split()
    board = Board()
    for uci in moves:
        board.push_uci(uci)
    fen = board.fen()
    game: Tuple[str, str, List[str]] = (variant, start, moves)
    here: Tuple[str, str, List[str]] = (variant, fen, [])
    move = (
        board.parse_uci("d2e4") if sakmak.Move.from_uci("d2e4") in board.legal_moves else next(iter(board.legal_moves))
    )
    uci = move.uci()

    def push_and_pop() -> None:
        board.push(move)
        board.pop()

    arguments: Dict[str, Tuple[Any, ...]] = {
        "legal_moves": here,
        "get_fen": here,
        "get_san": (variant, fen, uci),
        "get_san_moves": game,
        "gives_check": here,
        "is_capture": (*here, uci),
        "game_result": here,
        "is_immediate_game_end": here,
        "is_optional_game_end": here,
        "has_insufficient_material": here,
        "validate_fen": (fen, variant),
        "start_fen": (variant,),
        "two_boards": (variant,),
        "captures_to_hand": (variant,),
    }
    of_board: Dict[str, Callable[[], object]] = {
        "legal_moves": lambda: list(board.legal_moves),
        "get_fen": board.fen,
        "get_san": lambda: board.san(move),
        "gives_check": board.is_check,
        "is_capture": lambda: board.is_capture(move),
        "game_result": board.outcome,
        "is_optional_game_end": board.outcome,
        "has_insufficient_material": board.is_insufficient_material,
    }
    print(f"{'calls per second':34}{'pyffish':>12}{'shim':>12}{'times':>8}{'Board':>12}{'times':>8}")
    rows: List[Tuple[str, Tuple[Any, ...], Optional[Callable[[], object]]]] = [
        (name, values, of_board.get(name)) for name, values in arguments.items()
    ]
    for name in ["legal_moves", "get_fen", "is_optional_game_end"]:
        rows.append((name, game, None))
    for name, values, own in rows:
        theirs, ours = getattr(pyffish, name), getattr(shim, name)
        slow, fast = rate(lambda: theirs(*values)), rate(lambda: ours(*values))
        label = name + (" after 10 moves" if values is game else "")
        line = f"{label:34}{slow:12,.0f}{fast:12,.0f}{fast / slow:8.1f}"
        if fast < slow:
            line += " slower"
        if own is not None:
            mine = rate(own)
            line += f"{mine:12,.0f}{mine / slow:8.1f}"
        print(line)
    slow, mine = rate(lambda: pyffish.get_fen(variant, fen, [uci])), rate(push_and_pop)
    print(f"{'push and pop (theirs: get_fen)':34}{slow:12,.0f}{'':20}{mine:12,.0f}{mine / slow:8.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("positions", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-move", action="store_true", help="compare the SAN of every legal move")
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    result = run(options.positions, options.seed, options.every_move)
    for what, count in sorted(result.compared.items()):
        print(f"{what}: {count} compared, {result.differences[what]} different")
    if options.speed:
        speed()
    return 1 if result.differences else 0


if __name__ == "__main__":
    sys.exit(main())
