//! Decodes the bytes of a file to UTF-8: the first step of the reader.
//!
//! A byte order mark decides for the whole file. Otherwise each line that is not UTF-8 is taken for Windows-874 (Thai)
//! or Windows-1252 (Latin), by its own bytes or, if they fit both, by the rest of the file.

use std::fmt;
use std::io::{self, BufRead, ErrorKind};

/// The most bytes read from the input at once, and the most held back to find the encoding.
const CHUNK: usize = 1 << 16;

/// The byte order mark of UTF-8.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with invalid bytes, which are read as Windows-1252.
    DamagedUtf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// Thai in 8 bits; TIS-620 and ISO 8859-11 are parts of it.
    Windows874,
    /// Western European letters in 8 bits; ISO 8859-1 is a part of it.
    Windows1252,
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::DamagedUtf8 => "UTF-8 with other bytes in it (these as Windows-1252)",
            Self::Utf16Le => "UTF-16, low byte first",
            Self::Utf16Be => "UTF-16, high byte first",
            Self::Windows874 => "Windows-874 (Thai)",
            Self::Windows1252 => "Windows-1252 (Latin)",
        })
    }
}

impl TextEncoding {
    /// The encoding of a whole text, by its byte order mark or its content.
    pub fn detect(bytes: &[u8]) -> Self {
        match bytes {
            [0xFF, 0xFE, ..] => Self::Utf16Le,
            [0xFE, 0xFF, ..] => Self::Utf16Be,
            _ if std::str::from_utf8(bytes).is_ok() => Self::Utf8,
            _ if bytes.starts_with(MARK) => Self::DamagedUtf8,
            _ => Self::guess(bytes, b' ').unwrap_or(Self::Windows1252),
        }
    }

    /// The label of the encoding in a browser's `TextDecoder`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Utf8 | Self::DamagedUtf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows874 => "windows-874",
            Self::Windows1252 => "windows-1252",
        }
    }

    /// The encoding of a text that is not UTF-8 and follows the byte `before`; `None` if it can be either.
    fn guess(bytes: &[u8], before: u8) -> Option<Self> {
        let (mut pairs, mut longer, mut thai, mut bad) = (0, 0, 0, 0);
        for chunk in bytes.utf8_chunks() {
            bad += chunk.invalid().len();
            for letter in chunk.valid().chars() {
                pairs += usize::from(letter.len_utf8() == 2);
                longer += usize::from(letter.len_utf8() > 2);
                thai += usize::from(('\u{E00}'..='\u{E7F}').contains(&letter));
            }
        }
        // Two bytes of Windows-874 often look like a UTF-8 letter, three seldom do, and hardly ever like a Thai one.
        if 3 * thai > bad || longer > bad {
            return Some(Self::DamagedUtf8);
        }
        match thai_or_latin(bytes, before) {
            Some(Self::Windows874) => Some(Self::Windows874),
            _ if pairs + longer > bad => Some(Self::DamagedUtf8),
            other => other,
        }
    }
}

/// Windows-874 or Windows-1252; `None` if both are equally likely.
///
/// Thai words are runs of bytes beyond ASCII; Latin words have single ones among ASCII letters.
fn thai_or_latin(bytes: &[u8], before: u8) -> Option<TextEncoding> {
    // Signs that both code pages have at the same place: quotation marks, dashes, a blank.
    let is_shared = |byte: u8| matches!(byte, 0x80 | 0x85 | 0x91..=0x97 | 0xA0);
    let is_high = |byte: u8| byte >= 0x80 && !is_shared(byte);
    let is_thai = |byte: u8| matches!(byte, 0xA1..=0xDA | 0xDF..=0xFB);
    // Vowels above and below and tone marks, which begin no word.
    let is_mark = |byte: u8| matches!(byte, 0xD1 | 0xD4..=0xDA | 0xE7..=0xEE);
    // The x of a capture stands among Thai letters, too.
    let is_latin = |byte: u8| byte.is_ascii_alphabetic() && !byte.eq_ignore_ascii_case(&b'x');
    let (mut thai, mut latin) = (0, 0);
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|&&byte| is_high(byte)).count();
        if run == 0 {
            at += 1;
            continue;
        }
        let word = &bytes[at..at + run];
        if !word.iter().all(|&byte| is_thai(byte)) {
            return Some(TextEncoding::Windows1252);
        }
        let previous = if at == 0 { before } else { bytes[at - 1] };
        let touches = is_latin(previous) || bytes.get(at + run).is_some_and(|&byte| is_latin(byte));
        if run < 3 && touches || run > 1 && is_mark(word[0]) {
            latin += 1;
        } else if run > 1 {
            thai += run;
        }
        at += run;
    }
    match thai.cmp(&latin) {
        std::cmp::Ordering::Greater => Some(TextEncoding::Windows874),
        std::cmp::Ordering::Less => Some(TextEncoding::Windows1252),
        std::cmp::Ordering::Equal => None,
    }
}

