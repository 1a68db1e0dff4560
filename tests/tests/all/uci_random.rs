//! UCI in process: 500 random conversations.

use std::io::{BufReader, Read};

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_engine::uci::Output;
use sakmak_movegen::Position;
use sakmak_tests::run_uci;

/// Random input, made line by line from the answers of the engine. Most searches are stopped at once and their move is
/// checked to be legal; others run on while further commands come, `go` among them.
struct RandomClient {
    rng: ChaCha8Rng,
    output: Output,
    /// Number of lines to come.
    left: usize,
    /// The lines sent, to show in a failure.
    sent: Vec<String>,
    next: Next,
    /// Length of the output when the search was requested.
    answered: usize,
    searches: usize,
}

/// The next step; the lines before have been executed.
enum Next {
    Anything,
    Stop,
    CheckMove,
    CheckedMove(String),
    CheckNone,
    /// The number of searches requested with only one `stop`, after the last.
    CheckBurst(usize),
    End,
}

const NUMBERS: &str = "0 1 2 7 50 -1 -20 4294967295 4294967296 9223372036854775807 -9223372036854775808 \
    99999999999999999999999 -99999999999999999999999 1e3 x ";
const GO_WORDS: &str =
    "wtime btime winc binc movestogo depth nodes mate movetime infinite ponder searchmoves";
const NOISE: &str = "uci isready ucinewgame position startpos fen moves e3e4 a6a5 a5a6m stop ponderhit setoption name \
    value Hash MultiPV d eval flip w b - 4k3/8/8/8/8/8/8/3RK3 \
    rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR debug help \u{e01}\u{7f} \u{1f98a}";
const RULESETS: &str =
    "fairy-stockfish cutechess schemingmind wikipedia cyningstan knowlton chessvariants none";
const FENS: &[&str] = &[
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "R6k/8/6K1/8/8/8/8/8 b - - 0 1",
    "k7/2R5/8/1R6/8/8/8/7K b - - 0 1",
    "8/8/3k4/8/8/3SM3/3K4/8 w - 88 10 80",
    "7k/R7/5K2/8/8/8/8/1R6 w - 16 17 30",
    "rrrrkrrr/nnnnnnnn/ssssssss/nnnnnnnn/NNNNNNNN/SSSSSSSS/NNNNNNNN/RRRRKRRR w - - 0 1",
];

