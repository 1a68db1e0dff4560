//! The writer of PGN.

use std::io::{self, Write};

use super::{
    MAX_NESTING, PgnGame, PgnLine, PgnMove, PgnResult,
    words::{are_joined, could_be_move, is_move_text},
};

/// The longest line of movetext, in characters. A single word may be longer.
const WIDTH: usize = 80;

/// The tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Writes games in export format: the Seven Tag Roster, the other tags, a blank line, the movetext in lines of
/// up to 80 characters, a blank line.
#[derive(Debug)]
pub struct PgnWriter<W: Write> {
    output: W,
}

impl<W: Write> PgnWriter<W> {
    /// A writer to `output`. Each game is one write.
    pub fn new(output: W) -> Self {
        Self { output }
    }

    /// Writes a game. Missing tags of the roster get the value unknown. The Result tag gets the result of the game,
    /// even in place of another result.
    ///
    /// # Errors
    ///
    /// `InvalidInput`, and nothing is written, if a move text or the name of a tag could not be read again (such
    /// as one that is empty or holds blanks or punctuation of PGN) or if variations are nested more than
    /// [`MAX_NESTING`] deep. Otherwise the errors of the output.
    pub fn write_game(&mut self, game: &PgnGame) -> io::Result<()> {
        let mut text = String::new();
        for name in ROSTER {
            let result = game.result.to_string();
            let default = match name {
                "Date" => "????.??.??",
                "Result" => &result,
                _ => "?",
            };
            let value = game.tags.get(name).unwrap_or(default);
            // So that the Result tag and the end of the movetext do not contradict one another.
            let is_result = name == "Result" && PgnResult::from_token(value.trim()).is_some();
            write_tag(&mut text, name, if is_result { default } else { value })?;
        }
        for (name, value) in game.tags.iter() {
            if !ROSTER.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                write_tag(&mut text, name, value)?;
            }
        }
        text.push('\n');
        let mut movetext = Movetext { text, ..Movetext::default() };
        movetext.comments(&game.comment);
        movetext.moves(&game.moves, first_ply(game.tags.get("FEN")), 0)?;
        movetext.put(&game.result.to_string());
        movetext.flush();
        movetext.text.push_str("\n\n");
        self.output.write_all(movetext.text.as_bytes())
    }

    /// The output, which is not flushed.
    pub fn into_inner(self) -> W {
        self.output
    }
}

