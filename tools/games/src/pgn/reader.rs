//! The streaming reader of PGN.

use std::{io::BufRead, iter::FusedIterator};

use super::{
    MAX_NESTING, MAX_TAGS, Origin, PgnError, PgnErrorKind, PgnGame, PgnLine, PgnMove, PgnResult, PgnWarning,
    PgnWarningKind,
    lexer::{LexError, Lexer, Tag, Token},
    words::{self, Part},
};

/// Reads games one after the other, with one game in memory at a time.
///
/// A broken game is one error, after which reading goes on at the next line that begins a tag section: an Event tag, or
/// any tag after a blank line. A game without a result token ends at the next tag section or the end of the file. After
/// [`PgnErrorKind::Read`] the iterator ends.
///
/// Text that is not UTF-8 is read as UTF-16 if it has that byte order mark, else as Windows-874 or Windows-1252,
/// whichever fits (with the feature `encodings`). Anything read differently from the file is a
/// [warning](Self::take_warnings).
#[derive(Debug)]
pub struct PgnReader<R: BufRead> {
    lexer: Lexer<R>,
    /// The number of games and errors returned.
    games: u64,
    /// The tag that ended the game before it, with its line.
    pending: Option<(u64, Result<Tag, LexError>)>,
    /// The line on which the last game begins.
    begins: u64,
    broken: bool,
    done: bool,
    /// The result of the last game, until anything else is read.
    last_result: Option<PgnResult>,
    warnings: Vec<PgnWarning>,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of the games in `reader`. Nothing is read yet.
    pub fn new(reader: R) -> Self {
        Self {
            lexer: Lexer::new(reader),
            games: 0,
            pending: None,
            begins: 0,
            broken: false,
            done: false,
            last_result: None,
            warnings: Vec::new(),
        }
    }

    /// A reader of a part of a file, which begins with a line and a game of its own.
    pub fn part(reader: R, origin: Origin) -> Self {
        let mut part = Self::new(reader);
        part.lexer.skip_lines(origin.lines);
        part.games = origin.games;
        part
    }

    /// The number of file bytes consumed by the games so far.
    pub fn bytes_read(&self) -> u64 {
        self.lexer.bytes_read()
    }

    /// The warnings since the last call: about the games returned since then, and about encodings, which may be found
    /// some lines ahead.
    pub fn take_warnings(&mut self) -> Vec<PgnWarning> {
        let mut warnings = std::mem::take(&mut self.warnings);
        let encodings = self.lexer.take_encodings().into_iter();
        warnings.extend(
            encodings
                .map(|(line, encoding)| PgnWarning { line, kind: PgnWarningKind::Encoding { encoding } }),
        );
        warnings
    }

    /// The line on which the last returned game begins, whole or broken; from 1.
    pub fn game_line(&self) -> u64 {
        self.begins
    }

