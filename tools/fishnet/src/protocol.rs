//! The messages of the protocol, in JSON.

use std::collections::BTreeMap;

use sakmak_engine::score::Score;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Key;

/// The version of fairyfishnet whose protocol this is. Servers refuse older ones.
pub const PROTOCOL: &str = "1.16.74";

/// What every request says about the worker.
#[derive(Clone, Debug, Serialize)]
pub struct Identity {
    fishnet: Fishnet,
    stockfish: EngineIdentity,
}

#[derive(Clone, Debug, Serialize)]
struct Fishnet {
    version: String,
    apikey: String,
    capabilities: Capabilities,
}

#[derive(Clone, Debug, Serialize)]
struct Capabilities {
    variants: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct EngineIdentity {
    name: String,
    options: BTreeMap<&'static str, String>,
}

impl Identity {
    /// A worker with this key, whose engine has this number of threads and this size of the transposition table.
    pub(crate) fn new(key: &Key, variants: Vec<String>, threads: usize, hash_mb: usize) -> Self {
        let own = env!("CARGO_PKG_VERSION");
        Self {
            fishnet: Fishnet {
                version: format!("{PROTOCOL}-sakmak-{own}"),
                apikey: key.as_str().to_owned(),
                capabilities: Capabilities { variants },
            },
            stockfish: EngineIdentity {
                name: format!("Sakmak {own}"),
                options: [("hash", hash_mb.to_string()), ("threads", threads.to_string())].into(),
            },
        }
    }
}

/// A request: the worker, and what it reports.
#[derive(Debug, Serialize)]
pub(crate) struct Request<'a> {
    #[serde(flatten)]
    pub(crate) identity: &'a Identity,
    #[serde(flatten)]
    pub(crate) report: Report<'a>,
}

/// What a worker reports about a job.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Report<'a> {
    /// Nothing: it asks for a job.
    Nothing {},
    /// The move to play.
    Move {
        /// The move and the position in which it is played.
        #[serde(rename = "move")]
        played: &'a MoveReport,
    },
    /// The positions of a game, from the first; `None` for those still to be analysed.
    Analysis {
        /// One row for each position.
        analysis: &'a [Option<Row>],
    },
    /// Why the worker does not do the job.
    Abort {
        /// The reason.
        error: &'a AbortReport,
    },
}

/// The result of a move job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move in UCI's notation.
    pub bestmove: String,
    /// The position in which it is played.
    pub fen: String,
}

/// Why a job is aborted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AbortReport {
    /// A word for the server. [`AbortReport::ENGINE_CRASH`] makes it give up the job sooner.
    pub reason: &'static str,
    /// The reason for people.
    pub message: String,
}

impl AbortReport {
    /// The word for a failure of the engine.
    pub const ENGINE_CRASH: &'static str = "engine_crash";
    /// The word for a variant that this worker does not play.
    pub const UNSUPPORTED_VARIANT: &'static str = "unsupported_variant";
    /// The word for a position, move or kind of job that this worker does not understand.
    pub const INVALID_JOB: &'static str = "invalid_job";
    /// The word for a worker that stops.
    pub const SHUTDOWN: &'static str = "shutdown";
}

/// What is found about one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Row {
    /// The server asked to leave the position out.
    Skipped {
        /// Always true.
        skipped: bool,
    },
    /// An evaluation.
    Found(Evaluation),
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// The score for the side to move, which is what the page of pychess.org expects.
    pub score: RowScore,
    /// Depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The line in UCI's notation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pv: String,
}

/// A score: `{"cp": 34}` or `{"mate": -3}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; 0: the side to move is mated.
    Mate(i32),
}

impl From<Score> for RowScore {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(cp) => Self::Cp(cp),
            Score::Mate(moves) => Self::Mate(moves),
        }
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Job {
    /// What to do.
    pub work: Work,
    /// The game on the server.
    #[serde(default)]
    pub game_id: String,
    /// FEN of the start position.
    pub position: String,
    /// The variant.
    #[serde(default = "standard")]
    pub variant: String,
    /// The moves from the start position, in UCI's notation.
    #[serde(default)]
    pub moves: String,
    /// Most nodes for each position of an analysis. Other servers send an object here, which is ignored.
    #[serde(default)]
    nodes: Value,
    /// Positions to leave out of an analysis; 0 is the start position.
    #[serde(default, rename = "skipPositions")]
    pub skip_positions: Vec<usize>,
}

fn standard() -> String {
    "standard".to_owned()
}

/// The kind of a job.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Work {
    /// `move` or `analysis`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the job in requests about it.
    pub id: String,
    /// Level of a move.
    #[serde(default)]
    pub level: Option<i64>,
    /// The clock of the game, for a move.
    #[serde(default)]
    pub clock: Option<Clock>,
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Clock {
    /// White's time in hundredths of a second.
    pub wtime: i64,
    /// Black's time in hundredths of a second.
    pub btime: i64,
    /// Increment in seconds.
    #[serde(default)]
    pub inc: u64,
}

