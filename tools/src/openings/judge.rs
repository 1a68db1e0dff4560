//! Whether a position is balanced: what an engine says of it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use sakmak_engine::openings::OpeningScorer;
use sakmak_movegen::Rules;
use sakmak_tools::tournament::fault::Fault;
use sakmak_tools::tournament::process::{Engine, Patience};
use sakmak_tools::tournament::spec::{EngineSpec, Limits};

use super::source::Candidate;

/// Judges that work at the same time.
pub(super) struct Judges(Vec<Judge>);

enum Judge {
    Own(Box<OpeningScorer>, u64),
    Engine(Box<Engine>, String),
}

/// How long an engine may think about one position.
const LONGEST: Duration = Duration::from_secs(600);

impl Judges {
    /// As many as there are threads: the given engine, or Sakmak itself.
    pub(super) fn new(number: usize, engine: Option<&EngineSpec>, rules: Rules, nodes: u64) -> Result<Self> {
        let own = || Ok(Judge::Own(Box::new(OpeningScorer::new()?), nodes));
        let start = |spec: &EngineSpec| {
            let go = go_command(spec.limits, nodes)?;
            let (variant, ruleset) = (rules.variant.name(), rules.ruleset.name());
            let engine = Engine::start(spec, variant, ruleset, Patience::default())
                .map_err(|(fault, lines)| complaint(spec.command.join(" "), &fault, &lines))?;
            Ok(Judge::Engine(Box::new(engine), go))
        };
        let judges = (0..number.max(1)).map(|_| engine.map_or_else(own, start));
        Ok(Self(judges.collect::<Result<_>>()?))
    }

    /// The score of each position in centipawns for the side to move; `None` if there is none but a mate.
    pub(super) fn scores(&mut self, positions: &[Candidate]) -> Result<Vec<Option<i32>>> {
        let number = self.0.len();
        let mut scores = vec![None; positions.len()];
        std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(number);
            for (index, judge) in self.0.iter_mut().enumerate() {
                let share = positions.iter().skip(index).step_by(number);
                let work = move || share.map(|one| judge.score(one)).collect::<Result<Vec<_>>>();
                let thread = std::thread::Builder::new().spawn_scoped(scope, work);
                threads.push(thread.context("cannot start a thread")?);
            }
            for (index, thread) in threads.into_iter().enumerate() {
                let share = thread.join().map_err(|_| anyhow!("a judge has failed"))??;
                scores.iter_mut().skip(index).step_by(number).zip(share).for_each(|(to, from)| *to = from);
            }
            Ok(scores)
        })
    }
}

impl Judge {
    fn score(&mut self, opening: &Candidate) -> Result<Option<i32>> {
        match self {
            Self::Own(judge, nodes) => Ok(judge.score(&opening.position, *nodes)),
            Self::Engine(engine, go) => ask(engine, &opening.fen, go)
                .map_err(|fault| complaint(engine.own_name.clone(), &fault, &engine.dialogue())),
        }
    }
}

fn complaint(name: String, fault: &Fault, dialogue: &[String]) -> anyhow::Error {
    let lines: String = dialogue.iter().map(|line| format!("\n    {line}")).collect();
    anyhow!("{name} {fault}{lines}")
}

/// The limits of an engine as words of `go`.
fn go_command(limits: Limits, nodes: u64) -> Result<String> {
    ensure!(limits.clock.is_none(), "an engine that judges has no clock: give nodes, depth or movetime");
    Ok(if limits.is_empty() { format!("go nodes {nodes}") } else { format!("go{}", limits.go_words()) })
}

/// What an engine says of a position, its memory cleared as far as `ucinewgame` does.
fn ask(engine: &mut Engine, fen: &str, go: &str) -> Result<Option<i32>, Fault> {
    engine.send("ucinewgame")?;
    engine.synchronise()?;
    engine.send(&format!("position fen {fen}"))?;
    engine.send(go)?;
    let deadline = Instant::now() + LONGEST;
    let mut score = None;
    loop {
        let Some((_, line)) = engine.receive(Some(deadline))? else { return Err(Fault::Hang) };
        if line.split_ascii_whitespace().next() == Some("bestmove") {
            return Ok(score);
        }
        score = told(&line).unwrap_or(score);
    }
}

/// The score of an `info` line about the best move: `None` if it tells none, or only a bound; a mate is no number
/// of centipawns.
fn told(line: &str) -> Option<Option<i32>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut score = None;
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next() != Some("1") => return None,
            "cp" => score = Some(words.next()?.parse().ok()),
            "mate" => score = Some(None),
            "lowerbound" | "upperbound" => return None,
            "pv" | "string" => break,
            _ => {}
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_heard() {
        for (line, score) in [
            ("info depth 3 score cp -12 nodes 4 pv a3a4 cp 5", Some(Some(-12))),
            ("info depth 3 multipv 1 score cp 7", Some(Some(7))),
            ("info depth 3 multipv 2 score cp 7", None),
            ("info depth 3 score cp 7 lowerbound", None),
            ("info depth 3 score mate 3", Some(None)),
            ("info string score cp 5", None),
            ("readyok", None),
        ] {
            assert_eq!(told(line), score, "{line}");
        }
    }

    #[test]
    fn engines_get_their_own_limits() {
        let go = |text: &str| go_command(text.parse::<EngineSpec>().unwrap().limits, 500);
        assert_eq!(go("cmd=x").unwrap(), "go nodes 500");
        assert_eq!(go("cmd=x,depth=4,movetime=9").unwrap(), "go movetime 9 depth 4");
        assert!(go("cmd=x,tc=1+1").is_err());
    }
}
