//! Candidates for openings: random games, or positions of given games.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_engine::openings::{opening_fen, random_opening};
use sakmak_movegen::{Game, Move, Position, Rules};

use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor};
use sakmak_games::pgn::{PgnGame, PgnMove};
use sakmak_games::{GameStart, ReadOptions};

/// A position that can begin a game.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The position, without the game history before it.
    pub position: Position,
    /// Its FEN, with the count armed.
    pub fen: String,
    /// The start of its game.
    pub start: Position,
    /// The moves from `start` to it.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The current position of a game as an opening; `None` if it is check, game over, or a count runs.
    fn new(game: &Game) -> Option<Self> {
        let position = game.position();
        if position.in_check() || game.outcome().is_some() || !position.has_legal_move() {
            return None;
        }
        let fen = opening_fen(position)?;
        let position = Position::from_fen_with(&fen, *game.rules()).ok()?;
        Some(Self { position, fen, start: game.start().clone(), moves: game.moves().collect() })
    }
}

/// Endless openings after random moves; `None` for a game that ended early or whose position is unfit.
pub(super) fn random(
    rules: Rules,
    plies: &RangeInclusive<u32>,
    captures: bool,
    seed: u64,
) -> impl Iterator<Item = Option<Opening>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = Game::new(rules);
    let (least, most) = (*plies.start(), *plies.end());
    std::iter::repeat_with(move || {
        let plies = if least == most { least } else { rng.random_range(least..=most) };
        random_opening(start.clone(), plies, captures, &mut rng).and_then(|game| Opening::new(&game))
    })
}

/// The positions of all games after these plies, shuffled unless the seed is 0. Broken games are used up to the error.
pub(super) fn from_games(
    paths: &[PathBuf],
    rules: Rules,
    plies: &RangeInclusive<u32>,
    seed: u64,
    monitor: &mut dyn ReadMonitor,
) -> Result<impl Iterator<Item = Opening> + use<>> {
    let options = ReadOptions {
        variant: Some(rules.play.variant),
        ruleset: rules.setup.ruleset,
        notation: None,
        max_plies: Some(*plies.end() as usize),
        main_line_only: true,
        ..ReadOptions::default()
    };
    let mut collector = Collector { plies, openings: Vec::new() };
    let Ok::<_, Infallible>(summary) = GameFiles { paths, options }.read(&mut collector, monitor);
    ensure!(summary.unreadable.is_empty(), "not all files could be read");
    let mut openings = collector.openings;
    if seed != 0 {
        openings.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }
    Ok(openings.into_iter())
}

struct Collector<'a> {
    plies: &'a RangeInclusive<u32>,
    openings: Vec<Opening>,
}

impl Collector<'_> {
    fn visit_position(&mut self, game: &Game) {
        if self.plies.contains(&(game.len() as u32)) {
            self.openings.extend(Opening::new(game));
        }
    }
}

impl GameVisitor for Collector<'_> {
    type Error = Infallible;

    fn visit_move(&mut self, game: &Game, _: Move, _: &mut PgnMove, _: usize) {
        self.visit_position(game);
    }

    fn finish(&mut self, _: &str, _: PgnGame, start: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        self.visit_position(&start.game);
        Ok(None)
    }

    fn broken(&mut self, _: &BrokenGame, played: Option<&Game>) {
        if let Some(game) = played {
            self.visit_position(game);
        }
    }
}

/// Whether a game from this position needs no FEN tag.
pub(super) fn is_standard(start: &Position) -> bool {
    let standard = Position::start(Rules { play: *start.rules(), ..Rules::default() });
    start.tt_key() == standard.tt_key() && start.fullmove_number() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_openings() {
        let make = |seed| {
            let openings = random(Rules::default(), &(8..=8), false, seed).flatten().take(3);
            openings.map(|opening| opening.fen).collect::<Vec<_>>()
        };
        assert_eq!(make(3), make(3));
        assert_ne!(make(3), make(4));
        assert!(make(3)[0].ends_with(" w - 0 0 5"));
    }

    #[test]
    fn random_games_have_as_many_plies_as_wanted() {
        for opening in random(Rules::default(), &(3..=6), true, 1).flatten().take(50) {
            let mut position = opening.start.clone();
            opening.moves.iter().for_each(|&mv| position.play_unchecked(mv));
            assert!((3..=6).contains(&opening.moves.len()));
            assert_eq!(position.key(), opening.position.key());
            assert!(is_standard(&opening.start));
        }
    }
}
