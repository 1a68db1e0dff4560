//! The command `spsa`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::output::{OutputError, OutputFile};
use sakmak_matches::spsa::{Spsa, SpsaEvent, SpsaState, announced_parameters};
use sakmak_matches::tournament::play::GameSettings;
use sakmak_matches::tournament::process::Timeouts;
use sakmak_matches::tournament::schedule::{Schedule, TournamentFormat};
use sakmak_matches::tournament::spec::{
    Adjudication, DrawRule, EngineLimits, EngineSpec, ResignRule, Shard, TimeControl,
};
use sakmak_movegen::Rules;

use super::args::{not_negative, whole};
use super::matches::{openings, stop_on_signals};
use super::stdout::{print, warn};

/// Tune spin options of an engine by games against itself
///
/// Simultaneous perturbation stochastic approximation (Spall): each iteration perturbs all parameters at random, plays
/// a pair of games between that perturbation and the opposite one, and steps towards the winner. Sakmak built with
/// `--features tune` has its search parameters as options.
#[derive(Args)]
pub(crate) struct SpsaArgs {
    /// The engine, described as for `match`
    #[arg(long, value_name = "SPEC")]
    engine: EngineSpec,
    /// A parameter and its perturbation in the last iteration: NAME=STEP, or NAME with a step of 1/20 of its range;
    /// NAME=LOW..HIGH starts in the middle, with steps to LOW and HIGH
    #[arg(long = "param", value_name = "NAME=STEP", required = true)]
    parameters: Vec<String>,
    /// Iterations, each a pair of games
    #[arg(long, value_parser = whole::<u64>(1..))]
    iterations: u64,
    /// Gain of the last iteration: a won pair moves a parameter by 2 * RATE steps. 0 moves nothing and measures the
    /// value plus the step against the value minus the step
    #[arg(long, default_value_t = 0.02, value_parser = not_negative)]
    rate: f64,
    /// File for the state of the tuning, in JSON; a new file unless --resume is given
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume with the state in --out
    #[arg(long)]
    resume: bool,
    /// Nodes for each move
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Clock of each side in seconds: 8+0.08
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Milliseconds by which a move may exceed its time
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole::<u64>(..))]
    margin: u64,
    /// File of openings, with lines of FEN or EPD [default: Sakmak's own 500]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Pairs played in parallel
    #[arg(long, default_value_t = 1, value_parser = whole::<usize>(1..=1024))]
    concurrency: usize,
    /// Adjudicate draws, as for `match`
    #[arg(long, value_name = "RULE", default_value = "move=40,count=8,score=10")]
    draw: DrawRule,
    /// Adjudicate losses, as for `match`
    #[arg(long, value_name = "RULE", default_value = "count=4,score=600")]
    resign: ResignRule,
    /// Adjudicate a draw after MOVES moves
    #[arg(long, value_name = "MOVES", default_value_t = 150, value_parser = whole::<u32>(1..))]
    max_moves: u32,
}

impl SpsaArgs {
    /// Tunes until all iterations are played or a signal comes.
    ///
    /// # Errors
    /// If files cannot be read or written, or the engine fails.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let limits = EngineLimits { clock: self.tc, nodes: self.nodes, ..EngineLimits::default() };
        ensure!(
            !self.engine.limits.or(limits).is_empty(),
            "how long may the engine think? (--nodes, --tc, or in --engine)"
        );
        let rules = Rules::default();
        let (_, openings) = openings(self.openings.as_deref(), rules)?;
        let settings = GameSettings {
            rules,
            limits,
            margin: self.margin,
            adjudication: Adjudication {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            },
            tablebases: Tablebases::default(),
            timeouts: Timeouts::default(),
            longest_move: Duration::from_secs(600),
        };
        let (file, state) = self.state(&settings)?;
        let whole = Shard { index: 1, of: 1 };
        let format = TournamentFormat::RoundRobin;
        let schedule = Schedule::new(format, 2, self.iterations, openings.len(), Some(self.seed), whole);
        let spsa = Spsa {
            engine: &self.engine,
            schedule,
            openings: &openings,
            settings: &settings,
            concurrency: self.concurrency,
            file: &file,
        };
        let state = spsa.run(state, &*stop_on_signals()?, |event| match event {
            SpsaEvent::State(state) => print(&format!("{}\n", state.line())),
            SpsaEvent::EngineError(pair, error) => {
                warn(format_args!("pair {pair}: {} {}", error.engine, error.fault));
                Ok(())
            }
        })?;
        print(&state.to_string())?;
        Ok(ExitCode::SUCCESS)
    }

    /// The claimed output file, and the state to start from: a new one, or with --resume that of the file.
    fn state(&self, settings: &GameSettings) -> Result<(OutputFile, SpsaState)> {
        let name = || self.out.display().to_string();
        if self.resume && self.out.exists() {
            let file = OutputFile::replace(&self.out, "")?;
            let state = SpsaState::read(&self.out, &self.parameters, self.iterations).with_context(name)?;
            return Ok((file, state));
        }
        let file = match OutputFile::create(&self.out) {
            Err(error @ OutputError::Exists { .. }) => {
                return Err(error).context("--resume goes on with the tuning in the file");
            }
            file => file?,
        };
        let parameters = announced_parameters(&self.engine, &self.parameters, settings)?;
        let state = SpsaState::new(parameters, self.iterations, self.rate, self.seed);
        state.write(&file)?;
        Ok((file, state))
    }
}