/// Converts the bytes of `input` to UTF-8.
///
/// It holds back at most one chunk: the first text beyond ASCII, to find the encoding, and later each line beyond ASCII
/// until it is complete. The output does not depend on the sizes of the reads.
#[derive(Debug)]
pub(super) struct Decoder<R> {
    input: R,
    /// Whether the first bytes have been seen.
    begun: bool,
    #[cfg(feature = "encodings")]
    utf16: Option<(encoding_rs::Decoder, TextEncoding)>,
    /// Bytes of an incomplete line, from the first one beyond ASCII.
    held: Vec<u8>,
    /// The byte before `held`.
    before: u8,
    /// Whether `held` is the first text beyond ASCII.
    is_first: bool,
    /// Whether the file begins with the byte order mark of UTF-8.
    is_utf8: bool,
    /// The encoding of the last line that is not UTF-8.
    assumed: Option<TextEncoding>,
    /// The encodings other than UTF-8 that were found.
    found: Vec<TextEncoding>,
    /// Encodings not yet reported, each with its first line.
    news: Vec<(u64, TextEncoding)>,
    /// The number of line ends in the output so far.
    lines: u64,
    /// The last byte of the output so far.
    last: u8,
    /// The number of input bytes read.
    taken: u64,
    /// An error of the input, to be returned after what is held.
    error: Option<io::Error>,
}

