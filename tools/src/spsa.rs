//! Finds better numbers for the search by games: the command `sakmak-tools spsa`.

mod course;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use sakmak_movegen::{Color, Game, Rules};
use sakmak_tools::output::{self, OutputFile};
use sakmak_tools::pgn::PgnResult;
use sakmak_tools::tournament::play::{Conditions, Played, Player, Unplayed, play};
use sakmak_tools::tournament::process::{Engine, Patience};
use sakmak_tools::tournament::schedule::{Format, Schedule};
use sakmak_tools::tournament::spec::{
    Adjudication, DrawRule, EngineSpec, Limits, ResignRule, Shard, TimeControl,
};

use crate::duel::{openings, stop_on_signals};
use course::{Course, Parameter};

/// Tune spin options of an engine by games against itself
///
/// Simultaneous perturbation stochastic approximation (Spall): each iteration moves all parameters a little
/// up or down at random, plays a pair of games between that and the opposite, and steps towards the winner.
/// Sakmak has its search's numbers as options if built with `--features tune`.
#[derive(Args)]
pub(crate) struct Spsa {
    /// The engine, as for `match`
    #[arg(long, value_name = "SPEC")]
    engine: EngineSpec,
    /// A parameter and how far it is moved in the last iteration: NAME or NAME=STEP; a twentieth of its range
    /// if not given
    #[arg(long = "param", value_name = "NAME=STEP", required = true)]
    parameters: Vec<String>,
    /// Iterations, each a pair of games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Gain of the last iteration: a pair won moves a parameter by twice so many of its steps
    #[arg(long, default_value_t = 0.02)]
    rate: f64,
    /// Keep the course there, as JSON; a new file unless --resume is given
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the course in that file
    #[arg(long)]
    resume: bool,
    /// Positions to search for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Clock of each side in seconds: 8+0.08
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Milliseconds by which a move may overstep its time
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Openings: a file of FEN or EPD lines; without it Sakmak's own 500
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of all choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Call a game drawn when both scores stay small
    #[arg(long, value_name = "RULE", default_value = "move=40,count=8,score=10")]
    draw: DrawRule,
    /// Call a game lost when both scores say so
    #[arg(long, value_name = "RULE", default_value = "count=4,score=600")]
    resign: ResignRule,
    /// Call a game drawn after so many moves
    #[arg(long, value_name = "MOVES", default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
}

/// How often the course is told and written.
const RENEWAL: Duration = Duration::from_secs(20);

impl Spsa {
    /// Does what the command line says.
    ///
    /// # Errors
    /// If files cannot be read or written, or the engine cannot be started or is at fault.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let limits = Limits { clock: self.tc, nodes: self.nodes, ..Limits::default() };
        ensure!(
            !self.engine.limits.or(limits).is_empty(),
            "how long may the engine think? (--nodes, --tc, or in --engine)"
        );
        ensure!(self.rate > 0.0 && self.rate.is_finite(), "--rate must be above 0");
        let rules = Rules::default();
        let (_, openings) = openings(self.openings.as_deref(), rules)?;
        let conditions = Conditions {
            rules,
            limits,
            margin: self.margin,
            adjudication: Adjudication {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            },
            patience: Patience::default(),
            longest_move: Duration::from_secs(600),
        };
        let course = if self.resume && self.out.exists() {
            OutputFile::replace(&self.out, "")?;
            self.resumed(&self.out)?
        } else {
            let file = OutputFile::create(&self.out).map_err(|error| {
                if self.out.is_file() { error.context("--resume goes on with a course") } else { error }
            })?;
            let course = Course::new(self.parameters(&conditions)?, self.iterations, self.rate, self.seed);
            file.write(&text(&course)?)?;
            course
        };
        let whole = Shard { index: 1, of: 1 };
        let schedule =
            Schedule::new(Format::RoundRobin, 2, self.iterations, openings.len(), Some(self.seed), whole);
        let games = Games { spec: &self.engine, schedule, openings: &openings, conditions: &conditions };
        let course = self.play(course, &games)?;
        output::print(&course.to_string())?;
        Ok(ExitCode::SUCCESS)
    }

    fn resumed(&self, path: &Path) -> Result<Course> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| name.to_string())?;
        let mut course: Course =
            serde_json::from_str(&text).with_context(|| format!("{name} is not a course"))?;
        ensure!(course.is_sound(), "{name} is damaged");
        let wanted: Vec<_> = self.parameters.iter().map(|text| named(text).0).collect();
        let found: Vec<_> = course.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        ensure!(wanted == found, "{name} is about other parameters: {}", found.join(", "));
        course.iterations = self.iterations;
        Ok(course)
    }

    /// The parameters as the engine announces them.
    fn parameters(&self, conditions: &Conditions) -> Result<Vec<Parameter>> {
        let rules = conditions.rules;
        let (variant, ruleset) = (rules.variant.name(), rules.ruleset.name());
        let engine = Engine::start(&self.engine, variant, ruleset, conditions.patience)
            .map_err(|(fault, lines)| anyhow!("the engine {fault}\n{}", lines.join("\n")))?;
        let parameter = |text: &String| {
            let (name, step) = named(text);
            let spin = engine.spin(name).with_context(|| format!("the engine has no spin option {name}"))?;
            let chosen = self.engine.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
            let start = match chosen {
                Some((_, value)) => value.parse().with_context(|| format!("{name} {value}"))?,
                None => spin.default as f64,
            };
            let step = match step {
                Some(step) => step.parse::<f64>().ok().filter(|step| *step > 0.0),
                None => Some((spin.most - spin.least) as f64 / 20.0),
            };
            let step = step.with_context(|| format!("--param {text}: the step must be a number above 0"))?;
            Ok(Parameter {
                name: name.to_owned(),
                start,
                value: start,
                least: spin.least as f64,
                most: spin.most as f64,
                step,
            })
        };
        self.parameters.iter().map(parameter).collect()
    }

    /// Plays all iterations that are left, or until interrupted.
    fn play(&self, course: Course, games: &Games) -> Result<Course> {
        let stop = stop_on_signals()?;
        let next = AtomicU64::new(course.done + 1);
        let course = Mutex::new(course);
        let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        let work = || {
            let mut told = Instant::now();
            while !stop.load(Relaxed) {
                let number = next.fetch_add(1, Relaxed);
                let trial = {
                    let course = course.lock().unwrap_or_else(PoisonError::into_inner);
                    if number > course.iterations {
                        return Ok(());
                    }
                    course.trial(number)
                };
                let Some(points) = games.pair(number, &course::named_values(&trial), &stop)? else {
                    return Ok(());
                };
                let mut course = course.lock().unwrap_or_else(PoisonError::into_inner);
                course.learn(&trial, points);
                if told.elapsed() >= RENEWAL || course.done == course.iterations {
                    told = Instant::now();
                    self.save(&course)?;
                    output::print(&format!("{}\n", course.line()))?;
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let fail = |error: anyhow::Error| {
                    stop.store(true, Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                };
                let thread = Builder::new().spawn_scoped(scope, move || work().unwrap_or_else(fail));
                if let Err(error) = thread {
                    fail(anyhow::Error::from(error).context("cannot start a thread"));
                }
            }
        });
        let course = course.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.save(&course)?;
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(course),
        }
    }

    fn save(&self, course: &Course) -> Result<()> {
        // The file is ours since the beginning.
        OutputFile::replace(&self.out, "")?.write(&text(course)?)
    }
}

