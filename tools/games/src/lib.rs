//! Records of games as text: PGN, plain score sheets and EPD, read, written and replayed by the rules.
//!
//! [`begin`] takes the variant and the start position from the tags, [`play`] makes the moves of a record and of its
//! variations. Nothing here opens files.
//!
//! ```
//! use sakmak_games::pgn::PgnReader;
//! use sakmak_games::{ReadOptions, begin, play};
//!
//! let mut record = PgnReader::new("1. e4 e5 2. Nd2 *".as_bytes()).next().expect("a game")?;
//! let mut game = begin(&record.tags, &ReadOptions::default())?.expect("no variant was asked for").game;
//! play(&mut game, &mut record.moves, None, &mut |_, _, _, _| ())?;
//! assert_eq!(game.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dialect;
pub mod epd;
mod from_game;
pub mod pgn;

use sakmak_movegen::rules::{RulePartError, RuleParts};
use sakmak_movegen::{
    CountDecision, FenError, Game, Move, Notation, NotationError, Position, Rules, Ruleset, Variant, rules,
};
use thiserror::Error;

use pgn::{MAX_NESTING, Origin, PgnLine, PgnMove, PgnWarning, PgnWarningKind, Tags};

pub use dialect::{Dialect, ParseDialectError, armed_fen, position_line};
pub use from_game::start_tags;

/// The command in the comments before a move whose side stops its count first.
pub const COUNT_STOP: &str = "[%count stop]";
/// How the commands for decisions about the count begin. [`count_command`] writes them, [`obey_count`] obeys them.
const COUNT_COMMAND: &str = "[%count ";

/// The tag with the parts of the rules that differ from those of the Ruleset tag, as [`RuleParts`] are written.
pub const RULE_PARTS: &str = "RuleParts";
/// The tag with the name of the ruleset.
pub const RULESET: &str = "Ruleset";

/// The most plies of a record: far more than any game, and few enough to be replayed at once.
pub const MAX_PLIES: usize = 30_000;

/// Why the game of a record could not be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A Variant tag with an unknown name.
    #[error("unknown variant: {error}")]
    Variant {
        /// The name.
        error: rules::UnknownName,
    },
    /// The RuleParts tag.
    #[error("RuleParts tag: {error}")]
    RuleParts {
        /// What is wrong with it.
        error: RulePartError,
    },
    /// The FEN tag.
    #[error("FEN tag: {error}")]
    Fen {
        /// What is wrong with it.
        error: FenError,
    },
    /// A move.
    #[error("{}{number} {error}; FEN {fen}", if *.in_variation { "in a variation, " } else { "" })]
    Move {
        /// The line of the file.
        line: u64,
        /// The number of the move with its dots: `17.` or `17...`.
        number: String,
        /// Whether the move belongs to a variation.
        in_variation: bool,
        /// What is wrong with it.
        error: NotationError,
        /// The position before the move.
        fen: String,
    },
    /// The record has more than [`MAX_PLIES`] plies.
    #[error("more than {MAX_PLIES} plies")]
    TooLong {
        /// The line of the file.
        line: u64,
    },
    /// Variations are nested deeper than the reader allows.
    #[error("variations nested more than {MAX_NESTING} deep")]
    NestingTooDeep {
        /// The line of the file.
        line: u64,
    },
}

impl ReplayError {
    /// The line of the error, where it is known more exactly than that of the game.
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Variant { .. } | Self::RuleParts { .. } | Self::Fen { .. } => None,
            Self::Move { line, .. } | Self::TooLong { line } | Self::NestingTooDeep { line } => Some(*line),
        }
    }
}

/// The start of a game.
#[derive(Clone, Debug)]
pub struct GameStart {
    /// The game, without moves.
    pub game: Game,
    /// Whether it begins in the start position of its variant, without a count.
    pub is_default: bool,
}

