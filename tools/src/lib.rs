//! The commands of `sakmak-tools` on files of games and on tablebases, as a library.
//!
//! [`mod@replay`], [`mod@convert`] and [`annotate`] read files of games, [`tablebase`] builds and checks tablebases.
//! Matches are in `sakmak-matches`, training in `sakmak-training`; the program parses arguments and prints.
//! Nothing here prints or reads standard input unasked: progress is reported to callbacks.

pub mod annotate;
pub mod convert;
pub mod replay;
pub mod tablebase;
