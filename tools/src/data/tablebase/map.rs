//! Where a bare khun resists longest, as a picture of the board.

use std::fmt::Write;

use rayon::prelude::*;
use sakmak_eval::tablebase::{Ending, Tablebases, Value};
use sakmak_movegen::{Color, Square};

/// Results by the square of a bare khun that is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KhunMap {
    /// The ending: White attacks.
    pub ending: Ending,
    /// By square.
    pub squares: [SquareResults; 64],
}

/// Results with the bare khun on one square, to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareResults {
    /// Legal placements.
    pub legal: u64,
    /// Those in which the bare khun is mated.
    pub lost: u64,
    /// The attacker's moves to mate, of all those together.
    pub moves: u64,
}

impl SquareResults {
    /// The mean of the moves to mate, lost placements only; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.lost > 0).then(|| self.moves as f64 / self.lost as f64)
    }

    fn plus(self, other: Self) -> Self {
        Self {
            legal: self.legal + other.legal,
            lost: self.lost + other.lost,
            moves: self.moves + other.moves,
        }
    }
}

/// Why there is no map of an ending.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// It is no ending against a bare khun, or has bia, with which its table does not count the moves to mate.
    #[error("{0}: a map is of pieces other than bia against a bare khun")]
    Ending(Ending),
    /// There is no such table.
    #[error("there is no table of {0}")]
    Missing(Ending),
    /// The table gives no values.
    #[error("the table of {0} is damaged")]
    Damaged(Ending),
}

/// The results of an ending by the square of the bare khun. `name` may have the colours exchanged.
///
/// # Errors
/// If there is no table, it is damaged, or it is not one against a bare khun.
pub fn khun_map(tables: &Tablebases, name: &Ending) -> Result<KhunMap, MapError> {
    let ending = name.canonical();
    if !ending.is_bare(Color::Black) || ending.has_bia() {
        return Err(MapError::Ending(ending));
    }
    let size = tables.placements(&ending).ok_or_else(|| MapError::Missing(ending.clone()))?;
    let results = |number: u64| {
        // Illegal placements, and those with two pieces on one square, do not count.
        let Some(position) = tables.position(&ending, number, Color::Black) else { return Some(None) };
        let moves = match tables.probe_uncounted(&position)? {
            Value::Loss(plies) => Some(u64::from(plies / 2)),
            _ => None,
        };
        let results = SquareResults { legal: 1, lost: moves.is_some().into(), moves: moves.unwrap_or(0) };
        Some(Some((position.khun(Color::Black), results)))
    };
    let halves = (0..size)
        .into_par_iter()
        .try_fold(
            || [SquareResults::default(); 64],
            |mut squares, number| {
                if let Some((square, results)) = results(number)? {
                    squares[square.index()] = squares[square.index()].plus(results);
                }
                Some(squares)
            },
        )
        .try_reduce(
            || [SquareResults::default(); 64],
            |a, b| Some(std::array::from_fn(|square| a[square].plus(b[square]))),
        )
        .ok_or_else(|| MapError::Damaged(ending.clone()))?;
    // The table has one of two mirror images.
    let squares = std::array::from_fn(|square| halves[square].plus(halves[square ^ 7]));
    Ok(KhunMap { ending, squares })
}

/// How a picture begins.
pub const MAP_MARK: &str = "<!-- sakmak-tools tablebase map -->";

/// Pixels of a square, and of the margin in which files and ranks stand.
const SQUARE: usize = 56;
const MARGIN: usize = 24;
/// Pixels above the board, for the title.
const HEAD: usize = 48;

