//! The command line: one module per command, which parses the arguments, calls the library and prints.

pub(crate) mod annotate;
pub(crate) mod args;
pub(crate) mod book;
pub(crate) mod convert;
pub(crate) mod datagen;
pub(crate) mod evals;
pub(crate) mod evaluate;
pub(crate) mod fastchess;
pub(crate) mod fishnet;
pub(crate) mod matches;
pub(crate) mod openings;
mod progress;
pub(crate) mod puzzles;
pub(crate) mod queue;
pub(crate) mod ratings;
pub(crate) mod replay;
pub(crate) mod spsa;
pub(crate) mod stdout;
pub(crate) mod suite;
pub(crate) mod tablebase;
pub(crate) mod train;
mod win_rate;
