//! Training positions for the network: the positions of games, filtered and shuffled.
//!
//! `sakmak-tools datagen positions` writes such files with [`shuffle`], and `sakmak-tools train` reads them.
//! [`sakmak_dataset::positions`] has their format.

mod explore;
mod shuffle;

pub use shuffle::{ShuffleJob, Shuffled, shuffle};
