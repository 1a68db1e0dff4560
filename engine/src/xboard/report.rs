//! The engine's output in XBoard's protocol: features, PVs, results.

use std::fmt::Write;

use sakmak_movegen::{Color, Outcome, Rules, Variant};

use crate::options::{AnnouncedKind, Options};
use crate::protocol::NAME;
use crate::score::Score;
use crate::search::SearchInfo;

/// The engine's features, see XBoard's `engine-intf.html`. `done=1` ends the list.
const FEATURES: &str = "\
feature done=0
feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1
feature analyze=1 colors=0 ics=1 name=1 pause=1 nps=1 debug=1 memory=1 smp=1 exclude=0";

/// Options with commands of their own (`memory`, `cores`, `variant`, `hard`, `analyze`), or without a use here.
const NOT_ANNOUNCED: [&str; 6] =
    ["Hash", "Threads", "UCI_Variant", "Ponder", "UCI_AnalyseMode", "UCI_ShowWDL"];

/// The option that lets the engine resign, which UCI does not have: name, default and range.
pub(super) const RESIGN: &str = "Resign";

/// The answer to `protover`.
pub(super) fn features() -> String {
    let mut text = format!("{FEATURES}\nfeature myname=\"{NAME}\"\n");
    let _ = writeln!(text, "feature variants=\"{}\"", Variant::NAMES.join(","));
    for (name, kind) in Options::announced() {
        if !NOT_ANNOUNCED.contains(&name) {
            let _ = writeln!(text, "feature option=\"{name} {}\"", option_type(name, &kind));
        }
    }
    let _ = writeln!(text, "feature option=\"{RESIGN} -check 0\"");
    text + "feature done=1"
}

/// Type, default and range of an option.
fn option_type(name: &str, kind: &AnnouncedKind) -> String {
    match kind {
        AnnouncedKind::Check(default) => format!("-check {}", u8::from(*default)),
        AnnouncedKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        // A star marks the present value.
        AnnouncedKind::Combo(names) => format!("-combo *{}", names.join(" /// ")),
        AnnouncedKind::Text if name.ends_with("File") => "-file ".to_owned(),
        AnnouncedKind::Text if name.ends_with("Path") => "-path ".to_owned(),
        AnnouncedKind::Text => "-string ".to_owned(),
        AnnouncedKind::Button => "-button".to_owned(),
    }
}

/// The board and the piece moves of a variant that XBoard does not know; `None` for Makruk.
///
/// Letters are those of XBoard's table for Makruk, moves are in Betza's notation; `i` marks a first move of a piece.
pub(super) fn setup(rules: &Rules, start: &str) -> Option<String> {
    let [met, khun] = match rules.play.variant {
        Variant::Cambodian => ["FifD", "KismN"],
        Variant::Makpong => ["F", "K"],
        _ => return None,
    };
    Some(format!(
        "setup (PN.R.M....SKpn.r.m....sk) 8x8+0_makruk {start}\n\
         piece P& fmWfceF\npiece N& N\npiece R& R\npiece S& FfW\npiece M& {met}\npiece K& {khun}"
    ))
}

/// The line of a PV: depth, score, centiseconds, nodes, seldepth, nodes per second, tablebase hits, moves.
pub(super) fn thinking(info: &SearchInfo) -> String {
    let score = match info.score {
        Score::Centipawns(score) => score,
        Score::Mate(moves @ 1..) => 100_000 + moves,
        Score::Mate(moves) => -100_000 + moves,
    };
    let micros = info.time.as_micros();
    let nps = u128::from(info.nodes) * 1_000_000 / micros.max(1);
    let line: Vec<_> = info.line.iter().map(|mv| mv.to_string()).collect();
    format!(
        "{} {score} {} {} {} {nps} {}\t{}",
        info.depth,
        micros / 10_000,
        info.nodes,
        info.seldepth,
        info.tb_hits,
        line.join(" ")
    )
}

/// The result of a game that has ended.
pub(super) fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(Color::White) => "1-0 {White mates}".to_owned(),
        Outcome::Win(Color::Black) => "0-1 {Black mates}".to_owned(),
        Outcome::Draw(reason) => format!("1/2-1/2 {{Draw by {reason}}}"),
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::DrawReason;

    use super::*;

    #[test]
    fn features_announce_variants_and_options() {
        let text = features();
        assert!(text.starts_with("feature done=0\n") && text.ends_with("\nfeature done=1"));
        assert!(text.contains("\nfeature variants=\"makruk,cambodian,makpong"), "{text}");
        assert!(text.contains("\nfeature option=\"Skill Level -spin 20 -20 20\"\n"), "{text}");
        assert!(text.contains("\nfeature option=\"Ruleset -combo *fairy-stockfish /// cutechess /// "));
        assert!(text.contains("\nfeature option=\"UCI_LimitStrength -check 0\"\n"));
        assert!(text.contains("\nfeature option=\"Clear Hash -button\"\n"));
        assert!(text.contains("\nfeature option=\"EvalFile -file \"\n"));
        assert!(!text.contains("Hash -spin") && !text.contains("Threads"));
        // XBoard reads each line into a buffer.
        assert!(text.lines().all(|line| line.len() < 250), "{text}");
    }

    #[test]
    fn results_name_their_reason() {
        assert_eq!(result(Outcome::Win(Color::Black)), "0-1 {Black mates}");
        let draw = Outcome::Draw(DrawReason::PiecesHonour);
        assert_eq!(result(draw), "1/2-1/2 {Draw by pieces' honour}");
    }
}
