//! The evaluation of a position explained: what the UCI command `eval` prints.

use std::fmt::Write;

use sakmak_movegen::{Color, Count, File, Piece, PieceKind, Position, Rank, Setup, Square};

use crate::evaluator::{Evaluator, for_mover};
use crate::network::features::{OUTPUT_BUCKETS, Threats, bucket_of, output_bucket};
use crate::tablebase::Dtm;
use crate::{Centipawns, bare_khun};

impl Evaluator {
    /// The evaluation explained, from White's side in pawns of 100 [`Centipawns`].
    ///
    /// The network's part is the value of each piece, the output of each bucket, and the evaluation. Against a bare
    /// khun it is the distance to mate instead. Where a count runs or may soon, the same position follows under other
    /// counts. The last line is `Final evaluation +0.25 (white side)`.
    pub fn explain(&mut self, position: &Position) -> String {
        let mut text = String::new();
        if bare_khun::evaluate(position, self.prober()).is_some() {
            text.push_str("A khun is bare: only material, distance to the mate and the count matter.\n");
            if let Dtm::Plies(plies) = self.prober().probe(position) {
                let _ = writeln!(text, "Mate in {plies} plies with best play");
            }
        } else {
            text.push_str(&self.piece_values(position));
            text.push_str(&self.bucket_outputs(position));
            let eval = self.by_network(position, output_bucket(position));
            let _ = writeln!(text, "network               | {} by {}", text_of(eval), self.network);
        }
        if position.count().is_running() || position.kind(PieceKind::Bia).is_empty() {
            text.push_str(&self.under_other_counts(position));
        }
        let white = for_mover(position, self.evaluate(position));
        let _ = writeln!(text, "Final evaluation {} (white side)", text_of(white));
        text
    }

    /// The board with the value of each piece: the network's evaluation with it minus that without it.
    fn piece_values(&mut self, position: &Position) -> String {
        let eval = self.by_network(position, output_bucket(position));
        let mut text =
            "Value of each piece: the evaluation with it less that without it (white side)\n".to_owned();
        for rank in Rank::ALL.into_iter().rev() {
            let mut row = rank.to_string();
            for square in File::ALL.map(|file| Square::new(file, rank)) {
                let letter = position.piece_on(square).map_or('.', Piece::letter);
                let value = without_piece(position, square)
                    .map(|other| text_of(eval - self.by_network(&other, output_bucket(&other))));
                let _ = write!(row, "  {letter}{:>7}", value.unwrap_or_default());
            }
            let _ = writeln!(text, "{}", row.trim_end());
        }
        let files: String = ('a'..='h').map(|file| format!("  {file}       ")).collect();
        let _ = writeln!(text, " {}", files.trim_end());
        text
    }

    /// Two rows of text: the numbers of pieces that each output bucket is for, and its output.
    fn bucket_outputs(&mut self, position: &Position) -> String {
        let mut rows = ["output bucket (* used)|".to_owned(), "its output            |".to_owned()];
        for bucket in 0..OUTPUT_BUCKETS {
            let of_bucket = |&pieces: &u32| bucket_of(true, pieces) == bucket;
            let (first, last) = ((3..=32).find(of_bucket), (3..=32).rfind(of_bucket));
            let range =
                first.zip(last).map_or("no bia".to_owned(), |(first, last)| format!("{first}-{last}"));
            let mark = if bucket == output_bucket(position) { "*" } else { "" };
            let _ = write!(rows[0], " {:>7}", format!("{mark}{range}"));
            let _ = write!(rows[1], " {:>7}", text_of(self.by_network(position, bucket)));
        }
        rows.join("\n") + "\n"
    }

    /// Two rows of text: plies left of the count, and the evaluation with such a count.
    fn under_other_counts(&mut self, position: &Position) -> String {
        const PLIES_LEFT: [u16; 8] = [120, 96, 64, 48, 32, 16, 8, 4];
        let mut rows = ["plies left (count)    |".to_owned(), "evaluation            |".to_owned()];
        for left in std::iter::once(0).chain(PLIES_LEFT) {
            let mut other = position.clone();
            other.set_count(Count::new(left, 0));
            let white = for_mover(position, self.evaluate(&other));
            let head = if left == 0 { "none".to_owned() } else { left.to_string() };
            let _ = write!(rows[0], " {head:>6}");
            let _ = write!(rows[1], " {:>6}", text_of(white));
        }
        rows.join("\n") + "\n"
    }

    /// The output of a bucket of the network in internal units for White.
    fn by_network(&mut self, position: &Position, bucket: usize) -> i32 {
        let threats = Threats::new(position);
        for_mover(position, self.network.output(&mut self.accumulators, position, threats, bucket))
    }
}

/// The position without the piece on a square, with the same count.
///
/// `None` if no piece stands there, or if the network cannot evaluate the rest: a khun is missing, is bare, or could be
/// captured.
fn without_piece(position: &Position, square: Square) -> Option<Position> {
    position.piece_on(square)?;
    let mut setup = Setup::empty().side_to_move(position.side_to_move());
    for other in position.occupied().into_iter().filter(|&other| other != square) {
        setup = setup.piece(other, position.piece_on(other)?);
    }
    let mut without = setup.build(*position.rules()).ok()?;
    without.set_count(position.count());
    let is_bare = Color::ALL.into_iter().any(|color| without.is_bare(color));
    (!is_bare).then_some(without)
}

