//! Parses a line of text into a command.

use std::time::Duration;

use sakmak_movegen::{Move, clip};

use crate::protocol::whole_number;
use crate::time::{Limits, time_of_gui};

/// A parsed line from the GUI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UciCommand {
    /// A blank line, or a command without effect (`debug`, `register`).
    Nothing,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position {
        /// `None` for the start position.
        fen: Option<String>,
        /// Moves, with count words among them.
        moves: Moves,
        /// Deviations from the protocol.
        warnings: Vec<String>,
    },
    Go(Go),
    Perft(u32),
    Stop,
    PonderHit,
    Display,
    Eval,
    Flip,
    Bench(Option<u32>),
    Help,
    Quit,
    /// `xboard` or `protover`: switches to XBoard's protocol.
    XBoard,
}

/// The moves of a `position` command: one string, split when iterated.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Moves(String);

impl<'a> IntoIterator for &'a Moves {
    type Item = &'a str;
    type IntoIter = std::str::SplitAsciiWhitespace<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.split_ascii_whitespace()
    }
}

/// A `go` command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) limits: Limits,
    /// Not yet checked against the position.
    pub(super) search_moves: Vec<Move>,
    /// Parts that were not understood and ignored.
    pub(super) warnings: Vec<String>,
}

/// Why a line is no valid command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UciCommandError {
    #[error("unknown command '{0}' (help lists the commands)")]
    Unknown(String),
    #[error("setoption without 'name NAME'")]
    OptionName,
    #[error("position: expected startpos or fen, not '{0}'")]
    Position(String),
    #[error("{0}: '{1}' is not a number from {2} to {3}")]
    Number(&'static str, String, u32, u32),
}

/// Largest perft depth accepted.
const MAX_PERFT: u32 = 64;

impl UciCommand {
    pub(super) fn parse(line: &str) -> Result<Self, UciCommandError> {
        let mut words = line.split_ascii_whitespace();
        let Some(command) = words.next() else { return Ok(Self::Nothing) };
        Ok(match command {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => set_option(words)?,
            "position" => position(words)?,
            "go" => go(words)?,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" | "exit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "flip" => Self::Flip,
            "bench" => Self::Bench(match words.next() {
                Some(text) => Some(number("bench", text, 1, 127)?),
                None => None,
            }),
            "help" => Self::Help,
            "xboard" | "protover" => Self::XBoard,
            "debug" | "register" => Self::Nothing,
            other => return Err(UciCommandError::Unknown(clip(other))),
        })
    }
}

fn number(what: &'static str, text: &str, min: u32, max: u32) -> Result<u32, UciCommandError> {
    text.parse()
        .ok()
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| UciCommandError::Number(what, clip(text), min, max))
}

fn set_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<UciCommand, UciCommandError> {
    if words.next() != Some("name") {
        return Err(UciCommandError::OptionName);
    }
    let mut name = Vec::new();
    let mut value: Option<Vec<&str>> = None;
    for word in words {
        match &mut value {
            Some(value) => value.push(word),
            None if word == "value" => value = Some(Vec::new()),
            None => name.push(word),
        }
    }
    if name.is_empty() {
        return Err(UciCommandError::OptionName);
    }
    Ok(UciCommand::SetOption { name: name.join(" "), value: value.map(|words| words.join(" ")) })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<UciCommand, UciCommandError> {
    let startpos = match words.next() {
        Some("startpos") => true,
        Some("fen") => false,
        other => return Err(UciCommandError::Position(clip(other.unwrap_or_default()))),
    };
    let words: Vec<_> = words.collect();
    let mut warnings = Vec::new();
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => {
            // The word `moves` is missing: no field of a FEN looks like a move.
            let is_move = |word: &&str| startpos || Move::parse(word).is_ok();
            let at = words.iter().position(is_move).unwrap_or(words.len());
            if let Some(first) = words.get(at) {
                warnings.push(format!("position: 'moves' is missing before '{}'", clip(first)));
            }
            words.split_at(at)
        }
    };
    if startpos && !start.is_empty() {
        warnings.push(format!("position startpos: '{}' before 'moves' ignored", clip(&start.join(" "))));
    }
    let fen = (!startpos).then(|| start.join(" "));
    Ok(UciCommand::Position { fen, moves: Moves(moves.join(" ")), warnings })
}

/// The words of `go` that take a number.
const NUMBERED: [&str; 9] =
    ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"];
