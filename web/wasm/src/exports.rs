//! The JavaScript interface. Each function is one call into the modules above; faults are thrown as JSON.
//!
//! The page needs all but the search, which its worker loads later: the feature `search` adds it.

#[cfg(feature = "search")]
mod search;

use sakmak_engine::skill;
use sakmak_games::pgn::TextEncoding;
use sakmak_movegen::{Notation, Position, Ruleset, Variant};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fault::Fault;
use crate::record::{self, CountWord, OpenedGame};
use crate::rules::RulesChoice;
use crate::{exercises, json, setup};

/// The notation of a name; short algebraic for an unknown one.
fn notation(name: &str) -> Notation {
    name.parse().unwrap_or_default()
}

#[cfg(feature = "search")]
pub use search::*;

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new("other", error))
}

/// Names of variants, rulesets and notations, and the ratings of the levels, as JSON.
#[wasm_bindgen]
pub fn names() -> String {
    format!(
        r#"{{"variants":{},"rulesets":{},"notations":{},"ratings":{}}}"#,
        json(Variant::NAMES),
        json(Ruleset::NAMES),
        json(Notation::NAMES),
        json(&skill::RATINGS),
    )
}

/// Perft: the number of move paths of a length from a FEN.
///
/// # Errors
/// If the FEN is wrong.
#[wasm_bindgen]
pub fn perft(fen: &str, plies: u32) -> Result<f64, String> {
    let position = Position::from_fen(fen).map_err(Fault::from)?;
    Ok(sakmak_movegen::perft::perft(&position, plies) as f64)
}

/// The label of a file's encoding for `TextDecoder`, by its byte order mark or its content.
#[wasm_bindgen(js_name = textEncoding)]
pub fn text_encoding(bytes: &[u8]) -> String {
    TextEncoding::detect(bytes).label().to_owned()
}

/// The exercises as JSON.
#[wasm_bindgen(js_name = exerciseList)]
pub fn exercise_list() -> String {
    json(&exercises::exercises())
}

/// The FEN of a board set up by hand, and what is wrong with it, as JSON.
///
/// # Errors
/// If the arguments are no JSON of that form.
#[wasm_bindgen(js_name = checkSetup)]
pub fn check_setup(board: &str, rules: &str) -> Result<String, String> {
    Ok(json(&setup::check(&parse(board)?, &RulesChoice::parse(rules)?)))
}

/// A game with variations.
#[wasm_bindgen]
pub struct Record(record::Record);

