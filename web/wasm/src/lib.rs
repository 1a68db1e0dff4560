//! Sakmak for the browser: a small interface over the library's rules, records of games, count and search.
//!
//! The page calls [`Record`] and the functions, a Web Worker [`Engine`]. Plain data cross the border as JSON; faults
//! are JSON too, see [`fault`]. Nothing here is decided anew: the crate names what the libraries know.
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
    // Plain data with text for keys is always JSON.
    serde_json::to_string(value).unwrap_or_default()
}
