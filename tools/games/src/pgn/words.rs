//! Classifies words of the movetext: a number, a move, its annotation, a result in words, or none of these.

use super::PgnResult;

/// Letters of promotion that may follow a move in parentheses.
pub(super) const PROMOTIONS: [&str; 10] = ["M", "m", "Q", "q", "F", "f", "ง", "ม็", "♕", "♛"];

/// A draw offer as players note it: `(=)`.
pub(super) const DRAW_OFFER: &str = "=";

/// Annotation signs of the Informant with their numeric annotation glyphs (NAGs). They stand alone or after a move;
/// those of `GLYPHS_ALONE` stand alone only.
const GLYPHS: [(&str, u16); 16] = [
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
];
const GLYPHS_ALONE: [(&str, u16); 5] = [("=", 10), ("+=", 14), ("+/=", 14), ("=+", 15), ("=/+", 15)];

/// Whether a letter is a dash or a minus sign other than `-`.
pub(super) fn is_dash(letter: char) -> bool {
    matches!(letter, '‐' | '‑' | '‒' | '–' | '—' | '−')
}

/// Whether a letter separates words: blanks of any script, the zero-width space, and the byte order marks of
/// concatenated files.
pub(super) fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200B}' | '\u{FEFF}')
}

/// Whether a letter is invisible and without meaning in a move: joiners, marks of direction, the soft hyphen, and
/// variation selectors, which figurines have.
pub fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{AD}' | '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}'
    )
}

/// Splits annotations such as `!?` and `±` off a word.
pub(super) fn split_annotations(word: &str) -> (&str, Vec<u16>) {
    if let Some((_, nag)) = GLYPHS_ALONE.iter().find(|(sign, _)| *sign == word) {
        return ("", vec![*nag]);
    }
    let mut text = word;
    let mut nags = Vec::new();
    loop {
        let rest = text.trim_end_matches(['!', '?']);
        let nag = match &text.as_bytes()[rest.len()..] {
            [] => None,
            b"!" => Some(1),
            b"?" => Some(2),
            [b'!', b'!', ..] => Some(3),
            [b'?', b'?', ..] => Some(4),
            [b'!', ..] => Some(5),
            _ => Some(6),
        };
        let glyph = || GLYPHS.iter().find_map(|(sign, nag)| Some((text.strip_suffix(sign)?, *nag)));
        if nag.is_none() && text.ends_with(|letter: char| letter.is_ascii_alphanumeric()) {
            break;
        }
        let (rest, nag) = match nag {
            Some(nag) => (rest, nag),
            None => match glyph() {
                Some(found) => found,
                None => break,
            },
        };
        text = rest;
        nags.push(nag);
    }
    nags.reverse();
    (text, nags)
}

/// The check or mate sign of a word.
pub(super) fn check_sign(word: &str) -> Option<char> {
    match word.strip_suffix('.').unwrap_or(word) {
        "+" | "++" | "ch" | "check" | "†" => Some('+'),
        "#" | "mate" | "checkmate" | "‡" => Some('#'),
        _ => None,
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || ('๐'..='๙').contains(&letter)
}

/// Whether a word is a number of up to four digits.
pub(super) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().count() <= 4 && word.chars().all(is_digit)
}

/// Strips move numbers with their dots off the front of a word. Up to three digits alone are a number, too.
pub(super) fn strip_number(mut word: &str) -> &str {
    loop {
        let dots = word.trim_start_matches(is_digit);
        let rest = dots.trim_start_matches(['.', '…']);
        if rest.len() == dots.len() {
            return if dots.is_empty() && word.chars().count() <= 3 { "" } else { word };
        }
        word = rest;
    }
}

/// How much of a move in long notation, with the letter of its piece, a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// None of it.
    No,
    /// Incomplete: `N`, `Nb`, `Nb1-`, `Nb1-c`.
    Begun,
    /// Up to the first square, which may be a whole move: `Nb1`.
    Square,
    /// A whole move: `Nb1-c3`.
    Whole,
}

impl Part {
    pub(super) fn new(text: &str) -> Self {
        let mut letters = text.chars().peekable();
        if letters.next_if(|letter| "KQBNRSMPF".contains(*letter)).is_none() && letters.peek().is_none() {
            return Self::No;
        }
        let is_file = |letter: &char| matches!(letter, 'a'..='h');
        let is_rank = |letter: &char| matches!(letter, '1'..='8');
        for square in 0..2 {
            for is_next in [&is_file as &dyn Fn(&char) -> bool, &is_rank] {
                match letters.next() {
                    None => return Self::Begun,
                    Some(letter) if !is_next(&letter) => return Self::No,
                    Some(_) => {}
                }
            }
            if square == 0 {
                match letters.next() {
                    None => return Self::Square,
                    Some(sign) if !is_sign(sign) => return Self::No,
                    Some(_) => {}
                }
            }
        }
        if letters.next().is_none() { Self::Whole } else { Self::No }
    }
}

/// Whether a letter stands between the squares of a move.
fn is_sign(letter: char) -> bool {
    matches!(letter, '-' | 'x' | 'X' | ':' | '×') || is_dash(letter)
}

