use super::*;

#[test]
fn annotations_are_split_off() {
    for (word, text, nags) in [
        ("e4", "e4", &[][..]),
        ("e4!?", "e4", &[5]),
        ("e4±", "e4", &[16]),
        ("Nf3!∓", "Nf3", &[1, 17]),
        ("Nf3++-", "Nf3+", &[18]),
        ("e4⩲?", "e4", &[14, 2]),
        ("e4‼", "e4", &[3]),
        ("=", "", &[10]),
        ("=+", "", &[15]),
        ("+/-", "", &[16]),
        ("∞", "", &[13]),
        ("e6=M", "e6=M", &[]),
        // A draw offer of SchemingMind, which is no annotation.
        ("Nd8=", "Nd8=", &[]),
        ("--", "--", &[]),
    ] {
        assert_eq!(split_annotations(word), (text, nags.to_vec()), "{word}");
    }
}

#[test]
fn parts_of_moves() {
    for (text, part) in [
        ("N", Part::Begun),
        ("b", Part::Begun),
        ("Nb", Part::Begun),
        ("Nb1", Part::Square),
        ("c3", Part::Square),
        ("c3-", Part::Begun),
        ("c3x", Part::Begun),
        ("c3-c", Part::Begun),
        ("c3-c4", Part::Whole),
        ("Nb1–c3", Part::Whole),
        ("", Part::No),
        ("-", Part::No),
        ("3", Part::No),
        ("c9", Part::No),
        ("Nc3+", Part::No),
        ("c3-c4=M", Part::No),
        ("ม", Part::No),
    ] {
        assert_eq!(Part::new(text), part, "{text}");
    }
}

#[test]
fn results_in_words() {
    use PgnResult::{BlackWins, Draw, WhiteWins};
    for (line, result, more) in [
        ("White win", WhiteWins, None),
        ("Black  won.", BlackWins, None),
        ("White wins by checkmate", WhiteWins, Some("by checkmate")),
        ("Black won on time!", BlackWins, Some("on time")),
        ("White resigned", BlackWins, Some("White resigned")),
        ("Black resigns", WhiteWins, Some("Black resigns")),
        ("Black lost on time", WhiteWins, Some("Black lost on time")),
        ("Draw", Draw, None),
        ("Draw agreed", Draw, Some("agreed")),
        ("Drawn by repetition", Draw, Some("by repetition")),
        ("Game drawn", Draw, None),
    ] {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let expected = Some((result, more.map(str::to_owned)));
        assert_eq!(closing_line(first.to_ascii_lowercase().as_bytes(), rest), expected, "{line}");
    }
    for line in ["White e4", "Draw e4", "White win 1. Draw", "Game 1", "Black", "White is to move"] {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        assert_eq!(closing_line(first.to_ascii_lowercase().as_bytes(), rest), None, "{line}");
    }
}

#[test]
fn lines_that_begin_and_end_games() {
    for text in ["1. e4", " 1) c 3", "1.e4", "\t1... e5", "๑. จ๔"] {
        assert!(is_first_number(text.as_bytes()), "{text}");
    }
    for text in ["", "1", "1 e4", "1.5 h", "11. e4", "2. e4", "a 1. e4"] {
        assert!(!is_first_number(text.as_bytes()), "{text}");
    }
    for (line, ends) in
        [("x e4 *", true), ("Nf3 1-0", true), ("Result: 1-0", false), ("e4", false), ("*", false)]
    {
        assert_eq!(ends_game(line.as_bytes()), ends, "{line}");
    }
}
