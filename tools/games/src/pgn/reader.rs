//! The streaming reader.

use std::{io::BufRead, iter::FusedIterator};

use super::{
    MAX_NESTING, MAX_TAGS, PgnError, PgnErrorKind, PgnGame, PgnLine, PgnMove, PgnResult,
    lexer::{LexError, Lexer, Tag, Token},
};

/// Reads games one after the other; memory holds one game at a time.
///
/// A broken game is one error, after which reading goes on at the next line that begins a tag section: an Event
/// tag, or any tag after a blank line. A game without a result token ends where the next tag section or the end
/// of the file is. After [`PgnErrorKind::Read`] the iterator ends.
#[derive(Debug)]
pub struct PgnReader<R: BufRead> {
    lexer: Lexer<R>,
    /// Games and errors handed out.
    games: u64,
    /// A tag that ended the game before it, and its line.
    pending: Option<(u64, Result<Tag, LexError>)>,
    /// The line on which the last game begins.
    begins: u64,
    broken: bool,
    done: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of the games in `reader`. Nothing is read yet.
    pub fn new(reader: R) -> Self {
        Self { lexer: Lexer::new(reader), games: 0, pending: None, begins: 0, broken: false, done: false }
    }

    /// The bytes of the file used up by the games so far.
    pub fn bytes_read(&self) -> u64 {
        self.lexer.offset()
    }

    /// The line on which the last game begins that was handed out, whole or broken; from 1.
    pub fn game_line(&self) -> u64 {
        self.begins
    }

    /// Reads the next game. `None` at the end of the file.
    fn read_game(&mut self) -> Result<Option<PgnGame>, LexError> {
        if self.broken && self.pending.is_none() {
            self.lexer.resynchronise()?;
        }
        self.broken = false;
        self.lexer.begin_game()?;
        let mut game = Builder::default();
        self.begins = 0;
        if let Some((line, tag)) = self.pending.take() {
            self.begins = line;
            let (name, value) = tag?;
            game.begin(line);
            game.game.tags.set(name, value);
        }
        loop {
            let token = self.lexer.next();
            if self.begins == 0 {
                self.begins = token.as_ref().map_or_else(|(line, _)| *line, |_| self.lexer.token_line());
            }
            let token = token?;
            let line = self.lexer.token_line();
            let result = match token {
                Token::Tag => {
                    if self.tag(&mut game, line)? {
                        return game.finish(None).map(Some);
                    }
                    None
                }
                Token::Word => game.word(&self.lexer.word(), line),
                Token::Result(result) => game.result(result),
                Token::Comment(text) => {
                    game.comment(text, line);
                    None
                }
                Token::Nag(nag) => {
                    game.nag(nag);
                    None
                }
                Token::Open => {
                    game.open(line)?;
                    None
                }
                Token::Close => {
                    game.close(line)?;
                    None
                }
                Token::Stray(text) => return Err((line, PgnErrorKind::UnexpectedText { text })),
                Token::End if game.has_content() => return game.finish(None).map(Some),
                Token::End => return Ok(None),
            };
            match result {
                // A result token of no game at all, such as one given twice.
                Some(_) if game.is_empty() => self.lexer.begin_game()?,
                Some(result) => {
                    while let Some(text) = self.lexer.comment_on_line()? {
                        game.comment(text, line);
                    }
                    return game.finish(Some(result)).map(Some);
                }
                None => {}
            }
        }
    }

    /// Reads a tag. `true` if it belongs to the next game.
    fn tag(&mut self, game: &mut Builder, line: u64) -> Result<bool, LexError> {
        let first = self.lexer.token_is_first();
        let after_blank = self.lexer.after_blank();
        let tag = self.lexer.tag();
        if game.has_moves() {
            if !first && matches!(tag, Err((_, PgnErrorKind::MalformedTag))) {
                return Err((line, PgnErrorKind::UnexpectedText { text: "[".to_string() }));
            }
            self.pending = Some((line, tag));
            return Ok(true);
        }
        let (name, value) = tag?;
        let repeated = game.game.tags.get(&name).is_some();
        if repeated && (name.eq_ignore_ascii_case("Event") || first && after_blank) {
            self.pending = Some((line, Ok((name, value))));
            return Ok(true);
        }
        if !repeated && game.game.tags.len() == MAX_TAGS {
            return Err((line, PgnErrorKind::TooManyTags));
        }
        game.begin(line);
        game.game.tags.set(name, value);
        Ok(false)
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let number = self.games + 1;
        let item = match self.read_game() {
            Ok(Some(game)) => Ok(PgnGame { number, ..game }),
            Ok(None) => {
                self.done = true;
                return None;
            }
            Err((line, kind)) => {
                self.broken = true;
                self.done = matches!(kind, PgnErrorKind::Read { .. });
                Err(PgnError { number, line, kind })
            }
        };
        self.games = number;
        Some(item)
    }
}

impl<R: BufRead> FusedIterator for PgnReader<R> {}

/// A game while it is read.
#[derive(Default)]
struct Builder {
    game: PgnGame,
    /// The open variations, outermost first, each with the line of its `(`.
    open: Vec<(PgnLine, u64)>,
    /// A Thai piece designation that waits for its squares, and its line.
    piece: Option<(String, u64)>,
}

impl Builder {
    /// Notes the line of the first thing in the game.
    fn begin(&mut self, line: u64) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn has_moves(&self) -> bool {
        !self.game.moves.is_empty() || self.piece.is_some() || !self.open.is_empty()
    }

    /// Whether the end of the file makes this a game; comments alone do not.
    fn has_content(&self) -> bool {
        self.has_moves() || !self.game.tags.is_empty()
    }

