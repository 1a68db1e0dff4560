//! Puzzles for Makruk: positions after a mistake in which one line wins, or holds, by a clear margin.
//!
//! [`mine`] reads games and finds candidates by the stored scores, proves each by searches and by tablebases, and names
//! its [`themes`]. [`rate`] finds how difficult they are, [`check`] proves them again, and [`select`] chooses a list of
//! them. Nothing here prints or reads standard input: progress goes to callbacks. `docs/training.md` describes the commands and the file.
//!
//! A module imports those above it in this list, never those below:
//!
//! 1. [`settings`], [`puzzle`]: numbers, the records of a file;
//! 2. [`ranking`]: the moves of a position with their expected scores;
//! 3. [`themes`]: what decides a line;
//! 4. [`proof`]: from a candidate to a puzzle;
//! 5. [`candidates`], [`unplayed`], [`endings`]: where candidates come from;
//! 6. [`mine`], [`check`], [`rate`], [`select`]: the commands, and [`report`];
//! 7. [`page`]: the list that the page loads.

pub mod candidates;
pub mod check;
pub mod endings;
pub mod mine;
pub mod page;
pub mod proof;
pub mod puzzle;
pub mod ranking;
pub mod rate;
pub mod report;
pub mod select;
pub mod settings;
pub mod themes;
pub mod unplayed;