/// Options for reading games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The only variant wanted; `None` leaves it to the tags.
    pub variant: Option<Variant>,
    /// The rules by which moves are legal.
    pub ruleset: Ruleset,
    /// The tags Ruleset and RuleParts count more than [`Self::ruleset`].
    pub rules_by_tags: bool,
    /// The notation of the moves; `None` recognises each move by its form.
    pub notation: Option<Notation>,
    /// Reads at most this many plies of a game.
    pub max_plies: Option<usize>,
    /// Leaves out variations.
    pub main_line_only: bool,
    /// What comes before the files, if they are parts of others.
    pub origin: Origin,
}

/// The value of a tag; `None` if it is missing or means unknown.
fn known_value<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    let is_nothing = |letter: char| letter.is_whitespace() || pgn::is_invisible(letter);
    tags.get(name)
        .map(|value| value.trim_matches(is_nothing))
        .filter(|value| !matches!(*value, "" | "?" | "-"))
}

/// The variant that the Variant tag names, in any case of letters; `None` if there is no such tag.
///
/// # Errors
/// If it names no variant that is supported.
pub fn variant_of(tags: &Tags) -> Result<Option<Variant>, ReplayError> {
    known_value(tags, "Variant")
        .map(|name| name.parse().map_err(|error| ReplayError::Variant { error }))
        .transpose()
}

/// The rules that the tags Ruleset and RuleParts name, without the variant. `ruleset` stands in for a Ruleset tag that
/// is missing or has an unknown name.
///
/// # Errors
/// If the RuleParts tag is wrong.
pub fn tagged_rules(tags: &Tags, ruleset: Ruleset) -> Result<(Ruleset, RuleParts), ReplayError> {
    let named = known_value(tags, RULESET).and_then(|name| name.parse().ok());
    let parts = known_value(tags, RULE_PARTS)
        .map(|text| text.parse().map_err(|error| ReplayError::RuleParts { error }))
        .transpose()?;
    Ok((named.unwrap_or(ruleset), parts.unwrap_or_default()))
}

/// The decisions in the comments of a record that a reader with these options obeys. All, if it plays by the rules of
/// the tags; else only `stop`: `start` and `claim` mean something by the rules of the record only.
pub fn obeyed_decisions(tags: &Tags, options: &ReadOptions) -> &'static [CountDecision] {
    let plays_by_tags = || {
        let is_known = known_value(tags, RULESET).is_none_or(|name| name.parse::<Ruleset>().is_ok());
        let variant = variant_of(tags).ok()?.unwrap_or_default();
        let (ruleset, parts) = tagged_rules(tags, options.ruleset).ok()?;
        let tagged = parts.applied_to(Rules::new(variant, ruleset));
        Some(is_known && tagged.play == Rules::new(variant, options.ruleset).play)
    };
    if options.rules_by_tags || plays_by_tags() == Some(true) {
        &CountDecision::ALL
    } else {
        &[CountDecision::Stop]
    }
}

/// Sets up the game of a record; `None` if it is of another variant than the one wanted.
///
/// A record without a FEN tag begins in the default start position whatever array the rules prefer. So does one whose
/// FEN is that position; it then gets the count and the first-move privileges of the rules.
///
/// # Errors
/// If the variant is unknown, or the FEN or the RuleParts tag cannot be read.
pub fn begin(tags: &Tags, choice: &ReadOptions) -> Result<Option<GameStart>, ReplayError> {
    let variant = match (choice.variant, variant_of(tags)) {
        (Some(wanted), Ok(None)) => wanted,
        (Some(wanted), Ok(Some(found))) if found == wanted => wanted,
        (Some(_), _) => return Ok(None),
        (None, found) => found?.unwrap_or_default(),
    };
    let (ruleset, parts) = if choice.rules_by_tags {
        tagged_rules(tags, choice.ruleset)?
    } else {
        (choice.ruleset, RuleParts::default())
    };
    let mut rules = parts.applied_to(Rules::new(variant, ruleset));
    rules.setup = rules::SetupRules { ruleset, ..rules::SetupRules::default() };
    let start = match known_value(tags, "FEN") {
        Some(fen) if !is_default_start(fen, variant) => {
            let game = Game::from_fen(fen, rules).map_err(|error| ReplayError::Fen { error })?;
            GameStart { game, is_default: false }
        }
        _ => GameStart { game: Game::new(rules), is_default: true },
    };
    Ok(Some(start))
}

