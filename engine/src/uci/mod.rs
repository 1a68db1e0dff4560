//! UCI, with the variant option of Fairy-Stockfish's GUIs. The command `xboard` switches to
//! [XBoard's protocol](crate::xboard).
//!
//! [`run`] reads commands until `quit` or the end of input. Searches run in the background, so that every command is
//! answered at once. Bad input gets an `info string` with the error.

mod command;
mod explanation;
mod jobs;
mod report;

use std::fmt::Display;
use std::io::BufRead;

use sakmak_eval::DtmTables;
use sakmak_movegen::{Move, Position, SpokenCount};

use crate::bench;
use crate::current_game::NoSearch;
use crate::engine::{Engine, Refusal};
use crate::options::Options;
use crate::search::{Listener, SearchInfo, SearchProgress};
use crate::time::Limits;
use crate::tt::HashAllocationError;
use crate::xboard;

use command::{Go, UciCommand, UciCommandError};
use explanation::Explanation;
use jobs::{Job, Jobs};

pub use crate::output::Output;
pub use crate::protocol::{AUTHOR, NAME};

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

/// Speaks UCI, or XBoard's protocol if that is asked for, until `quit` or the end of `input`. At the end of input a
/// search that has a limit is finished.
///
/// ```
/// use std::io::Cursor;
/// use sakmak_engine::uci::{Output, run};
///
/// let output = Output::buffer();
/// run(Cursor::new("position startpos moves e3e4\ngo depth 4\n"), output.clone())?;
/// assert!(output.text().contains("bestmove "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no memory for the smallest transposition table; the error is also printed.
pub fn run(input: impl BufRead + Send, output: Output) -> Result<(), HashAllocationError> {
    run_with_dtm_tables(input, output, &DtmTables::default())
}

/// [`run`] with DTM tables that several engines of the process share.
///
/// # Errors
/// As [`run`].
pub fn run_with_dtm_tables(
    input: impl BufRead + Send,
    output: Output,
    dtm_tables: &DtmTables,
) -> Result<(), HashAllocationError> {
    let mut lines = lines(input).peekable();
    // Nothing may be printed before the first command, not even that there is little memory.
    if lines.peek().is_none() {
        return Ok(());
    }
    let mut session =
        Session::new(output.clone(), dtm_tables).inspect_err(|error| output.info_string(error))?;
    while let Some(line) = lines.next() {
        output.log_input(&line);
        let next = session.execute(&line);
        if let Some(error) = output.take_log_fault() {
            output.info_string(&format!("debug log: lines are lost: {error}"));
        }
        match next {
            Next::Read => {}
            Next::Leave => return Ok(()),
            Next::XBoard => {
                let Session { engine, options, .. } = session;
                xboard::run(&line, lines, engine, options, output);
                return Ok(());
            }
        }
    }
    // At the end of input, searches with a limit, `perft`, `bench` and `eval` still finish, since a script may pipe its
    // commands in; not for a client that is gone.
    session.engine.finish(|| output.is_lost());
    session.jobs.finish();
    Ok(())
}

/// The lines of the input, with bytes that are not UTF-8 replaced; ends at a read error.
fn lines(mut input: impl BufRead + Send) -> impl Iterator<Item = String> + Send {
    std::iter::from_fn(move || {
        let mut bytes = Vec::new();
        match input.read_until(b'\n', &mut bytes) {
            Ok(1..) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        }
    })
}

struct Session {
    engine: Engine,
    jobs: Jobs,
    options: Options,
    /// Whether it has been reported that no thread could be started to solve the DTM tables.
    lacks_tables: bool,
    /// Number of damaged tablebases reported.
    damaged_tables: usize,
    output: Output,
}

