//! What the WebAssembly modules of the npm package share: errors, the choice of rules, and words of the count.

mod count;
mod fault;
mod rules;

use sakmak_movegen::{Color, Notation};

pub use count::{CountWord, Evaluation};
pub use fault::{Args, Fault};
pub use rules::{RulesChoice, rules};

/// The letter of a colour in FENs.
pub fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

/// The notation of an index in the list of their names; SAN if there is none.
pub fn notation(index: usize) -> Notation {
    Notation::ALL.get(index).copied().unwrap_or_default()
}

/// A value as JSON: for plain data that cross to TypeScript, which parses them.
pub fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    // Plain data with strings as keys are always valid JSON.
    serde_json::to_string(value).unwrap_or_default()
}
