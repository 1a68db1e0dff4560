"""Games in PGN, as trees in the manner of python-chess."""

from pathlib import Path
from typing import BinaryIO, Dict, Iterator, List, Optional, TextIO, Tuple, Union
from weakref import WeakKeyDictionary

from ._sakmak import Board, GameReader, Move, pgn_text

Line = List[Tuple[Move, List[int], str, List[Tuple[str, "Line"]]]]
NamedLine = List[Tuple[str, List[int], str, List[Tuple[str, "NamedLine"]]]]


class GameNode:
    """A position of a game: the move that led to it, what is said of it, and the moves that follow."""

    parent: "Optional[GameNode]"
    move: Optional[Move]
    variations: "List[ChildNode]"
    """What follows, the main line first."""
    comment: str
    """The comment after the move; in the first node, before the first move."""

    def __init__(self) -> None:
        self.parent = None
        self.move = None
        self.variations = []
        self.comment = ""

    def board(self) -> Board:
        """The board after the moves to this node, as a copy."""
        raise NotImplementedError

    def game(self) -> "Game":
        """The root."""
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    def next(self) -> "Optional[ChildNode]":
        """The next node of the main line."""
        return self.variations[0] if self.variations else None

    def end(self) -> "GameNode":
        """The last node of the main line from here."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        return not self.variations

    def mainline(self) -> "Iterator[ChildNode]":
        """The nodes of the main line after this one."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[Move]:
        return (node.move for node in self.mainline())

    def variation(self, move: Union[int, Move]) -> "ChildNode":
        """The node of a move, or of an index into `variations`."""
        for index, node in enumerate(self.variations):
            if move == index or move == node.move:
                return node
        raise KeyError(f"no variation {move}")

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Optional[List[int]] = None
    ) -> "ChildNode":
        """Adds a legal move. The first one added is the main line."""
        if not self.board().is_legal(move):
            self.board().push(move)  # Raises the error.
        node = ChildNode(self, move)
        node.comment, node.starting_comment, node.nags = comment, starting_comment, list(nags or [])
        self.variations.append(node)
        return node

    def add_main_variation(self, move: Move, *, comment: str = "") -> "ChildNode":
        """Adds a legal move as the main line."""
        node = self.add_variation(move, comment=comment)
        self.variations.insert(0, self.variations.pop())
        return node

    def promote_to_main(self, move: Union[int, Move]) -> None:
        node = self.variation(move)
        self.variations.remove(node)
        self.variations.insert(0, node)

    def remove_variation(self, move: Union[int, Move]) -> None:
        self.variations.remove(self.variation(move))


class ChildNode(GameNode):
    """A node that a move led to."""

    parent: GameNode
    move: Move
    nags: List[int]
    """Numeric annotation glyphs: 1 is `!`, 2 is `?`, and so on."""
    starting_comment: str
    """The comment before the first move of a variation."""

    def __init__(self, parent: GameNode, move: Move) -> None:
        super().__init__()
        self.parent, self.move = parent, move
        self.nags = []
        self.starting_comment = ""

    def board(self) -> Board:
        moves: List[ChildNode] = []
        node: GameNode = self
        while isinstance(node, ChildNode):
            moves.append(node)
            node = node.parent
        board = node.board()
        for child in reversed(moves):
            board.push(child.move)
            board._obey_count(child.comment)
        return board

    def san(self) -> str:
        """The move in short algebraic notation."""
        return self.parent.board().san(self.move)

    def uci(self) -> str:
        return self.move.uci()

    def __repr__(self) -> str:
        return f"<ChildNode {self.move}>"


