//! The engine without a protocol: a game, options, tables and at most one running search.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Instant, SystemTime};

use sakmak_movegen::{DrawReason, Game, Move, Outcome, Position, Rules};

use crate::record::{GameError, Record, Root};
use crate::search::{self, Report, Signals, Task, Worker};
use crate::skill::Skill;
use crate::time::{Budget, Limits};
use crate::tt::{OutOfMemory, TranspositionTable};

/// What a search tells while and after it runs. Called from the searching thread.
pub trait Listener: Send + 'static {
    /// A line was found.
    fn report(&mut self, report: &Report);
    /// There is nothing to search: the game is over, by mate if `mated`, else by stalemate.
    fn no_moves(&mut self, mated: bool);
    /// The search is over. `best` is `None` if there is no legal move.
    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>);
}

/// Size of the transposition table in MiB unless another is asked for. One of 16 MiB is full within seconds.
pub(crate) const DEFAULT_HASH_MB: usize = 64;

/// How to search, apart from the limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Searching threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Time to set aside for each move, in milliseconds.
    pub move_overhead: i64,
    /// A weaker player than the best.
    pub skill: Option<Skill>,
    /// The rules of the game, from the next [`Engine::set_game`] on.
    pub rules: Rules,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mb: DEFAULT_HASH_MB,
            multi_pv: 1,
            move_overhead: 10,
            skill: None,
            rules: Rules::default(),
        }
    }
}

/// Wakes a finished search that has to wait before it may tell its move.
#[derive(Default)]
struct Control {
    signals: Signals,
    /// Set while the move must be held back: thinking without end, or on the opponent's time.
    hold: Mutex<bool>,
    released: Condvar,
}

impl Control {
    fn release(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    fn wait(&self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        while *hold {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Running {
    control: Arc<Control>,
    infinite: bool,
    thread: JoinHandle<Vec<Worker>>,
}

/// An engine that plays Makruk.
pub struct Engine {
    record: Record,
    /// The rules of what tables and histories hold.
    learnt_by: Rules,
    settings: Settings,
    tt: Arc<TranspositionTable>,
    workers: Vec<Worker>,
    running: Option<Running>,
    forget: bool,
}

impl Engine {
    /// An engine at the start position.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(settings: Settings) -> Result<Self, OutOfMemory> {
        let tt = Arc::new(TranspositionTable::new(settings.hash_mb)?);
        let rules = settings.rules;
        Ok(Self {
            record: Record::new(rules),
            learnt_by: rules,
            settings,
            tt,
            workers: Vec::new(),
            running: None,
            forget: false,
        })
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game().position()
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        self.record.game()
    }

    /// The settings for the next search.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings for the next search; the running one goes on with the old ones. A new table
    /// size takes effect with [`Engine::apply`].
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Sets up a position and makes moves from there. `fen` is `None` for the start position. Among the moves,
    /// `count-start`, `count-stop` and `count-claim` stand for what the side to move does about the count. A
    /// running search is not disturbed.
    ///
    /// Returns everything that was refused, see [`GameError`]. After a refused move or FEN the engine makes no move
    /// while [`Engine::is_off_turn`].
    #[must_use]
    pub fn set_game<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Vec<GameError> {
        self.record.set(fen, moves, self.settings.rules)
    }

    /// Sets up the game anew if the rules in the settings are no longer those it is played by. If it was legal to
    /// its end and by the new rules is not, another game begins, at its start position; going back to the old rules
    /// brings the old game back.
    ///
    /// Returns what was refused, as [`Engine::set_game`].
    #[must_use]
    pub fn apply_rules(&mut self) -> Vec<GameError> {
        self.record.apply_rules(self.settings.rules)
    }

    /// Whether the side to move is not the one of the position last asked for, because a move or the FEN was refused.
    /// A search then finds no move: any would be the wrong side's.
    pub fn is_off_turn(&self) -> bool {
        self.record.is_off_turn()
    }

    /// The draw that has ended the game, if a move can be made all the same. A search then does without the rule
    /// that says so.
    pub fn ignored_draw(&self) -> Option<DrawReason> {
        self.record.root().ignored
    }

    /// Replaces the position by its mirror image with colours exchanged.
    pub fn flip(&mut self) {
        let fen = self.position().flipped().to_string();
        // A position that is valid is so the other way round as well.
        let refused = self.set_game(Some(&fen), []);
        debug_assert_eq!(refused, []);
    }

    /// How the game stands: decided by the position, drawn by a third occurrence of it, or by a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    /// Forgets all that was learnt from earlier games, before the next search.
    pub fn new_game(&mut self) {
        self.forget = true;
    }

    /// Whether a search is running, or finished but not yet allowed to tell its move.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// Brings tables and threads in line with the settings. While a search runs nothing happens; the
    /// next one starts with it.
    ///
    /// # Errors
    /// If there is no memory for a larger table; the old one and its size are kept.
    pub fn apply(&mut self) -> Result<(), OutOfMemory> {
        if self.is_searching() {
            return Ok(());
        }
        self.join();
        let threads = self.settings.threads.max(1);
        self.workers.resize_with(threads, Worker::new);
        let mut result = Ok(());
        if self.settings.hash_mb != self.tt.megabytes() {
            match TranspositionTable::new(self.settings.hash_mb) {
                Ok(table) => self.tt = Arc::new(table),
                Err(error) => {
                    self.settings.hash_mb = self.tt.megabytes();
                    result = Err(error);
                }
            }
        }
        // Scores, moves and counts of a game by other rules are wrong in this one.
        let rules = *self.record.root().position.rules();
        self.forget |= std::mem::replace(&mut self.learnt_by, rules) != rules;
        if std::mem::take(&mut self.forget) {
            for worker in &mut self.workers {
                worker.forget();
            }
            if let Some(table) = Arc::get_mut(&mut self.tt) {
                table.clear(threads);
            }
        }
        result
    }

    /// Starts a search in the background. One that still runs is stopped first.
    ///
    /// # Errors
    /// As [`Engine::apply`]; the search runs nevertheless, and at once finds no move if [`Engine::is_off_turn`].
    pub fn go(&mut self, limits: Limits, mut listener: impl Listener) -> Result<(), OutOfMemory> {
        let started = Instant::now();
        self.stop();
        let result = self.apply();
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            table.new_search();
        }

        let control = Arc::new(Control::default());
        let infinite = limits.infinite;
        let off_turn = self.is_off_turn();
        control.signals.pondering.store(limits.ponder, Relaxed);
        *control.hold.lock().unwrap_or_else(PoisonError::into_inner) = limits.ponder || infinite;

        let mut workers = std::mem::take(&mut self.workers);
        let thread = {
            let Root { position, keys, .. } = self.record.root();
            let tt = Arc::clone(&self.tt);
            let (settings, control) = (self.settings.clone(), Arc::clone(&control));
            std::thread::spawn(move || {
                let (best, ponder) = if off_turn {
                    (None, None)
                } else {
                    think(
                        &position,
                        &keys,
                        limits,
                        started,
                        &settings,
                        &tt,
                        &control,
                        &mut workers,
                        &mut listener,
                    )
                };
                drop(tt);
                control.wait();
                listener.finished(best, ponder);
                workers
            })
        };
        self.running = Some(Running { control, infinite, thread });
        result
    }

    /// Ends the running search, if any, and waits until it has told its move.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.signals.stop.store(true, Relaxed);
            running.control.release();
        }
        self.join();
    }

