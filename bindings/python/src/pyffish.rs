//! The functions of pyffish for the variants that this package has. `README.md` lists the differences.

use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use sakmak_movegen::rules::CountStarted;
use sakmak_movegen::{
    Bitboard, Color, Fen, FenError, Move, Notation, Piece, Position, Rules, Ruleset, SetupError, Variant,
};

use crate::board::marked_fen;
use crate::errors;
use crate::rules::cannot_win_by_pyffish;

/// The value of a mate.
const VALUE_MATE: i32 = 32_000;
/// The word for the start position.
const START: &str = "startpos";

/// Codes of `validate_fen`. A FEN may have faults for which pyffish has no code; they get that of the board.
const FEN_OK: i32 = 1;

/// A position with what pyffish keeps beside it.
struct Played {
    position: Position,
    promoted: Bitboard,
    /// Keys of the positions, the present one last.
    keys: Vec<u64>,
}

fn variant_of(name: &str) -> PyResult<Variant> {
    name.parse().map_err(errors::of_rules)
}

fn rules(variant: &str) -> PyResult<Rules> {
    Ok(Rules::new(variant_of(variant)?, Ruleset::FairyStockfish))
}

/// The fields of a FEN. Without a side to move it is White's turn.
fn parse(fen: &str) -> Result<Fen, FenError> {
    if fen.trim().contains([' ', '_']) { fen.parse() } else { format!("{fen} w").parse() }
}

fn start(variant: &str, fen: &str) -> PyResult<Played> {
    let rules = rules(variant)?;
    let (position, promoted) = if fen == START {
        (Position::start(rules), Bitboard::EMPTY)
    } else {
        let fen = parse(fen).map_err(|error| errors::of_fen(&error))?;
        (fen.position(rules).map_err(|error| errors::of_fen(&error))?, fen.promoted())
    };
    let keys = vec![position.key()];
    Ok(Played { position, promoted, keys })
}

impl Played {
    fn push(&mut self, mv: Move) {
        let (from, to) = (Bitboard::from(mv.from()), Bitboard::from(mv.to()));
        let arrives = mv.is_promotion() || self.promoted.intersects(from);
        self.promoted &= !(from | to);
        if arrives {
            self.promoted |= to;
        }
        self.position.play_unchecked(mv);
        self.keys.push(self.position.key());
    }

    fn read(&self, text: &str) -> PyResult<Move> {
        self.position.parse_move(text).map_err(|error| errors::of_move(&error))
    }

    fn name(&self, mv: Move, notation: i64) -> PyResult<String> {
        let notation = match notation {
            0 | 1 => Notation::San,
            2 => Notation::Lan,
            8 => Notation::ThaiSan,
            9 => Notation::ThaiLan,
            other => {
                let message = format!("notation {other} is not one of Makruk");
                return Err(PyValueError::new_err(message));
            }
        };
        let text = notation.write(&self.position, mv, self.promoted);
        // Pyffish writes a promotion with the Latin letter.
        Ok(if mv.is_promotion() { text.replace("=ง", "=M") } else { text })
    }

    /// Begins the board's honour at a ply of the game, as the option of Fairy-Stockfish's library does.
    fn count_since(&mut self, count_started: i32) {
        if count_started != 0 {
            let mut rules = *self.position.rules();
            rules.count_started = CountStarted(count_started);
            self.position.set_rules(rules);
        }
    }
}

fn play(variant: &str, fen: &str, moves: &Bound<'_, PyList>) -> PyResult<Played> {
    let mut played = start(variant, fen)?;
    for text in moves.iter() {
        let mv = played.read(&text.cast::<PyString>()?.to_cow()?)?;
        played.push(mv);
    }
    Ok(played)
}

/// A move as Python's text, without an allocation of ours.
fn text<'py>(py: Python<'py>, mv: Move) -> Bound<'py, PyString> {
    let mut bytes = [b'm'; 5];
    for (at, square) in [(0, mv.from()), (2, mv.to())] {
        bytes[at] = square.file().char() as u8;
        bytes[at + 1] = square.rank().char() as u8;
    }
    let length = if mv.is_promotion() { 5 } else { 4 };
    // The bytes are ASCII.
    PyString::new(py, std::str::from_utf8(&bytes[..length]).unwrap_or_default())
}