    /// Reads the next game. Returns `None` at the end of the file.
    fn read_game(&mut self) -> Result<Option<PgnGame>, LexError> {
        if self.broken && self.pending.is_none() {
            self.pending = self.lexer.cut_tag();
            if self.pending.is_none() {
                self.lexer.resynchronise()?;
            }
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
                        return self.finish(game, None, line).map(Some);
                    }
                    None
                }
                Token::Word if self.is_heading(&game) => match self.lexer.heading()? {
                    Some(lines) => {
                        self.warnings.push(PgnWarning { line, kind: PgnWarningKind::Heading });
                        lines.into_iter().for_each(|text| game.comment(text, line));
                        None
                    }
                    None => game.word(&self.lexer.word(), line),
                },
                Token::Word => {
                    if game.open.is_empty() && words::is_number(&self.lexer.word()) && !game.takes_rank() {
                        self.lexer.take_number_parenthesis()?;
                    }
                    game.word(&self.lexer.word(), line)
                }
                Token::Result(result, more) => {
                    if game.open.is_empty()
                        && !game.is_empty()
                        && let Some(text) = more
                    {
                        game.comment(text, line);
                    }
                    game.result(result)
                }
                Token::Comment(text) => {
                    game.comment(text, line);
                    None
                }
                Token::Nag(nag) => {
                    game.nag(nag);
                    None
                }
                Token::Open => {
                    self.open(&mut game, line)?;
                    None
                }
                Token::Close => {
                    game.close(line)?;
                    None
                }
                Token::Stray(text) => return Err((line, PgnErrorKind::UnexpectedText { text })),
                Token::End if game.has_content() => return self.finish(game, None, line).map(Some),
                Token::End => return Ok(None),
            };
            match result {
                // A result token without a game, such as a repeated one.
                Some(result) if game.is_empty() => {
                    self.compare_results(self.last_result, result, line);
                    self.lexer.begin_game()?;
                }
                Some(result) => {
                    while let Some(text) = self.lexer.comment_on_line()? {
                        game.comment(text, line);
                    }
                    return self.finish(game, Some(result), line).map(Some);
                }
                None => {}
            }
        }
    }

    /// Whether the last word could begin a heading, lines before the moves of a game.
    fn is_heading(&self, game: &Builder) -> bool {
        self.lexer.token_is_first() && !game.has_moves() && !words::could_be_move(&self.lexer.word())
    }

    /// Handles a `(`: of a variation, a promotion, or a draw offer.
    fn open(&mut self, game: &mut Builder, line: u64) -> Result<(), LexError> {
        game.end_piece();
        if let Some(last) = game.moves().last_mut() {
            if words::may_promote(&last.text)
                && let Some(letter) = self.lexer.take_parenthesised(&words::PROMOTIONS)?
            {
                last.text = words::promoted(&last.text, letter);
                return Ok(());
            }
            if self.lexer.take_parenthesised(&[words::DRAW_OFFER])?.is_some() {
                last.comments.push(format!("({})", words::DRAW_OFFER));
                return Ok(());
            }
        }
        game.open(line)
    }

    /// Finishes the game, with the result at the end of its movetext if there is one.
    fn finish(&mut self, game: Builder, end: Option<PgnResult>, line: u64) -> Result<PgnGame, LexError> {
        let mut game = game.finish()?;
        let tag = game.tags.get("Result").and_then(|value| PgnResult::from_token(value.trim()));
        game.result = match (end, tag) {
            // `*` says less than any other result.
            (Some(PgnResult::Unknown) | None, Some(tag)) => tag,
            (end, _) => end.unwrap_or_default(),
        };
        self.last_result = Some(game.result);
        for other in [end, tag.filter(|tag| *tag != PgnResult::Unknown)].into_iter().flatten() {
            self.compare_results(Some(game.result), other, line);
        }
        Ok(game)
    }

    /// Warns if a game has two different results.
    fn compare_results(&mut self, kept: Option<PgnResult>, dropped: PgnResult, line: u64) {
        if let Some(kept) = kept.filter(|kept| *kept != dropped) {
            self.warnings.push(PgnWarning { line, kind: PgnWarningKind::Results { kept, dropped } });
        }
    }

    /// Reads a tag. Returns `true` if it belongs to the next game.
    fn tag(&mut self, game: &mut Builder, line: u64) -> Result<bool, LexError> {
        let first = self.lexer.token_is_first();
        let after_blank = self.lexer.after_blank();
        let tag = self.lexer.tag();
        if game.has_moves() {
            if !first
                && matches!(tag, Err((_, PgnErrorKind::MalformedTag | PgnErrorKind::UnclosedTag { .. })))
            {
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
                self.last_result = None;
                self.done = matches!(kind, PgnErrorKind::Read { .. });
                Err(PgnError { number, line, kind })
            }
        };
        self.games = number;
        Some(item)
    }
}

impl<R: BufRead> FusedIterator for PgnReader<R> {}

/// A game that is being read.
#[derive(Default)]
struct Builder {
    game: PgnGame,
    /// The open variations, outermost first, each with the line of its `(`.
    open: Vec<(PgnLine, u64)>,
    /// A Thai piece letter that waits for its squares, with its line.
    piece: Option<(String, u64)>,
    /// The words of an incomplete move with blanks inside, each with its line: `N b 1 -`.
    parts: Vec<(String, u64)>,
    /// Whether the last move is a square alone with nothing after it, so that `-` and another square may follow.
    may_go_on: bool,
}

impl Builder {
    /// Sets the line of the game to that of its first part.
    fn begin(&mut self, line: u64) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn has_moves(&self) -> bool {
        !self.game.moves.is_empty() || self.piece.is_some() || !self.parts.is_empty() || !self.open.is_empty()
    }

