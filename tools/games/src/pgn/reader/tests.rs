//! Tests of the reader on small files: what it accepts, what it refuses and how it recovers.

use std::io::{self, Read};

use super::{super::MAX_GAME_BYTES, *};

fn all(text: impl AsRef<[u8]>) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text.as_ref()).collect()
}

fn one(text: impl AsRef<[u8]>) -> PgnGame {
    let mut games = all(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

/// Moves with NAGs, comments and variations in short form.
fn shown(moves: &[PgnMove]) -> String {
    let shown = |one: &PgnMove| {
        let nags = one.nags.iter().map(|nag| format!("${nag}"));
        let comments = one.comments.iter().map(|text| format!("{{{text}}}"));
        let lines = one.variations.iter().map(|line| {
            let comments = line.comment.iter().map(|text| format!("{{{text}}}")).collect::<String>();
            format!("({comments}{})", shown(&line.moves))
        });
        one.text.replace(' ', "_") + &nags.chain(comments).chain(lines).collect::<String>()
    };
    moves.iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn moves(text: impl AsRef<[u8]>) -> String {
    shown(&one(text).moves)
}

fn fault(text: &str) -> (u64, u64, PgnErrorKind) {
    let games = all(text);
    assert_eq!(games.len(), 1, "{games:?}");
    let error = games[0].clone().unwrap_err();
    (error.number, error.line, error.kind)
}

#[test]
fn a_file_of_two_games() {
    let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5\n2. d4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
    let mut reader = PgnReader::new(text.as_bytes());
    assert_eq!(reader.bytes_read(), 0);
    let first = reader.next().unwrap().unwrap();
    assert_eq!((first.number, first.line, first.result), (1, 1, PgnResult::WhiteWins));
    assert_eq!(first.moves.iter().map(|one| one.line).collect::<Vec<_>>(), [4, 4, 5]);
    let second = reader.next().unwrap().unwrap();
    assert_eq!((second.number, second.line, second.tags.get("Event")), (2, 7, Some("b")));
    assert_eq!(second.result, PgnResult::Unknown);
    assert!(reader.next().is_none() && reader.next().is_none());
    assert_eq!(reader.bytes_read(), text.len() as u64);
}

#[test]
fn nothing_is_no_game() {
    for text in ["", "\n\n", "\u{FEFF}", "% escape\n", "{a comment}", "; a comment", "* 1-0 *"] {
        assert_eq!(all(text), [], "{text:?}");
    }
}

#[test]
fn line_ends_blanks_and_byte_order_mark() {
    let text =
        "\u{FEFF}[Event \"a\"]\n[Site \"b\"]\n\n1.\te4 {one\n\n  two } e5\n\n1-0\n\n[Event \"c\"]\n\n*\n";
    let games = all(text);
    assert_eq!(games[0].as_ref().unwrap().tags.get("Event"), Some("a"));
    assert_eq!(shown(&games[0].as_ref().unwrap().moves), "e4{one two} e5");
    assert_eq!((games.len(), games[1].as_ref().unwrap().line), (2, 10));
    for end in ["\r\n", "\r"] {
        assert_eq!(all(text.replace('\n', end)), games, "{end:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let game = one(b"[White \"J\xFCrgen\"]\n\n1. e4 {\xFC} \xFCx *");
    assert_eq!(game.tags.get("White"), Some("Jürgen"));
    assert_eq!(shown(&game.moves), "e4{ü} üx");
    assert_eq!(moves("1.\u{A0}e4\u{A0}e5 \u{FEFF}d4 *"), "e4 e5 d4");
}

#[test]
fn escapes_and_comments() {
    assert_eq!(moves("%x\n1. e4\n%1-0 {\ne5 %d *"), "e4 e5 %d");
    assert_eq!(moves("1. e4 ;a } b\ne5;\n; c\n*"), "e4{a } b} e5{c}");
    let game =
        one("{first} ; second\n[Event \"a\"]\n{third}\n\n{fo\turth} 1. e4 {} { } {a\r\n%b [c]\n}{d  e} * ");
    assert_eq!(game.comment, ["first", "second", "third", "fo urth"]);
    assert_eq!(shown(&game.moves), "e4{a %b [c]}{d  e}");
    assert_eq!(one("1. e4 1-0 {White} ;is winning\n").moves[0].comments, ["White", "is winning"]);
}

#[test]
fn variations() {
    let text = "1. e4 (1. d4 d5 (1... e5 $1 {x}) 2. c4 {y} 1-0) ({z} 1. c4) () {w} e5 1/2-1/2";
    assert_eq!(moves(text), "e4{w}(d4 d5(e5$1{x}) c4{y})({z}c4) e5");
    assert_eq!(one(text).result, PgnResult::Draw);
    let nested = |depth: usize| format!("1. e4{} *", " (d4".repeat(depth) + &")".repeat(depth));
    assert!(moves(nested(MAX_NESTING)).contains("(d4(d4"));
    assert_eq!(fault(&nested(MAX_NESTING + 1)), (1, 1, PgnErrorKind::NestingTooDeep));
    assert_eq!(fault(&nested(1_000_000)).2, PgnErrorKind::NestingTooDeep);
}

#[test]
fn annotations() {
    assert_eq!(moves("e4! e5? d4!! d5?? c4!? c5?! b4 !? b5 $146$1 a4!!! *"), {
        "e4$1 e5$2 d4$3 d5$4 c4$5 c5$6 b4$5 b5$146$1 a4$3"
    });
    assert_eq!(moves("$1 ! 1. e4 ( $2 d4 ) *"), "e4(d4)");
    assert_eq!(fault("1. e4 $ e5 *"), (1, 1, PgnErrorKind::UnexpectedText { text: "$".into() }));
    assert_eq!(fault("1. e4\n$65536 *"), (1, 2, PgnErrorKind::UnexpectedText { text: "$65536".into() }));
}

#[test]
fn move_numbers() {
    let text =
        "1. a1 1... a2 2.a3 2...a4 3. ... a5 4… a6 5 . a7 ..a8 .. b1 ... b2 12...! 1.2.b3 ๑๒. b4 5254 *";
    assert_eq!(moves(text), "a1 a2 a3 a4 a5 a6 a7 a8 b1 b2$1 b3 b4 5254");
}

#[test]
fn move_texts_stay() {
    let text = "e8=M+ exd6 e.p. Nc3# N -- O-O d5e.p. e4+! 1. \"x\" *";
    assert_eq!(moves(text), "e8=M+ exd6 Nc3# N -- O-O d5e.p. e4+$1 \"x\"");
}

#[test]
fn result_tokens() {
    for (token, result) in [
        ("1-0", PgnResult::WhiteWins),
        ("0-1", PgnResult::BlackWins),
        ("1/2-1/2", PgnResult::Draw),
        ("½-½", PgnResult::Draw),
        ("1/2", PgnResult::Draw),
        ("*", PgnResult::Unknown),
        ("\nwhite WIN\n", PgnResult::WhiteWins),
        ("\nWhite wins \r\n", PgnResult::WhiteWins),
        ("\nBlack win", PgnResult::BlackWins),
        ("\n Black  wins", PgnResult::BlackWins),
        ("\nDraw\n", PgnResult::Draw),
        ("\ndrawn", PgnResult::Draw),
    ] {
        let games = all(format!("[Result \"?\"]\n\n1. e4 {token}\n1. d4 *"));
        assert_eq!(games.len(), 2, "{token:?}");
        assert_eq!(games[0].as_ref().unwrap().result, result, "{token:?}");
        assert_eq!(shown(&games[0].as_ref().unwrap().moves), "e4", "{token:?}");
        assert_eq!(games[1].as_ref().unwrap().number, 2);
    }
    assert_eq!(
        moves("White win 1. Draw Drawn\nWhite e4\nDraw e4 *"),
        "White win Draw Drawn White e4 Draw e4"
    );
    let game = one("[Result \"1-0\"]\n\n1. e4 0-1");
    assert_eq!((game.result, game.tags.get("Result")), (PgnResult::BlackWins, Some("1-0")));
}

#[test]
fn a_score_sheet_without_tags() {
    let game = one("1. e4 c5\nClock started on 08/05/2013\n2. Ne2 Nc6 3. Qf2 Rc1#\nBlack win\n");
    assert_eq!(shown(&game.moves), "e4 c5 Ne2 Nc6 Qf2 Rc1#");
    assert_eq!((game.result, game.tags.len(), game.line), (PgnResult::BlackWins, 0, 1));
    assert_eq!(moves("1. Clock started *"), "Clock started");
}

#[test]
fn thai_notation() {
    assert_eq!(
        moves("1. ม ข๑-ง๒ ม็ จ๑-ฉ๒! 2. บ\nจ๓-จ๔ ว 3. ค {x} ข๑ *"),
        { "ม_ข๑-ง๒ ม็_จ๑-ฉ๒$1 บ_จ๓-จ๔ ว ค{x} ข๑" }
    );
    assert_eq!(moves("ม (ร ก๑ ม) ม! ก๑ ร 1-0"), "ม(ร_ก๑ ม) ม$1 ก๑ ร");
}

#[test]
fn tag_pairs() {
    let text = "[ Event \"x\" ][Site\t\"\"] \
        [A \"q\\\"\\\\ \\n\"]\n[B \"[c]\"]\n[D\n\"e\"\n] [F \"John \"J\" Doe\"]1. e4 *";
    let game = one(text);
    let tags =
        [("Event", "x"), ("Site", ""), ("A", "q\"\\ \\n"), ("B", "[c]"), ("D", "e"), ("F", "John \"J\" Doe")];
    assert_eq!(game.tags.iter().collect::<Vec<_>>(), tags);
    assert_eq!(shown(&game.moves), "e4");
    for text in ["[", "[]", "[A]", "[A b]", "[\"a\"]", "[[A \"b\"]]"] {
        assert_eq!(fault(text), (1, 1, PgnErrorKind::MalformedTag), "{text:?}");
    }
    for text in ["[A \"b]\n\"]", "[A \"b\"", "[A \"b\"\nc]", "[A \"\\"] {
        assert_eq!(fault(text), (1, 1, PgnErrorKind::UnclosedTag { name: "A".into() }), "{text:?}");
    }
    let many: String = (0..=MAX_TAGS).map(|n| format!("[T{n} \"\"]\n")).collect();
    assert_eq!(fault(&many), (1, MAX_TAGS as u64 + 1, PgnErrorKind::TooManyTags));
}

#[test]
fn games_cut_off() {
    let text = "[Event \"a\"]\n[Result \"0-1\"]\n1. e4 e5\n[Event \"b\"]\n[Result \"?\"]\n1. d4 [Event \"c\"]\n\
                [Event \"d\"]\n[Site \"x\"]\n\n[Site \"y\"]\n1. c4 1-0[Event \"f\"]\n1.";
    let games: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
    let shown: Vec<_> = games.iter().map(|game| (game.line, game.result, shown(&game.moves))).collect();
    assert_eq!(shown[0], (1, PgnResult::BlackWins, "e4 e5".into()));
    assert_eq!(shown[1], (4, PgnResult::Unknown, "d4".into()));
    assert_eq!(shown[2], (6, PgnResult::Unknown, "".into()));
    assert_eq!(games[3].tags.get("Event"), Some("d"));
    assert_eq!(shown[4], (10, PgnResult::WhiteWins, "c4".into()));
    assert_eq!((games[5].tags.get("Event"), games.len()), (Some("f"), 6));
}

#[test]
fn the_game_after_a_broken_one_is_read() {
    let unexpected = |text: &str| PgnErrorKind::UnexpectedText { text: text.to_string() };
    let unclosed = |name: &str| PgnErrorKind::UnclosedTag { name: name.to_string() };
    for (broken, line, kind) in [
        ("[Event \"a\"]\n\n1. e4 {never\nclosed 1-0\n", 3, PgnErrorKind::UnclosedComment),
        ("[Event \"a\"]\n\n1. e4 1-0 {never\n", 3, PgnErrorKind::UnclosedComment),
        ("[Event \"a\"]\n\n1. e4\n(1. d4 (d5 1-0\n", 4, PgnErrorKind::UnclosedVariation),
        ("[Event \"a\"]\n\n1. e4 ) 1-0\n", 3, PgnErrorKind::StrayClosing),
        ("[Event \"a\"]\n\n(1. d4) 1. e4 1-0\n", 3, PgnErrorKind::VariationWithoutMove),
        ("[Event \"a\"]\n\n1. e4 ((d4)) 1-0\n", 3, PgnErrorKind::VariationWithoutMove),
        ("[Event \"a\"]\n[Site x]\n[Date \"y\"]\n\n1. e4 1-0\n", 2, PgnErrorKind::MalformedTag),
        ("[Event \"a\"]\n[Site \"x]\n[Date \"y\"]\n\n1. e4 1-0\n", 2, unclosed("Site")),
        ("[Event\n", 1, PgnErrorKind::MalformedTag),
        ("[Event \"a\n", 1, unclosed("Event")),
        ("[Event \"a\"\n", 1, unclosed("Event")),
        ("[", 1, PgnErrorKind::MalformedTag),
        ("[Event \"a\"]\n\n1. e4 } e5 1-0\n", 3, unexpected("}")),
        ("[Event \"a\"]\n\n1. e4 [%clk 1] e5 1-0\n", 3, unexpected("[")),
        ("[Event \"a\"]\n\n1. e4 (d4 [%clk 1]) e5 1-0\n", 3, unexpected("[")),
        ("[Event \"a\"]\n\n1. e4 $x 1-0\n", 3, unexpected("$")),
    ] {
        for next in
            ["[Event \"b\"]\n[Site \"c\"]\n\n1. d4 {x} *", "\n[Site \"c\"]\n[Event \"b\"]\n\n1. d4 {x} *"]
        {
            let text = format!("{broken}\n{next}");
            let games = all(&text);
            assert_eq!(games.len(), 2, "{text}\n{games:?}");
            assert_eq!(games[0], Err(PgnError { number: 1, line, kind: kind.clone() }), "{text}");
            let game = games[1].as_ref().unwrap();
            assert_eq!((game.tags.get("Event"), game.tags.get("Site")), (Some("b"), Some("c")), "{text}");
            assert_eq!((game.number, shown(&game.moves)), (2, "d4{x}".to_string()), "{text}");
        }
    }
    // A tag other than Event that follows no blank line begins a game if moves stand before it.
    let games = all("1. e4 (d4\n[Site \"c\"]\n\n1. d4 *");
    assert_eq!((games.len(), games[1].as_ref().unwrap().tags.get("Site")), (2, Some("c")));
    // The game before a malformed tag is complete.
    let games = all("1. e4\n\n[Event x]\n\n1. d4 *\n\n[Event \"c\"]\n\n*");
    assert_eq!(shown(&games[0].as_ref().unwrap().moves), "e4");
    assert_eq!(games[1], Err(PgnError { number: 2, line: 3, kind: PgnErrorKind::MalformedTag }));
    assert_eq!((games.len(), games[2].as_ref().unwrap().number), (3, 3));
}

#[test]
fn a_game_too_long_is_skipped() {
    let next = b"}\n\n[Event \"b\"]\n\n1. d4 *\n";
    for (start, filler) in
        [("1. e4 {", b'x'), ("1. e4 {", b'\n'), ("1. e4 ", b'x'), ("[A \"", b'x'), ("%\n[A", b' ')]
    {
        let file =
            start.as_bytes().chain(io::repeat(filler).take(MAX_GAME_BYTES + (1 << 17))).chain(&next[..]);
        let games: Vec<_> = PgnReader::new(io::BufReader::new(file)).collect();
        assert_eq!(games.len(), 2, "{start}");
        assert_eq!(games[0].as_ref().unwrap_err().kind, PgnErrorKind::GameTooLong);
        assert_eq!(shown(&games[1].as_ref().unwrap().moves), "d4");
    }
    // Blanks between games belong to no game.
    let file = io::repeat(b'\n').take(2 * MAX_GAME_BYTES).chain(&next[1..]);
    assert!(PgnReader::new(io::BufReader::new(file)).all(|game| game.is_ok()));
}

/// Fails after the text, once interrupted before it.
struct Failing<'a>(&'a [u8], bool);

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if !std::mem::replace(&mut self.1, true) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match self.0.read(buf) {
            Ok(0) => Err(io::Error::other("disk on fire")),
            other => other,
        }
    }
}

#[test]
fn a_read_error_is_the_last_item() {
    for (text, number, line) in [("1. e4 *\n\n1. d4\n", 2, 4), ("", 1, 1), ("1. e4\n[Event ", 2, 2)] {
        let file = io::BufReader::new(Failing(text.as_bytes(), false));
        let games: Vec<_> = PgnReader::new(file).collect();
        let kind = PgnErrorKind::Read { message: "disk on fire".into() };
        assert_eq!(games.last(), Some(&Err(PgnError { number, line, kind })), "{text}");
        assert_eq!(games.len() as u64, number, "{text}");
    }
}

/// The only game of a text, and its warnings.
fn warned(text: impl AsRef<[u8]>) -> (PgnGame, Vec<(u64, String)>) {
    let mut reader = PgnReader::new(text.as_ref());
    let game = reader.next().unwrap().unwrap();
    assert!(reader.next().is_none());
    let warnings = reader.take_warnings().into_iter().map(|found| (found.line, found.kind.to_string()));
    (game, warnings.collect())
}

#[test]
fn characters_that_cannot_be_seen() {
    let text = "1.\u{200B}e4\u{200B}e5\u{200E} \u{200F}d4\u{2060} N\u{200D}d7 \u{2067}♘\u{FE0E}e2\u{2069} \u{FEFF}\u{200C} *";
    assert_eq!(moves(text), "e4 e5 d4 Nd7 ♘e2");
    // A comment keeps them: Thai has zero-width spaces between words.
    assert_eq!(moves("1. e4 {ม\u{200B}า} *"), "e4{ม\u{200B}า}");
    // Concatenated files, the second after a broken game.
    let games = all("\u{FEFF}1. e4 ) *\n\u{FEFF}[Event \"b\"]\n\n1. d4 *");
    assert_eq!((games.len(), games[1].as_ref().unwrap().tags.get("Event")), (2, Some("b")));
}

#[test]
fn signs_are_glyphs() {
    assert_eq!(moves("1. e4± e5 +- 2. d4!∞ = d5 ⩲ {x} □ *"), "e4$16 e5$18 d4$1$13$10 d5$14$7{x}");
    assert_eq!(moves("1. e4 ch e5 ch. 2. Nd2+ ch Rc1 mate 3. Rb1 + Rb2 # *"), "e4+ e5+ Nd2+ Rc1# Rb1+ Rb2#");
    assert_eq!(moves("1. e6 (M) exd6+ (Q) 2. จxง๖(ง) e6 (= ) e3 (=) *"), "e6=M exd6=Q+ จxง๖=ง e6 e3{(=)}");
    // A variation of one letter that cannot be a promotion stays one.
    assert_eq!(moves("1. e4 (N) *"), "e4(N)");
}

#[test]
fn moves_with_blanks_inside() {
    assert_eq!(
        moves("1)   c 3 - c 4      c 6 - c 5\n2) N b 1 - c 3    N b 8 x c 6+\n12) Sc1 - c2 e 7 -e 6! *"),
        "c3-c4 c6-c5 Nb1-c3 Nb8xc6+ Sc1-c2 e7-e6$1"
    );
    // One square with blanks may be what is left of a damaged record.
    assert_eq!(moves("1. e 4 e 5 2. N d2 e 3+ Nd 2. - *"), "e e N d2 e 3+ Nd -");
    // Numbers stay numbers, and what is begun and not ended is there to be named.
    assert_eq!(moves("1. N 2 e4 {x} - b 1. c *"), "N e4{x} - b c");
    assert_eq!(moves("1. e4 (1. d4 2) 1... e5 *"), "e4(d4) e5");
    assert_eq!(fault("1. e4 e5 ) *").2, PgnErrorKind::StrayClosing);
    assert_eq!(fault("1. e4 (d4 1) ) *").2, PgnErrorKind::StrayClosing);
}

#[test]
fn a_tag_cut_by_the_next_record_is_named() {
    let text = "[Event \"a\"]\n[Result \"1-0\"]\n[Time \"60+1[Event \"b\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n[Event \"c\"]\n\n*\n";
    let games = all(text);
    assert_eq!(games.len(), 3, "{games:?}");
    let kind = PgnErrorKind::CutTag { name: "Time".into(), next: "Event".into() };
    assert_eq!(games[0], Err(PgnError { number: 1, line: 3, kind }));
    let second = games[1].as_ref().unwrap();
    assert_eq!((second.line, second.tags.get("Event"), second.tags.len()), (3, Some("b"), 2));
    assert_eq!((shown(&second.moves), second.result), ("e4".to_owned(), PgnResult::BlackWins));
    // After moves, the game before the cut is complete.
    let games = all("1. e4 *\n[A \"[Event \"x[Event \"y\"]\n\n1. d4 *");
    assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, true]);
    assert_eq!(games[3].as_ref().unwrap().tags.get("Event"), Some("y"));
    // Cut within one record: the rest of it is no game of its own.
    let games =
        all("[Event \"a\"]\n[White \"x[Black \"y\"]\n[Date \"z\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *");
    let kind = PgnErrorKind::CutTag { name: "White".into(), next: "Black".into() };
    assert_eq!(games[0], Err(PgnError { number: 1, line: 2, kind }));
    assert_eq!((games.len(), shown(&games[1].as_ref().unwrap().moves)), (2, "d4".to_owned()));
    // Text that only looks like a cut.
    let game = one("[A \"x [y\"][B \"x [y\" ]\n[C \"[D \\\"e\"]\n*");
    let values: Vec<_> = game.tags.iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["x [y", "x [y", "[D \"e"]);
}

