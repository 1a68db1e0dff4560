//! Generates the suite: random placements, kept if the count decides them and every move can be proven.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Count, File, Piece, PieceKind, Position, Rank, Square};

use super::endings::{EndingResult, limit};
use super::position::{Goal, SuitePosition};
use super::proof::{EvaluatedMove, ProofSearch, from_side_of};

/// What decides a position. White is the attacker here; half the positions are written with colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    /// The bare khun must be mated on the last move of the count.
    Hunt,
    /// The bare khun lasts until the count has run out.
    Resist,
    /// The bare khun captures a piece, or leaves it, so that the count is too short for the mate.
    Take,
    /// One capture of the last piece leaves enough plies for the mate, another does not.
    Capture,
    /// The last piece must not be captured yet: the mate would not fit the count.
    Later,
    /// The board's honour is running out; the attacker has exactly the plies it needs.
    Board,
    /// The board's honour is running out; the side with the last piece outlasts it.
    Outlast,
    /// Only giving away the last piece, which begins a short count, draws.
    Give,
    /// Promoting the last bia at once would begin a count that is too short for the mate.
    Promote,
    /// The bare khun begins the count by capturing the last bia.
    TakeBia,
    /// The attacker must leave the enemy's last bia alone, since no count runs while it is on the board.
    Spare,
}

impl Theme {
    const ALL: [(Self, usize, &str); 11] = [
        (Self::Hunt, 10, "hunt"),
        (Self::Resist, 8, "resist"),
        (Self::Take, 4, "take"),
        (Self::Capture, 8, "capture"),
        (Self::Later, 5, "later"),
        (Self::Board, 4, "board"),
        (Self::Outlast, 4, "outlast"),
        (Self::Give, 5, "give"),
        (Self::Promote, 5, "promote"),
        (Self::TakeBia, 3, "take-bia"),
        (Self::Spare, 4, "spare"),
    ];

    /// The armies that its positions are generated from.
    fn armies(self) -> &'static [&'static str] {
        match self {
            Self::Hunt | Self::Resist => &["R", "RR", "RS", "RM", "SS", "SM"],
            Self::Take => &["RR", "RS", "RM"],
            Self::Capture => &["RRm", "RSm", "RSn", "SSm", "SSn", "RRn"],
            Self::Later => &["Rm", "Rn", "RSm", "SSm", "RRm"],
            Self::Board | Self::Outlast => &["Rm", "Rn"],
            Self::Give => &["Rm", "Rn", "SSm", "RRm", "RRn"],
            Self::Promote => &["SP", "RP"],
            Self::TakeBia => &["RP"],
            Self::Spare => &["Rp"],
        }
    }

    fn side(self) -> Color {
        match self {
            Self::Resist | Self::Take | Self::Outlast | Self::Give | Self::TakeBia => Color::Black,
            _ => Color::White,
        }
    }
}

/// The pieces of a string of letters, capitals for the attacker's.
pub(super) fn army(letters: &str) -> Vec<Piece> {
    letters.chars().filter_map(Piece::from_letter).collect()
}

fn attackers(pieces: &[Piece]) -> Vec<PieceKind> {
    pieces.iter().filter(|piece| piece.color == Color::White).map(|piece| piece.kind).collect()
}

/// The pieces and two khun on random squares; `None` if that is no legal position. `count` is limit and ply, or `-`.
pub(super) fn place(random: &mut ChaCha8Rng, pieces: &[Piece], side: Color, count: &str) -> Option<Position> {
    let mut board = [None; 64];
    let khun = Color::ALL.map(|color| Piece::new(color, PieceKind::Khun));
    for &piece in khun.iter().chain(pieces) {
        let square = Square::from_index(random.random_range(0..64));
        let ranks = if piece.kind == PieceKind::Bia { 1..=4 } else { 0..=7 };
        if board[square.index()].is_some() || !ranks.contains(&(square.relative_rank(piece.color) as u8)) {
            return None;
        }
        board[square.index()] = Some(piece);
    }
    let mut fen = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            fen.push(board[Square::new(file, rank).index()].map_or('1', Piece::letter));
        }
        fen.push(if rank > Rank::First { '/' } else { ' ' });
    }
    let side = side.letter();
    let count = if count == "-" { "- 0" } else { count };
    Position::from_fen(&format!("{fen}{side} - {count} {}", random.random_range(50..90))).ok()
}

/// Placements tried for one position before the theme is given up.
const MAX_TRIES: usize = 2_000_000;

/// How the text begins, for any seed.
pub const MARK: &str = "# sakmak-tools suite make ";