impl Job {
    /// The list of moves.
    pub(crate) fn moves(&self) -> Vec<&str> {
        self.moves.split_ascii_whitespace().collect()
    }

    /// Most nodes for each position, if the server limits them.
    pub(crate) fn nodes(&self) -> Option<u64> {
        self.nodes.as_u64().filter(|&nodes| nodes > 0)
    }

    /// Reads a job. An error has the name of the job if that could be read, so that it can be aborted.
    pub(crate) fn read(text: &str) -> Result<Self, (Option<String>, String)> {
        let value: Value = serde_json::from_str(text).map_err(|error| (None, error.to_string()))?;
        let id = value["work"]["id"].as_str().filter(|id| is_id(id)).map(str::to_owned);
        let job = Self::deserialize(value).map_err(|error| (id.clone(), error.to_string()))?;
        if id.is_some() { Ok(job) } else { Err((None, "the name of the job is unusual".to_owned())) }
    }
}

/// Whether a name of a job may be part of an address.
fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id.chars().all(|character| character.is_ascii_alphanumeric() || "-_".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: &str = r#"{"work": {"type": "move", "id": "aB3xY9", "level": 5}, "time": 12.5, "game_id": "Zz8",
        "position": "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "variant": "makruk",
        "chess960": false, "moves": "e3e4 d6d5", "nnue": true}"#;

    #[test]
    fn jobs_of_pychess() {
        let job = Job::read(MOVE).unwrap();
        assert_eq!((job.work.kind.as_str(), job.work.level, job.work.clock), ("move", Some(5), None));
        assert_eq!((job.variant.as_str(), job.moves(), job.nodes()), ("makruk", vec!["e3e4", "d6d5"], None));
        let analysis = r#"{"work": {"type": "analysis", "id": "x"}, "username": "u", "position": "p",
            "variant": "cambodian", "moves": "", "nodes": 500000, "skipPositions": [1, 4]}"#;
        let job = Job::read(analysis).unwrap();
        assert_eq!((job.nodes(), job.skip_positions.as_slice()), (Some(500_000), &[1, 4][..]));
        assert!(job.moves().is_empty());
        let other = r#"{"work": {"type": "move", "id": "x", "level": 8, "clock": {"wtime": 18000, "btime": 900, "inc": 2}},
            "position": "p", "nodes": {"nnue": 1}}"#;
        let job = Job::read(other).unwrap();
        assert_eq!(job.work.clock, Some(Clock { wtime: 18_000, btime: 900, inc: 2 }));
        assert_eq!((job.nodes(), job.variant.as_str()), (None, "standard"));
    }

    #[test]
    fn broken_jobs_keep_their_name() {
        let id = |text: &str| Job::read(text).unwrap_err().0;
        assert_eq!(id(r#"{"work": {"id": "abc"}}"#), Some("abc".to_owned()));
        assert_eq!(id(&MOVE.replace("\"e3e4 d6d5\"", "[1]")), Some("aB3xY9".to_owned()));
        assert_eq!(id(&MOVE.replace("aB3xY9", "../key")), None);
        assert_eq!(id("<html>"), None);
    }

    #[test]
    fn requests_as_the_server_reads_them() {
        let identity = Identity::new(&"secret".parse().unwrap(), vec!["makruk".into()], 1, 64);
        let json = |report| serde_json::to_value(Request { identity: &identity, report }).unwrap();
        let asked = json(Report::Nothing {});
        assert_eq!(asked["fishnet"]["apikey"], "secret");
        assert!(asked["fishnet"]["version"].as_str().unwrap().starts_with("1.16."));
        assert!(asked["stockfish"]["name"].as_str().unwrap().starts_with("Sakmak "));
        assert_eq!(asked.as_object().unwrap().len(), 2);
        let played = MoveReport { bestmove: "e3e4".into(), fen: "f".into() };
        assert_eq!(json(Report::Move { played: &played })["move"]["bestmove"], "e3e4");
        let found = Evaluation {
            score: Score::Mate(-2).into(),
            depth: 9,
            seldepth: 12,
            nodes: 1000,
            time: 5,
            nps: 200_000,
            pv: "e3e4 d6d5".into(),
        };
        let rows = [None, Some(Row::Skipped { skipped: true }), Some(Row::Found(found))];
        let text = json(Report::Analysis { analysis: &rows })["analysis"].to_string();
        let expected = r#"[null,{"skipped":true},{"depth":9,"nodes":1000,"nps":200000,"pv":"e3e4 d6d5","score":{"mate":-2},"seldepth":12,"time":5}]"#;
        assert_eq!(text, expected);
        let error = AbortReport { reason: AbortReport::SHUTDOWN, message: "m".into() };
        assert_eq!(json(Report::Abort { error: &error })["error"]["reason"], "shutdown");
    }
}
