//! Splits the text of a PGN file into tokens, counts lines and limits the text of one game.

mod cursor;

use std::{borrow::Cow, io::BufRead};

use super::{
    MAX_GAME_BYTES, PgnErrorKind, PgnResult,
    decode::{MARK, TextEncoding},
    words,
};
use cursor::{Cursor, is_blank};

/// The longest text before the first move that is taken for a heading.
const MAX_HEADING: usize = 4096;

/// How far the lexer looks ahead for a tag in a comment or for the rest of a line.
const LOOK_AHEAD: usize = 64;

/// The line of a fault, and what is wrong.
pub(super) type LexError = (u64, PgnErrorKind);

/// The name and the value of a tag.
pub(super) type Tag = (String, String);

/// A token of the file.
pub(super) enum Token {
    /// A `[`, not consumed yet: call [`Lexer::tag`].
    Tag,
    /// A run of text: see [`Lexer::word`].
    Word,
    /// A closing line in words, such as "White wins", with the reason it gives.
    Result(PgnResult, Option<String>),
    /// The text of a comment of either kind, never empty.
    Comment(String),
    /// `$n`
    Nag(u16),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A bracket, brace or dollar sign that has no meaning here.
    Stray(String),
    /// The end of the file.
    End,
}

/// The tokenizer. It holds at most one chunk and one word of the file.
#[derive(Debug)]
pub(super) struct Lexer<R> {
    text: Cursor<R>,
    token_line: u64,
    token_is_first: bool,
    /// The line and the name of an Event tag that began inside the last tag; its value comes next.
    cut: Option<(u64, String)>,
    /// No line before this offset begins with the number of the first move.
    no_first_move: u64,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Self {
        Self { text: Cursor::new(input), token_line: 1, token_is_first: true, cut: None, no_first_move: 0 }
    }

    /// Counts lines that were not read.
    pub(super) fn skip_lines(&mut self, lines: u64) {
        self.text.line += lines;
    }

    /// The number of input bytes consumed so far; an estimate where the input is not UTF-8.
    pub(super) fn bytes_read(&self) -> u64 {
        self.text.bytes_read()
    }

    /// The encodings found since the last call, each with the line on which it first occurs.
    pub(super) fn take_encodings(&mut self) -> Vec<(u64, TextEncoding)> {
        self.text.input.take_news()
    }

    /// The line on which the last token began.
    pub(super) fn token_line(&self) -> u64 {
        self.token_line
    }

    /// Whether the last token was the first on its line.
    pub(super) fn token_is_first(&self) -> bool {
        self.token_is_first
    }

    /// Whether a blank line comes before the current one.
    pub(super) fn after_blank(&self) -> bool {
        self.text.after_blank
    }

