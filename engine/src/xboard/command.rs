//! Parses a line of XBoard's protocol into a command.

use crate::protocol::whole_number;

/// A parsed line from the GUI.
#[derive(Debug, PartialEq)]
pub(super) enum XBoardCommand {
    /// A blank line, a comment, or a command without effect here.
    Nothing,
    /// The protocol begins; the GUI asks for the engine's features.
    ProtocolVersion,
    New,
    Variant(String),
    SetBoard(String),
    Undo,
    /// Take back two moves.
    Remove,
    Force,
    Go,
    PlayOther,
    Level(TimeControl),
    /// Milliseconds for each move.
    MoveTime(i64),
    /// Largest depth, in plies.
    Depth(u32),
    /// Nodes that count as a second; 0 for real time.
    NodeRate(u64),
    /// The engine's clock in milliseconds.
    Time(i64),
    /// The opponent's clock in milliseconds.
    OpponentTime(i64),
    /// Pondering on or off.
    Ponder(bool),
    /// Print PVs, or not.
    Post(bool),
    Analyze,
    /// Report the progress of the analysis.
    Status,
    /// End of the analysis.
    Exit,
    Hint,
    Result,
    /// The opponent offers a draw.
    Draw,
    Book,
    Pause,
    Resume,
    /// Size of the transposition table in MiB.
    Memory(String),
    /// Number of search threads.
    Cores(String),
    Option {
        name: String,
        value: Option<String>,
    },
    Ping(String),
    MoveNow,
    /// A move, or a count word.
    Move(String),
    Quit,
}

/// A time control. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeControl {
    /// Moves per time control; 0 for the whole game.
    pub(super) moves: u32,
    /// Time at the beginning.
    pub(super) base: i64,
    /// Added after each move.
    pub(super) increment: i64,
}

impl TimeControl {
    /// The time that a side gains with its last move, the increment aside, after which it has made so many.
    pub(super) fn refill(&self, made: u32) -> i64 {
        if self.moves > 0 && made.is_multiple_of(self.moves) { self.base } else { 0 }
    }
}

/// Why a line is no valid command. XBoard expects `Error (REASON): LINE`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum XBoardCommandError {
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    #[error("Error ({0}): {1}")]
    Argument(&'static str, String),
}

/// Count words: moves by which the engine's opponent counts by hand, as in our UCI.
const COUNT_WORDS: [&str; 3] = ["count-start", COUNT_STOP, "count-claim"];
/// Count word by which the side to move stops its count.
pub(super) const COUNT_STOP: &str = "count-stop";

/// Commands that this engine ignores.
const WITHOUT_EFFECT: [&str; 9] =
    ["xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "egtpath"];

impl XBoardCommand {
    pub(super) fn parse(line: &str) -> Result<Self, XBoardCommandError> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let argument = |reason| XBoardCommandError::Argument(reason, clip(line));
        let number = || whole_number(rest).ok_or_else(|| argument("not a number"));
        // Clocks are in hundredths of a second.
        let clock = || milliseconds(rest, 10.0).ok_or_else(|| argument("not a number"));
        Ok(match command {
            "protover" => Self::ProtocolVersion,
            "new" => Self::New,
            "variant" => Self::Variant(rest.to_owned()),
            "setboard" => Self::SetBoard(rest.to_owned()),
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "level" => Self::Level(level(rest).ok_or_else(|| argument("expected MOVES BASE INCREMENT"))?),
            "st" => Self::MoveTime(seconds(rest).ok_or_else(|| argument("not a time"))?),
            "sd" => Self::Depth(u32::try_from(number()?.max(1)).unwrap_or(u32::MAX)),
            "nps" => Self::NodeRate(u64::try_from(number()?).unwrap_or(0)),
            "time" => Self::Time(clock()?),
            "otim" => Self::OpponentTime(clock()?),
            "hard" => Self::Ponder(true),
            "easy" => Self::Ponder(false),
            "post" => Self::Post(true),
            "nopost" => Self::Post(false),
            "analyze" | "analyse" => Self::Analyze,
            "." => Self::Status,
            "exit" => Self::Exit,
            "hint" => Self::Hint,
            "result" => Self::Result,
            "draw" => Self::Draw,
            "bk" => Self::Book,
            "pause" => Self::Pause,
            "resume" => Self::Resume,
            "memory" => Self::Memory(rest.to_owned()),
            "cores" => Self::Cores(rest.to_owned()),
            "option" => {
                let (name, value) = match rest.split_once('=') {
                    Some((name, value)) => (name, Some(value.trim().to_owned())),
                    None => (rest, None),
                };
                if name.is_empty() {
                    return Err(argument("expected NAME=VALUE"));
                }
                Self::Option { name: name.trim().to_owned(), value }
            }
            "ping" => Self::Ping(rest.to_owned()),
            "?" => Self::MoveNow,
            "quit" => Self::Quit,
            "usermove" => Self::Move(rest.to_owned()),
            "" => Self::Nothing,
            _ if command.starts_with('#') || WITHOUT_EFFECT.contains(&command) => Self::Nothing,
            _ if COUNT_WORDS.contains(&command) || sakmak_movegen::Move::parse(command).is_ok() => {
                Self::Move(command.to_owned())
            }
            _ => return Err(XBoardCommandError::Unknown(clip(line))),
        })
    }

    /// Whether the text is a count word rather than a move.
    pub(super) fn is_count_word(text: &str) -> bool {
        COUNT_WORDS.contains(&text)
    }
}

