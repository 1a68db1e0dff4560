//! Positions and questions about the count, drawn at random. The same seed gives the same position.

use sakmak_movegen::{Color, Game, Piece, Position, Rules, Setup, SpokenCount, Square, splitmix64};

/// The lines of the usual table of limits, by the pieces that an attacker must have at least. The first that fits
/// counts. `M` stands for anything else. The limits themselves come from the rules.
const LINES: [&str; 6] = ["RR", "R", "SS", "NN", "S", "M"];
/// Pieces of an attacker beyond those of its line, at most.
const MOST_MORE: u64 = 4;
/// Placements tried for one position. Nearly all of them are legal, but few have a mate in one.
const ATTEMPTS: u32 = 30_000;
/// Plies by which a count is longer than the mate needs, or shorter. Close ones are more frequent.
const MARGINS: [u16; 4] = [0, 0, 2, 6];
/// Choices of each answer.
const CHOICES: usize = 5;

/// The numbers of SplitMix64 from one place on.
struct Random(u64);

impl Random {
    /// Neighbouring seeds begin far from each other.
    fn new(seed: u32) -> Self {
        Self(splitmix64(u64::from(seed) + 1))
    }

    fn below(&mut self, end: u64) -> usize {
        self.0 = self.0.wrapping_add(1);
        // Below `end`, which is small.
        (splitmix64(self.0) % end.max(1)) as usize
    }

    /// A letter of a text.
    fn letter(&mut self, letters: &str) -> char {
        // Letters of pieces are one byte each.
        letters.as_bytes().get(self.below(letters.len() as u64)).map_or('M', |&byte| char::from(byte))
    }
}

/// A question about a count that has just begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position; the bare khun is to move.
    pub fen: String,
    /// The line of the table of limits that fits the attacker, from 0.
    pub line: usize,
    /// Pieces on the board, the limit, the number that the khun speaks first, and the moves that the attacker has.
    pub answers: [u16; 4],
    /// For each answer it and four plausible others, the smallest first.
    pub choices: [Vec<u16>; 4],
}

/// The line of the table of limits that fits these pieces.
fn line_of(pieces: &str) -> usize {
    let has = |line: &&str| {
        let number = |text: &str, letter| text.chars().filter(|&one| one == letter).count();
        line.chars().all(|letter| number(pieces, letter) >= number(line, letter))
    };
    LINES[..5].iter().position(has).unwrap_or(5)
}

/// Random pieces of an attacker. Each line of the table is as likely.
fn attacker(random: &mut Random) -> String {
    loop {
        let line = random.below(6);
        let mut pieces = LINES[line].to_owned();
        for _ in 0..random.below(MOST_MORE + 1) {
            pieces.push(random.letter("MNSM"));
        }
        if line_of(&pieces) == line {
            return pieces;
        }
    }
}

/// A random placement of both sides' pieces besides the khuns; `None` if it is not legal.
fn placed(random: &mut Random, pieces: [&str; 2], side: Color, rules: Rules) -> Option<Position> {
    let mut setup = Setup::empty().side_to_move(side).fullmove_number(40);
    for (color, letters) in [side, !side].into_iter().zip(pieces) {
        for letter in letters.chars().chain(['K']) {
            let kind = Piece::from_letter(letter)?.kind;
            let square = Square::all().nth(random.below(64))?;
            if setup.piece_on(square).is_some() {
                return None;
            }
            setup = setup.piece(square, Piece::new(color, kind));
        }
    }
    setup.build(rules).ok()
}

/// Plays a random move that captures nothing and does not end the game; `false` if there is none.
fn wander(random: &mut Random, game: &mut Game) -> bool {
    let moves = game.position().legal_moves();
    let from = random.below(moves.len() as u64);
    for at in 0..moves.len() {
        let mv = moves[(from + at) % moves.len()];
        if game.position().is_noisy(mv) {
            continue;
        }
        game.play_unchecked(mv);
        if game.outcome().is_none() {
            return true;
        }
        game.take_back();
    }
    false
}