#[pyfunction]
fn ffish_version() -> (u32, u32, u32) {
    let number = |text: &str| text.parse().unwrap_or(0);
    let major = number(env!("CARGO_PKG_VERSION_MAJOR"));
    (major, number(env!("CARGO_PKG_VERSION_MINOR")), number(env!("CARGO_PKG_VERSION_PATCH")))
}

#[pyfunction]
fn ffish_info() -> String {
    format!("Sakmak {}", env!("CARGO_PKG_VERSION"))
}

#[pyfunction]
fn ffish_variants() -> Vec<&'static str> {
    Variant::NAMES.to_vec()
}

/// Options belong to Fairy-Stockfish's variants; none has a meaning here.
#[pyfunction]
fn ffish_set_option(name: &str, value: &Bound<'_, PyAny>) {
    let _ = (name, value);
}

/// Variants cannot be loaded: makruk, cambodian and makpong are built in.
#[pyfunction]
fn ffish_load_variant_config(config: &str) {
    let _ = config;
}

#[pyfunction]
fn ffish_start_fen(variant: &str) -> PyResult<String> {
    Ok(Position::start(rules(variant)?).to_string())
}

#[pyfunction]
fn ffish_two_boards(variant: &str) -> PyResult<bool> {
    variant_of(variant).map(|_| false)
}

#[pyfunction]
fn ffish_captures_to_hand(variant: &str) -> PyResult<bool> {
    variant_of(variant).map(|_| false)
}

#[pyfunction]
#[pyo3(signature = (variant, fen, r#move, chess960=false, notation=0))]
fn ffish_get_san(variant: &str, fen: &str, r#move: &str, chess960: bool, notation: i64) -> PyResult<String> {
    let _ = chess960;
    let played = start(variant, fen)?;
    played.name(played.read(r#move)?, notation)
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false, notation=0))]
fn ffish_get_san_moves(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
    notation: i64,
) -> PyResult<Vec<String>> {
    let _ = chess960;
    let mut played = start(variant, fen)?;
    let mut names = Vec::with_capacity(movelist.len());
    for text in movelist.iter() {
        let mv = played.read(&text.cast::<PyString>()?.to_cow()?)?;
        names.push(played.name(mv, notation)?);
        played.push(mv);
    }
    Ok(names)
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_legal_moves<'py>(
    variant: &str,
    fen: &str,
    movelist: &Bound<'py, PyList>,
    chess960: bool,
) -> PyResult<Bound<'py, PyList>> {
    let _ = chess960;
    let py = movelist.py();
    let moves = play(variant, fen, movelist)?.position.legal_moves();
    PyList::new(py, moves.into_iter().map(|mv| text(py, mv)))
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false, sfen=false, show_promoted=false, count_started=0))]
fn ffish_get_fen(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
    sfen: bool,
    show_promoted: bool,
    count_started: i32,
) -> PyResult<String> {
    let _ = chess960;
    let mut played = play(variant, fen, movelist)?;
    played.count_since(count_started);
    let position = &played.position;
    let fen = if show_promoted { marked_fen(position, played.promoted) } else { position.to_string() };
    if !sfen {
        return Ok(fen);
    }
    // The Japanese form: the side that began is Black, and plies are numbered from 1.
    let board = fen.split(' ').next().unwrap_or_default();
    let side = if position.side_to_move() == Color::White { 'b' } else { 'w' };
    Ok(format!("{board} {side} - {}", position.game_ply() + 1))
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_gives_check(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
) -> PyResult<bool> {
    let _ = chess960;
    Ok(play(variant, fen, movelist)?.position.in_check())
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, r#move, chess960=false))]
fn ffish_is_capture(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    r#move: &str,
    chess960: bool,
) -> PyResult<bool> {
    let _ = chess960;
    let played = play(variant, fen, movelist)?;
    let mv = played.read(r#move)?;
    Ok(played.position.is_capture(mv))
}

/// Captured pieces go to nobody.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_piece_to_partner(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
) -> PyResult<String> {
    let _ = chess960;
    play(variant, fen, movelist).map(|_| String::new())
}

/// The value of a finished game for the side to move: mated or drawn.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_game_result(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
) -> PyResult<i32> {
    let _ = chess960;
    let position = play(variant, fen, movelist)?.position;
    Ok(if position.in_check() && !position.has_legal_move() { -VALUE_MATE } else { 0 })
}

/// Only variants with goals of their own end at once.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_is_immediate_game_end(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
) -> PyResult<(bool, i32)> {
    let _ = chess960;
    play(variant, fen, movelist).map(|_| (false, 0))
}

