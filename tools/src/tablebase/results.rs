//! The results of endings as a Markdown table.

use sakmak_eval::tablebase::{TableInfo, Value, hunt_moves};
use sakmak_movegen::Color;

/// Limit of the board's honour in moves.
const BOARD_MOVES: u64 = 64;

/// The head of the Markdown table with the rows of [`results_row`].
pub const RESULTS_HEAD: &str = "\
| ending | W wins, W to move | W wins, B to move | longest | B wins, W to move | B wins, B to move | longest | cut |
| --- | --- | --- | --- | --- | --- | --- | --- |";

/// The results of an ending. For each side: the share of placements that it wins with White and with Black to move, and
/// its longest win in plies. Then the share of the wins of the side to move that the count turns into draws
/// ([`cut_wins`]).
///
/// The cells of a side that never wins are empty.
pub fn results_row(info: &TableInfo) -> String {
    let mut row = format!("| {} ", info.ending);
    for winner in Color::ALL {
        let longest = longest_win(info, winner);
        for side in Color::ALL {
            let statistics = &info.sides[side.index()];
            let wins = if side == winner { statistics.won() } else { statistics.lost() };
            row += &cell(longest.map(|_| percent(wins, statistics.legal())));
        }
        row += &cell(longest.map(|plies| plies.to_string()));
    }
    let won: u64 = info.sides.iter().map(|side| side.won()).sum();
    row += &cell(cut_wins(info).filter(|_| won > 0).map(|cut| percent(cut, won)));
    row + "|"
}

/// Wins of the side to move that the default ruleset's count turns into draws; `None` with bia, where no count runs.
///
/// Against a bare khun these are the wins longer than the count right after the capture that bared it; with pieces on
/// both sides, those over 128 plies.
pub fn cut_wins(info: &TableInfo) -> Option<u64> {
    if info.ending.has_bia() {
        return None;
    }
    let late = |attacker: Color| {
        let bare = info.ending.is_bare(!attacker);
        let moves = if bare { hunt_moves(&info.ending, attacker).into() } else { BOARD_MOVES };
        info.sides[attacker.index()].won_later_than(moves)
    };
    Some(Color::ALL.into_iter().map(late).sum())
}

/// The longest win of a side in plies, over both sides to move.
fn longest_win(info: &TableInfo, winner: Color) -> Option<u16> {
    let wins = |side: Color| {
        info.sides[side.index()].by_plies().filter_map(move |(value, _)| match value {
            Value::Win(plies) if side == winner => Some(plies),
            Value::Loss(plies) if side != winner => Some(plies),
            _ => None,
        })
    };
    Color::ALL.into_iter().flat_map(wins).max()
}

fn cell(text: Option<String>) -> String {
    text.map_or("| ".to_owned(), |text| format!("| {text} "))
}

/// A percentage with one decimal, with two near 0 and near 100.
fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match part {
        0 => "0%".to_owned(),
        _ if part == whole => "100%".to_owned(),
        _ if share < 0.005 => "<0.01%".to_owned(),
        _ if share > 99.995 => ">99.99%".to_owned(),
        _ if !(0.1..=99.9).contains(&share) => format!("{share:.2}%"),
        _ => format!("{share:.1}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::tables;
    use super::*;

    #[test]
    fn a_row_has_the_shares_of_both_sides_and_what_the_count_takes() {
        let row = |name: &str| results_row(&tables().info(&name.parse().unwrap()).unwrap());
        // Against a rua the bare khun loses 90.1% of the placements; the count leaves 16 - 3 = 13 moves.
        let rua = row("KRvK");
        assert!(rua.starts_with("| KRvK | 100% | 90.1% | 32 | | | | "), "{rua}");
        let info = tables().info(&"KRvK".parse().unwrap()).unwrap();
        assert_eq!(cut_wins(&info), Some(info.sides[0].won_later_than(13)));
        assert!(cut_wins(&info).is_some_and(|cut| cut > 0 && cut < info.sides[0].won()));
        // A maa cannot win, and no count runs with bia on the board.
        assert_eq!(row("KNvK"), "| KNvK | | | | | | | |");
        assert_eq!(cut_wins(&tables().info(&"KBvK".parse().unwrap()).unwrap()), None);
    }

    #[test]
    fn a_small_share_is_not_none() {
        let shares = [(0, 7), (1, 100_000), (1, 5_000), (1, 3), (9_999, 10_000), (99_999, 100_000), (7, 7)];
        let texts = shares.map(|(part, whole)| percent(part, whole));
        assert_eq!(texts, ["0%", "<0.01%", "0.02%", "33.3%", "99.99%", ">99.99%", "100%"]);
    }
}
