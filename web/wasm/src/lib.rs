//! Sakmak for the browser: a small interface over the library's rules, records of games, count and search.
//!
//! The page calls [`Record`] and the functions, a Web Worker [`Engine`]. Plain data are passed as JSON, and so are
//! faults, see [`fault`]. Nothing is decided here: the crate names what the libraries know.
//!
//! Without shared memory a worker reads its messages only between calls. So [`Engine`] searches in parts, and the page
//! stops a search by not asking for the next one.

pub mod analysis;
pub mod engine;
pub mod exercises;
pub mod fault;
pub mod record;
pub mod rules;
pub mod setup;
pub mod view;

mod exports;

pub use exports::*;

/// A value as JSON.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    // Plain data with strings as keys are always valid JSON.
    serde_json::to_string(value).unwrap_or_default()
}
