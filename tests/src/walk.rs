//! Random games and random positions, reproducible by their seed.

use std::iter;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Move, Position};

use crate::{after, position};

/// Where random games start: between them they reach every rule within a few moves.
pub const STARTS: [&str; 13] = [
    // The standard and the mirrored array.
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1",
    // An open middlegame: rua on open files, khon and maa in contact.
    "r2mk2r/1s1n1s2/p1p2np1/3pp2p/1P1PP1P1/2N2S1P/2SM1N2/R3K2R w - - 0 14",
    // Bia about to promote on both sides, by push and by capture.
    "r1s1k2r/8/1n2m3/P1PP1PPP/pp1ppp1p/2N2M2/8/R1S1K2R b - - 0 20",
    // Bia set up beyond the rank of promotion.
    "3k1n2/PP4P1/6P1/2s5/5S2/1p6/1p4pp/2N1K3 w - - 0 1",
    // Pins by rua along ranks and files on both sides, some about to be lifted by check.
    "2k1r2r/2s5/r1m3n1/2p1N3/3P1pR1/1N2M2R/4S3/R3K3 w - - 0 30",
    // Endings: the bia go, the board's honour begins, and a khun is bared.
    "4k3/3s4/2r2p2/2N5/5P2/3R4/4S3/3K4 w - - 0 44",
    "8/2k1m3/1n6/3S4/5p2/2M2P2/3K2N1/8 b - - 0 51",
    "8/8/3k4/8/2p2R2/3SK3/8/8 b - - 0 58",
    // Counts under way.
    "8/3k4/8/2m5/4R3/3K1N2/8/8 w - 128 90 80",
    "8/8/3k4/8/3S1N2/4K3/8/4M3 b - 88 70 110",
    // A handicap game, and a board crowded with the pieces that move furthest.
    "rnsmksnr/8/pppppppp/8/PPPPPPPP/PPPPPPPP/NNNNNNNN/RNSKMSNR w - - 0 1",
    "k1N1R1N1/1N1N1NSR/N1N1N1N1/1N1N1N2/N1N1N1N1/1N1N1NK1/R1NSN1N1/1R5R w - - 0 1",
];

/// Pieces for random placements to start games from: open positions full of checks, pins and mates, which games from
/// start positions seldom reach, and endings of every size.
pub const SCATTERED: [&str; 10] = [
    "kKrrnnssmpppppRRNNSSMPPPPP",
    "kKrrrrRRRRnnNN",
    "kKrrnsmppRRNSMPP",
    "kKrnsmpRNSMP",
    "kKrnsRNS",
    "kKssmmppSSMMPP",
    "kKnnmmsNNMMS",
    "kKrmpRMP",
    "kKRRNS",
    "kKrnp",
];

/// Percentages of captures or promotions, and of checks, in random games where there are such moves. Without these
/// preferences games would hardly ever reach a bare khun or a mate.
const NOISY_PERCENT: u32 = 25;
const CHECK_PERCENT: u32 = 25;

/// Random numbers, the same in every run.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// One move of a random game.
#[derive(Clone, Debug)]
pub struct Step {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// The position after the move.
    pub after: Position,
}

/// A random legal move; `None` without one.
pub fn random_move(rng: &mut impl Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let choice = rng.random_range(0..100);
    let preferred: Vec<Move> = if choice < NOISY_PERCENT {
        moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect()
    } else if choice < NOISY_PERCENT + CHECK_PERCENT {
        moves.iter().copied().filter(|&mv| after(position, mv).in_check()).collect()
    } else {
        Vec::new()
    };
    preferred.choose(rng).or_else(|| moves.choose(rng)).copied()
}

/// The moves of a random game from `start`, at most `plies`. Only mate and stalemate end it: draws by the count do not.
pub fn game(mut rng: impl Rng, start: Position, plies: usize) -> impl Iterator<Item = Step> {
    let mut before = start;
    iter::from_fn(move || {
        let mv = random_move(&mut rng, &before)?;
        let after = after(&before, mv);
        Some(Step { before: std::mem::replace(&mut before, after.clone()), mv, after })
    })
    .take(plies)
}

/// The moves of random games of up to `plies` plies: in each round one from each of the [`STARTS`] and one from a
/// random placement of each of the [`SCATTERED`] pieces.
pub fn games(seed: u64, rounds: u64, plies: usize) -> impl Iterator<Item = Step> {
    (0..rounds).flat_map(move |round| {
        let mut rng = rng(seed << 32 | round);
        let set_up: Vec<Position> = SCATTERED.iter().map(|pieces| scatter(&mut rng, pieces)).collect();
        let starts = STARTS.iter().map(|fen| position(fen)).chain(set_up);
        starts.flat_map(move |start| game(ChaCha8Rng::from_rng(&mut rng), start, plies))
    })
}

/// An empty square in the boards of [`board_text`].
pub const EMPTY: char = '1';

/// The board field of a FEN for the 64 squares from a8 to h1.
pub fn board_text(board: &[char; 64]) -> String {
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    ranks.join("/")
}

/// A position with the given pieces (FEN letters, both khun included) on random squares and a random side to move.
///
/// # Panics
/// If no legal placement is found in very many attempts.
pub fn scatter(rng: &mut impl Rng, pieces: &str) -> Position {
    const ATTEMPTS: usize = 1_000_000;
    let mut board = [EMPTY; 64];
    for (square, piece) in board.iter_mut().zip(pieces.chars()) {
        *square = piece;
    }
    for _ in 0..ATTEMPTS {
        board.shuffle(rng);
        let side = if rng.random() { 'w' } else { 'b' };
        if let Ok(position) = Position::from_fen(&format!("{} {side}", board_text(&board))) {
            return position;
        }
    }
    panic!("no legal position found for {pieces}");
}
