//! The canonical key of a position: all that decides how the game can go on, and nothing else.

use std::fmt;

use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::rules::{Claim, CountStarted, CounterMate, DrawInstant, PlayRules};
use sakmak_movegen::{
    Color, Count, CountingSystem, Fen, FenError, Outcome, PieceKind, Position, Rules, Variant, splitmix64,
};
use thiserror::Error;

/// A position as a FEN without what cannot matter. Positions of the same rules with equal keys have the same legal
/// moves and counts with the same plies left, now and after every line of moves.
///
/// * Without a count: board, side to move, first-move privileges.
/// * A running count follows, with its limit and its ply. Under the default count only the plies left matter: the key
///   has the limit that the pieces on the board have by the rules, if no more plies are left.
/// * Under chess's fifty moves the half-move clock follows.
///
/// The move number, the clock under other rules, marks of promoted bia and privileges that the rules do not have are
/// left out. What was repeated is not part of a position.
///
/// ```
/// use sakmak_engine::position_key::PositionKey;
/// use sakmak_movegen::Rules;
///
/// let key = |fen: &str| PositionKey::read(fen, Rules::default()).map(|(key, _)| key.to_string());
/// assert_eq!(key("7k/7m/8/8/8/8/4R3/4K3 b - - 9 80")?, "7k/7m/8/8/8/8/4R3/4K3 b -");
/// assert_eq!(key("7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80")?, "7k/7m/8/8/8/8/4R3/4K3 b - 128 9");
/// // A khun bared when its enemy had two ruas has as many plies left as one that another count left there.
/// assert_eq!(key("7k/8/8/8/8/8/4R3/4K3 b - 16 8 80")?, "7k/8/8/8/8/8/4R3/4K3 b - 32 24");
/// # Ok::<(), sakmak_engine::position_key::KeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionKey(String);

/// Why a position has no key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// There is nothing to evaluate.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// Counts by hand depend on the number of the move.
    #[error("counts that are started by hand have no key")]
    CountByHand,
}

/// The pieces by their four bits in a packed key.
const LETTERS: &[u8; 12] = b"PMSNRKpmsnrk";

impl PositionKey {
    /// The key of a position.
    ///
    /// # Errors
    /// If the game is over there, or counts are started by hand.
    pub fn of(position: &Position) -> Result<Self, KeyError> {
        if position.rules().count_started != CountStarted::AUTOMATIC {
            return Err(KeyError::CountByHand);
        }
        if let Some(outcome) = position.outcome() {
            return Err(KeyError::Over(outcome));
        }
        let mut key = position.to_string();
        let count = position.count();
        let counting = position.rules().counting;
        // Board, side, privileges; limit and ply, or a dash and the half-move clock; the number of the move.
        let shown = match counting {
            _ if count.is_running() && counting != CountingSystem::FiftyMoves => 5,
            CountingSystem::FiftyMoves | CountingSystem::CuteChess => 5,
            _ => 3,
        };
        let canonical = canonical_count(position);
        let shown = if canonical.is_some() { 3 } else { shown };
        if let Some(end) = key.match_indices(' ').nth(shown - 1).map(|(end, _)| end) {
            key.truncate(end);
        }
        if let Some(count) = canonical {
            key += &format!(" {} {}", count.limit(), count.ply());
        }
        Ok(Self(key))
    }

    /// The key of a FEN, and its position.
    ///
    /// # Errors
    /// If the FEN is wrong or its position has no key.
    pub fn read(fen: &str, rules: Rules) -> Result<(Self, Position), KeyError> {
        let fen: Fen = fen.parse()?;
        let position = fen.position(fen.implied_rules(rules))?;
        Ok((Self::of(&position)?, position))
    }

    /// The key as a FEN without the number of the move.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether Black is to move.
    pub fn is_black_to_move(&self) -> bool {
        self.0.split(' ').nth(1) == Some("b")
    }

