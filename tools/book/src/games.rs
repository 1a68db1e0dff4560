//! The moves of games, counted by position.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sakmak_dataset::games::{GameResult, Reader};
use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, UnreadableFile};
use sakmak_games::pgn::{PgnGame, PgnResult};
use sakmak_games::{GameStart, ReadOptions};
use sakmak_movegen::{Move, Position, Rules};

/// Games with a move that White won, that were drawn, and that Black won.
pub type Results = [u64; 3];

/// The moves of games in all their positions up to a ply, by [`Position::moves_key`].
#[derive(Clone, Debug, Default)]
pub struct GameMoves {
    moves: HashMap<u64, Vec<(Move, Results)>>,
    games: u64,
}

impl GameMoves {
    /// Adds the first plies of a game, up to `plies` by the move number. Positions in which a count runs are left out.
    pub fn add(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        result: GameResult,
        plies: u32,
    ) {
        self.games += 1;
        let mut position = start.clone();
        for mv in moves {
            if position.game_ply() >= plies {
                break;
            }
            if !position.count().is_running() {
                let known = self.moves.entry(position.moves_key()).or_default();
                let at = known.iter().position(|(other, _)| *other == mv).unwrap_or_else(|| {
                    known.push((mv, [0; 3]));
                    known.len() - 1
                });
                known[at].1[result as usize] += 1;
            }
            position.play_unchecked(mv);
        }
    }

    /// Adds the games of data files, PGN files or score sheets. Returns the number of broken games, which are left out.
    ///
    /// # Errors
    /// If a file cannot be read, has other rules than the default ones, or is damaged. An incomplete game at the end of
    /// a data file is left out.
    pub fn read(&mut self, files: &[PathBuf], plies: u32) -> Result<u64> {
        let mut broken = 0;
        for path in files {
            broken += self.read_file(path, plies).with_context(|| path.display().to_string())?;
        }
        Ok(broken)
    }

    fn read_file(&mut self, path: &Path, plies: u32) -> Result<u64> {
        let mut mark = [0; 8];
        let is_data = std::fs::File::open(path)?.read_exact(&mut mark).is_ok() && &mark == b"SAKMAKDG";
        if !is_data {
            let options = ReadOptions { main_line_only: true, ..ReadOptions::default() };
            let paths = [path.to_owned()];
            let mut visitor = Visitor { moves: self, plies };
            let Ok::<_, Infallible>(summary) =
                GameFiles { paths: &paths, options }.read(&mut visitor, &mut Silent);
            if let Some(file) = summary.unreadable.first() {
                bail!("{}", file.reason);
            }
            return Ok(summary.broken);
        }
        let reader = Reader::open(path)?;
        ensure!(reader.header().rules == Rules::default(), "has other rules: {}", reader.header().rules);
        for game in reader {
            match game {
                Ok(game) => self.add(&game.start, game.plies.iter().map(|ply| ply.mv), game.result, plies),
                Err(error) if error.is_cut() => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(0)
    }

    /// The moves of the games in a position, in the order of their bits.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Results)> {
        let mut moves = self.moves.get(&position.moves_key()).cloned().unwrap_or_default();
        moves.retain(|(mv, _)| position.is_legal(*mv));
        moves.sort_by_key(|(mv, _)| mv.bits());
        moves
    }

    /// The number of games added.
    pub fn games(&self) -> u64 {
        self.games
    }
}

struct Visitor<'a> {
    moves: &'a mut GameMoves,
    plies: u32,
}

impl GameVisitor for Visitor<'_> {
    type Error = Infallible;

    fn finish(&mut self, _: &str, pgn: PgnGame, start: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        let game = start.game;
        let result = match pgn.result {
            PgnResult::WhiteWins => GameResult::WhiteWins,
            PgnResult::BlackWins => GameResult::BlackWins,
            PgnResult::Draw => GameResult::Draw,
            PgnResult::Unknown => return Ok(None),
        };
        // A game of another variant has other positions.
        if game.rules().variant == Rules::default().play.variant {
            self.moves.add(game.start(), game.moves(), result, self.plies);
        }
        Ok(None)
    }
}

struct Silent;

impl ReadMonitor for Silent {
    fn broken(&mut self, _: &BrokenGame) {}

    fn unreadable(&mut self, _: &UnreadableFile) {}

    fn progress(&mut self, _: u64, _: u64) {}
}
