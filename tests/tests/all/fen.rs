//! FEN: every FEN written is read back, and no input, however wild, does harm.

use proptest::prelude::*;
use sakmak_movegen::counting::SpokenCount;
use sakmak_movegen::{Color, Move, Position, perft::perft};
use sakmak_tests::slow::SlowPosition;
use sakmak_tests::{position, walk};

const ROUNDS: u64 = 20;
const PLIES: usize = 80;
const CASES: u32 = 4_000;
/// Characters that a typing error may put into a FEN.
const FEN_LETTERS: &str = "KMSNRPkmsnrp12345678/ wb-0~Qx";

/// One typing error at some place of a text.
#[derive(Clone, Debug)]
enum Slip {
    Replace(char),
    Insert(char),
    Delete,
    Swap,
}

fn slip() -> impl Strategy<Value = Slip> {
    let letter = || proptest::sample::select(FEN_LETTERS.chars().collect::<Vec<_>>());
    prop_oneof![
        3 => letter().prop_map(Slip::Replace),
        1 => letter().prop_map(Slip::Insert),
        1 => Just(Slip::Delete),
        3 => Just(Slip::Swap),
    ]
}

/// The text with typing errors, each at its place modulo the length.
fn garbled(text: &str, slips: &[(usize, Slip)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, slip) in slips {
        let index = place % letters.len().max(1);
        match slip {
            Slip::Insert(letter) => letters.insert(index, *letter),
            Slip::Replace(letter) if index < letters.len() => letters[index] = *letter,
            Slip::Delete if index < letters.len() => drop(letters.remove(index)),
            Slip::Swap if index + 1 < letters.len() => letters.swap(index, index + 1),
            _ => {}
        }
    }
    letters.into_iter().collect()
}

fn start() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&walk::STARTS[..])
}

/// The board field of a FEN with a dot for every empty square and without the marks of promoted bia.
fn squares(fen: &str) -> String {
    let board = fen.split_ascii_whitespace().next().expect("a board");
    assert!(!board.replace("M~", "").replace("m~", "").contains('~'), "a mark that follows no met: {board}");
    let square =
        |letter: char| letter.to_digit(10).map_or(letter.to_string(), |gap| ".".repeat(gap as usize));
    board.chars().filter(|&letter| letter != '~').map(square).collect()
}

/// Reads the text. An error must be a short line; a position must be that of the text, and sound.
fn check(text: &str) {
    const LONGEST_MESSAGE: usize = 120;
    match Position::from_fen(text) {
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("FEN ") && message.len() <= LONGEST_MESSAGE, "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
        Ok(position) => {
            assert_eq!(squares(text), squares(&position.to_string()));
            check_sound(&position);
        }
    }
}

/// The position equals the one its own FEN gives, and can be played on.
fn check_sound(position: &Position) {
    let written = position.to_string();
    assert_eq!(Position::from_fen(&written).as_ref(), Ok(position), "{written}");
    assert_eq!(position.recomputed(), *position, "{written}");
    assert!(position.fullmove_number() >= 1 && position.game_ply() < 2 * position.fullmove_number());

    let slow = SlowPosition::from_fen(&written);
    assert_eq!(position.count_legal() as usize, slow.moves().len(), "{written}");
    assert_eq!(position.outcome().map(|outcome| outcome.to_string()), slow.outcome(), "{written}");
    let replies: usize = slow.uci_moves().iter().map(|mv| slow.after(mv).moves().len()).sum();
    assert_eq!(perft(position, 2), replies as u64, "{written}");
    assert!(!SpokenCount::new(position).to_string().is_empty());
    assert!(position.diagram().lines().count() > 8);
}

#[test]
fn positions_of_random_games_round_trip() {
    for step in walk::games(31, ROUNDS, PLIES) {
        let written = step.after.to_string();
        let read = position(&written);
        assert_eq!(read.to_string(), written);
        assert_eq!(read.count(), step.after.count(), "{written}");
        assert_eq!(read.recomputed(), read, "{written}");
        assert_eq!(SlowPosition::from_fen(&written).fen(), written, "the slow rules write another FEN");
        // The same position with every met marked as a promoted bia.
        assert_eq!(position(&written.replace('M', "M~").replace('m', "m~")), read, "{written}");
    }
}

/// No game leads there: an expired count against a bare khun with a bia on the board.
#[test]
fn an_expired_count_among_bia_is_the_boards() {
    check("8/8/3k4/8/3SPN2/4K3/8/4M3 b - 8 870 101");
}

/// On its own first rank a bia never is, and on the last it would have no move: neither is accepted.
#[test]
fn bia_stand_on_the_six_ranks_between() {
    for bia in ['P', 'p'] {
        for row in 0..8 {
            let mut board = [walk::EMPTY; 64];
            (board[7], board[63], board[8 * row]) = ('k', 'K', bia);
            let accepted = Position::from_fen(&format!("{} w", walk::board_text(&board))).is_ok();
            assert_eq!(accepted, (1..=6).contains(&row), "{bia} in row {row} of the FEN");
        }
    }
}

/// Five ranks of pieces and one more, for the largest handicaps; the keys allow no more pieces of a kind.
#[test]
fn a_side_has_at_most_48_men() {
    let pieces = format!("{}MMMMMMMK", "MMMMMMMM/".repeat(5));
    assert_eq!(position(&format!("k7/8/{pieces} w")).color(Color::White).len(), 48);
    assert!(Position::from_fen(&format!("k7/M7/{pieces} w")).is_err());
}

/// The half-move clock and the count have 16 bits. In a game without end they saturate.
#[test]
fn clocks_stop_at_their_upper_end() {
    const PLIES: usize = 70_000;
    let round_trip = ["h1g1", "h8g8", "g1h1", "g8h8"].map(|text| Move::parse(text).expect("a move"));
    for (fen, counts) in
        [("7k/8/8/p7/P7/8/8/7K w - - 50000 50000", false), ("7k/8/8/8/8/8/8/7K w - 128 1000 1", true)]
    {
        let mut last = position(fen);
        for &mv in round_trip.iter().cycle().take(PLIES) {
            last.play_unchecked(mv);
        }
        assert_eq!(last.halfmove_clock(), u16::MAX, "{last}");
        assert_eq!(last.count().ply() == u16::MAX, counts, "{last}");
        assert_eq!(last.outcome().is_some(), counts, "{last}");
        assert_eq!(last.recomputed(), last);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text(text in ".{0,120}") {
        check(&text);
    }

    #[test]
    fn text_of_fen_letters(text in "[KMSNRPkmsnrp1-8/ wb~-]{0,90}") {
        check(&text);
    }

    #[test]
    fn fens_with_slips(fen in start(), slips in proptest::collection::vec((any::<usize>(), slip()), 1..4)) {
        check(&garbled(fen, &slips));
    }

    /// Every tail is refused, or gives a sound position.
    #[test]
    fn boards_with_wild_tails(fen in start(), tail in "( (-|0|[0-9]{1,5}|[a-hK-R]{1,3}|[wbx])){0,6}") {
        let board = fen.split(' ').next().expect("a board");
        check(&format!("{board} w{tail}"));
        check(&format!("{board} b{tail}"));
    }

    /// Any pieces anywhere, as long as each side has its khun.
    #[test]
    fn boards_of_any_men(pieces in "[MSNRPmsnrp]{0,30}", seed in any::<u64>()) {
        check_sound(&walk::scatter(&mut walk::rng(seed), &format!("kK{pieces}")));
    }
}