    /// The opponent has played the expected move: a search begun on his time goes on, by the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(running) = &self.running
            && running.control.signals.pondering.swap(false, Relaxed)
            && !running.infinite
        {
            running.control.release();
        }
    }

    /// Waits until the running search has told its move.
    pub fn join(&mut self) {
        if let Some(running) = self.running.take() {
            // Should the search have panicked, the message is out and the next one starts afresh.
            self.workers = running.thread.join().unwrap_or_default();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Searches and chooses the move to play and the reply to ponder on.
#[expect(clippy::too_many_arguments, reason = "called once, with what one search needs")]
fn think(
    position: &Position,
    keys: &[u64],
    mut limits: Limits,
    started: Instant,
    settings: &Settings,
    tt: &TranspositionTable,
    control: &Control,
    workers: &mut [Worker],
    listener: &mut impl Listener,
) -> (Option<Move>, Option<Move>) {
    let mut multi_pv = settings.multi_pv;
    let mut workers = workers;
    if let Some(skill) = settings.skill {
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(skill.nodes()));
        multi_pv = multi_pv.max(skill.lines());
        workers = &mut workers[..1];
    }
    let budget =
        Budget::new(&limits, position.side_to_move(), position.fullmove_number(), settings.move_overhead);
    let task = Task { position, keys, limits: &limits, budget, multi_pv, started };
    // A limited player considers more lines than were asked for; those stay his own.
    let wanted = settings.multi_pv;
    let findings = search::run(&task, tt, &control.signals, workers, &mut |report| {
        if report.multi_pv <= wanted {
            listener.report(&report);
        }
    });

    let chosen = match settings.skill {
        Some(skill) => {
            let clock = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos() as u64);
            skill.choose(&findings.moves, position.key() ^ clock)
        }
        None => 0,
    };
    let Some(chosen) = findings.moves.get(chosen) else {
        listener.no_moves(position.in_check());
        return (None, None);
    };
    (Some(chosen.mv), chosen.line.get(1).copied())
}