fn bare(random: &mut Random, pieces: &str, attacker_moves: bool) -> Option<Game> {
    let color = if random.below(2) == 0 { Color::White } else { Color::Black };
    (0..ATTEMPTS).find_map(|_| {
        let position = placed(random, [pieces, ""], color, Rules::default())?;
        let mut game = Game::from_fen(&position.to_string(), Rules::default()).ok()?;
        // The count begins with this move, as it would with the capture that bares the khun.
        let is_begun = wander(random, &mut game) && (!attacker_moves || wander(random, &mut game));
        (is_begun && game.position().count().is_running()).then_some(game)
    })
}

/// A random position of these pieces against a bare khun, as a FEN: the pieces' honour has just begun, and the khun is
/// to move or, where `attacker_moves`, has made its first move. `None` if there is no such position.
pub fn ending(pieces: &str, attacker_moves: bool, seed: u32) -> Option<String> {
    let letters = !pieces.is_empty() && pieces.len() < 16 && pieces.chars().all(|one| "RSNM".contains(one));
    let game = letters.then(|| bare(&mut Random::new(seed), pieces, attacker_moves))??;
    Some(game.position().to_string())
}

/// The same position with a count that is just long enough for a mate in so many plies, or just too short; `None` if
/// the count cannot stand so.
pub fn race(fen: &str, plies: u16, fits: bool, seed: u32) -> Option<String> {
    let mut position = Position::from_fen(fen).ok()?;
    let count = position.count();
    let margin = *MARGINS.get(Random::new(seed).below(MARGINS.len() as u64))?;
    let left = if fits { plies.checked_add(margin)? } else { plies.checked_sub(margin + 2)? };
    // The plies from which the side to move counts off stay as they are: whole moves are added.
    let most = count.limit().checked_sub(count.ply())?;
    let left = if fits || left <= most { left } else { most };
    if left == 0 || left > most || (most - left) % 2 != 0 {
        return None;
    }
    position.set_count(count.at_ply(count.limit() - left));
    Some(position.to_string())
}

/// A random position without bia in which both sides have pieces, as a FEN. With `mates` the side to move counts, or
/// would if nobody does, and can mate at once. `None` if none is found.
pub fn armed(rules: Rules, mates: bool, seed: u32) -> Option<String> {
    let mut random = Random::new(seed);
    (0..ATTEMPTS).find_map(|_| {
        let mut army = |most| -> String {
            let number = 1 + random.below(most);
            (0..number).map(|_| random.letter("RSNM")).collect()
        };
        // Who mates while it has less needs enough pieces for it.
        let (own, others) = if mates { (army(3), army(4)) } else { (army(3), army(3)) };
        let side = if random.below(2) == 0 { Color::White } else { Color::Black };
        let mut position = placed(&mut random, [&own, &others], side, rules)?;
        let mate = position.legal_moves().into_iter().any(|mv| {
            let after = position.after(mv);
            after.in_check() && after.legal_moves().is_empty()
        });
        if mate != mates || position.in_check() || mates && position.counter() != Some(side) {
            return None;
        }
        let count = position.count();
        if count.is_running() {
            // Whole moves, so that the same side counts.
            let ply = count.ply() + 2 * random.below(50) as u16;
            position.set_count(count.at_ply(ply));
        }
        Some(position.to_string())
    })
}

/// The limit of a count against a bare khun and the number spoken first, of a position in which it has just begun.
fn spoken(game: &Game) -> Option<[u16; 3]> {
    let now = SpokenCount::new(game.position());
    let mut next = game.clone();
    next.play_unchecked(game.position().legal_moves().into_iter().next()?);
    let (_, first) = SpokenCount::new(next.position()).spoken()?;
    Some([now.limit()?, first, now.moves_left()?.1])
}

