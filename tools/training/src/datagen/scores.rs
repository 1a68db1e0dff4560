//! Scores in the comments of games between engines.

use sakmak_engine::score::{MATE, MATE_BOUND};

/// The score at the beginning of a comment, for the side that moved: `+0.25/12 0.3s` of Cute Chess and `sakmak-tools
/// match`, `+0.25 12/15 300 0` of OpenBench, `-M4/20`.
///
/// In internal units, with `scale` units for +1.00; a mate in `n` plies is `MATE - n`.
pub(super) fn score_of(comment: &str, scale: u32) -> Option<i16> {
    let word = comment.split([' ', '/', ',']).next()?;
    let (negative, number) = match word.as_bytes().first()? {
        b'-' => (true, &word[1..]),
        b'+' => (false, &word[1..]),
        _ => (false, word),
    };
    let score = match number.strip_prefix(['M', '#']) {
        Some(moves) => {
            let moves: i32 = moves.parse().ok().filter(|moves| (0..=1_000).contains(moves))?;
            let plies = if negative { 2 * moves } else { 2 * moves - 1 };
            MATE - plies.max(0)
        }
        // Words such as "book" are no score; a score has decimals.
        None if number.starts_with(|first: char| first.is_ascii_digit()) && number.contains('.') => {
            let pawns: f64 = number.parse().ok()?;
            let most = f64::from(MATE_BOUND - 1);
            (pawns * f64::from(scale)).round().min(most) as i32
        }
        None => return None,
    };
    i16::try_from(if negative { -score } else { score }).ok()
}

#[cfg(test)]
mod tests {
    use sakmak_eval::Centipawns;

    use super::*;

    #[test]
    fn scores_of_comments() {
        for (comment, score) in [
            ("+0.25/12 0.35s", Some(25)),
            ("-1.07/11 0.085s, n=100", Some(-107)),
            ("-1.07 11/18 85 0", Some(-107)),
            ("0.00/1 0s", Some(0)),
            ("+M1/5 0.05s, White mates", Some(31_999)),
            ("+M3/9", Some(31_995)),
            ("-M2/9", Some(-31_996)),
            ("-M0/1", Some(-32_000)),
            ("+999.00/3", Some(i16::try_from(MATE_BOUND - 1).unwrap())),
            ("book", None),
            ("", None),
            ("12 s", None),
            ("+M", None),
            ("-", None),
            ("+1e5/3", None),
            ("\u{e01}", None),
        ] {
            assert_eq!(score_of(comment, 100), score, "{comment}");
        }
        let hundred = Centipawns::HUNDRED;
        assert_eq!(score_of("-0.50/3", hundred as u32), Some(-(hundred as i16 + 1) / 2));
    }
}
