"""Boards as SVG."""

from typing import Iterable, Optional

from ._sakmak import Board, Move, Piece
from ._types import FILE_NAMES, RANK_NAMES, SQUARES, Color, Square, square_file, square_rank

CELL = 44
MARGIN = 20
LETTERS = {1: "P", 2: "M", 3: "S", 4: "N", 5: "R", 6: "K"}


def _piece(piece: Piece, promoted: bool, x: int, y: int) -> str:
    fill, edge, ink = ("#fdf6e3", "#5b3a1a", "#2a1a0a") if piece.color else ("#3b2a1a", "#2a1a0a", "#fdf6e3")
    ring = f'<circle cx="{x}" cy="{y}" r="13" fill="none" stroke="{ink}" stroke-dasharray="3 3"/>' if promoted else ""
    return (
        f'<circle cx="{x}" cy="{y}" r="17" fill="{fill}" stroke="{edge}"/>{ring}'
        f'<text x="{x}" y="{y + 6}" font-size="16" text-anchor="middle" fill="{ink}">'
        f"{LETTERS[piece.piece_type]}</text>"
    )


def board(
    board: Board,
    *,
    orientation: Color = True,
    lastmove: Optional[Move] = None,
    squares: Iterable[Square] = (),
    size: Optional[int] = None,
    coordinates: bool = True,
) -> str:
    """The board as SVG. A dashed ring marks a met that was a bia.

    The last move is marked (by default that of the board), and a khun in check. `squares` are marked too. `size` is
    the width in pixels.
    """
    if lastmove is None and board.move_stack:
        lastmove = board.peek()
    side = 8 * CELL + 2 * MARGIN

    def corner(square: Square) -> "tuple[int, int]":
        file, rank = square_file(square), square_rank(square)
        column, row = (file, 7 - rank) if orientation else (7 - file, rank)
        return MARGIN + CELL * column, MARGIN + CELL * row

    def mark(square: Square, colour: str) -> str:
        x, y = corner(square)
        return f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/>'

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'width="{size or side}" height="{size or side}" font-family="sans-serif">',
        f"<title>{board.fen()}</title>",
        f'<rect width="{side}" height="{side}" fill="#fffaf0"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{8 * CELL}" height="{8 * CELL}" fill="#e8c88f"/>',
    ]
    if lastmove is not None:
        out += [mark(lastmove.from_square, "#d9b15f"), mark(lastmove.to_square, "#d9b15f")]
    out += [mark(square, "#b9cf8f") for square in squares]
    if board.is_valid() and board.is_check():
        khun = board.khun(board.turn)
        if khun is not None:
            out.append(mark(khun, "#e08a7a"))
    for line in range(9):
        at, end = MARGIN + CELL * line, MARGIN + 8 * CELL
        out.append(f'<path d="M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}" stroke="#5b3a1a" fill="none"/>')
    if coordinates:
        for index in range(8):
            x, _ = corner(index)
            _, y = corner(8 * index)
            out.append(
                f'<text x="{x + CELL // 2}" y="{side - 6}" font-size="12" text-anchor="middle">'
                f"{FILE_NAMES[index]}</text>"
            )
            out.append(
                f'<text x="9" y="{y + CELL // 2 + 4}" font-size="12" text-anchor="middle">{RANK_NAMES[index]}</text>'
            )
    promoted = board.promoted
    for square in SQUARES:
        piece = board.piece_at(square)
        if piece is not None:
            x, y = corner(square)
            out.append(_piece(piece, square in promoted, x + CELL // 2, y + CELL // 2))
    out.append("</svg>")
    return "\n".join(out)
