//! Positions set up piece by piece, and their validation.

use crate::bitboard::Bitboard;
use crate::count::Count;
use crate::position::Position;
use crate::rules::{PlayRules, Rules, StartArray};
use crate::square::{File, Rank, Square};
use crate::types::{Color, Piece, PieceKind};
use crate::zobrist;

/// Most pieces a side can have: handicap games are played with up to five full ranks of them.
const MAX_PIECES: u32 = 48;
/// Largest move number a position can begin with.
pub(crate) const MAX_MOVE_NUMBER: u32 = 1_000_000_000;

/// The side that counts in a [`Setup`] whose count is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CountOwner {
    /// The side that the rules give the count to.
    #[default]
    ByRules,
    /// Neither side. Only rules whose counts can belong to a side accept this.
    Nobody,
    /// This side. Only rules whose counts can belong to a side accept this.
    Side(Color),
}

/// The parts of a position, valid or not. [`Setup::build`] returns the [`Position`].
///
/// ```
/// use sakmak_movegen::{Color, Count, Piece, PieceKind, Rules, Setup, Square};
///
/// let square = |name: &str| name.parse::<Square>().unwrap();
/// let position = Setup::empty()
///     .piece(square("e1"), Piece::new(Color::White, PieceKind::Khun))
///     .piece(square("a1"), Piece::new(Color::White, PieceKind::Rua))
///     .piece(square("e8"), Piece::new(Color::Black, PieceKind::Khun))
///     .side_to_move(Color::Black)
///     .count(Count::new(32, 9))
///     .fullmove_number(80)
///     .build(Rules::default())?;
/// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/R3K3 b - 32 9 80");
/// # Ok::<(), sakmak_movegen::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    board: [Option<Piece>; 64],
    pub(crate) side: Color,
    pub(crate) privileged: Bitboard,
    pub(crate) count: Count,
    count_owner: CountOwner,
    pub(crate) halfmove: u16,
    pub(crate) fullmove: u32,
}

/// The condition of a valid position that a [`Setup`] does not meet.
///
/// ```
/// use sakmak_movegen::{Color, Rules, Setup, SetupError};
///
/// let error = Setup::empty().build(Rules::default()).unwrap_err();
/// assert_eq!(error, SetupError::KhunCount { color: Color::White, count: 0 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has no khun or several.
    #[error("{color} has {count} khun, not one")]
    KhunCount {
        /// The side.
        color: Color,
        /// How many khun it has.
        count: u32,
    },
    /// A side has more than 48 pieces.
    #[error("{color} has {count} pieces, more than {MAX_PIECES}")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many pieces it has.
        count: u32,
    },
    /// A bia stands on the first or the last rank.
    #[error("a {color} bia cannot stand on {square}")]
    ImpossibleBia {
        /// The bia's side.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// The side to move could capture the khun.
    #[error("{color} is in check but it is {}'s turn", !*color)]
    KhunCapturable {
        /// The side in check, which is not to move.
        color: Color,
    },
    /// [`Setup::count_owner`] was called, but counts belong to neither side under the rules.
    #[error("the count names who counts, but these counts belong to neither side")]
    CountOwner,
    /// The move number is too large.
    #[error("move number {number} is above {MAX_MOVE_NUMBER}")]
    MoveNumber {
        /// The move number.
        number: u32,
    },
}

impl Default for Setup {
    fn default() -> Self {
        Self::empty()
    }
}

