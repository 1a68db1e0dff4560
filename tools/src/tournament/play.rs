//! One game between two engines, judged by our own rules.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sakmak_movegen::{Color, Game, Notation, Outcome, Rules};
use serde::{Deserialize, Serialize};

use super::fault::{Fault, FaultReport};
use super::process::{Engine, Patience, printable};
use super::spec::{Adjudication, Clock, EngineSpec, Limits};
use crate::pgn::PgnResult;

/// What a side did in a game, or in many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideStats {
    /// Moves thought about.
    pub moves: u64,
    /// Sum of the depths reached, in plies.
    pub depth: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Thinking time in milliseconds.
    pub milliseconds: u64,
}

impl SideStats {
    /// Adds another game's.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.milliseconds += other.milliseconds;
    }
}

/// What an engine said of its move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thought {
    /// Score in centipawns for the side that moved; mates are far beyond 10,000.
    pub score: Option<i32>,
    /// Plies of depth.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
}

/// A game that has been played to its end.
pub struct Played {
    /// The record; it ends before an illegal move.
    pub game: Game,
    /// What was thought of each move.
    pub thoughts: Vec<Thought>,
    /// Who won.
    pub result: PgnResult,
    /// Why, in words.
    pub reason: String,
    /// The value of PGN's `Termination`.
    pub termination: &'static str,
    /// What went wrong.
    pub faults: Vec<FaultReport>,
    /// White's and Black's.
    pub stats: [SideStats; 2],
}

/// Why a game has no end.
pub enum Unplayed {
    /// The match was stopped.
    Stopped,
    /// An engine cannot be started.
    NoEngine(String, Fault, Vec<String>),
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The rules of the referee.
    pub rules: Rules,
    /// Limits of engines that have none of their own.
    pub limits: Limits,
    /// Milliseconds by which an engine may overstep its time.
    pub margin: u64,
    /// Early ends.
    pub adjudication: Adjudication,
    /// How long to wait for engines.
    pub patience: Patience,
    /// How long a move without any time limit may take.
    pub longest_move: Duration,
}

/// An engine that takes part, running or not.
pub struct Player {
    /// What it is.
    pub spec: EngineSpec,
    /// Its name in the match.
    pub name: String,
    engine: Option<Engine>,
}

/// How often an engine is started for one game before the match is given up.
const STARTS: usize = 3;

impl Player {
    /// A player whose engine has yet to be started.
    pub fn new(spec: EngineSpec, name: String) -> Self {
        Self { spec, name, engine: None }
    }

    /// Starts the engine if it is not running.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&mut self, conditions: &Conditions) -> Result<(), Unplayed> {
        let (variant, ruleset) = (conditions.rules.variant.name(), conditions.rules.ruleset.name());
        let mut failed = 0;
        while self.engine.is_none() {
            match Engine::start(&self.spec, variant, ruleset, conditions.patience) {
                Ok(engine) => self.engine = Some(engine),
                Err((fault, lines)) => {
                    failed += 1;
                    if failed == STARTS || !fault.may_pass() {
                        return Err(Unplayed::NoEngine(self.name.clone(), fault, lines));
                    }
                }
            }
        }
        Ok(())
    }

    /// Starts the engine if it is not running, and brings it to a new game. Faults of an idle engine are
    /// reported and cured by a new start.
    fn prepare(
        &mut self,
        number: u64,
        color: Color,
        conditions: &Conditions,
        faults: &mut Vec<FaultReport>,
    ) -> Result<(), Unplayed> {
        let mut last = None;
        for _ in 0..STARTS {
            self.start(conditions)?;
            let Some(engine) = &mut self.engine else { continue };
            match engine.send("ucinewgame").and_then(|()| engine.synchronise()) {
                Ok(()) => return Ok(()),
                Err(fault) => {
                    let lines = engine.dialogue();
                    faults.push(FaultReport::new(number, &self.name, color, &fault, lines.clone()));
                    last = Some((fault, lines));
                    self.engine = None;
                }
            }
        }
        let (fault, lines) = last.unwrap_or((Fault::Silence, Vec::new()));
        Err(Unplayed::NoEngine(self.name.clone(), fault, lines))
    }

    /// Ends the engine.
    pub fn shut_down(&mut self) {
        self.engine = None;
    }

    /// What the engine calls itself, once it has been started.
    pub fn own_name(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.own_name.as_str())
    }
}

