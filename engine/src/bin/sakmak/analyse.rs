//! The command `analyse`: positions searched one after the other, printed for people or as JSON.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use sakmak_engine::args::whole;
use sakmak_engine::score::Score;
use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo};
use sakmak_movegen::{Move, Rules, Ruleset, Variant};
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
    Analysis(Analysis),
    Fault {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        input: String,
        error: String,
    },
}

/// The fields are described in `docs/analyse.md`.
#[derive(Serialize)]
struct Analysis {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    fen: String,
    outcome: Option<String>,
    bestmove: Option<String>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<Line>,
}

/// One of the best lines.
#[derive(Serialize)]
struct Line {
    multipv: usize,
    depth: u32,
    seldepth: u32,
    #[serde(serialize_with = "score_object")]
    score: Score,
    wdl: [u32; 3],
    pv: Vec<String>,
}

/// `{"cp": 25}` or `{"mate": 3}`.
fn score_object<S: serde::Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    let (unit, value) = match *score {
        Score::Centipawns(value) => ("cp", value),
        Score::Mate(moves) => ("mate", moves),
    };
    serializer.collect_map([(unit, value)])
}

/// Forwards the reports of a search.
struct Reports(Sender<SearchReport>);

enum SearchReport {
    Line(Box<SearchInfo>),
    Warning(String),
    Best(Option<Move>),
}

impl Reports {
    fn send(&self, report: SearchReport) {
        // The receiver waits for the best move, which is the last.
        let _ = self.0.send(report);
    }
}

impl Listener for Reports {
    fn info(&mut self, info: &SearchInfo) {
        self.send(SearchReport::Line(Box::new(info.clone())));
    }

    fn warn(&mut self, message: &str) {
        self.send(SearchReport::Warning(message.to_owned()));
    }

    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.send(SearchReport::Best(best));
    }
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
            Report::Analysis(analysis) if !self.json => print(&analysis.text())?,
            Report::Analysis(_) => {}
        }
        if self.json {
            print(&(serde_json::to_string(&report)? + "\n"))?;
        }
        Ok(matches!(report, Report::Analysis(_)))
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
            Ok(analysis) => Report::Analysis(Analysis { line, ..analysis }),
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
        // The result must not depend on earlier positions.
        engine.new_game();
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
        let (sender, reports) = channel();
        let refusals = engine.go(self.limits(), Reports(sender));
        for refusal in refusals {
            warn(&format!("warning: {refusal}"));
        }
        // The last report of each line, by rank.
        let mut infos: Vec<SearchInfo> = Vec::new();
        let mut bestmove = None;
        for report in reports {
            match report {
                SearchReport::Line(info) => {
                    infos.retain(|other| other.multi_pv != info.multi_pv);
                    infos.push(*info);
                }
                SearchReport::Warning(message) => warn(&format!("warning: {message}")),
                SearchReport::Best(best) => bestmove = best,
            }
        }
        infos.sort_by_key(|info| info.multi_pv);
        ensure!(bestmove.is_some() || !engine.position().has_legal_move(), "the search found no move");
        let last = infos.iter().max_by_key(|info| info.nodes);
        Ok(Analysis {
            line: None,
            fen: engine.position().to_string(),
            outcome: engine.outcome().map(|outcome| outcome.to_string()),
            bestmove: bestmove.map(|mv| mv.to_string()),
            depth: infos.first().map_or(0, |info| info.depth),
            nodes: last.map_or(0, |info| info.nodes),
            time_ms: last.map_or(0, |info| u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX)),
            lines: infos.iter().map(Line::new).collect(),
        })
    }

    fn limits(&self) -> Limits {
        let (depth, move_time) = (self.depth, self.movetime.map(Duration::from_millis));
        let is_limited = depth.is_some() || move_time.is_some();
        let nodes = self.nodes.or((!is_limited).then_some(DEFAULT_NODES));
        Limits { depth, nodes, move_time, ..Limits::default() }
    }
}

impl Line {
    fn new(info: &SearchInfo) -> Self {
        Self {
            multipv: info.multi_pv,
            depth: info.depth,
            seldepth: info.seldepth,
            score: info.score,
            wdl: info.win_draw_loss,
            pv: info.line.iter().map(|mv| mv.to_string()).collect(),
        }
    }
}

impl Analysis {
    /// The output for people, with an empty line at the end.
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.fen);
        if let Some(outcome) = &self.outcome {
            let _ = writeln!(text, "Outcome: {outcome}");
        }
        if let Some(best) = &self.bestmove {
            let seconds = self.time_ms as f64 / 1_000.0;
            let _ = writeln!(
                text,
                "Best move: {best} (depth {}, {} nodes, {seconds:.1} s; scores for the side to move)",
                self.depth, self.nodes
            );
        }
        for line in &self.lines {
            let score = match line.score {
                Score::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
                Score::Mate(moves @ 1..) => format!("mate in {moves}"),
                Score::Mate(moves) => format!("mated in {}", -moves),
            };
            let _ = writeln!(text, "{:>3}. {score:>6}  {}", line.multipv, line.pv.join(" "));
        }
        text + "\n"
    }
}
