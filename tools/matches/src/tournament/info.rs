//! The `info` lines of UCI engines.

use sakmak_engine::score::Score;

/// What an `info` line says about the best move. A number that is missing or unreadable is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfoLine<'a> {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Depth of the deepest line, in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The score for the side to move, at most 100,000 centipawns or a mate in 10,000 moves.
    pub score: Option<Score>,
    /// Whether the score is only a lower or upper bound.
    pub is_bound: bool,
    /// The moves of the principal variation, as the engine wrote them.
    pub pv: Vec<&'a str>,
}

impl<'a> InfoLine<'a> {
    /// Parses a line of output; `None` unless it is an `info` line about the best move.
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self::default();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|text| text.parse::<i64>().ok());
            match word {
                "multipv" if number() != Some(1) => return None,
                "depth" => info.depth = number().and_then(|n| n.try_into().ok()),
                "seldepth" => info.seldepth = number().and_then(|n| n.try_into().ok()),
                "nodes" => info.nodes = number().and_then(|n| n.try_into().ok()),
                "cp" => info.score = number().map(|n| Score::Centipawns(n.clamp(-100_000, 100_000) as i32)),
                "mate" => info.score = number().map(|n| Score::Mate(n.clamp(-10_000, 10_000) as i32)),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => info.pv = words.by_ref().collect(),
                // The rest of the line is free text.
                "string" => break,
                _ => {}
            }
        }
        Some(info)
    }

    /// The score, if there is one that is no bound.
    pub fn exact_score(&self) -> Option<Score> {
        self.score.filter(|_| !self.is_bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_score_and_variation() {
        let line = "info depth 9 seldepth 12 multipv 1 score cp -31 nodes 1234 nps 5 pv e3e4 mate 3";
        let info = InfoLine::parse(line).unwrap();
        assert_eq!((info.depth, info.seldepth, info.nodes), (Some(9), Some(12), Some(1234)));
        assert_eq!(info.exact_score(), Some(Score::Centipawns(-31)));
        assert_eq!(info.pv, ["e3e4", "mate", "3"]);
        for (line, score) in [
            ("info score mate -2", Some(Score::Mate(-2))),
            ("info score mate 0", Some(Score::Mate(0))),
            ("info score cp 99999999999", Some(Score::Centipawns(100_000))),
            ("info score cp 7 lowerbound pv a3a4", None),
            ("info score cp 7 upperbound", None),
            ("info score cp x depth", None),
            ("info string score cp 77", None),
            ("info depth 3 currmove a3a4", None),
        ] {
            assert_eq!(InfoLine::parse(line).unwrap().exact_score(), score, "{line}");
        }
    }

    #[test]
    fn lines_about_other_moves_are_none() {
        for line in ["info depth 8 multipv 2 score cp 5", "bestmove a3a4", "readyok", "information", ""] {
            assert_eq!(InfoLine::parse(line), None, "{line}");
        }
    }
}
