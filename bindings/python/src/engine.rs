//! The engine: searches in threads of their own, whose reports Python fetches one by one.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sakmak_engine::score::Score;
use sakmak_engine::skill::{MAX_ELO, MIN_ELO, Skill};
use sakmak_engine::tt::Bound as ScoreBound;
use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo, uci};
use sakmak_eval::network::Network;
use sakmak_movegen::Move;

use crate::board::Board;
use crate::tablebase::{PyTablebases, dtm_tables};
use crate::types::PyMove;

/// How often a waiting call looks at signals.
const PATIENCE: Duration = Duration::from_millis(50);
const MAX_THREADS: usize = 512;
const MAX_LINES: usize = 500;

/// A report of a search.
enum Report {
    Info(Box<SearchInfo>),
    Warning(String),
    Answer(Option<Move>, Option<Move>),
}

struct Reporter(Sender<Report>);

impl Listener for Reporter {
    fn info(&mut self, info: &SearchInfo) {
        let _ = self.0.send(Report::Info(Box::new(info.clone())));
    }

    fn warn(&mut self, message: &str) {
        let _ = self.0.send(Report::Warning(message.to_owned()));
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let _ = self.0.send(Report::Answer(best, ponder));
    }
}

/// The engine and the number of its last search, so that an older one does not stop it.
struct Shared {
    engine: Engine,
    search: u64,
}

#[pyclass(name = "NativeEngine", module = "sakmak", frozen)]
pub(crate) struct NativeEngine {
    shared: Arc<Mutex<Shared>>,
}

/// The limits as numbers; times are in seconds.
#[derive(FromPyObject)]
struct PyLimits {
    #[pyo3(item)]
    depth: Option<u32>,
    #[pyo3(item)]
    nodes: Option<u64>,
    #[pyo3(item)]
    time: Option<f64>,
    #[pyo3(item)]
    mate: Option<u32>,
    #[pyo3(item)]
    clock: [Option<f64>; 2],
    #[pyo3(item)]
    increment: [Option<f64>; 2],
    #[pyo3(item)]
    moves_to_go: Option<u32>,
}

fn milliseconds(seconds: f64) -> PyResult<i64> {
    let rounded = (seconds * 1000.0).round();
    if !(0.0..=1e15).contains(&rounded) {
        return Err(PyValueError::new_err(format!("{seconds} is no time in seconds")));
    }
    Ok(rounded as i64)
}

fn duration(seconds: f64) -> PyResult<Duration> {
    Ok(Duration::from_millis(milliseconds(seconds)?.unsigned_abs()))
}

impl PyLimits {
    fn limits(&self) -> PyResult<Limits> {
        let is_limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.time.is_some()
            || self.mate.is_some()
            || self.clock.iter().any(Option::is_some);
        let clock = self.clock.map(|left| left.map(milliseconds).transpose());
        let increment = self.increment.map(|added| duration(added.unwrap_or(0.0)));
        let ([white, black], [white_adds, black_adds]) = (clock, increment);
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time.map(duration).transpose()?,
            mate: self.mate,
            clock: [white?, black?],
            increment: [white_adds?, black_adds?],
            moves_to_go: self.moves_to_go,
            infinite: !is_limited,
            ..Limits::default()
        })
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl NativeEngine {
    #[new]
    #[pyo3(signature = (hash, threads, move_overhead, tablebases, network))]
    fn new(
        py: Python<'_>,
        hash: usize,
        threads: usize,
        move_overhead: f64,
        tablebases: Option<PyRef<'_, PyTablebases>>,
        network: Option<PathBuf>,
    ) -> PyResult<Self> {
        if hash == 0 || hash > 33_554_432 {
            return Err(PyValueError::new_err("hash is 1 to 33554432 MiB"));
        }
        if threads == 0 || threads > MAX_THREADS {
            return Err(PyValueError::new_err(format!("threads are 1 to {MAX_THREADS}")));
        }
        let move_overhead = duration(move_overhead)?;
        let mut settings =
            EngineSettings { hash_mb: hash, threads, move_overhead, ..EngineSettings::default() };
        if let Some(tablebases) = tablebases {
            settings.probing.tables = tablebases.tables().clone();
        }
        if let Some(path) = network {
            settings.network = Arc::new(
                Network::open(&path)
                    .map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?,
            );
        }
        let engine = py.detach(|| Engine::with_dtm_tables(settings, dtm_tables()));
        let engine = engine.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(Self { shared: Arc::new(Mutex::new(Shared { engine, search: 0 })) })
    }

    fn new_game(&self, py: Python<'_>) {
        py.detach(|| lock(&self.shared).engine.new_game());
    }

    /// Stops the running search.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| lock(&self.shared).engine.stop());
    }

    /// Starts a search; one that is running is stopped first.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (board, limits, multipv, root_moves, elo, ignore_count))]
    fn start(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        limits: PyLimits,
        multipv: usize,
        root_moves: Option<Vec<PyMove>>,
        elo: Option<i32>,
        ignore_count: bool,
    ) -> PyResult<NativeSearch> {
        if multipv == 0 || multipv > MAX_LINES {
            return Err(PyValueError::new_err(format!("multipv is 1 to {MAX_LINES}")));
        }
        if elo.is_some_and(|elo| !(MIN_ELO..=MAX_ELO).contains(&elo)) {
            return Err(PyValueError::new_err(format!("elo is {MIN_ELO} to {MAX_ELO}")));
        }
        let skill = elo.and_then(Skill::from_elo);
        let game = board.game()?.clone();
        let mut limits = limits.limits()?;
        for mv in root_moves.into_iter().flatten() {
            limits.search_moves.push(mv.legal(game.position())?);
        }
        drop(board);
        let (sender, reports) = channel();
        let warnings = sender.clone();
        let search = py.detach(|| {
            let mut shared = lock(&self.shared);
            let engine = &mut shared.engine;
            // Before the game changes: the running search reports its answer to its own listener.
            engine.stop();
            engine.take_game(game);
            let settings = engine.settings_mut();
            settings.multi_pv = multipv;
            settings.skill = skill;
            settings.ignores_count = ignore_count;
            for refusal in engine.go(limits, Reporter(sender)) {
                let _ = warnings.send(Report::Warning(refusal.to_string()));
            }
            shared.search += 1;
            shared.search
        });
        Ok(NativeSearch { shared: Arc::clone(&self.shared), search, reports: Mutex::new(reports) })
    }
}

