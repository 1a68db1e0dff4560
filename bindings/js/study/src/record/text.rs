//! Records as text: files with many games, a FEN alone, UCI's `position` lines, and games written as PGN.

use std::collections::BTreeMap;

use sakmak_games::pgn::{PgnGame, PgnLine, PgnMove, PgnReader, PgnWarning, PgnWriter, Tags, is_invisible};
use sakmak_games::{Dialect, GameStart, ReplayError, move_name, play, read_move, variant_of};
use sakmak_js_common::{CountWord, Evaluation, Fault, RulesChoice, json};
use sakmak_movegen::{Fen, Game, Notation, Rules, Ruleset};
use serde::Serialize;

use super::{ROOT, Record};

/// The games of a text.
pub struct Library {
    choice: RulesChoice,
    games: Vec<Result<PgnGame, Fault>>,
    /// The first warning of each game that has one.
    warnings: BTreeMap<usize, PgnWarning>,
}

/// A game in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryView<'a> {
    white: &'a str,
    black: &'a str,
    event: &'a str,
    date: &'a str,
    result: String,
    plies: usize,
    /// Why the game cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Fault>,
}

/// The most games that are listed for a file.
const MAX_GAMES: usize = 100_000;

/// A game of a [`Library`].
#[derive(Debug)]
pub struct OpenedGame {
    /// The game.
    pub record: Record,
    /// Its first illegal move.
    pub fault: Option<Fault>,
    /// The first part that was read differently from the text.
    pub warning: Option<Fault>,
}

impl Library {
    /// Reads a text: PGN or score sheets, a FEN, or lines such as `startpos moves e3e4`. Games without a Variant or
    /// Ruleset tag are played by the rules of `choice`.
    ///
    /// # Errors
    /// If there is nothing in the text. Games that cannot be read are listed with what is wrong.
    pub fn read(text: &str, choice: &RulesChoice) -> Result<Self, Fault> {
        if let Some(host) = address(text) {
            let message = format!("this is an address of {host}, not a game");
            return Err(Fault::new("pgn.address", message).arg("host", host));
        }
        let mut warnings = BTreeMap::new();
        let games = match position_lines(text, choice) {
            Some(games) => games,
            None => {
                let mut reader = PgnReader::new(text.as_bytes());
                let mut games = Vec::new();
                while let Some(game) = reader.next().filter(|_| games.len() < MAX_GAMES) {
                    if let Some(warning) = reader.take_warnings().into_iter().next() {
                        warnings.insert(games.len(), warning);
                    }
                    games.push(game.map_err(Fault::from));
                }
                games
            }
        };
        if games.is_empty() {
            return Err(Fault::new("pgn.empty", "there is no game in this text"));
        }
        Ok(Self { choice: choice.clone(), games, warnings })
    }

    /// The number of games, unreadable ones included.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// All games as JSON.
    pub fn list(&self) -> String {
        let entry = |game: &'_ Result<PgnGame, Fault>| -> String {
            let empty = PgnGame::default();
            let (game, error) = match game {
                Ok(game) => (game, None),
                Err(error) => (&empty, Some(error)),
            };
            let tag = |name: &str| game.tags.get(name).unwrap_or_default();
            json(&EntryView {
                white: tag("White"),
                black: tag("Black"),
                event: tag("Event"),
                date: tag("Date"),
                result: game.result.to_string(),
                plies: game.moves.len(),
                error,
            })
        };
        let entries: Vec<_> = self.games.iter().map(entry).collect();
        format!("[{}]", entries.join(","))
    }

    /// A game, up to its first illegal move if it has one. A variation with an illegal move is kept as a comment.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be set up.
    pub fn open(&self, index: usize) -> Result<OpenedGame, Fault> {
        let Some(game) = self.games.get(index) else { return Err(no_game(index)) };
        let pgn = game.as_ref().map_err(Fault::clone)?;
        let mut record = Record::of_tags(&pgn.tags, &self.choice).map_err(|error| {
            let name = pgn.tags.get("Variant").unwrap_or_default();
            match variant_of(&pgn.tags) {
                Ok(_) => error,
                Err(_) if is_western(name) => {
                    Fault::new("pgn.chess", "this is a game of western chess").arg("text", name)
                }
                Err(unknown) => Fault::from(unknown).arg("text", name),
            }
        })?;
        record.result = pgn.result;
        let (comments, commands) = split_commands(&pgn.comment);
        record.nodes[ROOT].comments = comments;
        record.take_commands(ROOT, &commands);
        let mut game = record.start.clone();
        record.apply_words(&mut game, ROOT);
        let mut moves = pgn.moves.clone();
        // An illegal move of the main line is found again below.
        let warnings =
            play(&mut record.start.clone(), &mut moves, None, &mut |_, _, _, _| ()).unwrap_or_default();
        let warning = self.warnings.get(&index).or(warnings.first()).cloned();
        let fault = record.add_line(ROOT, &moves, &mut game, 0).err().map(Fault::from);
        Ok(OpenedGame { record, fault, warning: warning.map(Fault::from) })
    }
}