/// Whether a FEN is the start position of a variant, in any form of FEN.
fn is_default_start(fen: &str, variant: Variant) -> bool {
    let rules = Rules::new(variant, Ruleset::FairyStockfish);
    // The start FENs of Cute Chess arm the count with a 0, which is the same as no count here.
    Position::from_fen_with(fen, rules).is_ok_and(|position| {
        !fen.contains('~') && position.to_string() == Position::start(rules).to_string()
    })
}

/// Makes the moves of a record and those of its variations. Call [`obey_count`] before for the comment before the first
/// move.
///
/// `visit` gets every move before it is made: the game so far, the move, its record and its depth in variations (0 for
/// the main line). It may change the record.
///
/// A variation with a move that cannot be made, such as the null move `--`, does not spoil the game: its text becomes a
/// comment of the move that holds it, and a warning is returned. `visit` has got its moves up to that one.
///
/// # Errors
/// The first move of the main line that cannot be made. The moves before it have been made.
pub fn play<V>(
    game: &mut Game,
    moves: &mut [PgnMove],
    notation: Option<Notation>,
    visit: &mut V,
) -> Result<Vec<PgnWarning>, ReplayError>
where
    V: FnMut(&Game, Move, &mut PgnMove, usize),
{
    play_obeying(game, moves, notation, &CountDecision::ALL, visit)
}

/// [`play`], which obeys only some decisions about the count: see [`obeyed_decisions`].
///
/// # Errors
/// As [`play`].
pub fn play_obeying<V>(
    game: &mut Game,
    moves: &mut [PgnMove],
    notation: Option<Notation>,
    obeyed: &[CountDecision],
    visit: &mut V,
) -> Result<Vec<PgnWarning>, ReplayError>
where
    V: FnMut(&Game, Move, &mut PgnMove, usize),
{
    let mut warnings = Vec::new();
    // Short algebraic notation reads every other one.
    play_line(game, moves, (notation.unwrap_or(Notation::San), obeyed), visit, 0, &mut warnings)?;
    Ok(warnings)
}

fn play_line<V>(
    game: &mut Game,
    moves: &mut [PgnMove],
    (notation, obeyed): (Notation, &[CountDecision]),
    visit: &mut V,
    depth: usize,
    warnings: &mut Vec<PgnWarning>,
) -> Result<(), ReplayError>
where
    V: FnMut(&Game, Move, &mut PgnMove, usize),
{
    for record in moves {
        let line = record.line;
        let mv = read_move(game, record, notation, depth)?;
        visit(game, mv, record, depth);
        if !record.variations.is_empty() && depth == MAX_NESTING {
            return Err(ReplayError::NestingTooDeep { line });
        }
        let plies = game.len();
        for mut variation in std::mem::take(&mut record.variations) {
            let played =
                play_line(game, &mut variation.moves, (notation, obeyed), visit, depth + 1, warnings);
            while game.len() > plies {
                game.take_back();
            }
            match played {
                Ok(()) => record.variations.push(variation),
                Err(error) => {
                    record.comments.push(variation_text(&variation, game.position()));
                    let kind = PgnWarningKind::Variation { reason: error.to_string() };
                    warnings.push(PgnWarning { line: error.line().unwrap_or(line), kind });
                }
            }
        }
        // A move just read is legal.
        if let Err(error) = game.play(mv) {
            debug_assert!(false, "{error}");
        }
        obey_decisions(game, &record.comments, obeyed);
    }
    Ok(())
}

