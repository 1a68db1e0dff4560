//! One game between two engines, refereed by this program's rules.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sakmak_engine::score::Score;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::winner;
use sakmak_games::pgn::PgnResult;
use sakmak_movegen::{Color, Game, Notation, Outcome, Rules};
use serde::{Deserialize, Serialize};

use super::engine_error::{EngineError, EngineErrorReport, EngineFailure};
use super::info::InfoLine;
use super::process::{EngineProcess, Timeouts, printable};
use super::spec::{Adjudication, Clock, EngineLimits, EngineSpec};

/// Statistics of a side in one game, or summed over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideStats {
    /// Moves made.
    pub moves: u64,
    /// Sum of the depths reached, in plies.
    pub depth: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Thinking time in milliseconds.
    pub milliseconds: u64,
}

impl SideStats {
    /// Adds the statistics of another game.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.milliseconds += other.milliseconds;
    }
}

/// The `info` of an engine about its last move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveInfo {
    /// Score for the side that moved.
    pub score: Option<Score>,
    /// Search depth in plies.
    pub depth: u32,
    /// Depth of the deepest line, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time the move took.
    pub time: Duration,
    /// The engine's own text for the comment of the move: the first `info string pgncomment`.
    pub comment: Option<String>,
}

impl MoveInfo {
    /// Takes the numbers and the exact score of a line; what it lacks stays.
    fn update(&mut self, line: &InfoLine<'_>) {
        self.depth = line.depth.unwrap_or(self.depth);
        self.seldepth = line.seldepth.unwrap_or(self.seldepth);
        self.nodes = line.nodes.unwrap_or(self.nodes);
        self.score = line.exact_score().or(self.score);
    }

    /// The score in centipawns; a mate is beyond every other score.
    fn centipawns(&self) -> Option<i32> {
        self.score.map(|score| match score {
            Score::Centipawns(cp) => cp,
            Score::Mate(1..) => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        })
    }
}

/// A finished game.
pub struct PlayedGame {
    /// The moves, without an illegal one at the end.
    pub game: Game,
    /// The engine's information about each move.
    pub infos: Vec<MoveInfo>,
    /// The result.
    pub result: PgnResult,
    /// The reason of the result, in words.
    pub reason: String,
    /// The value of PGN's `Termination` tag.
    pub termination: &'static str,
    /// The error that ended the game, of the side that lost it.
    pub fault: Option<EngineError>,
    /// Errors of the engines.
    pub errors: Vec<EngineErrorReport>,
    /// Statistics of White and Black.
    pub stats: [SideStats; 2],
    /// The plies, from 0, before which the side to move stopped its count.
    pub count_stops: Vec<usize>,
}

/// Why a game was not finished.
#[derive(Debug)]
pub enum GameAbort {
    /// The match was stopped.
    Stopped,
    /// An engine cannot be started.
    Engine(EngineFailure),
}

/// Settings of a match that every game is played by.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// The rules of the referee.
    pub rules: Rules,
    /// Limits of engines that have none of their own.
    pub limits: EngineLimits,
    /// Milliseconds by which an engine may overstep its time.
    pub margin: u64,
    /// Adjudication rules.
    pub adjudication: Adjudication,
    /// Tablebases that end a game after the first move to a position they have; none if empty.
    pub tablebases: Tablebases,
    /// Timeouts of everything but moves.
    pub timeouts: Timeouts,
    /// Longest time for a move without a time limit.
    pub longest_move: Duration,
}

/// An engine in the match, running or not.
pub struct Player {
    /// Its description.
    pub spec: EngineSpec,
    /// Its name in the match.
    pub name: String,
    engine: Option<EngineProcess>,
}

/// Attempts to start an engine for one game before the match is aborted.
const STARTS: usize = 3;
/// No further attempt is made after this time.
const LAST_START: Duration = Duration::from_secs(3);

