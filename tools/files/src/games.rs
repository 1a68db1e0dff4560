//! Reads files of games and replays every game by the rules: the one reader of all commands that take games.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sakmak_games::pgn::{PgnError, PgnErrorKind, PgnGame, PgnMove, PgnReader, PgnWarning};
use sakmak_games::{
    GameStart, ReadOptions, ReplayError, begin, obey_decisions, obeyed_decisions, play_obeying,
};
use sakmak_movegen::{Game, Move};
use serde::Serialize;

/// A game that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenGame {
    /// The name of the file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line of the error in the file, from 1.
    pub line: u64,
    /// The line on which the game begins, from 1.
    #[serde(skip)]
    pub begins: u64,
    /// What is wrong.
    pub reason: String,
}

impl BrokenGame {
    /// An error of a game; control characters are replaced, so that it is safe to print.
    pub fn new(file: &str, game: u64, line: u64, begins: u64, reason: &dyn fmt::Display) -> Self {
        let reason = printable(reason);
        Self { file: file.to_owned(), game, line, begins, reason }
    }

    /// The error of a game that was read but cannot be replayed.
    pub fn from_replay(file: &str, game: &PgnGame, error: &ReplayError) -> Self {
        Self::new(file, game.number, error.line().unwrap_or(game.line), game.line, error)
    }

    /// The error of a game that cannot be read.
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

/// Something in a used game that was read otherwise than it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadWarning {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// How it was read.
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

/// A file that cannot be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableFile {
    /// The name of the file.
    pub file: String,
    /// The cause.
    pub reason: String,
}

/// Receives the games of [`GameFiles`].
pub trait GameVisitor {
    /// An error that stops reading all files.
    type Error;

    /// Called for every move before it is made, with the game so far, the move, its record, which may be changed, and
    /// the depth of its variation (0 in the main line).
    fn visit_move(&mut self, game: &Game, mv: Move, record: &mut PgnMove, depth: usize) {
        let _ = (game, mv, record, depth);
    }

    /// Takes a game whose moves are all legal; `start.game` is at its end. A game returned is counted as broken.
    ///
    /// # Errors
    /// Those that stop reading all files.
    fn finish(
        &mut self,
        file: &str,
        pgn: PgnGame,
        start: GameStart,
    ) -> Result<Option<BrokenGame>, Self::Error>;

    /// Takes a broken game; `played` has its moves before the error, `None` if it could not be set up.
    fn broken(&mut self, broken: &BrokenGame, played: Option<&Game>) {
        let _ = (broken, played);
    }
}

/// Receives reports while files are read.
pub trait ReadMonitor {
    /// A game is skipped as broken.
    fn broken(&mut self, game: &BrokenGame);
    /// Something was read otherwise than it is written.
    fn warning(&mut self, warning: &ReadWarning) {
        let _ = warning;
    }
    /// A file, or the rest of it, is skipped.
    fn unreadable(&mut self, file: &UnreadableFile);
    /// Called after every game with the number of games and bytes read so far, over all files.
    fn progress(&mut self, games: u64, bytes: u64);
    /// Called once after the last file.
    fn finished(&mut self) {}
}

/// Totals of reading files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Games read completely.
    pub complete: u64,
    /// Games of another variant than the requested one.
    pub skipped: u64,
    /// Broken games.
    pub broken: u64,
    /// Files that could not be read, or not to their end.
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
    /// Whether a path leads to one of the files, under any name.
    pub fn contains(&self, path: &Path) -> bool {
        let Ok(wanted) = fs::canonicalize(path) else { return false };
        self.paths.iter().any(|path| fs::canonicalize(path).is_ok_and(|path| path == wanted))
    }

    /// Size of all files in bytes; `None` if one has no size.
    pub fn total_bytes(&self) -> Option<u64> {
        let size =
            |path: &PathBuf| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
        self.paths.iter().map(size).sum()
    }

    /// Passes every game of every file to the visitor. An unreadable file is reported and skipped.
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
            let mut reader = PgnReader::part(BufReader::with_capacity(1 << 16, input), self.options.origin);
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
        let obeyed = obeyed_decisions(&pgn.tags, &self.options);
        obey_decisions(&mut start.game, &pgn.comment, obeyed);
        if let Some(max_plies) = self.options.max_plies {
            pgn.moves.truncate(max_plies);
        }
        if self.options.main_line_only {
            pgn.moves.iter_mut().for_each(|record| record.variations.clear());
        }
        let played = play_obeying(
            &mut start.game,
            &mut pgn.moves,
            self.options.notation,
            obeyed,
            &mut |game, mv, record, depth| {
                visitor.visit_move(game, mv, record, depth);
            },
        );
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