const WORDS: [&str; 4] = ["infinite", "ponder", "searchmoves", "perft"];

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<UciCommand, UciCommandError> {
    let mut go = Go::default();
    // Words with an unreadable number, and whether a limit was meant.
    let (mut unread, mut is_limited) = (Vec::new(), false);
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let limits = &mut go.limits;
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                // The list ends at the next word that is no move.
                while let Some(mv) = words.peek().and_then(|word| Move::parse(word).ok()) {
                    go.search_moves.push(mv);
                    words.next();
                }
            }
            "perft" => {
                return number("go perft", words.next().unwrap_or_default(), 0, MAX_PERFT)
                    .map(UciCommand::Perft);
            }
            _ if NUMBERED.contains(&word) => {
                is_limited = true;
                // If the number is missing, the next word of `go` is not taken for it.
                let text = words.next_if(|next| !NUMBERED.contains(next) && !WORDS.contains(next));
                let text = text.unwrap_or_default();
                match whole_number(text) {
                    Some(value) => set_limit(limits, word, value),
                    None => unread.push(format!("go {word}: '{}' is not a number", clip(text))),
                }
            }
            other => {
                // Perhaps the number of an unknown limit.
                is_limited |= whole_number(other).is_some();
                go.warnings.push(format!("go: unknown word '{}'; ignored", clip(other)));
            }
        }
    }
    let limits = &mut go.limits;
    // A GUI that sent a limit waits for a move and may never send `stop`.
    let at_once = !limits.infinite && (!unread.is_empty() || is_limited && !limits.has_end());
    if at_once {
        limits.move_time = Some(Duration::ZERO);
        if unread.is_empty() {
            go.warnings.push("go: no limit that ends a search; answering at once".to_owned());
        }
    }
    let what_now = if at_once { "answering at once" } else { "ignored" };
    go.warnings.extend(unread.iter().map(|fault| format!("{fault}; {what_now}")));
    Ok(UciCommand::Go(go))
}

