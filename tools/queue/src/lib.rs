//! A queue in PostgreSQL for work on files of games or positions that many machines share.
//!
//! [`split`] cuts files into [`Piece`]s of whole games or lines. A [`Job`] is stored with its pieces
//! ([`create`]); [`Workers`] claim them, one at a time for each thread, and store the results; [`results`] returns
//! them in the order of the input. What the work is, the caller says: words of a command line are stored with the job.
//!
//! A piece is claimed by a transaction that skips locked rows and counts the attempt. It belongs to its worker as long as
//! the worker's session holds an advisory lock, which PostgreSQL releases when the connection ends, by `kill -9` too.
//! A result is stored by one statement that changes only pieces without a result, so that each piece counts once.

mod link;
mod split;
mod store;
mod worker;

pub use link::{QueueError, Server};
pub use split::{Piece, SplitError, split};
pub use store::{Failed, Job, Status, create, drop_job, job, results, retry, status};
pub use worker::{Event, Outcome, Stop, Task, Workers};
