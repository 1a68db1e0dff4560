//! Reads files of games one after the other and plays every game by the rules: the one path by which `replay`,
//! `convert` and `openings` take games in.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sakmak_movegen::{Game, Move};
use serde::Serialize;

use super::pgn::{PgnError, PgnErrorKind, PgnGame, PgnMove, PgnReader, PgnWarning};
use super::{GameStart, ReadOptions, ReplayError, begin, obey_count, play};

/// A game that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenGame {
    /// The name of the file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line of the error, from 1.
    pub line: u64,
    /// The line on which the game begins, from 1.
    #[serde(skip)]
    pub begins: u64,
    /// What is wrong.
    pub reason: String,
}

impl BrokenGame {
    /// The error of a game, its control characters replaced so that it is safe to print.
    pub fn new(file: &str, game: u64, line: u64, begins: u64, reason: &dyn fmt::Display) -> Self {
        let reason = printable(reason);
        Self { file: file.to_owned(), game, line, begins, reason }
    }

    /// A game that was read but could not be played.
    pub fn from_replay(file: &str, game: &PgnGame, error: &ReplayError) -> Self {
        Self::new(file, game.number, error.line().unwrap_or(game.line), game.line, error)
    }

    /// A game that could not be read.
    pub fn from_reader(file: &str, error: &PgnError, begins: u64) -> Self {
        Self::new(file, error.number, error.line, begins, &error.kind)
    }
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: game {}, line {}: {}", self.file, self.game, self.line, self.reason)
    }
}

/// A text with its control characters replaced, so that it is safe to print.
fn printable(text: &dyn fmt::Display) -> String {
    text.to_string().replace(char::is_control, "\u{FFFD}")
}

/// Something that was read otherwise than it stands in the file, in a game that is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadWarning {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What it is.
    pub reason: String,
}

impl ReadWarning {
    fn new(file: &str, warning: &PgnWarning) -> Self {
        Self { file: file.to_owned(), line: warning.line, reason: printable(&warning.kind) }
    }
}

impl fmt::Display for ReadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: warning: {}", self.file, self.line, self.reason)
    }
}

/// A file that could not be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableFile {
    /// The name of the file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// Takes the games of [`GameFiles`].
pub trait GameVisitor {
    /// What ends the reading of all files.
    type Error;

    /// Sees every move before it is made: the game so far, the move, its record, which may be changed, and the
    /// depth of its variation (0 in the main line).
    fn visit_move(&mut self, game: &Game, mv: Move, record: &mut PgnMove, depth: usize) {
        let _ = (game, mv, record, depth);
    }

    /// Takes a game whose moves are all legal; `start.game` stands at its end. A game returned is counted and
    /// reported as broken.
    ///
    /// # Errors
    /// What ends the reading of all files.
    fn finish(
        &mut self,
        file: &str,
        pgn: PgnGame,
        start: GameStart,
    ) -> Result<Option<BrokenGame>, Self::Error>;

    /// Takes a broken game, with its moves up to the error if it could be set up.
    fn broken(&mut self, broken: &BrokenGame, played: Option<&Game>) {
        let _ = (broken, played);
    }
}

/// Is notified while files are read.
pub trait ReadMonitor {
    /// A game is left out.
    fn broken(&mut self, game: &BrokenGame);
    /// Something was read otherwise than it stands in the file.
    fn warning(&mut self, warning: &ReadWarning) {
        let _ = warning;
    }
    /// A file, or the rest of it, is left out.
    fn unreadable(&mut self, file: &UnreadableFile);
    /// Called after every game with the games and the bytes of all files so far.
    fn progress(&mut self, games: u64, bytes: u64);
    /// Called after the last file.
    fn finished(&mut self) {}
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Games read to their end.
    pub complete: u64,
    /// Games of another variant than the one given.
    pub skipped: u64,
    /// Games left out.
    pub broken: u64,
    /// Files that could not be read.
    pub unreadable: Vec<UnreadableFile>,
}

/// Files of games; `-` is standard input.
#[derive(Clone, Copy, Debug)]
pub struct GameFiles<'a> {
    /// The files, in their order.
    pub paths: &'a [PathBuf],
    /// How their games are read.
    pub options: ReadOptions,
}

