//! By what a file of evaluations finds a position and those after its moves.

use sakmak_engine::position_key::PositionKey;
use sakmak_js_common::Fault;
use sakmak_movegen::{Color, Position};

use super::Record;

/// Adds a position to the list of numbers: 1 if Black is to move, plus 2 if it has a key; the lower and the upper half
/// of the key; the number of its legal moves, and their bits.
//
// By loops: the page loads this first, and iterators would make it larger.
fn add(numbers: &mut Vec<u32>, position: &Position) {
    let key = PositionKey::of(position).ok().map(|key| key.number());
    let number = key.unwrap_or_default();
    let moves = position.legal_moves();
    numbers.push(u32::from(position.side_to_move() == Color::Black) | u32::from(key.is_some()) << 1);
    numbers.push(number as u32);
    numbers.push((number >> 32) as u32);
    numbers.push(moves.len() as u32);
    for mv in &moves {
        numbers.push(mv.bits().into());
    }
}

impl Record {
    /// Whether games of both are played by the same rules, wherever they begin.
    pub fn has_rules_of(&self, other: &Self) -> bool {
        self.start.position().rules() == other.start.position().rules()
    }

    /// The keys of the position at a node and then of those after its legal moves, in the order of these; none if the
    /// game is over.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn evaluation_keys(&self, node: usize) -> Result<Vec<u32>, Fault> {
        self.exists(node)?;
        let (game, claimed) = self.game_at(node);
        let position = game.position();
        let mut numbers = Vec::new();
        if claimed.is_some() || position.outcome().is_some() {
            return Ok(numbers);
        }
        add(&mut numbers, position);
        for &mv in &position.legal_moves() {
            add(&mut numbers, &position.after(mv));
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use sakmak_js_common::RulesChoice;
    use sakmak_movegen::Rules;

    use super::super::ROOT;
    use super::*;

    fn record(fen: &str) -> Record {
        Record::new(RulesChoice::default(), Some(fen)).unwrap()
    }

    /// Side, key and moves of each position.
    fn read(mut numbers: &[u32]) -> Vec<(bool, Option<u64>, Vec<u32>)> {
        let mut keys = Vec::new();
        while let [flags, low, high, count, rest @ ..] = numbers {
            let (moves, others) = rest.split_at(*count as usize);
            let number = u64::from(*high) << 32 | u64::from(*low);
            keys.push((flags & 1 == 1, (flags & 2 == 2).then_some(number), moves.to_vec()));
            numbers = others;
        }
        keys
    }

    #[test]
    fn keys_are_those_of_the_engine() {
        // The count runs: its plies are part of the key, also after the moves.
        let fen = "7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80";
        let keys = read(&record(fen).evaluation_keys(ROOT).unwrap());
        let (_, position) = PositionKey::read(fen, Rules::default()).unwrap();
        let after = position.legal_moves().iter().map(|&mv| position.after(mv)).collect::<Vec<_>>();
        let wanted = std::iter::once(&position).chain(&after).map(|position| {
            let moves = position.legal_moves().iter().map(|mv| mv.bits().into()).collect();
            let key = PositionKey::of(position).ok().map(|key| key.number());
            (position.side_to_move() == Color::Black, key, moves)
        });
        assert_eq!(keys, wanted.collect::<Vec<_>>());
        assert!(keys[0].0 && !keys[1].0 && keys.iter().all(|key| key.1.is_some()));
    }

    #[test]
    fn a_mate_has_no_key() {
        let mating = record("7k/8/6K1/8/8/8/8/R7 w");
        let keys = read(&mating.evaluation_keys(ROOT).unwrap());
        assert!(keys.contains(&(true, None, Vec::new())), "a1a8 is mate");
        let over = record("R6k/8/6K1/8/8/8/8/8 b");
        assert_eq!(over.evaluation_keys(ROOT).unwrap(), Vec::<u32>::new());
        assert!(over.evaluation_keys(1).is_err());
    }

    #[test]
    fn rules_are_those_of_the_play() {
        let by =
            |ruleset: &str, parts: &str| Record::new(RulesChoice::new("", ruleset, parts), None).unwrap();
        let record = record("7k/8/6K1/8/8/8/8/R7 w");
        for (ruleset, parts, same) in [
            ("", "", true),
            ("fairy-stockfish", "Repetition=ruleset", true),
            ("wikipedia", "", false),
            ("", "Repetition=none", false),
        ] {
            assert_eq!(record.has_rules_of(&by(ruleset, parts)), same, "{ruleset} {parts}");
        }
    }
}
