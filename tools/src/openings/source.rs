//! Where openings come from.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_engine::openings::{opening_fen, random_opening};
use sakmak_movegen::{Game, Move, Position, Rules};
use sakmak_tools::games::{self, Broken, Choice, Files};

/// A position that may become an opening.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The position, with no memory of the moves before it.
    pub(super) position: Position,
    /// Its FEN.
    pub(super) fen: String,
    /// Where its game began, and the moves from there.
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

impl Candidate {
    /// The present position of a game, if one can begin with it: nobody in check, not over, no count running.
    fn of(game: &Game) -> Option<Self> {
        let position = game.position();
        if position.in_check() || game.outcome().is_some() || !position.has_legal_move() {
            return None;
        }
        let fen = opening_fen(position)?;
        let position = Position::from_fen_with(&fen, *game.rules()).ok()?;
        Some(Self { position, fen, start: game.start().clone(), moves: game.moves().collect() })
    }
}

/// Random games without end, `None` for those that went wrong.
pub(super) fn random(
    rules: Rules,
    plies: &RangeInclusive<u32>,
    captures: bool,
    seed: u64,
) -> impl Iterator<Item = Option<Candidate>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = Game::new(rules);
    let (least, most) = (*plies.start(), *plies.end());
    std::iter::repeat_with(move || {
        let plies = if least == most { least } else { rng.random_range(least..=most) };
        random_opening(start.clone(), plies, captures, &mut rng).and_then(|game| Candidate::of(&game))
    })
}

/// The positions of all games after these plies, shuffled unless the seed is 0. Broken games are reported and
/// give the positions before the fault.
pub(super) fn of_games(
    paths: &[PathBuf],
    output: Option<&Path>,
    rules: Rules,
    plies: &RangeInclusive<u32>,
    seed: u64,
) -> Result<impl Iterator<Item = Candidate> + use<>> {
    let choice = Choice { variant: Some(rules.variant), ruleset: rules.ruleset, notation: None };
    let mut candidates = Vec::new();
    let mut files = Files::new(paths);
    if let Some(output) = output {
        ensure!(!files.contain(output), "{}: is to be read, not written", output.display());
    }
    files.each_game(|files, name, pgn| {
        let mut pgn = match pgn {
            Ok(pgn) => pgn,
            Err(error) => {
                files.say(&Broken::by_reader(name, &error));
                return Ok(());
            }
        };
        let mut game = match games::begin(&pgn.tags, &choice) {
            Ok(Some(start)) => start.game,
            Ok(None) => return Ok(()),
            Err(fault) => {
                files.say(&Broken::by_fault(name, &pgn, &fault));
                return Ok(());
            }
        };
        let mut take = |game: &Game| {
            if plies.contains(&(game.len() as u32)) {
                candidates.extend(Candidate::of(game));
            }
        };
        let mut moves = std::mem::take(&mut pgn.moves);
        moves.truncate(*plies.end() as usize);
        moves.iter_mut().for_each(|one| one.variations.clear());
        let played = games::play(&mut game, &mut moves, None, &mut |game, _, _, _| take(game));
        take(&game);
        if let Err(fault) = played {
            files.say(&Broken::by_fault(name, &pgn, &fault));
        }
        Ok(())
    })?;
    ensure!(files.unreadable().is_empty(), "not all files could be read");
    if seed != 0 {
        candidates.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }
    Ok(candidates.into_iter())
}

/// Whether a game that begins here needs no FEN to tell so.
pub(super) fn is_standard(start: &Position) -> bool {
    let standard = Position::start((*start.rules()).into());
    start.table_key() == standard.table_key() && start.fullmove_number() == 1
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