class Game(GameNode):
    """A game with its headers."""

    headers: Dict[str, str]
    errors: List[str]
    """What was wrong with the text. The moves end before the first one that could not be made."""

    def __init__(self, board: Optional[Board] = None, headers: Optional[Dict[str, str]] = None) -> None:
        super().__init__()
        self.headers = {} if headers is None else headers
        self.errors = []
        self._board = Board() if board is None else board.root()

    def board(self) -> Board:
        board = self._board.copy()
        board._obey_count(self.comment)
        return board

    @classmethod
    def from_board(cls, board: Board) -> "Game":
        """The game of a board: moves, decisions about the count, rules, its result if it is over."""
        game = cls(board)
        game.headers.update({"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"})
        game.headers["Result"] = board.result()
        game.headers["Variant"] = board.variant.capitalize()
        game.headers.update((name, value) for name, value in board._start_headers() if name != "Variant")
        node: GameNode = game
        for word in board.uci_words():
            if word.startswith("count-"):
                mark = f"[%count {word[len('count-') :]}]"
                node.comment = f"{node.comment} {mark}".lstrip()
            else:
                child = ChildNode(node, Move.from_uci(word))
                node.variations.append(child)
                node = child
        return game

    def __str__(self) -> str:
        """The game as PGN."""
        headers = list(self.headers.items())
        return pgn_text(headers, self.comment, _line(self), self._board)

    def __repr__(self) -> str:
        white, black = self.headers.get("White", "?"), self.headers.get("Black", "?")
        return f"<Game {white} - {black}, {self.headers.get('Result', '*')}>"


def _line(node: GameNode) -> Line:
    """The main line after a node. The alternatives to a move stand with that move."""
    line: Line = []
    while node.variations:
        main = node.variations[0]
        others = [
            (other.starting_comment, [(other.move, other.nags, other.comment, []), *_line(other)])
            for other in node.variations[1:]
        ]
        line.append((main.move, main.nags, main.comment, others))
        node = main
    return line


def _grow(node: GameNode, line: "NamedLine", start: str = "") -> None:
    for uci, nags, comment, variations in line:
        child = ChildNode(node, Move.from_uci(uci))
        child.nags, child.comment, child.starting_comment = list(nags), comment, start
        start = ""
        node.variations.append(child)
        for text, moves in variations:
            _grow(node, moves, text)
        node = child


def _games(reader: GameReader) -> Iterator[Game]:
    while True:
        record = reader.read()
        if record is None:
            return
        headers, comment, moves, board, errors = record
        game = Game(board, headers)
        game.comment, game.errors = comment, errors
        _grow(game, moves)
        yield game


def read_games(source: Union[str, bytes, Path, TextIO, BinaryIO], *, ruleset: Optional[str] = None) -> Iterator[Game]:
    """All games of a file, an open file, or a text.

    A `Path` is opened; a `str` or `bytes` is the text itself. Encodings are recognised. A game with a fault is returned
    with its `errors` and the moves before the fault. `ruleset` is that of games without a Ruleset header.
    """
    return _games(_reader(source, ruleset))


def _reader(source: Union[str, bytes, Path, TextIO, BinaryIO], ruleset: Optional[str]) -> GameReader:
    if isinstance(source, Path):
        data = source.read_bytes()
    elif isinstance(source, (str, bytes)):
        data = source.encode() if isinstance(source, str) else source
    else:
        text = source.read()
        data = text.encode() if isinstance(text, str) else text
    return GameReader(data, ruleset)


_OPEN: "WeakKeyDictionary[object, Tuple[Optional[int], GameReader]]" = WeakKeyDictionary()
"""The games left in files that `read_game` has begun, and the place in the file where it left off."""


def _place(file: Union[TextIO, BinaryIO]) -> Optional[int]:
    """The place in a file; `None` if it has no places, as a pipe."""
    try:
        return file.tell()
    except OSError:
        return None


def read_game(source: Union[TextIO, BinaryIO, str], *, ruleset: Optional[str] = None) -> Optional[Game]:
    """The next game of an open file, or the first of a text; `None` if there is none left.

    A file is read whole at its first call, and anew after `seek`. To go through many games, `read_games` is the plainer
    way. `ruleset` is that of a game without a Ruleset header.
    """
    if isinstance(source, str):
        return next(read_games(source, ruleset=ruleset), None)
    place, reader = _OPEN.get(source, (None, None))
    if reader is None or place != _place(source):
        reader = _reader(source, ruleset)
        _OPEN[source] = (_place(source), reader)
    reader.set_ruleset(ruleset)
    return next(_games(reader), None)
