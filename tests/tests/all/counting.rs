//! The count of Fairy-Stockfish: every clause by example, and compared with the slow rules. Its results for real
//! games are in `shared_data`.

use rand::RngExt;
use sakmak_movegen::counting::SpokenCount;
use sakmak_movegen::{Color, CountingSystem, DrawReason, Outcome, PlayRules, Position};
use sakmak_tests::slow::SlowPosition;
use sakmak_tests::{after, play, position, suite, walk};

/// One line for each clause of the rules; the head of the file describes the format.
const EXAMPLES: &str = include_str!("../../data/counting.txt");

/// One line of the examples.
struct Example<'a> {
    clause: &'a str,
    fen: &'a str,
    moves: &'a str,
    last: &'a str,
    outcome: &'a str,
}

fn examples() -> Vec<Example<'static>> {
    suite::lines(EXAMPLES)
        .map(|line| {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [clause, fen, moves, last, outcome] = columns[..] else { panic!("five columns: {line}") };
            Example { clause, fen, moves, last, outcome }
        })
        .collect()
}

fn outcome_text(position: &Position) -> String {
    position.outcome().map_or("goes on".to_owned(), |outcome| outcome.to_string())
}

#[test]
fn every_clause_by_example() {
    for Example { clause, fen, moves, last, outcome } in examples() {
        let position = play(&position(fen), moves);
        assert_eq!(position.to_string(), last, "{clause}");
        assert_eq!(outcome_text(&position), outcome, "{clause}: {last}");
    }
}

#[test]
fn random_endings_equal_the_slow_rules() {
    const ENDINGS: usize = 1_000;
    const PLIES: usize = 150;
    const MOST_MEN: usize = 6;
    let mut rng = walk::rng(51);
    for seed in 0..ENDINGS {
        let extra = rng.random_range(1..=MOST_MEN);
        let pieces: String =
            (0..extra).map(|_| char::from(b"MSNRPPmsnrpp"[rng.random_range(0..12)])).collect();
        let start = walk::scatter(&mut rng, &format!("kK{pieces}"));
        let mut slow = SlowPosition::from_fen(&start.to_string());
        for step in walk::game(walk::rng(seed as u64), start, PLIES) {
            slow.make(&step.mv.to_string());
            assert_eq!(step.after.to_string(), slow.fen(), "{} {}", step.before, step.mv);
        }
    }
}

#[test]
fn random_games_equal_the_slow_rules() {
    const ROUNDS: u64 = 20;
    const PLIES: usize = 80;
    for step in walk::games(52, ROUNDS, PLIES) {
        let mut slow = SlowPosition::from_fen(&step.before.to_string());
        slow.make(&step.mv.to_string());
        assert_eq!(step.after.to_string(), slow.fen(), "{} {}", step.before, step.mv);
        let outcome = step.after.outcome().map(|outcome| outcome.to_string());
        assert_eq!(outcome, slow.outcome(), "{}", step.after);
    }
}

/// The attacker gets the limit of its strongest pieces less the pieces on the board, in moves, whatever is played
/// meanwhile. The bare khun moves last.
#[test]
fn the_hunter_has_as_many_moves_as_the_limit_less_the_men() {
    for (pieces, limit) in [
        ("RR", 8),
        ("R", 16),
        ("RSSNN", 16),
        ("SS", 22),
        ("SSNN", 22),
        ("NN", 32),
        ("SNN", 32),
        ("S", 44),
        ("SNMM", 44),
        ("N", 64),
        ("NM", 64),
        ("MMM", 64),
    ] {
        let on_board = pieces.len() + 2;
        for seed in 0..10 {
            let mut rng = walk::rng(seed);
            let start = baring_capture(&mut rng, pieces);
            let attacker = !start.side_to_move();
            let spoken = SpokenCount::new(&start).to_string();
            assert!(spoken.ends_with(&format!("white may make {} more moves", limit - on_board)), "{spoken}");
            let moves = play_to_the_draw(&mut rng, start, attacker);
            assert_eq!(moves, limit - on_board, "{pieces} against a bare khun, game {seed}");
        }
    }
}

/// The position after White has just taken Black's last piece with one of `pieces`.
fn baring_capture(rng: &mut impl rand::Rng, pieces: &str) -> Position {
    loop {
        let before = walk::scatter(rng, &format!("kKm{pieces}"));
        let capture = before.legal_moves().into_iter().find(|&mv| before.is_capture(mv));
        let Some(position) = capture.map(|mv| after(&before, mv)) else { continue };
        if before.side_to_move() == Color::White && position.outcome().is_none() {
            return position;
        }
    }
}

/// Plays random moves that neither mate nor stalemate until the count is over; returns the number of moves by
/// `attacker`.
fn play_to_the_draw(rng: &mut impl rand::Rng, start: Position, attacker: Color) -> usize {
    let mut moves = 0;
    let mut position = start;
    while position.outcome().is_none() {
        moves += usize::from(position.side_to_move() == attacker);
        let choices: Vec<Position> = position
            .legal_moves()
            .into_iter()
            .map(|mv| after(&position, mv))
            .filter(Position::has_legal_move)
            .collect();
        position = choices[rng.random_range(0..choices.len())].clone();
    }
    assert_eq!(position.outcome(), Some(Outcome::Draw(DrawReason::PiecesHonour)), "{position}");
    assert_eq!(position.side_to_move(), attacker, "the bare khun moves last: {position}");
    moves
}

#[test]
fn without_a_system_no_count_starts_or_moves() {
    for start in walk::STARTS {
        let mut uncounted = position(start);
        uncounted.set_rules(PlayRules { counting: CountingSystem::None, ..PlayRules::default() });
        let count = uncounted.count();
        for step in walk::game(walk::rng(53), uncounted, 200) {
            assert_eq!(step.after.count(), count, "{}", step.after);
        }
    }
}
