//! Positions to practise: those decided by the count, and wins against a bare khun (`docs/count-suite.md`).

use sakmak_games::epd::{EpdRecord, records};
use sakmak_movegen::{Position, Rules};
use serde::Serialize;

/// A position to practise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exercise {
    /// Name: the theme or the attacker's pieces, and a number.
    pub id: String,
    /// The part of the name before the point.
    pub theme: String,
    /// The position with its count.
    pub fen: String,
    /// `win` or `draw`: the best result of the side to move.
    pub goal: String,
    /// The first moves that reach the goal, in coordinates.
    pub right: Vec<String>,
    /// Plies to the end: to mate, or those that the count leaves the attacker.
    pub plies: u32,
    /// Difficulty from 1 to 5, by length.
    pub grade: u32,
}

/// The count suite, under the default ruleset.
const COUNT_SUITE: &str = include_str!("../../../../tools/data/count-suite.epd");
const BARE_WINS: &str = include_str!("../../../../tools/data/bare-wins.epd");

/// Longest exercises of the grades 1 to 4, in plies.
const GRADES: [u32; 4] = [9, 19, 35, 55];

/// All exercises, the shortest first.
pub fn exercises() -> Vec<Exercise> {
    let all = records(BARE_WINS).chain(records(COUNT_SUITE));
    let mut all: Vec<_> = all.filter_map(|record| exercise(&record)).collect();
    all.sort_by_key(|exercise| exercise.plies);
    all
}

fn exercise(record: &EpdRecord<'_>) -> Option<Exercise> {
    let operand =
        |wanted: &str| record.operations.iter().find(|(code, _)| *code == wanted).map(|(_, text)| *text);
    let text = |wanted: &str| operand(wanted).map(|text| text.trim_matches('"'));
    let position = Position::from_fen_with(&record.fen, Rules::default()).ok()?;
    let legal = || position.legal_moves().into_iter().map(|mv| mv.to_string());
    let right = match (operand("bm"), operand("am")) {
        (Some(moves), _) => moves.split_ascii_whitespace().map(str::to_owned).collect(),
        (None, Some(wrong)) => {
            legal().filter(|mv| !wrong.split_ascii_whitespace().any(|one| one == mv)).collect()
        }
        // To be played out: the solved endings show which moves keep the win.
        (None, None) => Vec::new(),
    };
    let id = text("id")?;
    let plies = plies(text("c1").unwrap_or_default());
    Some(Exercise {
        theme: id.split('.').next().unwrap_or(id).to_owned(),
        id: id.to_owned(),
        fen: record.fen.clone(),
        goal: text("c0")?.to_owned(),
        right,
        plies,
        grade: 1 + GRADES.iter().filter(|&&longest| plies > longest).count() as u32,
    })
}

/// The length of an exercise in plies, from its proof: `mate in 15 plies, ..`, `.. wins in 23 of 17` or
/// `17 plies left ..`.
fn plies(proof: &str) -> u32 {
    let number = |text: &str| -> Option<u32> {
        let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let mate = proof.strip_prefix("mate in ").and_then(number);
    mate.or_else(|| proof.split_once(" of ").and_then(|(_, rest)| number(rest)))
        .or_else(|| number(proof))
        .unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_of_both_files_are_exercises_graded_by_length() {
        let all = exercises();
        assert_eq!(all.len(), 160);
        assert_eq!(all.iter().filter(|one| one.right.is_empty()).count(), 100);
        assert!(all.is_sorted_by_key(|one| one.plies));
        for grade in 1..=5 {
            assert!(all.iter().filter(|one| one.grade == grade).count() >= 8, "{grade}");
        }
        for one in &all {
            let position = Position::from_fen(&one.fen).unwrap();
            assert!(one.right.iter().all(|mv| position.parse_move(mv).is_ok()), "{one:?}");
            assert!(matches!(&*one.goal, "win" | "draw") && one.plies > 0, "{one:?}");
        }
        let first = all.iter().find(|one| one.id == "hunt.01").unwrap();
        assert_eq!((&*first.theme, &first.right[..], first.plies), ("hunt", &["a2a7".to_owned()][..], 17));
    }
}
