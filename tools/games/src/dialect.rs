//! How programs write the variant and the start position of a game.

use std::fmt;
use std::str::FromStr;

use sakmak_movegen::{Game, Rules, Ruleset, Variant};
use thiserror::Error;

use crate::GameStart;
use crate::pgn::Tags;

/// A dialect of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// pychess.org: `[Variant "Makruk"]` and always the start position.
    PyChess,
    /// Cute Chess: `[Variant "makruk"]`, a start position only where it is not the default, in FENs that arm the count
    /// with a 0.
    CuteChess,
    /// The tags are left as they are.
    #[default]
    Plain,
}

const NAMES: [(&str, Dialect); 3] =
    [("pychess", Dialect::PyChess), ("cutechess", Dialect::CuteChess), ("plain", Dialect::Plain)];

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(_, dialect)| dialect == self).map_or("", |(name, _)| name))
    }
}

/// A name that is no dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are pychess, cutechess, plain")]
pub struct ParseDialectError;

impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Self, ParseDialectError> {
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        known.map(|(_, dialect)| *dialect).ok_or(ParseDialectError)
    }
}

impl Dialect {
    /// Changes the tags of a game to the form of the dialect.
    pub fn set_tags(self, tags: &mut Tags, start: &GameStart) {
        if self == Self::Plain {
            return;
        }
        let variant = start.game.rules().variant;
        let fen = tags.remove("FEN").filter(|_| !start.is_default);
        tags.remove("SetUp");
        tags.remove("Variant");
        let start = start_game(fen.as_deref(), variant);
        if self == Self::PyChess {
            let (initial, rest) = variant.name().split_at(1);
            tags.set("Variant", initial.to_ascii_uppercase() + rest);
            tags.set("FEN", start.marked_fen());
            tags.set("SetUp", "1");
        } else {
            if fen.is_some() {
                tags.set("FEN", armed_fen(&start.position().to_string()));
                tags.set("SetUp", "1");
            }
            tags.set("Variant", variant.name());
        }
    }
}

/// The start of a game in Fairy-Stockfish's form, whatever rules it was played by.
fn start_game(fen: Option<&str>, variant: Variant) -> Game {
    let rules = Rules::new(variant, Ruleset::FairyStockfish);
    // A FEN that other rules accept is accepted by these too.
    fen.and_then(|fen| Game::from_fen(fen, rules).ok()).unwrap_or_else(|| Game::new(rules))
}

/// The FEN with a 0 for a count that is not running: without it Cute Chess plays by the fifty-move rule.
pub fn armed_fen(fen: &str) -> String {
    let mut fields: Vec<_> = fen.split(' ').collect();
    if let Some(count) = fields.get_mut(3)
        && *count == "-"
    {
        *count = "0";
    }
    fields.join(" ")
}

/// A game as an argument of the UCI command `position`.
pub fn position_line(start: &GameStart) -> String {
    let game = &start.game;
    let mut line = if start.is_default { "startpos".to_owned() } else { format!("fen {}", game.start()) };
    for (at, mv) in game.moves().enumerate() {
        line.push_str(if at == 0 { " moves " } else { " " });
        line.push_str(&mv.to_string());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadOptions;

    fn converted(dialect: Dialect, pairs: &[(&str, &str)]) -> Vec<String> {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.set(*name, *value);
        }
        let start = crate::begin(&tags, &ReadOptions::default()).unwrap().unwrap();
        dialect.set_tags(&mut tags, &start);
        tags.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn names() {
        for (name, dialect) in NAMES {
            assert_eq!(name.parse(), Ok(dialect));
            assert_eq!(dialect.to_string(), name);
        }
        assert!("chess".parse::<Dialect>().is_err());
    }

    #[test]
    fn positions_of_the_dialects() {
        for (fen, py_chess, cute_chess) in [
            (
                "4k3/8/8/8/8/8/2M~5/4K3 b",
                "4k3/8/8/8/8/8/2M~5/4K3 b - - 0 1",
                "4k3/8/8/8/8/8/2M5/4K3 b - 0 0 1",
            ),
            (
                "4k3/8/8/8/8/8/2R5/4K3 w - - 7 60",
                "4k3/8/8/8/8/8/2R5/4K3 w - - 7 60",
                "4k3/8/8/8/8/8/2R5/4K3 w - 0 7 60",
            ),
            (
                "4k3/8/8/8/8/8/2R5/4K3 w - 32 9 60",
                "4k3/8/8/8/8/8/2R5/4K3 w - 32 9 60",
                "4k3/8/8/8/8/8/2R5/4K3 w - 32 9 60",
            ),
        ] {
            let tags = [("FEN", fen)];
            let (py, cute) = (converted(Dialect::PyChess, &tags), converted(Dialect::CuteChess, &tags));
            assert_eq!(py, ["Variant=Makruk", &format!("FEN={py_chess}"), "SetUp=1"]);
            assert_eq!(cute, [&format!("FEN={cute_chess}"), "SetUp=1", "Variant=makruk"]);
        }
    }
}
