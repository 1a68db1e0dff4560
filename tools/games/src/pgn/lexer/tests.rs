//! Files cut off anywhere and files of random fragments.

use std::io::BufReader;

use super::super::{PgnError, PgnGame, PgnReader, PgnWriter};

const SAMPLE: &str = "\u{FEFF}{a preface}\n[Event \"a \\\"b\\\" \\\\\"]\r\n[Site \"\"]\r\n\r\n%escape\n1. e4! {c\nd} \
    (1. d4 $3 (1. c4 ; e\n) d5) 1... e5 2. ม ข๑-ง๒ ม็ จ๑-ฉ๒ 1/2-1/2 {f}\n\n[Event \"g\"]\n1. e4 (d4\n\n\
    [Event \"h\"]\n\n1... e5 {i\n\n[Event \"j\"]\n\nClock started\n2. Nc3\nWhite wins\n\n[K \"l\" m\n\n\
    [Event \"n\"] ½-½\n";

fn all(text: &[u8]) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text).collect()
}

fn written(game: &PgnGame) -> String {
    let mut writer = PgnWriter::new(Vec::new());
    writer.write_game(game).unwrap();
    String::from_utf8(writer.into_inner()).unwrap()
}

#[test]
fn every_prefix_reads_to_its_end() {
    let whole = all(SAMPLE.as_bytes());
    let errors = whole.iter().filter(|game| game.is_err()).count();
    assert_eq!((whole.len(), errors), (6, 3), "{whole:#?}");
    for length in 0..SAMPLE.len() {
        let games = all(&SAMPLE.as_bytes()[..length]);
        assert!(games.len() <= whole.len());
        // All games but the last are as in the whole file.
        let known = games.len().saturating_sub(1);
        assert_eq!(games[..known], whole[..known], "{length}");
    }
}

#[test]
fn the_size_of_reads_does_not_matter() {
    for size in [1, 2, 3, 7, 64] {
        let games: Vec<_> = PgnReader::new(BufReader::with_capacity(size, SAMPLE.as_bytes())).collect();
        assert_eq!(games, all(SAMPLE.as_bytes()), "{size}");
    }
}

#[test]
fn random_fragments_are_read_to_their_end() {
    let fragments = [
        b"[Event \"x\"]|[Site \"|[|]|\"|\\|{|}|(|)|;|%|$|$5|\n|\n\n|\r|\r\n| |\t|\0|".as_slice(),
        b"1.|1...|12|e4|Nf3+|!?|?|e.p.|1-0|1/2|*|Draw|White|wins|Clock|started|",
        b"1)|)|N|b|3|-|x|c3|(M)|(=)|ch|mate|+-|=|--|Game|drawn|by| on 1/2/03|Heading|\"x[Event \"|",
        b"\xC1\xD2|\xE9|\xE2\x80\x8B|\xE2\x80\x8E|\xFE|",
        b"\xEF\xBB\xBF|\xFF|\xE0\xB8|\xC2\xA0|\xC2\x81|",
        "ม|ม็|ข๑|…|½-½".as_bytes(),
    ];
    let fragments = fragments.concat();
    let fragments: Vec<_> = fragments.split(|&byte| byte == b'|').collect();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let mut text = Vec::new();
        for _ in 0..random(60) {
            text.extend_from_slice(fragments[random(fragments.len())]);
            if random(3) > 0 {
                text.push(b' ');
            }
        }
        let mut reader = PgnReader::new(text.as_slice());
        let mut last = (0, 0);
        for game in reader.by_ref() {
            let (number, line) =
                game.map_or_else(|error| (error.number, error.line), |game| (game.number, game.line));
            assert!(number == last.0 + 1 && line >= last.1 && line > 0, "{}", text.escape_ascii());
            last = (number, line);
        }
        assert_eq!(reader.bytes_read(), text.len() as u64);
        for game in all(&text).into_iter().flatten() {
            let once = written(&game);
            let again = all(once.as_bytes());
            assert_eq!(again.len(), 1, "{once}");
            assert_eq!(again[0].as_ref().unwrap().moves.len(), game.moves.len(), "{once}");
            assert_eq!(written(again[0].as_ref().unwrap()), once, "{}", text.escape_ascii());
        }
        let small = PgnReader::new(BufReader::with_capacity(5, text.as_slice()));
        assert!(small.eq(all(&text)), "{}", text.escape_ascii());
    }
}
