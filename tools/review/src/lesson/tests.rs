//! Facts about mistakes: for each kind two positions that show it and two that do not, made by hand.

use std::sync::LazyLock;

use sakmak_engine::score::Score;
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::{Game, Move, Position, Rules};
use sakmak_themes::Theme;

use super::{Fact, Lesson, Mistake, Prospects};
use crate::{CountFinding, Evaluation};

/// The endings against a bare khun, each solved once.
static TABLES: LazyLock<Tablebases> =
    LazyLock::new(|| Tablebases::default().with_pairs(&DtmTables::default(), true));

/// A mistake with both lines. A score is centipawns, or `#` and moves to mate, for the side to move.
struct Case {
    fen: &'static str,
    mv: &'static str,
    /// The other side's best line, and its score.
    reply: (&'static str, &'static str),
    /// The mover's best line, and its score.
    best: (&'static str, &'static str),
    points: [f64; 2],
    finding: Option<CountFinding>,
}

impl Case {
    const fn new(
        fen: &'static str,
        mv: &'static str,
        reply: (&'static str, &'static str),
        best: (&'static str, &'static str),
    ) -> Self {
        Self { fen, mv, reply, best, points: [50.0, 10.0], finding: None }
    }

    fn lesson(&self) -> (Lesson, String) {
        let game = Game::from_fen(self.fen, Rules::default()).unwrap_or_else(|error| panic!("{error}"));
        let read = |moves: &str| {
            let (mut game, mut line) = (game.clone(), Vec::new());
            for text in moves.split_whitespace() {
                line.push(
                    game.play_uci(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", self.fen)),
                );
            }
            (game, line)
        };
        let evaluation = |line: Vec<Move>, score: &str| Evaluation {
            score: match score.strip_prefix('#') {
                Some(moves) => Score::Mate(moves.parse().unwrap()),
                None => Score::Centipawns(score.parse().unwrap()),
            },
            win_draw_loss: [0, 1000, 0],
            depth: 9,
            line,
        };
        let (after, own) = read(self.mv);
        let played = read(&format!("{} {}", self.mv, self.reply.0)).1;
        let found =
            [evaluation(read(self.best.0).1, self.best.1), evaluation(played[1..].to_vec(), self.reply.1)];
        let mistake = Mistake {
            game: &game,
            mv: own[0],
            outcome: after.outcome_here(),
            found: [Some(&found[0]), Some(&found[1])],
            points: self.points,
            finding: self.finding,
            probes: [&game, &after].map(|game| TABLES.probe(game.position())),
        };
        let lesson = mistake.lesson();
        let words = lesson.words(&game, own[0], &found[1].line, true);
        (lesson, words)
    }
}

/// The words of a mistake after which all of `expected` is said, and none of `absent`.
fn check(case: &Case, expected: &[&str], absent: &[&str]) -> Lesson {
    let (lesson, words) = case.lesson();
    for part in expected {
        assert!(words.contains(part), "{}: {}: {words}: {part} is missing: {lesson:?}", case.fen, case.mv);
    }
    for part in absent {
        assert!(!words.contains(part), "{}: {}: {words}: {part}", case.fen, case.mv);
    }
    lesson
}

/// A mistake of Black, the line of White that follows, a quiet move that was better, what is said, what is not.
type Loss = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const LOSSES: &[Loss] = &[
    // The maa attacks khun and rua; two ruas.
    (
        "6k1/1r6/8/8/2N5/8/8/K7 b",
        "g8f7",
        "c4d6 f7f8 d6b7",
        "g8g7",
        "Loses the rua by a fork: the maa attacks khun and rua (2. Nd6+ Kf8 3. Nxb7).",
        "unprotected",
    ),
    (
        "8/7k/1r3r2/8/8/4N3/8/7K b",
        "h7h8",
        "e3d5 f6f8 d5b6",
        "h7g8",
        "Loses the rua by a fork: the maa attacks 2 rua",
        "Misses",
    ),
    // One target; two bia.
    (
        "8/7k/1r6/8/8/4N3/8/7K b",
        "h7h8",
        "e3d5 h8g8 d5b6",
        "h7g8",
        "Loses the rua, which is unprotected",
        "fork",
    ),
    (
        "8/7k/1p3p2/8/8/4N3/8/7K b",
        "h7h8",
        "e3d5 h8g8 d5b6",
        "h7g8",
        "Loses the bia, which is unprotected",
        "fork",
    ),
    // Behind the khun a rua; behind the rua a maa.
    ("8/8/3k4/r7/8/8/1K6/7R b", "d6d5", "h1h5 d5d6 h5a5", "a5a8", "Loses the rua by a skewer", "unprotected"),
    (
        "5k2/4n3/8/8/4r3/8/8/3K3R b",
        "f8g8",
        "h1e1 e4a4 e1e7",
        "e4e3",
        "Loses the maa by a skewer",
        "unprotected",
    ),
    // Behind the rua a bia; the front piece itself is taken.
    (
        "8/6k1/4p3/8/4r3/8/8/3K3R b",
        "g7g8",
        "h1e1 e4a4 e1e6",
        "e4e3",
        "Loses the bia, which is unprotected",
        "skewer",
    ),
    (
        "8/6k1/8/8/4n3/8/8/3K3R b",
        "g7g8",
        "h1e1 g8f8 e1e4",
        "e4d6",
        "Loses the maa, which is unprotected",
        "skewer",
    ),
    // The khun walks into a pin; a bia attacks the maa.
    ("3k4/8/4n3/8/5P2/8/8/K3R3 b", "d8e8", "f4f5 e8e7 f5e6m", "d8c8", "Loses the maa by a pin", "to a bia"),
    ("8/8/k7/2n4R/8/3P4/8/6K1 b", "a6a5", "d3d4 a5b5 d4c5", "a6b6", "Loses the maa by a pin", "to a bia"),
    // No khun behind; the khun has left.
    (
        "2k5/8/3n4/8/8/8/8/K6R b",
        "c8b8",
        "h1d1 b8a8 d1d6",
        "c8c7",
        "Loses the maa, which is unprotected",
        "pin",
    ),
    (
        "3k4/8/4p3/8/8/8/8/K6R b",
        "d8e8",
        "h1e1 e8d8 e1e6",
        "d8d7",
        "Loses the bia, which is unprotected",
        "pin",
    ),
    // The maa leaves the rua's line: to a rua; to the khun.
    (
        "6k1/3r4/8/8/3N4/8/8/K2R4 b",
        "g8h8",
        "d4f5 h8g8 d1d7",
        "d7e7",
        "Loses the rua by a discovered attack",
        "fork",
    ),
    (
        "2k5/8/8/6r1/3N4/8/8/K2R4 b",
        "c8d8",
        "d4f3 d8e8 f3g5",
        "c8c7",
        "Loses the rua by a discovered attack",
        "fork",
    ),
    // It was not in the way; a bia.
    ("6k1/3r4/8/8/4N3/8/8/K2R4 b", "g8h8", "e4g5 h8g8 d1d7", "d7e7", "which is unprotected", "discovered"),
    ("6k1/8/3p4/8/3N4/8/8/K2R4 b", "g8h8", "d4f5 h8g8 d1d6", "g8f7", "which is unprotected", "discovered"),
    (
        "n7/5k2/3S4/8/7R/8/6K1/1R6 b",
        "f7f8",
        "h4a4 f8g8 a4a8",
        "f7g8",
        "Loses the maa, which is trapped",
        "fork",
    ),
    ("8/k7/8/8/8/5K2/8/7n b", "a7a8", "f3g2 a8a7 g2h1", "h1f2", "Loses the maa, which is trapped", "fork"),
    // A square is free.
    ("n7/5k2/8/8/7R/8/6K1/1R6 b", "f7f8", "h4a4 f8g8 a4a8", "f7g8", "which is unprotected", "trapped"),
    ("8/k7/8/8/8/6K1/8/6n1 b", "a7a8", "g3g2 a8a7 g2g1", "g1e2", "which is unprotected", "trapped"),
    ("k7/8/8/3r4/8/2P5/8/K7 b", "d5d4", "c3d4", "d5d8", "Loses the rua to a bia (2. cxd4).", "unprotected"),
    (
        "1k2r3/8/8/3p4/8/2N5/8/K7 b",
        "e8e4",
        "c3e4 d5e4",
        "e8d8",
        "Loses the rua for the maa to a maa",
        "unprotected",
    ),
    (
        "8/4n3/2k5/8/5N2/8/8/K2R4 b",
        "e7d5",
        "f4d5",
        "e7g8",
        "attacked more often than protected",
        "unprotected",
    ),
    (
        "3r3k/8/3p4/8/8/8/3R4/K2R4 b",
        "d6d5",
        "d2d5 d8d5 d1d5",
        "h8g8",
        "Loses the bia, which is attacked more often than protected",
        "rua",
    ),
    // An equal exchange; the best move loses as much.
    ("1k2n3/8/8/3p4/8/2N5/8/K7 b", "e8f6", "c3e4 d5e4", "e8d6", "", "Loses"),
    ("6k1/1r6/8/8/2N5/8/8/K7 b", "g8f7", "c4d6 f7f8 d6b7", "g8f7 c4d6 f7f8 d6b7", "", "Loses"),
    // A promotion; the best move allows it, too.
    ("8/7k/8/4P3/8/8/8/K7 b", "h7h8", "e5e6m", "h7g7", "Allows a promotion (2. e6=M).", "Loses"),
    ("8/7k/8/3P4/8/8/8/K7 b", "h7h8", "a1a2 h8g8 d5d6m", "h7g7", "Allows a promotion", "Loses"),
    ("8/7k/8/4P3/8/8/8/K7 b", "h7h8", "e5e6m", "h7g7 e5e6m", "", "promotion"),
    ("8/7k/8/4P3/8/8/8/K7 b", "h7h8", "a1a2", "h7g7", "", "promotion"),
];

#[test]
fn what_is_lost_and_how() {
    let mut faults = Vec::new();
    for &(fen, mv, reply, best, said, not_said) in LOSSES {
        let (_, words) = Case::new(fen, mv, (reply, "300"), (best, "0")).lesson();
        if !words.contains(said) || words.contains(not_said) {
            faults.push(format!("{fen}: {mv}: {words}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_was_missed() {
    for &(fen, mv, reply, best, said, not_said) in &[
        ("8/1r3k2/8/8/2N5/8/8/K7 w", "a1a2", "b7b8", "c4d6 f7f8 d6b7", "Misses the rua by a fork", "Loses"),
        ("8/8/8/r2k4/8/8/1K6/7R w", "b2b3", "d5c6", "h1h5 d5d6 h5a5", "Misses the rua by a skewer", "Loses"),
        // The move wins as much; nothing is won.
        ("8/1r3k2/8/8/2N5/8/8/K7 w", "c4a5", "f7f8 a5b7", "c4d6 f7f8 d6b7", "", "Misses"),
        ("8/1r3k2/8/8/2N5/8/8/K7 w", "a1a2", "b7b8", "c4d2 b7b8", "", "Misses"),
        ("k7/8/8/3r4/8/2P5/8/K7 w", "a1a2", "d5d8", "c3c4 d5d4 a1b2 d4c4", "", "Misses"),
        ("k7/8/8/8/3r4/2P5/8/K7 w", "a1a2", "d4d8", "c3d4", "Misses the rua with a bia.", "Loses"),
        ("7k/8/8/4P3/8/8/8/K7 w", "a1a2", "h8g8", "e5e6m", "Misses a promotion", "Allows"),
        // It is taken at once.
        ("8/5k2/8/4P3/8/8/8/K7 w", "a1a2", "f7g8", "e5e6m f7e6", "", "promotion"),
        ("7k/8/8/4P3/8/8/8/K7 w", "e5e6m", "h8g8", "a1a2 h8g8 e5e6m", "", "Misses"),
    ] {
        check(&Case::new(fen, mv, (reply, "0"), (best, "300")), &[said], &[not_said]);
    }
}

#[test]
fn mates() {
    let quiet = ("b8c8", "-300");
    let allowed = Case::new("1k6/8/1K6/8/8/8/8/7R b", "b8a8", ("h1h8", "#1"), quiet);
    let lesson = check(&allowed, &["Allows mate in 1 on the back rank (2. Rh8#)."], &["Loses"]);
    assert_eq!(lesson.themes, [Theme::Mate1, Theme::BackRank]);
    let two = Case::new("6k1/8/5K2/8/8/8/R7/1R6 b", "g8h8", ("a2a7 h8g8 b1b8", "#2"), ("g8f8", "-300"));
    assert_eq!(check(&two, &["Allows mate in 2"], &[]).shown, 3);
    let edge = Case::new("8/8/k7/2K5/8/8/8/7R b", "a6a5", ("h1a1", "#1"), ("a6b7", "-300"));
    check(&edge, &["Allows mate in 1 (2. Ra1#)"], &["back rank"]);
    check(&Case::new("1k6/8/1K6/8/8/8/8/7R b", "b8a8", ("h1h7", "400"), quiet), &[], &["mate"]);

    let missed = Case::new("k7/8/1K6/8/8/8/8/7R w", "h1h7", ("a8b8", "0"), ("h1h8", "#1"));
    assert_eq!(check(&missed, &["Misses mate in 1."], &["Allows"]).themes, [Theme::Mate1, Theme::BackRank]);
    let later = Case::new("7k/8/5K2/8/8/8/R7/1R6 w", "a2a8", ("h8h7", "-800"), ("a2a7 h8g8 b1b8", "#2"));
    check(&later, &["Misses mate in 2."], &[]);
    // A mate is still there; there was none.
    let kept = Case::new("k7/8/1K6/8/8/8/8/7R w", "h1h7", ("a8b8", "#-1"), ("h1h8", "#1"));
    check(&kept, &[], &["Misses"]);
    check(&Case::new("k7/8/1K6/8/8/8/8/7R w", "h1h7", ("a8b8", "0"), ("h1g1", "100")), &[], &["Misses"]);
}

#[test]
fn draws_by_the_rules() {
    let case = |fen, mv, points| Case { points, ..Case::new(fen, mv, ("", "0"), ("", "500")) };
    for (fen, mv) in [("k7/2S5/K7/7p/8/8/8/7R w", "h1h5"), ("k7/2S5/K7/6p1/8/8/8/6R1 w", "g1g5")] {
        let lesson = check(&case(fen, mv, [95.0, 50.0]), &["Allows a draw by stalemate."], &["Loses"]);
        assert_eq!(lesson.themes, [Theme::Stalemate]);
        assert_eq!((lesson.before, lesson.after), (Prospects::Won, Prospects::Equal));
        // Nobody had more than a draw.
        check(&case(fen, mv, [55.0, 50.0]), &[], &["stalemate"]);
    }
    check(&case("k7/2S5/K7/7p/8/8/8/7R w", "h1g1", [95.0, 50.0]), &["From won to equal."], &["stalemate"]);
    // The rua's capture would stalemate, and save.
    let best = ("h8h2 c2h2", "0");
    let saves = Case::new("7R/8/8/8/8/8/2r5/K1k5 w", "h8h7", ("c2a2", "#1"), best);
    check(&saves, &["Misses a draw by stalemate."], &[]);
}

#[test]
fn counts_that_begin() {
    let too_short = |fen, mv, finding| Case {
        points: [95.0, 50.0],
        finding: Some(finding),
        ..Case::new(fen, mv, ("", "0"), ("", "500"))
    };
    let finding = CountFinding::CountTooShort { left: 32, needed: Some(41) };
    let takes = too_short("8/8/6k1/4K3/8/6Pr/8/1M6 b - - 0 53", "h3g3", finding);
    let lesson =
        check(&takes, &["Takes the last bia: the count starts, mate needs 21 moves, 16 are left."], &[]);
    assert_eq!(lesson.themes, [Theme::RefuseCapture]);
    let bares = too_short("8/8/6k1/4K3/8/6Pr/8/8 b - - 0 53", "h3g3", finding);
    let lesson = check(&bares, &["Takes the last piece: the count starts, mate needs 21 moves"], &["bia"]);
    assert_eq!(lesson.themes, [Theme::LastPiece]);
    let finding = CountFinding::CountTooShort { left: 32, needed: None };
    let promotes = too_short("3k1K2/8/8/5P2/8/8/8/S7 w - - 0 60", "f5f6m", finding);
    let words = "Promotes the last bia: the count starts, 16 moves are left, too few to win.";
    assert_eq!(check(&promotes, &[words], &[]).themes, [Theme::KeepBia]);
    let race = CountFinding::RaceLost { left: 30, needed: Some(33) };
    let race = too_short("7k/8/8/8/8/3S4/4R3/4K3 w - 32 10 80", "e1e2", race);
    let race = Case { mv: "e1f2", ..race };
    check(&race, &["Loses the race with the count: mate needs 17 moves, 15 are left."], &["Takes"]);

    let finding = CountFinding::CountAllowed { left: 120, needed: None };
    let allows = Case { reply: ("d4e5", "0"), ..too_short("8/8/6R1/4P3/3k4/8/8/2K5 w", "c1c2", finding) };
    let lesson =
        check(&allows, &["Lets the other side take the last bia: the count starts, 60 moves are left"], &[]);
    assert_eq!((lesson.shown, &lesson.themes[..]), (1, &[Theme::KeepBia][..]));

    // The last bia could be taken, and the count that begins saves; White does not need it.
    let missed = Case {
        points: [45.0, 5.0],
        ..Case::new("8/8/6R1/4P3/3k4/8/8/2K5 b - - 0 73", "d4d5", ("e5e6m", "900"), ("d4e5", "0"))
    };
    let lesson = check(&missed, &["Misses the start of the count"], &[]);
    assert!(lesson.themes.contains(&Theme::StartCount), "{lesson:?}");
    let second = Case::new("8/2r5/8/3K4/3p4/8/8/1k6 w - - 0 50", "d5e5", ("d4d3m", "900"), ("d5d4", "0"));
    check(&Case { points: [45.0, 5.0], ..second }, &["Misses the start of the count"], &[]);
    check(&Case { points: [45.0, 45.0], ..missed }, &[], &["count"]);
    let ahead = Case::new("8/8/6k1/4K3/8/6Pr/8/8 b - - 0 53", "h3h1", ("g3g4", "0"), ("h3g3", "500"));
    check(&Case { points: [90.0, 20.0], ..ahead }, &[], &["count"]);
}

/// All moves of solved endings: what the tables know of each is what is said.
#[test]
fn solved_endings() {
    let (mut holds, mut gifts) = (0, 0);
    for fen in [
        "8/8/3k4/8/8/5K2/8/6R1 b - 32 8 52",
        "6k1/8/8/8/8/3K4/8/R7 b - 32 8 52",
        "8/8/8/8/3k4/8/4SR2/4K3 w - 32 10 80",
        "8/8/8/8/4k3/8/4SR2/4K3 w - 32 10 80",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let before = TABLES.probe(&position).unwrap();
        for mv in position.legal_moves() {
            let Some(after) = TABLES.probe(&position.after(mv)) else { continue };
            let name = mv.to_string().leak();
            let case = Case { points: [50.0, 50.0], ..Case::new(fen, name, ("", "0"), ("", "0")) };
            let (lesson, _) = case.lesson();
            let is_hold = lesson.allowed.iter().any(|fact| matches!(fact, Fact::HoldLost { .. }));
            let is_gift = lesson.allowed.iter().any(|fact| matches!(fact, Fact::Solved { .. }));
            let is_lost = before.value == Value::Draw && matches!(after.value, Value::Win(_));
            assert_eq!(is_hold || is_gift && is_lost, is_lost, "{fen}: {mv}");
            assert_eq!(
                is_gift && !is_lost,
                matches!(before.value, Value::Win(_)) && after.value == Value::Draw,
                "{fen}: {mv}"
            );
            holds += usize::from(is_hold);
            gifts += usize::from(is_gift);
        }
    }
    assert!(holds >= 2 && gifts >= 2, "{holds} {gifts}");
}