/// Whether a repetition or the count draws the game.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false, count_started=0))]
fn ffish_is_optional_game_end(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
    count_started: i32,
) -> PyResult<(bool, i32)> {
    let _ = chess960;
    let mut played = play(variant, fen, movelist)?;
    played.count_since(count_started);
    let position = &played.position;
    let window = position.reversible_plies();
    let earlier = played.keys.iter().rev().skip(1).take(window);
    let is_third = earlier.filter(|&&key| key == position.key()).count() >= 2;
    let is_expired = position.count().is_expired() && (!position.in_check() || position.has_legal_move());
    Ok((is_third || is_expired, 0))
}

#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960=false))]
fn ffish_has_insufficient_material(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyList>,
    chess960: bool,
) -> PyResult<(bool, bool)> {
    let _ = chess960;
    let position = play(variant, fen, movelist)?.position;
    Ok((cannot_win_by_pyffish(&position, Color::White), cannot_win_by_pyffish(&position, Color::Black)))
}

#[pyfunction]
#[pyo3(signature = (fen, variant, chess960=false))]
fn ffish_validate_fen(fen: &str, variant: &str, chess960: bool) -> PyResult<i32> {
    let _ = chess960;
    let rules = rules(variant)?;
    if fen.is_empty() {
        return Ok(0);
    }
    let checked = parse(fen).and_then(|fen| fen.position(rules));
    Ok(checked.map_or_else(|error| code(fen, &error), |_| FEN_OK))
}

/// Pyffish's code of a fault. It looks at the letters of the board before the ranks.
fn code(fen: &str, error: &FenError) -> i32 {
    let board = fen.split_ascii_whitespace().next().unwrap_or_default();
    let is_known = |letter: char| {
        letter.is_ascii_digit() || "/~".contains(letter) || Piece::from_letter(letter).is_some()
    };
    match error {
        FenError::RankLength { .. } | FenError::RankCount { .. } if !board.chars().all(is_known) => -10,
        FenError::UnknownPiece { letter, .. } if letter.is_ascii_digit() => -8,
        FenError::Number { field: "move number", .. } => -1,
        FenError::Number { field: "counting limit" | "second count", .. } | FenError::CountOwner { .. } => {
            -14
        }
        FenError::Number { .. } => -2,
        FenError::Invalid { error: SetupError::KhunCount { .. } } => -3,
        FenError::SideToMove { .. } => -6,
        FenError::Rights { .. } => -7,
        FenError::Empty | FenError::RankLength { .. } | FenError::RankCount { .. } => -8,
        FenError::Invalid { error: SetupError::KhunCapturable { .. } } => -9,
        FenError::TrailingText { .. } => -11,
        FenError::StrayPromotionMark { .. } => -12,
        _ => -10,
    }
}

#[pyfunction]
#[pyo3(signature = (fen, variant, chess960=false))]
fn ffish_get_fog_fen(fen: &str, variant: &str, chess960: bool) -> PyResult<String> {
    let _ = (fen, chess960);
    rules(variant)?;
    Err(PyNotImplementedError::new_err("no variant of this package is played in the fog"))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ffish_version, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_info, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_variants, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_set_option, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_load_variant_config, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_start_fen, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_two_boards, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_captures_to_hand, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_get_san, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_get_san_moves, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_get_fen, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_gives_check, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_is_capture, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_piece_to_partner, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_game_result, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_is_immediate_game_end, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_is_optional_game_end, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_has_insufficient_material, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_validate_fen, module)?)?;
    module.add_function(wrap_pyfunction!(ffish_get_fog_fen, module)?)
}
