//! Lines of FEN, or of EPD with operations: the one reader for openings and for the count suite.
//!
//! A record is a FEN of up to six fields, then operations that end with semicolons, as in Steven Edwards's PGN
//! standard (1994), section 16.2. Blank lines and lines that begin with `#` are left out.

use sakmak_movegen::{Game, Rules};
use thiserror::Error;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdRecord<'a> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fields of the position, joined by single blanks.
    pub fen: String,
    /// The number of fields.
    pub fields: usize,
    /// Opcode and operand of each operation.
    pub operations: Vec<(&'a str, &'a str)>,
}

/// Fields that every position has: board, side to move, first-move privileges.
const LEAST_FIELDS: usize = 3;

/// The records of a text.
pub fn records(text: &str) -> impl Iterator<Item = EpdRecord<'_>> {
    let lines = text.lines().map(str::trim).enumerate();
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(index, line)| {
        let is_opcode = |word: &str| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
        let mut rest = line;
        let mut fields = Vec::new();
        while let Some(word) = rest.split_ascii_whitespace().next() {
            let word = word.split(';').next().unwrap_or_default();
            if word.is_empty() || fields.len() >= LEAST_FIELDS && is_opcode(word) {
                break;
            }
            // Links have underscores between the fields.
            fields.extend(word.split('_').filter(|field| !field.is_empty()));
            rest = rest.trim_start()[word.len()..].trim_start();
        }
        let operations = rest.split(';').map(str::trim).filter(|text| !text.is_empty());
        let operations = operations.map(|text| {
            text.split_once(' ').map_or((text, ""), |(opcode, operand)| (opcode, operand.trim()))
        });
        EpdRecord {
            line: index + 1,
            fen: fields.join(" "),
            fields: fields.len(),
            operations: operations.collect(),
        }
    })
}

/// Why a file of openings cannot be used, with the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EpdError(String);

/// Reads openings: positions in which the game goes on.
///
/// # Errors
/// The first line that is no such position, or an error if there is no position.
pub fn read_openings(text: &str, rules: Rules) -> Result<Vec<Game>, EpdError> {
    let openings = records(text).map(|EpdRecord { line, fen, .. }| {
        let game = Game::from_fen(&fen, rules).map_err(|error| EpdError(format!("line {line}: {error}")))?;
        match game.outcome() {
            Some(outcome) => Err(EpdError(format!("line {line}: the game is over here: {outcome}"))),
            None => Ok(game),
        }
    });
    let openings = openings.collect::<Result<Vec<_>, _>>()?;
    if openings.is_empty() { Err(EpdError("there are no openings".to_owned())) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_positions_and_operations() {
        let text = "# remark\n\n8/8 w DE - 16 15 30 bm b1b8 b1b7; id \"hunt.01\";\n8/8 b - 0\n8/8 w - - ce 12;\n8/8 w;\n8/8_w_-_-_0_1 id \"a_b\";";
        let found: Vec<_> =
            records(text).map(|record| (record.line, record.fen, record.operations)).collect();
        let expected = [
            (3, "8/8 w DE - 16 15 30", vec![("bm", "b1b8 b1b7"), ("id", "\"hunt.01\"")]),
            (4, "8/8 b - 0", vec![]),
            (5, "8/8 w - -", vec![("ce", "12")]),
            (6, "8/8 w", vec![]),
            (7, "8/8 w - - 0 1", vec![("id", "\"a_b\"")]),
        ];
        assert_eq!(found, expected.map(|(line, fen, operations)| (line, fen.to_owned(), operations)));
    }

    #[test]
    fn openings_are_fens_or_epd_records() {
        let text = "# set-ups\nrnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0\n\n\
            rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1\n\
            rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - ce 12; id \"x\";\n";
        let openings = read_openings(text, Rules::default()).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[1].position().to_string(), openings[2].position().to_string());
        let error = read_openings("8/8 w", Rules::default()).unwrap_err();
        assert!(error.to_string().starts_with("line 1: "), "{error}");
        let error = |text| read_openings(text, Rules::default()).unwrap_err().to_string();
        assert_eq!(error("\n#\n"), "there are no openings");
        let mated = "7k/8/6K1/8/8/8/8/8 w - - 0 1\nR6k/8/6K1/8/8/8/8/8 b";
        assert!(error(mated).starts_with("line 2: the game is over here: "), "{}", error(mated));
    }
}
