//! Material in the units of exchanges.

use sakmak_eval::EXCHANGE;
use sakmak_movegen::{PieceKind, Position, SeeValues};

/// The values of exchanges.
pub const VALUES: SeeValues = SeeValues(EXCHANGE);

/// The value of a piece in exchanges.
pub const fn value(kind: PieceKind) -> i32 {
    EXCHANGE[kind.index()]
}

/// The material of the side to move less that of the other side, without the khun, in the units of exchanges.
pub fn balance(position: &Position) -> i32 {
    let side = position.side_to_move();
    let pieces = position.all_pieces().filter(|(_, piece)| piece.kind != PieceKind::Khun);
    pieces.map(|(_, piece)| if piece.color == side { value(piece.kind) } else { -value(piece.kind) }).sum()
}