impl Player {
    /// A player whose engine has not been started.
    pub fn new(spec: EngineSpec, name: String) -> Self {
        Self { spec, name, engine: None }
    }

    /// What the running engine said about the options of its description.
    pub fn notices(&self) -> &[String] {
        self.engine.as_ref().map_or(&[], |engine| &engine.notices)
    }

    /// Sets UCI options for the following games; a running engine gets them at once.
    pub fn set_options(&mut self, options: &[(String, String)]) {
        let is_set = |name: &str| options.iter().any(|(other, _)| name.eq_ignore_ascii_case(other));
        self.spec.options.retain(|(name, _)| !is_set(name));
        self.spec.options.extend_from_slice(options);
        if let Some(engine) = &mut self.engine {
            let mut lines =
                options.iter().map(|(name, value)| format!("setoption name {name} value {value}"));
            // An engine that accepts no input is restarted, with these options.
            if lines.any(|line| engine.send(&line).is_err()) {
                self.engine = None;
            }
        }
    }

    /// Starts the engine if it is not running.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&mut self, settings: &GameSettings) -> Result<(), GameAbort> {
        let (mut attempts, begun) = (0, Instant::now());
        while self.engine.is_none() {
            match EngineProcess::start(&self.spec, &settings.rules, settings.timeouts) {
                Ok(engine) => self.engine = Some(engine),
                Err(failure) => {
                    attempts += 1;
                    let is_last = attempts == STARTS || begun.elapsed() > LAST_START;
                    if is_last || !failure.error.is_transient() {
                        return Err(self.cannot_play(failure));
                    }
                }
            }
        }
        Ok(())
    }

    /// Starts the engine if it is not running, and begins a new game. If an idle engine has failed, the error is
    /// reported and the engine restarted.
    fn prepare(
        &mut self,
        number: u64,
        color: Color,
        settings: &GameSettings,
        errors: &mut Vec<EngineErrorReport>,
    ) -> Result<(), GameAbort> {
        let mut last = None;
        for _ in 0..STARTS {
            self.start(settings)?;
            let Some(engine) = &mut self.engine else { continue };
            match engine.new_game() {
                Ok(()) => return Ok(()),
                Err(error) => {
                    let failure = engine.failure(error);
                    let dialogue = failure.dialogue.clone();
                    errors.push(EngineErrorReport::new(number, &self.name, color, &failure.error, dialogue));
                    last = Some(failure);
                    self.engine = None;
                }
            }
        }
        Err(last.map_or(GameAbort::Stopped, |failure| self.cannot_play(failure)))
    }

    /// The abort of a match because this player cannot play; the failure gets its name in the match.
    fn cannot_play(&self, failure: EngineFailure) -> GameAbort {
        GameAbort::Engine(EngineFailure { name: self.name.clone(), ..failure })
    }
}

/// The arguments of `go` for the side to move.
fn go_command(limits: EngineLimits, clocks: &[Clock; 2]) -> String {
    let mut text = "go".to_owned();
    if limits.clock.is_some() {
        for (name, clock) in ["w", "b"].into_iter().zip(clocks) {
            // A side without a clock has unlimited time, but some engines need a number.
            let left = clock.left().unwrap_or(3_600_000).max(1);
            text += &format!(" {name}time {left} {name}inc {}", clock.increment());
        }
    }
    text
}

/// The command `position` without moves.
fn position_command(opening: &Game, rules: &Rules) -> String {
    let start = opening.position().to_string();
    if start == rules.start_fen() { "position startpos".to_owned() } else { format!("position fen {start}") }
}

/// The line by which an engine stops its count before its move.
const COUNT_STOP: &str = "info string count-stop";
/// The beginning of a line whose rest goes into the comment of the move.
pub(super) const PGN_COMMENT: &str = "info string pgncomment ";

/// How the search of one move ended.
enum SearchEnd {
    /// The engine's move, and whether the engine stops its count first.
    Text {
        text: String,
        info: MoveInfo,
        stops_count: bool,
    },
    Failed(EngineError),
    Stopped,
}

