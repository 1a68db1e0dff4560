//! The themes of the count with their positions. Those of tactics have theirs in `sakmak-themes`.

use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Move, Position};

use super::{COUNT_THEMES, Line, Theme, themes_of};
use crate::puzzle::Goal;
use crate::ranking::Ranker;

fn line(fen: &str, moves: &str, goal: Goal) -> Line {
    let start = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut position = start.clone();
    let mut parsed: Vec<Move> = Vec::new();
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        position.play(mv).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        parsed.push(mv);
    }
    Line::new(&start, &parsed, goal)
}

/// The themes of the count in a line. Values are proved by the tablebases; some positions are those of the count suite.
const COUNTS: &[(&str, &str, &[Theme])] = &[
    // All other moves win the met too late.
    ("8/1K6/8/1R6/4k3/8/m7/8 w - 128 124 85", "b7c6", &[Theme::BeatCount]),
    ("8/2K5/8/5k2/8/3r4/8/5M2 b - 128 123 77", "d3d2", &[Theme::BeatCount]),
    // To take the last bia begins a count that the rua's mate does not fit.
    ("8/8/6R1/4P3/3k4/8/8/2K5 b - - 0 73", "d4e5", &[Theme::StartCount]),
    ("8/2r5/8/3K4/3p4/8/8/1k6 w - - 0 50", "d5d4", &[Theme::StartCount]),
    // The enemy's last bia, or the maa, must not be taken.
    ("8/8/6k1/4K3/8/6Pr/8/8 b - - 0 53", "h3h1", &[Theme::RefuseCapture]),
    ("8/6R1/8/2k5/8/1nK5/8/8 w - 128 111 78", "g7g5", &[Theme::RefuseCapture]),
    // Promotion would begin a count that is too short.
    ("3k1K2/8/8/5P2/8/8/8/S7 w - - 0 60", "a1b2", &[Theme::KeepBia]),
    ("5K2/8/8/3kP3/6R1/8/8/8 w - - 0 88", "g4g5", &[Theme::KeepBia]),
    // The khun takes the met: the rua's capture would mate too late.
    ("3r4/8/3M4/2k5/4r3/8/8/6K1 b - 128 124 78", "c5d6", &[Theme::LastPiece]),
    ("8/8/8/4K3/8/1s6/3r3M/6k1 b - 128 122 62", "g1h2", &[Theme::LastPiece]),
    // The khon holds out; the met checks on time.
    ("5k2/8/6K1/8/1sR5/8/8/8 b - 128 117 83", "b4a5", &[Theme::BoardHonour]),
    ("1m6/8/k7/3K4/8/8/4R3/8 b - 128 117 87", "a6b6", &[Theme::BoardHonour]),
    // The bare khun runs to the middle.
    ("8/8/3k4/8/8/5K2/8/6R1 b - 32 8 52", "d6d5", &[Theme::CountOut]),
    ("6k1/8/8/8/8/3K4/8/R7 b - 32 8 52", "g8f7", &[Theme::CountOut]),
    // The piece gives itself up, and the count that begins saves.
    ("3R4/8/8/5k2/8/8/2K5/s7 b - 128 122 78", "a1b2", &[Theme::BoardHonour, Theme::Sacrifice]),
    ("4K3/8/8/8/6R1/k7/8/7m b - 128 121 72", "h1g2", &[Theme::BoardHonour, Theme::Sacrifice]),
];

#[test]
fn themes_of_the_count() {
    let pairs = DtmTables::default();
    let mut ranker = Ranker::new(&Tablebases::default().solving(), &pairs).unwrap();
    for &(fen, moves, wanted) in COUNTS {
        let position = Position::from_fen(fen).unwrap();
        let ranking = ranker.rank(&position, &[position.key()], 20_000, 2).unwrap();
        let goal = if ranking.best().unwrap().expected > 0.9 { Goal::Win } else { Goal::Hold };
        let line = line(fen, moves, goal);
        let mut rankings = vec![ranking];
        for position in line.positions.iter().take(line.moves.len()).skip(2).step_by(2) {
            rankings.push(ranker.rank(position, &[position.key()], 20_000, 2).unwrap());
        }
        let found: Vec<Theme> = themes_of(&line, &rankings, &mut ranker).unwrap();
        let found: Vec<Theme> = found.into_iter().filter(|theme| theme.is_of_count()).collect();
        assert_eq!(found, wanted, "{fen}: {moves}");
    }
}

#[test]
fn each_theme_of_the_count_has_two_positions() {
    for theme in COUNT_THEMES {
        let with = COUNTS.iter().filter(|(_, _, themes)| themes.contains(&theme)).count();
        assert!(with >= 2 && COUNTS.len() - with >= 2, "{theme:?}: {with} with it");
    }
}