impl<R: BufRead> Decoder<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            begun: false,
            #[cfg(feature = "encodings")]
            utf16: None,
            held: Vec::new(),
            before: b'\n',
            is_first: true,
            is_utf8: false,
            assumed: None,
            found: Vec::new(),
            news: Vec::new(),
            lines: 0,
            last: b'\n',
            taken: 0,
            error: None,
        }
    }

    /// The number of input bytes that the output so far stands for.
    pub(super) fn bytes_decoded(&self) -> u64 {
        self.taken - self.held.len() as u64
    }

    /// Encodings found since the last call, each with the line on which it first occurs.
    pub(super) fn take_news(&mut self) -> Vec<(u64, TextEncoding)> {
        std::mem::take(&mut self.news)
    }

    /// Appends text to `out`. Returns `false` at the end of the input.
    pub(super) fn read(&mut self, out: &mut Vec<u8>) -> io::Result<bool> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let length = out.len();
        if !self.begun {
            self.begun = true;
            self.read_mark()?;
        }
        while out.len() == length {
            let data = match self.input.fill_buf() {
                Ok(data) => &data[..data.len().min(CHUNK)],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if self.held.is_empty() => return Err(error),
                Err(error) => {
                    self.error = Some(error);
                    self.release(out, true);
                    break;
                }
            };
            let count = data.len();
            #[cfg(feature = "encodings")]
            if let Some((decoder, encoding)) = &mut self.utf16 {
                if decode_utf16(decoder, data, out) {
                    let encoding = *encoding;
                    note(&mut self.found, &mut self.news, self.lines + 1, encoding);
                }
                self.lines += line_ends(&out[length..], &mut self.last);
                self.input.consume(count);
                self.taken += count as u64;
                if count == 0 {
                    // A decoder that has been given the end takes no more.
                    self.utf16 = None;
                    break;
                }
                continue;
            }
            if count == 0 {
                self.release(out, true);
                break;
            }
            // `held` grows by as much of the data as is needed to go on.
            let used = if self.held.is_empty() {
                let ascii = data.iter().position(|&byte| byte >= 0x80).unwrap_or(count);
                out.extend_from_slice(&data[..ascii]);
                self.lines += line_ends(&data[..ascii], &mut self.last);
                if ascii < count {
                    self.before = self.last;
                    self.held.push(data[ascii]);
                }
                (ascii + 1).min(count)
            } else {
                let room = &data[..count.min(CHUNK - self.held.len())];
                let end =
                    room.iter().position(|byte| matches!(byte, b'\n' | b'\r')).filter(|_| !self.is_first);
                let used = end.map_or(room.len(), |end| end + 1);
                self.held.extend_from_slice(&room[..used]);
                used
            };
            self.input.consume(used);
            self.taken += used as u64;
            if self.held.len() == CHUNK || !self.is_first && matches!(self.held.last(), Some(b'\n' | b'\r')) {
                self.release(out, false);
            }
        }
        Ok(out.len() > length)
    }

    /// Consumes the byte order mark of UTF-16, if there is one.
    fn read_mark(&mut self) -> io::Result<()> {
        let mut mark = Vec::new();
        while mark.len() < 2 {
            match self.input.fill_buf() {
                Ok([]) => break,
                Ok(data) => {
                    let more = matches!(
                        (mark.as_slice(), data[0]),
                        ([], 0xFE | 0xFF) | ([0xFF], 0xFE) | ([0xFE], 0xFF)
                    );
                    if !more {
                        break;
                    }
                    mark.push(data[0]);
                    self.input.consume(1);
                    self.taken += 1;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if mark.is_empty() => return Err(error),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        #[cfg(feature = "encodings")]
        match mark.as_slice() {
            [0xFF, 0xFE] => {
                self.utf16 =
                    Some((encoding_rs::UTF_16LE.new_decoder_without_bom_handling(), TextEncoding::Utf16Le));
                return Ok(());
            }
            [0xFE, 0xFF] => {
                self.utf16 =
                    Some((encoding_rs::UTF_16BE.new_decoder_without_bom_handling(), TextEncoding::Utf16Be));
                return Ok(());
            }
            _ => {}
        }
        self.held = mark;
        Ok(())
    }

    /// Outputs the complete lines of `held`; the rest, too, if there is no room for more or `is_end`.
    fn release(&mut self, out: &mut Vec<u8>, is_end: bool) {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.is_first) {
            self.is_utf8 = self.taken == held.len() as u64 && held.starts_with(MARK);
            let is_eight_bits = !self.is_utf8 && std::str::from_utf8(&held).is_err();
            let guess = is_eight_bits.then(|| TextEncoding::guess(&held, self.before)).flatten();
            self.assumed = guess.filter(|guess| *guess != TextEncoding::DamagedUtf8);
        }
        let mut rest = held.as_slice();
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = match end {
                Some(end) => end + 1,
                None if is_end => rest.len(),
                // An overlong line is cut, but not inside a letter.
                None if rest.len() == CHUNK => rest.len() - unfinished(rest),
                None if rest.is_ascii() => rest.len(),
                None => break,
            };
            let (line, after) = rest.split_at(length);
            self.decode_line(line, out);
            rest = after;
        }
        self.held = rest.to_vec();
    }

    /// Outputs a line, or a part of one.
    fn decode_line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        // In a file in Windows-874 a short word can look like UTF-8, but not like Thai letters in UTF-8.
        let is_thai = |text: &str| {
            self.assumed == Some(TextEncoding::Windows874)
                && !text.contains(|letter| matches!(letter, '\u{E00}'..='\u{E7F}' | '\u{FEFF}'))
                && thai_or_latin(line, self.before) == Some(TextEncoding::Windows874)
        };
        match std::str::from_utf8(line) {
            Ok(text) if is_thai(text) => {
                note(&mut self.found, &mut self.news, self.lines + 1, TextEncoding::Windows874);
                decode(line, TextEncoding::Windows874, out);
            }
            Ok(_) => out.extend_from_slice(line),
            Err(_) => {
                let guess = || TextEncoding::guess(line, self.before).or(self.assumed);
                let damaged = self.is_utf8.then_some(TextEncoding::DamagedUtf8);
                let encoding = damaged.or_else(guess).unwrap_or(TextEncoding::Windows1252);
                if encoding != TextEncoding::DamagedUtf8 {
                    self.assumed = Some(encoding);
                }
                note(&mut self.found, &mut self.news, self.lines + 1, encoding);
                decode(line, encoding, out);
            }
        }
        self.lines += line_ends(&out[start..], &mut self.last);
        self.before = line.last().copied().unwrap_or(self.before);
    }
}

