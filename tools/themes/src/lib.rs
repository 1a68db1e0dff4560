//! What decides a line of moves: themes found by code, with their names.
//!
//! A [`Line`] is a winning or holding line of one side. [`tactics`] finds its themes by geometry alone; those of the
//! count need searches and belong to the caller. The puzzles name their themes by it, the review explains mistakes.

mod means;
pub mod tactics;
#[cfg(test)]
mod tests;
mod values;

use sakmak_movegen::{Move, Position};
use serde::{Deserialize, Serialize};

pub use means::{Means, means_of_capture};
pub use values::{VALUES, balance, value};

/// What the side whose line it is can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// A won position, or mate.
    Win,
    /// A clear advantage.
    Advantage,
    /// A draw, where all other moves lose.
    Hold,
}

/// Declares the themes with the name in files, the English and the Thai name.
macro_rules! themes {
    ($($variant:ident $id:literal $english:literal $thai:literal $about:literal)*) => {
        /// What decides a puzzle.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Theme {
            $(#[doc = $about] #[serde(rename = $id)] $variant,)*
        }

        impl Theme {
            /// All themes.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in files.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The English name.
            pub const fn english(self) -> &'static str {
                match self { $(Self::$variant => $english,)* }
            }

            /// The Thai name.
            pub const fn thai(self) -> &'static str {
                match self { $(Self::$variant => $thai,)* }
            }
        }
    };
}

themes! {
    MaaFork "maa-fork" "Fork by maa" "ม้ารุกฆาตสองทาง"
        "A maa attacks two pieces at once and takes one of them."
    Fork "fork" "Fork" "โจมตีสองทาง"
        "Another piece attacks two pieces at once and takes one of them."
    Skewer "skewer" "Rua skewer" "เรือเสียบทะลุ"
        "A rua attacks a piece, which leaves, and takes the one behind."
    Pin "pin" "Pin" "เรือตรึง"
        "A rua holds a piece before its khun."
    Discovered "discovered" "Discovered attack" "เปิดทางโจมตี"
        "A piece leaves the line of its own rua, which then attacks."
    Mate1 "mate-1" "Mate in 1" "รุกจนใน ๑ ตา" "Mate in one move."
    Mate2 "mate-2" "Mate in 2" "รุกจนใน ๒ ตา" "Mate in two moves."
    Mate3 "mate-3" "Mate in 3" "รุกจนใน ๓ ตา" "Mate in three moves."
    Mate4 "mate-4" "Mate in 4" "รุกจนใน ๔ ตา" "Mate in four moves."
    Mate5 "mate-5" "Mate in 5" "รุกจนใน ๕ ตา" "Mate in five moves."
    Mate6 "mate-6" "Mate in 6" "รุกจนใน ๖ ตา" "Mate in six moves."
    Mate7 "mate-7" "Mate in 7" "รุกจนใน ๗ ตา" "Mate in seven moves."
    BackRank "back-rank" "Back rank mate" "รุกจนแถวหลัง"
        "A rua mates along the khun's first rank."
    Promotion "promotion" "Promotion" "หงายเบี้ย"
        "A bia becomes a met."
    Trapped "trapped" "Trapped piece" "หมากหมดทางหนี"
        "A piece has no safe square, and is taken."
    Quiet "quiet" "Quiet move" "ตาเดินเงียบ"
        "A move that neither takes, checks, promotes nor attacks decides."
    Defence "defence" "Defence" "ตั้งรับ"
        "The only way not to lose."
    Stalemate "stalemate" "Stalemate trap" "กลอับ"
        "Stalemate saves, or is the trap that a capture falls into."
    BeatCount "beat-count" "Beat the count" "ไล่จนทันศักดิ์"
        "The only win that is fast enough for the count."
    StartCount "start-count" "Start the count in time" "เริ่มนับให้ทัน"
        "A move begins the count that saves."
    RefuseCapture "refuse-capture" "Refuse the capture" "ไม่กินให้ศักดิ์เริ่มนับ"
        "A capture would begin a count that is too short for the win."
    KeepBia "keep-bia" "Keep a bia" "เก็บเบี้ยไว้"
        "The last bia stays, since without bia a count begins that is too short."
    LastPiece "last-piece" "Take the last piece at the right moment" "กินตัวสุดท้ายให้ถูกจังหวะ"
        "The capture that bares the khun wins now, or in this way, and not otherwise."
    BoardHonour "board-honour" "Hold the board's honour" "ยื้อให้ครบศักดิ์กระดาน"
        "The side with pieces left holds until the board's honour runs out."
    CountOut "count-out" "Count out" "นับให้ครบศักดิ์"
        "The bare khun escapes until the pieces' honour runs out."
    Sacrifice "count-sacrifice" "Sacrifice for the count" "สละหมากเพื่อนับศักดิ์"
        "To lose the last piece begins a count that saves."
}