/// Interval of checking whether the match has been stopped.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// The search of one move.
struct MoveSearch<'a> {
    /// The command `position`.
    position: &'a str,
    /// The command `go`.
    go: &'a str,
    /// Time that the engine may take; `None` is unlimited.
    allowed: Option<Duration>,
    /// Time by which it may exceed `allowed`.
    margin: Duration,
}

/// Starts a search and waits for the move.
fn search(
    engine: &mut EngineProcess,
    MoveSearch { position, go, allowed, margin }: MoveSearch<'_>,
    settings: &GameSettings,
    stop: &AtomicBool,
) -> SearchEnd {
    let sent = engine.synchronise().and_then(|()| engine.send(position));
    let started = Instant::now();
    if let Err(error) = sent.and_then(|()| engine.send(go)) {
        return SearchEnd::Failed(error);
    }
    let timeout = allowed.map_or(settings.longest_move, |allowed| allowed + margin + settings.timeouts.stall);
    let deadline = started + timeout;
    let mut info = MoveInfo::default();
    let mut stops_count = false;
    loop {
        if stop.load(Relaxed) {
            return SearchEnd::Stopped;
        }
        match engine.receive(deadline.min(Instant::now() + STOP_CHECK)) {
            Err(error) => return SearchEnd::Failed(error),
            Ok(None) if Instant::now() >= deadline => return SearchEnd::Failed(EngineError::Stall),
            Ok(None) => {}
            // An engine that never stops writing can stall, too.
            Ok(Some((came, _))) if came > deadline => return SearchEnd::Failed(EngineError::Stall),
            Ok(Some((came, line))) => {
                if line.trim_end() == COUNT_STOP {
                    stops_count = true;
                } else if let Some(text) = line.strip_prefix(PGN_COMMENT) {
                    info.comment.get_or_insert_with(|| text.to_owned());
                } else if let Some(line) = InfoLine::parse(&line) {
                    info.update(&line);
                } else if line.split_ascii_whitespace().next() == Some("bestmove") {
                    let text = line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
                    info.time = came.saturating_duration_since(started);
                    let late = allowed.and_then(|allowed| info.time.checked_sub(allowed));
                    if let Some(late) = late.filter(|&late| late > margin) {
                        return SearchEnd::Failed(EngineError::TimeForfeit { ms: late.as_millis() as u64 });
                    }
                    return SearchEnd::Text { text, info, stops_count };
                }
            }
        }
    }
}

fn won_by(color: Color) -> PgnResult {
    if color == Color::White { PgnResult::WhiteWins } else { PgnResult::BlackWins }
}

/// The result by the rules, if the game is over.
fn result_by_rules(game: &Game) -> Option<(PgnResult, String)> {
    let outcome = game.outcome()?;
    let result = match outcome {
        Outcome::Win(color) => won_by(color),
        Outcome::Draw(_) => PgnResult::Draw,
    };
    Some((result, outcome.to_string()))
}

/// The result by the tablebases, if they have the position.
fn result_by_tables(tables: &Tablebases, game: &Game) -> Option<(PgnResult, String)> {
    Some(match winner(tables, game.position())? {
        Some(color) => (won_by(color), format!("{color} wins (adjudicated: tablebase)")),
        None => (PgnResult::Draw, "draw (adjudicated: tablebase)".to_owned()),
    })
}

