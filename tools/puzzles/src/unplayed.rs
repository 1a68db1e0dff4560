//! Candidates from moves that were not played: mistakes that look good, at positions of games.
//!
//! Strong play has few mistakes, and those of short searches have no clear refutation. So some positions of a game get
//! mistakes of their own: moves that a search of one ply holds for as good as the best one. This is how people go wrong
//! who look at the captures and not one move further.

use std::ops::RangeInclusive;

use anyhow::Result;
use sakmak_movegen::{Move, Position, splitmix64};

use crate::candidates::SourceGame;
use crate::proof::Candidate;
use crate::puzzle::Source;
use crate::ranking::{Ranker, expected};
use crate::settings::{HOLDING, Settings};

/// With at least these men, one position in this number is tried, chosen by its key. Most positions of long games are
/// endings.
const STEPS: [(u32, u64); 3] = [(16, 3), (10, 6), (0, 24)];
/// The expected score of the side that errs, by the score of the game.
const BEFORE: RangeInclusive<f64> = 0.25..=0.95;
/// By how much the expected score of a mistake may be below the best one, in a search of one ply.
const PLAUSIBLE: f64 = 0.04;
/// Most candidates of one position.
const TRIED: usize = 3;

/// The candidates of a game with scores; none of one without. Those of a position stand together, the most plausible
/// mistake first.
///
/// # Errors
/// If a search panicked.
pub fn candidates(game: &SourceGame, settings: &Settings, ranker: &mut Ranker) -> Result<Vec<Candidate>> {
    let mut found = Vec::new();
    let mut position = game.start.clone();
    for (ply, &(played, score)) in game.plies.iter().enumerate() {
        let before = position.clone();
        position.play_unchecked(played);
        let Some(best) = score.map(|score| expected(score, &before)) else { continue };
        if !is_tried(&before) || !BEFORE.contains(&best) || before.in_check() {
            continue;
        }
        for (mistake, start) in mistakes(&before, best, settings, ranker)? {
            let source = Source { file: Some(game.file), game: game.number, ply };
            found.push(Candidate { mistake: Some((before.clone(), mistake)), start, source });
        }
    }
    Ok(found)
}

/// Whether the position is one of those chosen.
fn is_tried(position: &Position) -> bool {
    let men = position.occupied().len();
    let step = STEPS.iter().find(|(least, _)| men >= *least).map_or(1, |(_, step)| *step);
    splitmix64(position.key()).is_multiple_of(step)
}

/// Mistakes that look good, with the positions after them. `best` is the expected score of the position.
fn mistakes(
    before: &Position,
    best: f64,
    settings: &Settings,
    ranker: &mut Ranker,
) -> Result<Vec<(Move, Position)>> {
    let mut found = Vec::new();
    let shallow = ranker.shallow(before)?;
    let Some(top) = shallow.best() else { return Ok(found) };
    for mistake in shallow.moves.iter().filter(|mv| top.expected - mv.expected <= PLAUSIBLE) {
        let start = before.after(mistake.mv);
        if found.len() == TRIED || start.outcome().is_some() {
            continue;
        }
        let keys = [before.key(), start.key()];
        // It knows what the searches of the same position have learnt.
        let reply = ranker.brief(&start, &keys, settings.unplayed, 1)?;
        let now = reply.best().map_or(0.5, |reply| reply.expected);
        if now - (1.0 - best) >= settings.mistake && now >= HOLDING {
            found.push((mistake.mv, start));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use sakmak_eval::DtmTables;
    use sakmak_eval::tablebase::Tablebases;

    use super::*;

    #[test]
    fn what_looks_good_and_loses_is_a_mistake() {
        // On b6 the rua is lost to a skewer.
        let before = Position::from_fen("8/8/p2r1k2/1p6/1P5R/2K5/8/8 b - - 7 48").unwrap();
        let mut ranker = Ranker::new(&Tablebases::default(), &DtmTables::default()).unwrap();
        let settings = Settings { unplayed: 500, ..Settings::default() };
        let moves = |best: f64, ranker: &mut Ranker| {
            let found = mistakes(&before, best, &settings, ranker).unwrap();
            found.into_iter().map(|(mv, _)| mv.to_string()).collect::<Vec<_>>()
        };
        let found = moves(0.5, &mut ranker);
        assert!(found.contains(&"d6b6".to_owned()), "a skewer takes the rua: {found:?}");
        assert!(found.len() <= TRIED && !found.contains(&"f6f5".to_owned()), "{found:?}");
        // Nothing is a mistake where all is lost.
        assert_eq!(moves(0.0, &mut ranker), Vec::<String>::new());
    }
}
