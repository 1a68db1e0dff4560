//! Bytes of a PGN file to tokens, with the line count and the limit on the text of one game.

use std::{
    borrow::Cow,
    io::{BufRead, ErrorKind},
};

use super::{MAX_GAME_BYTES, PgnErrorKind, PgnResult};

/// The most bytes taken from the input at once.
const CHUNK: usize = 1 << 16;

/// How far the lexer looks ahead for a tag in a comment or for the rest of a line.
const LOOK_AHEAD: usize = 64;

/// What is wrong, after the line on which it is.
pub(super) type LexError = (u64, PgnErrorKind);

/// The name and the value of a tag.
pub(super) type Tag = (String, String);

/// A token of the file.
pub(super) enum Token {
    /// A `[`, not yet taken: call [`Lexer::tag`].
    Tag,
    /// A run of text: see [`Lexer::word`].
    Word,
    /// A closing line in words, such as "White wins".
    Result(PgnResult),
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

/// The tokenizer. It holds no more of the file than one chunk and one word.
#[derive(Debug)]
pub(super) struct Lexer<R> {
    input: R,
    /// Bytes of the input: those before `pos` are used up.
    buf: Vec<u8>,
    pos: usize,
    /// The offset of `buf[0]` in the input.
    base: u64,
    /// The offset beyond which the game is too long.
    limit: u64,
    at_end: bool,
    word: Vec<u8>,
    /// The current line, from 1.
    line: u64,
    /// Nothing, not even a blank, has been taken from the current line.
    untouched: bool,
    /// Something other than blanks has been taken from the current line.
    has_text: bool,
    /// The line before the current one is blank, or there is none.
    after_blank: bool,
    token_line: u64,
    token_is_first: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            buf: Vec::new(),
            pos: 0,
            base: 0,
            limit: u64::MAX,
            at_end: false,
            word: Vec::new(),
            line: 1,
            untouched: true,
            has_text: false,
            after_blank: true,
            token_line: 1,
            token_is_first: true,
        }
    }

    /// The bytes used up so far.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.pos as u64
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
        self.after_blank
    }

    /// The last word, with bytes that are not UTF-8 replaced.
    pub(super) fn word(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.word)
    }

    /// Skips to the next token, which may be the first of a game: the limit counts from there.
    pub(super) fn begin_game(&mut self) -> Result<(), LexError> {
        self.limit = u64::MAX;
        if self.offset() == 0 && self.ahead(3)? == b"\xEF\xBB\xBF" {
            self.pos += 3;
        }
        self.skip_blanks()?;
        self.limit = self.offset() + MAX_GAME_BYTES;
        Ok(())
    }

    /// After a fault: skips to the next line that begins a tag section, or to the end.
    pub(super) fn resynchronise(&mut self) -> Result<(), LexError> {
        self.limit = u64::MAX;
        while let Some(byte) = self.peek()? {
            match byte {
                b'\n' | b'\r' => self.newline(byte)?,
                _ if is_blank(byte) => self.skip(1),
                b'[' if !self.has_text => {
                    if self.after_blank || self.event_ahead()? {
                        return Ok(());
                    }
                    self.skip_line()?;
                }
                _ => self.skip_line()?,
            }
        }
        Ok(())
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token, LexError> {
        loop {
            self.skip_blanks()?;
            self.token_line = self.line;
            self.token_is_first = !self.has_text;
            let Some(byte) = self.peek()? else { return Ok(Token::End) };
            match byte {
                b'[' => return Ok(Token::Tag),
                b'{' | b';' => {
                    let text = self.comment(byte)?;
                    if !text.is_empty() {
                        return Ok(Token::Comment(text));
                    }
                }
                b'(' | b')' | b'}' | b']' => {
                    self.take(1);
                    return Ok(match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        _ => Token::Stray(char::from(byte).to_string()),
                    });
                }
                b'$' => {
                    self.take(1);
                    self.take_word(|byte| !byte.is_ascii_digit())?;
                    let digits = self.word();
                    return Ok(match digits.parse() {
                        Ok(nag) => Token::Nag(nag),
                        Err(_) => Token::Stray(format!("${digits}")),
                    });
                }
                _ => {
                    self.take_word(|byte| is_blank(byte) || b"{}()[];$".contains(&byte))?;
                    if self.token_is_first {
                        if self.is_clock_line()? {
                            self.skip_line()?;
                            continue;
                        }
                        if let Some(result) = self.closing_line()? {
                            self.skip_line()?;
                            return Ok(Token::Result(result));
                        }
                    }
                    return Ok(Token::Word);
                }
            }
        }
    }

    /// The next comment on the current line, if one follows before anything else.
    pub(super) fn comment_on_line(&mut self) -> Result<Option<String>, LexError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'\n' | b'\r' => break,
                _ if is_blank(byte) => self.skip(1),
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

    /// Reads the tag pair that begins at the current `[`: its name and value.
    pub(super) fn tag(&mut self) -> Result<Tag, LexError> {
        let malformed = (self.line, PgnErrorKind::MalformedTag);
        self.take(1);
        self.skip_white()?;
        self.take_word(|byte| is_blank(byte) || b"\"[]".contains(&byte))?;
        let name = self.word().into_owned();
        self.skip_white()?;
        if name.is_empty() || self.peek()? != Some(b'"') {
            return Err(malformed);
        }
        self.take(1);
        let mut value = Vec::new();
        loop {
            match self.peek()? {
                None | Some(b'\n' | b'\r') => return Err(malformed),
                Some(b'\\') => {
                    self.take(1);
                    match self.peek()? {
                        Some(byte @ (b'"' | b'\\')) => {
                            value.push(byte);
                            self.take(1);
                        }
                        _ => value.push(b'\\'),
                    }
                }
                Some(b'"') => {
                    // A quote that is not followed by ']' belongs to the value.
                    let length = value.len();
                    value.push(b'"');
                    self.take(1);
                    while let Some(byte @ (b' ' | b'\t')) = self.peek()? {
                        value.push(byte);
                        self.take(1);
                    }
                    let line = self.line;
                    self.skip_white()?;
                    if self.peek()? == Some(b']') {
                        self.take(1);
                        value.truncate(length);
                        return Ok((name, printable(&String::from_utf8_lossy(&value))));
                    }
                    if self.line != line {
                        return Err(malformed);
                    }
                }
                Some(byte) => {
                    value.push(byte);
                    self.take(1);
                }
            }
        }
    }

    /// Reads the comment that begins at the current `{` or `;`.
    fn comment(&mut self, opening: u8) -> Result<String, LexError> {
        let unclosed = (self.line, PgnErrorKind::UnclosedComment);
        self.take(1);
        if opening == b';' {
            self.take_word(|byte| matches!(byte, b'\n' | b'\r'))?;
            return Ok(printable(&self.word()).trim_matches(' ').to_string());
        }
        let mut text = Vec::new();
        loop {
            match self.peek()? {
                None => return Err(unclosed),
                Some(b'}') => {
                    self.take(1);
                    break;
                }
                Some(byte @ (b'\n' | b'\r')) => {
                    self.newline(byte)?;
                    text.push(b'\n');
                }
                Some(byte) if is_blank(byte) && !self.has_text => {
                    self.skip(1);
                    text.push(b' ');
                }
                Some(b'[') if !self.has_text && self.game_ahead()? => return Err(unclosed),
                Some(_) => {
                    self.take_word(|byte| matches!(byte, b'}' | b'\n' | b'\r'))?;
                    text.extend_from_slice(&self.word);
                }
            }
        }
        let text = String::from_utf8_lossy(&text);
        let lines = text.split('\n').map(|line| printable(line).trim_matches(' ').to_string());
        Ok(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
    }

    /// Whether the word just read begins a "Clock started" line.
    fn is_clock_line(&mut self) -> Result<bool, LexError> {
        Ok(self.word == b"Clock" && self.ahead(LOOK_AHEAD)?.starts_with(b" started"))
    }

    /// The result, if the word just read and the rest of its line give it in words.
    fn closing_line(&mut self) -> Result<Option<PgnResult>, LexError> {
        if self.word.len() > 5 {
            return Ok(None);
        }
        let (result, rests): (_, &[&str]) = match self.word.to_ascii_lowercase().as_slice() {
            b"white" => (PgnResult::WhiteWins, &["win", "wins"]),
            b"black" => (PgnResult::BlackWins, &["win", "wins"]),
            b"draw" | b"drawn" => (PgnResult::Draw, &[""]),
            _ => return Ok(None),
        };
        let ahead = self.ahead(LOOK_AHEAD)?;
        let end = ahead.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        if end.is_none() && ahead.len() == LOOK_AHEAD {
            return Ok(None);
        }
        let rest = ahead[..end.unwrap_or(ahead.len())].trim_ascii();
        Ok(rests.iter().any(|words| rest.eq_ignore_ascii_case(words.as_bytes())).then_some(result))
    }

    /// Whether an Event tag begins here.
    fn event_ahead(&mut self) -> Result<bool, LexError> {
        let (name, rest) = split_tag(self.ahead(LOOK_AHEAD)?);
        Ok(name.eq_ignore_ascii_case(b"Event")
            && rest.first().is_some_and(|&byte| byte == b'"' || is_blank(byte)))
    }

    /// Whether a tag section begins here, inside a comment: an Event tag, or any tag after a blank
    /// line.
    fn game_ahead(&mut self) -> Result<bool, LexError> {
        let after_blank = self.after_blank;
        let (name, rest) = split_tag(self.ahead(LOOK_AHEAD)?);
        Ok((after_blank && !name.is_empty() || name.eq_ignore_ascii_case(b"Event"))
            && rest.trim_ascii_start().starts_with(b"\""))
    }

    /// Skips blanks, line ends and `%` lines.
    fn skip_blanks(&mut self) -> Result<(), LexError> {
        loop {
            self.skip_white()?;
            if !(self.untouched && self.peek()? == Some(b'%')) {
                return Ok(());
            }
            self.skip_line()?;
        }
    }

    /// Skips blanks and line ends.
    fn skip_white(&mut self) -> Result<(), LexError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'\n' | b'\r' => self.newline(byte)?,
                _ if is_blank(byte) => self.skip(1),
                _ => break,
            }
        }
        Ok(())
    }

    /// Skips what is left of the current line, but not its end.
    fn skip_line(&mut self) -> Result<(), LexError> {
        while self.peek()?.is_some() {
            let rest = &self.buf[self.pos..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.unwrap_or(rest.len());
            self.take(length);
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Takes bytes into `word` up to one that ends it. Line ends must be among these.
    fn take_word(&mut self, ends: impl Fn(u8) -> bool) -> Result<(), LexError> {
        self.word.clear();
        while self.peek()?.is_some() {
            let rest = &self.buf[self.pos..];
            let end = rest.iter().position(|&byte| ends(byte));
            let length = end.unwrap_or(rest.len());
            self.word.extend_from_slice(&rest[..length]);
            self.take(length);
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Uses up bytes of text.
    fn take(&mut self, length: usize) {
        self.skip(length);
        self.has_text |= length > 0;
    }

    /// Uses up blanks.
    fn skip(&mut self, length: usize) {
        self.pos += length;
        self.untouched &= length == 0;
    }

    /// Uses up a line end: LF, CR LF or CR.
    fn newline(&mut self, byte: u8) -> Result<(), LexError> {
        self.pos += if byte == b'\r' && self.ahead(2)?.ends_with(b"\n") { 2 } else { 1 };
        self.line += 1;
        self.after_blank = !self.has_text;
        self.untouched = true;
        self.has_text = false;
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>, LexError> {
        if self.pos == self.buf.len() && !self.more()? {
            return Ok(None);
        }
        Ok(self.buf.get(self.pos).copied())
    }

    /// The next bytes: `length` of them, fewer only before the end.
    fn ahead(&mut self, length: usize) -> Result<&[u8], LexError> {
        while self.buf.len() - self.pos < length && self.more()? {}
        let rest = &self.buf[self.pos..];
        Ok(&rest[..length.min(rest.len())])
    }

    /// Reads on. `false` at the end of the input.
    fn more(&mut self) -> Result<bool, LexError> {
        if self.at_end {
            return Ok(false);
        }
        if self.offset() > self.limit {
            return Err((self.line, PgnErrorKind::GameTooLong));
        }
        self.base = self.offset();
        self.buf.drain(..self.pos);
        self.pos = 0;
        loop {
            match self.input.fill_buf() {
                Ok(data) => {
                    let length = data.len().min(CHUNK);
                    self.buf.extend_from_slice(&data[..length]);
                    self.input.consume(length);
                    self.at_end = length == 0;
                    return Ok(length > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.at_end = true;
                    return Err((self.line, PgnErrorKind::Read { message: error.to_string() }));
                }
            }
        }
    }
}

/// Whether a byte separates words; control characters do.
fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

/// The text with control characters replaced by blanks.
fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The name that follows a `[`, and what follows the name.
fn split_tag(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    text.split_at(text.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count())
}

#[cfg(test)]
mod tests;