#[wasm_bindgen]
impl Record {
    /// A game without moves, from a FEN or the start position of the rules.
    ///
    /// # Errors
    /// If the rules or the FEN are wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(rules: &str, fen: Option<String>) -> Result<Record, String> {
        Ok(Self(record::Record::new(RulesChoice::parse(rules)?, fen.as_deref())?))
    }

    /// Rules, tags and result as JSON.
    pub fn header(&self) -> String {
        self.0.header()
    }

    /// All moves as JSON.
    pub fn tree(&self, name: &str) -> String {
        self.0.tree(notation(name))
    }

    /// The position at a node as JSON.
    pub fn view(&self, node: usize, name: &str) -> String {
        json(&self.0.view(node, notation(name)))
    }

    /// The FEN, and the moves and words of the count, that bring an engine to a node: `{fen, words}`.
    #[wasm_bindgen(js_name = engineLine)]
    pub fn engine_line(&self, node: usize) -> String {
        let (fen, words) = self.0.engine_line(node);
        format!(r#"{{"fen":{},"words":{}}}"#, json(&fen), json(&words))
    }

    /// The node ids of the line through a node.
    #[wasm_bindgen(js_name = lineThrough)]
    pub fn line_through(&self, node: usize) -> Vec<u32> {
        self.0.line_through(node).into_iter().map(|id| id as u32).collect()
    }

    /// Plays a move at a node and returns the id of the new node.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, node: usize, text: &str) -> Result<usize, String> {
        Ok(self.0.play(node, text)?)
    }

    /// The legal move at a node, in coordinates, that a text in any notation means.
    #[wasm_bindgen(js_name = readMove)]
    pub fn read_move(&self, node: usize, text: &str) -> Option<String> {
        self.0.read_move(node, text).map(|mv| mv.to_string())
    }

    /// Starts, stops or claims the count for the side to move: `start`, `stop` or `claim`.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn count(&mut self, node: usize, word: &str) -> Result<(), String> {
        let word = CountWord::parse(word).ok_or_else(|| Fault::new("other", "no such word"))?;
        Ok(self.0.count(node, word)?)
    }

    /// Deletes a move and all that follows it; returns the parent.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = deleteFrom)]
    pub fn delete_from(&mut self, node: usize) -> Result<usize, String> {
        Ok(self.0.delete(node)?)
    }

    /// Makes a variation the main line.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, node: usize) -> Result<(), String> {
        Ok(self.0.promote(node)?)
    }

    /// Replaces the comments after a move.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, node: usize, text: &str) -> Result<(), String> {
        Ok(self.0.set_comment(node, text)?)
    }

    /// Sets the annotation glyph of a move; 0 removes it.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = setGlyph)]
    pub fn set_glyph(&mut self, node: usize, glyph: u16) -> Result<(), String> {
        Ok(self.0.set_glyph(node, glyph)?)
    }

    /// Stores an evaluation (`{cp}` or `{mate}` as JSON), or removes it with an empty text.
    ///
    /// # Errors
    /// If there is no such node, or the text is wrong.
    #[wasm_bindgen(js_name = setEvaluation)]
    pub fn set_evaluation(&mut self, node: usize, text: &str) -> Result<(), String> {
        let evaluation = if text.is_empty() { None } else { Some(parse(text)?) };
        Ok(self.0.set_evaluation(node, evaluation)?)
    }

    /// Sets a tag; a blank value removes it.
    #[wasm_bindgen(js_name = setTag)]
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.0.set_tag(name, value);
    }

    /// The game as PGN in a notation and a dialect (`plain`, `pychess` or `cutechess`).
    ///
    /// # Errors
    /// If PGN cannot express it.
    pub fn pgn(&self, name: &str, dialect: &str) -> Result<String, String> {
        Ok(self.0.pgn(notation(name), dialect.parse().unwrap_or_default())?)
    }
}

/// The games of a text.
#[wasm_bindgen]
pub struct Library(record::Library);

/// A game opened from a text, and what is wrong with it.
#[wasm_bindgen]
pub struct Opened {
    record: Option<record::Record>,
    fault: Option<Fault>,
    warning: Option<Fault>,
}

#[wasm_bindgen]
impl Library {
    /// Reads a text. `rules` apply to games that do not name theirs.
    ///
    /// # Errors
    /// If there is no game in it.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, rules: &str) -> Result<Library, String> {
        Ok(Self(record::Library::read(text, &RulesChoice::parse(rules)?)?))
    }

    /// The number of games.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// All games as JSON.
    pub fn list(&self) -> String {
        self.0.list()
    }

    /// Opens a game.
    ///
    /// # Errors
    /// If it cannot be set up.
    pub fn open(&self, index: usize) -> Result<Opened, String> {
        let OpenedGame { record, fault, warning } = self.0.open(index)?;
        Ok(Opened { record: Some(record), fault, warning })
    }
}

#[wasm_bindgen]
impl Opened {
    /// The game, up to its first fault. It can be taken only once.
    pub fn record(&mut self) -> Option<Record> {
        self.record.take().map(Record)
    }

    /// What is wrong with it, as JSON.
    #[wasm_bindgen(getter)]
    pub fn fault(&self) -> Option<String> {
        self.fault.as_ref().map(Fault::json)
    }

    /// What was read differently from the text, as JSON.
    #[wasm_bindgen(getter)]
    pub fn warning(&self) -> Option<String> {
        self.warning.as_ref().map(Fault::json)
    }
}