/// The move of a record at the present position of a game. `depth` is that in variations, 0 for the main line.
///
/// # Errors
/// If it cannot be made, or the game has [`MAX_PLIES`] already.
pub fn read_move(
    game: &Game,
    record: &PgnMove,
    notation: Notation,
    depth: usize,
) -> Result<Move, ReplayError> {
    let (line, position) = (record.line, game.position());
    if game.len() >= MAX_PLIES {
        return Err(ReplayError::TooLong { line });
    }
    notation.read(position, &record.text, game.promoted()).map_err(|error| {
        let dots = if position.side_to_move() == sakmak_movegen::Color::White { "." } else { "..." };
        ReplayError::Move {
            line,
            number: format!("{}{dots}", position.fullmove_number()),
            in_variation: depth > 0,
            error,
            fen: position.to_string(),
        }
    })
}

/// The command in a comment for a decision about the count: `[%count start]`, `[%count stop]`, `[%count claim]`. It
/// stands behind the move before the decision, or before the first move.
pub fn count_command(decision: CountDecision) -> String {
    format!("{COUNT_COMMAND}{decision}]")
}

/// Obeys the commands of [`count_command`] in the comments before the next move, one after another, where the rules
/// allow it.
pub fn obey_count(game: &mut Game, comments: &[String]) {
    obey_decisions(game, comments, &CountDecision::ALL);
}

/// [`obey_count`] for some decisions only: see [`obeyed_decisions`].
pub fn obey_decisions(game: &mut Game, comments: &[String], obeyed: &[CountDecision]) {
    for comment in comments {
        for command in comment.split(COUNT_COMMAND).skip(1) {
            let word = command.split_once(']').map_or("", |(word, _)| word.trim());
            match word.parse() {
                // A decision that the rules do not allow changes nothing.
                Ok(decision) if obeyed.contains(&decision) => _ = game.decide(decision),
                _ => {}
            }
        }
    }
}

/// The text of a variation, for a comment.
fn variation_text(variation: &PgnLine, position: &Position) -> String {
    fn write(out: &mut Vec<String>, line: &PgnLine, first: u32) {
        // Commands for programs, such as `[%eval 0.35]`, would be taken for those of the move that gets the comment.
        let quoted = |text: &String| format!("\"{}\"", text.replace("[%", "(%"));
        out.extend(line.comment.iter().map(quoted));
        let mut interrupted = true;
        for (ply, mv) in (first..).zip(&line.moves) {
            match (ply % 2, interrupted) {
                (0, _) => out.push(format!("{}.", ply / 2)),
                (_, true) => out.push(format!("{}...", ply / 2)),
                _ => {}
            }
            out.push(mv.text.clone());
            out.extend(mv.nags.iter().map(|nag| format!("${nag}")));
            out.extend(mv.comments.iter().map(quoted));
            interrupted = !mv.comments.is_empty() || !mv.variations.is_empty();
            for variation in &mv.variations {
                out.push("(".to_owned());
                write(out, variation, ply);
                out.push(")".to_owned());
            }
        }
    }
    let black = position.side_to_move() == sakmak_movegen::Color::Black;
    let mut words = Vec::new();
    write(
        &mut words,
        variation,
        position.fullmove_number().saturating_mul(2).saturating_add(u32::from(black)),
    );
    format!("({})", words.join(" ")).replace("( ", "(").replace(" )", ")")
}

/// The name of a move in a notation. Where Thai short notation is ambiguous the long form is written: captures by a
/// khun, a khon or a promoted met look like those by the bia of some file.
pub fn move_name(game: &Game, notation: Notation, mv: Move) -> String {
    let text = game.name(notation, mv);
    let doubtful = notation == Notation::ThaiSan && text.contains('x');
    if doubtful && notation.read(game.position(), &text, game.promoted()) != Ok(mv) {
        return game.name(Notation::ThaiLan, mv);
    }
    text
}

/// The examples of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
