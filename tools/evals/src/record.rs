//! Evaluations of a position to share: the line format, and which evaluations are kept when several are merged.

use std::collections::HashSet;

use sakmak_engine::score::Score;
use sakmak_movegen::{Color, Move, Position, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use sakmak_engine::evaluations::Known;
use sakmak_engine::position_key::{KeyError, PositionKey};
use sakmak_engine::rules_key::{RulesKeyError, read_rules_key, rules_key};

/// A position with its evaluations.
///
/// ```
/// use sakmak_evals::Record;
/// use sakmak_movegen::Rules;
///
/// let line = r#"{"fen":"3k4/8/8/3K4/8/8/8/R6R w - - 0 1","evals":[{"pvs":[{"mate":2,"line":"a1a7"}],"knodes":1,"depth":4}]}"#;
/// let record = Record::read(line, Rules::default())?.ok_or("no evaluation")?;
/// assert_eq!(record.key.as_str(), "3k4/8/8/3K4/8/8/8/R6R w -");
/// assert_eq!(record.line(Rules::default()), line.replace("w - - 0 1", "w -"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub key: PositionKey,
    /// Its evaluations: none is better than another one in all respects. Those with more lines come first.
    pub evaluations: Vec<Evaluation>,
}

/// A search of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Its depth in plies.
    pub depth: u32,
    /// Its nodes in thousands.
    pub knodes: u64,
    /// The best lines, the best first; at least one.
    pub pvs: Vec<Pv>,
}

/// A line of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pv {
    /// The score for the side to move.
    pub score: Score,
    /// The moves; at least one.
    pub moves: Vec<Move>,
}

/// Why a line has no evaluations that can be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The line is no JSON object of the format.
    #[error("not a line of evaluations: {0}")]
    Json(#[from] serde_json::Error),
    /// The position is wrong or has no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The rules of the line are wrong.
    #[error("rules '{text}': {error}")]
    Rules {
        /// What was read.
        text: String,
        /// What is wrong.
        error: RulesKeyError,
    },
    /// The rules of the line are others.
    #[error("has the rules '{found}', not '{wanted}'")]
    OtherRules {
        /// Those of the line.
        found: String,
        /// Those of the store.
        wanted: String,
    },
    /// A line of moves has none, or one that is not legal.
    #[error("line {number}: {reason}")]
    Moves {
        /// Its rank, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
    /// A line has neither cp nor mate, or both, or mate in 0; or an evaluation has no line, or two with one first move.
    #[error("{0}")]
    Incomplete(&'static str),
}

/// The object of a line: as it is shared, or as `evaluate` and `analyse` print it.
#[derive(Deserialize)]
struct Input {
    fen: Option<String>,
    rules: Option<String>,
    evals: Option<Vec<SharedEvaluation>>,
    error: Option<String>,
    outcome: Option<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
    lines: Option<Vec<AnalysisPv>>,
}

#[derive(Serialize)]
struct Output<'a> {
    fen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    evals: Vec<SharedEvaluation>,
}

#[derive(Serialize, Deserialize)]
struct SharedEvaluation {
    pvs: Vec<SharedPv>,
    knodes: u64,
    depth: u32,
}

/// A line; the score is White's.
#[derive(Serialize, Deserialize)]
struct SharedPv {
    #[serde(flatten)]
    score: Value,
    line: String,
}

/// A line of `analyse`; the score is that of the side to move.
#[derive(Deserialize)]
struct AnalysisPv {
    score: Value,
    pv: Vec<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
}

impl Value {
    fn score(self) -> Result<Score, RecordError> {
        match (self.cp, self.mate) {
            (Some(cp), None) => Ok(Score::Centipawns(cp)),
            (None, Some(0)) => {
                Err(RecordError::Incomplete("a line cannot begin with mate on the board (mate 0)"))
            }
            (None, Some(moves)) => Ok(Score::Mate(moves)),
            _ => Err(RecordError::Incomplete("a line needs either cp or mate")),
        }
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(cp) => Self { cp: Some(cp), mate: None },
            Score::Mate(moves) => Self { cp: None, mate: Some(moves) },
        }
    }
}

/// A score of one side as one of White, and the other way round.
fn turned(score: Score, side: Color) -> Score {
    match score {
        score if side == Color::White => score,
        Score::Centipawns(cp) => Score::Centipawns(cp.saturating_neg()),
        Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
    }
}