impl GameFiles<'_> {
    /// Whether a path is one of the files, by whatever name.
    pub fn contains(&self, path: &Path) -> bool {
        let Ok(wanted) = fs::canonicalize(path) else { return false };
        self.paths.iter().any(|path| fs::canonicalize(path).is_ok_and(|path| path == wanted))
    }

    /// The bytes of all files; `None` if one of them has no length.
    pub fn total_bytes(&self) -> Option<u64> {
        let size =
            |path: &PathBuf| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
        self.paths.iter().map(size).sum()
    }

    /// Hands every game of every file to the visitor. A file that cannot be read is reported and left for the next.
    ///
    /// # Errors
    /// Those of [`GameVisitor::finish`].
    pub fn read<V: GameVisitor>(
        &self,
        visitor: &mut V,
        monitor: &mut dyn ReadMonitor,
    ) -> Result<ReadSummary, V::Error> {
        let mut summary = ReadSummary::default();
        let (mut games, mut bytes) = (0, 0);
        for path in self.paths {
            let from_stdin = path.as_os_str() == "-";
            let name =
                if from_stdin { "standard input".to_owned() } else { path.to_string_lossy().into_owned() };
            let mut unreadable = |monitor: &mut dyn ReadMonitor, reason: String| {
                let file = UnreadableFile { file: name.clone(), reason };
                monitor.unreadable(&file);
                summary.unreadable.push(file);
            };
            let input: Box<dyn Read> = if from_stdin {
                Box::new(io::stdin().lock())
            } else {
                match File::open(path) {
                    Ok(file) => Box::new(file),
                    Err(error) => {
                        unreadable(monitor, error.to_string());
                        continue;
                    }
                }
            };
            let mut reader = PgnReader::new(BufReader::with_capacity(1 << 16, input));
            while let Some(game) = reader.next() {
                let mut warnings = reader.take_warnings();
                if let Err(PgnError { kind: PgnErrorKind::Read { message }, .. }) = game {
                    unreadable(monitor, message);
                    break;
                }
                let read = self.read_game(&name, game, reader.game_line(), visitor, &mut warnings)?;
                for warning in &warnings {
                    monitor.warning(&ReadWarning::new(&name, warning));
                }
                match read {
                    GameRead::Complete => summary.complete += 1,
                    GameRead::Skipped => summary.skipped += 1,
                    GameRead::Broken(broken) => {
                        monitor.broken(&broken);
                        summary.broken += 1;
                    }
                }
                games += 1;
                monitor.progress(games, bytes + reader.bytes_read());
            }
            for warning in &reader.take_warnings() {
                monitor.warning(&ReadWarning::new(&name, warning));
            }
            bytes += reader.bytes_read();
        }
        monitor.finished();
        Ok(summary)
    }

    fn read_game<V: GameVisitor>(
        &self,
        file: &str,
        game: Result<PgnGame, PgnError>,
        begins: u64,
        visitor: &mut V,
        warnings: &mut Vec<PgnWarning>,
    ) -> Result<GameRead, V::Error> {
        let mut broken = |broken: BrokenGame, played: Option<&Game>| {
            visitor.broken(&broken, played);
            Ok(GameRead::Broken(broken))
        };
        let mut pgn = match game {
            Ok(pgn) => pgn,
            Err(error) => return broken(BrokenGame::from_reader(file, &error, begins), None),
        };
        let mut start = match begin(&pgn.tags, &self.options) {
            Ok(Some(start)) => start,
            Ok(None) => return Ok(GameRead::Skipped),
            Err(error) => return broken(BrokenGame::from_replay(file, &pgn, &error), None),
        };
        obey_count(&mut start.game, &pgn.comment);
        if let Some(max_plies) = self.options.max_plies {
            pgn.moves.truncate(max_plies);
        }
        if self.options.main_line_only {
            pgn.moves.iter_mut().for_each(|record| record.variations.clear());
        }
        let played =
            play(&mut start.game, &mut pgn.moves, self.options.notation, &mut |game, mv, record, depth| {
                visitor.visit_move(game, mv, record, depth);
            });
        match played {
            Ok(found) => warnings.extend(found),
            Err(error) => {
                let error = BrokenGame::from_replay(file, &pgn, &error);
                visitor.broken(&error, Some(&start.game));
                return Ok(GameRead::Broken(error));
            }
        }
        Ok(visitor.finish(file, pgn, start)?.map_or(GameRead::Complete, GameRead::Broken))
    }
}

enum GameRead {
    Complete,
    Skipped,
    Broken(BrokenGame),
}
