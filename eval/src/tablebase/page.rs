//! Pages: 64 rows of an ending that differ only in the square of the last man. Moves of the others lead from page to
//! page.

use arrayvec::ArrayVec;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use super::ending::{Ending, MAX_PIECES};
use super::exits::Exits;
use super::row::{Row, mirror_image, mirrored, neighbours, number_without, row_number};

/// Rows in a page.
pub(super) const PAGE: usize = 64;

/// The attacker's khun and the men but the last one.
pub(super) struct Page {
    pub(super) number: usize,
    khun: Square,
    squares: [Square; MAX_PIECES],
    occupied: Bitboard,
    /// The squares adjacent to the men.
    near: Bitboard,
}

impl Page {
    #[inline]
    pub(super) fn new(ending: &Ending, number: usize) -> Self {
        let others = ending.pieces().len() - 1;
        let squares = std::array::from_fn(|man| match man < others {
            true => Square::from_index(number >> (6 * (others - 1 - man)) & 63),
            false => Square::from_index(0),
        });
        let rest = number >> (6 * others);
        let khun = Square::from_index(rest / 4 * 8 + rest % 4);
        let men = squares[..others].iter().fold(Bitboard::EMPTY, |set, &square| set | square.into());
        Self { number, khun, squares, occupied: men | khun.into(), near: neighbours(men) }
    }

    /// The row with the last man on a square where it can stand.
    #[inline]
    pub(super) fn row<'a>(&self, ending: &'a Ending, last: Square) -> Row<'a> {
        let mut squares = self.squares;
        squares[ending.pieces().len() - 1] = last;
        let occupied = self.occupied | last.into();
        Row { men: ending.pieces(), khun: self.khun, squares, occupied }
    }

    /// The page after a move of the man `man`.
    fn after(&self, ending: &Ending, man: usize, to: Square) -> usize {
        let stride = 1 << (6 * (ending.pieces().len() - 2 - man));
        self.number - self.squares[man].index() * stride + to.index() * stride
    }

    /// Adds to `gains` what White wins by moves to `fresh`, captures and promotions left out.
    pub(super) fn take_back_moves(
        &self,
        ending: &Ending,
        fresh: &[Bitboard],
        lost_changed: &[Bitboard],
        gains: &mut Gains,
    ) {
        let Some((last_man, others)) = ending.pieces().split_last() else { return };
        for to in attacks::khun(self.khun) & !self.occupied {
            let (page, mirror) = row_number(to, &self.squares[..others.len()]);
            gains.pull(&fresh[page * PAGE..][..PAGE], lost_changed[page], mirror, Bitboard::EMPTY);
        }
        for (man, piece) in others.iter().enumerate().filter(|(_, piece)| piece.color == Color::White) {
            let from = self.squares[man];
            let targets = match piece.kind {
                PieceKind::Bia => Bitboard::from(from).forward(Color::White),
                kind => attacks::from(kind, Color::White, from, self.occupied),
            };
            for to in targets & !self.occupied {
                let (page, path) = (self.after(ending, man, to), attacks::between(from, to));
                gains.pull(&fresh[page * PAGE..][..PAGE], lost_changed[page], false, path);
            }
        }
        if last_man.color == Color::White {
            let is_slider = last_man.kind == PieceKind::Rua;
            for to in lost_changed[self.number] {
                let set = fresh[self.number * PAGE + to.index()];
                // A piece goes back where one of the other colour would go.
                let sources = match last_man.kind {
                    PieceKind::Bia => Bitboard::from(to).forward(Color::Black),
                    kind => attacks::from(kind, Color::Black, to, self.occupied),
                };
                for from in sources & !self.occupied {
                    gains.add(from, if is_slider { set & !attacks::between(from, to) } else { set });
                }
                gains.work += 1;
            }
        }
    }

    /// The rows from which a move of the defender's can lead to one of `changed`, captures and promotions left out.
    pub(super) fn concerned(&self, ending: &Ending, changed: &[Bitboard]) -> Bitboard {
        // The moves of the defender's khun stay in the row.
        let mut rows = changed[self.number];
        let Some((last_man, others)) = ending.pieces().split_last() else { return rows };
        let targets = |kind, color: Color, from: Square| match kind {
            PieceKind::Bia => Bitboard::from(from).forward(color),
            kind => attacks::from(kind, color, from, Bitboard::EMPTY),
        };
        for (man, piece) in others.iter().enumerate().filter(|(_, piece)| piece.color == Color::Black) {
            for to in targets(piece.kind, Color::Black, self.squares[man]) {
                rows |= changed[self.after(ending, man, to)];
            }
        }
        if last_man.color == Color::Black {
            for to in changed[self.number] {
                rows |= targets(last_man.kind, Color::White, to);
            }
        }
        rows
    }

    /// Where the defender's khun can capture a man and the attacker has not won then, with the last man on a square;
    /// complete within `wanted` only.
    #[inline]
    pub(super) fn escapes_by_captures(
        &self,
        ending: &Ending,
        last: Square,
        wanted: Bitboard,
        exits: &Exits,
    ) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        if (wanted & (self.near | neighbours(last.into()))).is_empty() {
            return found;
        }
        let men = ending.pieces();
        let number = self.number * PAGE + last.index();
        for (man, _) in men.iter().enumerate().filter(|(_, piece)| piece.color == Color::White) {
            let square = if man == men.len() - 1 { last } else { self.squares[man] };
            let near = neighbours(square.into());
            if !(wanted & near).is_empty()
                && let Some(exit) = exits.get(Some(man), None)
                && exit.at(number_without(number, men.len(), man)).contains(square)
            {
                found |= near;
            }
        }
        found
    }

    /// The rows in which a capture by a bare khun no longer escapes.
    pub(super) fn concerned_by_exits(&self, ending: &Ending, exits: &Exits) -> Bitboard {
        let mut rows = Bitboard::EMPTY;
        let men = ending.pieces().len();
        for man in 0..men {
            let Some(exit) = exits.get(Some(man), None) else { continue };
            if man == men - 1 {
                rows |= exit.left_at(self.number);
                continue;
            }
            let start = number_without(self.number * PAGE, men, man);
            for last in Square::all() {
                if exit.left_at(start + last.index()).contains(self.squares[man]) {
                    rows |= last.into();
                }
            }
        }
        rows
    }
}

