//! Candidates from games: positions in which the expected score of the side to move has jumped.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sakmak_dataset::games::Reader;
use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor};
use sakmak_games::epd::{EpdRecord, records};
use sakmak_games::pgn::PgnGame;
use sakmak_games::{GameStart, ReadOptions};
use sakmak_movegen::{Color, Move, Position, Rules};

use crate::proof::Candidate;
use crate::puzzle::Source;
use crate::ranking::{Ranker, expected};
use crate::settings::{HOLDING, Settings};

/// The share of [`Settings::mistake`] by which the expected scores of the games' short searches must differ.
const PREFILTER: f64 = 0.75;

/// The least expected score of a side, by the stored scores of a position and of those beside it, with which a game is
/// decided: no search looks there for a jump.
const DECIDED: f64 = 0.97;

/// A game with the scores of its positions.
#[derive(Clone, Debug)]
pub struct SourceGame {
    /// The number of its file, from 0.
    pub file: usize,
    /// Its number, from 0, counted over all files.
    pub number: u64,
    /// Where it begins.
    pub start: Position,
    /// The moves, each with the score of the position before it in internal units for the side to move, if it is known.
    pub plies: Vec<(Move, Option<i32>)>,
}

/// The games of data files and of files of games, and the positions of EPD files, one after the other.
pub struct GameStream {
    files: VecDeque<(usize, PathBuf)>,
    current: Option<(usize, Games)>,
    number: u64,
    /// Broken games of files of games; they are left out.
    pub(crate) broken: Vec<BrokenGame>,
}

/// The games of a file.
type Games = Box<dyn Iterator<Item = Result<Played>>>;

/// A game from any reader.
type Played = (Position, Vec<(Move, Option<i32>)>);

impl GameStream {
    /// The games of these files.
    pub fn new(files: &[PathBuf]) -> Self {
        Self {
            files: files.iter().cloned().enumerate().collect(),
            current: None,
            number: 0,
            broken: Vec::new(),
        }
    }

    /// The next game; `None` after the last one. An incomplete game at the end of a data file is left out.
    ///
    /// # Errors
    /// If a file cannot be read, has other rules than the default ones, or is damaged.
    pub fn next_game(&mut self) -> Result<Option<SourceGame>> {
        loop {
            if let Some((file, games)) = &mut self.current {
                let file = *file;
                if let Some(game) = games.next() {
                    let (start, plies) = game?;
                    self.number += 1;
                    return Ok(Some(SourceGame { file, number: self.number - 1, start, plies }));
                }
            }
            let Some((file, path)) = self.files.pop_front() else { return Ok(None) };
            let games = open(&path, &mut self.broken).with_context(|| path.display().to_string())?;
            self.current = Some((file, games));
        }
    }
}

fn open(path: &Path, broken: &mut Vec<BrokenGame>) -> Result<Games> {
    if path.extension().is_some_and(|extension| extension == "epd") {
        return positions(path);
    }
    let mut mark = [0; 8];
    let is_data = std::fs::File::open(path)?.read_exact(&mut mark).is_ok() && &mark == b"SAKMAKDG";
    if !is_data {
        return Ok(Box::new(replayed(path, broken)?.into_iter().map(Ok)));
    }
    let reader = Reader::open(path)?;
    ensure!(reader.header().rules == Rules::default(), "has other rules: {}", reader.header().rules);
    let name = path.display().to_string();
    let whole = reader.filter(|game| !game.as_ref().is_err_and(|error| error.is_cut()));
    Ok(Box::new(whole.map(move |game| {
        let game = game.with_context(|| name.clone())?;
        let plies = game.plies.iter().map(|ply| (ply.mv, Some(i32::from(ply.score)))).collect();
        Ok((game.start, plies))
    })))
}

/// The positions of an EPD file, as games without moves.
fn positions(path: &Path) -> Result<Games> {
    let text = std::fs::read_to_string(path)?;
    let position = |record: EpdRecord<'_>| {
        Position::from_fen(&record.fen).with_context(|| format!("line {}", record.line))
    };
    let found = records(&text).map(position).collect::<Result<Vec<_>>>()?;
    Ok(Box::new(found.into_iter().map(|position| Ok((position, Vec::new())))))
}

