//! Positions of a suite: a FEN of six fields with the count, and EPD operations.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sakmak_movegen::{Move, Position};

use sakmak_games::epd::{EpdRecord, records};

/// What the side to move can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

/// One position.
#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// The position, its count included.
    pub position: Position,
    /// Its name: the theme, a point and a number.
    pub id: String,
    /// What the side to move can reach.
    pub goal: Goal,
    /// The moves that reach the goal, or with `avoid` those that do not; empty in files to be played out.
    pub moves: Vec<Move>,
    /// Whether `moves` are to be avoided (`am` instead of `bm`).
    pub avoid: bool,
    /// The proof in words.
    pub note: String,
}

impl SuitePosition {
    /// Reads the position of an EPD record.
    ///
    /// # Errors
    /// If the FEN has not all fields, or an operation is missing or wrong.
    pub fn from_record(record: &EpdRecord<'_>) -> Result<Self> {
        ensure!(record.fields == FEN_FIELDS, "a FEN has six fields");
        let position = Position::from_fen(&record.fen)?;
        let (mut id, mut goal, mut note) = (None, None, String::new());
        let (mut moves, mut avoid) = (Vec::new(), false);
        for &(opcode, operand) in &record.operations {
            let text = operand.trim_matches('"').to_owned();
            match opcode {
                "bm" | "am" => {
                    avoid = opcode == "am";
                    let words = operand.split_ascii_whitespace();
                    moves = words.map(|mv| position.parse_move(mv)).collect::<Result<_, _>>()?;
                    ensure!(!moves.is_empty(), "{opcode} without a move");
                }
                "id" => id = Some(text),
                "c0" => {
                    goal = Some(match text.as_str() {
                        "win" => Goal::Win,
                        "draw" => Goal::Draw,
                        _ => bail!("c0 '{text}' is neither win nor draw"),
                    });
                }
                "c1" => note = text,
                _ => {}
            }
        }
        let (id, goal) = (id.context("no id")?, goal.context("no c0")?);
        Ok(Self { position, id, goal, moves, avoid, note })
    }

    pub(super) fn theme(&self) -> &str {
        self.id.split_once('.').map_or(self.id.as_str(), |(theme, _)| theme)
    }

    /// Whether a move reaches the goal.
    pub(super) fn is_solved_by(&self, mv: Move) -> bool {
        self.moves.contains(&mv) != self.avoid
    }

    /// The `bm` or `am` operation, as in the file.
    pub(super) fn solution(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(ToString::to_string).collect();
        format!("{} {}", if self.avoid { "am" } else { "bm" }, moves.join(" "))
    }
}

impl fmt::Display for SuitePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.position)?;
        if !self.moves.is_empty() {
            write!(f, " {};", self.solution())?;
        }
        let goal = if self.goal == Goal::Win { "win" } else { "draw" };
        write!(f, " id \"{}\"; c0 \"{goal}\"; c1 \"{}\";", self.id, self.note)
    }
}

/// Number of fields of a FEN.
const FEN_FIELDS: usize = 6;

/// Reads the positions of a file.
///
/// # Errors
/// If the file cannot be read, or at the first line that is no position of a suite.
pub fn read(path: &Path) -> Result<Vec<SuitePosition>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| name.to_string())?;
    let read = |record: EpdRecord<'_>| {
        SuitePosition::from_record(&record).with_context(|| format!("{name}, line {}", record.line))
    };
    records(&text).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_errors_are_found() {
        let parse = |line| SuitePosition::from_record(&records(line).next().unwrap());
        let line = "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1b8; id \"hunt.01\"; c0 \"win\"; c1 \"x y\";";
        let position = parse(line).unwrap();
        assert_eq!(position.to_string(), line);
        assert_eq!((position.theme(), position.goal), ("hunt", Goal::Win));
        assert!(position.is_solved_by(Move::parse("b1b8").unwrap()));
        assert!(!position.is_solved_by(Move::parse("b1b7").unwrap()));
        for bad in [
            "7k/R7/5K2/8/8/8/8/1R6 w - 16 15",
            "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1c8; id \"a\"; c0 \"win\";",
            "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1b8; id \"a\"; c0 \"loss\";",
            "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1b8; c0 \"win\";",
            "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 id \"a\";",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
