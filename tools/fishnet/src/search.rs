//! Does a job with an engine.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sakmak_engine::score::Score;
use sakmak_engine::time::{Budget, GameStage, Latency};
use sakmak_engine::tt::{Bound, HashAllocationError};
use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo};
use sakmak_eval::DtmTables;
use sakmak_movegen::{Move, Position, Rules, Ruleset, Variant};

use crate::levels::Level;
use crate::protocol::{AbortReport, Clock, Evaluation, Job, MoveReport, Row};

/// Nodes and time for a position of an analysis if the server names no nodes; the time holds always.
const ANALYSIS_NODES: u64 = 3_500_000;
const ANALYSIS_TIME: Duration = Duration::from_secs(4);
/// Time of the game's clock that is set aside for the way to the server.
const DELAY: Duration = Duration::from_millis(100);
/// How often a search looks whether its job is to be aborted.
const PATIENCE: Duration = Duration::from_millis(20);

/// An engine that does jobs.
pub(crate) struct Player {
    engine: Engine,
    variants: Vec<Variant>,
    seed: Option<u64>,
}

/// The end of a job.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    Move(MoveReport),
    Analysis(Vec<Option<Row>>),
    Abort(AbortReport),
    /// The job was given up for this one.
    Replaced(Box<Job>),
}

/// How often a running job looks around.
pub(crate) trait Watch {
    /// Whether the job is to be aborted.
    fn is_aborted(&self) -> bool;

    /// Takes a part of an analysis, after each position. Returns the job that the server wants done instead.
    fn progress(&self, rows: &[Option<Row>]) -> Option<Box<Job>>;
}

/// What a search found.
struct Found {
    best: Option<Move>,
    evaluation: Option<Evaluation>,
}

/// Keeps the last line, and sends it at the end of the search.
struct Reporter {
    evaluation: Option<Evaluation>,
    sender: Sender<Found>,
}

impl Listener for Reporter {
    fn info(&mut self, info: &SearchInfo) {
        if info.multi_pv != 1 || info.bound != Bound::Exact {
            return;
        }
        let moves: Vec<_> = info.line.iter().map(ToString::to_string).collect();
        let nps = info.nodes as f64 / info.time.as_secs_f64().max(1e-3);
        self.evaluation = Some(Evaluation {
            score: info.score.into(),
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            time: u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX),
            nps: nps as u64,
            pv: moves.join(" "),
        });
    }

    fn no_moves(&mut self, mated: bool) {
        let score = if mated { Score::Mate(0) } else { Score::Centipawns(0) };
        self.evaluation = Some(Evaluation {
            score: score.into(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time: 0,
            nps: 0,
            pv: String::new(),
        });
    }

    fn finished(&mut self, best: Option<Move>, _ponder: Option<Move>) {
        let _ = self.sender.send(Found { best, evaluation: self.evaluation.take() });
    }
}

fn abort(reason: &'static str, message: impl ToString) -> AbortReport {
    AbortReport { reason, message: message.to_string() }
}

impl Player {
    /// A player of these variants. With a seed its moves are reproducible.
    pub(crate) fn new(
        threads: usize,
        hash_mb: usize,
        variants: Vec<Variant>,
        seed: Option<u64>,
        tables: &DtmTables,
    ) -> Result<Self, HashAllocationError> {
        let settings = EngineSettings { threads, hash_mb, seed, ..EngineSettings::default() };
        Ok(Self { engine: Engine::with_dtm_tables(settings, tables)?, variants, seed })
    }

    fn variant(&self, job: &Job) -> Result<Variant, AbortReport> {
        let known = job.variant.parse().ok().filter(|variant| self.variants.contains(variant));
        known.ok_or_else(|| {
            let names: Vec<_> = self.variants.iter().map(|variant| variant.name()).collect();
            let message = format!("this worker does not play {}, only {}", job.variant, names.join(", "));
            abort(AbortReport::UNSUPPORTED_VARIANT, message)
        })
    }

    /// Does a job.
    pub(crate) fn work(&mut self, job: &Job, watch: &impl Watch) -> Outcome {
        let outcome = self.variant(job).and_then(|variant| {
            self.engine.settings_mut().rules = Rules::new(variant, Ruleset::default());
            self.engine.new_game();
            match job.work.kind.as_str() {
                "move" => self.play(job, watch).map(Outcome::Move),
                "analysis" => self.analyse(job, watch),
                kind => Err(abort(AbortReport::INVALID_JOB, format!("no job is called '{kind}'"))),
            }
        });
        outcome.unwrap_or_else(Outcome::Abort)
    }

    /// Sets up the position of a job after some of its moves.
    fn set_up(&mut self, job: &Job, moves: &[&str]) -> Result<(), AbortReport> {
        let fen = (job.position != "startpos").then_some(job.position.as_str());
        let refused = self.engine.set_game(fen, moves.iter().copied());
        match refused.first() {
            Some(error) => Err(abort(AbortReport::INVALID_JOB, error)),
            None => Ok(()),
        }
    }

