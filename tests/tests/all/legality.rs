//! Move generation and legality of single moves, against the slow rules and each other.

use std::collections::BTreeSet;
use std::iter;

use sakmak_movegen::{Bitboard, Color, Move, MoveList, PieceKind, Position, Square, Stage};
use sakmak_tests::slow::{SlowPosition, all_spots, spot_name};
use sakmak_tests::{after, position, walk};

/// Random games played from each start, and their length in plies.
const ROUNDS: u64 = 20;
const PLIES: usize = 80;
/// Tests with thousands of checks of a position take one of `SAMPLE` positions.
const SAMPLE: usize = 9;

/// Positions of random games, each also by the slow rules.
fn positions(seed: u64) -> impl Iterator<Item = (Position, SlowPosition)> {
    walk::games(seed, ROUNDS, PLIES).map(|step| {
        let slow = SlowPosition::from_fen(&step.before.to_string());
        (step.before, slow)
    })
}

fn uci(moves: &[Move]) -> BTreeSet<String> {
    moves.iter().map(Move::to_string).collect()
}

fn names(squares: Bitboard) -> BTreeSet<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn staged(position: &Position, stage: Stage) -> MoveList {
    let mut list = MoveList::new();
    position.generate(stage, &mut list);
    list
}

/// Every value of a [`Move`], also those from a square to itself: moves that a damaged TT entry may give.
fn all_moves() -> impl Iterator<Item = Move> {
    (0..=u16::MAX).filter_map(Move::from_bits)
}

/// All moves, the noisy and the quiet ones, and their number; the key and the check after each move.
#[test]
fn generator_equals_the_slow_rules() {
    for (position, slow) in positions(1) {
        let moves = position.legal_moves();
        let texts = uci(&moves);
        assert_eq!(texts, slow.uci_moves(), "{position}");
        assert_eq!(texts.len(), moves.len(), "a move is listed twice: {position}");
        assert_eq!(position.in_check(), slow.in_check(), "{position}");

        let (noisy, quiet) = (staged(&position, Stage::Noisy), staged(&position, Stage::Quiet));
        assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{position}");
        assert!(quiet.iter().all(|&mv| !position.is_noisy(mv)), "{position}");
        assert_eq!(noisy.len() + quiet.len(), moves.len(), "{position}");
        assert_eq!(&uci(&noisy) | &uci(&quiet), texts, "{position}");

        let info = position.check_info();
        for &mv in &moves {
            let after = after(&position, mv);
            assert_eq!(position.gives_check(mv, &info), after.in_check(), "{mv} in {position}");
            assert_eq!(position.key_after(mv), after.moves_key(), "{mv} in {position}");
            // Only a position after the last move of a game may have no legal move.
            let replies = after.legal_moves().len();
            assert_eq!(after.count_legal() as usize, replies, "{after}");
            assert_eq!(after.has_legal_move(), replies > 0, "{after}");
        }
    }
}

#[test]
fn stages_append_to_the_list() {
    let position = Position::startpos();
    let mut list = staged(&position, Stage::Quiet);
    position.generate(Stage::Noisy, &mut list);
    position.generate(Stage::All, &mut list);
    assert_eq!(list.len(), 2 * position.legal_moves().len());
}

/// Every possible move is legal if and only if the generator lists it; legal moves are pseudo-legal, and a pseudo-legal
/// move that is not legal leaves the khun attacked.
#[test]
fn single_moves_are_judged_as_the_generator_does() {
    let mut double_checks = 0;
    for (number, (position, slow)) in positions(4).enumerate() {
        let double_check = position.checkers().more_than_one();
        double_checks += u32::from(double_check);
        if !double_check && number % SAMPLE != 0 {
            continue;
        }
        let legal = uci(&position.legal_moves());
        for mv in all_moves() {
            let (is_legal, is_pseudo_legal) = (position.is_legal(mv), position.is_pseudo_legal(mv));
            // No piece has a first-move privilege here, so no move of two pieces is legal.
            let listed = !mv.is_two_piece() && legal.contains(&mv.to_string());
            assert_eq!(is_legal, listed, "{mv} in {position}");
            assert!(is_pseudo_legal || !is_legal, "{mv} in {position}");
            if is_pseudo_legal && !is_legal {
                assert!(leaves_khun_attacked(&slow, mv), "{mv} in {position}");
            }
        }
    }
    assert!(double_checks > 10, "the games have too few double checks: {double_checks}");
}