/// The host of an address on the web, if that is all there is in a text.
fn address(text: &str) -> Option<&str> {
    let text = text.trim().trim_matches(['<', '>']);
    let is_one_word = !text.contains(|letter: char| letter.is_whitespace() || letter == '[');
    let rest = text.strip_prefix("https://").or(text.strip_prefix("http://"));
    let rest = rest.or(text.starts_with("www.").then_some(text)).filter(|_| is_one_word)?;
    rest.split(['/', '?', '#']).next().filter(|host| host.contains(['.', ':']) || *host == "localhost")
}

/// Whether a Variant tag names western chess, which sites call their standard.
fn is_western(variant: &str) -> bool {
    let names = ["standard", "chess", "normal", "fide", "orthodox", "classical", "chess960", "fischerandom"];
    names.contains(&variant.trim().to_ascii_lowercase().replace([' ', '-'], "").as_str())
}

/// Reads a text of nothing but FENs and UCI lines as games.
fn position_lines(text: &str, choice: &RulesChoice) -> Option<Vec<Result<PgnGame, Fault>>> {
    let text = plain(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let games: Vec<_> = lines.map(|line| position_line(line, choice)).collect::<Option<_>>()?;
    (!games.is_empty()).then_some(games)
}

/// Reads a line of UCI (`startpos moves ..`, `fen F moves ..`, with or without `position`) or a FEN; `None` otherwise.
fn position_line(line: &str, choice: &RulesChoice) -> Option<Result<PgnGame, Fault>> {
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    let (start, moves) =
        line.split_once(" moves ").unwrap_or((line.strip_suffix(" moves").unwrap_or(line), ""));
    let fen = match start.strip_prefix("fen ") {
        Some(fen) => Some(fen.trim()),
        None if start == "startpos" => None,
        // A FEN alone begins with its ranks.
        None if is_board(start.split(' ').next()?) => Some(start),
        None => return None,
    };
    let mut game = PgnGame::default();
    if let Some(fen) = fen {
        let fen = whole_fen(fen);
        if let Err(error) = fen.parse::<Fen>() {
            return Some(Err(error.into()));
        }
        game.tags.set("FEN", fen);
    }
    if !choice.variant.is_empty() {
        game.tags.set("Variant", &choice.variant);
    }
    for word in moves.split_ascii_whitespace() {
        match word.strip_prefix("count-") {
            Some(word) => {
                let comments = game.moves.last_mut().map_or(&mut game.comment, |last| &mut last.comments);
                comments.push(format!("[%count {word}]"));
            }
            None => game.moves.push(PgnMove { text: word.to_owned(), line: 1, ..PgnMove::default() }),
        }
    }
    Some(Ok(game))
}

/// The FEN in a pasted text: blanks between the fields, without operations of an EPD, and with the side to move, which
/// is White if only the board is given.
pub(crate) fn whole_fen(text: &str) -> String {
    let text = plain(text);
    let text = text.trim().trim_start_matches("position ").trim_start_matches("fen ");
    // The operations of an EPD record follow the fields of the FEN.
    let is_operation = |word: &&str| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
    let words = text.split(|letter: char| letter.is_ascii_whitespace() || letter == '_');
    let words = words.filter(|word| !word.is_empty()).enumerate();
    let fields = words.take_while(|(at, word)| *at <= 2 || !is_operation(word));
    let mut fields: Vec<_> = fields.map(|(_, word)| word.trim_end_matches(';')).collect();
    if fields.len() == 1 {
        fields.push("w");
    }
    fields.join(" ")
}

/// A text with ASCII digits, letters and blanks in place of Thai digits, full-width letters and blanks of other kinds;
/// without invisible letters.
fn plain(text: &str) -> String {
    let letter = |letter: char| match letter {
        '๐'..='๙' => char::from_digit(u32::from(letter) - u32::from('๐'), 10),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0),
        '\n' => Some('\n'),
        '\u{200b}' | '\u{feff}' => None,
        _ if is_invisible(letter) => None,
        _ if letter.is_whitespace() => Some(' '),
        _ => Some(letter),
    };
    text.chars().filter_map(letter).collect()
}

