//! The rules of Makruk for JavaScript. The TypeScript in `bindings/js/src` is the interface for users; this crate is
//! its WebAssembly.
//!
//! Moves cross the border as their 16 bits, short texts and lists in the buffer of the module `output`.

mod board;
mod output;
mod pgn;

use sakmak_js_common::{Fault, rules};
use sakmak_movegen::{Fen, Notation, Position, Ruleset, Variant};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

pub use board::RulesBoard;
pub use output::output_address;
pub use pgn::{read_pgn, write_pgn};

/// The names of all variants.
#[wasm_bindgen]
pub fn variants() -> Vec<String> {
    Variant::NAMES.iter().map(ToString::to_string).collect()
}

/// The names of all rulesets.
#[wasm_bindgen]
pub fn rulesets() -> Vec<String> {
    Ruleset::NAMES.iter().map(ToString::to_string).collect()
}

/// The names of all notations, in the order of their indices.
#[wasm_bindgen]
pub fn notations() -> Vec<String> {
    Notation::NAMES.iter().map(ToString::to_string).collect()
}

/// The FEN of the start position.
///
/// # Errors
/// If the rules are unknown.
#[wasm_bindgen(js_name = startFen)]
pub fn start_fen(variant: &str, ruleset: &str, parts: &str) -> Result<String, JsValue> {
    Ok(rules(variant, ruleset, parts)?.start_fen())
}

/// Checks a FEN.
///
/// # Errors
/// What is wrong with the FEN or the rules.
#[wasm_bindgen(js_name = checkFen)]
pub fn check_fen(fen: &str, variant: &str, ruleset: &str, parts: &str) -> Result<(), JsValue> {
    let rules = rules(variant, ruleset, parts)?;
    let fen: Fen = fen.parse().map_err(Fault::from)?;
    let _: Position = fen.position(fen.implied_rules(rules)).map_err(Fault::from)?;
    Ok(())
}
