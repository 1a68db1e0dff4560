//! The command `count-curves`.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use sakmak_eval::network::Network;
use sakmak_eval::tablebase::Tablebases;
use sakmak_eval::{Centipawns, Evaluator};
use sakmak_movegen::{Count, Position};
use sakmak_tools::data::chart::{self, Curve};
use sakmak_tools::games::epd::records;
use sakmak_tools::output::OutputFile;

use super::stdout::{print, warn};

/// Ten endings under the board's honour.
const ENDINGS: &str = include_str!("../../data/count-endings.epd");
/// The board's honour in plies.
const LIMIT: u16 = 128;
/// Plies left in the columns of the table.
const COLUMNS: [u16; 9] = [128, 112, 96, 80, 64, 48, 32, 16, 8];

/// Draw the evaluation of endings against the plies that the count leaves
///
/// Prints a table: the evaluation for the side to move in the unit of `info score cp`, and, if an endgame table has the
/// position, how many plies its win takes. The win stands if the count leaves so many less one; the chart marks it.
#[derive(Args)]
pub(crate) struct CountCurves {
    /// File of FENs or EPD lines, named by their operation `id`; without it ten endings that come along
    positions: Option<PathBuf>,
    /// Evaluate with this network instead of the one compiled in
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Folder of endgame tables; may be given several times
    #[arg(long, value_name = "D")]
    tablebase: Vec<PathBuf>,
    /// Draw the chart as SVG; only such a file is replaced
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl CountCurves {
    /// Prints the table and draws the chart.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds something else.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let plot = self.plot.as_ref().map(|path| OutputFile::replace(path, chart::MARK)).transpose()?;
        let text = match &self.positions {
            Some(path) => std::fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => ENDINGS.to_owned(),
        };
        let mut evaluator = Evaluator::default();
        if let Some(path) = &self.network {
            let network = Network::open(path).with_context(|| path.display().to_string())?;
            evaluator.set_network(&Arc::new(network));
        }
        let (tables, errors) = Tablebases::open(&self.tablebase);
        for error in errors {
            warn(format_args!("warning: {error}"));
        }
        let mut report = format!("{:<24}", "plies left");
        for left in COLUMNS {
            let _ = write!(report, "{left:>7}");
        }
        report.push_str("   win takes\n");
        let mut curves = Vec::new();
        for record in records(&text) {
            let position =
                Position::from_fen(&record.fen).with_context(|| format!("line {}", record.line))?;
            let named = record.operations.iter().find(|(opcode, _)| *opcode == "id");
            let name = named.map_or(record.fen.as_str(), |(_, name)| name.trim_matches('"'));
            let mut eval_with = |left: u16| {
                let mut counted = position.clone();
                counted.set_count(Count::new(LIMIT, LIMIT - left));
                f64::from(Centipawns::from_internal(evaluator.evaluate(&counted)).0) / 100.0
            };
            let _ = write!(report, "{name:<24}");
            for left in COLUMNS {
                let _ = write!(report, "{:>+7.2}", eval_with(left));
            }
            let plies = tables.probe(&position).and_then(|probe| probe.uncounted.plies());
            let _ = writeln!(report, "   {}", plies.map_or("-".to_owned(), |plies| plies.to_string()));
            // The move that mates may come after the count's last ply.
            let enough = plies.map(|plies| plies.saturating_sub(1)).filter(|&left| left <= LIMIT);
            let mark = enough.map(|left| (f64::from(left), eval_with(left)));
            let points = (0..=LIMIT).map(|left| (f64::from(left), eval_with(left))).collect();
            curves.push(Curve { name: name.to_owned(), points, mark });
        }
        if curves.is_empty() {
            bail!("no position");
        }
        print(&report)?;
        if let Some(plot) = plot {
            plot.write(&chart::svg("plies left", "evaluation for the side to move", &curves))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
