//! UCI's lines for the reports of a search.

use std::fmt::{self, Display};
use std::time::Duration;

use sakmak_eval::tablebase::{Probe, Value};
use sakmak_movegen::Move;

use crate::options::{AnnouncedKind, EMPTY, Options};
use crate::search::{SearchInfo, SearchProgress};
use crate::tt::Bound;

impl Display for AnnouncedKind {
    /// The part of an `option` line after `type`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(default) => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Self::Combo(names) => {
                write!(f, "combo default {}", names[0])?;
                names.iter().try_for_each(|name| write!(f, " var {name}"))
            }
            Self::Text => write!(f, "string default {EMPTY}"),
            Self::Button => f.write_str("button"),
        }
    }
}

/// The `option` lines of the answer to `uci`.
pub(super) fn announcement() -> String {
    let lines = Options::announced().into_iter();
    let lines = lines.map(|(name, kind)| format!("option name {name} type {kind}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Nodes, speed, hash fill, tablebase hits and time of an `info` line.
fn effort(nodes: u64, tb_hits: u64, permille_full: u32, time: Duration) -> String {
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    format!("nodes {nodes} nps {nps} hashfull {permille_full} tbhits {tb_hits} time {}", time.as_millis())
}

/// The `info` line of a running search: the current root move, or nodes and speed.
pub(super) fn progress(progress: &SearchProgress) -> String {
    let depth = progress.depth;
    match progress.current {
        Some((mv, number)) => format!("info depth {depth} currmove {mv} currmovenumber {number}"),
        None => {
            let SearchProgress { nodes, tb_hits, permille_full, time, .. } = *progress;
            format!("info depth {depth} {}", effort(nodes, tb_hits, permille_full, time))
        }
    }
}

/// The `info` line of a PV.
pub(super) fn info(info: &SearchInfo, show_wdl: bool) -> String {
    use std::fmt::Write;
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth, info.seldepth, info.multi_pv, info.score
    );
    match info.bound {
        Bound::Lower => text.push_str(" lowerbound"),
        Bound::Upper => text.push_str(" upperbound"),
        Bound::Exact | Bound::None => {}
    }
    if show_wdl {
        let [win, draw, loss] = info.win_draw_loss;
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(text, " {} pv", effort(info.nodes, info.tb_hits, info.permille_full, info.time));
    for mv in &info.line {
        let _ = write!(text, " {mv}");
    }
    text
}

/// The tablebase value of a position, for the side to move.
pub(super) fn table_value(probe: &Probe) -> String {
    let value = match probe.value {
        Value::Win(plies) => format!("won in {plies} plies"),
        Value::Loss(plies) => format!("lost in {plies} plies"),
        Value::Draw => "drawn".to_owned(),
    };
    let left = probe.left.map_or(String::new(), |left| format!(", {left} left by the count"));
    let goal = if probe.to_mate { "mate" } else { "mate or the move that decides" };
    let without = match probe.uncounted.plies() {
        Some(plies) if probe.value == Value::Draw => format!("; without it {goal} takes {plies}"),
        Some(_) if probe.value != Value::Draw => format!(" ({goal})"),
        _ => String::new(),
    };
    format!("Endgame table: {value}{left}{without}")
}

/// The `bestmove` line; before it the line that stops the count, if the engine does so before its move.
pub(super) fn best_move(best: Option<Move>, ponder: Option<Move>, stops_count: bool) -> String {
    let stop = if stops_count { "info string count-stop\n" } else { "" };
    match (best, ponder) {
        (Some(best), Some(ponder)) => format!("{stop}bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("{stop}bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_announced_with_their_defaults() {
        let text = announcement();
        assert!(text.starts_with(
            "option name UCI_Variant type combo default makruk var makruk var cambodian var makpong\n\
             option name Hash"
        ));
        assert!(text.contains(
            "\noption name Ruleset type combo default fairy-stockfish var fairy-stockfish var cutechess"
        ));
        assert!(text.contains("\noption name RuleParts type string default <empty>"));
        assert!(text.contains("\noption name Hash type spin default 64 min 1 max "));
        assert!(text.contains("\noption name Clear Hash type button\n"));
    }
}