    /// The last word, with bytes that are not UTF-8 replaced.
    pub(super) fn word(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text.word)
    }

    /// Skips to the next token, which may be the first of a game. The limit of the game's length counts from there.
    pub(super) fn begin_game(&mut self) -> Result<(), LexError> {
        self.text.limit = u64::MAX;
        self.text.skip_mark()?;
        self.text.skip_blanks()?;
        self.text.limit = self.text.offset() + MAX_GAME_BYTES;
        Ok(())
    }

    /// Recovers from a fault: skips to the next line that begins a tag section, or to the end.
    pub(super) fn resynchronise(&mut self) -> Result<(), LexError> {
        self.text.limit = u64::MAX;
        while let Some(byte) = self.text.peek()? {
            match byte {
                b'\n' | b'\r' => self.text.newline(byte)?,
                _ if is_blank(byte) => self.text.skip(1),
                // A byte order mark between concatenated files.
                0xEF if !self.text.has_text && self.text.ahead(3)? == MARK => self.text.skip(3),
                b'[' if !self.text.has_text => {
                    if self.text.after_blank || self.event_ahead()? {
                        return Ok(());
                    }
                    self.text.skip_line()?;
                }
                _ => self.text.skip_line()?,
            }
        }
        Ok(())
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token, LexError> {
        loop {
            self.text.skip_blanks()?;
            self.token_line = self.text.line;
            self.token_is_first = !self.text.has_text;
            let Some(byte) = self.text.peek()? else { return Ok(Token::End) };
            match byte {
                b'[' => return Ok(Token::Tag),
                b'{' | b';' => {
                    let text = self.comment(byte)?;
                    if !text.is_empty() {
                        return Ok(Token::Comment(text));
                    }
                }
                b'(' | b')' | b'}' | b']' => {
                    self.text.take(1);
                    return Ok(match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        _ => Token::Stray(char::from(byte).to_string()),
                    });
                }
                b'$' => {
                    self.text.take(1);
                    self.text.take_word(|byte| !byte.is_ascii_digit())?;
                    let digits = self.word();
                    return Ok(match digits.parse() {
                        Ok(nag) => Token::Nag(nag),
                        Err(_) => Token::Stray(format!("${digits}")),
                    });
                }
                _ => {
                    self.text.take_word(|byte| is_blank(byte) || b"{}()[];$".contains(&byte))?;
                    if self.skip_clock()? {
                        continue;
                    }
                    if self.token_is_first
                        && let Some((result, more)) = self.closing_line()?
                    {
                        self.text.skip_line()?;
                        return Ok(Token::Result(result, more));
                    }
                    return Ok(Token::Word);
                }
            }
        }
    }

    /// The next comment on the current line, if nothing else comes before it.
    pub(super) fn comment_on_line(&mut self) -> Result<Option<String>, LexError> {
        while let Some(byte) = self.text.peek()? {
            match byte {
                b'\n' | b'\r' => break,
                _ if is_blank(byte) => self.text.skip(1),
                b'{' | b';' => {
                    let text = self.comment(byte)?;
                    if !text.is_empty() {
                        return Ok(Some(text));
                    }
                }
                _ => break,
            }
        }
        Ok(None)
    }

    /// Reads the tag pair that begins at the current `[`. Returns name and value.
    pub(super) fn tag(&mut self) -> Result<Tag, LexError> {
        let malformed = (self.text.line, PgnErrorKind::MalformedTag);
        self.text.take(1);
        self.text.skip_white()?;
        self.text.take_word(|byte| is_blank(byte) || b"\"[]".contains(&byte))?;
        let name = self.word().into_owned();
        self.text.skip_white()?;
        if name.is_empty() || self.text.peek()? != Some(b'"') {
            return Err(malformed);
        }
        self.text.take(1);
        self.tag_value(malformed.0, name)
    }

    /// Reads the rest of the Event tag that began inside the last tag, if any. Returns its line and the tag.
    pub(super) fn cut_tag(&mut self) -> Option<(u64, Result<Tag, LexError>)> {
        let (line, name) = self.cut.take()?;
        Some((line, self.tag_value(line, name)))
    }

    /// Reads the value of a tag after its opening quote, and the end of the tag, which begins on `line`.
    fn tag_value(&mut self, line: u64, name: String) -> Result<Tag, LexError> {
        let unclosed = |name: String| (line, PgnErrorKind::UnclosedTag { name });
        let mut value = Vec::new();
        // The position of the last '[' in the value, if no quote comes after it.
        let mut bracket = None;
        loop {
            match self.text.peek()? {
                None | Some(b'\n' | b'\r') => return Err(unclosed(name)),
                Some(b'\\') => {
                    self.text.take(1);
                    match self.text.peek()? {
                        Some(byte @ (b'"' | b'\\')) => {
                            value.push(byte);
                            self.text.take(1);
                        }
                        _ => value.push(b'\\'),
                    }
                }
                Some(b'"') => {
                    // A quote without a ']' after it belongs to the value, or to a tag that begins in it.
                    let length = value.len();
                    let begun = bracket.take().and_then(|at| tag_name(&value[at..]));
                    value.push(b'"');
                    self.text.take(1);
                    if let Some(next) = begun
                        && !self.text.ahead(LOOK_AHEAD)?.trim_ascii_start().starts_with(b"]")
                    {
                        // Where a record was cut off, the next one begins with its Event tag.
                        self.cut = next.eq_ignore_ascii_case("Event").then(|| (self.text.line, next.clone()));
                        return Err((line, PgnErrorKind::CutTag { name, next }));
                    }
                    while let Some(byte @ (b' ' | b'\t')) = self.text.peek()? {
                        value.push(byte);
                        self.text.take(1);
                    }
                    let value_line = self.text.line;
                    self.text.skip_white()?;
                    if self.text.peek()? == Some(b']') {
                        self.text.take(1);
                        value.truncate(length);
                        return Ok((name, printable(&String::from_utf8_lossy(&value))));
                    }
                    if self.text.line != value_line {
                        return Err(unclosed(name));
                    }
                }
                Some(byte) => {
                    if byte == b'[' {
                        bracket = Some(value.len());
                    }
                    value.push(byte);
                    self.text.take(1);
                }
            }
        }
    }

    /// Reads the comment that begins at the current `{` or `;`.
    fn comment(&mut self, opening: u8) -> Result<String, LexError> {
        let unclosed = (self.text.line, PgnErrorKind::UnclosedComment);
        self.text.take(1);
        if opening == b';' {
            self.text.take_word(|byte| matches!(byte, b'\n' | b'\r'))?;
            return Ok(printable(&self.word()).trim_matches(' ').to_string());
        }
        let mut text = Vec::new();
        loop {
            match self.text.peek()? {
                None => return Err(unclosed),
                Some(b'}') => {
                    self.text.take(1);
                    break;
                }
                Some(byte @ (b'\n' | b'\r')) => {
                    self.text.newline(byte)?;
                    text.push(b'\n');
                }
                Some(byte) if is_blank(byte) && !self.text.has_text => {
                    self.text.skip(1);
                    text.push(b' ');
                }
                Some(b'[') if !self.text.has_text && self.game_ahead()? => return Err(unclosed),
                Some(_) => {
                    self.text.take_word(|byte| matches!(byte, b'}' | b'\n' | b'\r'))?;
                    text.extend_from_slice(&self.text.word);
                }
            }
        }
        let text = String::from_utf8_lossy(&text);
        let lines = text.split('\n').map(|line| printable(line).trim_matches(' ').to_string());
        Ok(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
    }

    /// Skips the text that SchemingMind prints when the clocks start, if the last word begins it: a line, or the words
    /// `Clock started on` and a date.
    fn skip_clock(&mut self) -> Result<bool, LexError> {
        if self.text.word != b"Clock" {
            return Ok(false);
        }
        let is_first = self.token_is_first;
        let ahead = self.text.ahead(LOOK_AHEAD)?;
        if is_first && ahead.starts_with(b" started") {
            self.text.skip_line()?;
            return Ok(true);
        }
        let Some(rest) = ahead.strip_prefix(b" started on ") else { return Ok(false) };
        let date = rest.iter().take_while(|&&byte| byte.is_ascii_digit() || byte == b'/').count();
        if date == 0 || rest.get(date).is_some_and(|&byte| !is_blank(byte)) {
            return Ok(false);
        }
        let length = ahead.len() - rest.len() + date;
        self.text.take(length);
        Ok(true)
    }

    /// The result and its reason, if the last word and the rest of its line give a result in words.
    fn closing_line(&mut self) -> Result<Option<(PgnResult, Option<String>)>, LexError> {
        if self.text.word.len() > 5 {
            return Ok(None);
        }
        let first = self.text.word.to_ascii_lowercase();
        if !matches!(first.as_slice(), b"white" | b"black" | b"draw" | b"drawn" | b"game") {
            return Ok(None);
        }
        let ahead = self.text.ahead(LOOK_AHEAD)?;
        let end = ahead.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        if end.is_none() && ahead.len() == LOOK_AHEAD {
            return Ok(None);
        }
        let rest = String::from_utf8_lossy(&ahead[..end.unwrap_or(ahead.len())]);
        Ok(words::closing_line(&first, &rest))
    }

    /// Consumes the `)` of a move number such as `1)`, whose digits are the last word.
    pub(super) fn take_number_parenthesis(&mut self) -> Result<bool, LexError> {
        let is_one = self.text.peek()? == Some(b')');
        self.text.take(usize::from(is_one));
        Ok(is_one)
    }

    /// After a `(`: consumes one of `texts` and a `)` if they follow. Returns that text.
    pub(super) fn take_parenthesised(
        &mut self,
        texts: &[&'static str],
    ) -> Result<Option<&'static str>, LexError> {
        let ahead = self.text.ahead(8)?;
        let found = texts
            .iter()
            .find(|text| ahead.strip_prefix(text.as_bytes()).is_some_and(|rest| rest.first() == Some(&b')')));
        let found = found.copied();
        self.text.take(found.map_or(0, |text| text.len() + 1));
        Ok(found)
    }

    /// Consumes the lines from the last word to the one that begins with the number of the first move, if that comes
    /// before anything that belongs to a game.
    pub(super) fn heading(&mut self) -> Result<Option<Vec<String>>, LexError> {
        if !self.first_move_ahead()? {
            return Ok(None);
        }
        let mut lines = vec![self.word().into_owned()];
        loop {
            self.text.take_word(|byte| matches!(byte, b'\n' | b'\r'))?;
            let rest = self.word().into_owned();
            if let Some(last) = lines.last_mut() {
                *last = printable(&(std::mem::take(last) + &rest)).trim_matches(' ').to_owned();
            }
            match self.text.peek()? {
                Some(byte) => self.text.newline(byte)?,
                None => break,
            }
            if words::is_first_number(self.text.ahead(LOOK_AHEAD)?) {
                break;
            }
            lines.push(String::new());
        }
        lines.retain(|line| !line.is_empty());
        Ok(Some(lines))
    }

    /// Whether a later line begins with the number of the first move, with nothing of another game in between.
    fn first_move_ahead(&mut self) -> Result<bool, LexError> {
        let offset = self.text.offset();
        if offset < self.no_first_move {
            return Ok(false);
        }
        let ahead = self.text.ahead(MAX_HEADING)?;
        let mut at = 0;
        while let Some(end) = ahead[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            if words::ends_game(&ahead[at..at + end]) {
                break;
            }
            at += end + 1;
            if words::is_first_number(&ahead[at..]) {
                return Ok(true);
            }
            if ahead[at..].trim_ascii_start().starts_with(b"[") {
                break;
            }
        }
        // Each part of the text is searched only once.
        self.no_first_move = offset + at as u64;
        Ok(false)
    }

    /// Whether an Event tag begins here.
    fn event_ahead(&mut self) -> Result<bool, LexError> {
        let (name, rest) = split_tag(self.text.ahead(LOOK_AHEAD)?);
        Ok(name.eq_ignore_ascii_case(b"Event")
            && rest.first().is_some_and(|&byte| byte == b'"' || is_blank(byte)))
    }

    /// Whether a tag section begins here, inside a comment: an Event tag, or any tag after a blank line.
    fn game_ahead(&mut self) -> Result<bool, LexError> {
        let after_blank = self.text.after_blank;
        let (name, rest) = split_tag(self.text.ahead(LOOK_AHEAD)?);
        Ok((after_blank && !name.is_empty() || name.eq_ignore_ascii_case(b"Event"))
            && rest.trim_ascii_start().starts_with(b"\""))
    }
}

/// The text with control characters replaced by blanks.
fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Splits the text after a `[` into a name and the rest.
fn split_tag(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    text.split_at(text.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count())
}

/// The name of a tag in a text that ends where its value would begin.
fn tag_name(text: &[u8]) -> Option<String> {
    let (name, rest) = split_tag(text);
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && rest.trim_ascii().is_empty();
    is_name.then(|| String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests;
