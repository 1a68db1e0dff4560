#!/usr/bin/env python3
"""Compares endgame tables with pyffish, the Python library of Fairy-Stockfish.

    pip install pyffish
    sakmak-tools tablebase build --men 4
    tests/tablebase_oracle.py --tools sakmak-tools --dir tablebases --positions 20000 --seed 1

Moves, checks and counts come from pyffish alone. For each random placement the script compares the set of legal moves,
mate and stalemate, and what follows from the values of the positions after each move, whose FENs, with the count that
has begun or gone on, are pyffish's. Exit status 1 if anything differs. With --path DIR pyffish is looked for there.
"""

import argparse
import json
import random
import subprocess
import sys

VARIANT = "makruk"
KINDS = "RSNMB"
FILES = "abcdefgh"


def endings(men):
    """All endings of so many men, as letters of White's and Black's men besides the khun."""
    sets = [""]
    for _ in range(men - 2):
        both = KINDS + KINDS.lower()
        sets = [s + m for s in sets for m in both if not s or both.index(m) >= both.index(s[-1])]
    return sets


def placement(men, draw):
    """A random placement of khun and men: 64 characters from a8 to h1, or None if two fall on one square."""
    board = ["."] * 64
    for man in "Kk" + men:
        if man in "Bb":
            rank = draw.choice([3, 4, 5] if man == "B" else [6, 5, 4])
            square = (8 - rank) * 8 + draw.randrange(8)
        else:
            square = draw.randrange(64)
        if board[square] != ".":
            return None
        board[square] = man
    return "".join(board)


def board_field(board):
    rows = []
    for row in range(0, 64, 8):
        text, empty = "", 0
        for char in board[row:row + 8]:
            if char == ".":
                empty += 1
                continue
            text += (str(empty) if empty else "") + char.replace("B", "P").replace("b", "p")
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def men_of(fen):
    """The men on the board, sorted; the khun included."""
    return sorted(c.replace("p", "b").replace("P", "B") for c in fen.split()[0] if c.isalpha())


def bare_side_to_move(fen):
    white = fen.split()[1] == "w"
    return sum(c.isalpha() and c.isupper() == white for c in fen.split()[0]) == 1


def decides(before, after):
    """Whether a move can decide by itself, so that plies are counted up to it."""
    old, new = men_of(before), men_of(after)
    captured = len(old) != len(new)
    if any(c in "Bb" for c in old):
        return captured or sum(c in "Bb" for c in old) != sum(c in "Bb" for c in new)
    return captured and bare_side_to_move(after)