/// The result by adjudication, if a rule applies.
fn adjudicate(adjudication: Adjudication, game: &Game, infos: &[MoveInfo]) -> Option<(PgnResult, String)> {
    let number = game.position().fullmove_number();
    let last = |moves: u32| {
        let plies = 2 * moves as usize;
        infos.len().checked_sub(plies).map(|from| &infos[from..])
    };
    if let Some(rule) = adjudication.draw
        && number > rule.after
        && let Some(plies) = last(rule.moves)
        && plies.iter().all(|info| info.centipawns().is_some_and(|score| score.abs() <= rule.score))
    {
        return Some((PgnResult::Draw, "draw (adjudicated: level scores)".to_owned()));
    }
    if let Some(rule) = adjudication.resign
        && let Some(plies) = last(rule.moves)
    {
        let mover = !game.position().side_to_move();
        for loser in Color::ALL {
            let agreed = plies.iter().rev().enumerate().all(|(back, info)| {
                let side = if back % 2 == 0 { mover } else { !mover };
                let limit = rule.score;
                info.centipawns()
                    .is_some_and(|score| if side == loser { score <= -limit } else { score >= limit })
            });
            if agreed {
                return Some((won_by(!loser), format!("{} wins (adjudicated: agreed scores)", !loser)));
            }
        }
    }
    if adjudication.max_moves.is_some_and(|moves| game.len() as u64 >= 2 * u64::from(moves)) {
        return Some((PgnResult::Draw, "draw (adjudicated: too many moves)".to_owned()));
    }
    None
}

/// Plays a game between `players` (White, Black) from `opening`.
///
/// # Errors
/// If the match is stopped, or an engine cannot be started.
pub fn play(
    number: u64,
    players: [&mut Player; 2],
    opening: &Game,
    settings: &GameSettings,
    stop: &AtomicBool,
) -> Result<PlayedGame, GameAbort> {
    let mut errors = Vec::new();
    let [white, black] = players;
    white.prepare(number, Color::White, settings, &mut errors)?;
    black.prepare(number, Color::Black, settings, &mut errors)?;
    let limits = [&*white, &*black].map(|player| player.spec.limits.or(settings.limits));
    let mut clocks = limits.map(Clock::new);
    let mut game = opening.clone();
    let mut infos = Vec::new();
    let mut stats = [SideStats::default(); 2];
    let mut count_stops = Vec::new();
    let mut fault = None;

    let mut position = position_command(opening, &settings.rules);
    let end = |game: &Game, infos: &[MoveInfo]| {
        let by_rules = result_by_rules(game).map(|(result, reason)| (result, reason, "normal"));
        by_rules.or_else(|| {
            // Tablebases adjudicate only after a move, as every adjudication does.
            let has_move = !infos.is_empty();
            let end = has_move.then(|| result_by_tables(&settings.tablebases, game)).flatten();
            let end = end.or_else(|| adjudicate(settings.adjudication, game, infos));
            end.map(|(result, reason)| (result, reason, "adjudication"))
        })
    };
    let (result, reason, termination) = loop {
        if let Some(end) = end(&game, &infos) {
            break end;
        }
        let side = game.position().side_to_move();
        let (player, clock) = match side {
            Color::White => (&mut *white, &clocks[0]),
            Color::Black => (&mut *black, &clocks[1]),
        };
        let limits = limits[side.index()];
        let mut go = go_command(limits, &clocks);
        if let Some(moves) = clock.moves_to_go() {
            go += &format!(" movestogo {moves}");
        }
        go += &limits.go_words();
        let margin = Duration::from_millis(player.spec.margin.unwrap_or(settings.margin));
        let Some(engine) = &mut player.engine else { return Err(GameAbort::Stopped) };
        let move_search = MoveSearch { position: &position, go: &go, allowed: clock.allowed(), margin };
        let error = match search(engine, move_search, settings, stop) {
            SearchEnd::Stopped => {
                // The engine is still searching a finished game.
                player.engine = None;
                return Err(GameAbort::Stopped);
            }
            SearchEnd::Failed(error) => error,
            SearchEnd::Text { text, info, stops_count } => match game.position().parse_move(&text) {
                Ok(mv) => {
                    if infos.is_empty() {
                        position += " moves";
                    }
                    // A count that belongs to neither side cannot be stopped by the engine.
                    let is_own = game.position().counter() == Some(side);
                    if stops_count && is_own && game.stop_count().is_ok() {
                        position += " count-stop";
                        count_stops.push(infos.len());
                    }
                    position += &format!(" {mv}");
                    clocks[side.index()].spend(info.time);
                    stats[side.index()].add(SideStats {
                        moves: 1,
                        depth: u64::from(info.depth),
                        nodes: info.nodes,
                        milliseconds: info.time.as_millis() as u64,
                    });
                    infos.push(info);
                    // The move is legal, so it is accepted.
                    let _ = game.play(mv);
                    continue;
                }
                Err(_) if matches!(text.as_str(), "" | "(none)" | "0000" | "none" | "resign") => {
                    EngineError::NoMove { text }
                }
                Err(_) => EngineError::IllegalMove { text: printable(&text).take(24).collect() },
            },
        };
        errors.push(EngineErrorReport::new(number, &player.name, side, &error, engine.dialogue()));
        if error.needs_restart() {
            player.engine = None;
        }
        let termination = error.termination();
        let reason = format!("{} wins ({side} {error})", !side);
        fault = Some(error);
        break (won_by(!side), reason, termination);
    };
    Ok(PlayedGame { game, infos, result, reason, termination, fault, errors, stats, count_stops })
}

