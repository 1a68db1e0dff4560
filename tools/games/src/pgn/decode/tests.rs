//! Texts in other encodings than UTF-8.

use std::io::{BufReader, Read};

use super::*;

/// Decodes a text. Returns it with the encodings found and their lines.
fn decoded(bytes: &[u8], size: usize) -> (String, Vec<(u64, TextEncoding)>) {
    let mut decoder = Decoder::new(BufReader::with_capacity(size, bytes));
    let mut text = Vec::new();
    while decoder.read(&mut text).unwrap() {}
    assert_eq!(decoder.bytes_decoded(), bytes.len() as u64);
    (String::from_utf8(text).unwrap(), decoder.take_news())
}

/// Checks a text by reads of several sizes.
fn check(bytes: &[u8], text: &str, found: &[(u64, TextEncoding)]) {
    for size in [1, 2, 7, 1 << 16] {
        let (decoded, news) = decoded(bytes, size);
        assert_eq!((decoded.as_str(), news.as_slice()), (text, found), "{size}: {}", bytes.escape_ascii());
    }
}

/// A text in Windows-874, as far as the letters here go.
fn thai(text: &str) -> Vec<u8> {
    let byte = |letter: char| match letter {
        '\u{E01}'..='\u{E5B}' => (letter as u32 - 0xE00 + 0xA0) as u8,
        _ => u8::try_from(letter).unwrap(),
    };
    text.chars().map(byte).collect()
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(letter).unwrap()).collect()
}

#[test]
fn utf8_stays() {
    for text in
        ["", "\n", "1. e4 e5\r\n", "é", "Müller – ½-½", "[White \"สมชาย\"]\n1. ม-ง๒ *\n", "\u{FEFF}x", "𝄞\r𝄞"]
    {
        check(text.as_bytes(), text, &[]);
    }
}

#[test]
#[cfg(feature = "encodings")]
fn eight_bits_are_thai_or_latin_by_their_content() {
    use TextEncoding::{Windows874, Windows1252};
    for text in [
        "[White \"สมชาย\"]\n\n1. e4 {ดี} e5 *\n",
        "1. ม-ง๒ ม็-ฉ๒ คจxฉ๖+ *",
        "[Black \"แบบ\"]\n[Site \"รก\"]\n{มานะ}",
        "{ดี}\r\n{a}\r{วันนี้}",
    ] {
        let line = text.lines().position(|line| !line.is_ascii()).unwrap() as u64 + 1;
        let (found, news) = decoded(&thai(text), 64);
        assert_eq!((found.as_str(), news), (text, vec![(line, Windows874)]));
        check(&thai(text), text, &[(line, Windows874)]);
    }
    for text in [
        "[White \"Müller\"]\n[Black \"Françoise Élodie\"]\n",
        "{Ça va, naïveté, Ångström, Jørgensen, ß}",
        "½-½",
        "{«CAFÉ» là-bas}",
        "é",
    ] {
        check(&latin(text), text, &[(1, Windows1252)]);
    }
    // Signs of Windows-1252 beyond Latin-1.
    check(b"{M\xFCller \x96 \x80 5}", "{Müller – € 5}", &[(1, Windows1252)]);
    // A word that fits both is decided by the rest of the file, before it or after it.
    check(&thai("{ม}\n{มานะ}\n"), "{ม}\n{มานะ}\n", &[(1, Windows874)]);
    // Concatenated files: each line by itself.
    let both = [&thai("{มานะ}\n")[..], &latin("{Müller}\n"), "{ข๑ é}\n".as_bytes()].concat();
    check(&both, "{มานะ}\n{Müller}\n{ข๑ é}\n", &[(1, Windows874), (2, Windows1252)]);
}

#[test]
#[cfg(feature = "encodings")]
fn utf8_with_bad_bytes_keeps_its_letters() {
    let damaged = TextEncoding::DamagedUtf8;
    check(b"a\n{\xE0\xB8\x82\xE0\xB9\x91 \xE0\xB8", "a\n{ข๑ à¸", &[(2, damaged)]);
    check(b"\xEF\xBB\xBFa\n{\xE0\xB8", "\u{FEFF}a\n{à¸", &[(2, damaged)]);
    check(b"\xC3\xA9\xC3\xA9\xFF", "ééÿ", &[(1, damaged)]);
}

#[test]
#[cfg(feature = "encodings")]
fn utf16_is_read_behind_its_byte_order_mark() {
    let text = "[White \"สมชาย 𝄞\"]\r\n\r\n1. e4 e5 *\r\n";
    let units: Vec<u16> = text.encode_utf16().collect();
    let low: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(units.iter().flat_map(|unit| unit.to_le_bytes())).collect();
    let high: Vec<u8> =
        [0xFE, 0xFF].into_iter().chain(units.iter().flat_map(|unit| unit.to_be_bytes())).collect();
    check(&low, text, &[]);
    check(&high, text, &[]);
    assert_eq!(
        (TextEncoding::detect(&low).label(), TextEncoding::detect(&high).label()),
        ("utf-16le", "utf-16be")
    );
    // Cut inside a letter.
    check(b"\xFF\xFEa\0\n\0b", "a\n\u{FFFD}", &[(2, TextEncoding::Utf16Le)]);
    check(b"\xFF\xFE", "", &[]);
    check(b"\xFF", "ÿ", &[(1, TextEncoding::Windows1252)]);
}

#[test]
fn the_encoding_of_a_whole_text() {
    let label = |bytes: &[u8]| TextEncoding::detect(bytes).label();
    assert_eq!((label(b""), label("ข".as_bytes())), ("utf-8", "utf-8"));
    assert_eq!((label(&thai("มานะ")), label(&latin("Müller"))), ("windows-874", "windows-1252"));
}

/// No more than a chunk is held back, however long the lines are.
#[test]
#[cfg(feature = "encodings")]
fn long_lines_are_read_in_parts() {
    for (unit, text, encoding) in [
        (thai("มานะ"), "มานะ", Some(TextEncoding::Windows874)),
        (latin("aé"), "aé", Some(TextEncoding::Windows1252)),
        ("ขa".as_bytes().to_vec(), "ขa", None),
    ] {
        let count = 100_000;
        let input = std::io::repeat(0).take(0).chain(std::io::Cursor::new(unit.repeat(count)));
        let mut decoder = Decoder::new(BufReader::new(input));
        let mut out = Vec::new();
        while decoder.read(&mut out).unwrap() {
            assert!(decoder.held.len() <= CHUNK);
        }
        assert!(out == text.repeat(count).into_bytes(), "{text}");
        assert_eq!(decoder.take_news().first().copied(), encoding.map(|encoding| (1, encoding)));
    }
}
