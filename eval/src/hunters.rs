//! Exact distances to mate where one or two men hunt a bare khun.
//!
//! Against a bare khun all that matters is whether the mate fits into the count, to the ply, and no forecast is good
//! enough for that. So these hunts are solved backwards from the mates (retrograde analysis), for all squares of the
//! bare khun at once: what a placement of the hunter's men makes of them is a bitboard. A table takes a tenth of a
//! second and eight megabytes, when it is first asked for.
//!
//! White hunts in all placements, and its khun stands on the files a to d; the others are mirrored. A man alone is
//! a pair on one square.

use once_cell::sync::Lazy;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use PieceKind::{Khon, Maa, Met, Rua};

/// The distances of two kinds of men, together or the first kind alone.
#[derive(Debug)]
pub(crate) struct Hunters {
    kinds: [PieceKind; 2],
    /// Moves to mate with the hunter to move, by placement and the bare khun's square; 0 if there is none to force.
    moves: Box<[[u8; 64]]>,
}

type Table = Lazy<Hunters>;

static TWO_RUA: Table = Lazy::new(|| Hunters::solve([Rua, Rua], None));
static RUA_KHON: Table = Lazy::new(|| Hunters::solve([Rua, Khon], Some(&TWO_KHON)));
static RUA_MAA: Table = Lazy::new(|| Hunters::solve([Rua, Maa], None));
static RUA_MET: Table = Lazy::new(|| Hunters::solve([Rua, Met], None));
static TWO_KHON: Table = Lazy::new(|| Hunters::solve([Khon, Khon], None));
static KHON_MAA: Table = Lazy::new(|| Hunters::solve([Khon, Maa], None));
static KHON_MET: Table = Lazy::new(|| Hunters::solve([Khon, Met], None));
static MAA_MET: Table = Lazy::new(|| Hunters::solve([Maa, Met], None));

/// Solves all hunts by one or two men that would otherwise be solved when a search first meets them: better before a
/// clock runs. Takes some tenths of a second the first time.
pub fn prepare() {
    std::thread::scope(|scope| {
        for table in [&TWO_KHON, &KHON_MAA, &KHON_MET, &TWO_RUA, &RUA_KHON, &RUA_MAA, &RUA_MET, &MAA_MET] {
            scope.spawn(|| Lazy::force(table));
        }
    });
}

/// The squares of the hunter's khun and men.
#[derive(Clone, Copy)]
struct Placement {
    khun: Square,
    men: [Square; 2],
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
            men: [Square::from_index(index / 64), Square::from_index(index)],
        }
    }

    /// Where the tables tell of it, and whether they do so of its mirror image.
    fn index(self) -> (usize, bool) {
        let mirror = self.khun.file() > 3;
        let at = |square: Square| if mirror { mirrored(square) } else { square }.index();
        let khun = at(self.khun);
        (((khun / 8 * 4 + khun % 8) * 64 + at(self.men[0])) * 64 + at(self.men[1]), mirror)
    }

    /// Whether there is only one man.
    fn is_lone(self) -> bool {
        self.men[0] == self.men[1]
    }

    fn occupied(self) -> Bitboard {
        Bitboard::from(self.khun) | self.men[0].into() | self.men[1].into()
    }

    fn is_possible(self) -> bool {
        !self.men.contains(&self.khun)
    }

    /// Where the bare khun may stand on its own move: neither on a man nor beside the khun.
    fn free(self) -> Bitboard {
        !(self.occupied() | attacks::khun(self.khun))
    }

    /// What the men attack, also through the bare khun.
    fn attacked(self, kinds: [PieceKind; 2]) -> Bitboard {
        let by = |man: usize| attacks::of(kinds[man], Color::White, self.men[man], self.occupied());
        if self.is_lone() { by(0) } else { by(0) | by(1) }
    }

    /// Where the bare khun may step, from anywhere beside.
    fn safe(self, attacked: Bitboard) -> Bitboard {
        !(attacked | attacks::khun(self.khun) | self.khun.into())
    }

    /// Where the bare khun, to move, is mated or has only moves to squares of `won`.
    fn lost(self, kinds: [PieceKind; 2], won: Bitboard) -> Bitboard {
        let attacked = self.attacked(kinds);
        let safe = self.safe(attacked);
        // Without a move it is mated only if attacked.
        self.free() & !neighbours(safe & !won) & (attacked | neighbours(safe))
    }

    /// The placements from which a move leads here, each with the squares it crosses.
    fn before(self, kinds: [PieceKind; 2]) -> impl Iterator<Item = (Self, Bitboard)> {
        let occupied = self.occupied();
        // A man goes back where one of the other colour would go.
        let back = move |kind, to| {
            let from = attacks::of(kind, Color::Black, to, occupied) & !occupied;
            from.into_iter().map(move |from| (from, attacks::between(from, to)))
        };
        let khun = back(PieceKind::Khun, self.khun).map(move |(khun, over)| (Self { khun, ..self }, over));
        let [first, second] = self.men;
        let lone = self.is_lone();
        let moved = back(kinds[0], first)
            .map(move |(from, over)| (Self { men: [from, if lone { from } else { second }], ..self }, over));
        let others = (!lone).then(|| back(kinds[1], second)).into_iter().flatten();
        let others = others.map(move |(from, over)| (Self { men: [first, from], ..self }, over));
        khun.chain(moved).chain(others)
    }
}

/// The squares beside those of a set.
fn neighbours(set: Bitboard) -> Bitboard {
    let rows = set | set.east() | set.west();
    rows.north() | rows.south() | set.east() | set.west()
}

