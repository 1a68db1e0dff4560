//! Opening sets as text.

use std::io;

use anyhow::{Context, Result};
use sakmak_engine::openings::opening_fen;
use sakmak_games::pgn::{PgnGame, PgnMove, PgnWriter};
use sakmak_movegen::{Game, Notation};

use super::source::{Opening, is_standard};

/// The form of a set. All forms arm the count, so that Cute Chess plays by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OpeningFormat {
    /// `... w - 0 0 5`
    #[default]
    Fen,
    /// `... w - 0`
    Epd,
    /// Games with the moves that lead there
    Pgn,
}

impl OpeningFormat {
    /// The set as text in this format.
    ///
    /// # Errors
    /// If PGN cannot express an opening.
    pub fn text(self, openings: &[Opening]) -> Result<String> {
        let fields = match self {
            Self::Fen => 6,
            Self::Epd => 4,
            Self::Pgn => return games(openings).context("cannot write the openings"),
        };
        let line =
            |opening: &Opening| opening.fen.split(' ').take(fields).collect::<Vec<_>>().join(" ") + "\n";
        Ok(openings.iter().map(line).collect())
    }
}

fn games(openings: &[Opening]) -> io::Result<String> {
    let mut writer = PgnWriter::new(Vec::new());
    for (index, opening) in openings.iter().enumerate() {
        writer.write_game(&record(opening, index + 1)?)?;
    }
    String::from_utf8(writer.into_inner()).map_err(io::Error::other)
}

fn record(opening: &Opening, number: usize) -> io::Result<PgnGame> {
    let mut record = PgnGame::default();
    let rules = *opening.start.rules();
    record.tags.set("Event", format!("Opening {number}"));
    record.tags.set("Variant", rules.variant.name());
    let start = opening.start.to_string();
    if !is_standard(&opening.start) {
        record.tags.set("FEN", opening_fen(&opening.start).unwrap_or(start.clone()));
        record.tags.set("SetUp", "1");
    }
    let mut game = Game::from_fen(&start, rules).map_err(io::Error::other)?;
    for &mv in &opening.moves {
        record.moves.push(PgnMove { text: game.name(Notation::San, mv), ..PgnMove::default() });
        game.play(mv).map_err(io::Error::other)?;
    }
    Ok(record)
}
