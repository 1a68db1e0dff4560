//! Converts games to another notation or PGN dialect, or to lines of UCI.
//!
//! Every move is checked and rewritten; tags, comments, annotation glyphs, variations and the result are kept.

use std::io::{self, Write};

use sakmak_movegen::{Game, Move, Notation};

use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary};
use sakmak_games::pgn::{PgnGame, PgnMove, PgnWriter};
use sakmak_games::{Dialect, GameStart, move_name, position_line};

/// The output format of converted games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The notation of the moves.
    pub notation: Notation,
    /// The form of the tags Variant and FEN.
    pub dialect: Dialect,
    /// Writes only one line per game, as the UCI command `position` takes it.
    pub lines: bool,
}

/// Converts all games of the files.
///
/// # Errors
/// If the output cannot be written.
pub fn convert(
    files: &GameFiles,
    conversion: Conversion,
    output: impl Write,
    monitor: &mut dyn ReadMonitor,
) -> io::Result<ReadSummary> {
    let mut converter = Converter { conversion, output };
    let summary = files.read(&mut converter, monitor)?;
    converter.output.flush()?;
    Ok(summary)
}

struct Converter<W> {
    conversion: Conversion,
    output: W,
}

impl<W: Write> GameVisitor for Converter<W> {
    type Error = io::Error;

    fn visit_move(&mut self, game: &Game, mv: Move, record: &mut PgnMove, _: usize) {
        if !self.conversion.lines {
            record.text = move_name(game, self.conversion.notation, mv);
        }
    }

    fn finish(&mut self, file: &str, mut pgn: PgnGame, start: GameStart) -> io::Result<Option<BrokenGame>> {
        if self.conversion.lines {
            writeln!(self.output, "{}", position_line(&start))?;
            return Ok(None);
        }
        self.conversion.dialect.set_tags(&mut pgn.tags, &start);
        match PgnWriter::new(&mut self.output).write_game(&pgn) {
            Ok(()) => Ok(None),
            // The game contains something that PGN cannot express.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Ok(Some(BrokenGame::new(file, pgn.number, pgn.line, pgn.line, &error)))
            }
            Err(error) => Err(error),
        }
    }
}
