//! The command `analyse`: positions searched one after the other, printed for people or as JSON.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use sakmak_engine::analysis::Analysis;
use sakmak_engine::args::whole;
use sakmak_engine::score::Score;
use sakmak_engine::{Engine, EngineSettings, Limits};
use sakmak_movegen::{Rules, Ruleset, Variant};
use serde::Serialize;

use crate::cli::print;
use crate::perft::{ruleset_parser, variant_parser};

/// Nodes of a search without another limit: about a second, with the same result each time.
const DEFAULT_NODES: u64 = 1_000_000;

#[derive(Args)]
pub(crate) struct Analyse {
    /// The position, or `startpos`. Without it, each line of standard input has one: `FEN [moves M ...]`
    #[arg(long)]
    fen: Option<String>,
    /// Moves to make first, such as e3e4 or a5a6m
    #[arg(long, num_args = 1.., requires = "fen")]
    moves: Vec<String>,
    /// Search to depth DEPTH, in plies
    #[arg(long, value_parser = whole::<u32>(1..))]
    depth: Option<u32>,
    /// Search NODES nodes [default: 1000000 without another limit]
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Search for MS milliseconds
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..))]
    movetime: Option<u64>,
    /// Number of best lines to print
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=500))]
    multipv: u16,
    /// Print one line of JSON for each position
    #[arg(long)]
    json: bool,
    /// The variant
    #[arg(long, default_value_t, value_parser = variant_parser())]
    variant: Variant,
    /// The ruleset, named by its source
    #[arg(long, default_value_t, value_parser = ruleset_parser())]
    ruleset: Ruleset,
    /// Parts of the rules that differ from the ruleset, such as "Repetition=none CountClaim=manual"
    #[arg(long, default_value = "", hide_default_value = true)]
    rule_parts: String,
    /// Search threads; with more than one the result varies
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = whole::<u32>(1..=33_554_432))]
    hash: u32,
}

/// The output for a position: its analysis, or an error.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Analysis {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        #[serde(flatten)]
        analysis: Analysis,
    },
    Fault {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        input: String,
        error: String,
    },
}

impl Analyse {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let rules = Rules::new(self.variant, self.ruleset)
            .with_parts(&self.rule_parts)
            .map_err(|fault| anyhow!("--rule-parts: {fault}"))?;
        let settings = EngineSettings {
            threads: usize::from(self.threads),
            hash_mb: self.hash as usize,
            multi_pv: usize::from(self.multipv),
            move_overhead: Duration::ZERO,
            rules,
            ..EngineSettings::default()
        };
        let mut engine = Engine::new(settings)?;
        if let Some(fen) = &self.fen {
            let moves: Vec<_> = self.moves.iter().flat_map(|moves| moves.split_ascii_whitespace()).collect();
            let is_sound = self.report(&mut engine, None, fen, &moves)?;
            return Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let mut code = ExitCode::SUCCESS;
        let (mut input, mut bytes) = (io::stdin().lock(), Vec::new());
        for number in 1.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes).context("cannot read standard input")? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let mut words = text.split_ascii_whitespace();
            let fen: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
            if !self.report(&mut engine, Some(number), &fen.join(" "), &words.collect::<Vec<_>>())? {
                code = ExitCode::FAILURE;
            }
        }
        Ok(code)
    }

    /// Analyses a position and prints the result; returns `false` if the position is invalid.
    fn report(&self, engine: &mut Engine, line: Option<usize>, fen: &str, moves: &[&str]) -> Result<bool> {
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        let warn = |message: &str| {
            let _ = writeln!(io::stderr(), "{place}{message}");
        };
        let report = self.analyse(engine, line, fen, moves, &warn);
        match &report {
            Report::Fault { error, .. } => warn(&format!("error: {error}")),
            Report::Analysis { analysis, .. } if !self.json => print(&text(analysis))?,
            Report::Analysis { .. } => {}
        }
        if self.json {
            print(&(serde_json::to_string(&report)? + "\n"))?;
        }
        Ok(matches!(report, Report::Analysis { .. }))
    }

    fn analyse(
        &self,
        engine: &mut Engine,
        line: Option<usize>,
        fen: &str,
        moves: &[&str],
        warn: &dyn Fn(&str),
    ) -> Report {
        match self.search(engine, fen, moves, warn) {
            Ok(analysis) => Report::Analysis { line, analysis },
            Err(error) => {
                let moves =
                    if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
                Report::Fault { line, input: fen.to_owned() + &moves, error: format!("{error:#}") }
            }
        }
    }

    fn search(
        &self,
        engine: &mut Engine,
        fen: &str,
        moves: &[&str],
        warn: &dyn Fn(&str),
    ) -> Result<Analysis> {
        let fen = Some(fen).filter(|&fen| fen != "startpos");
        let refused = engine.set_game(fen, moves.iter().copied());
        if let Some(error) = refused.into_iter().next() {
            return Err(match error {
                sakmak_engine::GameError::Fen(error) => error.into(),
                other => anyhow!(other),
            });
        }
        for disputed in engine.disputed_moves() {
            warn(&format!("warning: {disputed}"));
        }
        Ok(Analysis::of(engine, self.limits(), &mut |message| warn(&format!("warning: {message}")))?)
    }

    fn limits(&self) -> Limits {
        let (depth, move_time) = (self.depth, self.movetime.map(Duration::from_millis));
        let is_limited = depth.is_some() || move_time.is_some();
        let nodes = self.nodes.or((!is_limited).then_some(DEFAULT_NODES));
        Limits { depth, nodes, move_time, ..Limits::default() }
    }
}

/// The output for people, with an empty line at the end.
fn text(analysis: &Analysis) -> String {
    let mut text = format!("{}\n", analysis.fen);
    if let Some(outcome) = &analysis.outcome {
        let _ = writeln!(text, "Outcome: {outcome}");
    }
    if let Some(best) = &analysis.bestmove {
        let seconds = analysis.time_ms.unwrap_or(0) as f64 / 1_000.0;
        let _ = writeln!(
            text,
            "Best move: {best} (depth {}, {} nodes, {seconds:.1} s; scores for the side to move)",
            analysis.depth, analysis.nodes
        );
    }
    for line in &analysis.lines {
        let score = match line.score {
            Score::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
            Score::Mate(moves @ 1..) => format!("mate in {moves}"),
            Score::Mate(moves) => format!("mated in {}", -moves),
        };
        let _ = writeln!(text, "{:>3}. {score:>6}  {}", line.multipv, line.pv.join(" "));
    }
    text + "\n"
}