#[test]
fn results_that_contradict_one_another() {
    let says = |kept: &str, dropped: &str| {
        format!("the results {kept} and {dropped} contradict one another; {kept} is taken")
    };
    for (tag, end, kept, warning) in [
        ("1-0", "0-1", "0-1", Some(says("0-1", "1-0"))),
        ("1-0", "*", "1-0", Some(says("1-0", "*"))),
        ("1-0", "\nDraw\n", "1/2-1/2", Some(says("1/2-1/2", "1-0"))),
        ("*", "1-0", "1-0", None),
        ("?", "1-0", "1-0", None),
        ("1/2", "1/2-1/2", "1/2-1/2", None),
        ("0-1", "", "0-1", None),
        ("0-1", "0-1 1-0", "0-1", Some(says("0-1", "1-0"))),
        ("0-1", "0-1 0-1", "0-1", None),
    ] {
        let (game, warnings) = warned(format!("[Result \"{tag}\"]\n\n1. e4 {end}"));
        assert_eq!(game.result.to_string(), kept, "{tag} {end}");
        let line = if end.starts_with('\n') { 4 } else { 3 };
        assert_eq!(warnings, warning.map(|text| (line, text)).into_iter().collect::<Vec<_>>(), "{tag} {end}");
    }
}

#[test]
fn a_page_copied_whole() {
    let text = "Makruk at the Club; round 3 (rated)\r\nWhite: [A] versus Black: B\r\n\r\n1. e4 c5\r\nClock started on 01/02/2013\r\n\
        2. Ne2 Nc6 Clock started on 3/4/13 3. Qf2 Bf7\r\nBlack resigned\r\n";
    let (game, warnings) = warned(text);
    assert_eq!(game.comment, ["Makruk at the Club; round 3 (rated)", "White: [A] versus Black: B"]);
    assert_eq!(shown(&game.moves), "e4 c5 Ne2 Nc6 Qf2 Bf7{Black resigned}");
    assert_eq!(game.moves.iter().map(|mv| mv.line).collect::<Vec<_>>(), [4, 4, 6, 6, 6, 6]);
    assert_eq!(game.result, PgnResult::WhiteWins);
    assert_eq!(warnings, [(1, "the text before the first move is taken as a comment".to_owned())]);
    // A game that begins with a word that is no move keeps the word, so that an error can name it.
    for text in ["Knight e4 2. d4 *\n\n1. e4 *", "Knight\n[Event \"x\"]\n\n1. e4 *", "Knight e4 e5"] {
        assert_eq!(all(text)[0].as_ref().unwrap().moves[0].text, "Knight", "{text}");
    }
}

/// Each game looks ahead for the first move, but the text is read only once.
#[test]
fn many_words_that_are_no_moves_take_no_longer() {
    let text = "Knight *\n".repeat(200_000);
    assert_eq!(all(text).len(), 200_000);
}