/// Limit, first number and moves left of a count that begins against a bare khun with these pieces.
pub fn table(pieces: &str) -> Option<[u16; 3]> {
    let fen = ending(pieces, false, 1)?;
    spoken(&Game::from_fen(&fen, Rules::default()).ok()?)
}

impl Question {
    /// The FEN, the line, the answers and the choices, a `;` between two of them.
    pub fn text(&self) -> String {
        let mut text = self.fen.clone();
        let line = [self.line as u16];
        for number in line.iter().chain(&self.answers).chain(self.choices.iter().flatten()) {
            text.push(';');
            text.push_str(&number.to_string());
        }
        text
    }
}

/// A random question.
pub fn question(seed: u32) -> Option<Question> {
    let mut random = Random::new(seed);
    let limits: Vec<u16> = LINES.iter().filter_map(|line| Some(table(line)?[0])).collect();
    (0..ATTEMPTS).find_map(|_| {
        let pieces = attacker(&mut random);
        let game = bare(&mut random, &pieces, false)?;
        let [limit, first, left] = spoken(&game)?;
        let number = pieces.len() as u16 + 2;
        let line = line_of(&pieces);
        // Who forgets the khuns or counts one off; who reads the neighbouring lines; who does not subtract.
        let near = |value: u16| [value.saturating_sub(2), value.saturating_sub(1), value + 1, value + 2];
        let other = |step: usize| limits.get((line + step) % limits.len()).copied().unwrap_or(limit);
        // One of the six is left out.
        let start = random.below(5);
        let lines = [0, 1, 2, 3].map(|step| other(1 + (start + step) % 5));
        let weaker = other(1);
        let lefts = [limit, (left + 2).min(limit), left.saturating_sub(1), weaker.saturating_sub(number)];
        let mut choices = |right: u16, wrong: &[u16]| choices(&mut random, right, wrong);
        let choices = [
            choices(number, &near(number)),
            choices(limit, &lines),
            choices(first, &[1, number - 2, number, first + 1]),
            choices(left, &lefts),
        ];
        Some(Question {
            fen: game.position().to_string(),
            line,
            answers: [number, limit, first, left],
            choices,
        })
    })
}