/// The moves of a game in a notation.
pub fn move_names(game: &Game, notation: Notation) -> Vec<String> {
    let mut again = game.clone();
    let moves: Vec<_> = game.moves().collect();
    while again.take_back().is_some() {}
    moves
        .into_iter()
        .map(|mv| {
            let name = again.name(notation, mv);
            let _ = again.play(mv);
            name
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_or_a_missing_number_keeps_what_is_known() {
        let mut info = MoveInfo::default();
        for line in
            ["info depth 7 score cp -31 nodes 1234", "info depth 8 score cp 99 lowerbound", "info depth x"]
        {
            info.update(&InfoLine::parse(line).unwrap());
        }
        assert_eq!((info.depth, info.score, info.nodes), (8, Some(Score::Centipawns(-31)), 1234));
    }

    #[test]
    fn go_has_both_clocks() {
        let limits = EngineLimits { clock: Some("2/1+0.1".parse().unwrap()), ..EngineLimits::default() };
        let clocks =
            [Clock::new(limits), Clock::new(EngineLimits { nodes: Some(5), ..EngineLimits::default() })];
        assert_eq!(go_command(limits, &clocks), "go wtime 1100 winc 100 btime 3600000 binc 0");
        assert_eq!(go_command(EngineLimits::default(), &clocks), "go");
    }

    #[test]
    fn agreement_of_both_sides() {
        let info = |score: i32| MoveInfo { score: Some(Score::Centipawns(score)), ..MoveInfo::default() };
        let mut game = Game::new(Rules::default());
        let resign =
            Adjudication { resign: Some("count=2,score=500".parse().unwrap()), ..Adjudication::default() };
        // White to move, so Black moved last.
        let infos = [info(-600), info(700), info(-510), info(500)];
        let end = adjudicate(resign, &game, &infos);
        assert_eq!(end.map(|(result, _)| result), Some(PgnResult::BlackWins));
        let doubted = [info(-600), info(700), info(-510), info(499)];
        assert_eq!(adjudicate(resign, &game, &doubted), None);
        let draw = Adjudication {
            draw: Some("move=1,count=1,score=10".parse().unwrap()),
            max_moves: Some(2),
            ..Adjudication::default()
        };
        let level = [info(3), info(-10)];
        assert_eq!(adjudicate(draw, &game, &level), None, "move 1 is not beyond move 1");
        for text in "b1d2 b8d7".split(' ') {
            game.play_uci(text).unwrap();
        }
        assert_eq!(adjudicate(draw, &game, &level).map(|end| end.0), Some(PgnResult::Draw));
        assert_eq!(adjudicate(draw, &game, &infos), None);
        let endless = Adjudication { max_moves: Some(u32::MAX), ..Adjudication::default() };
        assert_eq!(adjudicate(endless, &game, &infos), None);
    }
}