/// The suite of best moves as text.
///
/// # Errors
/// If a theme has too few positions.
pub fn best_moves(seed: u64) -> Result<String> {
    let mut proof = ProofSearch::default();
    let mut text = format!(
        "{MARK}--seed {seed}\n\
         # Positions decided by the count, by Fairy-Stockfish's rules. Each line: a FEN of six fields (limit and ply \
         of\n# the count in plies), bm = all moves that reach the goal or am = all that do not, in UCI coordinates \
         (e3e4,\n# e5e6m), id = theme and number, c0 = what the side to move can reach, c1 = plies that the nearest \
         wins\n# would take and those that the count lets them.\n"
    );
    for (theme, wanted, name) in Theme::ALL {
        // Each theme has its own random numbers, so that one can change without the others.
        let mut random = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(1_000).wrapping_add(theme as u64));
        let mut seen = HashSet::new();
        let armies = theme.armies();
        let mut found = 0;
        let mut tries = 0;
        while found < wanted {
            ensure!(tries < MAX_TRIES, "no more positions for '{name}'");
            tries += 1;
            // The armies take turns; an army without a candidate is passed over after 60,000 tries.
            let turn = found + tries / 60_000;
            let Some(candidate) = candidate(theme, armies[turn % armies.len()], &mut random, &mut proof)
            else {
                continue;
            };
            let (position, evaluated) = candidate;
            if !seen.insert(position.key()) {
                continue;
            }
            found += 1;
            tries = 0;
            let id = format!("{name}.{found:02}");
            let turned = random.random_bool(0.5);
            let _ = writeln!(text, "{}", entry(id, &position, &evaluated, turned));
        }
    }
    Ok(text)
}

/// A line of the suite.
fn entry(id: String, position: &Position, evaluated: &[EvaluatedMove], turned: bool) -> SuitePosition {
    let goal = if position.side_to_move() == Color::White { Goal::Win } else { Goal::Draw };
    let attacker = if turned { Color::Black } else { Color::White };
    let (good, bad): (Vec<EvaluatedMove>, Vec<EvaluatedMove>) =
        evaluated.iter().partition(|one| one.wins == (goal == Goal::Win));
    let avoid = bad.len() < good.len();
    let named = if avoid { &bad } else { &good };
    let mut note = match position.count().remaining() {
        Some(left) => format!("{left} plies left"),
        None => "no count yet".to_owned(),
    };
    // The moves that only the count keeps from winning, the nearest miss first.
    let mut late: Vec<_> = evaluated.iter().filter(|one| one.is_late()).collect();
    late.sort_by_key(|one| one.plies);
    for (place, one) in late.iter().take(3).enumerate() {
        let mut next = position.clone();
        next.play_unchecked(one.mv);
        let allowed = next.count().remaining().unwrap_or(0) + 1;
        let taken = one.plies.unwrap_or(0) + 1;
        let mv = from_side_of(one.mv, attacker);
        note += if place == 0 { ", too late for the hunter: " } else { ", " };
        note += &format!("{mv} wins in {taken} of {allowed}");
    }
    let position = if turned { position.flipped() } else { position.clone() };
    SuitePosition {
        position,
        id,
        goal,
        moves: named.iter().map(|one| from_side_of(one.mv, attacker)).collect(),
        avoid,
        note,
    }
}

/// A random position with its evaluated moves, if it shows the theme.
fn candidate(
    theme: Theme,
    letters: &str,
    random: &mut ChaCha8Rng,
    proof: &mut ProofSearch,
) -> Option<(Position, Vec<EvaluatedMove>)> {
    let pieces = army(letters);
    let count = first_count(theme, &pieces, random);
    let mut position = place(random, &pieces, theme.side(), &count)?;
    if position.outcome().is_some() {
        return None;
    }
    set_count(theme, &pieces, &mut position, proof)?;
    if !is_worth_proving(theme, &position, proof) {
        return None;
    }
    let evaluated = proof.evaluate(&position)?;
    shows(theme, &position, &evaluated, proof).then_some((position, evaluated))
}

/// The first count as limit and ply: the final one, or a running one where `set_count` changes it.
fn first_count(theme: Theme, pieces: &[Piece], random: &mut ChaCha8Rng) -> String {
    let white = theme.side() == Color::White;
    match theme {
        Theme::Hunt | Theme::Resist | Theme::Take => {
            let begun = 2 * (pieces.len() + 2) + usize::from(white);
            format!("{} {begun}", limit(&attackers(pieces)))
        }
        Theme::Promote | Theme::TakeBia | Theme::Spare => "-".to_owned(),
        // With five pieces the end of the count must be within the proof search's reach.
        _ if pieces.len() > 2 => format!("128 {}", 128 - random.random_range(3..=6)),
        _ => format!("128 {}", 128 - random.random_range(10..=60)),
    }
}