impl KhunMap {
    /// The map as a picture: on each square the mean moves to mate, and the share of placements that are lost.
    /// The darker a square, the longer the bare khun resists on it.
    pub fn to_svg(&self) -> String {
        let means = || self.squares.iter().filter_map(SquareResults::mean);
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
        let (width, height) = (2 * MARGIN + 8 * SQUARE, HEAD + 8 * SQUARE + MARGIN);
        let mut svg = format!(
            "{MAP_MARK}\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"{middle}\" y=\"20\" font-size=\"16\">{ending}: mean moves to mate</text>\n\
             <text x=\"{middle}\" y=\"38\" font-size=\"12\">by the square of the bare khun, to move; \
             below: placements lost</text>\n",
            middle = width / 2,
            ending = self.ending,
        );
        for square in Square::all() {
            let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
            let (x, y) = (MARGIN + file * SQUARE, HEAD + (7 - rank) * SQUARE);
            let results = &self.squares[square.index()];
            let heat = results.mean().map(|mean| (mean - low) / (high - low).max(f64::MIN_POSITIVE));
            let mean = results.mean().map_or("-".to_owned(), |mean| format!("{mean:.1}"));
            let lost = 100.0 * results.lost as f64 / results.legal.max(1) as f64;
            let (middle, fill) = (x + SQUARE / 2, colour(heat));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" stroke=\"#666\"/>\
                 <text x=\"{middle}\" y=\"{}\" font-size=\"16\">{mean}</text>\
                 <text x=\"{middle}\" y=\"{}\" font-size=\"11\">{lost:.0}%</text>",
                y + SQUARE / 2 + 2,
                y + SQUARE / 2 + 19,
            );
        }
        for (index, file) in ('a'..='h').enumerate() {
            let middle = index * SQUARE + SQUARE / 2;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"12\">{file}</text>\
                 <text x=\"{}\" y=\"{}\" font-size=\"12\">{}</text>",
                MARGIN + middle,
                height - 8,
                MARGIN / 2,
                HEAD + middle + 4,
                8 - index,
            );
        }
        svg + "</svg>\n"
    }
}

/// From pale yellow to red, light enough for black numbers; grey where there is nothing.
fn colour(heat: Option<f64>) -> String {
    let Some(heat) = heat else { return "#ddd".to_owned() };
    let mix = |from: f64, to: f64| (from + (to - from) * heat).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(255.0, 230.0), mix(248.0, 100.0), mix(215.0, 75.0))
}

#[cfg(test)]
mod tests {
    use super::super::tests::tables;
    use super::*;

    fn square(name: &str) -> usize {
        name.parse::<Square>().unwrap().index()
    }

    #[test]
    fn the_results_by_square_are_those_of_the_table() {
        let map = khun_map(tables(), &"KvKR".parse().unwrap()).unwrap();
        let total = map.squares.iter().fold(SquareResults::default(), |total, &results| total.plus(results));
        let info = tables().info(&map.ending).unwrap();
        assert_eq!((total.legal, total.lost), (info.sides[1].legal(), info.sides[1].lost()));
        let moves: u64 = info.sides[1]
            .by_plies()
            .map(|(value, number)| u64::from(value.plies().unwrap() / 2) * number)
            .sum();
        assert_eq!(total.moves, moves);
        // A rua knows no direction, so all symmetries of the board hold.
        for (one, other) in [("a1", "h8"), ("b1", "a7"), ("c2", "g6"), ("d4", "e5")] {
            assert_eq!(map.squares[square(one)], map.squares[square(other)], "{one} {other}");
        }
        let mean = |name| map.squares[square(name)].mean().unwrap();
        assert!(mean("a1") < mean("d4"), "a khun in the corner is nearer to mate");
    }

    #[test]
    fn the_picture_has_64_squares_and_their_numbers() {
        let map = khun_map(tables(), &"KRvK".parse().unwrap()).unwrap();
        let svg = map.to_svg();
        assert_eq!(svg.matches("stroke=").count(), 64);
        assert!(svg.starts_with(MAP_MARK) && svg.contains("KRvK: mean moves to mate"));
        let mean = format!(">{:.1}</text>", map.squares[square("d4")].mean().unwrap());
        assert_eq!(svg.matches(&mean).count(), 4, "{mean}");
        // Nothing is lost against a maa: no number, no colour.
        let svg = khun_map(tables(), &"KNvK".parse().unwrap()).unwrap().to_svg();
        assert_eq!((svg.matches(">-</text>").count(), svg.matches("#ddd").count()), (64, 64));
    }

    #[test]
    fn other_endings_have_no_map() {
        let error = |name: &str| khun_map(tables(), &name.parse().unwrap()).unwrap_err();
        assert_eq!(error("KBvK").to_string(), "KBvK: a map is of pieces other than bia against a bare khun");
        assert!(matches!(error("KRvKN"), MapError::Ending(_)));
        assert!(matches!(error("KRRvK"), MapError::Missing(_)));
    }
}
