//! Cuts files into pieces of whole games or lines, so that the results of the pieces, one after the other, are those of
//! the file.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor};
use sakmak_games::pgn::{Origin, PgnGame};
use sakmak_games::{GameStart, ReadOptions};
use sakmak_movegen::Game;
use thiserror::Error;

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name of the file, as it was given.
    pub file: String,
    /// Whether it has games, else lines.
    pub has_games: bool,
    /// The lines and games of the file before the piece.
    pub origin: Origin,
    /// The games of all files before the piece, without those of other variants than the one wanted.
    pub before: u64,
    /// The number of games or lines.
    pub items: u64,
    /// The bytes.
    pub text: Vec<u8>,
}

/// A file cannot be cut.
#[derive(Debug, Error)]
#[error("{file}: {reason}")]
pub struct SplitError {
    file: String,
    reason: io::Error,
}

/// Games of a file by their first lines.
#[derive(Default)]
struct Starts {
    /// Games found, broken ones included.
    games: u64,
    /// Whether the last one is broken.
    after_broken: bool,
    /// Games before which the file may be cut: the line, the games of the file before, and the games found before.
    cuts: Vec<(u64, u64, u64)>,
}

impl GameVisitor for Starts {
    type Error = Infallible;

    fn finish(&mut self, _: &str, pgn: PgnGame, _: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        // Where a broken game ends depends on the text after it.
        if !self.after_broken && self.games > 0 {
            self.cuts.push((pgn.line, pgn.number - 1, self.games));
        }
        self.after_broken = false;
        self.games += 1;
        Ok(None)
    }

    fn broken(&mut self, _: &BrokenGame, _: Option<&Game>) {
        self.after_broken = true;
        self.games += 1;
    }
}

/// Passes the pieces of a file with at least `size` games or lines each to `take`; the last has the rest. `before` is the
/// number of games in the files before, and after it those of this one too.
///
/// A file that is not UTF-8, or has line ends of the old Macintosh, is one piece: how a line of it is read can depend on
/// the others. Nothing is cut inside a game, before a broken game or after one, so that pieces can have more games.
///
/// # Errors
/// If the file cannot be read, and those of `take`.
pub fn split<E: From<SplitError>>(
    path: &Path,
    has_games: bool,
    options: ReadOptions,
    size: u64,
    before: &mut u64,
    monitor: &mut dyn ReadMonitor,
    mut take: impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let file = path.display().to_string();
    let fault = |reason| SplitError { file: file.clone(), reason };
    let bytes = fs::read(path).map_err(fault)?;
    let starts = line_starts(&bytes);
    let is_plain = std::str::from_utf8(&bytes).is_ok() && !has_lone_returns(&bytes);
    let (mut cuts, all) = if has_games {
        let mut found = Starts::default();
        let paths: [PathBuf; 1] = [path.to_owned()];
        let summary = GameFiles { paths: &paths, options }.read(&mut found, monitor);
        let unreadable = summary.map_or_else(|never| match never {}, |summary| summary.unreadable);
        if let Some(unreadable) = unreadable.into_iter().next() {
            return Err(fault(io::Error::other(unreadable.reason)).into());
        }
        found.cuts.retain(|(line, ..)| begins_game(&bytes, &starts, *line));
        (found.cuts, found.games)
    } else {
        let lines = starts.len() as u64;
        ((1..lines).map(|lines| (lines + 1, 0, lines)).collect(), lines)
    };
    if !is_plain {
        cuts.clear();
    }
    let (mut from, mut origin, mut found) = (0, Origin::default(), 0);
    let end = (starts.len() as u64 + 1, 0, all);
    for (line, games, items) in cuts.into_iter().chain([end]) {
        let is_end = line == end.0;
        if items - found < size && !is_end {
            continue;
        }
        let to = if is_end { bytes.len() } else { starts[line as usize - 1] };
        if to > from {
            take(Piece {
                file: file.clone(),
                has_games,
                origin,
                before: if has_games { *before + found } else { 0 },
                items: items - found,
                text: bytes[from..to].to_vec(),
            })?;
        }
        (from, origin, found) = (to, Origin { lines: line - 1, games }, items);
    }
    if has_games {
        *before += all;
    }
    Ok(())
}

