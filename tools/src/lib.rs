//! The tools around the Sakmak engine as a library; the program `sakmak-tools` parses arguments and prints.
//!
//! [`games`] reads, replays and converts files of games; [`mod@matches`] plays engines against each other and
//! evaluates the results; [`data`] makes training data, trains networks and builds tablebases.
//! Nothing here prints or reads standard input unasked: progress is reported to callbacks.

pub mod annotate;
pub mod data;
pub mod games;
pub mod matches;
pub mod output;
