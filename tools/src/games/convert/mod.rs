//! Converts games to another notation or dialect of PGN, or to lines of UCI.
//!
//! Every move is checked and written anew; tags, comments, annotation glyphs, variations and the result are kept.

mod dialect;

use std::io::{self, Write};

use sakmak_movegen::{Game, Move, Notation};

pub use dialect::{Dialect, ParseDialectError};

use super::pgn::{PgnGame, PgnMove, PgnWriter};
use super::{BrokenGame, GameFiles, GameStart, GameVisitor, ReadMonitor, ReadSummary};

/// The form of the games written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The notation of the moves.
    pub notation: Notation,
    /// The form of the tags Variant and FEN.
    pub dialect: Dialect,
    /// Writes one line a game as UCI's command `position` takes it, and nothing else.
    pub lines: bool,
}

/// Converts all games of the files.
///
/// # Errors
/// Those of the output.
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
            record.text = name(game, self.conversion.notation, mv);
        }
    }

    fn finish(&mut self, file: &str, mut pgn: PgnGame, start: GameStart) -> io::Result<Option<BrokenGame>> {
        if self.conversion.lines {
            writeln!(self.output, "{}", dialect::position_line(&start))?;
            return Ok(None);
        }
        self.conversion.dialect.set_tags(&mut pgn.tags, &start);
        match PgnWriter::new(&mut self.output).write_game(&pgn) {
            Ok(()) => Ok(None),
            // The game holds something that PGN cannot express.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Ok(Some(BrokenGame::new(file, pgn.number, pgn.line, pgn.line, &error)))
            }
            Err(error) => Err(error),
        }
    }
}

/// A move in a notation. Where Thai short notation is ambiguous the long form is written: captures by a khun, a khon
/// or a promoted met look like those by the bia of some file.
fn name(game: &Game, notation: Notation, mv: Move) -> String {
    let text = game.name(notation, mv);
    let doubtful = notation == Notation::ThaiSan && text.contains('x');
    if doubtful && notation.read(game.position(), &text, game.promoted()) != Ok(mv) {
        return game.name(Notation::ThaiLan, mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_movegen::Rules;

    #[test]
    fn ambiguous_thai_moves_are_written_in_full() {
        let fen = "4k3/8/8/8/2p5/1P6/1K6/8 w - - 0 1";
        let game = Game::from_fen(fen, Rules::default()).unwrap();
        let bia = game.position().parse_move("b3c4").unwrap();
        assert_eq!(name(&game, Notation::ThaiSan, bia), "ขxค๔");
        let fen = "4k3/8/8/8/2p5/1PK5/8/8 w - - 0 1";
        let game = Game::from_fen(fen, Rules::default()).unwrap();
        let names: Vec<_> = ["b3c4", "c3c4"]
            .map(|mv| name(&game, Notation::ThaiSan, game.position().parse_move(mv).unwrap()))
            .to_vec();
        assert_eq!(names, ["บ ข๓xค๔", "ข ค๓xค๔"]);
    }
}
