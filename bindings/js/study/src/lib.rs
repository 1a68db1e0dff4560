//! Record trees, views of positions, set-up checks, exercises and questions about the count for JavaScript. The
//! TypeScript in `bindings/js/src/study.ts` is the interface for users; this crate is its WebAssembly.
//!
//! Plain data leave as JSON, which the TypeScript parses, and come in as texts and whole numbers; errors are thrown as
//! objects.

pub mod exercises;
pub mod record;
pub mod setup;
pub mod trainer;
pub mod view;

mod exports;

pub use exports::*;