/// Whether a word looks like the board field of a FEN, valid or not.
fn is_board(word: &str) -> bool {
    // Links have underscores between the fields.
    let word = word.split('_').next().unwrap_or_default();
    word.contains('/') && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/~".contains(letter))
}

/// Splits comments into text by players and commands for programs, such as `[%eval 0.35]`.
fn split_commands(comments: &[String]) -> (Vec<String>, Vec<String>) {
    let mut commands = Vec::new();
    let mut texts = Vec::new();
    for comment in comments {
        let mut text = String::new();
        let mut rest = comment.as_str();
        while let Some((before, after)) = rest.split_once("[%") {
            let Some((command, after)) = after.split_once(']') else { break };
            text.push_str(before);
            commands.push(command.trim().to_owned());
            rest = after;
        }
        text.push_str(rest);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            texts.push(text);
        }
    }
    (texts, commands)
}

/// The evaluation of a command: `eval 0.35`, `eval -1.20,14`, `eval #-3`.
fn evaluation_of(command: &str) -> Option<Evaluation> {
    let value = command.strip_prefix("eval ")?.split(',').next()?.trim();
    if let Some(mate) = value.strip_prefix('#') {
        return Some(Evaluation { cp: None, mate: Some(mate.parse().ok()?) });
    }
    hundredths(value).map(|cp| Evaluation { cp: Some(cp), mate: None })
}

/// The hundredths of a number below 1000 such as `0.35`, `-1.2` or `+.5`, the third digit rounded; `None` for another
/// text. Without floating-point numbers, whose reader is large.
fn hundredths(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + part.len() == 0 || !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let whole: i32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let digit = |at: usize| part.as_bytes().get(at).map_or(0, |byte| i32::from(byte - b'0'));
    let rounded = i32::from(digit(2) >= 5);
    (whole < 1_000).then(|| sign * (100 * whole + 10 * digit(0) + digit(1) + rounded))
}

/// The command that stores an evaluation.
fn eval_command(evaluation: Evaluation) -> Option<String> {
    match (evaluation.mate, evaluation.cp) {
        (Some(mate), _) => Some(format!("[%eval #{mate}]")),
        (None, Some(cp)) => {
            let sign = if cp < 0 { "-" } else { "" };
            let size = cp.unsigned_abs();
            Some(format!("[%eval {sign}{}.{:02}]", size / 100, size % 100))
        }
        (None, None) => None,
    }
}

/// A library has no game of that index.
fn no_game(index: usize) -> Fault {
    Fault::new("argument.game", format!("there is no game {index}")).arg("index", index)
}

impl Record {
    /// Applies the commands in the comments of a node.
    fn take_commands(&mut self, node: usize, commands: &[String]) {
        for command in commands {
            if let Some(word) = command.strip_prefix("count ").and_then(|word| CountWord::parse(word.trim()))
            {
                self.nodes[node].count.push(word);
            } else if let Some(evaluation) = evaluation_of(command) {
                self.nodes[node].evaluation = Some(evaluation);
            }
        }
    }

    /// Adds moves and their variations after `node`; `game` is at that node. Moves before a fault stay.
    fn add_line(
        &mut self,
        node: usize,
        moves: &[PgnMove],
        game: &mut Game,
        depth: usize,
    ) -> Result<(), ReplayError> {
        let (mut at, plies) = (node, game.len());
        let mut fault = Ok(());
        for record in moves {
            fault = self.add_move(&mut at, record, game, depth);
            if fault.is_err() {
                break;
            }
        }
        while game.len() > plies {
            game.take_back();
        }
        fault
    }

    fn add_move(
        &mut self,
        at: &mut usize,
        record: &PgnMove,
        game: &mut Game,
        depth: usize,
    ) -> Result<(), ReplayError> {
        let mv = read_move(game, record, Notation::San, depth)?;
        let id = self.add(*at, mv);
        let (comments, commands) = split_commands(&record.comments);
        self.nodes[id].comments.extend(comments);
        self.nodes[id].nags.extend(&record.nags);
        self.take_commands(id, &commands);
        for variation in &record.variations {
            let first = self.nodes.len();
            let result = self.add_line(*at, &variation.moves, game, depth + 1);
            if let Some(node) = self.nodes.get_mut(first) {
                node.before.extend(split_commands(&variation.comment).0);
            }
            result?;
        }
        game.play_unchecked(mv);
        self.apply_words(game, id);
        *at = id;
        Ok(())
    }

