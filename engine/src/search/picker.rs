//! Moves one by one, the promising first, and no more generated than are asked for.

use arrayvec::ArrayVec;
use sakmak_eval::weights::EXCHANGE;
use sakmak_movegen::{MAX_MOVES, Move, MoveList, PieceKind, Position, SeeValues, Stage};

use super::history::{History, Trail};

/// The men's worth in exchanges.
pub(crate) const SEE_VALUES: SeeValues = SeeValues(EXCHANGE);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    TableMove,
    MakeNoisy,
    GoodNoisy,
    Killers,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Hands out the legal moves of a node: the table's move, captures and promotions that do not lose
/// material, killers, quiet moves by history, and last the losing captures.
pub(crate) struct Picker {
    step: Step,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    trail: Trail,
    moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    bad: MoveList,
    with_quiets: bool,
}

impl Picker {
    /// All moves. The table's move and the killers need not be legal here.
    pub(crate) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        trail: Trail,
    ) -> Self {
        Self {
            step: Step::TableMove,
            table_move: table_move.filter(|&mv| position.is_legal(mv)),
            killers,
            trail,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad: MoveList::new(),
            with_quiets: true,
        }
    }

    /// Captures and promotions that do not lose material; all moves if in check.
    pub(crate) fn quiescence(position: &Position, trail: Trail) -> Self {
        Self { with_quiets: position.in_check(), ..Self::new(position, None, [None; 2], trail) }
    }

    /// From now on no more quiet moves.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.with_quiets = false;
        if matches!(self.step, Step::Killers | Step::MakeQuiet | Step::Quiet) {
            self.begin_bad();
        }
    }

    #[inline]
    fn begin_bad(&mut self) {
        self.step = Step::BadNoisy;
        self.next = 0;
    }

    /// The next move.
    #[inline]
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::MakeNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Step::MakeNoisy => {
                    position.generate(Stage::Noisy, &mut self.moves);
                    self.scores.extend(self.moves.iter().map(|&mv| noisy_score(position, history, mv)));
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.best_left() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) if position.see_ge(mv, 0, &SEE_VALUES) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None if self.with_quiets => {
                        self.step = Step::Killers;
                        self.next = 0;
                    }
                    // Outside of check the quiescence search leaves losing captures alone.
                    None => self.begin_bad(),
                },
                Step::Killers => {
                    let Some(&killer) = self.killers.get(self.next) else {
                        self.step = Step::MakeQuiet;
                        continue;
                    };
                    self.next += 1;
                    let Some(mv) = killer else { continue };
                    if killer != self.table_move && !position.is_noisy(mv) && position.is_legal(mv) {
                        return killer;
                    }
                    self.killers[self.next - 1] = None;
                }
                Step::MakeQuiet => {
                    self.moves.clear();
                    self.scores.clear();
                    self.next = 0;
                    position.generate(Stage::Quiet, &mut self.moves);
                    let merit = history.quiets(position, &self.trail);
                    self.scores.extend(self.moves.iter().map(|&mv| merit(mv)));
                    self.step = Step::Quiet;
                }
                Step::Quiet => match self.best_left() {
                    Some(mv) if Some(mv) == self.table_move || self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => self.begin_bad(),
                },
                Step::BadNoisy => {
                    let Some(&mv) = self.bad.get(self.next) else {
                        self.step = Step::Done;
                        return None;
                    };
                    self.next += 1;
                    return Some(mv);
                }
                Step::Done => return None,
            }
        }
    }

    /// Whether the moves handed out now are captures that lose material.
    #[inline]
    pub(crate) fn at_bad_noisy(&self) -> bool {
        self.step == Step::BadNoisy
    }

    /// Takes the best move not yet handed out from the list.
    #[inline]
    fn best_left(&mut self) -> Option<Move> {
        let left = self.scores.get(self.next..)?;
        // The first of the best. (`max_by_key` made the whole search six percent slower.)
        let (mut best, mut highest) = (0, *left.first()?);
        for (index, &score) in left.iter().enumerate() {
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        let best = self.next + best;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        self.moves.get(self.next - 1).copied()
    }
}

/// The most valuable victim first, then by what such captures did.
#[inline]
fn noisy_score(position: &Position, history: &History, mv: Move) -> i32 {
    const VICTIM_WEIGHT: i32 = 16;
    let victim = position.kind_on(mv.to()).map_or(0, |kind| EXCHANGE[kind.index()]);
    let promotion = if mv.is_promotion() {
        EXCHANGE[PieceKind::Met.index()] - EXCHANGE[PieceKind::Bia.index()]
    } else {
        0
    };
    VICTIM_WEIGHT * (victim + promotion) + history.capture(position, mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(position: &Position, table_move: Option<Move>, killers: [Option<Move>; 2]) -> Vec<Move> {
        let history = History::new();
        let mut picker = Picker::new(position, table_move, killers, Trail::default());
        std::iter::from_fn(|| picker.next(position, &history)).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        for fen in [
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "r1s1k1nr/3nms2/p1ppp1pp/1p3p2/4PP2/PPPP1NPP/2K5/RNS1MS1R b - - 1 5",
            "4k3/8/1nM5/P1P1r3/3K4/3N4/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut legal: Vec<_> = position.legal_moves().to_vec();
            legal.sort_by_key(|mv| mv.bits());
            for table_move in legal.iter().copied().map(Some).chain([None, Move::parse("a1b7").ok()]) {
                let killers = [legal.first().copied(), legal.last().copied()];
                let mut picked = all(&position, table_move, killers);
                if let Some(mv) = table_move.filter(|&mv| position.is_legal(mv)) {
                    assert_eq!(picked[0], mv);
                }
                picked.sort_by_key(|mv| mv.bits());
                assert_eq!(picked, legal, "{fen} {table_move:?}");
            }
        }
    }

    #[test]
    fn quiescence_sees_only_captures_that_do_not_lose() {
        // The rua may take a guarded bia or a loose maa.
        let position = Position::from_fen("4k3/8/2p5/1p6/8/8/1R5n/4K3 w - - 0 1").unwrap();
        let history = History::new();
        let mut picker = Picker::quiescence(&position, Trail::default());
        let good: Vec<_> =
            std::iter::from_fn(|| picker.next(&position, &history)).map(|mv| mv.to_string()).collect();
        assert_eq!(good, ["b2h2", "b2b5"]);
    }
}