impl RandomClient {
    /// One of the words of a text.
    fn any<'a>(&mut self, words: &'a str) -> &'a str {
        words.split(' ').choose(&mut self.rng).expect("a word")
    }

    fn one<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts.choose(&mut self.rng).expect("a text")
    }

    fn some(&mut self, most: usize, mut word: impl FnMut(&mut Self) -> String) -> String {
        let number = self.rng.random_range(0..=most);
        (0..number).map(|_| word(self)).collect::<Vec<_>>().join(" ")
    }

    /// `go` with valid words of a search.
    fn go(&mut self) -> String {
        let words = self.some(5, |client| match client.rng.random_range(0..8) {
            0 => client.any(NOISE).to_owned(),
            1 => client.any(NUMBERS).to_owned(),
            _ => {
                let word = client.any(GO_WORDS);
                let value = match word {
                    "infinite" | "ponder" => String::new(),
                    "searchmoves" => client.some(3, |client| client.any("e3e4 h3h4 e3e5 zz").to_owned()),
                    _ => client.any(NUMBERS).to_owned(),
                };
                format!("{word} {value}")
            }
        });
        format!("go {words}")
    }

    fn option(&mut self) -> String {
        const NAMES: &str = "Threads,Hash,Ruleset,UCI_Variant,MultiPV,Skill Level,UCI_LimitStrength,UCI_Elo,\
            Opponent,Seed,\
            UCI_AnalyseMode,UCI_ShowWDL,Move Overhead,Clear Hash,CountStarted,CountClaim,Repetition,SutMet,No such";
        let name = NAMES.split(',').choose(&mut self.rng).expect("a name");
        let fitting = match name {
            "Threads" => "1 2 3 9",
            "Hash" => "1 2 16 33554432",
            "Ruleset" => RULESETS,
            "UCI_Variant" => "makruk cambodian",
            "Opponent" => "none Snail tiger",
            "CountClaim" => "automatic claim",
            "Repetition" | "SutMet" => "none on ruleset",
            name if name.starts_with("UCI_") && name != "UCI_Elo" => "true false",
            _ => "1 5 20 700",
        };
        let value = if self.rng.random_bool(0.8) { self.any(fitting) } else { self.any(NUMBERS) };
        format!("setoption name {name} value {value}")
    }

    /// A start position and random moves that are legal in the default rules.
    fn position(&mut self) -> String {
        let (mut position, mut text) = (Position::startpos(), "startpos".to_owned());
        if self.rng.random_bool(0.4) {
            let fen = self.one(FENS);
            text = format!("fen {fen}");
            position = Position::from_fen(fen).expect("a valid FEN");
        }
        text.push_str(" moves");
        for _ in 0..self.rng.random_range(0..40) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.rng.random_range(0..moves.len())];
            position.play_unchecked(mv);
            text.push_str(&format!(" {mv}"));
        }
        format!("position {text}")
    }

    fn line(&mut self) -> String {
        match self.rng.random_range(0..10) {
            0..3 => self.go(),
            3..5 => self.option(),
            5..7 => self.position(),
            7 => self.any("isready ucinewgame stop ponderhit d eval flip").to_owned(),
            8 => format!("{} {}", self.one(&["go perft", "bench"]), self.any(NUMBERS)),
            _ => self.some(6, |client| client.any(NOISE).to_owned()),
        }
    }

    /// Several searches with one `stop`, at the end. Returns also the number of searches.
    fn burst(&mut self) -> (String, usize) {
        let (mut lines, mut searches) = (Vec::new(), 0);
        for _ in 0..self.rng.random_range(2..6) {
            let line = match self.rng.random_range(0..5) {
                0..2 => self.go(),
                2 => self.option(),
                3 => self.position(),
                _ => self.any("isready ucinewgame ponderhit d eval flip").to_owned(),
            };
            searches += usize::from(line.starts_with("go "));
            lines.push(line);
        }
        lines.push("stop".to_owned());
        (lines.join("\n"), searches)
    }

    /// The output since the last search was requested.
    fn answer(&self) -> String {
        self.output.text()[self.answered..].to_owned()
    }

    fn best_move(&self) -> String {
        let answer = self.answer();
        let best: Vec<_> = answer.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(best.len(), 1, "{answer}\n{:#?}", self.sent);
        best[0].split(' ').next().unwrap_or_default().to_owned()
    }

    fn next_line(&mut self) -> Option<String> {
        let (line, next) = match std::mem::replace(&mut self.next, Next::Anything) {
            Next::Anything if self.left == 0 => ("stop\nposition startpos\nisready\nd".to_owned(), Next::End),
            Next::Anything if self.rng.random_bool(0.05) => {
                self.left -= 1;
                let (lines, searches) = self.burst();
                self.answered = self.output.text().len();
                self.searches += searches;
                (lines, Next::CheckBurst(searches))
            }
            Next::CheckBurst(searches) => {
                let answer = self.answer();
                let answers = answer.lines().filter(|line| line.starts_with("bestmove ")).count();
                assert_eq!(answers, searches, "{answer}\n{:#?}", self.sent);
                ("isready".to_owned(), Next::Anything)
            }
            Next::Anything => {
                self.left -= 1;
                let line = self.line();
                let is_search = line.starts_with("go ") && !line.starts_with("go perft");
                // A perft of 50 plies would not end.
                let is_long = line.starts_with("go perft") || line.starts_with("bench");
                match (is_search, is_long) {
                    (true, _) => {
                        self.answered = self.output.text().len();
                        self.searches += 1;
                        (line, Next::Stop)
                    }
                    (_, true) => (format!("{line}\nisready\nstop"), Next::Anything),
                    _ => (line, Next::Anything),
                }
            }
            Next::Stop => ("stop".to_owned(), Next::CheckMove),
            Next::CheckMove => {
                let best = self.best_move();
                let is_off_turn = self.answer().contains("info string no search: ");
                self.answered = self.output.text().len();
                if is_off_turn {
                    assert_eq!(best, "(none)", "{:#?}", self.sent);
                    ("isready".to_owned(), Next::Anything)
                } else if best == "(none)" {
                    ("d".to_owned(), Next::CheckNone)
                } else {
                    (format!("go nodes 1 searchmoves {best}\nstop"), Next::CheckedMove(best))
                }
            }
            Next::CheckedMove(best) => {
                assert_eq!(self.best_move(), best, "{:#?}", self.sent);
                assert!(!self.answer().contains("not legal"), "{}\n{:#?}", self.answer(), self.sent);
                ("isready".to_owned(), Next::Anything)
            }
            Next::CheckNone => {
                assert!(!self.answer().contains("Outcome: ongoing"), "{}\n{:#?}", self.answer(), self.sent);
                ("isready".to_owned(), Next::Anything)
            }
            Next::End => return None,
        };
        self.sent.push(line.clone());
        self.next = next;
        Some(line + "\n")
    }
}

impl Read for RandomClient {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let line = self.next_line().unwrap_or_default();
        assert!(line.len() <= buffer.len());
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// After any input the engine still runs, has answered each search with one legal move, and has a legal position.
fn random_conversations(seeds: std::ops::Range<u64>) {
    let (least, mut searches) = (5 * (seeds.end - seeds.start), 0);
    for seed in seeds {
        let output = Output::buffer();
        let mut client = RandomClient {
            rng: ChaCha8Rng::seed_from_u64(seed),
            output: output.clone(),
            left: 20,
            sent: Vec::new(),
            next: Next::Anything,
            answered: 0,
            searches: 0,
        };
        run_uci(BufReader::with_capacity(1 << 16, &mut client), output.clone());
        searches += client.searches;
        let answers: Vec<_> = output.text().lines().map(str::to_owned).collect();
        assert!(answers.iter().any(|line| line == "readyok"), "seed {seed}");
        let fen = answers.iter().filter_map(|line| line.strip_prefix("Fen: ")).next_back().expect("a FEN");
        let board = fen.split(' ').next().unwrap_or_default();
        assert!(board.starts_with("rnsmksnr/") || board.starts_with("mnsmksnm/"), "seed {seed}: {board}");
    }
    assert!(searches as u64 > least, "{searches}");
}

// Two tests, to use two cores.
#[test]
fn nothing_kills_it() {
    random_conversations(0..250);
}

#[test]
fn nothing_else_kills_it() {
    random_conversations(250..500);
}