    /// Whether this counts as a game at the end of the file; comments alone do not.
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
        self.may_go_on = Part::new(&text) == Part::Square;
        self.moves().push(PgnMove { text, line, ..PgnMove::default() });
    }

    /// Ends an incomplete move: a piece letter whose squares do not come is a move text of its own, and so is each word
    /// of a move without an end.
    fn end_piece(&mut self) {
        if let Some((text, line)) = self.piece.take() {
            self.push(text, line);
        }
        for (text, line) in std::mem::take(&mut self.parts) {
            if !words::is_number(&text) {
                self.push(text, line);
            }
        }
        self.may_go_on = false;
    }

    /// The waiting words, joined.
    fn joined(&self) -> String {
        self.parts.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Whether the incomplete move can go on with the number of a rank.
    fn takes_rank(&self) -> bool {
        !self.parts.is_empty() && Part::new(&(self.joined() + "1")) != Part::No
    }

    /// Handles a word. Returns `Some` if it ends the game.
    fn word(&mut self, word: &str, line: u64) -> Option<PgnResult> {
        if word.is_ascii() {
            return self.piece_of_word(word, line);
        }
        word.split(words::is_separator)
            .map(|part| part.replace(words::is_invisible, ""))
            .filter(|part| !part.is_empty())
            .find_map(|part| self.piece_of_word(&part, line))
    }

    fn piece_of_word(&mut self, word: &str, line: u64) -> Option<PgnResult> {
        let (marked, nags) = words::split_annotations(word);
        if self.part_of_move(marked, line) {
            nags.into_iter().for_each(|nag| self.nag(nag));
            return None;
        }
        // Such as `1.=`, where the sign stands alone.
        let (text, mut signs) = words::split_annotations(words::strip_number(marked));
        signs.extend(nags);
        let nags = signs;
        if let Some(result) = PgnResult::from_token(text) {
            return self.result(result);
        }
        if text.is_empty() || text == "e.p." {
            self.end_piece();
        } else if let Some(sign) = words::check_sign(text) {
            self.end_piece();
            if let Some(last) = self.moves().last_mut()
                && last.text.ends_with(char::is_alphanumeric)
            {
                last.text.push(sign);
            }
        } else if text.len() == marked.len()
            && let Some((piece, line)) = self.piece.take()
        {
            self.push(format!("{piece} {text}"), line);
        } else {
            self.end_piece();
            if nags.is_empty() && words::is_thai_piece(text) {
                self.begin(line);
                self.piece = Some((text.to_string(), line));
                return None;
            }
            if nags.is_empty() && Part::new(text) == Part::Begun {
                self.begin(line);
                self.parts.push((text.to_string(), line));
                return None;
            }
            self.push(text.to_string(), line);
        }
        nags.into_iter().for_each(|nag| self.nag(nag));
        None
    }

    /// Handles a word that continues a move with blanks inside, up to its second square: `N b 1 - c 3+`. One square is
    /// not enough: in damaged records letters and numbers stand apart, too.
    fn part_of_move(&mut self, word: &str, line: u64) -> bool {
        if self.may_go_on
            && words::is_lone_sign(word)
            && let Some(last) = self.moves().pop()
        {
            self.may_go_on = false;
            self.parts = vec![(last.text, last.line), (word.to_owned(), line)];
            return true;
        }
        let squares = word.trim_end_matches(['+', '#']);
        if self.parts.is_empty() || squares.is_empty() {
            return false;
        }
        let joined = self.joined() + squares;
        match Part::new(&joined) {
            Part::Whole => {
                let begins = self.parts.first().map_or(line, |(_, line)| *line);
                self.parts.clear();
                self.push(words::with_plain_sign(&joined) + &word[squares.len()..], begins);
            }
            Part::Begun | Part::Square if squares.len() == word.len() => {
                self.parts.push((word.to_owned(), line));
            }
            _ => return false,
        }
        true
    }

    /// Handles a result token: it ends the game, unless it is inside a variation.
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

    /// The game, without its result.
    fn finish(mut self) -> Result<PgnGame, LexError> {
        self.end_piece();
        match self.open.last() {
            Some(&(_, line)) => Err((line, PgnErrorKind::UnclosedVariation)),
            None => Ok(self.game),
        }
    }
}

#[cfg(test)]
mod tests;