/// What to do after a command.
enum Next {
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
        self.output.info_string(&message);
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
    /// A session with the default size of the transposition table, or the largest half, quarter and so on of it that
    /// there is memory for.
    fn new(output: Output, dtm_tables: &DtmTables) -> Result<Self, HashAllocationError> {
        let mut options = Options::default();
        let mut settings = options.settings();
        let mut refused = None;
        let engine = loop {
            match Engine::with_dtm_tables(settings.clone(), dtm_tables) {
                Ok(engine) => break engine,
                Err(error) if settings.hash_mb <= 1 => return Err(error),
                Err(error) => refused = refused.or(Some(error)),
            }
            settings.hash_mb /= 2;
        };
        if let Some(error) = refused {
            options.accept(&settings);
            output.info_string(&format!("{error}; it has {} MB", settings.hash_mb));
        }
        let jobs = Jobs::new(output.clone());
        Ok(Self { engine, jobs, options, lacks_tables: false, damaged_tables: 0, output })
    }

    /// Executes one line.
    fn execute(&mut self, line: &str) -> Next {
        match UciCommand::parse(line) {
            Ok(UciCommand::Nothing) => {}
            Ok(UciCommand::Uci) => self.introduce(),
            Ok(UciCommand::IsReady) => {
                self.apply();
                self.check_tables();
                self.output.line("readyok");
            }
            Ok(UciCommand::NewGame) => self.engine.new_game(),
            Ok(UciCommand::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Ok(UciCommand::Position { fen, moves, warnings }) => {
                self.report_all(&warnings);
                let earlier = self.engine.disputed_moves().to_vec();
                let refused = self.engine.set_game(fen.as_deref(), &moves);
                self.report_all(&refused);
                // Each `position` command repeats the moves of the one before.
                for disputed in self.engine.disputed_moves().iter().filter(|&mv| !earlier.contains(mv)) {
                    self.output.info_string(disputed);
                }
            }
            Ok(UciCommand::Go(go)) => self.go(go),
            Ok(UciCommand::Perft(depth)) => self.perft(depth),
            Ok(UciCommand::Stop) => {
                self.jobs.stop();
                self.engine.stop();
            }
            Ok(UciCommand::PonderHit) => self.engine.ponder_hit(),
            Ok(UciCommand::Display) => {
                self.report_earlier_position();
                self.output.line(&self.display());
            }
            Ok(UciCommand::Eval) => {
                self.report_earlier_position();
                let explanation = Explanation::of(&self.engine);
                match explanation.text(None) {
                    (text, true) => self.output.line(&text),
                    // A job, since an ending is solved first.
                    _ => self.jobs.add(Job::Eval(Box::new(explanation))),
                }
            }
            Ok(UciCommand::Flip) => self.engine.flip(),
            Ok(UciCommand::Bench(depth)) => self.bench(depth),
            Ok(UciCommand::Help) => self.output.line(HELP),
            Ok(UciCommand::Quit) => return Next::Leave,
            Ok(UciCommand::XBoard) => return Next::XBoard,
            Err(error) => {
                if matches!(error, UciCommandError::Position(_)) {
                    self.engine.refuse_position();
                }
                self.output.info_string(&error);
            }
        }
        Next::Read
    }

    /// Before an answer about the current position: reports it if the last requested position was refused.
    fn report_earlier_position(&self) {
        if self.engine.no_search() == Some(NoSearch::Refused) {
            self.output.info_string(&"the requested position was refused; this is about the one before");
        }
    }

    fn introduce(&self) {
        self.output.line(&format!("id name {NAME}\nid author {AUTHOR}\n{}\nuciok", report::announcement()));
    }

    fn report_all(&self, messages: &[impl Display]) {
        messages.iter().for_each(|message| self.output.info_string(message));
    }

    fn apply(&mut self) {
        let refusals = self.engine.apply();
        self.report_refusals(&refusals);
    }

    /// Starts to solve the DTM tables; the system may have refused the thread earlier.
    fn check_tables(&mut self) {
        if let Err(error) = self.engine.dtm_tables().solve_in_background()
            && !std::mem::replace(&mut self.lacks_tables, true)
        {
            let text = format!(
                "cannot start the thread that solves DTM tables: {error}; distances to mate are estimated"
            );
            self.output.info_string(&text);
        }
    }

    /// Reports options that the machine cannot meet, and sets them to what it can.
    fn report_refusals(&mut self, refusals: &[Refusal]) {
        self.options.accept(self.engine.settings());
        self.report_all(refusals);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if let Err(error) = self.options.set(name, value) {
            self.output.info_string(&error);
            return;
        }
        let messages = std::mem::take(&mut self.options.messages);
        self.report_all(&messages);
        if let Some(path) = self.options.debug_log.take()
            && let Err(error) = self.output.set_log(path.as_deref())
        {
            self.output.info_string(&format!("debug log not written: {error}"));
        }
        if std::mem::take(&mut self.options.clear_hash) {
            self.engine.new_game();
        }
        *self.engine.settings_mut() = self.options.settings();
        let refused = self.engine.apply_rules();
        self.report_all(&refused);
    }

    /// Reports tablebases that a search has found damaged.
    fn report_damage(&mut self) {
        let tables = &self.engine.settings().probing.tables;
        let damaged: Vec<_> = tables.damaged().map(|path| path.display().to_string()).collect();
        for path in damaged.iter().skip(self.damaged_tables) {
            self.output.info_string(&format!("endgame table not used any more: {path}: damaged"));
        }
        self.damaged_tables = damaged.len();
    }

    fn go(&mut self, go: Go) {
        self.jobs.stop();
        self.report_damage();
        self.report_all(&go.warnings);
        let position = self.engine.position();
        if let Some(reason) = self.engine.no_search() {
            self.output.info_string(&format!("no search: {reason}"));
        }
        if let Some(reason) = self.engine.ignored_draw() {
            self.output
                .info_string(&format!("the game is drawn ({reason}); searching as if that were no rule"));
        }
        let (legal, illegal): (Vec<Move>, Vec<Move>) = go
            .search_moves
            .into_iter()
            .map(|mv| position.complete(mv))
            .partition(|&mv| position.is_legal(mv));
        if !illegal.is_empty() {
            self.output.info_string(&format!("searchmoves: not legal here, ignored: {illegal:?}"));
        }
        let limits = Limits { search_moves: legal, ..go.limits };
        let listener = UciListener {
            output: self.output.clone(),
            show_wdl: self.options.show_wdl,
            position: position.clone(),
        };
        let refusals = self.engine.go(limits, listener);
        self.report_refusals(&refusals);
    }

    fn perft(&mut self, depth: u32) {
        self.report_earlier_position();
        self.engine.stop();
        let threads = self.engine.settings().threads;
        let position = Box::new(self.engine.position().clone());
        self.jobs.add(Job::Perft { position, depth, threads });
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.engine.stop();
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        self.jobs.add(Job::Bench { depth, hash_mb: bench::HASH_MB });
    }

    /// The output of `d`: the position for people and programs.
    fn display(&self) -> String {
        let position: &Position = self.engine.position();
        let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
        let solved = self.engine.dtm_tables().solved();
        let outcome = self.engine.outcome().map_or("ongoing".to_owned(), |outcome| outcome.to_string());
        format!(
            "\n{}\nFen: {position}\nSide to move: {}\nKey: {:016X}\nCheckers: {}\nRuleset: {}\nCount: {}\n\
             Outcome: {outcome}\n\
             DTM tables: {solved} of {} solved, {} MB",
            position.diagram(),
            position.side_to_move(),
            position.key(),
            checkers.join(" "),
            self.engine.rules().setup.ruleset,
            SpokenCount::new(position),
            DtmTables::COUNT,
            (solved * DtmTables::TABLE_BYTES) >> 20,
        ) + &self
            .engine
            .probe_tables(false)
            .map_or(String::new(), |probe| format!("\n{}", report::table_value(&probe)))
    }
}