    fn search(&mut self, limits: Limits, watch: &impl Watch) -> Result<Found, AbortReport> {
        let (sender, found) = channel();
        let _ = self.engine.go(limits, Reporter { evaluation: None, sender });
        loop {
            match found.recv_timeout(PATIENCE) {
                Ok(found) => return Ok(found),
                Err(RecvTimeoutError::Timeout) if watch.is_aborted() => {
                    self.engine.stop();
                    return Err(abort(AbortReport::SHUTDOWN, "this worker stops"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(abort(AbortReport::ENGINE_CRASH, "the search ended without an answer"));
                }
            }
        }
    }

    fn play(&mut self, job: &Job, watch: &impl Watch) -> Result<MoveReport, AbortReport> {
        self.set_up(job, &job.moves())?;
        let level = Level::of(job.work.level.unwrap_or(i64::MAX));
        self.engine.settings_mut().skill = level.skill();
        let mut limits = level.limits(self.seed.is_some());
        if let Some(clock) = job.work.clock {
            limits.move_time =
                limits.move_time.map(|most| most.min(clock_share(clock, self.engine.position())));
        }
        let fen = self.engine.position().to_string();
        let best = self.search(limits, watch)?.best;
        let best = best.ok_or_else(|| abort(AbortReport::INVALID_JOB, "the game is over"))?;
        Ok(MoveReport { bestmove: best.to_string(), fen })
    }

    fn analyse(&mut self, job: &Job, watch: &impl Watch) -> Result<Outcome, AbortReport> {
        let moves = job.moves();
        self.engine.settings_mut().skill = None;
        let mut rows: Vec<Option<Row>> = vec![None; moves.len() + 1];
        for &ply in &job.skip_positions {
            if let Some(row) = rows.get_mut(ply) {
                *row = Some(Row::Skipped { skipped: true });
            }
        }
        let nodes = Some(job.nodes().unwrap_or(ANALYSIS_NODES));
        // From the end, so that the transposition table knows what comes after a position.
        for ply in (0..rows.len()).rev().filter(|ply| !job.skip_positions.contains(ply)) {
            self.set_up(job, &moves[..ply])?;
            let limits = Limits { nodes, ..Limits::move_time(ANALYSIS_TIME) };
            let evaluation = self.search(limits, watch)?.evaluation;
            let missing = || abort(AbortReport::ENGINE_CRASH, "the search found no score");
            rows[ply] = Some(Row::Found(evaluation.ok_or_else(missing)?));
            if rows.contains(&None)
                && let Some(other) = watch.progress(&rows)
            {
                return Ok(Outcome::Replaced(other));
            }
        }
        Ok(Outcome::Analysis(rows))
    }
}

/// The time for a move by the clock of the game. Unlimited if no clock can be understood.
fn clock_share(Clock { wtime, btime, inc }: Clock, position: &Position) -> Duration {
    let limits = Limits {
        clock: [wtime, btime].map(|hundredths| Some(hundredths.saturating_mul(10))),
        increment: [Duration::from_secs(inc); 2],
        ..Limits::default()
    };
    Budget::new(&limits, GameStage::of(position), DELAY, Latency::NONE)
        .map_or(Duration::MAX, |budget| budget.soft)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::protocol::RowScore;

    /// Lets a job run, or aborts it when it looks for the first time.
    struct Calm {
        is_aborted: bool,
        looks: Cell<usize>,
    }

    impl Watch for Calm {
        fn is_aborted(&self) -> bool {
            self.looks.set(self.looks.get() + 1);
            self.is_aborted
        }

        fn progress(&self, _: &[Option<Row>]) -> Option<Box<Job>> {
            None
        }
    }

    fn player(seed: Option<u64>) -> Player {
        Player::new(1, 1, vec![Variant::Makruk, Variant::Cambodian], seed, &DtmTables::default()).unwrap()
    }

    fn done(player: &mut Player, job: &str) -> Outcome {
        let watch = Calm { is_aborted: false, looks: Cell::new(0) };
        player.work(&Job::read(job).unwrap(), &watch)
    }

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    /// White mates in one move.
    const MATE: &str = "3k4/8/3K4/8/8/8/8/R7 w - - 0 1";

    fn job(work: &str, position: &str, rest: &str) -> String {
        format!(r#"{{"work": {{{work}, "id": "x"}}, "position": "{position}", "variant": "makruk" {rest}}}"#)
    }

    #[test]
    fn an_analysis_scores_for_the_side_to_move() {
        let text = job(r#""type": "analysis""#, MATE, r#", "moves": "a1a8", "nodes": 2000"#);
        let Outcome::Analysis(rows) = done(&mut player(None), &text) else { panic!("no analysis") };
        let score = |row: &Option<Row>| match row {
            Some(Row::Found(found)) => found.score,
            other => panic!("{other:?}"),
        };
        assert_eq!(rows.iter().map(score).collect::<Vec<_>>(), [RowScore::Mate(1), RowScore::Mate(0)]);
        // Black is to move and lost.
        let text =
            job(r#""type": "analysis""#, &MATE.replace(" w ", " b "), r#", "moves": "d8c8", "nodes": 2000"#);
        let Outcome::Analysis(rows) = done(&mut player(None), &text) else { panic!("no analysis") };
        assert!(matches!(score(&rows[0]), RowScore::Cp(..0) | RowScore::Mate(..0)), "{rows:?}");
        assert!(matches!(score(&rows[1]), RowScore::Cp(1..) | RowScore::Mate(1..)), "{rows:?}");
    }

    #[test]
    fn positions_to_leave_out_are_left_out() {
        let rest = r#", "moves": "e3e4 d6d5", "nodes": 500, "skipPositions": [0, 2, 9]"#;
        let Outcome::Analysis(rows) = done(&mut player(None), &job(r#""type": "analysis""#, START, rest))
        else {
            panic!("no analysis")
        };
        let skipped: Vec<_> = rows.iter().map(|row| matches!(row, Some(Row::Skipped { .. }))).collect();
        assert_eq!(skipped, [true, false, true]);
        let none = job(r#""type": "analysis""#, START, r#", "nodes": 500"#);
        assert!(matches!(done(&mut player(None), &none), Outcome::Analysis(rows) if rows.len() == 1));
    }

    #[test]
    fn the_same_seed_plays_the_same_move() {
        for level in [1, 5] {
            let work = format!(r#""type": "move", "level": {level}"#);
            let text = job(&work, START, r#", "moves": "e3e4 d6d5""#);
            let played: Vec<_> = (0..3).map(|_| done(&mut player(Some(7)), &text)).collect();
            assert!(matches!(&played[0], Outcome::Move(_)), "{played:?}");
            assert!(played.iter().all(|outcome| *outcome == played[0]), "{played:?}");
            // What the engine did before does not matter.
            let mut used = player(Some(7));
            done(&mut used, &job(r#""type": "analysis""#, START, r#", "moves": "a3a4", "nodes": 3000"#));
            assert_eq!(done(&mut used, &text), played[0]);
        }
    }

    #[test]
    fn the_strongest_level_mates() {
        let Outcome::Move(report) =
            done(&mut player(Some(1)), &job(r#""type": "move", "level": 8"#, MATE, ""))
        else {
            panic!("no move")
        };
        assert_eq!((report.bestmove.as_str(), report.fen.as_str()), ("a1a8", MATE));
    }

    #[test]
    fn what_cannot_be_done_is_aborted_with_the_reason() {
        let work = r#""type": "move", "level": 1"#;
        let mut player = player(None);
        for (text, reason, words) in [
            (job(work, START, "").replace("makruk", "shogi"), AbortReport::UNSUPPORTED_VARIANT, "shogi"),
            (job(work, START, r#", "moves": "e3e4 a1a5""#), AbortReport::INVALID_JOB, "move 2"),
            (job(work, "8/8 w", ""), AbortReport::INVALID_JOB, ""),
            (job(r#""type": "sing""#, START, ""), AbortReport::INVALID_JOB, "'sing'"),
            (job(work, MATE, r#", "moves": "a1a8""#), AbortReport::INVALID_JOB, "over"),
        ] {
            let Outcome::Abort(report) = done(&mut player, &text) else { panic!("{text}") };
            assert!(report.reason == reason && report.message.contains(words), "{report:?}");
        }
        let cambodian = job(work, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1", "");
        let outcome = done(&mut player, &cambodian.replace("makruk", "cambodian"));
        assert!(matches!(outcome, Outcome::Move(_)), "{outcome:?}");
    }

    #[test]
    fn a_search_ends_when_its_job_is_aborted() {
        let watch = Calm { is_aborted: true, looks: Cell::new(0) };
        let text = job(r#""type": "analysis""#, START, r#", "moves": "e3e4""#);
        let outcome = player(None).work(&Job::read(&text).unwrap(), &watch);
        let Outcome::Abort(report) = outcome else { panic!("{outcome:?}") };
        assert_eq!((report.reason, watch.looks.get()), (AbortReport::SHUTDOWN, 1));
    }

    #[test]
    fn a_move_takes_a_share_of_the_clock() {
        let position = Position::default();
        let share = |wtime, inc| clock_share(Clock { wtime, btime: 90_000, inc }, &position).as_millis();
        // Hundredths of a second: 0.3 s, 3 s, none.
        assert!((1..=150).contains(&share(30, 0)), "{}", share(30, 0));
        assert!((10..=400).contains(&share(300, 0)), "{}", share(300, 0));
        assert!(share(0, 0) <= 1 && share(i64::MIN, 0) <= 1);
        // Three minutes and two seconds a move; more than the level takes.
        assert!(share(18_000, 2) > 1_000 && share(i64::MAX, u64::MAX) > 1_000);
    }
}
