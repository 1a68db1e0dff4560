//! Self-play games with a score for every move: training data for the evaluation.
//!
//! `sakmak-tools datagen` generates, joins and describes such files. [`sakmak_dataset::games`] has their format and
//! `docs/data.md` the details.

mod generate;
mod import;
mod label;
mod merge;
mod scores;
mod self_play;
mod statistics;

pub use generate::{GenerateEvent, GenerateJob, GenerateProgress};
pub use import::{ImportJob, ImportSummary};
pub(crate) use label::LabelSearcher;
pub use merge::merge;
pub use statistics::DataStatistics;