class Tables:
    """Values of positions, from `sakmak-tools tablebase probe`."""

    def __init__(self, tools, folder):
        command = [tools, "tablebase", "probe", "--dir", folder, "--fen", "-", "--json"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def probe(self, *fens):
        self.process.stdin.write("".join(fen + "\n" for fen in fens))
        self.process.stdin.flush()
        answers = []
        for fen in fens:
            line = self.process.stdout.readline()
            # An error has no line on standard output, so that the next answer is another position's, or none comes.
            if not line or json.loads(line)["fen"].split()[:2] != fen.split()[:2]:
                raise SystemExit(f"no answer for {fen}")
            answers.append(json.loads(line))
        return answers


def behind(value, plies, decisive):
    """The value for the side that moves, from the one of the side that is then to move."""
    if value == "draw":
        return "draw", None
    if decisive:
        return ("win", 1) if value == "loss" else ("loss", 2)
    return ("win" if value == "loss" else "loss"), plies + 1


def order(value):
    name, plies = value
    return {"win": lambda: 10_000 - plies, "draw": lambda: 0, "loss": lambda: plies - 10_000}[name]()


def random_position(pyffish, tables, men, draw):
    """A legal position with or without a count, or None."""
    board = placement(men, draw)
    if board is None:
        return None
    field = board_field(board)
    if pyffish.gives_check(VARIANT, f"{field} b - - 0 1", []) and draw.random() < 0.9:
        side = "b"
    else:
        side = draw.choice("wb")
    other = "b" if side == "w" else "w"
    if pyffish.gives_check(VARIANT, f"{field} {other} - - 0 1", []):
        return None
    without = f"{field} {side} - - 0 1"
    if any(c in "Bb" for c in men) or draw.random() < 0.2:
        return without
    if draw.random() < 0.5:
        limit = draw.choice([16, 32, 44, 64, 88, 128])
        return f"{field} {side} - {limit} {draw.randrange(limit + 1)} 60"
    # As many plies as the win needs, give or take a few.
    plies = tables.probe(f"{field} {side} - 9000 0 60")[0]["plies"]
    left = max(0, (draw.randrange(64) if plies is None else plies) + draw.choice([-3, -2, -1, 0, 1]))
    used = draw.randrange(30)
    return f"{field} {side} - {left + used} {used} 60"


def check(pyffish, tables, fen):
    """What differs in a position and those after each move, as texts; the position's value; how many moves it has."""
    faults = []
    theirs = pyffish.legal_moves(VARIANT, fen, [])
    fens = [pyffish.get_fen(VARIANT, fen, [move]) for move in theirs]
    ours, *answers = tables.probe(fen, *fens)
    moves = {move["move"]: (move["value"], move["plies"]) for move in ours["moves"]}
    if sorted(moves) != sorted(theirs):
        faults.append(f"legal moves: {sorted(set(moves) ^ set(theirs))}")
    value = (ours["value"], ours["plies"])
    if not theirs:
        mated = pyffish.gives_check(VARIANT, fen, [])
        expected = ("loss", 0) if mated else ("draw", None)
        if value != expected:
            faults.append(f"without moves: {value}, not {expected}")
        return faults, ours["value"], 0
    values = []
    for move, after, answer in zip(theirs, fens, answers):
        found = (answer["value"], answer["plies"])
        limit, ply = after.split()[3:5]
        if limit != "-" and int(ply) >= int(limit):
            ended, _ = pyffish.is_optional_game_end(VARIANT, fen, [move])
            if ended and found != ("draw", None):
                faults.append(f"{move}: {after} is drawn by the count, not {found}")
        if not answer["moves"]:
            if pyffish.legal_moves(VARIANT, fen, [move]):
                faults.append(f"{move}: {after} has moves")
            mated = pyffish.gives_check(VARIANT, fen, [move])
            if (found == ("loss", 0)) != mated:
                faults.append(f"{move}: {after}: {found} without moves")
        expected = behind(*found, decides(fen, after))
        if moves.get(move) != expected:
            faults.append(f"{move}: {moves.get(move)}, but {expected} by {after}")
        values.append(expected)
    best = max(values, key=order)
    if value != best:
        faults.append(f"{value}, but its best move has {best}")
    return faults, ours["value"], len(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="sakmak-tools", help="the program")
    parser.add_argument("--dir", default="tablebases", help="folder of the tables")
    parser.add_argument("--path", help="folder that contains pyffish")
    parser.add_argument("--men", type=int, nargs="+", default=[3, 4], help="numbers of men")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.path:
        sys.path.insert(0, args.path)
    import pyffish

    draw = random.Random(args.seed)
    tables = Tables(args.tools, args.dir)
    names = [ending for men in args.men for ending in endings(men)]
    checked = after = wrong = 0
    kinds = {}
    while checked < args.positions:
        fen = random_position(pyffish, tables, draw.choice(names), draw)
        if fen is None:
            continue
        faults, value, moves = check(pyffish, tables, fen)
        checked += 1
        after += moves
        kinds[value] = kinds.get(value, 0) + 1
        for fault in faults:
            print(f"{fen}: {fault}")
        wrong += bool(faults)
    results = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    print(f"{checked} positions ({results}), {after} moves, {wrong} positions with differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