    /// The key in few bytes: the occupied squares, four bits a piece, the side to move, and if there is more than `-`
    /// the rest as text.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (board, rest) = self.0.split_once(' ').unwrap_or((&self.0, ""));
        let (side, rest) = rest.split_once(' ').unwrap_or((rest, "-"));
        let (mut occupied, mut pieces) = (0_u64, Vec::new());
        // From a8; the end of a rank is two ranks above the next one's beginning.
        let mut square = 56_usize;
        for letter in board.bytes() {
            match LETTERS.iter().position(|&known| known == letter) {
                Some(piece) => {
                    occupied |= 1 << (square & 63);
                    pieces.push(piece as u8);
                    square += 1;
                }
                None if letter == b'/' => square = square.saturating_sub(16),
                None => square += usize::from(letter.saturating_sub(b'0')),
            }
        }
        let mut bytes = occupied.to_be_bytes().to_vec();
        for pair in pieces.chunks(2) {
            bytes.push(pair[0] << 4 | pair.get(1).copied().unwrap_or(0));
        }
        bytes.push(u8::from(side == "b"));
        if rest != "-" {
            bytes.extend_from_slice(rest.as_bytes());
        }
        bytes
    }

    /// A hash of [`Self::to_bytes`], the same for ever: FNV-1a of 64 bits, mixed by SplitMix64.
    pub fn number(&self) -> u64 {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        splitmix64(self.to_bytes().iter().fold(OFFSET, fnv))
    }

    /// The key of [`Self::to_bytes`]; `None` if these are not the bytes of a key.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&occupied, rest) = bytes.split_first_chunk()?;
        let occupied = u64::from_be_bytes(occupied);
        let men = occupied.count_ones() as usize;
        let (packed, rest) = rest.split_at_checked(men.div_ceil(2))?;
        let (&side, rest) = rest.split_first()?;
        let mut pieces = packed.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let mut board = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                if occupied >> (8 * rank + file) & 1 == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    board += &empty.to_string();
                    empty = 0;
                }
                board.push(char::from(*LETTERS.get(usize::from(pieces.next()?))?));
            }
            if empty > 0 {
                board += &empty.to_string();
            }
            if rank > 0 {
                board.push('/');
            }
        }
        let side = *["w", "b"].get(usize::from(side))?;
        let rest = if rest.is_empty() { "-" } else { std::str::from_utf8(rest).ok()? };
        Some(Self(format!("{board} {side} {rest}")))
    }
}

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The count of a position under the default count with as many plies left, and with the limit by the rules for the
/// pieces on the board if no more are left. `None` without such a count.
fn canonical_count(position: &Position) -> Option<Count> {
    let PlayRules { variant, counting, draw_instant, claim, counter_mate, .. } = *position.rules();
    let only_plies_left_matter = counting == CountingSystem::FairyStockfish
        && variant != Variant::Cambodian
        && draw_instant == DrawInstant::System
        && claim == Claim::Automatic
        && counter_mate == CounterMate::Win;
    let count = position.count();
    if !only_plies_left_matter || count.is_unlimited() {
        return None;
    }
    let left = u16::try_from(count.remaining()?).ok()?;
    let usual = limit_by_rules(position);
    let limit = if left <= usual { usual } else { left }.max(1);
    Some(Count::new(limit, limit - left))
}

/// The limit of the default count for the pieces on the board, in plies; 0 while bia stand.
fn limit_by_rules(position: &Position) -> u16 {
    if !position.kind(PieceKind::Bia).is_empty() {
        return 0;
    }
    let attacker = match [Color::White, Color::Black].map(|color| position.is_bare(color)) {
        [false, false] => return BOARD_PLIES,
        [true, _] => Color::Black,
        [false, true] => Color::White,
    };
    let number = |kind| position.pieces(attacker, kind).len();
    2 * usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)))
}