/// What White wins in a page by moves to the losses of the last round.
pub(super) struct Gains {
    /// By the last man's square.
    pub(super) sets: [Bitboard; PAGE],
    /// The last man's squares of the rows with gains.
    pub(super) rows: Bitboard,
    /// The number of rows moved to.
    pub(super) work: usize,
}

impl Default for Gains {
    fn default() -> Self {
        Self { sets: [Bitboard::EMPTY; PAGE], rows: Bitboard::EMPTY, work: 0 }
    }
}

impl Gains {
    #[inline]
    pub(super) fn add(&mut self, last: Square, set: Bitboard) {
        self.sets[last.index()] |= set;
        self.rows |= last.into();
    }

    /// Adds what is won by a move to a page with the rows `fresh`, or their mirror images; those outside `changed` are
    /// empty. Neither the last man nor the defender's khun may stand on `path`.
    #[inline]
    fn pull(&mut self, fresh: &[Bitboard], changed: Bitboard, mirror: bool, path: Bitboard) {
        /// With more rows it is faster to take all of a page.
        const FEW: u32 = 8;
        let rows = changed & !path;
        self.rows |= if mirror { mirror_image(rows) } else { rows };
        if changed.len() <= FEW {
            self.work += changed.len() as usize;
            for last in rows {
                let set = fresh[last.index()];
                if mirror {
                    self.sets[mirrored(last).index()] |= mirror_image(set);
                } else {
                    self.sets[last.index()] |= set & !path;
                }
            }
            return;
        }
        self.work += PAGE;
        if mirror {
            for (sets, fresh) in self.sets.as_chunks_mut::<8>().0.iter_mut().zip(fresh.as_chunks::<8>().0) {
                sets.iter_mut().rev().zip(fresh).for_each(|(gained, &set)| *gained |= mirror_image(set));
            }
            return;
        }
        if path.is_empty() {
            self.sets.iter_mut().zip(fresh).for_each(|(gained, &set)| *gained |= set);
            return;
        }
        let blocked: ArrayVec<_, 8> =
            path.into_iter().map(|last| (last.index(), self.sets[last.index()])).collect();
        self.sets.iter_mut().zip(fresh).for_each(|(gained, &set)| *gained |= set & !path);
        blocked.into_iter().for_each(|(last, before)| self.sets[last] = before);
    }
}
