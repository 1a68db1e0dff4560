//! Lines of a suite: a whole FEN with its count, and operations.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sakmak_movegen::{Move, Position};

/// What the side to move can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Win,
    Draw,
}

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) position: Position,
    /// What it is called: the theme, a point and a number.
    pub(super) id: String,
    pub(super) goal: Goal,
    /// The moves that reach the goal, or if `avoid` those that do not; none in files to be played out.
    pub(super) moves: Vec<Move>,
    pub(super) avoid: bool,
    /// Why, in words.
    pub(super) note: String,
}

impl Entry {
    pub(super) fn theme(&self) -> &str {
        self.id.split_once('.').map_or(self.id.as_str(), |(theme, _)| theme)
    }

    /// Whether a move is one of those wanted.
    pub(super) fn is_solved_by(&self, mv: Move) -> bool {
        self.moves.contains(&mv) != self.avoid
    }

    /// What is wanted, as in the file.
    pub(super) fn wanted(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(ToString::to_string).collect();
        format!("{} {}", if self.avoid { "am" } else { "bm" }, moves.join(" "))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.position)?;
        if !self.moves.is_empty() {
            write!(f, " {};", self.wanted())?;
        }
        let goal = if self.goal == Goal::Win { "win" } else { "draw" };
        write!(f, " id \"{}\"; c0 \"{goal}\"; c1 \"{}\";", self.id, self.note)
    }
}

/// Fields of a FEN.
const FIELDS: usize = 6;

fn parse(line: &str) -> Result<Entry> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    ensure!(words.len() >= FIELDS, "a FEN has six fields");
    let position = Position::from_fen(&words[..FIELDS].join(" "))?;
    let (mut id, mut goal, mut note) = (None, None, String::new());
    let (mut moves, mut avoid) = (Vec::new(), false);
    for operation in words[FIELDS..].join(" ").split(';').map(str::trim).filter(|text| !text.is_empty()) {
        let (code, operand) = operation.split_once(' ').unwrap_or((operation, ""));
        let text = operand.trim_matches('"').to_owned();
        match code {
            "bm" | "am" => {
                avoid = code == "am";
                moves = operand.split(' ').map(|mv| position.parse_move(mv)).collect::<Result<_, _>>()?;
                ensure!(!moves.is_empty(), "{code} without a move");
            }
            "id" => id = Some(text),
            "c0" => {
                goal = Some(match text.as_str() {
                    "win" => Goal::Win,
                    "draw" => Goal::Draw,
                    other => bail!("c0 '{other}' is neither win nor draw"),
                });
            }
            "c1" => note = text,
            _ => {}
        }
    }
    let id = id.context("no id")?;
    let goal = goal.context("no c0")?;
    Ok(Entry { position, id, goal, moves, avoid, note })
}

/// The positions of a file; lines that begin with `#` are remarks.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_slips_are_told() {
        let line = "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1b8; id \"hunt.01\"; c0 \"win\"; c1 \"x y\";";
        let entry = parse(line).unwrap();
        assert_eq!(entry.to_string(), line);
        assert_eq!((entry.theme(), entry.goal), ("hunt", Goal::Win));
        assert!(entry.is_solved_by(Move::parse("b1b8").unwrap()));
        assert!(!entry.is_solved_by(Move::parse("b1b7").unwrap()));
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