fn leaves_khun_attacked(before: &SlowPosition, mv: Move) -> bool {
    before.after(&mv.to_string()).khun_attacked(before.white_to_move())
}

/// Text is read as a move if and only if it is that of a legal move; the promotion letter is neither optional nor
/// allowed elsewhere.
#[test]
fn move_text_is_read_strictly() {
    for step in walk::games(5, ROUNDS, PLIES).step_by(SAMPLE) {
        let position = step.before;
        for mv in position.legal_moves() {
            let text = mv.to_string();
            assert_eq!(position.parse_move(&text), Ok(mv));
            let other = if mv.is_promotion() { text[..4].to_owned() } else { format!("{text}m") };
            assert!(position.parse_move(&other).is_err(), "{other} in {position}");
            if mv.is_promotion() {
                assert_eq!(position.parse_move(&format!("{other}M")), Ok(mv));
            }
        }
    }
}

#[test]
fn attackers_equal_the_slow_rules() {
    for (position, slow) in positions(7).step_by(SAMPLE) {
        for color in Color::ALL {
            let white = color == Color::White;
            let attacked = position.attacks_by(color, position.occupied());
            for (square, spot) in Square::all().zip(all_spots()) {
                let expected: BTreeSet<String> =
                    slow.attackers(spot, white).into_iter().map(spot_name).collect();
                let found = position.attackers_of(color, square, position.occupied());
                assert_eq!(names(found), expected, "{color} pieces that attack {square} in {position}");
                assert_eq!(attacked.contains(square), !expected.is_empty(), "{square} in {position}");
            }
        }
    }
}

#[test]
fn attacks_of_lesser_pieces_are_those_of_attackers_before_them_in_order() {
    for (position, _) in positions(9).step_by(SAMPLE) {
        for color in Color::ALL {
            let by_lesser = position.attack_sets(color).by_lesser();
            for square in Square::all() {
                let attackers = position.attackers_of(color, square, position.occupied());
                for (index, kind) in PieceKind::ALL.into_iter().enumerate() {
                    let lesser =
                        PieceKind::ALL[..index].iter().map(|&lesser| position.kind(lesser) & attackers);
                    let expected = kind != PieceKind::Khun && lesser.into_iter().any(|set| !set.is_empty());
                    let found = by_lesser[kind.index()].contains(square);
                    assert_eq!(found, expected, "{kind:?} on {square} in {position}");
                }
            }
        }
    }
}

/// A piece is pinned if removing it would expose its khun to attack.
#[test]
fn pins_are_found_by_removing_pieces() {
    for step in walk::games(8, ROUNDS, PLIES).step_by(SAMPLE) {
        let position = step.before;
        for color in Color::ALL {
            let khun = position.khun(color);
            let checkers = |occupied| position.attackers_of(!color, khun, occupied);
            let now = checkers(position.occupied());
            let pinned: Bitboard = position
                .color(color)
                .into_iter()
                .filter(|&square| square != khun)
                .filter(|&square| checkers(position.occupied() ^ square.into()) != now)
                .collect();
            assert_eq!(position.pinned(color), pinned, "{color} in {position}");
        }
    }
}

/// The list has room for the moves of boards crowded with rua and maa, and of the position with the most moves that a
/// long search found.
#[test]
fn move_lists_are_large_enough() {
    const BUSIEST: &str = "k1N1R1N1/1N1N1NSR/N1N1N1N1/1N1N1N2/N1N1N1N1/1N1N1NK1/R1NSN1N1/1R5R w - - 0 1";
    const BUSIEST_MOVES: usize = 168;
    let busiest = position(BUSIEST).legal_moves();
    assert_eq!(busiest.len(), BUSIEST_MOVES);
    assert!(busiest.capacity() > 2 * BUSIEST_MOVES);

    let mut rng = walk::rng(10);
    for maa in (0..=36).step_by(6) {
        for rua in (0..=36 - maa).step_by(6) {
            let pieces = format!("kK{}{}", "N".repeat(maa), "R".repeat(rua));
            let crowd = iter::repeat_with(|| walk::scatter(&mut rng, &pieces))
                .find(|position| position.side_to_move() == Color::White)
                .expect("endless");
            // A full list would panic.
            assert_eq!(crowd.legal_moves().len(), crowd.count_legal() as usize, "{crowd}");
        }
    }
}
