//! Converting files of games: other notations of the moves, other dialects of the tags.

mod dialect;

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use sakmak_movegen::{Game, Move, Notation, Ruleset, Variant};
use sakmak_tools::games::{self, Broken, Choice, Files, GameFault};
use sakmak_tools::output::{Draft, OutputFile, print_error};
use sakmak_tools::pgn::{PgnGame, PgnWriter};

use dialect::Dialect;

/// Which games to convert, and to what.
///
/// Every move is checked and written anew; tags, comments, annotation glyphs, variations and the result are
/// kept.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error and left out. The exit status is 0 if every \
    game was converted, 1 if some were broken and 2 if a file could not be read or written."
)]
pub(crate) struct Convert {
    /// Files in PGN, or score sheets as SchemingMind prints them; - (or no file) is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to write the moves: san (by default), lan, thai-san, thai-lan, schemingmind, uci
    #[arg(long, value_name = "NOTATION")]
    to: Option<Notation>,
    /// How the moves are written now: a notation as for --to; without this each text is taken for what it looks
    /// like
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,
    /// How to write variant and start position: pychess (a FEN in every game), cutechess (only where a game
    /// begins elsewhere), or plain (the tags as they are)
    #[arg(long, default_value_t)]
    dialect: Dialect,
    /// Print one line a game as UCI's command position takes it, `startpos moves e3e4 ...` or
    /// `fen FEN moves ...`, without tags, comments and variations
    #[arg(long, conflicts_with = "dialect")]
    lines: bool,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only games of this variant, such as makruk or cambodian; without this each game's Variant tag decides
    #[arg(long)]
    variant: Option<Variant>,
    /// The rules by which moves are legal: fairy-stockfish, cutechess, schemingmind, wikipedia, cyningstan,
    /// knowlton, chessvariants, none
    #[arg(long, default_value_t)]
    ruleset: Ruleset,
}

impl Convert {
    /// Converts the games.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let to_uci = self.to.is_none_or(|notation| notation == Notation::Coordinates);
        ensure!(!self.lines || to_uci, "--lines are always written in coordinates (--to uci)");
        let stdin = [PathBuf::from("-")];
        let mut files = Files::new(if self.files.is_empty() { &stdin } else { &self.files });
        let output = match &self.output {
            Some(path) => {
                ensure!(!files.contain(path), "{}: is to be read, not written", path.display());
                Target::File(OutputFile::create(path)?.draft()?)
            }
            None => Target::Stdout(io::stdout().lock()),
        };
        let mut converter = Converter {
            choice: Choice { variant: self.variant, ruleset: self.ruleset, notation: self.from },
            to: self.to.unwrap_or_default(),
            dialect: self.dialect,
            lines: self.lines,
            output: BufWriter::new(output),
            path: self.output.as_deref(),
        };
        let (mut broken, mut skipped) = (0, 0_u64);
        let result = files.each_game(|files, name, game| {
            let done = match game {
                Ok(game) => converter.convert(name, game)?,
                Err(error) => Done::Broken(Broken::by_reader(name, &error)),
            };
            match done {
                Done::Written => {}
                Done::Skipped => skipped += 1,
                Done::Broken(game) => {
                    files.say(&game);
                    broken += 1;
                }
            }
            Ok(())
        });
        result?;
        if let Err(error) = converter.output.flush() {
            return Err(converter.cannot_write(error));
        }
        if let (Target::File(draft), _) = converter.output.into_parts() {
            draft.commit()?;
        }
        if skipped > 0 {
            let what =
                if skipped == 1 { "game of another variant was" } else { "games of another variant were" };
            files.say(&format_args!("{skipped} {what} skipped"));
        }
        Ok(games::exit_code(files.unreadable().len(), broken))
    }
}

/// Where the games go.
enum Target {
    File(Draft),
    Stdout(StdoutLock<'static>),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(draft) => draft.write(bytes),
            Self::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(draft) => draft.flush(),
            Self::Stdout(out) => out.flush(),
        }
    }
}

/// What became of a game.
enum Done {
    Written,
    Skipped,
    Broken(Broken),
}

struct Converter<'a, W: Write> {
    choice: Choice,
    to: Notation,
    dialect: Dialect,
    lines: bool,
    output: W,
    /// The file behind the output; `None` for standard output.
    path: Option<&'a Path>,
}

impl<W: Write> Converter<'_, W> {
    fn cannot_write(&self, error: io::Error) -> anyhow::Error {
        match self.path {
            Some(path) => anyhow::Error::from(error).context(format!("cannot write {}", path.display())),
            None => print_error(error),
        }
    }

    /// Converts one game and writes it.
    fn convert(&mut self, file: &str, mut pgn: PgnGame) -> Result<Done> {
        let by_fault = |pgn: &PgnGame, fault: &GameFault| Done::Broken(Broken::by_fault(file, pgn, fault));
        let mut start = match games::begin(&pgn.tags, &self.choice) {
            Ok(Some(start)) => start,
            Ok(None) => return Ok(Done::Skipped),
            Err(fault) => return Ok(by_fault(&pgn, &fault)),
        };
        let to = self.to;
        let rewrite = !self.lines;
        let mut moves = std::mem::take(&mut pgn.moves);
        let game = &mut start.game;
        let played = games::play(game, &mut moves, self.choice.notation, &mut |game, mv, record, _| {
            if rewrite {
                record.text = name(game, to, mv);
            }
        });
        pgn.moves = moves;
        if let Err(fault) = played {
            return Ok(by_fault(&pgn, &fault));
        }
        if self.lines {
            let line = dialect::position_line(&start);
            writeln!(self.output, "{line}").map_err(|error| self.cannot_write(error))?;
            return Ok(Done::Written);
        }
        self.dialect.set_tags(&mut pgn.tags, &start);
        match PgnWriter::new(&mut self.output).write_game(&pgn) {
            Ok(()) => Ok(Done::Written),
            // What the writer refuses is a fault of the game.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Ok(Done::Broken(Broken::new(file, pgn.number, pgn.line, &error)))
            }
            Err(error) => Err(self.cannot_write(error)),
        }
    }
}

/// What a move is called. Where Thai short notation would be ambiguous the long form is written: it calls captures
/// by a khun, a khon or a met that was a bia like those by the bia of some file.
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
