//! Names of opening structures: where each side has put its maa, khun, khon and met.
//!
//! `docs/openings.md` lists them with their sources.

use sakmak_movegen::{Color, PieceKind, Position, Square};

/// A structure of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// A name for programs.
    pub id: &'static str,
    /// The English name.
    pub english: &'static str,
    /// The Thai name.
    pub thai: &'static str,
    /// The address of the source of the Thai name; `None` if the name only describes the structure.
    pub source: Option<&'static str>,
    /// The pieces and White's squares. Black's are those turned by 180 degrees, as the start position is.
    pieces: &'static [(PieceKind, Square)],
}

/// The names by the steps of the maa. The page gives Black's squares.
const MAA: &str = "https://makruk.wordpress.com/";
/// The list of openings with their inventors, from thaibg.com.
const LIST: &str = "https://www.gotoknow.org/posts/434613";

use PieceKind::{Khon, Khun, Maa, Met};

/// All structures. Those of the same pieces exclude one another.
pub const STRUCTURES: [Structure; 8] = [
    Structure {
        id: "linked-right",
        english: "Linked maa (right)",
        thai: "ม้าผูก (ม้าโยงขวา)",
        source: Some(LIST),
        pieces: &[(Maa, Square::F3), (Maa, Square::D2)],
    },
    Structure {
        id: "linked-left",
        english: "Linked maa (left)",
        thai: "ม้าผูกซ้าย",
        source: None,
        pieces: &[(Maa, Square::C3), (Maa, Square::E2)],
    },
    Structure {
        id: "paired",
        english: "Paired maa",
        thai: "ม้าเทียม (ม้าเตี้ย)",
        source: Some(LIST),
        pieces: &[(Maa, Square::D2), (Maa, Square::E2)],
    },
    Structure {
        id: "spread",
        english: "Spread maa",
        thai: "ม้าถ่างแดก",
        source: Some(MAA),
        pieces: &[(Maa, Square::E2), (Maa, Square::F3)],
    },
    Structure {
        id: "high",
        english: "Both maa on the third rank",
        thai: "ม้าสูงทั้งคู่",
        source: None,
        pieces: &[(Maa, Square::C3), (Maa, Square::F3)],
    },
    Structure {
        id: "khun-wing",
        english: "Khun on the left wing",
        thai: "ขุนเข้าปีกซ้าย",
        source: None,
        pieces: &[(Khun, Square::B2)],
    },
    Structure {
        id: "khon-low",
        english: "Left khon on the second rank",
        thai: "โคนซ้ายต่ำ",
        source: None,
        pieces: &[(Khon, Square::C2)],
    },
    Structure {
        id: "met-ahead",
        english: "Met in the centre",
        thai: "เม็ดกลาง",
        source: None,
        pieces: &[(Met, Square::E3)],
    },
];

impl Structure {
    /// Whether `color` has this structure.
    pub fn is_in(&self, position: &Position, color: Color) -> bool {
        self.pieces.iter().all(|&(kind, square)| {
            let square = if color == Color::White { square } else { turned(square) };
            position.pieces(color, kind).contains(square)
        })
    }
}

/// The square turned by 180 degrees.
fn turned(square: Square) -> Square {
    Square::from_index(63 - square.index())
}

/// The structures of both sides, White's first.
pub fn named(position: &Position) -> Vec<(Color, &'static Structure)> {
    let of = |color| {
        STRUCTURES.iter().filter(move |known| known.is_in(position, color)).map(move |known| (color, known))
    };
    of(Color::White).chain(of(Color::Black)).collect()
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::Move;

    use super::*;

    fn names(moves: &str) -> Vec<(Color, &'static str)> {
        let mut position = Position::startpos();
        for text in moves.split_whitespace() {
            position.play(Move::parse(text).unwrap()).unwrap();
        }
        named(&position).into_iter().map(|(color, known)| (color, known.id)).collect()
    }

    #[test]
    fn every_structure_is_recognised_for_both_sides() {
        use Color::{Black, White};
        let cases = [
            ("f3f4 c6c5 g1f3 b8c6 b1d2 g8e7", "linked-right"),
            ("c3c4 f6f5 b1c3 g8f6 g1e2 b8d7", "linked-left"),
            ("b1d2 g8e7 g1e2 b8d7", "paired"),
            ("f3f4 c6c5 b1d2 g8e7 d2f3 e7c6 g1e2 b8d7", "spread"),
            ("c3c4 f6f5 f3f4 c6c5 b1c3 g8f6 g1f3 b8c6", "high"),
            ("d1c2 e8f7 c2b2 f7g7", "khun-wing"),
            ("c1c2 f8f7", "khon-low"),
            ("e3e4 d6d5 e1f2 d8c7 f2e3 c7d6", "met-ahead"),
        ];
        assert_eq!(cases.map(|case| case.1), STRUCTURES.map(|known| known.id));
        for (moves, id) in cases {
            assert_eq!(names(moves), [(White, id), (Black, id)], "{moves}");
        }
    }

    #[test]
    fn other_places_have_no_name() {
        for moves in ["", "e3e4 e6e5", "b1d2 b8d7", "f3f4 f6f5 g1f3 g8f6", "f1f2 c8c7", "d3d4 e6e5 e1d2 d8e7"]
        {
            assert!(names(moves).is_empty(), "{moves}");
        }
    }

    #[test]
    fn each_side_has_its_own() {
        let found = names("b1d2 c6c5 g1e2 b8c6 c1c2 g8e7");
        let expected = [(Color::White, "paired"), (Color::White, "khon-low"), (Color::Black, "linked-right")];
        assert_eq!(found, expected);
    }
}