/// What `info` lines have told so far.
fn listen(line: &str, thought: &mut Thought) {
    let mut words = line.split_ascii_whitespace();
    let mut told = *thought;
    let mut exact = true;
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse::<i64>().ok());
        match word {
            "multipv" if number().is_some_and(|n| n > 1) => return,
            "depth" => told.depth = number().map_or(told.depth, |n| n.clamp(0, 10_000) as u32),
            "nodes" => told.nodes = number().map_or(told.nodes, |n| n.max(0) as u64),
            "cp" => told.score = number().map(|n| n.clamp(-100_000, 100_000) as i32).or(told.score),
            "mate" => {
                // A mate in n is 1,000,000 less n.
                let score = number().map(|n| (1_000_000 - n.abs().min(10_000)) * if n > 0 { 1 } else { -1 });
                told.score = score.map(|n| n as i32).or(told.score);
            }
            "lowerbound" | "upperbound" => exact = false,
            "pv" | "string" => break,
            _ => {}
        }
    }
    if !exact {
        told.score = thought.score;
    }
    *thought = told;
}

/// The words of `go` for the side to move.
fn go_command(limits: Limits, clocks: &[Clock; 2]) -> String {
    let mut text = "go".to_owned();
    if limits.clock.is_some() {
        for (name, clock) in ["w", "b"].into_iter().zip(clocks) {
            // A side without a clock has time without end; some engines want a number nevertheless.
            let left = clock.left().unwrap_or(3_600_000).max(1);
            text += &format!(" {name}time {left} {name}inc {}", clock.increment());
        }
    }
    text
}

/// How one move came about.
enum Moved {
    Text(String, Thought),
    Failed(Fault),
    Stopped,
}

/// How often to look whether the match has been stopped.
const LOOK: Duration = Duration::from_millis(100);

/// Lets an engine think and waits for its move.
fn think(
    engine: &mut Engine,
    position: &str,
    go: &str,
    allowed: Option<Duration>,
    conditions: &Conditions,
    margin: Duration,
    stop: &AtomicBool,
) -> Moved {
    let asked = engine.synchronise().and_then(|()| engine.send(position));
    let started = Instant::now();
    if let Err(fault) = asked.and_then(|()| engine.send(go)) {
        return Moved::Failed(fault);
    }
    let patience =
        allowed.map_or(conditions.longest_move, |allowed| allowed + margin + conditions.patience.hang);
    let deadline = started + patience;
    let mut thought = Thought::default();
    loop {
        if stop.load(Relaxed) {
            return Moved::Stopped;
        }
        match engine.receive(Some(deadline.min(Instant::now() + LOOK))) {
            Err(fault) => return Moved::Failed(fault),
            Ok(None) if Instant::now() >= deadline => return Moved::Failed(Fault::Hang),
            Ok(None) => {}
            // It may talk all the time and hang nevertheless.
            Ok(Some((came, _))) if came > deadline => return Moved::Failed(Fault::Hang),
            Ok(Some((came, line))) => {
                if line.starts_with("info ") {
                    listen(&line, &mut thought);
                } else if line.split_ascii_whitespace().next() == Some("bestmove") {
                    let text = line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
                    thought.time = came.saturating_duration_since(started);
                    let late = allowed.and_then(|allowed| thought.time.checked_sub(allowed));
                    if let Some(late) = late.filter(|&late| late > margin) {
                        return Moved::Failed(Fault::Late(late.as_millis() as u64));
                    }
                    return Moved::Text(text, thought);
                }
            }
        }
    }
}

