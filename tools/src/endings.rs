//! Retrograde analysis of endings against a bare khun.
//!
//! Every placement of the men is solved at once: starting from the mates, each round finds the positions
//! that reach a position solved before (hunter to move) or cannot avoid one (bare khun to move). Neither
//! the count nor repetition plays a part: the result is how many moves the mate takes, to be compared
//! with the moves the count allows.

use anyhow::{Result, bail, ensure};
use clap::Args;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

/// Which endings to solve.
#[derive(Args)]
pub(crate) struct Endings {
    /// The hunter's men besides the khun, as letters out of M S N R, such as R or SM; at most two
    #[arg(default_values = ["R", "SS", "SN", "SM", "NN", "NM"])]
    men: Vec<String>,
    /// Print also the mean number of moves by the square of the bare khun, White being the hunter
    #[arg(long)]
    map: bool,
}

impl Endings {
    /// Solves each ending and prints how many positions with the bare khun to move are lost, and in how
    /// many moves.
    pub(crate) fn run(&self) -> Result<()> {
        println!(
            "{:<8}{:>12}{:>8}{:>8}{:>9}{:>9}",
            "hunter", "positions", "lost %", "mean", "99 % in", "longest"
        );
        for men in &self.men {
            let kinds = parse(men)?;
            let lengths = solve(&kinds);
            println!("{}", Summary::of(men, &lengths));
            if self.map {
                print!("{}", map(&lengths));
            }
        }
        Ok(())
    }
}

fn parse(text: &str) -> Result<Vec<PieceKind>> {
    ensure!((1..=2).contains(&text.len()), "'{text}': give one or two men");
    text.chars()
        .map(|letter| match letter {
            'M' => Ok(PieceKind::Met),
            'S' => Ok(PieceKind::Khon),
            'N' => Ok(PieceKind::Maa),
            'R' => Ok(PieceKind::Rua),
            other => bail!("'{other}' is none of M S N R"),
        })
        .collect()
}

/// Plies to mate with the bare khun to move: even numbers, or one of these.
type Plies = u8;
const UNKNOWN: Plies = 255;
const ILLEGAL: Plies = 254;

/// A man captured by the bare khun stands nowhere; such positions are not won.
struct Board<'a> {
    kinds: &'a [PieceKind],
    /// Squares of the bare khun, the hunter's khun and the hunter's men.
    squares: Vec<Square>,
}

impl Board<'_> {
    fn occupied(&self) -> Bitboard {
        self.squares.iter().copied().collect()
    }

    /// Squares the hunter, playing White, guards, as if the bare khun were not there.
    fn guarded(&self) -> Bitboard {
        let occupied = self.occupied() & !Bitboard::from(self.squares[0]);
        let men = self.kinds.iter().zip(&self.squares[2..]);
        men.fold(attacks::khun(self.squares[1]), |all, (&kind, &square)| {
            all | attacks::of(kind, Color::White, square, occupied)
        })
    }

    fn index(&self) -> usize {
        self.squares.iter().fold(0, |index, square| index * 64 + square.index())
    }

    fn from_index(kinds: &[PieceKind], mut index: usize) -> Board<'_> {
        let mut squares = vec![Square::from_index(0); kinds.len() + 2];
        for square in squares.iter_mut().rev() {
            *square = Square::from_index(index % 64);
            index /= 64;
        }
        Board { kinds, squares }
    }
}

/// Plies to mate of every placement with the bare khun to move, by [`Board::index`].
fn solve(kinds: &[PieceKind]) -> Vec<Plies> {
    let size = 64usize.pow(kinds.len() as u32 + 2);
    let mut lost = vec![UNKNOWN; size];
    // Plies to mate with the hunter to move.
    let mut won = vec![UNKNOWN; size];
    for index in 0..size {
        let board = Board::from_index(kinds, index);
        let distinct = board.occupied().len() as usize == board.squares.len();
        let prey = board.squares[0];
        if !distinct || attacks::khun(board.squares[1]).contains(prey) {
            (lost[index], won[index]) = (ILLEGAL, ILLEGAL);
            continue;
        }
        let guarded = board.guarded();
        if guarded.contains(prey) {
            // With the hunter to move the khun could be captured.
            won[index] = ILLEGAL;
            if (attacks::khun(prey) & !guarded).is_empty() {
                lost[index] = 0;
            }
        }
    }
    let mut plies = 0;
    loop {
        let reached = step_back_hunter(kinds, &lost, &mut won, plies);
        let cornered = step_back_prey(kinds, &won, &mut lost, plies + 2);
        if !reached && !cornered {
            return lost;
        }
        plies += 2;
    }
}

