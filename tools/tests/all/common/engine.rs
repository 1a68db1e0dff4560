//! A scripted UCI engine: it plays quick legal moves, always the same ones, and misbehaves according to its mode.
//!
//! It is the test program itself: the ignored test [`scripted_engine`] calls [`play`], and [`spec`] describes how the
//! runner starts it. An environment variable holds the mode.

use std::fs::{File, OpenOptions};
use std::io::{Write, stderr, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use sakmak_movegen::{Game, Move, PieceKind, Rules};

/// The name of the ignored test that acts as the engine.
const ENTRY: &str = "common::engine::scripted_engine";
/// The environment variable that holds the mode.
const MODE: &str = "SAKMAK_SCRIPTED_ENGINE";
/// Plies after the opening from which bad engines misbehave.
pub(crate) const BAD_FROM: usize = 6;

/// The values of `--engine` for two engines that play as many games as the file says, if there is one, and then wait
/// until it is removed: what happens meanwhile happens during their match, however busy the machine is.
pub(crate) fn limited(file: &str) -> [String; 2] {
    let limit = format!(",option.Delay=1,option.Games={file}");
    [spec("good", &format!(",option.Seed=1{limit}")), spec("weak", &limit)]
}

/// The value of `--engine` for the scripted engine in a mode; `rest` is appended to the description.
pub(crate) fn spec(mode: &str, rest: &str) -> String {
    let program = std::env::current_exe().expect("a program");
    let program =
        shlex::try_quote(program.to_str().expect("a plain name")).expect("a plain name").into_owned();
    let command = format!("env {MODE}={mode} {program} {ENTRY} --exact --ignored --nocapture");
    format!("cmd={},name={mode}{rest}", command.replace('\\', r"\\").replace(',', r"\,"))
}

/// Writes the scripted engine in a mode as a program without arguments.
pub(crate) fn write_program(path: &str, mode: &str) {
    let program = std::env::current_exe().expect("a program");
    let program = shlex::try_quote(program.to_str().expect("a plain name")).expect("a plain name");
    let text = format!("#!/bin/sh\n{MODE}={mode} exec {program} {ENTRY} --exact --ignored --nocapture\n");
    std::fs::write(path, text).expect("a program");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, executable).expect("a program");
}

/// The scripted engine, started by other tests.
#[test]
#[ignore = "not a test"]
fn scripted_engine() {
    play();
}

/// Plays, if this process was started as an engine.
fn play() {
    let Ok(mode) = std::env::var(MODE) else { return };
    // Ends the line that the test harness has begun with the test's name.
    send(b"\n");
    if mode == "exits-at-start" {
        eprintln!("no network");
        exit(3);
    }
    let mut engine = Scripted {
        mode,
        game: Game::new(Rules::default()),
        seed: 0,
        delay: Duration::ZERO,
        score: None,
        games: None,
        log: None,
        received: String::new(),
        new_games: 0,
        over: false,
    };
    for line in stdin().lines() {
        let Ok(line) = line else { break };
        engine.receive(&line);
        engine.received += &format!("{line}\n");
        if let Some(log) = &mut engine.log {
            log.write_all(std::mem::take(&mut engine.received).as_bytes()).expect("the log");
        }
        if engine.over {
            break;
        }
    }
    exit(0);
}

/// Writers that wait for the output.
static WAITING: AtomicUsize = AtomicUsize::new(0);

