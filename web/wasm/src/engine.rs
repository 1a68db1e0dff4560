//! The search behind the page's worker: runs [`sakmak_engine::Engine`] in parts and probes the solved endings.

mod facts;

use std::sync::mpsc::{Receiver, Sender, channel};

use sakmak_engine::score::Score;
use sakmak_engine::skill::Skill;
use sakmak_engine::tt::Bound;
use sakmak_engine::win_rate::accepts_draw;
use sakmak_engine::{EngineSettings, Limits, Listener, SearchInfo};
use sakmak_eval::DtmTables;
use sakmak_games::move_name;
use sakmak_movegen::{Color, Game, Move, Notation, Position};
use serde::{Deserialize, Serialize};

pub use facts::{Facts, Solved};

use crate::fault::Fault;
use crate::record::{CountWord, Evaluation};
use crate::rules::RulesChoice;

/// Move overhead on a clock in milliseconds: messages between page and worker.
const OVERHEAD: i64 = 60;

/// The limits of a search, and what to search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Go {
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// Largest depth, in plies.
    pub depth: Option<u32>,
    /// Milliseconds for the move.
    pub move_time: Option<i64>,
    /// Milliseconds left to White and Black.
    pub clock: Option<[i64; 2]>,
    /// Milliseconds added after each move, to White and Black.
    pub increment: [i64; 2],
    /// Number of lines (MultiPV).
    pub lines: usize,
    /// Rating to play at; full strength without one.
    pub rating: Option<i32>,
    /// Seed of the errors of a player below full strength.
    pub seed: u64,
    /// Searches only these moves, in coordinates.
    pub moves: Vec<String>,
    /// Searches without the count.
    pub uncounted: bool,
    /// The notation of the lines.
    pub notation: String,
}

/// A line that the search has found, from White's side.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Rank of the line, from 1.
    pub rank: usize,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Selective depth: the deepest ply reached.
    pub seldepth: u32,
    /// The score.
    pub score: Evaluation,
    /// Chances of White to win, draw and lose in thousandths.
    pub chances: [u32; 3],
    /// Positions searched.
    pub nodes: u64,
    /// Milliseconds since the start.
    pub time: u64,
    /// Moves in coordinates.
    pub moves: Vec<String>,
    /// The moves in the notation asked for.
    pub names: Vec<String>,
    /// The report of the search.
    #[serde(skip)]
    pub info: SearchInfo,
}

/// What a part of a search has found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    /// Lines of finished iterations, the newest of each rank.
    pub lines: Vec<Line>,
    /// Set when the search is over.
    pub done: Option<Done>,
}

/// The end of a search.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<String>,
    /// Whether the side to move stops its count before that move, which would only draw otherwise.
    pub stops_count: bool,
    /// The expected reply (ponder move).
    pub reply: Option<String>,
    /// Chances of White to win, draw and lose in thousandths.
    pub chances: [u32; 3],
    /// Whether White and Black would agree to a draw.
    pub takes_draw: [bool; 2],
    /// Positions searched.
    pub nodes: u64,
    /// Depth of the last finished iteration, in plies.
    pub depth: u32,
}

/// The game of a FEN, then moves in coordinates and words of the count, as
/// [`Record::engine_line`](crate::record::Record::engine_line) gives them.
///
/// # Errors
/// What is wrong.
pub fn game_of(choice: &RulesChoice, fen: &str, words: &[String]) -> Result<Game, Fault> {
    let mut game = Game::from_fen(fen, choice.rules()?)?;
    for word in words {
        match word.strip_prefix("count-").and_then(CountWord::parse) {
            Some(count) => _ = count.apply(&mut game)?,
            None => _ = game.play_uci(word)?,
        }
    }
    Ok(game)
}

/// The engine with the page's game.
pub struct Engine {
    engine: sakmak_engine::Engine,
    pub(crate) game: Game,
    running: Option<Running>,
}

/// A running search.
struct Running {
    game: Game,
    notation: Notation,
    reports: Receiver<Report>,
    /// The last report of the best line.
    best: Option<SearchInfo>,
}

/// A report of the search.
enum Report {
    Line(Box<SearchInfo>),
    Answer { best: Option<Move>, reply: Option<Move> },
}

/// Collects the reports until the end of the part.
struct Reporter(Sender<Report>);

impl Listener for Reporter {
    fn info(&mut self, info: &SearchInfo) {
        if info.bound == Bound::Exact {
            let _ = self.0.send(Report::Line(Box::new(info.clone())));
        }
    }

    fn finished(&mut self, best: Option<Move>, reply: Option<Move>) {
        let _ = self.0.send(Report::Answer { best, reply });
    }
}

impl Go {
    /// The limits of the search. Only full strength can be without a limit.
    fn limits(&self, position: &Position) -> Limits {
        let is_limited =
            self.nodes.is_some() || self.depth.is_some() || self.move_time.is_some() || self.clock.is_some();
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.move_time,
            clock: self.clock.map_or([None; 2], |clock| clock.map(Some)),
            increment: self.increment,
            infinite: !is_limited && self.skill().is_none(),
            search_moves: self.moves.iter().filter_map(|mv| position.parse_move(mv).ok()).collect(),
            ..Limits::default()
        }
    }

    fn skill(&self) -> Option<Skill> {
        self.rating.and_then(Skill::from_elo)
    }
}

