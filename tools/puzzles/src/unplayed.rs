//! Candidates from moves that were not played: mistakes that look good, at positions of games.
//!
//! Strong play has few mistakes, and those of short searches have no clear refutation. So each of some positions of a
//! game gets mistakes of its own: moves that a search of one ply holds for as good as the best one. This is how people
//! go wrong who look at the captures and not one move further.

use std::ops::RangeInclusive;

use anyhow::Result;
use sakmak_movegen::splitmix64;

use crate::candidates::SourceGame;
use crate::proof::Candidate;
use crate::puzzle::Source;
use crate::ranking::{Ranker, expected};
use crate::settings::{HOLDING, Settings};

/// One position in this number is tried, chosen by its key.
const STEP: u64 = 8;
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
        let is_tried = splitmix64(before.key()).is_multiple_of(STEP);
        if !is_tried || !BEFORE.contains(&best) || before.in_check() {
            continue;
        }
        let shallow = ranker.shallow(&before)?;
        let Some(top) = shallow.best() else { continue };
        let plausible = shallow.moves.iter().filter(|mv| top.expected - mv.expected <= PLAUSIBLE);
        let mut tried = 0;
        for mistake in plausible {
            let start = before.after(mistake.mv);
            if tried == TRIED || start.outcome().is_some() {
                continue;
            }
            let keys = [before.key(), start.key()];
            let reply = ranker.brief(&start, &keys, settings.unplayed, 1)?;
            let now = reply.best().map_or(0.5, |reply| reply.expected);
            if now - (1.0 - best) >= settings.mistake && now >= HOLDING {
                let source = Source { file: Some(game.file), game: game.number, ply };
                found.push(Candidate { mistake: Some((before.clone(), mistake.mv)), start, source });
                tried += 1;
            }
        }
    }
    Ok(found)
}