/// The themes that the count makes.
pub const COUNT_THEMES: [Theme; 8] = [
    Theme::BeatCount,
    Theme::StartCount,
    Theme::RefuseCapture,
    Theme::KeepBia,
    Theme::LastPiece,
    Theme::BoardHonour,
    Theme::CountOut,
    Theme::Sacrifice,
];

impl Theme {
    /// The theme of a mate in this number of moves.
    pub fn mate_in(moves: usize) -> Option<Self> {
        let mates =
            [Self::Mate1, Self::Mate2, Self::Mate3, Self::Mate4, Self::Mate5, Self::Mate6, Self::Mate7];
        mates.get(moves.checked_sub(1)?).copied()
    }

    /// Whether the theme is an idea of one move, and not a race that takes several.
    pub fn is_of_one_move(self) -> bool {
        matches!(
            self,
            Self::StartCount | Self::RefuseCapture | Self::KeepBia | Self::LastPiece | Self::Sacrifice
        )
    }

    /// Whether the theme is a motif that beginners practise, even where a search of one node finds it.
    pub fn is_motif(self) -> bool {
        use Theme::{BackRank, Discovered, Fork, MaaFork, Pin, Skewer, Stalemate, Trapped};
        let is_mate = (1..=7).any(|moves| Self::mate_in(moves) == Some(self));
        let motifs = [MaaFork, Fork, Skewer, Pin, Discovered, BackRank, Trapped, Stalemate];
        is_mate || motifs.contains(&self)
    }

    /// Whether the count makes this theme.
    pub fn is_of_count(self) -> bool {
        COUNT_THEMES.contains(&self)
    }
}

/// A line of a puzzle: the solver moves first and last.
#[derive(Clone, Debug)]
pub struct Line {
    /// The moves, the solver's at even indices.
    pub moves: Vec<Move>,
    /// The position before each move, and the one after the last.
    pub positions: Vec<Position>,
    /// What the solver can reach.
    pub goal: Goal,
}

impl Line {
    /// The line of these moves, which must be legal.
    pub fn new(start: &Position, moves: &[Move], goal: Goal) -> Self {
        let mut positions = vec![start.clone()];
        for (index, &mv) in moves.iter().enumerate() {
            positions.push(positions[index].after(mv));
        }
        Self { moves: moves.to_vec(), positions, goal }
    }

    /// The indices of the moves of the side whose line it is.
    pub fn own(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.moves.len()).step_by(2)
    }

    /// The last position.
    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Whether it ends in mate.
    pub fn is_mate(&self) -> bool {
        self.end().in_check() && !self.end().has_legal_move()
    }
}

/// Whether a line has a [motif](Theme::is_motif).
pub fn has_motif(line: &Line) -> bool {
    tactics::themes(line).into_iter().any(Theme::is_motif)
}

/// Whether a move begins a count, also in the place of another one.
pub fn begins_count(before: &Position, after: &Position) -> bool {
    let (old, new) = (before.count(), after.count());
    new.is_running() && (new.limit() != old.limit() || new.ply() != old.ply() + 1)
}

/// Whether a move of the side to move bares the other one.
pub fn bares(before: &Position, after: &Position) -> bool {
    let other = !before.side_to_move();
    after.is_bare(other) && !before.is_bare(other)
}