/// Records an encoding that is found for the first time.
fn note(
    found: &mut Vec<TextEncoding>,
    news: &mut Vec<(u64, TextEncoding)>,
    line: u64,
    encoding: TextEncoding,
) {
    if !found.contains(&encoding) {
        found.push(encoding);
        news.push((line, encoding));
    }
}

/// Counts the line ends in a text: LF, CR LF and CR. `last` is the byte before the text, and is set to its last byte.
fn line_ends(text: &[u8], last: &mut u8) -> u64 {
    let feeds = text.iter().filter(|&&byte| byte == b'\n').count();
    let returns = text.iter().filter(|&&byte| byte == b'\r').count();
    let pairs = if returns == 0 { 0 } else { text.windows(2).filter(|pair| pair == b"\r\n").count() };
    let begins_with_pair = *last == b'\r' && text.first() == Some(&b'\n');
    *last = text.last().copied().unwrap_or(*last);
    (feeds + returns - pairs - usize::from(begins_with_pair)) as u64
}

/// The number of bytes at the end of a text that begin an incomplete UTF-8 letter.
fn unfinished(text: &[u8]) -> usize {
    match text.utf8_chunks().last() {
        Some(chunk) if chunk.invalid().len() < 4 && !chunk.invalid().is_empty() => chunk.invalid().len(),
        _ => 0,
    }
}

/// Appends UTF-16 to a text; no data means the end. Returns whether some of it is no letter.
#[cfg(feature = "encodings")]
fn decode_utf16(decoder: &mut encoding_rs::Decoder, mut data: &[u8], out: &mut Vec<u8>) -> bool {
    let is_end = data.is_empty();
    let mut is_damaged = false;
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(data.len()).unwrap_or(4 * CHUNK));
    loop {
        let (result, read, damaged) = decoder.decode_to_string(data, &mut text, is_end);
        is_damaged |= damaged;
        data = &data[read..];
        match result {
            encoding_rs::CoderResult::InputEmpty => break,
            encoding_rs::CoderResult::OutputFull => text.reserve(CHUNK),
        }
    }
    out.extend_from_slice(text.as_bytes());
    is_damaged
}

/// Appends a line in an 8-bit encoding to a text.
#[cfg(feature = "encodings")]
fn decode(line: &[u8], encoding: TextEncoding, out: &mut Vec<u8>) {
    let mut add = |bytes: &[u8], table: &'static encoding_rs::Encoding| {
        out.extend_from_slice(table.decode_without_bom_handling(bytes).0.as_bytes());
    };
    match encoding {
        TextEncoding::Windows874 => add(line, encoding_rs::WINDOWS_874),
        TextEncoding::Windows1252 => add(line, encoding_rs::WINDOWS_1252),
        _ => {
            for chunk in line.utf8_chunks() {
                add(chunk.valid().as_bytes(), encoding_rs::UTF_8);
                add(chunk.invalid(), encoding_rs::WINDOWS_1252);
            }
        }
    }
}

/// Appends a line that is not UTF-8 to a text: without the tables of other encodings its bytes are lost.
#[cfg(not(feature = "encodings"))]
fn decode(line: &[u8], _: TextEncoding, out: &mut Vec<u8>) {
    out.extend_from_slice(String::from_utf8_lossy(line).as_bytes());
}

#[cfg(test)]
mod tests;