/// A running search.
#[pyclass(name = "NativeSearch", module = "sakmak", frozen)]
pub(crate) struct NativeSearch {
    shared: Arc<Mutex<Shared>>,
    search: u64,
    reports: Mutex<Receiver<Report>>,
}

impl NativeSearch {
    /// The next report, waited for `patience` at most.
    fn wait(&self, py: Python<'_>, patience: Duration) -> Result<Report, RecvTimeoutError> {
        py.detach(|| self.reports.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience))
    }
}

#[pymethods]
impl NativeSearch {
    /// The next report: `("info", dict)`, `("warning", text)` or `("answer", move, ponder)`; `None` after `timeout`
    /// seconds. Ctrl-C ends the wait.
    #[pyo3(signature = (timeout=None))]
    fn next<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let limit = timeout.map(Duration::try_from_secs_f64).transpose();
        let limit = limit.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let began = Instant::now();
        loop {
            let patience =
                limit.map_or(PATIENCE, |limit| PATIENCE.min(limit.saturating_sub(began.elapsed())));
            match self.wait(py, patience) {
                Ok(report) => return report_for_python(py, &report).map(Some),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the search has been answered"));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
            if limit.is_some_and(|limit| began.elapsed() >= limit) {
                return Ok(None);
            }
        }
    }

    /// Stops the search; its answer is the next report or one of the next.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| {
            let mut shared = lock(&self.shared);
            if shared.search == self.search {
                shared.engine.stop();
            }
        });
    }
}

fn report_for_python<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    Ok(match report {
        Report::Info(info) => ("info", info_for_python(py, info)?).into_pyobject(py)?.into_any(),
        Report::Warning(text) => ("warning", text).into_pyobject(py)?.into_any(),
        Report::Answer(best, ponder) => {
            ("answer", best.map(PyMove::from), ponder.map(PyMove::from)).into_pyobject(py)?.into_any()
        }
    })
}

fn info_for_python<'py>(py: Python<'py>, info: &SearchInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (cp, mate) = match info.score {
        Score::Centipawns(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    let seconds = info.time.as_secs_f64();
    dict.set_item("depth", info.depth)?;
    dict.set_item("seldepth", info.seldepth)?;
    dict.set_item("multipv", info.multi_pv)?;
    dict.set_item("score", (cp, mate))?;
    dict.set_item("wdl", info.win_draw_loss)?;
    match info.bound {
        ScoreBound::Exact | ScoreBound::None => {}
        ScoreBound::Lower => dict.set_item("lowerbound", true)?,
        ScoreBound::Upper => dict.set_item("upperbound", true)?,
    }
    dict.set_item("nodes", info.nodes)?;
    dict.set_item("nps", if seconds > 0.0 { (info.nodes as f64 / seconds) as u64 } else { 0 })?;
    dict.set_item("tbhits", info.tb_hits)?;
    dict.set_item("time", seconds)?;
    dict.set_item("hashfull", info.permille_full)?;
    dict.set_item("pv", PyList::new(py, info.line.iter().map(|&mv| PyMove::from(mv)))?)?;
    Ok(dict)
}

/// UCI on standard input and output until `quit` or the end of input.
#[pyfunction]
pub(crate) fn run_uci(py: Python<'_>) -> PyResult<()> {
    let ran = py.detach(|| uci::run(BufReader::new(io::stdin()), uci::Output::to(io::stdout())));
    ran.map_err(|error| PyMemoryError::new_err(error.to_string()))
}