/// What is known so far.
struct Solver {
    kinds: [PieceKind; 2],
    moves: Box<[[u8; 64]]>,
    /// Squares of the bare khun that are won with the hunter to move.
    won: Vec<Bitboard>,
    /// Where something has been won since it was last looked at.
    changed: Vec<usize>,
    is_changed: Vec<bool>,
}

impl Solver {
    /// From a placement the hunter, to move, mates a bare khun on `here` in so many moves.
    #[inline]
    fn win(&mut self, index: usize, here: Bitboard, moves: u8) {
        let here = here & !self.won[index];
        if here.is_empty() {
            return;
        }
        self.note(index, here, moves);
    }

    fn note(&mut self, index: usize, here: Bitboard, moves: u8) {
        self.won[index] |= here;
        if !std::mem::replace(&mut self.is_changed[index], true) {
            self.changed.push(index);
        }
        let placement = Placement::at(index);
        for prey in here {
            self.moves[index][prey.index()] = moves;
            if placement.is_lone() {
                // It is not saved by taking one of two men, the other of which is this one.
                let man = placement.men[0];
                self.take(Placement { men: [man, prey], ..placement }, prey, moves);
                if self.kinds[0] == self.kinds[1] {
                    self.take(Placement { men: [prey, man], ..placement }, prey, moves);
                }
            }
        }
    }

    /// The bare khun may take a man on `prey` and is mated by the other in so many moves.
    fn take(&mut self, placement: Placement, prey: Square, moves: u8) {
        self.win(placement.index().0, prey.into(), moves);
    }
}

impl Hunters {
    /// The table of two kinds. If the second, which is another kind, can mate alone, `alone` tells how.
    fn solve(kinds: [PieceKind; 2], alone: Option<&Self>) -> Self {
        let mut solver = Solver {
            kinds,
            moves: vec![[0; 64]; PLACEMENTS].into_boxed_slice(),
            won: vec![Bitboard::EMPTY; PLACEMENTS],
            // Mates are looked for everywhere.
            changed: (0..PLACEMENTS).filter(|&index| Placement::at(index).is_possible()).collect(),
            is_changed: vec![false; PLACEMENTS],
        };
        let left_over = alone.map(Self::lone_wins).unwrap_or_default();
        let last_left_over = left_over.iter().map(|&(.., moves)| moves).max().unwrap_or(0);
        let mut lost = vec![Bitboard::EMPTY; PLACEMENTS];
        for round in 1..=u8::MAX {
            let mut fresh = Vec::new();
            for index in solver.changed.drain(..) {
                solver.is_changed[index] = false;
                let here = Placement::at(index).lost(kinds, solver.won[index]) & !lost[index];
                if !here.is_empty() {
                    lost[index] |= here;
                    fresh.push((index, here));
                }
            }
            if fresh.is_empty() && round > last_left_over {
                break;
            }
            for (index, here) in fresh {
                for (before, over) in Placement::at(index).before(kinds) {
                    let (index, mirror) = before.index();
                    let here = here & before.free() & !over;
                    let here = if mirror { here.into_iter().map(mirrored).collect() } else { here };
                    solver.win(index, here, round);
                }
            }
            for &(placement, prey, _) in left_over.iter().filter(|&&(.., moves)| moves == round) {
                let [man, _] = placement.men;
                solver.take(Placement { men: [prey, man], ..placement }, prey, round);
            }
        }
        Self { kinds, moves: solver.moves }
    }

    /// The placements of the first kind alone from which it mates: the bare khun's square and the moves it takes.
    fn lone_wins(&self) -> Vec<(Placement, Square, u8)> {
        let lone = (0..PLACEMENTS).map(|index| (index, Placement::at(index))).filter(|(_, at)| at.is_lone());
        lone.flat_map(|(index, placement)| {
            let known = Square::all().map(move |prey| (placement, prey, self.moves[index][prey.index()]));
            known.filter(|&(.., moves)| moves > 0)
        })
        .collect()
    }

    /// The table of two kinds of men in this order; a rua or khon alone is in that of two.
    pub(crate) fn of(kinds: [PieceKind; 2]) -> Option<&'static Self> {
        match kinds {
            [Rua, Rua] => Some(&TWO_RUA),
            [Rua, Khon] => Some(&RUA_KHON),
            [Rua, Maa] => Some(&RUA_MAA),
            [Rua, Met] => Some(&RUA_MET),
            [Khon, Khon] => Some(&TWO_KHON),
            [Khon, Maa] => Some(&KHON_MAA),
            [Khon, Met] => Some(&KHON_MET),
            [Maa, Met] => Some(&MAA_MET),
            _ => None,
        }
    }

    /// Plies to mate with best play; `None` if there is none to force. The squares are the hunter's khun's, its men's
    /// (twice the same for a man alone) and the bare khun's, as the hunter sees them.
    pub(crate) fn plies(
        &self,
        khun: Square,
        men: [Square; 2],
        prey: Square,
        hunter_moves: bool,
    ) -> Option<i32> {
        let placement = Placement { khun, men };
        let (index, mirror) = placement.index();
        let known = &self.moves[index];
        let moves = |prey: Square| match known[if mirror { mirrored(prey) } else { prey }.index()] {
            0 => None,
            moves => Some(i32::from(moves)),
        };
        if hunter_moves {
            return moves(prey).map(|moves| 2 * moves - 1);
        }
        let attacked = placement.attacked(self.kinds);
        let steps = attacks::khun(prey) & placement.safe(attacked);
        let longest = steps.into_iter().map(moves).try_fold(0, |longest, moves| Some(longest.max(moves?)))?;
        (longest > 0 || attacked.contains(prey)).then_some(2 * longest)
    }
}