/// The games of a PGN file or a score sheet, without scores.
fn replayed(path: &Path, broken: &mut Vec<BrokenGame>) -> Result<Vec<Played>> {
    let options = ReadOptions { main_line_only: true, ..ReadOptions::default() };
    let paths = [path.to_owned()];
    let mut collector = Collector::default();
    let Ok::<_, Infallible>(summary) =
        GameFiles { paths: &paths, options }.read(&mut collector, &mut Faults(broken));
    if let Some(file) = summary.unreadable.first() {
        bail!("{}", file.reason);
    }
    ensure!(!collector.0.is_empty() || !broken.is_empty(), "has no games by the rules that are the default");
    Ok(collector.0)
}

#[derive(Default)]
struct Collector(Vec<Played>);

impl GameVisitor for Collector {
    type Error = Infallible;

    fn finish(&mut self, _: &str, _: PgnGame, start: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        let game = start.game;
        // Games by other rules are no source: their counts end otherwise.
        if *game.rules() == Rules::default().play {
            self.0.push((game.start().clone(), game.moves().map(|mv| (mv, None)).collect()));
        }
        Ok(None)
    }
}

struct Faults<'a>(&'a mut Vec<BrokenGame>);

impl ReadMonitor for Faults<'_> {
    fn broken(&mut self, game: &BrokenGame) {
        self.0.push(game.clone());
    }

    fn unreadable(&mut self, _: &sakmak_files::games::UnreadableFile) {}

    fn progress(&mut self, _: u64, _: u64) {}
}

/// The candidates of a game: the positions before which the other side's move lost expected score. With `rescore` the
/// scores are those of searches of that many nodes. A position without moves is a candidate itself.
///
/// # Errors
/// If a search panicked, or there are no scores and no `rescore`.
pub fn candidates(
    game: &SourceGame,
    settings: &Settings,
    rescore: u64,
    ranker: &mut Ranker,
) -> Result<Vec<Candidate>> {
    if game.plies.is_empty() {
        let source = Source { file: Some(game.file), game: game.number, ply: 0 };
        return Ok(vec![Candidate { mistake: None, start: game.start.clone(), source }]);
    }
    let mut found = Vec::new();
    let mut position = game.start.clone();
    let mut keys = vec![position.key()];
    let mut before: Option<(Position, Move, f64)> = None;
    let decided = decided(game);
    if rescore > 0 {
        ranker.clear();
    }
    for (ply, &(mv, score)) in game.plies.iter().enumerate() {
        let now = match score {
            Some(score) if decided[ply] => expected(score, &position),
            _ if rescore > 0 => {
                ranker.rank(&position, &keys, rescore, 1)?.best().map_or(0.5, |best| best.expected)
            }
            Some(score) => expected(score, &position),
            None => bail!("game {} has no scores; --rescore NODES searches them", game.number + 1),
        };
        if let Some((earlier, mistake, other)) = before.take()
            && now - (1.0 - other) >= settings.mistake * PREFILTER
            && now >= HOLDING
        {
            let source = Source { file: Some(game.file), game: game.number, ply: ply - 1 };
            // A game's FENs are what is stored: the puzzle is proved from there.
            found.push(Candidate { mistake: Some((earlier, mistake)), start: position.clone(), source });
        }
        before = Some((position.clone(), mv, now));
        position.play_unchecked(mv);
        keys.push(position.key());
    }
    Ok(found)
}

/// For each position of a game, whether it is decided by the stored scores.
fn decided(game: &SourceGame) -> Vec<bool> {
    let mut position = game.start.clone();
    let mut whites = Vec::new();
    for &(mv, score) in &game.plies {
        let white = score.map_or(0.5, |score| match position.side_to_move() {
            Color::White => expected(score, &position),
            Color::Black => 1.0 - expected(score, &position),
        });
        whites.push(white);
        position.play_unchecked(mv);
    }
    let around = |ply: usize| &whites[ply.saturating_sub(1)..(ply + 2).min(whites.len())];
    let is_decided = |ply| {
        let scores = around(ply);
        scores.iter().all(|&white| white >= DECIDED) || scores.iter().all(|&white| white <= 1.0 - DECIDED)
    };
    (0..whites.len()).map(is_decided).collect()
}