    /// The record as PGN.
    ///
    /// # Errors
    /// If it holds something that PGN cannot express.
    pub fn pgn(&self, notation: Notation, dialect: Dialect) -> Result<String, Fault> {
        let mut game = self.start.clone();
        self.apply_words(&mut game, ROOT);
        let mut pgn = PgnGame {
            tags: self.written_tags(dialect),
            comment: self.comments_of(ROOT),
            moves: self.line_of(ROOT, &mut game, notation),
            result: self.result,
            ..PgnGame::default()
        };
        pgn.tags.set("Result", self.result.to_string());
        let mut writer = PgnWriter::new(Vec::new());
        writer.write_game(&pgn).map_err(|error| Fault::new("pgn.write", error))?;
        String::from_utf8(writer.into_inner()).map_err(|error| Fault::new("pgn.write", error))
    }

    /// The tags to write: the rules, and the start position if it is not the default.
    fn written_tags(&self, dialect: Dialect) -> Tags {
        let mut tags = self.tags.clone();
        for name in ["Variant", "Ruleset", "RuleParts", "FEN", "SetUp"] {
            tags.remove(name);
        }
        let rules = self.start.rules();
        tags.set("Variant", rules.variant.name());
        let ruleset = self.choice.ruleset.parse::<Ruleset>().unwrap_or_default();
        if ruleset != Ruleset::default() || !self.choice.parts.is_empty() {
            tags.set("Ruleset", ruleset.name());
        }
        if !self.choice.parts.is_empty() {
            tags.set("RuleParts", &self.choice.parts);
        }
        // The start that readers assume without a FEN: the standard array.
        let ordinary = Rules::new(rules.variant, Ruleset::default());
        let is_ordinary = self.is_default
            && Game::new(ordinary).position().to_string().split(' ').next()
                == self.start.position().to_string().split(' ').next();
        if !is_ordinary {
            tags.set("FEN", self.start.marked_fen());
            tags.set("SetUp", "1");
        }
        dialect.set_tags(&mut tags, &GameStart { game: self.start.clone(), is_default: is_ordinary });
        tags
    }

    /// The comments of a node, including the commands for its count and evaluation.
    fn comments_of(&self, node: usize) -> Vec<String> {
        let node = &self.nodes[node];
        let commands = node.evaluation.and_then(eval_command).into_iter();
        let commands = commands.chain(node.count.iter().map(|word| format!("[%count {}]", word.name())));
        let mut comments = node.comments.clone();
        let commands: Vec<_> = commands.collect();
        if !commands.is_empty() {
            comments.insert(0, commands.join(" "));
        }
        comments
    }

    /// The moves after a node, at which `game` is, with their variations.
    fn line_of(&self, node: usize, game: &mut Game, notation: Notation) -> Vec<PgnMove> {
        let mut moves = Vec::new();
        let (mut at, plies) = (node, game.len());
        while let Some((&main, others)) = self.nodes[at].children.split_first() {
            let Some(mv) = self.nodes[main].mv else { break };
            let variations = others.iter().map(|&other| self.variation(other, game, notation)).collect();
            moves.push(PgnMove {
                text: move_name(game, notation, mv),
                nags: self.nodes[main].nags.clone(),
                comments: self.comments_of(main),
                variations,
                line: 0,
            });
            game.play_unchecked(mv);
            self.apply_words(game, main);
            at = main;
        }
        while game.len() > plies {
            game.take_back();
        }
        moves
    }

    /// The variation that begins with a node.
    fn variation(&self, first: usize, game: &mut Game, notation: Notation) -> PgnLine {
        let node = &self.nodes[first];
        let mut moves = Vec::new();
        if let Some(mv) = node.mv {
            moves.push(PgnMove {
                text: move_name(game, notation, mv),
                nags: node.nags.clone(),
                comments: self.comments_of(first),
                ..PgnMove::default()
            });
            game.play_unchecked(mv);
            self.apply_words(game, first);
            moves.extend(self.line_of(first, game, notation));
            game.take_back();
        }
        PgnLine { comment: node.before.clone(), moves }
    }
}
