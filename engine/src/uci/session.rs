//! A session of UCI: executes commands, and runs searches and jobs in the background or in slices.

use std::time::Duration;

use sakmak_eval::DtmTables;
use sakmak_eval::network::NetworkError;
use sakmak_eval::tablebase::{RemoteTables, WantedBytes};
use sakmak_movegen::{Move, Position, SpokenCount};
use web_time::Instant;

use super::command::{Go, UciCommand, UciCommandError};
use super::explanation::Explanation;
use super::jobs::{Job, Jobs};
use super::report;
use crate::bench::{self, BenchRun};
use crate::current_game::NoSearch;
use crate::engine::Engine;
use crate::front_end::FrontEnd;
use crate::output::Output;
use crate::protocol::{AUTHOR, NAME};
use crate::search::{Listener, SearchInfo, SearchProgress};
use crate::time::Limits;
use crate::tt::HashAllocationError;

const HELP: &str = "\
Commands (UCI and some more):
  uci                                     list name and options
  isready                                 answer readyok when ready
  setoption name NAME value VALUE         set an option
  ucinewgame                              clear tables before a new game
  position startpos [moves M ...]         set up the start position and make moves
  position fen FEN [moves M ...]          set up another position; among the moves, count-start, count-stop
                                          and count-claim are what the side to move does about the count
  go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]
     [movestogo N] [mate N] [infinite] [ponder] [searchmoves M ...]
  go perft N                              count the paths of N plies, by first move
  stop, ponderhit, quit                   end a search, perft or bench; the opponent's move came; leave
  d                                       show board (* marks the side to move), FEN, count and outcome
  eval                                    explain the static evaluation
  flip                                    exchange the colours
  xboard                                  change to XBoard's protocol
  bench [DEPTH]                           search a fixed set of positions
  help                                    this text
Moves are written e3e4, promotions e5e6m.";

/// With so few men on the board the DTM tables are solved beside a search.
const FEW_MEN: u32 = 9;

/// A session of UCI without a reader: takes commands line by line and writes lines to an [`Output`].
///
/// [`Session::new`] searches in threads. [`Session::on_calling_thread`] starts none, which suits a web worker: there
/// [`Session::step`] does the searching, a slice in each call.
///
/// ```
/// use std::time::Duration;
/// use sakmak_engine::uci::{Output, Session};
///
/// let output = Output::buffer();
/// let mut session = Session::on_calling_thread(output.clone(), &Default::default())?;
/// session.command("position startpos moves e3e4");
/// session.command("go infinite");
/// for _ in 0..20 {
///     session.step(Duration::from_millis(5));
///     print!("{}", output.take());
///     // Read commands here.
/// }
/// session.command("stop");
/// assert!(output.take().contains("bestmove "));
/// assert!(!session.command("quit"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A session that is dropped stops its search, which then still writes its `bestmove`.
pub struct Session {
    front: FrontEnd,
    jobs: Jobs,
    executor: Executor,
    /// Whether it has been reported that no thread could be started to solve the DTM tables.
    lacks_tables: bool,
}

/// What searches.
enum Executor {
    Threads,
    /// The calling thread, which between searches also solves the DTM tables once this is set.
    Caller {
        solves_tables: bool,
    },
}

/// What to do after a command.
pub(super) enum Next {
    Read,
    Leave,
    /// Switch to XBoard's protocol, to which the command belongs.
    XBoard,
}

/// Writes the reports of a search in UCI.
struct UciListener {
    output: Output,
    show_wdl: bool,
    position: Position,
}

impl Listener for UciListener {
    fn info(&mut self, info: &SearchInfo) {
        self.output.line(&report::info(info, self.show_wdl));
    }

    fn warn(&mut self, message: &str) {
        self.output.comment(&message);
    }

    fn progress(&mut self, progress: &SearchProgress) {
        self.output.line(&report::progress(progress));
    }

