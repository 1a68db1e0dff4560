//! The position in the text of a PGN file: bytes ahead, words and lines.

use std::io::BufRead;

use super::{
    super::{
        PgnErrorKind,
        decode::{Decoder, MARK},
    },
    LexError,
};

/// The decoded text from the current byte on.
#[derive(Debug)]
pub(super) struct Cursor<R> {
    pub(super) input: Decoder<R>,
    /// The text as UTF-8; the bytes before `pos` are consumed.
    buf: Vec<u8>,
    pos: usize,
    /// The offset of `buf[0]` in the text.
    base: u64,
    /// The offset beyond which the game is too long.
    pub(super) limit: u64,
    at_end: bool,
    /// The bytes of the last [`Cursor::take_word`].
    pub(super) word: Vec<u8>,
    /// The current line, from 1.
    pub(super) line: u64,
    /// Whether nothing, not even a blank, has been consumed of the current line.
    untouched: bool,
    /// Whether something other than blanks has been consumed of the current line.
    pub(super) has_text: bool,
    /// Whether the line before the current one is blank or missing.
    pub(super) after_blank: bool,
}

impl<R: BufRead> Cursor<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: Decoder::new(input),
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
        }
    }

    /// The number of text bytes consumed so far.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// The number of input bytes consumed so far; an estimate where the input is not UTF-8.
    pub(super) fn bytes_read(&self) -> u64 {
        self.input.bytes_decoded().saturating_sub((self.buf.len() - self.pos) as u64)
    }

    /// Consumes the byte order mark at the start of the text.
    pub(super) fn skip_mark(&mut self) -> Result<(), LexError> {
        if self.offset() == 0 && self.ahead(3)? == MARK {
            self.pos += 3;
        }
        Ok(())
    }

    /// Skips blanks, line ends and `%` lines.
    pub(super) fn skip_blanks(&mut self) -> Result<(), LexError> {
        loop {
            self.skip_white()?;
            if !(self.untouched && self.peek()? == Some(b'%')) {
                return Ok(());
            }
            self.skip_line()?;
        }
    }

    /// Skips blanks and line ends.
    pub(super) fn skip_white(&mut self) -> Result<(), LexError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'\n' | b'\r' => self.newline(byte)?,
                _ if is_blank(byte) => self.skip(1),
                _ => break,
            }
        }
        Ok(())
    }

    /// Skips the rest of the current line, without its end.
    pub(super) fn skip_line(&mut self) -> Result<(), LexError> {
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

    /// Consumes bytes into `word` up to one that ends it. Line ends must be among these.
    pub(super) fn take_word(&mut self, ends: impl Fn(u8) -> bool) -> Result<(), LexError> {
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

    /// Consumes bytes of text.
    pub(super) fn take(&mut self, length: usize) {
        self.skip(length);
        self.has_text |= length > 0;
    }

    /// Consumes blanks.
    pub(super) fn skip(&mut self, length: usize) {
        self.pos += length;
        self.untouched &= length == 0;
    }

    /// Consumes a line end: LF, CR LF or CR.
    pub(super) fn newline(&mut self, byte: u8) -> Result<(), LexError> {
        self.pos += if byte == b'\r' && self.ahead(2)?.ends_with(b"\n") { 2 } else { 1 };
        self.line += 1;
        self.after_blank = !self.has_text;
        self.untouched = true;
        self.has_text = false;
        Ok(())
    }

    pub(super) fn peek(&mut self) -> Result<Option<u8>, LexError> {
        if self.pos == self.buf.len() && !self.more()? {
            return Ok(None);
        }
        Ok(self.buf.get(self.pos).copied())
    }

    /// The next `length` bytes, fewer only at the end of the text.
    pub(super) fn ahead(&mut self, length: usize) -> Result<&[u8], LexError> {
        while self.buf.len() - self.pos < length && self.more()? {}
        let rest = &self.buf[self.pos..];
        Ok(&rest[..length.min(rest.len())])
    }

    /// Reads more text. Returns `false` at the end of the input.
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
        match self.input.read(&mut self.buf) {
            Ok(more) => {
                self.at_end = !more;
                Ok(more)
            }
            Err(error) => {
                self.at_end = true;
                Err((self.line, PgnErrorKind::Read { message: error.to_string() }))
            }
        }
    }
}

/// Whether a byte separates words, as control characters do.
pub(super) fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}
