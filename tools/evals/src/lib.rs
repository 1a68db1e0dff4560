//! Evaluations of Makruk positions in bulk, as lines of JSON.
//!
//! [`EvaluateJob`] searches the positions of files and writes a line for each. A [`Record`] has the evaluations of a
//! position to share, by its canonical [`PositionKey`].
//! [`rules_key`] names the rules of a line.

mod evaluate;
mod input;
mod key;
mod output;
mod record;
mod rules;

pub use evaluate::{EvaluateJob, EvaluateMonitor, EvaluateProgress, Evaluated};
pub use input::{InputFormat, Place};
pub use key::{KeyError, PositionKey};
pub use record::{Evaluation, Pv, Record, RecordError};
pub use rules::{RulesKeyError, read_rules_key, rules_key};
