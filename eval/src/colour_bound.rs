//! Met and bia that are bound to squares of one colour.

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Rank, Square, Variant};

/// The squares of a1's colour.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// Whether a side has met and bia only, and its met and those that its bia will become stand on squares of one colour.
/// A bia promotes on its file, and there on a square of known colour, as long as it captures nothing.
///
/// Against a bare khun that is a draw, unless a bia mates at once: met alone never mate ([`Position::is_dead`]), and the
/// endgame tables of four and five men have no longer win. In Makpong, where a khun may not step out of check, all mate.
pub(crate) fn is_colour_bound(position: &Position, color: Color) -> bool {
    let (met, bia) = (position.pieces(color, PieceKind::Met), position.pieces(color, PieceKind::Bia));
    let has_others = position.color(color) & !(met | bia) != position.khun(color).into();
    if has_others || position.rules().variant == Variant::Makpong {
        return false;
    }
    let rank = Rank::Sixth.relative(color);
    let met = bia.into_iter().fold(met, |met, bia| met | Square::new(bia.file(), rank).into());
    !met.intersects(DARK) || !met.intersects(!DARK)
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Piece, Rules, Setup, splitmix64};

    use super::*;
    use crate::tablebase::{Ending, SolvedEndings, Tablebases, Value};

    fn position(board: &str) -> Position {
        Position::from_fen(&format!("{board} w - - 0 1")).unwrap()
    }

    #[test]
    fn the_colour_of_a_bia_is_that_of_its_promotion() {
        // b3, d5 and f4 promote on b6, d6 and f6: all of b6's colour, but c3 on c6.
        assert!(is_colour_bound(&position("8/8/5k2/3P4/5P2/1P6/8/K3M3"), Color::White));
        assert!(!is_colour_bound(&position("8/8/5k2/3P4/5P2/2P5/8/K3M3"), Color::White));
        assert!(!is_colour_bound(&position("8/8/5k2/3P4/5P2/1P6/8/K2M4"), Color::White));
        // Black's promote on the third rank.
        assert!(is_colour_bound(&position("8/8/8/8/pm6/8/1mk5/K7"), Color::Black));
        assert!(!is_colour_bound(&position("8/8/8/8/1p6/m7/1mk5/K7"), Color::Black));
        assert!(!is_colour_bound(&position("8/8/8/8/8/8/1nk5/K7"), Color::Black));
    }

    /// Whether a value is a draw, or a mate on the board or on the move.
    fn is_drawn_or_over(value: Option<Value>) -> bool {
        value.is_some_and(|value| value.plies().is_none_or(|plies| plies <= 1))
    }

    /// A bia, and a met or another bia; many placements at random.
    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn colour_bound_endings_of_four_men_are_not_won() {
        let endings = SolvedEndings::default();
        let mut bound = 0;
        for number in 0..400_000 {
            let random = splitmix64(number);
            let square = |at: u32| Square::from_index((random >> (6 * at)) as usize & 63);
            let kind = if random >> 60 & 1 == 0 { PieceKind::Bia } else { PieceKind::Met };
            let setup = Setup::empty()
                .piece(square(0), Piece::new(Color::White, PieceKind::Khun))
                .piece(square(1), Piece::new(Color::Black, PieceKind::Khun))
                .piece(square(2), Piece::new(Color::White, PieceKind::Bia))
                .piece(square(3), Piece::new(Color::White, kind))
                .side_to_move(if random >> 61 & 1 == 0 { Color::White } else { Color::Black });
            let Ok(position) = setup.build(Rules::default()) else { continue };
            if position.occupied().len() == 4 && is_colour_bound(&position, Color::White) {
                let value = endings.probe_uncounted(&position);
                // Bia on their second rank have none.
                assert!(value.is_none() || is_drawn_or_over(value), "{position}");
                bound += u32::from(value.is_some());
            }
        }
        assert!(bound > 20_000, "{bound}");
    }

    /// The whole proof: all placements of the tables in the folder `SAKMAK_TABLEBASES`, minutes for one of five men.
    #[test]
    #[ignore = "needs tables: sakmak-tools tablebase build KMMBvK KMBBvK KBBBvK"]
    fn colour_bound_endings_of_tables_are_not_won() {
        let folder = std::env::var_os("SAKMAK_TABLEBASES").expect("SAKMAK_TABLEBASES, a folder");
        let (tables, _) = Tablebases::open([folder]);
        let mut proven = 0;
        for name in ["KMBvK", "KBBvK", "KMMBvK", "KMBBvK", "KBBBvK"] {
            let ending: Ending = name.parse().unwrap();
            let Some(placements) = tables.placements(&ending) else { continue };
            let mut bound = 0_u64;
            for (number, side) in (0..placements).flat_map(|number| Color::ALL.map(|side| (number, side))) {
                let Some(position) = tables.position(&ending, number, side) else { continue };
                if is_colour_bound(&position, Color::White) {
                    assert!(is_drawn_or_over(tables.probe_uncounted(&position)), "{position}");
                    bound += 1;
                }
            }
            println!("{name}: {bound} placements are colour-bound, none won but at once");
            proven += bound;
        }
        assert!(proven > 0, "the folder has none of these tables");
    }
}