fn send(bytes: &[u8]) {
    WAITING.fetch_add(1, Ordering::SeqCst);
    let mut out = stdout().lock();
    WAITING.fetch_sub(1, Ordering::SeqCst);
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// Writes without end, but lets answers go first: locks are unfair.
fn flood() {
    let lines = format!("info string {}\n", "idle ".repeat(100)).repeat(100);
    loop {
        if WAITING.load(Ordering::SeqCst) == 0 {
            send(lines.as_bytes());
        }
        sleep(Duration::from_millis(1));
    }
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

/// A file that replaces standard input or output, so that the pipe to the runner is closed.
fn nothing() -> File {
    File::options().read(true).write(true).open("/dev/null").expect("a null device")
}

struct Scripted {
    mode: String,
    game: Game,
    /// Option `Seed`: chooses among the moves.
    seed: u64,
    /// Option `Delay`: milliseconds to sleep before each move.
    delay: Duration,
    /// Option `Score`: the score to send instead of the material.
    score: Option<i32>,
    /// Option `Games`: file with the number of games after which it does not answer until the file is removed.
    games: Option<String>,
    /// Option `Log`: file that its input is appended to.
    log: Option<File>,
    /// Input not yet logged.
    received: String,
    new_games: u32,
    over: bool,
}

impl Scripted {
    fn receive(&mut self, line: &str) {
        let mode = self.mode.clone();
        let words: Vec<&str> = line.split(' ').collect();
        match (words[0], mode.as_str()) {
            ("uci", "no-uciok") => {}
            ("uci", _) => self.introduce(),
            ("isready", "no-readyok") => {}
            ("isready", "readyok-lost") if self.game.len() >= BAD_FROM => {}
            ("isready", "stale") => send(b"bestmove a1a1\nreadyok\n"),
            ("isready", "untidy") => send(b"  info string ready\r\n readyok \r\n"),
            ("isready", _) => send(b"readyok\n"),
            ("setoption", _) => self.set(line),
            ("ucinewgame", _) => {
                self.new_games += 1;
                if mode == "ends-at-newgame" || mode == "ends-at-second-newgame" && self.new_games == 2 {
                    exit(9);
                }
                self.game = Game::new(Rules::default());
            }
            ("position", _) => self.set_up(&words),
            ("go", _) => self.go(),
            ("quit", "stubborn") => {}
            ("quit", _) => self.over = true,
            _ => {}
        }
    }

    fn introduce(&self) {
        let variant = match self.mode.as_str() {
            "lacks-variant" => "option name UCI_Variant type combo default chess var chess var atomic\n",
            "no-variants" => "",
            "string-variant" => "option name UCI_Variant type string default makruk\n",
            "other-name" => "option name UCI_Variant type combo default chess var chess var Thai\n",
            _ => "option name UCI_Variant type combo default makruk var makruk\n",
        };
        match self.mode.as_str() {
            "slow-start" => sleep(Duration::from_secs(2)),
            "stubborn" => {
                let terms = Arc::new(AtomicBool::new(false));
                signal_hook::flag::register(signal_hook::consts::SIGTERM, terms).expect("a handler");
            }
            "grandchild" => {
                // Not waited for, on purpose.
                let mut sleeper = Command::new("sh");
                sleeper.args(["-c", "sleep 100; :"]).stdin(Stdio::null());
                drop(sleeper.spawn().expect("a grandchild"));
            }
            _ => {}
        }
        send(
            format!(
                "id name Scripted {}\n{variant}\
             option name Seed type spin default 0 min 0 max 1000\n\
             option name Delay type spin default 0 min 0 max 1000\n\
             option name Score type spin default 0 min -30000 max 30000\n\
             option name Games type string default\noption name Log type string default\nuciok\n",
                self.mode
            )
            .as_bytes(),
        );
        // After `uciok`: a program that writes too much before it is given up.
        if self.mode == "flood-idle" {
            spawn(flood);
        }
    }

    fn set(&mut self, line: &str) {
        let (name, value) = line
            .strip_prefix("setoption name ")
            .and_then(|rest| rest.split_once(" value "))
            .expect("an option");
        match name {
            "Seed" => self.seed = value.parse().expect("a number"),
            "Delay" => self.delay = Duration::from_millis(value.parse().expect("a number")),
            "Score" => self.score = Some(value.parse().expect("a number")),
            "Games" => self.games = Some(value.to_owned()),
            "Log" => {
                self.log = OpenOptions::new().create(true).append(true).open(value).ok();
                if self.log.is_none() {
                    send(format!("info string no log at {value}\n").as_bytes());
                }
            }
            _ => {}
        }
    }

    fn set_up(&mut self, words: &[&str]) {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        self.game = match words[1] {
            "startpos" => Game::new(Rules::default()),
            _ => Game::from_fen(&words[2..moves].join(" "), Rules::default()).expect("a FEN"),
        };
        for text in words.iter().skip(moves + 1) {
            self.game.play_uci(text).expect("a move");
        }
    }

    /// A number that looks random but is fixed.
    fn hash(&self, mv: Move) -> u64 {
        let mixed = (self.game.position().key() ^ self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ u64::from(mv.bits())).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40
    }

    /// Captures the most valuable piece it can, else plays any move. In mode `weak` always any move; in mode `shuffles`
    /// captures and bia moves only if there is nothing else.
    fn choose(&self) -> Move {
        let position = self.game.position();
        if ["mates", "stops-and-mates"].contains(&self.mode.as_str()) {
            let mates = |mv: &Move| {
                let mut next = position.clone();
                next.play_unchecked(*mv);
                next.in_check() && !next.has_legal_move()
            };
            return position.legal_moves().into_iter().find(mates).expect("a mate");
        }
        if self.mode == "shuffles" {
            let quiet = |mv: &Move| {
                position.kind_on(mv.to()).is_none() && position.kind_on(mv.from()) != Some(PieceKind::Bia)
            };
            let moves = position.legal_moves().into_iter();
            return moves.max_by_key(|mv| (quiet(mv), self.hash(*mv))).expect("a game that goes on");
        }
        let worth = |mv: &Move| {
            let taken = position.kind_on(mv.to()).map_or(0, |kind| kind.index() as u64 + 1);
            let greed = if self.mode == "weak" { 0 } else { taken + u64::from(mv.is_promotion()) };
            (greed, self.hash(*mv))
        };
        position.legal_moves().into_iter().max_by_key(worth).expect("a game that goes on")
    }

    fn material(&self) -> i32 {
        let position = self.game.position();
        let side = position.side_to_move();
        let worth = |color| -> u32 {
            let kinds = PieceKind::ALL.into_iter().zip([100, 170, 250, 350, 600, 0]);
            kinds.map(|(kind, worth)| worth * position.pieces(color, kind).len()).sum()
        };
        worth(side) as i32 - worth(!side) as i32
    }

    /// The file of option `Games`, if it has played as many games.
    fn awaited(&self) -> Option<String> {
        let file = self.games.clone()?;
        let limit: u32 = std::fs::read_to_string(&file).ok()?.parse().expect("a number");
        (self.new_games > limit).then_some(file)
    }

    fn go(&mut self) {
        sleep(self.delay);
        let mv = self.choose();
        let text = format!(
            "info depth 3 score cp {} nodes 7 pv {mv}\nbestmove {mv}\n",
            self.score.unwrap_or_else(|| self.material())
        );
        if let Some(file) = self.awaited() {
            // It reads its input meanwhile.
            spawn(move || {
                while Path::new(&file).exists() {
                    sleep(Duration::from_millis(2));
                }
                send(text.as_bytes());
            });
            return;
        }
        let text = text.as_bytes();
        let ply = self.game.len();
        match self.mode.as_str() {
            // These are not errors.
            "info-flood" => send("info depth 3 nodes 7 pv a1a1\n".repeat(20_000).as_bytes()),
            "stderr-flood" => drop(stderr().write_all("complaint\n".repeat(50_000).as_bytes())),
            "not-utf8" => send(b"info string \xff\xfe \xc3\x28\n\xf0\x9f\n\0\n"),
            "long-lines" => send(("x".repeat(200_000) + "\n\n   \n").as_bytes()),
            "twice" => send(text),
            "comments" => send(b"info string pgncomment \"1-0\" {}\ninfo string pgncomment second\n"),
            "stops-and-mates" => send("info string count-stop\n".as_bytes()),
            "untidy" => return send(format!("info\n\t bestmove   {mv}   ponder  a1a1\r\n").as_bytes()),
            // Between games, if games have 12 plies.
            "crashes-idle" if ply >= 10 => {
                send(text);
                exit(7);
            }
            _ if ply >= BAD_FROM => self.misbehave(mv),
            _ => {}
        }
        send(text);
    }

    /// The misbehaviour of a bad engine, before its move or instead of it.
    fn misbehave(&self, mv: Move) {
        let answer = |text: &str| {
            send(format!("{text}\n").as_bytes());
            // The legal move that follows must not count.
            sleep(Duration::from_millis(20));
        };
        match self.mode.as_str() {
            "illegal" => answer("bestmove a1h8"),
            "not-its-piece" => {
                let theirs = if self.game.position().side_to_move().index() == 0 { "a6a5" } else { "a3a4" };
                answer(&format!("bestmove {theirs}"));
            }
            "malformed" => answer("bestmove z9"),
            "hostile" => answer("bestmove \"]}{%;\\)1-0*\u{1b}[2J\u{7f}\u{202e}\u{0}"),
            "none" => answer("bestmove (none)"),
            "null" => answer("bestmove 0000"),
            "empty" => answer("bestmove"),
            "late" => sleep(Duration::from_millis(600)),
            "hangs" => forever(),
            "exits" => {
                eprintln!("last words");
                exit(5);
            }
            "aborts" => std::process::abort(),
            "killed" => kill_process(getpid(), Signal::KILL).expect("an end"),
            "closes-stdout" => {
                rustix::stdio::dup2_stdout(nothing()).expect("standard output is open");
                forever();
            }
            "closes-stdin" => {
                rustix::stdio::dup2_stdin(nothing()).expect("standard input is open");
                send(format!("bestmove {mv}\n").as_bytes());
                forever();
            }
            "garbage" => loop {
                send("garbage ".repeat(8_192).as_bytes());
                sleep(Duration::from_millis(5));
            },
            "babbles" => loop {
                send("info string still thinking\n".repeat(1_000).as_bytes());
                sleep(Duration::from_millis(1));
            },
            _ => {}
        }
    }
}
