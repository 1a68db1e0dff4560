//! Endgame tables: which side wins with best play, and in how many plies, exact with the count.
//!
//! A tablebase file holds all placements of an [`Ending`] of up to five men. [`Tablebases`] are the files of folders.
//!
//! A placement has one number of plies, which serves for any count, see `docs/endgames.md`:
//!
//! * against a bare khun without bia, plies to mate;
//! * with men on both sides and no bia, plies to mate or to the capture that begins a hunt which fits its limit;
//! * with bia on the board, where nothing is counted, plies to mate or to the capture or promotion that decides.
//!
//! A win counts if it takes at most `left + 1` plies, where the count leaves `left`.

mod assembly;
mod build;
mod cache;
mod dtm;
mod dtm_table;
mod ending;
mod exits;
mod format;
mod index;
mod job;
mod memory;
mod memory_probe;
mod page;
mod probe;
mod remote;
mod row;
mod solved;
mod solver;
mod table;
mod values;
mod work;

pub use build::{BuildError, build, build_order, needed_for};
pub use dtm::{Dtm, DtmTables};
pub(crate) use dtm::{Prober, Waiting, pairs_of, pieces_of};
pub use ending::{Ending, EndingError, MAX_MEN};
pub use exits::hunt_moves;
pub use format::{EXTENSION, Family, FormatError, SideStatistics};
pub(crate) use memory::EndingSet;
pub use probe::{MoveValue, Probe, TableInfo, Tablebases};
pub use remote::{RemoteTables, WantedBytes};
pub use solved::SolvedEndings;
pub use solver::SolveError;
pub use table::{TableError, TableFault};
pub use values::Value;