/// Marks the positions from which the hunter reaches one lost in `plies`.
fn step_back_hunter(kinds: &[PieceKind], lost: &[Plies], won: &mut [Plies], plies: Plies) -> bool {
    let mut changed = false;
    for index in (0..lost.len()).filter(|&index| lost[index] == plies) {
        let mut board = Board::from_index(kinds, index);
        let occupied = board.occupied();
        for man in 1..board.squares.len() {
            let to = board.squares[man];
            let kind = if man == 1 { PieceKind::Khun } else { kinds[man - 2] };
            // Moves backwards: for khon those of the other colour.
            for from in attacks::of(kind, Color::Black, to, occupied) & !occupied {
                board.squares[man] = from;
                let before = board.index();
                if won[before] == UNKNOWN {
                    won[before] = plies + 1;
                    changed = true;
                }
            }
            board.squares[man] = to;
        }
    }
    changed
}

/// Marks the positions in which every move of the bare khun leads to one won by the hunter.
fn step_back_prey(kinds: &[PieceKind], won: &[Plies], lost: &mut [Plies], plies: Plies) -> bool {
    let mut changed = false;
    for index in (0..won.len()).filter(|&index| won[index] == plies - 1) {
        let mut board = Board::from_index(kinds, index);
        let to = board.squares[0];
        for from in attacks::khun(to) {
            board.squares[0] = from;
            let before = board.index();
            if lost[before] == UNKNOWN && escapes(&mut board, won).is_none() {
                lost[before] = plies;
                changed = true;
            }
        }
        board.squares[0] = to;
    }
    changed
}

/// A square on which the bare khun is not (yet known to be) lost; the board is unchanged afterwards.
fn escapes(board: &mut Board<'_>, won: &[Plies]) -> Option<Square> {
    let from = board.squares[0];
    let targets = attacks::khun(from) & !board.guarded();
    let escape = targets.into_iter().find(|&to| {
        // A capture ends the hunt: what remains is not in this table.
        if board.squares[1..].contains(&to) {
            return true;
        }
        board.squares[0] = to;
        won[board.index()] == UNKNOWN
    });
    board.squares[0] = from;
    // No move at all is mate, found before, or stalemate, which is no loss.
    if targets.is_empty() { Some(from) } else { escape }
}

/// Mean moves to mate by the bare khun's square, rank 8 first.
fn map(lengths: &[Plies]) -> String {
    let share = lengths.len() / 64;
    let mean = |square: Square| {
        let part = &lengths[square.index() * share..][..share];
        let lost = part.iter().filter(|&&plies| plies < ILLEGAL);
        let (sum, number) = lost.fold((0, 0), |(sum, n), &plies| (sum + usize::from(plies / 2), n + 1));
        sum as f64 / f64::from(number.max(1))
    };
    let rank =
        |rank| (0..8).map(|file| format!("{:6.1}", mean(Square::new(file, rank)))).collect::<String>() + "\n";
    (0..8).rev().map(rank).collect()
}

/// One line of the result.
#[derive(Debug, PartialEq)]
struct Summary {
    men: String,
    positions: usize,
    lost: usize,
    /// In moves.
    mean: f64,
    most: usize,
    longest: usize,
}

impl Summary {
    fn of(men: &str, lengths: &[Plies]) -> Self {
        let mut by_moves = [0usize; 128];
        let mut positions = 0;
        for &plies in lengths.iter().filter(|&&plies| plies != ILLEGAL) {
            positions += 1;
            if plies != UNKNOWN {
                by_moves[usize::from(plies / 2)] += 1;
            }
        }
        let lost: usize = by_moves.iter().sum();
        let total: usize = by_moves.iter().enumerate().map(|(moves, n)| moves * n).sum();
        let mut left = lost / 100;
        let longest = by_moves.iter().rposition(|&n| n > 0).unwrap_or(0);
        let most = (0..=longest)
            .rev()
            .find(|&moves| {
                let enough = by_moves[moves] > left;
                left = left.saturating_sub(by_moves[moves]);
                enough
            })
            .unwrap_or(0);
        Self { men: men.to_owned(), positions, lost, mean: total as f64 / lost.max(1) as f64, most, longest }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * self.lost as f64 / self.positions.max(1) as f64;
        write!(
            f,
            "{:<8}{:>12}{share:>8.1}{:>8.1}{:>9}{:>9}",
            self.men, self.positions, self.mean, self.most, self.longest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_rua_always_mates_and_a_lone_maa_never() {
        let rua = Summary::of("R", &solve(&[PieceKind::Rua]));
        // As in chess, but the count starts at 3 and allows 13 moves where 16 are the limit.
        assert_eq!(rua.longest, 16);
        assert!(rua.lost as f64 > 0.85 * rua.positions as f64);
        assert_eq!(Summary::of("N", &solve(&[PieceKind::Maa])).lost, 0);
        assert_eq!(Summary::of("M", &solve(&[PieceKind::Met])).lost, 0);
    }

    #[test]
    fn only_known_letters_are_men() {
        assert_eq!(parse("SN").unwrap(), [PieceKind::Khon, PieceKind::Maa]);
        for bad in ["", "Q", "rm", "RRR", "K"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