fn write_tag(text: &mut String, name: &str, value: &str) -> io::Result<()> {
    if name.is_empty() || name.contains(|c: char| c <= ' ' || c == '\u{7F}' || "\"[]".contains(c)) {
        return Err(invalid(format!("not the name of a PGN tag: {name:?}")));
    }
    let value = value.replace(char::is_control, " ").replace('\\', r"\\").replace('"', r#"\""#);
    *text += &format!("[{name} \"{value}\"]\n");
    Ok(())
}

/// The ply of the first move, from the number and the side to move (the last and the second field) of a FEN: twice the
/// move number, plus one for Black.
fn first_ply(fen: Option<&str>) -> u64 {
    let fen = fen.unwrap_or_default();
    let fields = || fen.split(|letter: char| letter.is_whitespace() || letter == '_');
    let number =
        fields().rfind(|field| !field.is_empty()).and_then(|field| field.parse::<u32>().ok()).unwrap_or(1);
    let black = fields().filter(|field| !field.is_empty()).nth(1) == Some("b");
    2 * u64::from(number) + u64::from(black)
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// Movetext that is being written.
#[derive(Default)]
struct Movetext {
    text: String,
    /// The number of characters on the current line.
    column: usize,
    /// The next word to write; its closing sign may still be missing.
    word: String,
    /// Whether the next word continues this one.
    joined: bool,
}

impl Movetext {
    /// Writes a line of moves, of which the first has the number `ply`.
    fn moves(&mut self, moves: &[PgnMove], mut ply: u64, depth: usize) -> io::Result<()> {
        if depth > MAX_NESTING {
            return Err(invalid(format!("variations nested more than {MAX_NESTING} deep")));
        }
        let mut interrupted = true;
        let mut previous = "";
        for one in moves {
            // A number also separates words that would be read as one move.
            interrupted |= are_joined(previous, &one.text);
            if ply.is_multiple_of(2) {
                self.put(&format!("{}.", ply / 2));
            } else if interrupted {
                self.put(&format!("{}...", ply / 2));
            }
            if !is_move_text(&one.text) {
                return Err(invalid(format!("not the text of a PGN move: {:?}", one.text)));
            }
            // At the start of a line, the first move could be taken for a heading.
            let is_like_heading = depth == 0 && previous.is_empty() && !could_be_move(&one.text);
            if is_like_heading || is_line_of_words(&one.text) {
                self.join();
            }
            previous = &one.text;
            self.put(&one.text);
            for nag in &one.nags {
                self.put(&format!("${nag}"));
            }
            interrupted = self.comments(&one.comments);
            for variation in &one.variations {
                interrupted |= self.variation(variation, ply, depth + 1)?;
            }
            ply += 1;
        }
        Ok(())
    }

    /// Writes a variation. Returns `false` if it is empty.
    fn variation(&mut self, line: &PgnLine, ply: u64, depth: usize) -> io::Result<bool> {
        if line.moves.is_empty() && line.comment.iter().all(|text| clean(text).is_empty()) {
            return Ok(false);
        }
        self.put("(");
        self.joined = true;
        self.comments(&line.comment);
        self.moves(&line.moves, ply, depth)?;
        self.word.push(')');
        Ok(true)
    }

    /// Writes comments. Returns `false` if all are empty.
    fn comments(&mut self, comments: &[String]) -> bool {
        let mut any = false;
        for text in comments.iter().map(|text| clean(text)).filter(|text| !text.is_empty()) {
            any = true;
            self.put("{");
            self.joined = true;
            let mut after_blank = false;
            for (at, word) in text.split(' ').enumerate() {
                // Only a single blank may become a line end, and not before what could be taken for a tag.
                if at > 0 && (after_blank || word.is_empty() || is_tag_start(word)) {
                    self.join();
                }
                self.put(word);
                after_blank = word.is_empty();
            }
            self.word.push('}');
        }
        any
    }

    /// Appends a word.
    fn put(&mut self, word: &str) {
        if !self.joined {
            self.flush();
        }
        self.joined = false;
        self.word.push_str(word);
    }

    /// Keeps the next word on the same line.
    fn join(&mut self) {
        self.word.push(' ');
        self.joined = true;
    }

    /// Appends the waiting word to the text.
    fn flush(&mut self) {
        let width = self.word.chars().count();
        if width == 0 {
            return;
        }
        if self.column > 0 && self.column + 1 + width > WIDTH && !self.word.starts_with('%') {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += width;
        self.word.clear();
    }
}

/// Whether a move at the start of a line could begin a result in words that the reader accepts.
fn is_line_of_words(text: &str) -> bool {
    ["Clock", "White", "Black", "Draw", "Drawn", "Game"].iter().any(|known| known.eq_ignore_ascii_case(text))
}

/// Whether a word of a comment, at the start of a line, could begin an Event tag.
fn is_tag_start(word: &str) -> bool {
    word == "[" || word.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("[Event"))
}

/// The text of a comment without what may not stand between braces.
fn clean(text: &str) -> String {
    text.replace(char::is_control, " ").replace('}', ")").trim_matches(' ').to_string()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{PgnReader, PgnResult, Tags},
        *,
    };

    fn written(game: &PgnGame) -> String {
        let mut writer = PgnWriter::new(Vec::new());
        writer.write_game(game).unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    }

    fn read(text: &str) -> PgnGame {
        let mut games: Vec<_> = PgnReader::new(text.as_bytes()).collect();
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap()
    }

    /// The game without number and lines.
    fn bare(mut game: PgnGame) -> PgnGame {
        fn strip(moves: &mut [PgnMove]) {
            for one in moves {
                one.line = 0;
                one.variations.iter_mut().for_each(|line| strip(&mut line.moves));
            }
        }
        (game.number, game.line) = (0, 0);
        strip(&mut game.moves);
        game
    }

    #[test]
    fn export_format() {
        let game = read(
            "[Annotator \"a\\\\b \\\"c\\\"\"][White \"d\te\"][FEN \"8/8/8/8/8/8/8/8 b - - 0 12\"]\n\
             ; f } g\ne5 2. e4 {h} {} e6! d4 (d5 {i} (d6 (1. d7) () 2. d8) ({j}) c6) ({k} c7) c8 1-0",
        );
        assert_eq!(
            written(&game),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"d e\"]\n[Black \"?\"]\n\
             [Result \"1-0\"]\n[Annotator \"a\\\\b \\\"c\\\"\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 12\"]\n\n\
             {f ) g} 12... e5 13. e4 {h} 13... e6 $1 14. d4 (14. d5 {i} (14. d6 (14. d7)\n\
             14... d8) ({j}) 14... c6) ({k} 14. c7) 14... c8 1-0\n\n"
        );
        let mut game = PgnGame { result: PgnResult::Draw, ..PgnGame::default() };
        game.tags.set("Result", "1-0");
        game.tags.set("A", "b\nc");
        assert!(written(&game).ends_with("[Result \"1/2-1/2\"]\n[A \"b c\"]\n\n1/2-1/2\n\n"));
        game.tags.set("Result", "adjourned");
        assert!(written(&game).contains("[Result \"adjourned\"]\n"), "what is no result says more than one");
        game.comment = vec![" ".into(), "}\n".into()];
        assert!(written(&game).ends_with("\n\n{)} 1/2-1/2\n\n"));
    }

    #[test]
    fn a_first_move_that_is_none_does_not_begin_a_line() {
        for first in ["a-long-word".repeat(8), "ù".repeat(79), "wins".into()] {
            let comment = vec!["c".repeat(70)];
            let moves = [first.as_str(), "Nd7", "e5"].map(|text| PgnMove {
                text: text.into(),
                comments: comment.clone(),
                ..PgnMove::default()
            });
            let mut game = PgnGame { comment, moves: moves.into(), ..PgnGame::default() };
            game.tags.set("FEN", "8/8/8/8/8/8/8/8 w - - 0 1");
            assert_eq!(bare(read(&written(&game))).moves, game.moves, "{}", written(&game));
        }
    }

    #[test]
    fn first_move_numbers() {
        for (fen, ply) in
            [("x w - - 0 1", 2), ("x b - - 64 0 7", 15), ("x b", 3), ("", 2), ("x w - - 0 0", 0)]
        {
            assert_eq!(first_ply(Some(fen)), ply, "{fen}");
        }
        assert_eq!(first_ply(None), 2);
    }

    #[test]
    fn what_could_not_be_read_again_is_refused() {
        let refused = |game: &PgnGame| {
            let mut writer = PgnWriter::new(Vec::new());
            let error = writer.write_game(game).unwrap_err();
            error.kind() == io::ErrorKind::InvalidInput && writer.into_inner().is_empty()
        };
        for text in "| |e4 e5|e4!|1.e4|12|1-0|e.p.|a{b|a\nb|ม ข๑ ค|...|±|e4\u{200B}".split('|') {
            let moves = vec![PgnMove { text: text.into(), ..PgnMove::default() }];
            assert!(refused(&PgnGame { moves, ..PgnGame::default() }), "{text:?}");
        }
        for name in ["", "a b", "a\"", "[", "a\n"] {
            let mut game = PgnGame::default();
            game.tags.set(name, "x");
            assert!(refused(&game), "{name:?}");
        }
        let nested = |depth| {
            let mut moves = vec![PgnMove { text: "e4".into(), ..PgnMove::default() }];
            for _ in 0..depth {
                let variations = vec![PgnLine { moves, ..PgnLine::default() }];
                moves = vec![PgnMove { text: "e4".into(), variations, ..PgnMove::default() }];
            }
            PgnGame { moves, ..PgnGame::default() }
        };
        assert_eq!(bare(read(&written(&nested(MAX_NESTING)))).moves, nested(MAX_NESTING).moves);
        assert!(refused(&nested(MAX_NESTING + 1)));
    }

    /// Pseudo-random games.
    struct Generator(u64);

    impl Generator {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }

        /// One of the words in `from`, which vertical lines separate.
        fn pick(&mut self, from: &str) -> String {
            let words: Vec<_> = from.split('|').collect();
            words[self.below(words.len())].to_string()
        }

        fn text(&mut self) -> String {
            let words = "a|%|50%|[Event|\"x\"]|[|[%clk|0:01]|(|)|;|$1|{||1-0|\\|White|wins|Draw|\
                ขุน|\u{A0}|\u{2028}x|a-long-word-to-fill-the-line|e4!|ม็";
            let count = 1 + self.below(20);
            let text: Vec<_> = (0..count).map(|_| self.pick(words)).collect();
            text.join(" ").trim_matches(' ').to_string()
        }

        fn texts(&mut self) -> Vec<String> {
            let count = self.below(3) * self.below(2);
            (0..count).map(|_| self.text()).filter(|text| !text.is_empty()).collect()
        }

        fn moves(&mut self, depth: usize) -> Vec<PgnMove> {
            let texts = "e4|Nf3+|exd8=M#|O-O|5254|%x|Draw|White|wins|Clock|started|N|b|-|c3|\
                Nb1-|Game|ม ข๑-ง๒|ม็|ร|ข๑|\"q\"|--|d5e.p.|*x|Black|win";
            let count = self.below(if depth == 0 { 80 } else { 6 });
            let one = |generator: &mut Self| {
                let text = generator.pick(texts);
                let nags = (0..generator.below(3) * generator.below(2)).map(|n| n as u16 * 70).collect();
                let comments = generator.texts();
                let count = if depth < 4 { generator.below(3) / 2 * generator.below(3) } else { 0 };
                let line = |generator: &mut Self| {
                    let comment = generator.texts();
                    PgnLine { comment, moves: generator.moves(depth + 1) }
                };
                let variations: Vec<_> = (0..count).map(|_| line(generator)).collect();
                let variations = variations.into_iter().filter(|line| *line != PgnLine::default()).collect();
                PgnMove { text, nags, comments, variations, line: 0 }
            };
            (0..count).map(|_| one(self)).collect()
        }

        fn game(&mut self) -> PgnGame {
            let results = [PgnResult::WhiteWins, PgnResult::BlackWins, PgnResult::Draw, PgnResult::Unknown];
            let mut tags = Tags::default();
            for name in ROSTER {
                tags.set(name, self.text());
            }
            if self.below(2) == 0 {
                tags.set("FEN", format!("x {} - - 0 {}", ["w", "b"][self.below(2)], self.below(200)));
            }
            tags.set("Annotator", self.text());
            let result = results[self.below(4)];
            if tags.get("Result").is_some_and(|value| PgnResult::from_token(value).is_some()) {
                tags.set("Result", result.to_string());
            }
            PgnGame { tags, comment: self.texts(), moves: self.moves(0), result, number: 0, line: 0 }
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut generator = Generator(7);
        let games: Vec<_> = (0..500).map(|_| generator.game()).collect();
        let mut writer = PgnWriter::new(Vec::new());
        for game in &games {
            writer.write_game(game).unwrap();
            let text = written(game);
            assert_eq!(bare(read(&text)), *game, "{text}");
            // Longer lines hold text that may not be split.
            let movetext = text.split("\n\n").nth(1).unwrap();
            let words = ["%", "[", "Draw", "White", "Black", "Clock", "Game", "\"x\"]", "  "];
            for line in movetext.lines().filter(|line| !words.iter().any(|word| line.contains(word))) {
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
        let text = writer.into_inner();
        let again: Vec<_> = PgnReader::new(text.as_slice()).map(|game| bare(game.unwrap())).collect();
        assert_eq!(again, games);
    }
}
