//! The search: iterative deepening over a principal variation alpha-beta search.
//!
//! It prints nothing and reads no input. A [`SearchRequest`] describes what to search, a [`Listener`] receives each
//! finished iteration, and a [`SearchResult`] comes back.
//!
//! From the bottom up: `request` and `report` are the public types; `shared` is the state of all threads of a search,
//! `Worker` that of one thread; `root` has the iterations, `node` and `qsearch` the search of one node;
//! `ThreadPool` keeps the threads with their workers, and `Team` is one search by one or several of them.
//! [`Searcher`] is a team of one on the calling thread.

mod correction;
mod eval_cache;
mod history;
mod known;
mod node;
mod path;
mod pause;
pub(crate) mod picker;
mod pool;
mod qsearch;
mod report;
mod request;
mod root;
mod searcher;
mod shared;
mod stability;
mod tablebase;
mod team;
mod window;
mod worker;

pub(crate) use pool::{SPARE_MEMORY, ThreadPool};
pub use report::{Listener, PvLine, RootMove, SearchInfo, SearchProgress, SearchResult};
pub(crate) use request::{Learnt, RootPosition};
pub use request::{SearchRequest, TableProbing};
pub use searcher::Searcher;
pub use shared::Signals;
pub(crate) use team::Team;
pub(crate) use worker::Worker;
