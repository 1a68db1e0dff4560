//! Staged move ordering: the moves come one by one, and later stages are generated only if they are reached.

use arrayvec::ArrayVec;
use sakmak_eval::EXCHANGE;
use sakmak_movegen::{MAX_MOVES, Move, MoveList, PieceKind, Position, SeeValues, Stage};

use super::history::{Continuation, History};
use super::params::victim_weight;

/// Piece values in exchanges.
pub(crate) const SEE_VALUES: SeeValues = SeeValues(EXCHANGE);

#[derive(Clone, Copy, PartialEq, Eq)]
enum PickerStage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiets,
    Quiet,
    BadNoisy,
    Done,
}

/// Picks the legal moves of a node in this order: the TT move, captures and promotions that do not lose material,
/// killers, quiet moves by history, losing captures.
pub(crate) struct Picker {
    stage: PickerStage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    continuation: Continuation,
    moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    bad_noisy: MoveList,
    with_quiets: bool,
}

impl Picker {
    /// All moves. The TT move and the killers need not be legal here.
    pub(crate) fn new(
        position: &Position,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        continuation: Continuation,
    ) -> Self {
        Self {
            stage: PickerStage::TtMove,
            tt_move: tt_move.filter(|&mv| position.is_legal(mv)),
            killers,
            continuation,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad_noisy: MoveList::new(),
            with_quiets: true,
        }
    }

    /// Captures and promotions that do not lose material; all moves if in check.
    pub(crate) fn quiescence(position: &Position, continuation: Continuation) -> Self {
        Self { with_quiets: position.in_check(), ..Self::new(position, None, [None; 2], continuation) }
    }

    /// Leaves out the remaining quiet moves.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.with_quiets = false;
        if matches!(self.stage, PickerStage::Killers | PickerStage::GenerateQuiets | PickerStage::Quiet) {
            self.start_bad_noisy();
        }
    }

    #[inline]
    fn start_bad_noisy(&mut self) {
        self.stage = PickerStage::BadNoisy;
        self.next = 0;
    }

    /// The next move.
    #[inline]
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                PickerStage::TtMove => {
                    self.stage = PickerStage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                PickerStage::GenerateNoisy => {
                    position.generate(Stage::Noisy, &mut self.moves);
                    self.scores.extend(self.moves.iter().map(|&mv| noisy_score(position, history, mv)));
                    self.stage = PickerStage::GoodNoisy;
                }
                PickerStage::GoodNoisy => match self.pick_best() {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) if position.see_ge(mv, 0, &SEE_VALUES) => return Some(mv),
                    Some(mv) => self.bad_noisy.push(mv),
                    None if self.with_quiets => {
                        self.stage = PickerStage::Killers;
                        self.next = 0;
                    }
                    // Outside of check the quiescence search leaves losing captures out.
                    None => self.start_bad_noisy(),
                },
                PickerStage::Killers => {
                    let Some(&killer) = self.killers.get(self.next) else {
                        self.stage = PickerStage::GenerateQuiets;
                        continue;
                    };
                    self.next += 1;
                    let Some(mv) = killer else { continue };
                    if killer != self.tt_move && !position.is_noisy(mv) && position.is_legal(mv) {
                        return killer;
                    }
                    self.killers[self.next - 1] = None;
                }
                PickerStage::GenerateQuiets => {
                    self.moves.clear();
                    self.scores.clear();
                    self.next = 0;
                    position.generate(Stage::Quiet, &mut self.moves);
                    let score = history.quiet_scores(position, &self.continuation);
                    self.scores.extend(self.moves.iter().map(|&mv| score(mv)));
                    self.stage = PickerStage::Quiet;
                }
                PickerStage::Quiet => match self.pick_best() {
                    Some(mv) if Some(mv) == self.tt_move || self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => self.start_bad_noisy(),
                },
                PickerStage::BadNoisy => {
                    let Some(&mv) = self.bad_noisy.get(self.next) else {
                        self.stage = PickerStage::Done;
                        return None;
                    };
                    self.next += 1;
                    return Some(mv);
                }
                PickerStage::Done => return None,
            }
        }
    }

    /// Whether the last move is a capture that loses material.
    #[inline]
    pub(crate) fn at_bad_noisy(&self) -> bool {
        self.stage == PickerStage::BadNoisy
    }

    /// Picks the best of the remaining moves: one step of a selection sort.
    #[inline]
    fn pick_best(&mut self) -> Option<Move> {
        let left = self.scores.get(self.next..)?;
        // The first of the best. (`max_by_key` compiles to slower code.)
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

/// The most valuable victim first, then by capture history.
#[inline]
fn noisy_score(position: &Position, history: &History, mv: Move) -> i32 {
    let victim = position.kind_on(mv.to()).map_or(0, |kind| EXCHANGE[kind.index()]);
    let promotion = if mv.is_promotion() {
        EXCHANGE[PieceKind::Met.index()] - EXCHANGE[PieceKind::Bia.index()]
    } else {
        0
    };
    victim_weight() * (victim + promotion) + history.capture(position, mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(position: &Position, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> Vec<Move> {
        let history = History::new();
        let mut picker = Picker::new(position, tt_move, killers, Continuation::default());
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
            for tt_move in legal.iter().copied().map(Some).chain([None, Move::parse("a1b7").ok()]) {
                let killers = [legal.first().copied(), legal.last().copied()];
                let mut picked = all(&position, tt_move, killers);
                if let Some(mv) = tt_move.filter(|&mv| position.is_legal(mv)) {
                    assert_eq!(picked[0], mv);
                }
                picked.sort_by_key(|mv| mv.bits());
                assert_eq!(picked, legal, "{fen} {tt_move:?}");
            }
        }
    }

    #[test]
    fn quiescence_picks_only_captures_that_do_not_lose() {
        // The rua may take a guarded bia or a loose maa.
        let position = Position::from_fen("4k3/8/2p5/1p6/8/8/1R5n/4K3 w - - 0 1").unwrap();
        let history = History::new();
        let mut picker = Picker::quiescence(&position, Continuation::default());
        let good: Vec<_> =
            std::iter::from_fn(|| picker.next(&position, &history)).map(|mv| mv.to_string()).collect();
        assert_eq!(good, ["b2h2", "b2b5"]);
    }
}