/// A course as its file holds it.
fn text(course: &Course) -> Result<String> {
    Ok(serde_json::to_string_pretty(course)? + "\n")
}

/// Name and step of a parameter on the command line.
fn named(text: &str) -> (&str, Option<&str>) {
    text.split_once('=').map_or((text, None), |(name, step)| (name, Some(step)))
}

/// What every game is played with.
struct Games<'a> {
    spec: &'a EngineSpec,
    schedule: Schedule,
    openings: &'a [Game],
    conditions: &'a Conditions,
}

impl Games<'_> {
    /// Plays a pair between two sets of options: the games the first won less those it lost; nothing if stopped.
    fn pair(
        &self,
        number: u64,
        options: &[Vec<(String, String)>; 2],
        stop: &AtomicBool,
    ) -> Result<Option<i32>> {
        let mut players = ["plus", "minus"].into_iter().zip(options).map(|(name, options)| {
            let mut spec = self.spec.clone();
            spec.options
                .retain(|(name, _)| options.iter().all(|(other, _)| !name.eq_ignore_ascii_case(other)));
            spec.options.extend_from_slice(options);
            Player::new(spec, name.to_owned())
        });
        let (Some(plus), Some(minus)) = (players.next(), players.next()) else { return Ok(None) };
        let mut players = [plus, minus];
        let mut points = 0;
        for task in self.schedule.tasks().skip(2 * (number as usize - 1)).take(2) {
            let [plus, minus] = &mut players;
            let (two, sign) = match task.first_color {
                Color::White => ([plus, minus], 1),
                Color::Black => ([minus, plus], -1),
            };
            let played = match play(task.number, two, &self.openings[task.opening], self.conditions, stop) {
                Ok(played) => played,
                Err(Unplayed::Stopped) => return Ok(None),
                Err(Unplayed::NoEngine(name, fault, lines)) => {
                    return Err(anyhow!("{name} {fault}\n{}", lines.join("\n")));
                }
            };
            for fault in &played.faults {
                // The game counts all the same, whoever reads this.
                let _ = writeln!(io::stderr(), "pair {number}: {} {}", fault.engine, fault.fault);
            }
            points += sign * white_points(&played);
        }
        Ok(Some(points))
    }
}

/// 1 if White won, -1 if Black did.
fn white_points(played: &Played) -> i32 {
    match played.result {
        PgnResult::WhiteWins => 1,
        PgnResult::BlackWins => -1,
        PgnResult::Draw | PgnResult::Unknown => 0,
    }
}