/// Sets the limit of a word of `go` with its number.
fn set_limit(limits: &mut Limits, word: &str, value: i64) {
    let small = value.clamp(1, i64::from(u32::MAX)) as u32;
    match word {
        "wtime" => limits.clock[0] = Some(value),
        "btime" => limits.clock[1] = Some(value),
        "winc" => limits.increment[0] = time_of_gui(value),
        "binc" => limits.increment[1] = time_of_gui(value),
        // `movestogo 0` means that none are announced.
        "movestogo" => limits.moves_to_go = (value > 0).then_some(small),
        "depth" => limits.depth = Some(small),
        "nodes" => limits.nodes = Some(value.max(1) as u64),
        "mate" => limits.mate = Some(small),
        _ => limits.move_time = Some(time_of_gui(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_of(line: &str) -> Go {
        match UciCommand::parse(line) {
            Ok(UciCommand::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn clocks_and_limits() {
        let go = go_of(
            "go wtime 100 btime -5 winc 1 binc 2 movestogo 40 depth 3 nodes 7 mate 2 movetime 9 ponder",
        );
        let limits = go.limits;
        assert_eq!(
            (limits.clock, limits.increment),
            ([Some(100), Some(-5)], [1, 2].map(Duration::from_millis))
        );
        assert_eq!((limits.moves_to_go, limits.depth, limits.nodes), (Some(40), Some(3), Some(7)));
        assert_eq!(
            (limits.mate, limits.move_time, limits.ponder, limits.infinite),
            (Some(2), Some(Duration::from_millis(9)), true, false)
        );
        assert!(go_of("go").warnings.is_empty());
    }

    #[test]
    fn huge_numbers_are_as_large_as_they_get() {
        let go = go_of(
            "go wtime 99999999999999999999999 btime -99999999999999999999999 depth 99999999999999999999",
        );
        assert_eq!(go.limits.clock, [Some(i64::MAX), Some(i64::MIN)]);
        assert_eq!((go.limits.depth, go.warnings.len()), (Some(u32::MAX), 0));
        assert_eq!(go_of("go wtime 9999999999999999999999x").warnings.len(), 1);
    }

    #[test]
    fn fractions_are_cut() {
        let go = go_of("go wtime 300.5 btime -300.5 winc .9 binc +7. depth 3.0 nodes 1e3");
        assert_eq!(
            (go.limits.clock, go.limits.increment),
            ([Some(300), Some(-300)], [0, 7].map(Duration::from_millis))
        );
        assert_eq!((go.limits.depth, go.limits.nodes), (Some(3), None));
        assert_eq!(go_of("go movetime 100.0").limits.move_time, Some(Duration::from_millis(100)));
        assert!(go_of("go movetime 100.0").warnings.is_empty());
        for text in [".", "-", "1.2.3", "1,5", "0x10", "NaN", "inf", "1.-5", "--1", "\u{e51}"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
        assert_eq!(whole_number("-99999999999999999999.5"), Some(i64::MIN));
    }

    /// A limit that cannot be read ends the search, too.
    #[test]
    fn a_limit_that_cannot_be_read_is_answered_at_once() {
        for line in NUMBERED.iter().flat_map(|word| {
            ["", "x", "1e3", "300,5"].map(|number| format!("go {word} {number}")).into_iter()
        }) {
            let go = go_of(&line);
            assert_eq!(
                (go.limits.move_time, go.warnings.len()),
                (Some(Duration::ZERO), 1),
                "{line}: {:?}",
                go.warnings
            );
            assert!(go.warnings[0].ends_with("answering at once"), "{line}: {:?}", go.warnings);
            let go = go_of(&format!("{line} infinite"));
            assert!(go.limits.infinite && go.limits.move_time.is_none() && go.warnings.len() == 1, "{line}");
        }
        for line in ["go winc 5", "go movestogo 40", "go movetimes 100", "go 100", "go wtime x btime 9999"] {
            assert_eq!(go_of(line).limits.move_time, Some(Duration::ZERO), "{line}");
        }
        for line in ["go", "go ponder", "go searchmoves a3a4", "go fast", "go btime 5", "go mate 2"] {
            assert_eq!(go_of(line).limits.move_time, None, "{line}");
        }
        // The next word is not taken for the missing number.
        let go = go_of("go wtime btime 300");
        assert_eq!((go.limits.clock, go.warnings.len()), ([None, Some(300)], 1));
    }

    #[test]
    fn searchmoves_stand_anywhere() {
        for line in ["go depth 4 searchmoves a3a4 h3h4", "go searchmoves a3a4 h3h4 depth 4"] {
            let go = go_of(line);
            assert_eq!((go.search_moves.len(), go.limits.depth), (2, Some(4)), "{line}");
        }
    }

    #[test]
    fn nonsense_is_named_and_left_out() {
        assert_eq!(go_of("go depth x movetime 5 fast").warnings.len(), 2);
        assert_eq!(go_of("go nodes").warnings.len(), 1);
        assert_eq!(
            go_of("go movetime 5 depth 99999999999999999999").limits.move_time,
            Some(Duration::from_millis(5))
        );
        assert_eq!(go_of("go movetime 5 depth x").limits.move_time, Some(Duration::ZERO));
        // Negative times count as none.
        let go = go_of("go movetime -5 winc -5");
        assert_eq!((go.limits.move_time, go.limits.increment), (Some(Duration::ZERO), [Duration::ZERO; 2]));
        assert!(UciCommand::parse("go perft x").is_err());
        assert!(UciCommand::parse("xyzzy go infinite").is_err());
        assert_eq!(UciCommand::parse("setoption"), Err(UciCommandError::OptionName));
        assert_eq!(UciCommand::parse("setoption name"), Err(UciCommandError::OptionName));
        assert_eq!(UciCommand::parse(" \t\r\n"), Ok(UciCommand::Nothing));
    }

    #[test]
    fn options_and_positions_keep_their_words() {
        assert_eq!(
            UciCommand::parse("setoption name Clear Hash"),
            Ok(UciCommand::SetOption { name: "Clear Hash".into(), value: None })
        );
        assert_eq!(
            UciCommand::parse("setoption  name Threads value "),
            Ok(UciCommand::SetOption { name: "Threads".into(), value: Some(String::new()) })
        );
        assert_eq!(
            UciCommand::parse("position fen 8/8 w - -  moves a1a2 a3a4 \r"),
            Ok(UciCommand::Position {
                fen: Some("8/8 w - -".into()),
                moves: Moves("a1a2 a3a4".into()),
                warnings: Vec::new()
            })
        );
        assert_eq!(
            UciCommand::parse("position startpos moves"),
            Ok(UciCommand::Position { fen: None, moves: Moves::default(), warnings: Vec::new() })
        );
        assert_eq!(
            UciCommand::parse("position fen 8/8 w - - 0 1 a1a2 a3a4"),
            Ok(UciCommand::Position {
                fen: Some("8/8 w - - 0 1".into()),
                moves: Moves("a1a2 a3a4".into()),
                warnings: vec!["position: 'moves' is missing before 'a1a2'".into()]
            })
        );
    }
}