/// Where the lines of a text begin.
fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let after = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let mut starts: Vec<_> = [0].into_iter().chain(after).collect();
    if starts.last() == Some(&bytes.len()) {
        starts.pop();
    }
    starts
}

fn has_lone_returns(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n') || bytes.ends_with(b"\r")
}

/// Whether a line, from 1, begins with a tag after a blank line: a reader that begins there reads on as one that was
/// there already.
fn begins_game(bytes: &[u8], starts: &[usize], line: u64) -> bool {
    let two_lines = |line: usize| starts.get(line.checked_sub(2)?..line);
    let Some([before, start]) = usize::try_from(line).ok().and_then(two_lines) else { return false };
    bytes[*before..*start].trim_ascii().is_empty() && bytes[*start..].starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use sakmak_files::games::UnreadableFile;

    use super::*;

    struct Quiet;

    impl ReadMonitor for Quiet {
        fn broken(&mut self, _: &BrokenGame) {}
        fn unreadable(&mut self, _: &UnreadableFile) {}
        fn progress(&mut self, _: u64, _: u64) {}
    }

    fn pieces(text: impl AsRef<[u8]>, has_games: bool, size: u64) -> (Vec<Piece>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        fs::write(&path, text).unwrap();
        let (mut pieces, mut before) = (Vec::new(), 100);
        let take = |piece| {
            pieces.push(piece);
            Ok::<(), SplitError>(())
        };
        split(&path, has_games, ReadOptions::default(), size, &mut before, &mut Quiet, take).unwrap();
        (pieces, before)
    }

    /// The text, lines before, games before, games of all files before, and items of each piece.
    fn places(pieces: &[Piece]) -> Vec<(&str, u64, u64, u64, u64)> {
        let mut places = Vec::new();
        for piece in pieces {
            let text = std::str::from_utf8(&piece.text).unwrap();
            places.push((text, piece.origin.lines, piece.origin.games, piece.before, piece.items));
        }
        places
    }

    #[test]
    fn lines_keep_their_numbers() {
        let (found, before) = pieces("a\n\nb\r\nc", false, 2);
        assert_eq!(places(&found), [("a\n\n", 0, 0, 0, 2), ("b\r\nc", 2, 0, 0, 2)]);
        assert_eq!(before, 100);
        assert_eq!(pieces("", false, 2).0, []);
    }

    #[test]
    fn games_are_whole_and_broken_ones_stay_with_their_neighbours() {
        let games = [
            "[Event \"1\"]\n\n1. e4 *\n\n",
            "[Event \"2\"]\n\n1. e4 {a\n\nb} *\n\n",
            "[Event \"3\"]\n\n1. Rxh8 *\n\n\n",
            "[Event \"4\"]\n\n1. e4 *\n",
            "[Event \"5\"]\n\n1. d4 *\n\n",
            "[Event \"6\"]\n\n1. d4 *\n\n",
        ];
        let (found, before) = pieces(games.concat(), true, 1);
        // No cut beside the broken game, none where no blank line is before a game.
        let middle = games[1..5].concat();
        let expected = [(games[0], 0, 0, 100, 1), (&*middle, 4, 1, 101, 4), (games[5], 22, 5, 105, 1)];
        assert_eq!((places(&found), before), (expected.to_vec(), 106));
        assert_eq!(pieces(games.concat(), true, 100).0.len(), 1);
    }

    #[test]
    fn what_cannot_be_cut_is_one_piece() {
        let game = "[Event \"1\"]\n\n1. e4 *\n\n";
        let latin = [game.as_bytes(), b"[Event \"\xe9\"]\n\n1. e4 *\n\n"].concat();
        assert_eq!(pieces(&latin, true, 1).0.len(), 1);
        assert_eq!(pieces(game.repeat(3).replace('\n', "\r"), true, 1).0.len(), 1);
        assert_eq!(pieces(game.repeat(3), true, 1).0.len(), 3);
        // Games that begin on one line, the first one too.
        assert_eq!(pieces("1. e4 * 1. d4 * 1. c4 *\n", true, 1).0.len(), 1);
        assert_eq!(pieces(game.repeat(3).replace('\n', "\r\n"), true, 1).0.len(), 3);
    }
}
