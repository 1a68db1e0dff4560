//! Exact distances to mate where a khon and another man hunt a bare khun.
//!
//! These are the hunts a forecast is worst at: up to forty moves by a narrow path, and every square matters. They
//! are solved backwards from the mates (retrograde analysis), for all squares of the bare khun at once: what a
//! hunter's placement makes of them is a bitboard. A pair takes a tenth of a second and eight megabytes, when it is
//! first asked for.
//!
//! White hunts in all placements, and its khun stands on the files a to d; the others are mirrored. A khon left alone
//! mates now and then: the tables have it as a pair on one square.

use once_cell::sync::Lazy;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

/// The distances of all placements of a khon and a second man.
#[derive(Debug)]
pub(crate) struct Pair {
    second: PieceKind,
    /// Moves to mate with the hunter to move, by placement and the bare khun's square; 0 if there is none to force.
    moves: Box<[[u8; 64]]>,
}

static WITH_MET: Lazy<Pair> = Lazy::new(|| Pair::solve(PieceKind::Met));
static WITH_KHON: Lazy<Pair> = Lazy::new(|| Pair::solve(PieceKind::Khon));
static WITH_MAA: Lazy<Pair> = Lazy::new(|| Pair::solve(PieceKind::Maa));

/// Solves the hunts with a khon that are otherwise solved when a search first meets them: some tenths of a second
/// that are better spent before a clock runs.
pub fn prepare() {
    for pair in [&WITH_MET, &WITH_KHON, &WITH_MAA] {
        Lazy::force(pair);
    }
}

/// The squares of the hunter's men.
#[derive(Clone, Copy)]
struct Placement {
    khun: Square,
    khon: Square,
    second: Square,
}

/// Placements with the khun on the files a to d.
const PLACEMENTS: usize = 32 * 64 * 64;

fn mirrored(square: Square) -> Square {
    Square::from_index(square.index() ^ 7)
}

impl Placement {
    fn at(index: usize) -> Self {
        let khun = index / 4096;
        Self {
            khun: Square::from_index(khun / 4 * 8 + khun % 4),
            khon: Square::from_index(index / 64),
            second: Square::from_index(index),
        }
    }

    /// Where the tables tell of it, and whether they do so of its mirror image.
    fn index(self) -> (usize, bool) {
        let mirror = self.khun.file() > 3;
        let at = |square: Square| if mirror { mirrored(square) } else { square }.index();
        let khun = at(self.khun);
        (((khun / 8 * 4 + khun % 8) * 64 + at(self.khon)) * 64 + at(self.second), mirror)
    }

    /// Whether there is only the khon.
    fn is_lone(self) -> bool {
        self.second == self.khon
    }

    fn occupied(self) -> Bitboard {
        Bitboard::from(self.khun) | self.khon.into() | self.second.into()
    }

    fn is_possible(self) -> bool {
        self.khun != self.khon && self.khun != self.second
    }

    /// Where the bare khun may stand on its own move: neither on a man nor beside the khun.
    fn free(self) -> Bitboard {
        !(self.occupied() | attacks::khun(self.khun))
    }

    /// What khon and second man attack.
    fn attacked(self, second: PieceKind) -> Bitboard {
        let khon = attacks::khon(Color::White, self.khon);
        if self.is_lone() {
            return khon;
        }
        khon | attacks::of(second, Color::White, self.second, self.occupied())
    }

    /// Where the bare khun, to move, is mated or has only moves to squares of `won`.
    fn lost(self, second: PieceKind, won: Bitboard) -> Bitboard {
        let attacked = self.attacked(second);
        let safe = !(attacked | attacks::khun(self.khun) | self.khun.into());
        // Without a move it is mated only if attacked.
        self.free() & !neighbours(safe & !won) & (attacked | neighbours(safe))
    }

    /// The placements from which a move leads here.
    fn before(self, second: PieceKind) -> impl Iterator<Item = Self> {
        let occupied = self.occupied();
        let lone = self.is_lone();
        // A man goes back where one of the other colour would go.
        let back = move |kind, square| attacks::of(kind, Color::Black, square, occupied) & !occupied;
        let khun = back(PieceKind::Khun, self.khun).into_iter().map(move |khun| Self { khun, ..self });
        let khon = back(PieceKind::Khon, self.khon).into_iter();
        let khon = khon.map(move |khon| Self { khon, second: if lone { khon } else { self.second }, ..self });
        let second = if lone { Bitboard::EMPTY } else { back(second, self.second) };
        khun.chain(khon).chain(second.into_iter().map(move |second| Self { second, ..self }))
    }