/// The right answer and four others, the plausible ones first, in ascending order.
fn choices(random: &mut Random, right: u16, wrong: &[u16]) -> Vec<u16> {
    let mut all = vec![right];
    // They stay in order.
    let more = (1..).map(|step| if random.below(2) == 0 { right + step } else { right.saturating_sub(step) });
    for value in wrong.iter().copied().chain(more) {
        if let (true, Err(at)) = (value > 0, all.binary_search(&value)) {
            all.insert(at, value);
        }
        if all.len() == CHOICES {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sakmak_movegen::{CountKind, Ruleset, Variant};

    use super::*;

    fn view(fen: &str) -> SpokenCount {
        SpokenCount::new(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn the_table_of_limits_is_that_of_the_documents() {
        // docs/rules.md, "The count": limit, limit less pieces; the khun first speaks one more than the pieces.
        let rows =
            [("RR", 8), ("R", 16), ("SS", 22), ("NN", 32), ("S", 44), ("N", 64), ("M", 64), ("SNN", 32)];
        for (pieces, limit) in rows {
            let number = pieces.len() as u16 + 2;
            assert_eq!(table(pieces), Some([limit, number + 1, limit - number]), "{pieces}");
        }
        assert_eq!(table("RRN"), Some([8, 6, 3]));
        assert_eq!(table(""), None);
        assert_eq!(table("K"), None);
        assert_eq!(table("RSNMMMMMMMMMMMMM"), None);
        for (pieces, line) in [("RRSSNN", 0), ("RSS", 1), ("SSNN", 2), ("SNN", 3), ("SNM", 4), ("NMM", 5)] {
            assert_eq!(line_of(pieces), line, "{pieces}");
        }
    }

    #[test]
    fn a_seed_gives_one_position_whose_count_has_just_begun() {
        let mut all = BTreeSet::new();
        for seed in 0..40 {
            for pieces in ["RR", "R", "SS", "SM", "NS", "NM", "RSNMM"] {
                let fen = ending(pieces, false, seed).unwrap();
                assert_eq!(ending(pieces, false, seed).unwrap(), fen);
                let position = Position::from_fen(&fen).unwrap();
                let number = pieces.len() as u16 + 2;
                assert!(position.is_bare(position.side_to_move()), "{fen}");
                assert_eq!(view(&fen).spoken(), Some((CountKind::Pieces, number)), "{fen}");
                let next = ending(pieces, true, seed).unwrap();
                assert_eq!(view(&next).spoken(), Some((CountKind::Pieces, number + 1)), "{next}");
                assert!(Game::from_fen(&next, Rules::default()).unwrap().outcome().is_none(), "{next}");
                all.insert(fen);
            }
        }
        assert!(all.len() > 270, "{}", all.len());
    }

    #[test]
    fn a_race_is_close_and_fits_or_misses() {
        let fen = ending("SM", true, 7).unwrap();
        for seed in 0..50 {
            let fits = race(&fen, 31, true, seed).unwrap();
            let (_, left) = view(&fits).moves_left().unwrap();
            assert!((16..=19).contains(&left), "{fits}");
            let misses = race(&fen, 31, false, seed).unwrap();
            let (_, left) = view(&misses).moves_left().unwrap();
            assert!((12..=15).contains(&left), "{misses}");
            assert_eq!(race(&fen, 31, false, seed), Some(misses));
        }
        // A mate longer than the whole count never fits; the whole count is too short for it.
        assert_eq!(race(&fen, 121, true, 1), None);
        let (_, left) = view(&race(&fen, 121, false, 1).unwrap()).moves_left().unwrap();
        assert_eq!(left, 40);
        assert_eq!(race(&fen, 1, false, 1), None);
        assert_eq!(race("x", 31, true, 1), None);
    }

    #[test]
    fn questions_have_the_answers_of_the_rules_among_five() {
        let mut lines = [0; 6];
        for seed in 0..200 {
            let one = question(seed).unwrap();
            assert_eq!(question(seed).as_ref(), Some(&one));
            lines[one.line] += 1;
            let position = Position::from_fen(&one.fen).unwrap();
            let [pieces, limit, first, left] = one.answers;
            assert_eq!(u32::from(pieces), position.occupied().len());
            assert_eq!(view(&one.fen).limit(), Some(limit), "{one:?}");
            assert_eq!((first, left), (pieces + 1, limit - pieces), "{one:?}");
            assert_eq!(limit, [8, 16, 22, 32, 44, 64][one.line], "{one:?}");
            for (right, choices) in one.answers.iter().zip(&one.choices) {
                assert_eq!(choices.len(), CHOICES, "{one:?}");
                assert!(choices.contains(right) && choices.is_sorted_by(|a, b| a < b), "{one:?}");
            }
            // The khuns forgotten, the pieces not counted off.
            assert!(one.choices[0].contains(&(pieces - 2)) && one.choices[3].contains(&limit), "{one:?}");
        }
        assert!(lines.iter().all(|&number| number > 15), "{lines:?}");
    }

    #[test]
    fn armed_positions_have_a_mate_by_the_counter_where_one_is_wanted() {
        let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
        for seed in 0..30 {
            for mates in [false, true] {
                let fen = armed(rules, mates, seed).unwrap();
                assert_eq!(armed(rules, mates, seed).as_ref(), Some(&fen));
                let position = Position::from_fen_with(&fen, rules).unwrap();
                assert!(Color::ALL.into_iter().all(|side| !position.is_bare(side)), "{fen}");
                if mates {
                    assert_eq!(position.counter(), Some(position.side_to_move()), "{fen}");
                    assert!(position.may_stop_count(), "{fen}");
                }
            }
        }
    }
}
