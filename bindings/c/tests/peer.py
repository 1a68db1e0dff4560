"""Compares the library, called through ctypes, with pyffish in random games: peer.py LIBRARY POSITIONS.

pyffish (Fairy-Stockfish, GPL) is installed for this test only.
"""

import ctypes
import random
import sys

import pyffish

library = ctypes.CDLL(sys.argv[1])
wanted = int(sys.argv[2])
HANDLE, TEXT, SIZE = ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t
library.sakmak_game_new.restype = HANDLE
library.sakmak_game_new.argtypes = [TEXT, TEXT, TEXT]
library.sakmak_free.argtypes = [HANDLE]
library.sakmak_game_play.argtypes = [HANDLE, TEXT]
library.sakmak_game_in_check.argtypes = [HANDLE]
library.sakmak_game_outcome.argtypes = [HANDLE]
for name in ("fen", "moves"):
    getattr(library, f"sakmak_game_{name}").argtypes = [HANDLE, TEXT, SIZE]
library.sakmak_game_move_name.argtypes = [HANDLE, TEXT, ctypes.c_int32, TEXT, SIZE]

SAN, ONGOING, STALEMATE = 1, 0, 3
buffer = ctypes.create_string_buffer(4096)


def text(function, *arguments):
    length = function(*arguments, buffer, len(buffer))
    assert 0 <= length < len(buffer), (function, arguments, length)
    return buffer.value.decode()


def compare(variant, game, fen, start, moves, named):
    """Returns what differs in the position, as pairs of ours and theirs; SAN of some moves, which is slow in pyffish."""
    here, game_so_far = (variant, fen, []), (variant, start, moves)
    legal = text(library.sakmak_game_moves, game).split()
    outcome = library.sakmak_game_outcome(game)
    some = named(sorted(legal))
    ended = outcome not in (ONGOING, STALEMATE) and bool(legal)
    ours = {
        "legal moves": sorted(legal),
        "FEN": text(library.sakmak_game_fen, game),
        "check": bool(library.sakmak_game_in_check(game)),
        "drawn": ended,
        "SAN": [text(library.sakmak_game_move_name, game, mv.encode(), SAN) for mv in some],
    }
    theirs = {
        "legal moves": sorted(pyffish.legal_moves(*here)),
        "FEN": fen,
        "check": pyffish.gives_check(*here),
        # The only question that needs the game: a repetition ends it.
        "drawn": pyffish.is_optional_game_end(*game_so_far)[0] or pyffish.is_immediate_game_end(*game_so_far)[0],
        "SAN": [pyffish.get_san(variant, fen, mv, False, pyffish.NOTATION_SAN) for mv in some],
    }
    return [(key, ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]], legal


def main():
    chance = random.Random(1)

    def named(legal):
        return chance.sample(legal, min(3, len(legal)))

    compared = wrong = games = 0
    while compared < wanted:
        variant = ("makruk", "cambodian")[games % 2]
        games += 1
        start = pyffish.start_fen(variant)
        game = library.sakmak_game_new(start.encode(), variant.encode(), None)
        assert game != 0
        fen, moves = start, []
        while compared < wanted and len(moves) < 60:
            different, legal = compare(variant, game, fen, start, moves, named)
            compared += 1
            wrong += bool(different)
            for key, ours, theirs in different:
                print(f"{variant} {' '.join(moves)}: {key}\n  {ours}\n  {theirs}", file=sys.stderr)
            if library.sakmak_game_outcome(game) != ONGOING:
                break
            mv = chance.choice(legal)
            assert library.sakmak_game_play(game, mv.encode()) == 0
            moves.append(mv)
            fen = pyffish.get_fen(variant, fen, [mv])
        assert library.sakmak_free(game) == 0
    print(f"{compared - wrong} passed, {wrong} failed")
    return wrong > 0


sys.exit(main())