    fn is_empty(&self) -> bool {
        !self.has_content() && self.game.comment.is_empty()
    }

    fn moves(&mut self) -> &mut Vec<PgnMove> {
        match self.open.last_mut() {
            Some((line, _)) => &mut line.moves,
            None => &mut self.game.moves,
        }
    }

    fn push(&mut self, text: String, line: u64) {
        self.begin(line);
        self.moves().push(PgnMove { text, line, ..PgnMove::default() });
    }

    /// A piece designation whose squares do not come is a move text of its own.
    fn end_piece(&mut self) {
        if let Some((text, line)) = self.piece.take() {
            self.push(text, line);
        }
    }

    /// Takes a run of text. `Some` if it ends the game.
    fn word(&mut self, word: &str, line: u64) -> Option<PgnResult> {
        if word.is_ascii() {
            return self.piece_of_word(word, line);
        }
        // Blanks beyond ASCII, and byte order marks of files that were put together.
        word.split(|c: char| c.is_whitespace() || c == '\u{FEFF}')
            .filter(|part| !part.is_empty())
            .find_map(|part| self.piece_of_word(part, line))
    }

    fn piece_of_word(&mut self, word: &str, line: u64) -> Option<PgnResult> {
        let (marked, nag) = split_suffix(word);
        let text = strip_number(marked);
        if let Some(result) = PgnResult::from_token(text) {
            return self.result(result);
        }
        if text.is_empty() || text == "e.p." {
            self.end_piece();
        } else if text.len() == marked.len()
            && let Some((piece, line)) = self.piece.take()
        {
            self.push(format!("{piece} {text}"), line);
        } else {
            self.end_piece();
            if nag.is_none() && is_thai_piece(text) {
                self.begin(line);
                self.piece = Some((text.to_string(), line));
                return None;
            }
            self.push(text.to_string(), line);
        }
        if let Some(nag) = nag {
            self.nag(nag);
        }
        None
    }

    /// Takes a result token: it ends the game, but not from inside a variation.
    fn result(&mut self, result: PgnResult) -> Option<PgnResult> {
        self.end_piece();
        self.open.is_empty().then_some(result)
    }

    fn nag(&mut self, nag: u16) {
        self.end_piece();
        if let Some(last) = self.moves().last_mut() {
            last.nags.push(nag);
        }
    }

    fn comment(&mut self, text: String, line: u64) {
        self.end_piece();
        self.begin(line);
        let (comment, moves) = match self.open.last_mut() {
            Some((line, _)) => (&mut line.comment, &mut line.moves),
            None => (&mut self.game.comment, &mut self.game.moves),
        };
        moves.last_mut().map_or(comment, |last| &mut last.comments).push(text);
    }

    fn open(&mut self, line: u64) -> Result<(), LexError> {
        self.end_piece();
        if self.moves().is_empty() {
            return Err((line, PgnErrorKind::VariationWithoutMove));
        }
        if self.open.len() == MAX_NESTING {
            return Err((line, PgnErrorKind::NestingTooDeep));
        }
        self.open.push((PgnLine::default(), line));
        Ok(())
    }

    fn close(&mut self, line: u64) -> Result<(), LexError> {
        self.end_piece();
        let Some((variation, _)) = self.open.pop() else { return Err((line, PgnErrorKind::StrayClosing)) };
        if variation != PgnLine::default()
            && let Some(last) = self.moves().last_mut()
        {
            last.variations.push(variation);
        }
        Ok(())
    }

    /// The game, with its result token if there is one.
    fn finish(mut self, result: Option<PgnResult>) -> Result<PgnGame, LexError> {
        self.end_piece();
        if let Some(&(_, line)) = self.open.last() {
            return Err((line, PgnErrorKind::UnclosedVariation));
        }
        let from_tag = || self.game.tags.get("Result").and_then(|value| PgnResult::from_token(value.trim()));
        self.game.result = result.or_else(from_tag).unwrap_or_default();
        Ok(self.game)
    }
}

/// Splits a suffix such as `!?` off a word.
fn split_suffix(word: &str) -> (&str, Option<u16>) {
    let text = word.trim_end_matches(['!', '?']);
    let nag = match &word.as_bytes()[text.len()..] {
        [] => return (text, None),
        b"!" => 1,
        b"?" => 2,
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', ..] => 5,
        _ => 6,
    };
    (text, Some(nag))
}

/// Strips move numbers with their dots off the front of a word. Up to three digits alone are a number too, more
/// are left as a text.
fn strip_number(mut word: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit() || ('๐'..='๙').contains(&c);
    loop {
        let dots = word.trim_start_matches(is_digit);
        let rest = dots.trim_start_matches(['.', '…']);
        if rest.len() == dots.len() {
            return if dots.is_empty() && word.chars().count() <= 3 { "" } else { word };
        }
        word = rest;
    }
}

/// Whether a text, written as a move, is read as that move again.
pub(super) fn is_move_text(text: &str) -> bool {
    let (piece, squares) = match text.split_once(' ') {
        Some((piece, squares)) => (is_thai_piece(piece), squares),
        None => (true, text),
    };
    piece
        && !squares
            .contains(|c: char| c.is_ascii_control() || c.is_whitespace() || "{}()[];$\u{FEFF}".contains(c))
        && split_suffix(squares).1.is_none()
        && strip_number(squares) == squares
        && !matches!(squares, "" | "e.p.")
        && PgnResult::from_token(squares).is_none()
}

/// Whether a text is nothing but the letter of a piece in Thai notation.
pub(super) fn is_thai_piece(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| "ขงคมรบว".contains(c)) && matches!(chars.as_str(), "" | "\u{0E47}")
}

#[cfg(test)]
mod tests;
