//! Staged move ordering: the moves come one by one, and later stages are generated only if they are reached.

use arrayvec::ArrayVec;
use sakmak_eval::EXCHANGE;
use sakmak_movegen::{Bitboard, CheckInfo, MAX_MOVES, Move, MoveList, PieceKind, Position, SeeValues, Stage};

use super::history::{Continuation, History};
use crate::parameters::{quiet_check_bonus, threat_weight, victim_weight};

/// Piece values of the static exchange evaluation (SEE).
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

/// Picks the legal moves of a node in this order: TT move, captures and promotions that do not lose material,
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
    /// A picker of all moves. TT move and killers need not be legal.
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

    /// A picker for quiescence: captures and promotions that do not lose material; all moves if in check.
    pub(crate) fn quiescence(position: &Position, continuation: Continuation) -> Self {
        Self { with_quiets: position.in_check(), ..Self::new(position, None, [None; 2], continuation) }
    }

    /// Skips the remaining quiet moves.
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
                    // Not in check, quiescence leaves out losing captures.
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
                    let by_history = history.quiet_scores(position, &self.continuation);
                    let tactics = Tactics::of(position);
                    let score = |&mv| by_history(mv) + tactics.quiet_bonus(position, mv);
                    self.scores.extend(self.moves.iter().map(score));
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

    /// The score of the last move, if it is one of the quiet moves picked by score.
    #[inline]
    pub(crate) fn quiet_score(&self) -> Option<i32> {
        let last = self.next.checked_sub(1).filter(|_| self.stage == PickerStage::Quiet)?;
        self.scores.get(last).copied()
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
        // The first of several equals. (`max_by_key` compiles to slower code.)
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

/// Bonuses of quiet moves from the position: checks and threats. (As in Stockfish since version 16.)
struct Tactics {
    checks: CheckInfo,
    check_bonus: i32,
    /// By kind index: squares attacked by less valuable enemy pieces.
    threats: [Bitboard; 6],
}

impl Tactics {
    #[inline]
    fn of(position: &Position) -> Self {
        let check_bonus = if position.count().is_running() { 0 } else { quiet_check_bonus() };
        let threats = position.attack_sets(!position.side_to_move()).by_lesser();
        Self { checks: position.check_info(), check_bonus, threats }
    }

    /// The part of a quiet move's score besides history: a bonus for a check, and for a piece that leaves the attack of
    /// a less valuable one, a malus for a piece that enters one.
    #[inline]
    fn quiet_bonus(&self, position: &Position, mv: Move) -> i32 {
        let check = self.check_bonus * i32::from(position.gives_check(mv, &self.checks));
        let Some(kind) = position.kind_on(mv.from()).map(PieceKind::index) else { return check };
        let is_threatened = |square| i32::from(self.threats[kind].contains(square));
        check + threat_weight() * EXCHANGE[kind] * (is_threatened(mv.from()) - is_threatened(mv.to()))
    }
}

/// Score of a noisy move: most valuable victim, and capture history.
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
    use sakmak_eval::huge_pages;

    use super::*;

    fn all(position: &Position, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> Vec<Move> {
        let history = huge_pages::zeroed::<History>();
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
    fn quiet_moves_without_history_come_by_checks_and_threats() {
        // A bia attacks the rua on d4, which gives check from d8 and h4.
        let position = Position::from_fen("7k/8/1p6/4p3/3R4/8/8/K7 w - - 0 1").unwrap();
        let picked: Vec<_> = all(&position, None, [None; 2]).iter().map(ToString::to_string).collect();
        let place = |mv: &str| picked.iter().position(|other| other == mv).unwrap();
        assert!(place("d4d8") < 2 && place("d4h4") < 2, "{picked:?}");
        assert!(place("d4e4") < place("a1a2"), "the khun is not threatened: {picked:?}");

        let position = Position::from_fen("7k/8/1p6/8/8/8/2R5/K7 w - - 0 1").unwrap();
        let picked: Vec<_> = all(&position, None, [None; 2]).iter().map(ToString::to_string).collect();
        assert_eq!(picked.last().unwrap(), "c2c5", "the bia takes there: {picked:?}");
    }

    #[test]
    fn quiescence_picks_only_captures_that_do_not_lose() {
        // The rua may take a guarded bia or a loose maa.
        let position = Position::from_fen("4k3/8/2p5/1p6/8/8/1R5n/4K3 w - - 0 1").unwrap();
        let history = huge_pages::zeroed::<History>();
        let mut picker = Picker::quiescence(&position, Continuation::default());
        let good: Vec<_> =
            std::iter::from_fn(|| picker.next(&position, &history)).map(|mv| mv.to_string()).collect();
        assert_eq!(good, ["b2h2", "b2b5"]);
    }
}
