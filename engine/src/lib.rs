//! The Sakmak engine as a library: search, transposition table, clock and the UCI front end.
//!
//! Analyse a position:
//!
//! ```
//! use sakmak_engine::score::Score;
//! use sakmak_engine::{Limits, SearchRequest, Searcher};
//! use sakmak_movegen::Position;
//!
//! let position = Position::from_fen("3k4/8/8/3K4/8/8/8/R6R w - - 0 1")?;
//! let mut searcher = Searcher::new(16)?; // MiB of hash table
//! let result = searcher.search(&SearchRequest::new(position, Limits::depth(10)));
//! let best = result.best().ok_or("no legal move")?;
//! let line: Vec<String> = best.line.iter().map(|mv| mv.to_string()).collect();
//! println!("{}: {} for the side to move", line.join(" "), Score::from_search(best.score));
//! assert_eq!(Score::from_search(best.score), Score::Mate(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Searcher`] searches on the calling thread.
//! * [`Engine`] plays games: several threads in the background, a clock, pondering, limited strength.
//! * [`uci::Session`] takes UCI line by line, and searches in the background or in slices on the calling thread;
//!   [`uci::run`] reads the lines from any reader, and speaks XBoard's protocol if a GUI asks for it.
//! * [`book`] reads and writes opening books.
//! * `analysis`, with the feature `serde`, is a searched position as the JSON object that `sakmak analyse` prints.
//! * [`mod@bench`] and [`genfens`] are the commands of these names; [`openings`] makes openings.
//!
//! # Layers
//!
//! A module imports those above it in this list, never those below:
//!
//! 1. `score`, `parameters`, `time`, `output`, `protocol`, `memory`, `threads`, [`file_error`]: numbers, the clock, the system.
//! 2. [`tt`], [`win_rate`], [`perft`], [`book`].
//! 3. [`search`], which knows neither games nor protocols.
//! 4. [`opponents`], [`skill`], `current_game`, [`openings`], [`genfens`], [`mod@bench`]: built on searches.
//! 5. `driver` and `engine`: from `go` to `bestmove`, for every front end.
//! 6. `analysis`; `options`, `front_end`, [`xboard`], [`uci`]: the protocols.
//!
//! The library prints nothing. The program `sakmak` in the same package is its feature `program`; without default
//! features the package is the library alone.
//!
//! # Speed in a program of your own
//!
//! Cargo takes profiles and compiler flags from your package alone, not from this one:
//!
//! * A debug build searches about 25 times slower. Optimise these packages there too, in your `Cargo.toml`:
//!
//!   ```toml
//!   [profile.dev.package]
//!   sakmak-engine = { opt-level = 3 }
//!   sakmak-eval = { opt-level = 3 }
//!   sakmak-movegen = { opt-level = 3 }
//!   ```
//! * Without a target CPU the search is about 12% slower. In your `.cargo/config.toml`, for x86-64 CPUs since 2013:
//!
//!   ```toml
//!   [target.'cfg(target_arch = "x86_64")']
//!   rustflags = ["-C", "target-cpu=x86-64-v3"]
//!   ```
//! * The release profile of the program `sakmak` has `lto = "fat"` and `codegen-units = 1`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "serde")]
pub mod analysis;
#[doc(hidden)]
pub mod args;
pub mod bench;
pub mod book;
mod current_game;
mod driver;
mod engine;
pub mod evaluations;
pub mod file_error;
mod front_end;
pub mod genfens;
mod memory;
pub mod openings;
pub mod opponents;
mod options;
mod output;
mod parameters;
pub mod perft;
pub mod position_key;
mod protocol;
pub mod rules_key;
pub mod score;
pub mod search;
pub mod skill;
mod threads;
pub mod time;
pub mod tt;
pub mod uci;
pub mod win_rate;
pub mod xboard;

pub use current_game::{DisputedMove, GameError, NoSearch};
pub use engine::{BookSettings, Engine, EngineSettings, Refusal};
pub use search::{Listener, SearchInfo, SearchProgress, SearchRequest, SearchResult, Searcher};
pub use time::Limits;

/// The examples of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
