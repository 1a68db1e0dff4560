#!/usr/bin/env python3
"""Compares the ratings of puzzles with the solve rates of an engine that did not make them.

    tests/puzzle_ratings.py --engine stockfish --list web/public/puzzles --number 300 --seed 1

The engine is a UCI program with the variant `makruk` and `UCI_Elo`, such as Fairy-Stockfish. It tries each puzzle at
each of six values of `UCI_Elo`; a puzzle is solved if all moves of the solver are found. The limit is a number of nodes,
so that the load of the machine does not matter. Prints the share of solved puzzles at each level, then Spearman's rank
correlation of the ratings with the share of tries that failed. Exit status 1 if it is below --least.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys


class Engine:
    def __init__(self, path, nodes):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.nodes = nodes
        self.send("uci")
        options = self.until("uciok")
        if not any("UCI_Variant" in line and " makruk" in line for line in options):
            sys.exit(f"{path}: does not know the variant makruk")
        self.send("setoption name UCI_Variant value makruk")
        self.send("setoption name UCI_LimitStrength value true")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit("the engine has ended")

    def level(self, elo):
        self.send(f"setoption name UCI_Elo value {elo}")

    def move(self, fen, moves):
        self.send("position fen " + fen + (" moves " + " ".join(moves) if moves else ""))
        self.send(f"go nodes {self.nodes}")
        return self.until("bestmove")[-1].split()[1]

    def solves(self, puzzle):
        _, fen, mistake, line, _, accepted = puzzle
        line = line.split()
        self.send("ucinewgame")
        played = [mistake] if mistake else []
        for index, move in enumerate(line):
            if index % 2 == 0 and self.move(fen, played) not in accepted.get(str(index), [move]):
                return False
            played.append(move)
        return True


def puzzles(folder):
    """All puzzles of a list with their ratings."""
    index = json.loads((folder / "index.json").read_text())
    found = []
    for part in sorted(folder.glob("part-*.json")):
        found += json.loads(part.read_text())["puzzles"]
    return list(zip(found, index["ratings"]))


def ranks(values):
    """The rank of each value; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            result[index] = (start + end - 1) / 2
        start = end
    return result


def spearman(one, other):
    one, other = ranks(one), ranks(other)
    mean = (len(one) - 1) / 2
    product = sum((a - mean) * (b - mean) for a, b in zip(one, other))
    squares = sum((a - mean) ** 2 for a in one) * sum((b - mean) ** 2 for b in other)
    return product / squares**0.5 if squares else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", required=True, help="the UCI program")
    parser.add_argument("--list", required=True, type=pathlib.Path, help="the folder with index.json")
    parser.add_argument("--number", type=int, default=300, help="puzzles drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--tries", type=int, default=3, help="of each level at each puzzle")
    parser.add_argument("--nodes", type=int, default=20_000, help="of each search")
    parser.add_argument("--elos", type=int, nargs="+", default=[600, 1000, 1400, 1800, 2200, 2600])
    parser.add_argument("--games", action="store_true", help="only puzzles from games")
    parser.add_argument("--least", type=float, default=-1.0, help="the least correlation")
    args = parser.parse_args()
    chosen = [one for one in puzzles(args.list) if one[0][2] or not args.games]
    chosen = random.Random(args.seed).sample(chosen, min(args.number, len(chosen)))
    engine = Engine(args.engine, args.nodes)
    failed = [0] * len(chosen)
    for elo in args.elos:
        engine.level(elo)
        solved = 0
        for number, (puzzle, _) in enumerate(chosen):
            for _ in range(args.tries):
                is_solved = engine.solves(puzzle)
                solved += is_solved
                failed[number] += not is_solved
        print(f"UCI_Elo {elo}: {solved / len(chosen) / args.tries:.3f} solved", flush=True)
    engine.send("quit")
    correlation = spearman([rating for _, rating in chosen], failed)
    print(f"{len(chosen)} puzzles, {args.tries} tries: rank correlation {correlation:.3f}")
    return correlation < args.least


if __name__ == "__main__":
    sys.exit(main())
