//! The rules: a game with its moves, outcome and count.

use std::ffi::c_char;

use sakmak_movegen::{
    Color, CountError, CountKind, DrawReason, Game, Move, Notation, Outcome, Rules, Ruleset, SpokenCount,
    Variant,
};

use crate::SakmakHandle;
use crate::border::{self, Failure, SakmakError, guard, guard_with};
use crate::handles::{self, with_game};

/// How a game stands, see sakmak_game_outcome.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types, missing_docs)]
pub enum SakmakOutcome {
    SAKMAK_ONGOING = 0,
    SAKMAK_WHITE_WINS = 1,
    SAKMAK_BLACK_WINS = 2,
    SAKMAK_STALEMATE = 3,
    /// The bare khun was not mated in time.
    SAKMAK_PIECES_HONOUR = 4,
    /// No mate in time after the last bia had gone.
    SAKMAK_BOARD_HONOUR = 5,
    /// The side that was counting mated, which only draws under some rules.
    SAKMAK_COUNTER_MATED = 6,
    SAKMAK_REPETITION = 7,
    SAKMAK_DEAD_MATERIAL = 8,
    SAKMAK_FIFTY_MOVES = 9,
    /// A draw for another reason, which sakmak_game_outcome_text names.
    SAKMAK_OTHER_DRAW = 10,
}

/// How moves are written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum SakmakNotation {
    /// `b1d2`, `e5f6m`.
    SAKMAK_UCI = 0,
    /// `Nd2`, `exf6=M`.
    SAKMAK_SAN = 1,
    /// Thai letters and digits.
    SAKMAK_THAI_SAN = 2,
}

/// The count of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SakmakCount {
    /// 0: nothing is counted, and all other fields are 0; 1: the board's honour; 2: the pieces' honour.
    pub honour: i32,
    /// The number last spoken, in moves.
    pub number: i32,
    /// The number at which the game is drawn, in moves.
    pub limit: i32,
    /// The side that has to mate: 0 is White, 1 Black.
    pub attacker: i32,
    /// Moves that side has left.
    pub moves_left: i32,
}

fn side(color: Color) -> i32 {
    i32::from(color == Color::Black)
}

fn value<T: std::str::FromStr>(name: Option<&str>, default: T, names: &[&str]) -> Result<T, Failure> {
    let Some(name) = name else { return Ok(default) };
    let unknown = |_| {
        let text = format!("'{name}' is not one of {}", names.join(", "));
        Failure::new(SakmakError::SAKMAK_ERROR_RULES, text)
    };
    name.parse().map_err(unknown)
}

/// A legal move in coordinates, SAN or Thai SAN.
fn legal_move(game: &Game, text: &str) -> Result<Move, Failure> {
    let position = game.position();
    if let Ok(mv) = position.parse_move(text)
        && position.is_legal(mv)
    {
        return Ok(mv);
    }
    let read = |notation: Notation| notation.read(position, text, game.promoted());
    let read = read(Notation::San).or_else(|error| read(Notation::ThaiSan).map_err(|_| error));
    read.map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_MOVE, error))
}

/// Writes what `text` makes of a game into a buffer.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
unsafe fn write(
    game: SakmakHandle,
    buffer: *mut c_char,
    size: usize,
    text: impl FnOnce(&mut Game) -> Result<String, Failure>,
) -> i32 {
    guard(game, || {
        let text = with_game(game, text)?;
        // SAFETY: by the contract of this function.
        Ok(unsafe { border::write(&text, buffer, size) })
    })
}

/// A game from a FEN, or from the start position if `fen` is NULL. `variant` is "makruk", "cambodian" or "makpong";
/// `ruleset` is one of those in docs/rules.md; NULL for the defaults. Returns 0 if one of them is wrong.
///
/// # Safety
/// Each text is NULL, or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_new(
    fen: *const c_char,
    variant: *const c_char,
    ruleset: *const c_char,
) -> SakmakHandle {
    guard_with(
        0,
        |_| 0,
        || {
            // SAFETY: by the contract of this function.
            let (fen, variant, ruleset) = unsafe {
                (
                    border::optional_text(fen)?,
                    border::optional_text(variant)?,
                    border::optional_text(ruleset)?,
                )
            };
            let variant = value(variant, Variant::default(), Variant::NAMES)?;
            let rules = Rules::new(variant, value(ruleset, Ruleset::default(), Ruleset::NAMES)?);
            let game = match fen {
                None => Game::new(rules),
                Some(fen) => Game::from_fen(fen, rules)
                    .map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_FEN, error))?,
            };
            Ok(handles::add_game(game))
        },
    )
}

/// Writes the FEN of the position.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_fen(game: SakmakHandle, buffer: *mut c_char, size: usize) -> i32 {
    // SAFETY: by the contract of this function.
    unsafe { write(game, buffer, size, |game| Ok(game.position().to_string())) }
}

/// The side to move: 0 is White, 1 Black.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_turn(game: SakmakHandle) -> i32 {
    guard(game, || with_game(game, |game| Ok(side(game.position().side_to_move()))))
}

/// Writes the legal moves in UCI coordinates, with spaces between them.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_moves(game: SakmakHandle, buffer: *mut c_char, size: usize) -> i32 {
    let moves = |game: &mut Game| {
        let moves = game.position().legal_moves();
        Ok(moves.into_iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "))
    };
    // SAFETY: by the contract of this function.
    unsafe { write(game, buffer, size, moves) }
}