/// Sets the count to the ply at which the result changes, where the tablebase has it.
fn set_count(theme: Theme, pieces: &[Piece], position: &mut Position, proof: &mut ProofSearch) -> Option<()> {
    let attacker = Color::White;
    let endings = &proof.endings;
    let left = match theme {
        Theme::Hunt | Theme::Board => match endings.probe(position, attacker) {
            EndingResult::Won(plies @ 7..) => plies,
            _ => return None,
        },
        Theme::Resist | Theme::Take | Theme::Outlast => {
            let mut longest = 0;
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                match endings.probe(&next, attacker) {
                    EndingResult::Won(plies) => longest = longest.max(plies),
                    // Decided by something else than the count.
                    _ => return None,
                }
            }
            if longest < 7 {
                return None;
            }
            longest - 1
        }
        _ => return Some(()),
    };
    let count = position.count();
    // The attacker has the odd plies of the board's honour here or the even ones, as it happens.
    let left = if theme == Theme::Board { left - 1 } else { left };
    let ply = count.limit().checked_sub(left)?;
    let begun = if pieces.iter().any(|piece| piece.color == Color::Black) { 0 } else { count.ply() };
    if ply < begun {
        return None;
    }
    position.set_count(Count::new(count.limit(), ply));
    Some(())
}

/// For each capture of the last piece: whether only the count keeps it from winning.
fn captures(position: &Position, proof: &mut ProofSearch) -> Vec<bool> {
    let moves = position.legal_moves().into_iter().filter(|&mv| position.is_capture(mv));
    moves
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let won = proof.endings.is_won(&next, Color::White) == Some(true);
            !won && matches!(proof.endings.probe(&next, Color::White), EndingResult::Won(_))
        })
        .collect()
}

/// A cheap test before the proof search.
fn is_worth_proving(theme: Theme, position: &Position, proof: &mut ProofSearch) -> bool {
    match theme {
        Theme::Capture => {
            let captures = captures(position, proof);
            captures.contains(&true) && captures.contains(&false)
        }
        Theme::Later | Theme::Spare => {
            let captures = captures(position, proof);
            !captures.is_empty() && captures.iter().all(|&late| late)
        }
        Theme::Take | Theme::TakeBia => position.legal_moves().iter().any(|&mv| position.is_capture(mv)),
        _ => true,
    }
}

/// Whether the count decides the position as the theme demands, with few right moves.
fn shows(theme: Theme, position: &Position, evaluated: &[EvaluatedMove], proof: &mut ProofSearch) -> bool {
    let holds = position.side_to_move() == Color::Black;
    let (good, bad): (Vec<EvaluatedMove>, Vec<EvaluatedMove>) =
        evaluated.iter().partition(|one| one.wins != holds);
    let late = |moves: &[EvaluatedMove]| moves.iter().filter(|one| one.is_late()).count();
    let takes = |one: &EvaluatedMove| position.is_capture(one.mv);
    if good.is_empty() || bad.is_empty() {
        return false;
    }
    match theme {
        Theme::Hunt | Theme::Board => good.len() <= 2 && late(&bad) >= 4,
        Theme::Resist | Theme::Outlast => {
            good.len() <= 2 && bad.len() >= 2 && late(&good) == good.len() && !good.iter().any(takes)
        }
        Theme::Take => good.len() <= 2 && bad.len() >= 2 && late(&good) == good.len(),
        Theme::Capture => {
            good.len() <= 3 && good.iter().any(takes) && bad.iter().any(|one| takes(one) && one.is_late())
        }
        Theme::Later => !good.iter().any(takes) && good.len() <= 6,
        Theme::Give => {
            let gives = |one: &EvaluatedMove| {
                let mut next = position.clone();
                next.play_unchecked(one.mv);
                let captures = captures(&next, proof);
                !captures.is_empty() && captures.iter().all(|&late| late)
            };
            good.len() <= 2 && bad.len() >= 2 && !good.iter().any(takes) && good.iter().all(gives)
        }
        Theme::Promote => bad.iter().any(|one| one.mv.is_promotion() && one.is_late()),
        Theme::TakeBia => {
            good.len() == 1 && bad.len() >= 2 && good.iter().all(|one| takes(one) && one.is_late())
        }
        Theme::Spare => true,
    }
}