/// The move with the usual sign between its squares.
pub(super) fn with_plain_sign(text: &str) -> String {
    text.replace(is_dash, "-").replace(['X', ':', '×'], "x")
}

/// Whether a move ends with a square, so that a promotion may follow.
pub(super) fn may_promote(text: &str) -> bool {
    text.trim_end_matches(['+', '#']).ends_with(|letter: char| is_digit(letter))
}

/// Adds a promotion letter to a move, before its check sign.
pub(super) fn promoted(text: &str, letter: &str) -> String {
    let mv = text.trim_end_matches(['+', '#']);
    format!("{mv}={letter}{}", &text[mv.len()..])
}

/// Whether a word is only a sign that stands between the squares of a move.
pub(super) fn is_lone_sign(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(is_sign) && letters.next().is_none()
}

/// Whether the reader would join two texts of moves to one move.
pub(super) fn are_joined(first: &str, second: &str) -> bool {
    is_thai_piece(first) || Part::new(first) == Part::Begun || is_lone_sign(second)
}

/// Whether a text, written as a move, is read as the same move again.
pub(super) fn is_move_text(text: &str) -> bool {
    let (piece, squares) = match text.split_once(' ') {
        Some((piece, squares)) => (is_thai_piece(piece), squares),
        None => (true, text),
    };
    piece
        && !squares.contains(|letter: char| {
            letter.is_ascii_control()
                || is_separator(letter)
                || is_invisible(letter)
                || "{}()[];$".contains(letter)
        })
        && split_annotations(squares).1.is_empty()
        && strip_number(squares) == squares
        && check_sign(squares).is_none()
        && !matches!(squares, "" | "e.p.")
        && PgnResult::from_token(squares).is_none()
}

/// Whether a text is only the letter of a piece in Thai notation.
pub(super) fn is_thai_piece(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|letter| "ขงคมรบว".contains(letter))
        && matches!(letters.as_str(), "" | "\u{0E47}")
}

/// Whether a word could stand among moves: it has a digit, or is a piece, a file, a pass or a sign.
pub(super) fn could_be_move(word: &str) -> bool {
    let (text, nags) = split_annotations(word);
    text.contains(is_digit)
        || text.chars().nth(1).is_none()
        || is_thai_piece(text)
        || !nags.is_empty()
        || text.starts_with(['%', '-', '.', '…', '"', '\''])
        || matches!(text, "O-O" | "O-O-O")
}

/// Whether a line has a move and ends with a result.
pub(super) fn ends_game(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace().rev();
    words.next().is_some_and(|last| PgnResult::from_token(last).is_some())
        && words.any(|word| {
            let text = strip_number(split_annotations(word).0);
            text.starts_with(|letter: char| letter.is_alphabetic()) && text.contains(is_digit)
        })
}

/// Whether a text begins with the number of the first move, `1.` or `1)`, perhaps after a few blanks.
pub(super) fn is_first_number(text: &[u8]) -> bool {
    let blanks = text.iter().take(16).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let text = &text[blanks..];
    let rest = text.strip_prefix(b"1").or(text.strip_prefix("๑".as_bytes()));
    matches!(rest, Some([b'.' | b')', after @ ..]) if !after.first().is_some_and(u8::is_ascii_digit))
}

/// The result that a line gives in words, and its reason. The line is `first`, in lower case, and `rest`.
pub(super) fn closing_line(first: &[u8], rest: &str) -> Option<(PgnResult, Option<String>)> {
    let rest = rest.trim_matches(|letter: char| letter.is_ascii_whitespace() || letter.is_ascii_control());
    let rest = rest.trim_end_matches(['.', '!']);
    let (verb, more) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (verb, more) = (verb.to_ascii_lowercase(), more.trim());
    // "Black loses a rook" is no result.
    let ends = |more: &str| matches!(more.split_whitespace().next(), None | Some("by" | "on" | "in" | "at"));
    let (white, black) = (PgnResult::WhiteWins, PgnResult::BlackWins);
    let (result, more) = match (first, verb.as_str()) {
        (b"white", "win" | "wins" | "won") => (white, more),
        (b"black", "win" | "wins" | "won") => (black, more),
        (b"white", "resign" | "resigns" | "resigned" | "lost" | "loses") if ends(more) => (black, rest),
        (b"black", "resign" | "resigns" | "resigned" | "lost" | "loses") if ends(more) => (white, rest),
        (b"draw" | b"drawn", "") => (PgnResult::Draw, more),
        (b"draw" | b"drawn", "agreed" | "by") => (PgnResult::Draw, rest),
        (b"game", "drawn") => (PgnResult::Draw, more),
        _ => return None,
    };
    // The reason; other words are no part of a result.
    let reason = more.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let is_reason = matches!(
        reason.as_str(),
        "" | "by" | "on" | "agreed" | "resign" | "resigns" | "resigned" | "lost" | "loses"
    );
    let side = if first == b"white" { "White" } else { "Black" };
    let text = match reason.as_str() {
        "" => None,
        "resign" | "resigns" | "resigned" | "lost" | "loses" => Some(format!("{side} {more}")),
        _ => Some(more.to_owned()),
    };
    is_reason.then_some((result, text))
}

#[cfg(test)]
mod tests;
