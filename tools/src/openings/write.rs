//! Opening sets as text.

use anyhow::Result;
use sakmak_movegen::{Game, Notation};
use sakmak_tools::pgn::{PgnGame, PgnMove, PgnWriter};

use super::source::{Candidate, is_standard};

/// One line each, after one that tells the command.
pub(super) fn lines(
    openings: &[Candidate],
    command: Option<String>,
    line: impl Fn(&Candidate) -> String,
) -> String {
    let header = command.map(|command| format!("# {command}\n")).into_iter();
    header.chain(openings.iter().map(|opening| line(opening) + "\n")).collect()
}

/// The whole FEN.
pub(super) fn fen(opening: &Candidate) -> String {
    opening.fen.clone()
}

/// The first four fields, the count armed but not running.
pub(super) fn epd(opening: &Candidate) -> String {
    opening.fen.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Games that end with the opening.
pub(super) fn games(openings: &[Candidate]) -> Result<String> {
    let mut writer = PgnWriter::new(Vec::new());
    for (index, opening) in openings.iter().enumerate() {
        writer.write_game(&record(opening, index + 1)?)?;
    }
    Ok(String::from_utf8(writer.into_inner())?)
}

fn record(opening: &Candidate, number: usize) -> Result<PgnGame> {
    let mut record = PgnGame::default();
    let rules = *opening.start.rules();
    record.tags.set("Event", format!("Opening {number}"));
    record.tags.set("Variant", rules.variant.name());
    let start = opening.start.to_string();
    if !is_standard(&opening.start) {
        record.tags.set("FEN", sakmak_engine::openings::opening_fen(&opening.start).unwrap_or(start.clone()));
        record.tags.set("SetUp", "1");
    }
    let mut game = Game::from_fen(&start, rules)?;
    for &mv in &opening.moves {
        record.moves.push(PgnMove { text: game.name(Notation::San, mv), ..PgnMove::default() });
        game.play(mv)?;
    }
    Ok(record)
}
