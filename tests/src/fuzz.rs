//! Properties that must hold for any input, for the fuzz targets in `tests/fuzz` and the tests that run their corpora.
//!
//! Each function takes the bytes of a fuzzer and panics if a property does not hold.

use std::io::Cursor;

use sakmak_dataset::games::{Header, Reader};
use sakmak_engine::uci::Output;
use sakmak_games::epd::{self, read_openings};
use sakmak_games::pgn::{PgnGame, PgnReader, PgnWriter};
use sakmak_matches::suite::SuitePosition;
use sakmak_movegen::{Position, Rules, Ruleset, Variant};

use crate::run_uci;

/// A fuzz target: its name, also of its corpus folder, and its property.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] =
    &[("fen", fen), ("uci", uci), ("xboard", xboard), ("pgn", pgn), ("epd", epd), ("data", data)];

/// A FEN is refused, or gives a position that survives writing and reading, and whose legal moves can be played.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let cambodian = Rules::new(Variant::Cambodian, Ruleset::default());
    for rules in [Rules::default(), cambodian] {
        let Ok(position) = Position::from_fen_with(&text, rules) else { continue };
        let written = position.to_string();
        let again = Position::from_fen_with(&written, *position.rules())
            .unwrap_or_else(|error| panic!("{text}: wrote {written}: {error}"));
        assert_eq!(again.to_string(), written, "{text}");
        assert_eq!(again.key(), position.key(), "{text}: wrote {written}");
        for mv in position.legal_moves() {
            assert!(position.is_legal(mv), "{written}: {mv}");
            let mut next = position.clone();
            next.play_unchecked(mv);
            assert!(next.legal_moves().iter().all(|&reply| next.is_legal(reply)), "{written}: {mv}");
        }
    }
}

/// Most lines of a conversation, and most bytes of a line.
const MAX_LINES: usize = 24;
const MAX_LINE: usize = 400;

/// After any input the engine still answers `d`, has not panicked, and has printed no more best moves than there were
/// searches.
pub fn uci(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut input = String::from("setoption name Hash value 1\n");
    let mut searches = 0;
    for line in text.lines().take(MAX_LINES).filter(|line| line.len() <= MAX_LINE && is_cheap(line)) {
        input.push_str(line);
        input.push('\n');
        if line.split_whitespace().any(|word| word == "go") {
            searches += 1;
            input.push_str("stop\n");
        }
    }
    input.push_str("d\n");
    let output = Output::buffer();
    run_uci(Cursor::new(input.as_bytes()), output.clone());
    let answers = output.text();
    let best_moves = answers.lines().filter(|line| line.starts_with("bestmove")).count();
    assert!(best_moves <= searches, "{input}\n{answers}");
    assert!(!answers.contains("a search thread failed"), "{input}\n{answers}");
    let ended = text.split_whitespace().any(|word| word == "quit");
    assert!(ended || answers.lines().any(|line| line.starts_with("Fen: ")), "{input}\n{answers}");
}

/// After any input in XBoard's protocol the engine still answers a ping and has not panicked.
pub fn xboard(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut input = String::from("xboard\nmemory 1\nst 0.01\n");
    let lines = text.lines().take(MAX_LINES).filter(|line| line.len() <= MAX_LINE && is_cheap(line));
    input.extend(lines.flat_map(|line| [line, "\n"]));
    input.push_str("\nforce\nping 4711\n");
    let output = Output::buffer();
    run_uci(Cursor::new(input.as_bytes()), output.clone());
    let answers = output.text();
    assert!(!answers.contains("a search thread failed"), "{input}\n{answers}");
    let ended = text.split_whitespace().any(|word| word == "quit");
    assert!(ended || answers.lines().any(|line| line == "pong 4711"), "{input}\n{answers}");
}

/// Whether a line takes little time and memory: no deep perft, no bench, a small transposition table, few threads.
/// It must also write no log and not switch the protocol.
fn is_cheap(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    if ["log", "xboard", "protover"].iter().any(|word| line.contains(word)) {
        return false;
    }
    let number = |line: &str| line.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).max();
    let is_option = ["hash", "threads", "memory", "cores"].iter().any(|name| line.contains(name));
    let is_deep = line.contains("perft") && number(&line).is_none_or(|depth| depth > 3);
    let is_large = is_option && number(&line).is_some_and(|value| value > 4);
    !line.contains("bench") && !is_deep && !is_large
}

/// Games are read to the end of the file. Whole games, when written, are read again with the same moves and written
/// again with the same bytes.
pub fn pgn(bytes: &[u8]) {
    for game in PgnReader::new(Cursor::new(bytes)).flatten() {
        let written = written(&game);
        let show = || String::from_utf8_lossy(&written).into_owned();
        let mut again = PgnReader::new(Cursor::new(&written));
        let second = again.next().expect("a game").unwrap_or_else(|error| panic!("{error}:\n{}", show()));
        let texts = |game: &PgnGame| game.moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&second), texts(&game), "{}", show());
        assert_eq!(self::written(&second), written, "{}", show());
        assert!(again.next().is_none(), "{}", show());
    }
}

fn written(game: &PgnGame) -> Vec<u8> {
    let mut writer = PgnWriter::new(Vec::new());
    writer.write_game(game).expect("memory takes all");
    writer.into_inner()
}

/// Records are read to the end of the file. Openings can be played; positions of a suite, when written, are read again.
pub fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for game in read_openings(&text, Rules::default()).into_iter().flatten() {
        assert!(game.position().has_legal_move(), "{text}");
    }
    for position in epd::records(&text).filter_map(|record| SuitePosition::from_record(&record).ok()) {
        let written = position.to_string();
        let record = epd::records(&written).next().expect("a record");
        let again = SuitePosition::from_record(&record).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(again.to_string(), written);
    }
}

/// A file of training data gives whole games or an error; games with right checksums are the same when written and
/// read again.
///
/// The bytes are read as a whole file, and after a valid header as games with corrected checksums, so that the fuzzer
/// gets past the checksums.
pub fn data(bytes: &[u8]) {
    if let Ok(reader) = Reader::new(Cursor::new(bytes)) {
        round_trip(reader);
    }
    let header = Header { rules: Rules::default(), runs: Vec::new(), imports: Vec::new() };
    let mut file = header.encoded();
    let mut rest = bytes;
    while let Some((head, body)) = rest.split_first_chunk::<5>() {
        let fen = usize::from(head[2]).min(body.len());
        let plies = usize::from(u16::from_le_bytes([head[3], head[4]])).min((body.len() - fen) / 4);
        let (body, left) = body.split_at(fen + 4 * plies);
        let mut game = vec![head[0], head[1], fen as u8];
        game.extend((plies as u16).to_le_bytes());
        game.extend(crc32fast::hash(&game).to_le_bytes());
        game.extend(body);
        game.extend(crc32fast::hash(&game).to_le_bytes());
        file.extend(game);
        rest = left;
    }
    round_trip(Reader::new(Cursor::new(file.as_slice())).expect("a sound header"));
}

/// The games of a file are the same when written and read again under the same header.
fn round_trip(reader: Reader<Cursor<&[u8]>>) {
    let header = reader.header().clone();
    for game in reader.flatten() {
        let Ok(bytes) = game.encode() else { continue };
        let file = [header.encoded(), bytes].concat();
        let mut again = Reader::new(Cursor::new(&file)).expect("a sound header");
        assert_eq!(again.next().expect("a game").expect("a whole game"), game);
        assert!(again.next().is_none());
    }
}