    fn no_moves(&mut self, mated: bool) {
        self.output.line(if mated { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let stops = best.is_some_and(|mv| self.position.must_stop_count(mv));
        self.output.line(&report::best_move(best, ponder, stops));
    }
}

impl Session {
    /// A session that searches in threads. The transposition table has its default size, or the largest half, quarter
    /// and so on of it that there is memory for. Several sessions may share the DTM tables.
    ///
    /// # Errors
    /// If there is no memory for the smallest transposition table.
    pub fn new(output: Output, dtm_tables: &DtmTables) -> Result<Self, HashAllocationError> {
        let jobs = Jobs::in_thread(output.clone());
        let front = FrontEnd::new(output, dtm_tables, Engine::with_dtm_tables)?;
        Ok(Self { front, jobs, executor: Executor::Threads, lacks_tables: false })
    }

    /// A session that starts no thread: searches, `perft`, `bench` and `eval` go on in [`Session::step`].
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn on_calling_thread(output: Output, dtm_tables: &DtmTables) -> Result<Self, HashAllocationError> {
        let jobs = Jobs::on_calling_thread(output.clone());
        let front = FrontEnd::new(output, dtm_tables, Engine::on_calling_thread)?;
        let executor = Executor::Caller { solves_tables: false };
        Ok(Self { front, jobs, executor, lacks_tables: false })
    }

    /// Executes a line. Returns `false` after `quit`, when nothing more is to be executed.
    pub fn command(&mut self, line: &str) -> bool {
        match self.execute(line) {
            Next::Read => true,
            Next::Leave => false,
            Next::XBoard => {
                self.front.output.comment(&"only the program speaks XBoard's protocol");
                true
            }
        }
    }

    /// Searches, or runs `perft`, `bench` or `eval`, for about `budget`; in a session with threads, waits that long for
    /// them. Returns whether there is more to do before the next command.
    ///
    /// On the calling thread, a call without a search solves DTM tables instead, once there was an `isready` or a
    /// search on a clock: about a second of work in all. A call may take longer than `budget`: a position of `bench` is
    /// searched in one call, for some tenths of a second, and a part of an ending takes some milliseconds.
    pub fn step(&mut self, budget: Duration) -> bool {
        // Search and job share the time: neither waits for the end of the other.
        let is_shared = self.front.engine.is_searching() && budget < Duration::MAX;
        let share = if is_shared { budget / 2 } else { budget };
        let has_job = self.jobs.step(share);
        if self.front.engine.step(if has_job { share } else { budget }) || has_job {
            self.solve_beside_search();
            return true;
        }
        let started = Instant::now();
        let Executor::Caller { solves_tables } = &mut self.executor else { return false };
        while *solves_tables {
            *solves_tables = self.front.engine.dtm_tables().solve_next();
            if started.elapsed() >= budget {
                break;
            }
        }
        *solves_tables
    }

    /// Between two slices of a search on a clock or without an end: solves a part of an ending, which takes some
    /// milliseconds, if the position is near one.
    fn solve_beside_search(&mut self) {
        if let Executor::Caller { solves_tables } = &mut self.executor
            && *solves_tables
            && self.front.engine.searched_men().is_some_and(|men| men <= FEW_MEN)
        {
            *solves_tables = self.front.engine.dtm_tables().solve_next();
        }
    }

    /// Finishes what has an end: searches with a limit, `perft`, `bench` and `eval`. Stops other searches, and all of
    /// them if the output is lost.
    pub fn finish(&mut self) {
        let output = &self.front.output;
        self.front.engine.finish(|| output.is_lost());
        self.jobs.finish();
    }

    /// Evaluates with the network in `bytes`, as after the option `EvalFile` with `name`: reports the network, or the
    /// error and that the present network stays.
    ///
    /// # Errors
    /// If the bytes are not a whole, sound network for this program.
    pub fn load_network(&mut self, name: &str, bytes: &[u8]) -> Result<(), NetworkError> {
        self.front.load_network(name, bytes)
    }

    /// The engine of the session, with the game of the last `position` command.
    pub fn engine(&self) -> &Engine {
        &self.front.engine
    }

    /// The engine, to use it beyond UCI, for example by [`Engine::go_in`]. A running search is stopped first, and writes
    /// its `bestmove`. Other work, such as `perft` or `bench`, goes on: the command `stop` ends it. The next option
    /// that is set replaces the engine's settings.
    pub fn engine_mut(&mut self) -> &mut Engine {
        self.front.engine.stop();
        &mut self.front.engine
    }

    /// Sets [`EngineSettings::seed`](crate::EngineSettings::seed) for the searches from the next one on; UCI has no
    /// option for it.
    pub fn set_seed(&mut self, seed: Option<u64>) {
        self.front.change_settings(|settings| settings.seed = seed);
    }

    /// Sets [`EngineSettings::ignores_count`](crate::EngineSettings::ignores_count) for the searches from the next one
    /// on; UCI has no option for it.
    pub fn set_ignores_count(&mut self, ignores_count: bool) {
        self.front.change_settings(|settings| settings.ignores_count = ignores_count);
    }

    /// Probes tablebase files that the caller fetches, or none, from the next search on. Before a `go`, fetch what
    /// [`Session::missing_tables`] names: a search probes what is there, at the root only.
    pub fn use_remote_tables(&mut self, remote: Option<&RemoteTables>) {
        self.front.use_remote_tables(remote);
    }

    /// The tablebase files that the caller fetches.
    pub fn remote_tables(&self) -> Option<&RemoteTables> {
        self.front.engine.settings().probing.tables.remote()
    }

    /// The bytes of remote tablebase files that a search of the current position lacks. Once they are supplied, more may
    /// be missing.
    pub fn missing_tables(&self) -> Vec<WantedBytes> {
        self.front.engine.missing_tables()
    }

    pub(super) fn into_front_end(self) -> FrontEnd {
        self.front
    }

    /// Executes a line, and reports that the log has lost lines.
    pub(super) fn execute(&mut self, line: &str) -> Next {
        self.front.output.log_input(line);
        let next = self.execute_command(line);
        self.front.output.report_log_fault();
        next
    }

    fn execute_command(&mut self, line: &str) -> Next {
        match UciCommand::parse(line) {
            Ok(UciCommand::Nothing) => {}
            Ok(UciCommand::Uci) => self.introduce(),
            Ok(UciCommand::IsReady) => {
                self.front.apply();
                self.solve_tables();
                self.front.output.line("readyok");
            }
            Ok(UciCommand::NewGame) => self.front.engine.new_game(),
            Ok(UciCommand::SetOption { name, value }) => {
                if let Err(error) = self.front.set_option(&name, value.as_deref()) {
                    self.front.output.comment(&error);
                }
            }
            Ok(UciCommand::Position { fen, moves, warnings }) => {
                self.front.output.comments(&warnings);
                let earlier = self.front.engine.disputed_moves().to_vec();
                let refused = self.front.engine.set_game(fen.as_deref(), &moves);
                self.front.output.comments(&refused);
                // Each `position` command repeats the moves of the one before.
                for disputed in self.front.engine.disputed_moves().iter().filter(|&mv| !earlier.contains(mv))
                {
                    self.front.output.comment(disputed);
                }
            }
            Ok(UciCommand::Go(go)) => self.go(go),
            Ok(UciCommand::Perft(depth)) => self.perft(depth),
            Ok(UciCommand::Stop) => {
                self.jobs.stop();
                self.front.engine.stop();
            }
            Ok(UciCommand::PonderHit) => self.front.engine.ponder_hit(),
            Ok(UciCommand::Display) => {
                self.report_earlier_position();
                self.front.output.line(&self.display());
            }
            Ok(UciCommand::Eval) => {
                self.report_earlier_position();
                let mut explanation = Explanation::of(&self.front.engine);
                match explanation.text() {
                    (text, true) => self.front.output.line(&text),
                    // A job, since an ending is solved first.
                    _ => self.jobs.add(Job::Eval(Box::new(explanation))),
                }
            }
            Ok(UciCommand::Flip) => self.front.engine.flip(),
            Ok(UciCommand::Bench(depth)) => self.bench(depth),
            Ok(UciCommand::Help) => self.front.output.line(HELP),
            Ok(UciCommand::Quit) => {
                if let Executor::Caller { .. } = self.executor {
                    // The caller may read no output after this.
                    self.jobs.stop();
                    self.front.engine.stop();
                }
                return Next::Leave;
            }
            Ok(UciCommand::XBoard) => return Next::XBoard,
            Err(error) => {
                if matches!(error, UciCommandError::Position(_)) {
                    self.front.engine.refuse_position();
                }
                self.front.output.comment(&error);
            }
        }
        Next::Read
    }

    /// Before an answer about the current position: reports it if the last requested position was refused.
    fn report_earlier_position(&self) {
        if self.front.engine.no_search() == Some(NoSearch::Refused) {
            self.front.output.comment(&"the requested position was refused; this is about the one before");
        }
    }

    fn introduce(&self) {
        let options = report::announcement();
        self.front.output.line(&format!("id name {NAME}\nid author {AUTHOR}\n{options}\nuciok"));
    }

    /// Starts to solve the DTM tables; the system may have refused the thread earlier.
    fn solve_tables(&mut self) {
        if let Executor::Caller { solves_tables } = &mut self.executor {
            *solves_tables = true;
        } else if let Err(error) = self.front.engine.dtm_tables().solve_in_background()
            && !std::mem::replace(&mut self.lacks_tables, true)
        {
            let text = format!(
                "cannot start the thread that solves DTM tables: {error}; distances to mate are estimated"
            );
            self.front.output.comment(&text);
        }
    }

    fn go(&mut self, go: Go) {
        self.jobs.stop();
        self.front.report_damage();
        let FrontEnd { engine, output, options, .. } = &self.front;
        output.comments(&go.warnings);
        let position = engine.position();
        if let Some(reason) = engine.no_search() {
            output.comment(&format!("no search: {reason}"));
        }
        if let Some(reason) = engine.ignored_draw() {
            output.comment(&format!("the game is drawn ({reason}); searching as if that were no rule"));
        }
        let (legal, illegal): (Vec<Move>, Vec<Move>) = go
            .search_moves
            .into_iter()
            .map(|mv| position.complete(mv))
            .partition(|&mv| position.is_legal(mv));
        if !illegal.is_empty() {
            output.comment(&format!("searchmoves: not legal here, ignored: {illegal:?}"));
        }
        let limits = Limits { search_moves: legal, ..go.limits };
        let listener =
            UciListener { output: output.clone(), show_wdl: options.show_wdl, position: position.clone() };
        if let Executor::Caller { solves_tables } = &mut self.executor {
            *solves_tables |= !limits.is_repeatable();
        }
        self.front.go(limits, listener);
    }

    fn perft(&mut self, depth: u32) {
        self.report_earlier_position();
        self.front.engine.stop();
        let threads = self.front.engine.settings().threads;
        let position = Box::new(self.front.engine.position().clone());
        self.jobs.add(Job::Perft { position, depth, threads });
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.front.engine.stop();
        let mut depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        if matches!(self.executor, Executor::Caller { .. }) && depth > bench::DEFAULT_DEPTH {
            // A position is searched in one call, which hears no `stop`.
            depth = bench::DEFAULT_DEPTH;
            self.front.output.comment(&format!("bench: depth {depth}, the largest without a thread"));
        }
        self.jobs.add(Job::Bench(Box::new(BenchRun::new(depth, bench::HASH_MB))));
    }

    /// The output of `d`: the position for people and programs.
    fn display(&self) -> String {
        let engine = &self.front.engine;
        let position = engine.position();
        let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
        let solved = engine.dtm_tables().solved();
        let outcome = engine.outcome().map_or("ongoing".to_owned(), |outcome| outcome.to_string());
        format!(
            "\n{}\nFen: {position}\nSide to move: {}\nKey: {:016X}\nCheckers: {}\nRuleset: {}\nCount: {}\n\
             Outcome: {outcome}\n\
             DTM tables: {solved} of {} solved, {} MB",
            position.diagram(),
            position.side_to_move(),
            position.key(),
            checkers.join(" "),
            engine.rules().setup.ruleset,
            SpokenCount::new(position),
            DtmTables::COUNT,
            (solved * DtmTables::TABLE_BYTES) >> 20,
        ) + &engine
            .probe_tables(false)
            .map_or(String::new(), |probe| format!("\n{}", report::table_value(&probe)))
    }
}