/// Makes a move given in UCI coordinates, SAN or Thai SAN. Moves after the end of the game are accepted.
///
/// # Safety
/// `text` is NULL, or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_play(game: SakmakHandle, text: *const c_char) -> i32 {
    guard(game, || {
        // SAFETY: by the contract of this function.
        let text = unsafe { border::text(text, "the move") }?;
        with_game(game, |game| {
            game.play_unchecked(legal_move(game, text)?);
            Ok(0)
        })
    })
}

/// Takes back the last move, and what the players did about the count since.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_undo(game: SakmakHandle) -> i32 {
    let none = || Failure::new(SakmakError::SAKMAK_ERROR_MOVE, "there is no move to take back");
    guard(game, || with_game(game, |game| game.take_back().map(|_| 0).ok_or_else(none)))
}

/// Writes a legal move, given in UCI coordinates, SAN or Thai SAN, in a SakmakNotation.
///
/// # Safety
/// `text` is NULL, or ends with NUL; `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_move_name(
    game: SakmakHandle,
    text: *const c_char,
    notation: i32,
    buffer: *mut c_char,
    size: usize,
) -> i32 {
    guard(game, || {
        // SAFETY: by the contract of this function.
        let text = unsafe { border::text(text, "the move") }?;
        let notation = match notation {
            0 => Notation::Coordinates,
            1 => Notation::San,
            2 => Notation::ThaiSan,
            other => {
                let text = format!("{other} is no notation");
                return Err(Failure::new(SakmakError::SAKMAK_ERROR_RULES, text));
            }
        };
        let name = with_game(game, |game| Ok(game.name(notation, legal_move(game, text)?)))?;
        // SAFETY: by the contract of this function.
        Ok(unsafe { border::write(&name, buffer, size) })
    })
}

/// 1 if the side to move is in check, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_in_check(game: SakmakHandle) -> i32 {
    guard(game, || with_game(game, |game| Ok(i32::from(game.position().in_check()))))
}

/// The first end of the game, a SakmakOutcome.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_outcome(game: SakmakHandle) -> i32 {
    guard(game, || with_game(game, |game| Ok(outcome(game.outcome()) as i32)))
}

fn outcome(outcome: Option<Outcome>) -> SakmakOutcome {
    use SakmakOutcome::*;
    let Some(outcome) = outcome else { return SAKMAK_ONGOING };
    match outcome {
        Outcome::Win(Color::White) => SAKMAK_WHITE_WINS,
        Outcome::Win(Color::Black) => SAKMAK_BLACK_WINS,
        Outcome::Draw(DrawReason::Stalemate) => SAKMAK_STALEMATE,
        Outcome::Draw(DrawReason::PiecesHonour) => SAKMAK_PIECES_HONOUR,
        Outcome::Draw(DrawReason::BoardHonour) => SAKMAK_BOARD_HONOUR,
        Outcome::Draw(DrawReason::CounterMated) => SAKMAK_COUNTER_MATED,
        Outcome::Draw(DrawReason::Repetition) => SAKMAK_REPETITION,
        Outcome::Draw(DrawReason::DeadMaterial) => SAKMAK_DEAD_MATERIAL,
        Outcome::Draw(DrawReason::FiftyMoves) => SAKMAK_FIFTY_MOVES,
        // A reason of a later version of the rules.
        Outcome::Draw(_) => SAKMAK_OTHER_DRAW,
    }
}

/// Writes the first end of the game in words, such as "draw (repetition)"; "ongoing" before it.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_outcome_text(
    game: SakmakHandle,
    buffer: *mut c_char,
    size: usize,
) -> i32 {
    let text =
        |game: &mut Game| Ok(game.outcome().map_or("ongoing".to_owned(), |outcome| outcome.to_string()));
    // SAFETY: by the contract of this function.
    unsafe { write(game, buffer, size, text) }
}

/// Fills in the count of the position.
///
/// # Safety
/// `count` is NULL, or points to a SakmakCount.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_count(game: SakmakHandle, count: *mut SakmakCount) -> i32 {
    guard(game, || {
        let spoken = with_game(game, |game| Ok(SpokenCount::new(game.position())))?;
        let mut result = SakmakCount::default();
        if let (Some((kind, number)), Some((attacker, left)), Some(limit)) =
            (spoken.spoken(), spoken.moves_left(), spoken.limit())
        {
            result = SakmakCount {
                honour: if kind == CountKind::Board { 1 } else { 2 },
                number: i32::from(number),
                limit: i32::from(limit),
                attacker: side(attacker),
                moves_left: i32::from(left),
            };
        }
        if count.is_null() {
            return Err(border::null("count"));
        }
        // SAFETY: not NULL, so by the contract of this function it points to a `SakmakCount`, which has no destructor.
        unsafe { count.write(result) };
        Ok(0)
    })
}

/// What a player does about the count.
fn count_word<T>(game: SakmakHandle, act: fn(&mut Game) -> Result<T, CountError>) -> i32 {
    guard(game, || {
        with_game(game, |game| {
            act(game).map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_COUNT, error))?;
            Ok(0)
        })
    })
}

/// The side to move starts to count, where the rules let it.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_start_count(game: SakmakHandle) -> i32 {
    count_word(game, Game::start_count)
}

/// The side to move stops its count, where the rules let it.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_stop_count(game: SakmakHandle) -> i32 {
    count_word(game, Game::stop_count)
}

/// The side to move claims the draw of a count that has run out, where draws must be claimed.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_game_claim_draw(game: SakmakHandle) -> i32 {
    count_word(game, Game::claim_draw)
}