/// The legal moves of a line, which must begin with one.
fn moves_of<'a>(
    number: usize,
    position: &Position,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Move>, RecordError> {
    let (mut position, mut moves) = (position.clone(), Vec::new());
    for text in texts {
        let wrong = |reason: String| RecordError::Moves { number, reason };
        let mv = position.parse_move(text).map_err(|error| wrong(error.to_string()))?;
        position.play(mv).map_err(|error| wrong(format!("{text}: {error}")))?;
        moves.push(mv);
    }
    if moves.is_empty() {
        return Err(RecordError::Moves { number, reason: "it has no move".to_owned() });
    }
    Ok(moves)
}

impl Evaluation {
    fn of_shared(shared: SharedEvaluation, position: &Position) -> Result<Self, RecordError> {
        let pvs = shared.pvs.into_iter().zip(1..).map(|(pv, number)| {
            let score = turned(pv.score.score()?, position.side_to_move());
            Ok(Pv { score, moves: moves_of(number, position, pv.line.split_ascii_whitespace())? })
        });
        Self::new(shared.depth, shared.knodes, pvs.collect::<Result<_, RecordError>>()?)
    }

    fn of_analysis(
        depth: u32,
        nodes: u64,
        lines: &[AnalysisPv],
        position: &Position,
    ) -> Result<Self, RecordError> {
        let pvs = lines.iter().zip(1..).map(|(line, number)| {
            let moves = moves_of(number, position, line.pv.iter().map(String::as_str))?;
            Ok(Pv { score: line.score.score()?, moves })
        });
        Self::new(depth, nodes.div_ceil(1_000), pvs.collect::<Result<_, RecordError>>()?)
    }

    fn new(depth: u32, knodes: u64, pvs: Vec<Pv>) -> Result<Self, RecordError> {
        if pvs.is_empty() {
            return Err(RecordError::Incomplete("an evaluation needs a line"));
        }
        let first_moves: HashSet<_> = pvs.iter().filter_map(|pv| pv.moves.first()).collect();
        if first_moves.len() < pvs.len() {
            return Err(RecordError::Incomplete("two lines of an evaluation begin with the same move"));
        }
        Ok(Self { depth, knodes, pvs })
    }

    /// The order of searches: by depth, by nodes, and then by their contents, so that no two are equal.
    fn rank(&self) -> impl Ord + use<> {
        let contents = self.pvs.iter().map(|pv| {
            let (is_mate, value) = match pv.score {
                Score::Centipawns(cp) => (false, cp),
                Score::Mate(moves) => (true, moves),
            };
            (is_mate, value, pv.moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>())
        });
        (self.depth, self.knodes, contents.collect::<Vec<_>>())
    }

    fn shared(&self, side: Color) -> SharedEvaluation {
        let pvs = self.pvs.iter().map(|pv| SharedPv {
            score: turned(pv.score, side).into(),
            line: pv.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        });
        SharedEvaluation { pvs: pvs.collect(), knodes: self.knodes, depth: self.depth }
    }
}

impl Record {
    /// Reads a line of the format, or of `evaluate` or `analyse --json`. `None` if it is about a position that was not
    /// searched: a wrong one, or the end of a game.
    ///
    /// # Errors
    /// If the line is no such line, has other rules, a position without a key or a move that is not legal.
    pub fn read(line: &str, rules: Rules) -> Result<Option<Self>, RecordError> {
        let input: Input = serde_json::from_str(line)?;
        if input.error.is_some() {
            return Ok(None);
        }
        // Lines of other programs are about plain Makruk.
        let found = match &input.rules {
            Some(text) => {
                read_rules_key(text).map_err(|error| RecordError::Rules { text: text.clone(), error })?
            }
            None if input.evals.is_some() => Rules::default(),
            None => rules,
        };
        let [found, wanted] = [found, rules].map(rules_key);
        if found != wanted {
            return Err(RecordError::OtherRules { found, wanted });
        }
        let Some(fen) = input.fen else { return Err(RecordError::Incomplete("there is no fen")) };
        let read = PositionKey::read(&fen, rules);
        let evaluations = match (input.evals, input.lines) {
            (Some(evals), _) => {
                let (_, position) = read.as_ref().map_err(Clone::clone)?;
                evals
                    .into_iter()
                    .map(|shared| Evaluation::of_shared(shared, position))
                    .collect::<Result<Vec<_>, _>>()?
            }
            (None, Some(lines)) => {
                // A game that was drawn, as by repetition, was searched nevertheless, without the rule that drew it.
                if input.outcome.is_some() {
                    return Ok(None);
                }
                let (_, position) = read.as_ref().map_err(Clone::clone)?;
                let (Some(depth), Some(nodes)) = (input.depth, input.nodes) else {
                    return Err(RecordError::Incomplete("depth or nodes are missing"));
                };
                vec![Evaluation::of_analysis(depth, nodes, &lines, position)?]
            }
            (None, None) => return Err(RecordError::Incomplete("there are neither evals nor lines")),
        };
        let mut record = Self { key: read?.0, evaluations };
        record.keep_best();
        Ok(Some(record))
    }

