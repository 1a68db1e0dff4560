//! Evaluations of Makruk positions in bulk, as lines of JSON.
//!
//! [`EvaluateJob`] searches the positions of files and writes a line for each. A [`Record`] has the evaluations of a
//! position to share, by its canonical [`PositionKey`]. A [`Store`] keeps many of them in a file.
//! [`rules_key`] names the rules of a line.

mod book;
mod evaluate;
mod input;
mod lines;
mod output;
mod record;
mod store;

pub use book::{book_records, book_rules};
pub use evaluate::{EvaluateJob, EvaluateMonitor, EvaluateProgress, Evaluated};
pub use input::{InputFormat, Place};
pub use lines::{LinesRead, read_records};
pub use record::{Evaluation, Pv, Record, RecordError};
pub use sakmak_engine::position_key::{KeyError, PositionKey};
pub use sakmak_engine::rules_key::{RulesKeyError, read_rules_key, rules_key};
pub use store::{Imported, Store, StoreError};