impl Engine {
    /// An engine with a transposition table of `hash_mb` MiB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(hash_mb: usize) -> Result<Self, Fault> {
        let rules = RulesChoice::default().rules()?;
        let settings = EngineSettings { hash_mb, rules, ..EngineSettings::default() };
        let engine = sakmak_engine::Engine::on_calling_thread(settings, &DtmTables::default())
            .map_err(|error| Fault::new("memory", error))?;
        Ok(Self { engine, game: Game::new(rules), running: None })
    }

    /// Sets up a game, see [`game_of`]. A running search is given up.
    ///
    /// # Errors
    /// What is wrong; the game set up before stays.
    pub fn set_game(&mut self, choice: &RulesChoice, fen: &str, words: &[String]) -> Result<(), Fault> {
        self.game = game_of(choice, fen, words)?;
        self.engine.stop();
        self.running = None;
        Ok(())
    }

    /// Clears the transposition table and histories before the next search.
    pub fn clear(&mut self) {
        self.engine.new_game();
    }

    /// Begins a search of the present position.
    pub fn go(&mut self, go: &Go) {
        self.begin(&self.game.clone(), go);
    }

    /// Begins a search of the present position of a game.
    pub(crate) fn begin(&mut self, game: &Game, go: &Go) {
        let settings = self.engine.settings_mut();
        settings.multi_pv = go.lines.max(1);
        settings.skill = go.skill();
        settings.seed = Some(go.seed);
        settings.ignores_count = go.uncounted;
        settings.move_overhead = if go.clock.is_some() { OVERHEAD } else { 0 };
        self.engine.take_game(game.clone());
        let (sender, reports) = channel();
        let notation = go.notation.parse().unwrap_or_default();
        self.running = Some(Running { game: game.clone(), notation, reports, best: None });
        // `go` refuses nothing: neither the hash size nor the number of threads changes.
        let _ = self.engine.go(go.limits(game.position()), Reporter(sender));
    }

    /// Whether a search has begun whose end was not returned yet.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Searches `nodes` nodes more. Without a search the result is empty.
    pub fn advance(&mut self, nodes: u64) -> Part {
        let Some(running) = &mut self.running else { return Part::default() };
        if !self.engine.advance(nodes) {
            // The answer of a search without limits is held until it is stopped.
            self.engine.stop();
        }
        let part = running.part();
        if part.done.is_some() {
            self.running = None;
        }
        part
    }

    /// Whether the last part ended because the search needs an ending that is not solved yet; the next ones solve it.
    pub fn is_solving(&self) -> bool {
        self.engine.is_solving()
    }

    /// Stops the search: the next part is its last.
    pub fn stop(&mut self) {
        self.engine.stop();
    }

    /// Works for some milliseconds on the endings of two pieces against a bare khun. Returns `false` if all are solved.
    pub fn solve_next(&self) -> bool {
        self.engine.dtm_tables().solve_next()
    }
}

/// Converts a score of the search to White's side.
pub(crate) fn evaluation(score: Score, side: Color) -> Evaluation {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        Score::Centipawns(cp) => Evaluation { cp: Some(sign * cp), mate: None },
        Score::Mate(0) => Evaluation { cp: None, mate: Some(0) },
        Score::Mate(moves) => Evaluation { cp: None, mate: Some(sign * moves) },
    }
}

/// Converts chances of the side to move to White's.
pub(crate) fn white_chances([win, draw, loss]: [u32; 3], side: Color) -> [u32; 3] {
    if side == Color::White { [win, draw, loss] } else { [loss, draw, win] }
}

impl Running {
    /// The reports since the last part.
    fn part(&mut self) -> Part {
        let mut part = Part::default();
        while let Ok(report) = self.reports.try_recv() {
            match report {
                Report::Line(info) => {
                    part.lines.retain(|line| line.rank != info.multi_pv);
                    part.lines.push(self.line(&info));
                    if info.multi_pv == 1 {
                        self.best = Some(*info);
                    }
                }
                Report::Answer { best, reply } => part.done = Some(self.done(best, reply)),
            }
        }
        part
    }

    fn line(&self, info: &SearchInfo) -> Line {
        let side = self.game.position().side_to_move();
        let mut game = self.game.clone();
        let mut names = Vec::new();
        for &mv in &info.line {
            names.push(move_name(&game, self.notation, mv));
            game.play_unchecked(mv);
        }
        Line {
            rank: info.multi_pv,
            depth: info.depth,
            seldepth: info.seldepth,
            score: evaluation(info.score, side),
            chances: white_chances(info.win_draw_loss, side),
            nodes: info.nodes,
            time: info.time.as_millis() as u64,
            moves: info.line.iter().map(|mv| mv.to_string()).collect(),
            names,
            info: info.clone(),
        }
    }

    fn done(&self, best: Option<Move>, reply: Option<Move>) -> Done {
        let position = self.game.position();
        let found = self.best.as_ref();
        let chances = match found {
            Some(info) => info.win_draw_loss,
            None if position.in_check() => [0, 0, 1000],
            None => [0, 1000, 0],
        };
        let white = white_chances(chances, position.side_to_move());
        Done {
            best: best.map(|mv| mv.to_string()),
            stops_count: best.is_some_and(|mv| position.must_stop_count(mv)),
            reply: reply.map(|mv| mv.to_string()),
            chances: white,
            takes_draw: [accepts_draw(white), accepts_draw([white[2], white[1], white[0]])],
            nodes: found.map_or(0, |info| info.nodes),
            depth: found.map_or(0, |info| info.depth),
        }
    }
}

#[cfg(test)]
mod tests;