fn won_by(color: Color) -> PgnResult {
    if color == Color::White { PgnResult::WhiteWins } else { PgnResult::BlackWins }
}

/// How the rules have ended the game, if they have.
fn end_by_rules(game: &Game) -> Option<(PgnResult, String)> {
    let outcome = game.outcome()?;
    let result = match outcome {
        Outcome::Win(color) => won_by(color),
        Outcome::Draw(_) => PgnResult::Draw,
    };
    Some((result, outcome.to_string()))
}

/// How the adjudication ends the game, if it does.
fn end_by_agreement(
    adjudication: Adjudication,
    game: &Game,
    thoughts: &[Thought],
) -> Option<(PgnResult, String)> {
    let number = game.position().fullmove_number();
    let last = |moves: u32| {
        let plies = 2 * moves as usize;
        thoughts.len().checked_sub(plies).map(|from| &thoughts[from..])
    };
    if let Some(rule) = adjudication.draw
        && number > rule.after
        && let Some(plies) = last(rule.moves)
        && plies.iter().all(|thought| thought.score.is_some_and(|score| score.abs() <= rule.score))
    {
        return Some((PgnResult::Draw, "draw (adjudicated: level scores)".to_owned()));
    }
    if let Some(rule) = adjudication.resign
        && let Some(plies) = last(rule.moves)
    {
        let mover = !game.position().side_to_move();
        for loser in Color::ALL {
            let agreed = plies.iter().rev().enumerate().all(|(back, thought)| {
                let side = if back % 2 == 0 { mover } else { !mover };
                let limit = rule.score;
                thought
                    .score
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

/// Plays a game between `players` (White's first) from `opening`.
///
/// # Errors
/// If the match is stopped, or an engine cannot be started.
pub fn play(
    number: u64,
    players: [&mut Player; 2],
    opening: &Game,
    conditions: &Conditions,
    stop: &AtomicBool,
) -> Result<Played, Unplayed> {
    let mut faults = Vec::new();
    let [white, black] = players;
    white.prepare(number, Color::White, conditions, &mut faults)?;
    black.prepare(number, Color::Black, conditions, &mut faults)?;
    let limits = [&*white, &*black].map(|player| player.spec.limits.or(conditions.limits));
    let mut clocks = limits.map(Clock::new);
    let mut game = opening.clone();
    let mut thoughts = Vec::new();
    let mut stats = [SideStats::default(); 2];

    let start = opening.position().to_string();
    let base =
        if start == conditions.rules.start_fen() { "startpos".to_owned() } else { format!("fen {start}") };
    let mut position = format!("position {base}");
    let end = |game: &Game, thoughts: &[Thought]| {
        let by_rules = end_by_rules(game).map(|(result, reason)| (result, reason, "normal"));
        by_rules.or_else(|| {
            let end = end_by_agreement(conditions.adjudication, game, thoughts);
            end.map(|(result, reason)| (result, reason, "adjudication"))
        })
    };
    let (result, reason, termination) = loop {
        if let Some(end) = end(&game, &thoughts) {
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
        let margin = Duration::from_millis(player.spec.margin.unwrap_or(conditions.margin));
        let allowed = clock.allowed();
        let Some(engine) = &mut player.engine else { return Err(Unplayed::Stopped) };
        let fault = match think(engine, &position, &go, allowed, conditions, margin, stop) {
            Moved::Stopped => {
                // It is still thinking of a game that no longer counts.
                player.engine = None;
                return Err(Unplayed::Stopped);
            }
            Moved::Failed(fault) => fault,
            Moved::Text(text, thought) => match game.position().parse_move(&text) {
                Ok(mv) => {
                    if thoughts.is_empty() {
                        position += " moves";
                    }
                    position += &format!(" {mv}");
                    clocks[side.index()].spend(thought.time);
                    stats[side.index()].add(SideStats {
                        moves: 1,
                        depth: u64::from(thought.depth),
                        nodes: thought.nodes,
                        milliseconds: thought.time.as_millis() as u64,
                    });
                    thoughts.push(thought);
                    // A legal move is always accepted.
                    let _ = game.play(mv);
                    continue;
                }
                Err(_) if matches!(text.as_str(), "" | "(none)" | "0000" | "none" | "resign") => {
                    Fault::NoMove(text)
                }
                Err(_) => Fault::IllegalMove(printable(&text).take(24).collect()),
            },
        };
        faults.push(FaultReport::new(number, &player.name, side, &fault, engine.dialogue()));
        if fault.needs_restart() {
            player.engine = None;
        }
        break (won_by(!side), format!("{} wins ({side} {fault})", !side), fault.termination());
    };
    Ok(Played { game, thoughts, result, reason, termination, faults, stats })
}

/// The moves of a game in a notation, each from the position it was made in.
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
    fn info_lines() {
        let mut thought = Thought::default();
        listen("info depth 7 seldepth 9 score cp -31 nodes 1234 nps 5 pv e3e4 mate 3", &mut thought);
        assert_eq!((thought.depth, thought.score, thought.nodes), (7, Some(-31), 1234));
        listen("info depth 8 score cp 99 lowerbound nodes 2000", &mut thought);
        assert_eq!((thought.depth, thought.score, thought.nodes), (8, Some(-31), 2000));
        listen("info depth 8 multipv 2 score cp 5", &mut thought);
        listen("info string score cp 77", &mut thought);
        listen("info nodes x depth", &mut thought);
        assert_eq!((thought.depth, thought.score, thought.nodes), (8, Some(-31), 2000));
        listen("info score mate -2", &mut thought);
        assert_eq!(thought.score, Some(-999_998));
    }

    #[test]
    fn go_tells_both_clocks() {
        let limits = Limits { clock: Some("2/1+0.1".parse().unwrap()), ..Limits::default() };
        let clocks = [Clock::new(limits), Clock::new(Limits { nodes: Some(5), ..Limits::default() })];
        assert_eq!(go_command(limits, &clocks), "go wtime 1100 winc 100 btime 3600000 binc 0");
        assert_eq!(go_command(Limits::default(), &clocks), "go");
    }

    #[test]
    fn agreement_of_both_sides() {
        let thought = |score: i32| Thought { score: Some(score), ..Thought::default() };
        let mut game = Game::new(Rules::default());
        let resign =
            Adjudication { resign: Some("count=2,score=500".parse().unwrap()), ..Adjudication::default() };
        // White to move, so Black moved last.
        let thoughts = [thought(-600), thought(700), thought(-510), thought(500)];
        let end = end_by_agreement(resign, &game, &thoughts);
        assert_eq!(end.map(|(result, _)| result), Some(PgnResult::BlackWins));
        let doubted = [thought(-600), thought(700), thought(-510), thought(499)];
        assert_eq!(end_by_agreement(resign, &game, &doubted), None);
        let draw = Adjudication {
            draw: Some("move=1,count=1,score=10".parse().unwrap()),
            max_moves: Some(2),
            ..Adjudication::default()
        };
        let level = [thought(3), thought(-10)];
        assert_eq!(end_by_agreement(draw, &game, &level), None, "move 1 is not beyond move 1");
        for text in "b1d2 b8d7".split(' ') {
            game.play_uci(text).unwrap();
        }
        assert_eq!(end_by_agreement(draw, &game, &level).map(|end| end.0), Some(PgnResult::Draw));
        assert_eq!(end_by_agreement(draw, &game, &thoughts), None);
        let endless = Adjudication { max_moves: Some(u32::MAX), ..Adjudication::default() };
        assert_eq!(end_by_agreement(endless, &game, &thoughts), None);
    }
}