impl Setup {
    /// An empty board: White to move, no count, move 1.
    pub const fn empty() -> Self {
        Self {
            board: [None; 64],
            side: Color::White,
            privileged: Bitboard::EMPTY,
            count: Count::NONE,
            count_owner: CountOwner::ByRules,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// The start position of the rules. The pieces on the first and the last rank, but for upturned boats, have the
    /// first-move privileges of the rules.
    ///
    /// ```
    /// use sakmak_movegen::{Position, Rules, Setup};
    ///
    /// let rules = Rules::default();
    /// assert_eq!(Setup::start(&rules).build(rules), Ok(Position::startpos()));
    /// ```
    pub fn start(rules: &Rules) -> Self {
        use PieceKind::{Bia, Khon, Khun, Maa, Met, Rua};
        let upturned = rules.upturned_boats(Color::White) | rules.upturned_boats(Color::Black);
        let mut setup = Self::empty().privileged(Bitboard::HOME_RANKS & !upturned);
        let black = [Rua, Maa, Khon, Met, Khun, Khon, Maa, Rua];
        let mut white = black;
        if rules.setup.array == StartArray::Standard {
            white.reverse();
        }
        for (color, home) in [(Color::White, white), (Color::Black, black)] {
            for (file, kind) in File::ALL.into_iter().zip(home) {
                let square = Square::new(file, Rank::First.relative(color));
                let kind = if upturned.contains(square) { Met } else { kind };
                setup = setup
                    .piece(square, Piece::new(color, kind))
                    .piece(Square::new(file, Rank::Third.relative(color)), Piece::new(color, Bia));
            }
        }
        setup
    }

    /// Puts a piece on a square.
    #[must_use]
    pub const fn piece(mut self, square: Square, piece: Piece) -> Self {
        self.board[square.index()] = Some(piece);
        self
    }

    /// Empties a square.
    #[must_use]
    pub const fn without_piece(mut self, square: Square) -> Self {
        self.board[square.index()] = None;
        self
    }

    /// The piece on a square.
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Sets the side to move.
    #[must_use]
    pub const fn side_to_move(mut self, side: Color) -> Self {
        self.side = side;
        self
    }

    /// Gives the first-move privileges of the rules to the pieces on these squares and to no others.
    #[must_use]
    pub const fn privileged(mut self, squares: Bitboard) -> Self {
        self.privileged = squares;
        self
    }

    /// Sets the count. Without one, a count starts at once if the rules have one for the position. Rules without a
    /// count of the honours ignore it.
    #[must_use]
    pub const fn count(mut self, count: Count) -> Self {
        self.count = count;
        self
    }

    /// Sets the side that counts, if it is not the side by the rules.
    #[must_use]
    pub const fn count_owner(mut self, owner: CountOwner) -> Self {
        self.count_owner = owner;
        self
    }

    /// Sets the plies since the last capture or bia move.
    #[must_use]
    pub const fn halfmove_clock(mut self, plies: u16) -> Self {
        self.halfmove = plies;
        self
    }

    /// Sets the number of the current move; 0 is taken for 1.
    #[must_use]
    pub const fn fullmove_number(mut self, number: u32) -> Self {
        self.fullmove = number;
        self
    }

    /// The pieces with their squares, from a1 to h8.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The position under these rules.
    ///
    /// # Errors
    /// A [`SetupError`] for the first condition that the position does not meet.
    pub fn build(&self, rules: impl Into<PlayRules>) -> Result<Position, SetupError> {
        let mut position = Position::empty();
        position.rules = rules.into();
        if self.count_owner != CountOwner::ByRules && !position.rules.counting.has_owner() {
            return Err(SetupError::CountOwner);
        }
        if self.fullmove > MAX_MOVE_NUMBER {
            return Err(SetupError::MoveNumber { number: self.fullmove });
        }
        for (square, piece) in self.all_pieces() {
            position.add(piece.color, piece.kind, square);
        }
        position.side = self.side;
        if self.side == Color::Black {
            position.key ^= zobrist::side();
        }
        for color in Color::ALL {
            has_few_enough_pieces(&position, color)?;
            has_one_khun(&position, color)?;
            has_no_bia_on_the_edge(&position, color)?;
        }
        position.halfmove = self.halfmove;
        position.fullmove = self.fullmove.max(1);
        position.set_privileged(self.privileged);
        position.find_checkers();
        khun_cannot_be_captured(&position)?;
        self.set_up_count(&mut position);
        Ok(position)
    }

    fn set_up_count(&self, position: &mut Position) {
        let given = self.count;
        position.count = given;
        position.set_up_count();
        let owner = match self.count_owner {
            CountOwner::ByRules => return,
            CountOwner::Nobody => None,
            CountOwner::Side(color) => Some(color),
        };
        if (given.limit(), given.ply()) == (position.count.limit(), position.count.ply()) {
            position.count = position.count.owned_by(owner);
        }
    }
}

impl Position {
    /// The standard array: `rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1`.
    pub fn startpos() -> Self {
        Self::start(Rules::default())
    }

    /// The start position of the rules.
    pub fn start(rules: Rules) -> Self {
        match Setup::start(&rules).build(rules) {
            Ok(position) => position,
            Err(_) => unreachable!("all start positions are valid"),
        }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

impl From<&Position> for Setup {
    /// The parts of a position, to change some of them.
    ///
    /// ```
    /// use sakmak_movegen::{Color, Position, Setup, Square};
    ///
    /// let start = Position::startpos();
    /// let handicap = Setup::from(&start).without_piece(Square::A1).build(*start.rules())?;
    /// assert_eq!(handicap.color(Color::White).len(), 15);
    /// # Ok::<(), sakmak_movegen::SetupError>(())
    /// ```
    fn from(position: &Position) -> Self {
        let mut setup = Self {
            side: position.side,
            privileged: position.privileged(),
            count: position.count,
            halfmove: position.halfmove,
            fullmove: position.fullmove,
            ..Self::empty()
        };
        let owner = position.count.owner();
        if position.count.is_running() && owner != position.count_owner_in_fen() {
            setup.count_owner = owner.map_or(CountOwner::Nobody, CountOwner::Side);
        }
        position.all_pieces().fold(setup, |setup, (square, piece)| setup.piece(square, piece))
    }
}

fn has_one_khun(position: &Position, color: Color) -> Result<(), SetupError> {
    let count = position.pieces(color, PieceKind::Khun).len();
    if count == 1 { Ok(()) } else { Err(SetupError::KhunCount { color, count }) }
}

fn has_few_enough_pieces(position: &Position, color: Color) -> Result<(), SetupError> {
    let count = position.color(color).len();
    if count <= MAX_PIECES { Ok(()) } else { Err(SetupError::TooManyPieces { color, count }) }
}

/// A bia on the last rank would have no move, and none ever stands on the first. Handicap games start with bia on the
/// second rank, and a bia set up beyond the sixth promotes on its next move.
fn has_no_bia_on_the_edge(position: &Position, color: Color) -> Result<(), SetupError> {
    match (position.pieces(color, PieceKind::Bia) & Bitboard::HOME_RANKS).first() {
        Some(square) => Err(SetupError::ImpossibleBia { color, square }),
        None => Ok(()),
    }
}

fn khun_cannot_be_captured(position: &Position) -> Result<(), SetupError> {
    let (us, them) = (position.side, !position.side);
    if position.is_attacked(us, position.khun(them), position.occupied()) {
        return Err(SetupError::KhunCapturable { color: them });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{CountingSystem, Ruleset, Variant};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn khuns() -> Setup {
        Setup::empty()
            .piece(square("e1"), Piece::new(Color::White, PieceKind::Khun))
            .piece(square("e8"), Piece::new(Color::Black, PieceKind::Khun))
    }

    #[test]
    fn every_condition_has_its_error() {
        let build = |setup: Setup| setup.build(Rules::default()).unwrap_err();
        assert_eq!(build(Setup::empty()), SetupError::KhunCount { color: Color::White, count: 0 });
        let black_rua = Piece::new(Color::Black, PieceKind::Rua);
        assert_eq!(
            build(khuns().piece(square("e4"), black_rua).side_to_move(Color::Black)),
            SetupError::KhunCapturable { color: Color::White }
        );
        let bia = Piece::new(Color::Black, PieceKind::Bia);
        assert_eq!(
            build(khuns().piece(square("a1"), bia)),
            SetupError::ImpossibleBia { color: Color::Black, square: square("a1") }
        );
        assert_eq!(build(khuns().fullmove_number(u32::MAX)), SetupError::MoveNumber { number: u32::MAX });
        let crowd = Square::all()
            .filter(|&square| !Bitboard::HOME_RANKS.contains(square))
            .fold(khuns(), |setup, square| setup.piece(square, Piece::new(Color::White, PieceKind::Met)));
        assert_eq!(build(crowd.clone()), SetupError::TooManyPieces { color: Color::White, count: 49 });
        let error = build(crowd.without_piece(square("a2"))).to_string();
        assert_eq!(error, "black is in check but it is white's turn");
    }

    #[test]
    fn an_owner_needs_rules_with_owned_counts() {
        let setup = khuns()
            .piece(square("a1"), Piece::new(Color::White, PieceKind::Met))
            .piece(square("h8"), Piece::new(Color::Black, PieceKind::Rua))
            .count(Count::new(128, 3))
            .count_owner(CountOwner::Side(Color::Black));
        assert_eq!(setup.build(Rules::default()), Err(SetupError::CountOwner));
        let rules = PlayRules { counting: CountingSystem::Wikipedia, ..PlayRules::default() };
        assert_eq!(setup.build(rules).unwrap().count().owner(), Some(Color::Black));
        let unowned = setup.count_owner(CountOwner::Nobody).build(rules).unwrap();
        assert_eq!(unowned.count().owner(), None);
    }

    /// By every ruleset, through random games.
    #[test]
    fn the_parts_of_a_position_build_what_its_fen_does() {
        for (number, &ruleset) in (0..).zip(Ruleset::ALL) {
            for &variant in Variant::ALL {
                let rules = Rules::new(variant, ruleset);
                let mut position =
                    Position::from_fen_with("4k3/2p5/8/8/8/3NS3/4R3/3MK3 w DE - 0 30", rules).unwrap();
                for ply in 0..if cfg!(miri) { 5 } else { 150 } {
                    let built = Setup::from(&position).build(rules).unwrap();
                    let read = Position::from_fen_with(&position.to_string(), rules).unwrap();
                    assert_eq!(
                        (built.to_string(), built.tt_key()),
                        (read.to_string(), read.tt_key()),
                        "{rules}"
                    );
                    let moves = position.legal_moves();
                    let random = crate::splitmix64(1_000 * number + ply) as usize;
                    let Some(&mv) = moves.get(random % moves.len().max(1)) else { break };
                    position.play_unchecked(mv);
                }
            }
        }
    }

    #[test]
    fn start_positions_are_those_of_the_start_fen() {
        for &variant in Variant::ALL {
            for &ruleset in Ruleset::ALL {
                let parts = "TakhaengRueaWhite=a TakhaengRueaBlack=both SutMa=on";
                let rules = Rules::new(variant, ruleset).with_parts(parts).unwrap();
                for rules in [rules, Rules::new(variant, ruleset)] {
                    let from_fen = Position::from_fen_with(&rules.start_fen(), rules).unwrap();
                    assert_eq!(Setup::start(&rules).build(rules), Ok(from_fen), "{rules}");
                }
            }
        }
    }
}
