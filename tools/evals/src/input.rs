//! The positions to evaluate: lines of FEN or EPD, and the positions of games.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Result;
use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, UnreadableFile};
use sakmak_games::pgn::PgnGame;
use sakmak_games::{GameStart, ReadOptions, epd};
use sakmak_movegen::Game;
use serde::{Deserialize, Serialize};

/// What the files contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// Games if the first line of text begins with `[`, else lines. Standard input has lines.
    #[default]
    Detected,
    /// A position a line.
    Lines,
    /// Games in PGN, or score sheets.
    Games,
}

/// Where a position stands in the input.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Place {
    /// The file, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line, from 1; for a broken game the line of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The game in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Moves made since the start of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The operand of EPD's `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl std::fmt::Display for Place {
    /// Such as `games.pgn: game 3, ply 12`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        let parts = [
            self.game.map(|number| format!("game {number}")),
            self.line.map(|number| format!("line {number}")),
            self.ply.map(|number| format!("ply {number}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// A position to evaluate.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A FEN, or `startpos`, and moves.
    Text { fen: String, moves: Vec<String> },
    /// The last position of a game.
    Game(Box<Game>),
    /// No position: what was read, and what is wrong with it.
    Fault { input: String, error: String },
}

/// Receives the positions in their order. An error ends the reading.
pub(crate) trait Sink {
    fn take(&mut self, place: Place, source: Source) -> Result<()>;
}

/// Reads files of positions.
pub(crate) struct Input<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) name: Option<&'a str>,
    pub(crate) format: InputFormat,
    pub(crate) options: ReadOptions,
}

impl Input<'_> {
    /// Passes every position of every file to `sink`. Unreadable files are reported to `monitor` and skipped; returns
    /// their number.
    pub(crate) fn read(&self, sink: &mut dyn Sink, monitor: &mut dyn ReadMonitor) -> Result<usize> {
        let mut unreadable = 0;
        for path in self.paths {
            let name = path.display().to_string();
            let file = self.name.map(str::to_owned).or((self.paths.len() > 1).then_some(name.clone()));
            let read = match self.format.has_games(path) {
                Ok(true) => {
                    let files = GameFiles { paths: std::slice::from_ref(path), options: self.options };
                    let mut visitor = Positions { sink, file, failure: None };
                    let summary = files.read(&mut visitor, monitor)?;
                    visitor.failure.map_or(Ok(()), Err)?;
                    unreadable += summary.unreadable.len();
                    continue;
                }
                Ok(false) => read_lines(path, file.as_deref(), self.options.origin.lines, sink)?,
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                monitor.unreadable(&UnreadableFile { file: name, reason: error.to_string() });
                unreadable += 1;
            }
        }
        Ok(unreadable)
    }
}

impl InputFormat {
    /// Whether a file has games.
    ///
    /// # Errors
    /// If that depends on the file, and it cannot be read.
    pub fn has_games(self, path: &Path) -> io::Result<bool> {
        match self {
            Self::Games => return Ok(true),
            Self::Lines => return Ok(false),
            Self::Detected if path.as_os_str() == "-" => return Ok(false),
            Self::Detected => {}
        }
        let mut lines = BufReader::new(File::open(path)?).split(b'\n');
        let first = lines.find_map(|line| match line {
            Ok(line) => {
                let line = line.trim_ascii();
                let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
                (!line.is_empty() && !line.starts_with(b"#")).then(|| Ok(line.starts_with(b"[")))
            }
            Err(error) => Some(Err(error)),
        });
        first.unwrap_or(Ok(false))
    }
}

/// Reads a position from each line, after `before` lines of the same file. The outer error is that of `sink`, the inner one that of the file.
fn read_lines(path: &Path, file: Option<&str>, before: u64, sink: &mut dyn Sink) -> Result<io::Result<()>> {
    let mut input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        match File::open(path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => return Ok(Err(error)),
        }
    };
    let mut bytes = Vec::new();
    for number in before + 1.. {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        if let Some((id, source)) = position_of(text) {
            let place = Place { file: file.map(str::to_owned), line: Some(number), id, ..Place::default() };
            sink.take(place, source)?;
        }
    }
    Ok(Ok(()))
}

/// The position of a line, `FEN [operations] [moves M ...]`, with the operand of `id`. `None` for an empty line and a
/// remark.
fn position_of(line: &str) -> Option<(Option<String>, Source)> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let mut words = line.split_ascii_whitespace();
    let before: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
    let moves: Vec<_> = words.map(str::to_owned).collect();
    let text = before.join(" ");
    if text == "startpos" {
        return Some((None, Source::Text { fen: text, moves }));
    }
    let record = epd::records(&text).next();
    let id = record.as_ref().and_then(|record| {
        let (_, operand) = record.operations.iter().find(|(opcode, _)| *opcode == "id")?;
        Some(operand.trim_matches('"').to_owned())
    });
    let fen = record.map_or(text.clone(), |record| record.fen);
    Some((id, Source::Text { fen, moves }))
}

/// Passes each position of each game on.
struct Positions<'a> {
    sink: &'a mut dyn Sink,
    file: Option<String>,
    /// An error about a broken game, which ends the reading at the next game.
    failure: Option<anyhow::Error>,
}

impl Positions<'_> {
    fn take(&mut self, game: u64, place: Place, source: Source) -> Result<()> {
        let place = Place { file: self.file.clone(), game: Some(game), ..place };
        self.sink.take(place, source)
    }
}

impl GameVisitor for Positions<'_> {
    type Error = anyhow::Error;

    fn finish(&mut self, _: &str, pgn: PgnGame, start: GameStart) -> Result<Option<BrokenGame>> {
        self.failure.take().map_or(Ok(()), Err)?;
        let mut games = vec![start.game];
        while let Some(last) = games.last().filter(|game| !game.is_empty()) {
            let mut before = last.clone();
            before.take_back();
            games.push(before);
        }
        for (ply, game) in games.into_iter().rev().enumerate() {
            let place = Place { ply: Some(ply), ..Place::default() };
            self.take(pgn.number, place, Source::Game(Box::new(game)))?;
        }
        Ok(None)
    }

    fn broken(&mut self, broken: &BrokenGame, _: Option<&Game>) {
        if self.failure.is_none() {
            let place = Place { line: Some(broken.line), ..Place::default() };
            let source =
                Source::Fault { input: format!("game {}", broken.game), error: broken.reason.clone() };
            self.failure = self.take(broken.game, place, source).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<String>, String, Vec<String>)> {
        position_of(line).map(|(id, source)| match source {
            Source::Text { fen, moves } => (id, fen, moves),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn lines_are_fens_epd_or_the_start_position_with_moves() {
        let expected = |id: Option<&str>, fen: &str, moves: &[&str]| {
            Some((id.map(str::to_owned), fen.to_owned(), moves.iter().map(ToString::to_string).collect()))
        };
        assert_eq!(read(""), None);
        assert_eq!(read("# remark"), None);
        assert_eq!(read("startpos moves e3e4 b8d7"), expected(None, "startpos", &["e3e4", "b8d7"]));
        assert_eq!(read("8/8 w - 128 3 40"), expected(None, "8/8 w - 128 3 40", &[]));
        assert_eq!(read("8/8 w - - bm e3e4; id \"a.1\";"), expected(Some("a.1"), "8/8 w - -", &[]));
        assert_eq!(read("8/8 w - 0 moves e3e4"), expected(None, "8/8 w - 0", &["e3e4"]));
        assert_eq!(read("nonsense"), expected(None, "nonsense", &[]));
    }
}
