//! The JavaScript interface. Each function is one call into the modules of this crate. Notations cross as their index,
//! rules as three texts: variant, ruleset and parts, each of which may be empty.
//!
//! Nothing here reads JSON or floating-point numbers: their readers would be a sixth of the WebAssembly.

use sakmak_engine::skill;
use sakmak_games::pgn::TextEncoding;
use sakmak_js_common::{CountWord, Evaluation, Fault, RulesChoice, json, notation};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::record::{self, OpenedGame};
use crate::{exercises, setup, trainer};

/// The ratings of the engine's levels, the weakest first.
#[wasm_bindgen(js_name = levelRatings)]
pub fn level_ratings() -> Vec<i32> {
    skill::RATINGS.to_vec()
}

/// The label of a file's encoding for `TextDecoder`, by its byte order mark or its content.
#[wasm_bindgen(js_name = textEncoding)]
pub fn text_encoding(bytes: &[u8]) -> String {
    TextEncoding::detect(bytes).label().to_owned()
}

/// The exercises as JSON.
#[wasm_bindgen(js_name = exercises)]
pub fn exercise_list() -> String {
    json(&exercises::exercises())
}

/// The FEN of a board set up by hand, and what is wrong with it, as JSON. The arguments are the fields of
/// [`setup::Board`] and the rules.
#[wasm_bindgen(js_name = checkSetup)]
#[allow(clippy::too_many_arguments)]
pub fn check_setup(
    board: &str,
    turn: &str,
    rights: &str,
    ply_limit: u32,
    ply: u32,
    number: Option<u32>,
    by_rules: bool,
    move_number: u32,
    variant: &str,
    ruleset: &str,
    parts: &str,
) -> String {
    let board = setup::Board {
        board: board.to_owned(),
        turn: turn.to_owned(),
        rights: rights.to_owned(),
        ply_limit,
        ply,
        number,
        by_rules,
        move_number,
    };
    json(&setup::check(&board, &RulesChoice::new(variant, ruleset, parts)))
}

/// A random position of these pieces against a bare khun, the count just begun.
#[wasm_bindgen(js_name = trainerEnding)]
pub fn trainer_ending(pieces: &str, attacker_moves: bool, seed: u32) -> Option<String> {
    trainer::ending(pieces, attacker_moves, seed)
}

/// The position with a count that is just long enough for a mate in so many plies, or just too short.
#[wasm_bindgen(js_name = trainerRace)]
pub fn trainer_race(fen: &str, plies: u16, fits: bool, seed: u32) -> Option<String> {
    trainer::race(fen, plies, fits, seed)
}

/// A random position in which both sides have pieces and no bia is left.
///
/// # Errors
/// If the rules are wrong.
#[wasm_bindgen(js_name = trainerArmed)]
pub fn trainer_armed(
    variant: &str,
    ruleset: &str,
    parts: &str,
    mates: bool,
    seed: u32,
) -> Result<Option<String>, JsValue> {
    Ok(trainer::armed(RulesChoice::new(variant, ruleset, parts).rules()?, mates, seed))
}

/// A random question about a count that has just begun, as text.
#[wasm_bindgen(js_name = trainerQuestion)]
pub fn trainer_question(seed: u32) -> Option<String> {
    trainer::question(seed).map(|question| question.text())
}

/// Limit, first number and moves left of a count that begins against a bare khun with these pieces.
#[wasm_bindgen(js_name = trainerTable)]
pub fn trainer_table(pieces: &str) -> Option<Vec<u16>> {
    trainer::table(pieces).map(Vec::from)
}