/// The board's honour of the default count, in plies.
const BOARD_PLIES: u16 = 128;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use sakmak_movegen::Ruleset;

    use super::*;

    /// Positions from which random games soon have counts of all kinds.
    const ENDINGS: [&str; 5] = [
        "r3k3/8/1p6/8/8/P7/8/3RK3 w - - 0 30",
        "2m1k3/8/8/3n4/8/2S5/3M4/4K2R w - - 0 40",
        "7k/8/8/8/8/1m6/4R3/R3K3 w - - 0 60",
        "7k/8/8/8/8/8/4R3/4K3 b - 16 8 80",
        "7k/7m/8/8/3P4/8/4R3/4K3 b - 128 101 80",
    ];

    fn moves(position: &Position) -> Vec<String> {
        let mut moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
        moves.sort_unstable();
        moves
    }

    /// All that the rules look at.
    fn facts(position: &Position) -> impl PartialEq + fmt::Debug {
        let count = position.count();
        let left = (count.remaining(), count.second(), position.counter(), position.count_kind());
        (moves(position), position.moves_key(), left, position.outcome(), position.may_claim_draw())
    }

    /// The positions of random games.
    fn random_positions(rules: Rules, games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let fen = ENDINGS.get(seed as usize % (ENDINGS.len() + 2));
            let mut position = match fen {
                Some(fen) => {
                    let Ok(fen) = fen.parse::<Fen>() else { panic!("{fen}") };
                    fen.position(fen.implied_rules(rules)).unwrap()
                }
                None => Position::start(rules),
            };
            for _ in 0..200 {
                positions.push(position.clone());
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.legal_moves();
                let captures: Vec<_> =
                    moves.iter().filter(|mv| position.piece_on(mv.to()).is_some()).copied().collect();
                let from: &[_] =
                    if captures.is_empty() || random.random_bool(0.4) { &moves } else { &captures };
                let &mv = from.choose(&mut random).unwrap();
                position.play_unchecked(mv);
            }
        }
        positions
    }

    fn all_rules() -> impl Iterator<Item = Rules> {
        let variants = [Variant::Makruk, Variant::Cambodian, Variant::Makpong];
        variants
            .into_iter()
            .flat_map(|variant| Ruleset::ALL.iter().map(move |&ruleset| Rules::new(variant, ruleset)))
    }

    #[test]
    fn the_position_of_a_key_plays_on_as_the_position_does() {
        for rules in all_rules() {
            let games = if rules == Rules::default() { 60 } else { 14 };
            for position in random_positions(rules, games) {
                let Ok(key) = PositionKey::of(&position) else { continue };
                let (again, read) = PositionKey::read(key.as_str(), rules).unwrap();
                assert_eq!(again, key, "{position} {rules}");
                assert_eq!(facts(&read), facts(&position), "{position} {rules}");
                for mv in position.legal_moves() {
                    let after = [&position, &read].map(|position| position.after(mv));
                    assert_eq!(facts(&after[0]), facts(&after[1]), "{position} {mv} {rules}");
                    let keys = after.map(|position| PositionKey::of(&position));
                    assert_eq!(keys[0], keys[1], "{position} {mv} {rules}");
                }
                assert_eq!(PositionKey::from_bytes(&key.to_bytes()).as_ref(), Some(&key), "{key}");
            }
        }
    }

    #[test]
    fn positions_of_one_key_have_the_same_moves_and_plies_left() {
        let mut by_key = HashMap::new();
        let mut by_facts = HashMap::new();
        let (mut met_again, mut counted) = (0, 0);
        for position in random_positions(Rules::default(), 300) {
            let Ok(key) = PositionKey::of(&position) else { continue };
            counted += u32::from(position.count().is_running());
            let facts = (position.moves_key(), position.count().remaining());
            // Neither does a key have two sets of facts, nor facts two keys.
            met_again += u32::from(by_key.contains_key(&key));
            assert_eq!(*by_key.entry(key.clone()).or_insert(facts), facts, "{position}");
            assert_eq!(*by_facts.entry(facts).or_insert_with(|| key.clone()), key, "{position}");
        }
        assert!(met_again > 100 && counted > 1_000, "{met_again} {counted}");
    }

    #[test]
    fn what_cannot_matter_is_left_out() {
        let key = |fen: &str| PositionKey::read(fen, Rules::default()).unwrap().0.to_string();
        let board = "7k/7m/8/8/8/8/4R3/4K3";
        for tail in ["b", "b - -", "b - - 17 44", "b DEde - 0 1", "b KQkq 0 9", "b - 0 0 80"] {
            assert_eq!(key(&format!("{board} {tail}")), format!("{board} b -"));
        }
        for tail in ["b - 128 30 70", "b - 100 2 1", "b 128 30 99"] {
            assert_eq!(key(&format!("{board} {tail}")), format!("{board} b - 128 30"));
        }
        assert_eq!(key("7k/6m~1/8/8/8/8/4R3/4K3 b"), "7k/6m1/8/8/8/8/4R3/4K3 b -");
        // More left than the rules give, and a count while bia stand.
        assert_eq!(key(&format!("{board} b - 200 10 9")), format!("{board} b - 190 0"));
        assert_eq!(key("7k/7m/8/8/3P4/8/4R3/4K3 b - 128 128 9"), "7k/7m/8/8/3P4/8/4R3/4K3 b - 1 1");
        assert_eq!(key(&format!("{board} b - 65535 0 9")), format!("{board} b - 65535 0"));
    }

    #[test]
    fn other_rules_keep_what_matters_to_them() {
        let key = |fen: &str, ruleset| {
            let rules = Rules::new(Variant::Makruk, ruleset);
            PositionKey::read(fen, rules).unwrap().0.to_string()
        };
        let board = "7k/7m/8/8/3P4/8/4R3/4K3";
        assert_eq!(key(&format!("{board} b - - 17 44"), Ruleset::CuteChess), format!("{board} b - - 17"));
        assert_eq!(key(&format!("{board} b - 0 0 44"), Ruleset::CuteChess), format!("{board} b - 0 0"));
        assert_eq!(key(&format!("{board} b - - 17 44"), Ruleset::Wikipedia), format!("{board} b -"));
        let start = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish);
        let key = PositionKey::of(&Position::start(start)).unwrap();
        assert!(key.as_str().ends_with(" w DEde"), "{key}");
        assert_eq!(PositionKey::from_bytes(&key.to_bytes()), Some(key));
    }

    #[test]
    fn positions_without_a_key_are_named() {
        let error = |fen: &str, rules| PositionKey::read(fen, rules).unwrap_err().to_string();
        let mated = "R6k/8/6K1/8/8/8/8/8 b";
        assert_eq!(error(mated, Rules::default()), "the game is over: white wins (checkmate)");
        assert!(error("8/8 w", Rules::default()).contains("rank"));
        let by_hand = Rules::default().with_parts("CountStarted=5").unwrap();
        assert_eq!(error("7k/7m/8/8/8/8/4R3/4K3 b", by_hand), KeyError::CountByHand.to_string());
        let bytes = PositionKey::of(&Position::startpos()).unwrap().to_bytes();
        assert_eq!(bytes.len(), 25);
        assert!((0..bytes.len()).all(|length| PositionKey::from_bytes(&bytes[..length]).is_none()));
    }
}
