//! The Sakmak engine: search, transposition table, clock and the UCI front end.
//!
//! [`Engine`] is the engine without a protocol; [`uci::run`] speaks UCI with any reader and writer;
//! [`search::run`] is the bare search.
//!
//! ```
//! use std::io::Cursor;
//!
//! let commands = Cursor::new("position startpos moves e3e4\ngo depth 4\n");
//! let output = sakmak_engine::uci::Output::buffer();
//! sakmak_engine::uci::run(commands, output.clone()).expect("memory for the tables");
//! assert!(output.text().contains("bestmove "));
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bench;
mod engine;
pub mod genfens;
mod job;
mod memory;
pub mod openings;
pub mod perft;
mod pool;
mod record;
pub mod score;
pub mod search;
pub mod skill;
mod threads;
pub mod time;
pub mod tt;
pub mod uci;

pub use engine::{Engine, Listener, Refusal, Settings};
pub use record::{GameError, LenientMove};
pub use search::{SearchInfo, SearchProgress, SearchRequest, SearchResult, Searcher};
pub use time::Limits;