/// The beginning of a wrong line, to quote in an error.
fn clip(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Converts a number to whole milliseconds; `unit` is the length of its unit in milliseconds.
fn milliseconds(text: &str, unit: f64) -> Option<i64> {
    let total = text.parse::<f64>().ok()? * unit;
    // Casting from float saturates.
    total.is_finite().then_some(total as i64)
}

/// Milliseconds of `SECONDS`, possibly with a fraction, or `MINUTES:SECONDS`.
fn seconds(text: &str) -> Option<i64> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let total = milliseconds(minutes, 60_000.0)?.saturating_add(milliseconds(seconds, 1_000.0)?);
    (total >= 0).then_some(total)
}

/// The time control of `MOVES MINUTES[:SECONDS] INCREMENT`.
fn level(text: &str) -> Option<TimeControl> {
    let mut words = text.split_ascii_whitespace();
    let moves = u32::try_from(whole_number(words.next()?)?).ok()?;
    let base = words.next()?;
    // Without a colon the number is minutes.
    let base = if base.contains(':') { seconds(base)? } else { seconds(&format!("{base}:0"))? };
    let increment = seconds(words.next()?)?;
    words.next().is_none().then_some(TimeControl { moves, base, increment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_in_all_forms() {
        let level = |line: &str| match XBoardCommand::parse(line) {
            Ok(XBoardCommand::Level(TimeControl { moves, base, increment })) => {
                Some((moves, base, increment))
            }
            _ => None,
        };
        assert_eq!(level("level 40 5 0"), Some((40, 300_000, 0)));
        assert_eq!(level("level 40 0:30 0"), Some((40, 30_000, 0)));
        assert_eq!(level("level 0 2 12"), Some((0, 120_000, 12_000)));
        assert_eq!(level("level 0 0:03 0.03"), Some((0, 3_000, 30)));
        assert_eq!(level("level 0 0.5 1"), Some((0, 30_000, 1_000)));
        for wrong in [
            "level",
            "level 40",
            "level 40 5",
            "level x 5 0",
            "level 0 5 0 0",
            "level 0 -5 0",
            "level 0 inf 0",
        ] {
            let error = XBoardCommand::parse(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("Error (expected MOVES BASE INCREMENT): {wrong}"));
        }
        assert_eq!(XBoardCommand::parse("st 2.5"), Ok(XBoardCommand::MoveTime(2_500)));
        assert_eq!(XBoardCommand::parse("st 1:30"), Ok(XBoardCommand::MoveTime(90_000)));
        assert_eq!(XBoardCommand::parse("time -12"), Ok(XBoardCommand::Time(-120)));
        assert_eq!(XBoardCommand::parse("st 0.1239"), Ok(XBoardCommand::MoveTime(123)));
        assert_eq!(XBoardCommand::parse("time 300.59"), Ok(XBoardCommand::Time(3_005)));
        assert_eq!(XBoardCommand::parse("otim 1e300"), Ok(XBoardCommand::OpponentTime(i64::MAX)));
        assert_eq!(XBoardCommand::parse("sd 5.5"), Ok(XBoardCommand::Depth(5)));
        assert_eq!(XBoardCommand::parse("nps 1000.0"), Ok(XBoardCommand::NodeRate(1_000)));
        assert_eq!(level("level 40.0 5 0.5"), Some((40, 300_000, 500)));
        for wrong in ["st", "st -1", "st x", "time inf", "time 1,5", "sd 5,5"] {
            assert!(XBoardCommand::parse(wrong).unwrap_err().to_string().starts_with("Error (not a "));
        }
    }

    #[test]
    fn moves_with_and_without_the_word() {
        for line in ["usermove e3e4", "e3e4", " e3e4 \r"] {
            assert_eq!(XBoardCommand::parse(line), Ok(XBoardCommand::Move("e3e4".into())), "{line}");
        }
        assert_eq!(XBoardCommand::parse("e5e6m"), Ok(XBoardCommand::Move("e5e6m".into())));
        assert_eq!(XBoardCommand::parse("count-start"), Ok(XBoardCommand::Move("count-start".into())));
    }

    #[test]
    fn options_and_errors() {
        let option = |name: &str, value: Option<&str>| {
            Ok(XBoardCommand::Option { name: name.into(), value: value.map(str::to_owned) })
        };
        assert_eq!(XBoardCommand::parse("option Skill Level=3"), option("Skill Level", Some("3")));
        assert_eq!(XBoardCommand::parse("option RuleParts=A=b C=d"), option("RuleParts", Some("A=b C=d")));
        assert_eq!(XBoardCommand::parse("option Clear Hash"), option("Clear Hash", None));
        for (line, error) in [
            ("sing", "Error (unknown command): sing"),
            ("option =3", "Error (expected NAME=VALUE): option =3"),
            ("sd x", "Error (not a number): sd x"),
            ("st soon", "Error (not a time): st soon"),
            ("time", "Error (not a number): time"),
        ] {
            assert_eq!(XBoardCommand::parse(line).unwrap_err().to_string(), error);
        }
        for line in
            ["", "  ", "# a comment", "xboard", "rating 1500 2000", "ics -", "computer", "accepted ping"]
        {
            assert_eq!(XBoardCommand::parse(line), Ok(XBoardCommand::Nothing), "{line}");
        }
    }

    #[test]
    fn clocks_are_refilled_at_the_time_control() {
        let refills = |moves: u32| {
            [1, 39, 40, 41, 80].map(|made| TimeControl { moves, base: 9, increment: 1 }.refill(made))
        };
        assert_eq!(refills(40), [0, 0, 9, 0, 9]);
        assert_eq!(refills(0), [0; 5]);
        assert_eq!(refills(1), [9; 5]);
    }
}