    /// The line of the record, without its end. The rules are left out if they are the default ones.
    pub fn line(&self, rules: Rules) -> String {
        let side = if self.key.is_black_to_move() { Color::Black } else { Color::White };
        let key = rules_key(rules);
        let output = Output {
            fen: self.key.as_str(),
            rules: (key != rules_key(Rules::default())).then_some(key),
            evals: self.evaluations.iter().map(|evaluation| evaluation.shared(side)).collect(),
        };
        // Texts and numbers can always be written.
        serde_json::to_string(&output).unwrap_or_default()
    }

    /// Adds the evaluations of another record of the same position. The order of merging does not matter, nor does
    /// merging twice.
    pub fn merge(&mut self, other: Self) {
        debug_assert_eq!(self.key, other.key);
        self.evaluations.extend(other.evaluations);
        self.keep_best();
    }

    /// Removes each evaluation for which there is another one with at least as many lines that ranks above it.
    fn keep_best(&mut self) {
        self.evaluations.sort_by(|one, other| {
            other.pvs.len().cmp(&one.pvs.len()).then_with(|| other.rank().cmp(&one.rank()))
        });
        let mut kept: Vec<Evaluation> = Vec::new();
        for evaluation in self.evaluations.drain(..) {
            if kept.last().is_none_or(|best| best.rank() < evaluation.rank()) {
                kept.push(evaluation);
            }
        }
        self.evaluations = kept;
    }

    /// What a file for the engine has of it: score and depth of the deepest evaluation, and its two best moves.
    pub fn known(&self) -> Option<Known> {
        let Evaluation { depth, pvs, .. } = self.deepest()?;
        let best = pvs.first()?;
        let second = pvs.get(1).and_then(|pv| pv.moves.first().copied());
        Some(Known { best: *best.moves.first()?, second, score: best.score, depth: *depth }.limited())
    }