/// Internal units as text in pawns.
fn text_of(evaluation: i32) -> String {
    Centipawns::from_internal(evaluation).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The values of [`Evaluator::explain`] by square; `None` where a piece has none.
    fn piece_values(position: &Position) -> Vec<(Square, Option<f64>)> {
        let text = Evaluator::default().explain(position);
        let mut values = Vec::new();
        for (row, rank) in text.lines().skip(1).zip(Rank::ALL.into_iter().rev()) {
            assert!(row.starts_with(rank.char()), "{text}");
            for file in File::ALL {
                let square = Square::new(file, rank);
                let cell: String = row.chars().skip(1 + 10 * file.index()).take(10).collect();
                let (letter, value) = cell.trim().split_at(1);
                let found = position.piece_on(square).map_or('.', Piece::letter);
                assert_eq!(letter, found.to_string(), "{text}");
                if found != '.' {
                    values.push((square, value.trim().parse().ok()));
                } else {
                    assert_eq!(value, "", "{text}");
                }
            }
        }
        values
    }

    fn value_of(position: &Position, square: &str) -> Option<f64> {
        let square: Square = square.parse().unwrap();
        piece_values(position).into_iter().find(|(other, _)| *other == square).unwrap().1
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_value_of_a_piece_is_what_the_evaluation_loses_without_it() {
        for (with, square, without) in [
            (
                "r1smk2r/3n4/pp2pspp/2pp4/3PP3/PPP2PPP/3SN3/R2KMS1R w - - 0 12",
                "e2",
                "r1smk2r/3n4/pp2pspp/2pp4/3PP3/PPP2PPP/3S4/R2KMS1R w - - 0 12",
            ),
            (
                "r1smk2r/3n4/pp2pspp/2pp4/3PP3/PPP2PPP/3SN3/R2KMS1R b - - 0 12",
                "d7",
                "r1smk2r/8/pp2pspp/2pp4/3PP3/PPP2PPP/3SN3/R2KMS1R b - - 0 12",
            ),
            // The count stays.
            ("3mk3/8/8/8/8/8/8/R2SK3 b - 128 32 60", "d1", "3mk3/8/8/8/8/8/8/R3K3 b - 128 32 60"),
            ("3mk3/8/8/8/8/P7/8/R2SK3 w - - 0 60", "a3", "3mk3/8/8/8/8/8/8/R2SK3 w - - 0 60"),
        ] {
            let [with, without] = [with, without].map(position);
            let white = |position| for_mover(position, Evaluator::default().evaluate(position));
            let expected = f64::from(Centipawns::from_internal(white(&with) - white(&without)).0) / 100.0;
            let value = value_of(&with, square).unwrap();
            assert!((value - expected).abs() < 0.001, "{with}: {value} is not {expected}");
            // White's pieces are good for White.
            assert_eq!(value > 0.0, with.piece_on(square.parse().unwrap()).unwrap().color == Color::White);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn pieces_that_cannot_be_missing_have_no_value() {
        // Without its bia Black's khun is bare.
        let last = position("4k3/8/4p3/8/8/P7/8/R3K3 w - - 0 40");
        for (square, value) in piece_values(&last) {
            assert_eq!(value.is_some(), ["a1", "a3"].contains(&square.to_string().as_str()), "{square}");
        }
        // Here the rua on e4 could capture it.
        let shielded = position("4k3/8/4p3/8/4R3/P7/r7/R3K3 w - - 0 40");
        assert_eq!(value_of(&shielded, "e6"), None);
        assert!(value_of(&shielded, "e4").unwrap() > 0.0 && value_of(&shielded, "a2").unwrap() < 0.0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_output_of_the_bucket_used_is_the_evaluation() {
        for (fen, used) in [
            ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "*29-32"),
            ("r1smk2r/3n4/pp2pspp/8/4P3/PPP2PPP/3SN3/R2KMS1R b - - 0 12", "*25-28"),
            ("3mk3/8/p7/8/8/P7/8/R2SK3 w - - 0 60", "*3-7"),
            ("3mk3/8/8/8/8/8/8/R2SK3 b - 128 32 60", "*no bia"),
        ] {
            let text = Evaluator::default().explain(&position(fen));
            let columns = |head: &str| -> Vec<String> {
                let row = text.lines().find_map(|line| line.strip_prefix(head)).expect(head);
                row.as_bytes().chunks(8).map(|cell| str::from_utf8(cell).unwrap().trim().to_owned()).collect()
            };
            let (buckets, outputs) = (columns("output bucket (* used)|"), columns("its output            |"));
            assert_eq!(outputs.len(), OUTPUT_BUCKETS, "{text}");
            let marked: Vec<_> = buckets.iter().filter(|bucket| bucket.starts_with('*')).collect();
            assert_eq!(marked, [used], "{text}");
            let output = &outputs[buckets.iter().position(|bucket| bucket == used).unwrap()];
            assert!(text.contains(&format!("network               | {output} by ")), "{text}");
            assert!(text.ends_with(&format!("Final evaluation {output} (white side)\n")), "{text}");
        }
    }
}
