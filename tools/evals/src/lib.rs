//! Evaluations of Makruk positions in bulk, as lines of JSON.
//!
//! [`EvaluateJob`] searches the positions of files and writes a line for each. [`rules_key`] names the rules of a line.

mod evaluate;
mod input;
mod output;
mod rules;

pub use evaluate::{EvaluateJob, EvaluateMonitor, EvaluateProgress, Evaluated};
pub use input::{InputFormat, Place};
pub use rules::{RulesKeyError, read_rules_key, rules_key};