    /// The deepest evaluation; of two of one depth that with more nodes.
    pub fn deepest(&self) -> Option<&Evaluation> {
        self.evaluations.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w -";

    fn read(line: &str) -> Result<Option<Record>, String> {
        Record::read(line, Rules::default()).map_err(|error| error.to_string())
    }

    fn shared(fen: &str, evals: &str) -> Record {
        read(&format!(r#"{{"fen":"{fen}","evals":[{evals}]}}"#)).unwrap().unwrap()
    }

    fn evaluation(depth: u32, knodes: u64, pvs: &[(i32, &str)]) -> String {
        let pvs: Vec<_> = pvs.iter().map(|(cp, line)| format!(r#"{{"cp":{cp},"line":"{line}"}}"#)).collect();
        format!(r#"{{"pvs":[{}],"knodes":{knodes},"depth":{depth}}}"#, pvs.join(","))
    }

    #[test]
    fn scores_are_white_s_in_a_line_and_the_mover_s_in_a_record() {
        let board = "7k/7m/8/8/8/8/4R3/4K3";
        for (side, mv, cp) in [("w", "e2e3", 40), ("b", "h8g7", -40)] {
            let record = shared(&format!("{board} {side} - 128 9 80"), &evaluation(3, 1, &[(40, mv)]));
            assert_eq!(record.evaluations[0].pvs[0].score, Score::Centipawns(cp));
            let line = record.line(Rules::default());
            assert!(line.starts_with(&format!(r#"{{"fen":"{board} {side} - 128 9","#)), "{line}");
            assert!(line.contains(r#"{"cp":40,"#), "{line}");
            assert_eq!(read(&line).unwrap().unwrap(), record);
        }
    }

    #[test]
    fn lines_of_evaluate_become_records() {
        let line = format!(
            r#"{{"line":3,"rules":"makruk fairy-stockfish","fen":"{START} - 0 1","outcome":null,"bestmove":"e3e4","#
        ) + r#""depth":5,"nodes":2001,"lines":[{"multipv":1,"depth":5,"seldepth":7,"score":{"cp":12},"wdl":[1,2,3],"pv":["e3e4","e6e5"]}]}"#;
        let record = read(&line).unwrap().unwrap();
        assert_eq!(record, shared(START, &evaluation(5, 3, &[(12, "e3e4 e6e5")])));
        for none in [
            r#"{"line":4,"input":"8/8","error":"wrong"}"#,
            r#"{"fen":"R6k/8/6K1/8/8/8/8/8 b - - 0 1","outcome":"white wins (checkmate)","bestmove":null,"depth":0,"nodes":0,"lines":[]}"#,
            &line.replace("null", r#""draw (repetition)""#),
        ] {
            assert_eq!(read(none), Ok(None));
        }
    }

    #[test]
    fn the_same_evaluations_are_kept_in_any_order() {
        let one = [(12, "e3e4")];
        let two = [(12, "e3e4"), (7, "d3d4")];
        let all = [
            evaluation(20, 100, &one),
            evaluation(20, 90, &one),
            evaluation(22, 50, &one),
            evaluation(18, 400, &two),
            evaluation(19, 10, &two),
            evaluation(22, 50, &[(13, "e3e4")]),
        ];
        let kept = shared(START, &all.join(","));
        assert_eq!(kept, shared(START, &[&all[4], &all[5]].map(String::as_str).join(",")));
        assert_eq!(kept.deepest().map(|best| best.depth), Some(22));
        for first in 0..all.len() {
            let mut order: Vec<_> = (0..all.len()).map(|place| (place + first) % all.len()).collect();
            for _ in 0..2 {
                let mut merged = shared(START, &all[order[0]]);
                for &place in &order {
                    merged.merge(shared(START, &all[place]));
                }
                assert_eq!(merged, kept);
                order.reverse();
            }
        }
        // Two lines as deep as one are better.
        let both = shared(START, &[evaluation(9, 9, &one), evaluation(9, 9, &two)].join(","));
        assert_eq!(both.evaluations.len(), 1);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (line, error) in [
            ("nonsense".to_owned(), "not a line of evaluations"),
            ("{}".to_owned(), "there is no fen"),
            (format!(r#"{{"fen":"{START}"}}"#), "neither evals nor lines"),
            (format!(r#"{{"fen":"{START}","evals":[{}]}}"#, evaluation(1, 1, &[(1, "e3e5")])), "line 1: "),
            (
                format!(r#"{{"fen":"{START}","evals":[{}]}}"#, evaluation(1, 1, &[(1, "")])),
                "line 1: it has no move",
            ),
            (format!(r#"{{"fen":"{START}","evals":[{}]}}"#, evaluation(1, 1, &[])), "needs a line"),
            (
                format!(
                    r#"{{"fen":"{START}","evals":[{{"pvs":[{{"line":"e3e4"}}],"knodes":1,"depth":1}}]}}"#
                ),
                "either cp or mate",
            ),
            (
                format!(
                    r#"{{"fen":"{START}","evals":[{{"pvs":[{{"mate":0,"line":"e3e4"}}],"knodes":1,"depth":1}}]}}"#
                ),
                "mate 0",
            ),
            (
                format!(r#"{{"fen":"{START}","evals":[{}]}}"#, evaluation(1, 1, &[(1, "e3e4"), (0, "e3e4")])),
                "the same move",
            ),
            (format!(r#"{{"fen":"{START}","rules":"makruk","evals":[]}}"#), "rules 'makruk'"),
            (
                format!(r#"{{"fen":"{START}","rules":"makruk wikipedia","evals":[]}}"#),
                "not 'makruk fairy-stockfish'",
            ),
            (r#"{"fen":"R6k/8/6K1/8/8/8/8/8 b","evals":[]}"#.to_owned(), "the game is over"),
            (r#"{"fen":"8/8 w","evals":[]}"#.to_owned(), "rank"),
        ] {
            let found = read(&line).unwrap_err();
            assert!(found.contains(error), "{line}: {found}");
        }
    }
}
