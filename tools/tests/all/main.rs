//! The tests of `sakmak-tools`, in one program.

mod annotate;
mod book;
mod checkpoints;
mod command_line;
mod common;
mod convert;
mod datagen;
mod datagen_import;
mod evals;
mod evaluate;
#[cfg(unix)]
mod fastchess;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod fishnet;
#[cfg(unix)]
mod locks;
#[cfg(unix)]
mod match_files;
#[cfg(unix)]
mod match_resume;
#[cfg(unix)]
mod matches;
mod openings;
#[cfg(target_os = "linux")]
mod output;
mod puzzles;
mod ratings;
mod replay;
#[cfg(unix)]
mod spsa;
mod suite;
mod tablebase;
mod train;
mod win_rate;