/// The board of a FEN for an editor as JSON.
///
/// # Errors
/// If the text is no FEN.
#[wasm_bindgen(js_name = readSetup)]
pub fn read_setup(fen: &str) -> Result<String, JsValue> {
    Ok(json(&setup::read(fen)?))
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
    pub fn new(variant: &str, ruleset: &str, parts: &str, fen: Option<String>) -> Result<Record, JsValue> {
        Ok(Self(record::Record::new(RulesChoice::new(variant, ruleset, parts), fen.as_deref())?))
    }

    /// Rules, tags and result as JSON.
    pub fn header(&self) -> String {
        self.0.header()
    }

    /// All moves as JSON.
    pub fn tree(&self, by: usize) -> String {
        self.0.tree(notation(by))
    }

    /// The position at a node as JSON.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn view(&self, node: usize, by: usize) -> Result<String, JsValue> {
        Ok(json(&self.0.view(node, notation(by))?))
    }

    /// The FEN, and the moves and words of the count, that bring an engine to a node: `{fen, words}`.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = engineLine)]
    pub fn engine_line(&self, node: usize) -> Result<String, JsValue> {
        let (fen, words) = self.0.engine_line(node)?;
        Ok(format!(r#"{{"fen":{},"words":{}}}"#, json(&fen), json(&words)))
    }

    /// By what a file of evaluations finds the position at a node and those after its moves, as numbers.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = evaluationKeys)]
    pub fn evaluation_keys(&self, node: usize) -> Result<Vec<u32>, JsValue> {
        Ok(self.0.evaluation_keys(node)?)
    }

    /// Whether both are played by the same rules.
    #[wasm_bindgen(js_name = hasRulesOf)]
    pub fn has_rules_of(&self, other: &Record) -> bool {
        self.0.has_rules_of(&other.0)
    }

    /// The node ids of the line through a node.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = lineThrough)]
    pub fn line_through(&self, node: usize) -> Result<Vec<u32>, JsValue> {
        Ok(self.0.line_through(node)?.into_iter().map(|id| id as u32).collect())
    }

    /// Plays a move at a node and returns the id of the new node.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, node: usize, text: &str) -> Result<usize, JsValue> {
        Ok(self.0.play(node, text)?)
    }

    /// The legal move at a node, in coordinates, that a text in any notation means.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = readMove)]
    pub fn read_move(&self, node: usize, text: &str) -> Result<Option<String>, JsValue> {
        Ok(self.0.read_move(node, text)?.map(|mv| mv.to_string()))
    }

    /// Starts, stops or claims the count for the side to move: `start`, `stop` or `claim`.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn count(&mut self, node: usize, word: &str) -> Result<(), JsValue> {
        let unknown = || {
            let message = format!("'{word}' is no word of the count; there are start, stop and claim");
            Fault::new("argument.count", message).arg("text", word)
        };
        Ok(self.0.count(node, CountWord::parse(word).ok_or_else(unknown)?)?)
    }

    /// Deletes a move and all that follows it; returns the parent.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = deleteFrom)]
    pub fn delete_from(&mut self, node: usize) -> Result<usize, JsValue> {
        Ok(self.0.delete(node)?)
    }

    /// Makes a variation the main line.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, node: usize) -> Result<(), JsValue> {
        Ok(self.0.promote(node)?)
    }

    /// Replaces the comments after a move.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, node: usize, text: &str) -> Result<(), JsValue> {
        Ok(self.0.set_comment(node, text)?)
    }

    /// Sets the annotation glyph of a move; 0 removes it.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = setGlyph)]
    pub fn set_glyph(&mut self, node: usize, glyph: u16) -> Result<(), JsValue> {
        Ok(self.0.set_glyph(node, glyph)?)
    }

    /// Stores an evaluation in centipawns or moves to mate, or removes it if there is neither.
    ///
    /// # Errors
    /// If there is no such node.
    #[wasm_bindgen(js_name = setEvaluation)]
    pub fn set_evaluation(&mut self, node: usize, cp: Option<i32>, mate: Option<i32>) -> Result<(), JsValue> {
        let evaluation = (cp.is_some() || mate.is_some()).then_some(Evaluation { cp, mate });
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
    pub fn pgn(&self, by: usize, dialect: &str) -> Result<String, JsValue> {
        let unknown = |error| Fault::new("argument.dialect", error).arg("text", dialect);
        Ok(self.0.pgn(notation(by), dialect.parse().map_err(unknown)?)?)
    }
}

/// The games of a text.
#[wasm_bindgen]
pub struct Library(record::Library);

/// A game opened from a text, and what is wrong with it.
#[wasm_bindgen]
pub struct Opened {
    record: Option<record::Record>,
    error: Option<Fault>,
    warning: Option<Fault>,
}

#[wasm_bindgen]
impl Library {
    /// Reads a text. `rules` apply to games that do not name theirs.
    ///
    /// # Errors
    /// If there is no game in it.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, variant: &str, ruleset: &str, parts: &str) -> Result<Library, JsValue> {
        Ok(Self(record::Library::read(text, &RulesChoice::new(variant, ruleset, parts))?))
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
    pub fn open(&self, index: usize) -> Result<Opened, JsValue> {
        let OpenedGame { record, fault, warning } = self.0.open(index)?;
        Ok(Opened { record: Some(record), error: fault, warning })
    }
}

#[wasm_bindgen]
impl Opened {
    /// The game, up to its first fault. It can be taken only once.
    pub fn record(&mut self) -> Option<Record> {
        self.record.take().map(Record)
    }

    /// What is wrong with it: an error or nothing.
    #[wasm_bindgen(getter)]
    pub fn error(&self) -> JsValue {
        self.error.clone().map_or(JsValue::UNDEFINED, JsValue::from)
    }

    /// What was read differently from the text: an error or nothing.
    #[wasm_bindgen(getter)]
    pub fn warning(&self) -> JsValue {
        self.warning.clone().map_or(JsValue::UNDEFINED, JsValue::from)
    }
}