    /// The pairs which the bare khun on `prey` has left with this lone khon by taking the other man.
    fn before_loss(self, second: PieceKind, prey: Square) -> impl Iterator<Item = Self> {
        let taken = Self { second: prey, ..self };
        let other = (second == PieceKind::Khon).then_some(Self { khon: prey, ..self });
        [taken].into_iter().chain(other)
    }
}

/// The squares beside those of a set.
fn neighbours(set: Bitboard) -> Bitboard {
    let rows = set | set.east() | set.west();
    rows.north() | rows.south() | set.east() | set.west()
}

/// What is known so far.
struct Solver {
    moves: Box<[[u8; 64]]>,
    /// Squares of the bare khun that are won with the hunter to move.
    won: Vec<Bitboard>,
    /// Where something has been won since it was last looked at; some more than once.
    changed: Vec<usize>,
}

impl Solver {
    /// From a placement the hunter, to move, mates a bare khun on `here` in so many moves.
    fn win(&mut self, index: usize, here: Bitboard, moves: u8, second: PieceKind) {
        let here = here & !self.won[index];
        if here.is_empty() {
            return;
        }
        self.won[index] |= here;
        self.changed.push(index);
        let placement = Placement::at(index);
        for prey in here {
            self.moves[index][prey.index()] = moves;
            if placement.is_lone() {
                for pair in placement.before_loss(second, prey) {
                    self.win(pair.index().0, prey.into(), moves, second);
                }
            }
        }
    }
}

impl Pair {
    /// The table of a khon with a man of this kind, which neither moves along lines nor mates alone.
    fn solve(second: PieceKind) -> Self {
        let mut solver = Solver {
            moves: vec![[0; 64]; PLACEMENTS].into_boxed_slice(),
            won: vec![Bitboard::EMPTY; PLACEMENTS],
            // Mates are looked for everywhere.
            changed: (0..PLACEMENTS).filter(|&index| Placement::at(index).is_possible()).collect(),
        };
        let mut lost = vec![Bitboard::EMPTY; PLACEMENTS];
        for round in 1..=u8::MAX {
            let mut fresh = Vec::new();
            for index in solver.changed.drain(..) {
                let here = Placement::at(index).lost(second, solver.won[index]) & !lost[index];
                if !here.is_empty() {
                    lost[index] |= here;
                    fresh.push((index, here));
                }
            }
            if fresh.is_empty() {
                break;
            }
            for (index, here) in fresh {
                for before in Placement::at(index).before(second) {
                    let (index, mirror) = before.index();
                    let here = here & before.free();
                    let here = if mirror { here.into_iter().map(mirrored).collect() } else { here };
                    solver.win(index, here, round, second);
                }
            }
        }
        Self { second, moves: solver.moves }
    }

    /// The table of a khon with a man of this kind, if it can mate and is not quick at it.
    pub(crate) fn with(second: PieceKind) -> Option<&'static Self> {
        match second {
            PieceKind::Met => Some(&WITH_MET),
            PieceKind::Khon => Some(&WITH_KHON),
            PieceKind::Maa => Some(&WITH_MAA),
            _ => None,
        }
    }

    /// Plies to mate with best play; `None` if there is none to force. The squares are the hunter's khun's, its
    /// khon's, its second man's and the bare khun's, as the hunter sees them.
    pub(crate) fn plies(&self, men: [Square; 3], prey: Square, hunter_moves: bool) -> Option<i32> {
        let [khun, khon, second] = men;
        let placement = Placement { khun, khon, second };
        let (index, mirror) = placement.index();
        let known = &self.moves[index];
        let moves = |prey: Square| match known[if mirror { mirrored(prey) } else { prey }.index()] {
            0 => None,
            moves => Some(i32::from(moves)),
        };
        if hunter_moves {
            return moves(prey).map(|moves| 2 * moves - 1);
        }
        let attacked = placement.attacked(self.second);
        let steps = attacks::khun(prey) & !(attacked | attacks::khun(khun) | khun.into());
        let longest = steps.into_iter().map(moves).try_fold(0, |longest, moves| Some(longest.max(moves?)))?;
        (longest > 0 || attacked.contains(prey)).then_some(2 * longest)
    }
}
