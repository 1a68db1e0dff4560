//! A game with variations: a tree of moves with comments, glyphs, evaluations and what players did about the count.

mod known;
mod text;

use sakmak_games::pgn::{PgnResult, Tags};
use sakmak_games::{GameStart, ReadOptions, begin, move_name};
use sakmak_js_common::{CountWord, Evaluation, Fault, RulesChoice, json, letter};
use sakmak_movegen::rules::SetupRules;
use sakmak_movegen::{Game, Move, Notation, Outcome, Rules};
use serde::Serialize;

use crate::view::PositionView;

pub(crate) use text::whole_fen;
pub use text::{Library, OpenedGame};

/// The root: the start position. Every other node is a move.
pub const ROOT: usize = 0;

/// A position of the tree and the move that led to it.
#[derive(Clone, Debug, Default)]
struct Node {
    parent: usize,
    /// Ids of the next moves; the first one is the main line.
    children: Vec<usize>,
    /// `None` at the root and for deleted nodes.
    mv: Option<Move>,
    /// Comments before the move, where it begins a variation.
    before: Vec<String>,
    /// Comments after it.
    comments: Vec<String>,
    nags: Vec<u16>,
    evaluation: Option<Evaluation>,
    /// What the side then to move does about the count.
    count: Vec<CountWord>,
}

/// A game with variations.
#[derive(Clone, Debug)]
pub struct Record {
    choice: RulesChoice,
    /// The game at the start, without moves.
    start: Game,
    /// Whether `start` is the start position of the variant.
    is_default: bool,
    tags: Tags,
    result: PgnResult,
    nodes: Vec<Node>,
}

/// A node in the list of moves.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeView<'a> {
    id: usize,
    parent: usize,
    children: &'a [usize],
    /// In the notation asked for; empty at the root.
    san: String,
    uci: String,
    /// The move number, and the side that made the move; at the root those of the first move.
    move_number: u32,
    color: char,
    comments_before: &'a [String],
    comments: &'a [String],
    nags: &'a [u16],
    evaluation: Option<Evaluation>,
    /// `start`, `stop` or `claim`.
    count: Vec<&'static str>,
}

/// What a record has besides its moves.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordView<'a> {
    rules: &'a RulesChoice,
    is_default_start: bool,
    start_fen: String,
    result: String,
    tags: Vec<(&'a str, &'a str)>,
}

impl Record {
    /// A game without moves from a FEN, or from the start position of the rules.
    ///
    /// # Errors
    /// If the rules or the FEN are wrong.
    pub fn new(choice: RulesChoice, fen: Option<&str>) -> Result<Self, Fault> {
        let rules = choice.rules()?;
        let start = match fen {
            Some(fen) => Game::from_fen(fen, rules)?,
            None => Game::new(rules),
        };
        let ordinary = Game::new(Rules::new(rules.play.variant, rules.setup.ruleset));
        let is_default = start.marked_fen() == ordinary.marked_fen();
        Ok(Self::at(choice, start, is_default))
    }

    /// The game that tags describe, without moves; `choice` fills in the rules that they do not name.
    fn of_tags(tags: &Tags, choice: &RulesChoice) -> Result<Self, Fault> {
        let tag =
            |name: &str| tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
        let named = |name: &str, other: &str| tag(name).unwrap_or(other).to_ascii_lowercase();
        let mut choice = RulesChoice {
            // A game without a Variant tag is Makruk, whatever was played last.
            variant: named("Variant", ""),
            ruleset: named("Ruleset", &choice.ruleset),
            parts: tag("RuleParts")
                .unwrap_or(if tag("Ruleset").is_some() { "" } else { &choice.parts })
                .to_owned(),
        };
        if choice.rules().is_err() && tag("Ruleset").is_some() {
            // A tag of that name from another program.
            choice = RulesChoice { ruleset: String::new(), parts: String::new(), ..choice };
        }
        let options = ReadOptions { ruleset: choice.rules()?.setup.ruleset, ..ReadOptions::default() };
        let Some(GameStart { is_default, .. }) = begin(tags, &options)? else {
            return Err(Fault::new("pgn.variant", "no variant was asked for"));
        };
        let rules = Rules { setup: SetupRules::default(), ..choice.rules()? };
        let start = match tag("FEN").filter(|_| !is_default) {
            Some(fen) => Game::from_fen(fen, rules)?,
            None => Game::new(rules),
        };
        Ok(Self { tags: tags.clone(), ..Self::at(choice, start, is_default) })
    }

    fn at(choice: RulesChoice, start: Game, is_default: bool) -> Self {
        let choice = choice.named();
        let nodes = vec![Node::default()];
        Self { choice, start, is_default, tags: Tags::default(), result: PgnResult::Unknown, nodes }
    }

    /// The nodes on the path from the root to `node`, without the root.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = node;
        while at != ROOT && at < self.nodes.len() {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    /// The game up to a node, which exists, and the outcome if a draw is claimed there.
    fn game_at(&self, node: usize) -> (Game, Option<Outcome>) {
        let mut game = self.start.clone();
        let mut claimed = self.apply_words(&mut game, ROOT);
        for at in self.path(node) {
            if let Some(mv) = self.nodes[at].mv {
                game.play_unchecked(mv);
            }
            claimed = self.apply_words(&mut game, at);
        }
        (game, claimed)
    }

    fn apply_words(&self, game: &mut Game, node: usize) -> Option<Outcome> {
        // Words of a PGN, or after an earlier word was added, may be invalid.
        self.nodes[node]
            .count
            .iter()
            .filter_map(|word| word.apply(game).ok())
            .fold(None, |_, claimed| claimed)
    }

    /// The position at a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn view(&self, node: usize, notation: Notation) -> Result<PositionView, Fault> {
        self.exists(node)?;
        let (game, claimed) = self.game_at(node);
        Ok(PositionView::of(&game, notation, claimed))
    }

    /// The FEN, and the moves and words of the count as in UCI, that bring an engine to a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn engine_line(&self, node: usize) -> Result<(String, Vec<String>), Fault> {
        self.exists(node)?;
        let mut words = Vec::new();
        let mut game = self.start.clone();
        for at in std::iter::once(ROOT).chain(self.path(node)) {
            if let Some(mv) = self.nodes[at].mv {
                game.play_unchecked(mv);
                words.push(mv.to_string());
            }
            for word in &self.nodes[at].count {
                // An engine refuses words that the rules do not allow here.
                if word.apply(&mut game).is_ok() {
                    words.push(format!("count-{}", word.name()));
                }
            }
        }
        Ok((self.start.marked_fen(), words))
    }

    /// Plays a move at a node, in coordinates or any notation. Returns the existing node if the move is there already.
    ///
    /// # Errors
    /// If there is no such node, or the text is no legal move.
    pub fn play(&mut self, node: usize, text: &str) -> Result<usize, Fault> {
        self.exists(node)?;
        let (game, _) = self.game_at(node);
        let mv = Notation::San.read(game.position(), text, game.promoted())?;
        Ok(self.add(node, mv))
    }

    /// The legal move at a node that a text in any notation means; `None` if it means none.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn read_move(&self, node: usize, text: &str) -> Result<Option<Move>, Fault> {
        self.exists(node)?;
        let (game, _) = self.game_at(node);
        Ok(Notation::San.read(game.position(), text, game.promoted()).ok())
    }

    fn add(&mut self, parent: usize, mv: Move) -> usize {
        let known = self.nodes[parent].children.iter().find(|&&child| self.nodes[child].mv == Some(mv));
        if let Some(&known) = known {
            return known;
        }
        let id = self.nodes.len();
        self.nodes.push(Node { parent, mv: Some(mv), ..Node::default() });
        self.nodes[parent].children.push(id);
        id
    }

    fn exists(&self, node: usize) -> Result<(), Fault> {
        if node == ROOT || self.nodes.get(node).is_some_and(|node| node.mv.is_some()) {
            Ok(())
        } else {
            Err(Fault::new("argument.node", format!("the game has no node {node}")).arg("node", node))
        }
    }

    /// Starts, stops or claims the count for the side to move at a node.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn count(&mut self, node: usize, word: CountWord) -> Result<(), Fault> {
        self.exists(node)?;
        let (mut game, _) = self.game_at(node);
        word.apply(&mut game)?;
        self.nodes[node].count.push(word);
        Ok(())
    }

    /// Deletes a move and all that follows it. Returns the parent.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn delete(&mut self, node: usize) -> Result<usize, Fault> {
        self.exists(node)?;
        if node == ROOT {
            self.nodes.truncate(1);
            self.nodes[ROOT] = Node::default();
            return Ok(ROOT);
        }
        let parent = self.nodes[node].parent;
        self.nodes[parent].children.retain(|&child| child != node);
        let mut deleted = vec![node];
        while let Some(at) = deleted.pop() {
            deleted.extend(std::mem::take(&mut self.nodes[at]).children);
        }
        Ok(parent)
    }

    /// Makes a variation the main line at the place where it begins.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, node: usize) -> Result<(), Fault> {
        self.exists(node)?;
        for at in self.path(node).into_iter().rev() {
            let parent = self.nodes[at].parent;
            let siblings = &mut self.nodes[parent].children;
            if let Some(place) = siblings.iter().position(|&child| child == at).filter(|&place| place > 0) {
                siblings[..=place].rotate_right(1);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Replaces the comments after a move by a text; a blank one removes them.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_comment(&mut self, node: usize, text: &str) -> Result<(), Fault> {
        self.exists(node)?;
        let text = text.trim();
        self.nodes[node].comments = if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
        Ok(())
    }

    /// Sets the glyph of a move (1 to 6 for `!` to `?!`), replacing others of that kind; 0 removes it.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_glyph(&mut self, node: usize, glyph: u16) -> Result<(), Fault> {
        self.exists(node)?;
        self.nodes[node].nags.retain(|nag| *nag > 6);
        if glyph > 0 {
            self.nodes[node].nags.insert(0, glyph);
        }
        Ok(())
    }

    /// Stores an evaluation of a position.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_evaluation(&mut self, node: usize, evaluation: Option<Evaluation>) -> Result<(), Fault> {
        self.exists(node)?;
        self.nodes[node].evaluation = evaluation;
        Ok(())
    }

    /// Sets a tag; a blank value removes it. The Result tag also sets the result.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("Result") {
            self.result = PgnResult::from_token(value).unwrap_or_default();
        }
        if value.is_empty() {
            self.tags.remove(name);
        } else {
            self.tags.set(name, value);
        }
    }

    /// Rules, tags and result as JSON.
    pub fn header(&self) -> String {
        json(&RecordView {
            rules: &self.choice,
            is_default_start: self.is_default,
            start_fen: self.start.marked_fen(),
            result: self.result.to_string(),
            tags: self.tags.iter().collect(),
        })
    }

    /// All moves as JSON in a notation, each variation after the moves it replaces.
    pub fn tree(&self, notation: Notation) -> String {
        let mut views = Vec::with_capacity(self.nodes.len());
        let mut game = self.start.clone();
        self.apply_words(&mut game, ROOT);
        views.push(self.node_view(ROOT, String::new(), &game));
        // Nodes to visit, with the plies before their move; the main line is on top.
        let mut open: Vec<(usize, usize)> =
            self.nodes[ROOT].children.iter().rev().map(|&id| (id, 0)).collect();
        while let Some((id, plies)) = open.pop() {
            while game.len() > plies {
                game.take_back();
            }
            let Some(mv) = self.nodes[id].mv else { continue };
            views.push(self.node_view(id, move_name(&game, notation, mv), &game));
            game.play_unchecked(mv);
            self.apply_words(&mut game, id);
            open.extend(self.nodes[id].children.iter().rev().map(|&child| (child, plies + 1)));
        }
        json(&views)
    }

    /// The view of a node; `game` is before its move.
    fn node_view(&self, id: usize, san: String, game: &Game) -> NodeView<'_> {
        let node = &self.nodes[id];
        NodeView {
            id,
            parent: node.parent,
            children: &node.children,
            san,
            uci: node.mv.map(|mv| mv.to_string()).unwrap_or_default(),
            move_number: game.position().fullmove_number(),
            color: letter(game.position().side_to_move()),
            comments_before: &node.before,
            comments: &node.comments,
            nags: &node.nags,
            evaluation: node.evaluation,
            count: node.count.iter().map(|word| word.name()).collect(),
        }
    }

    /// All nodes from the root through `node` to the end of its line.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn line_through(&self, node: usize) -> Result<Vec<usize>, Fault> {
        self.exists(node)?;
        let mut line = vec![ROOT];
        line.extend(self.path(node));
        while let Some(&next) = line.last().and_then(|&last| self.nodes[last].children.first()) {
            line.push(next);
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests;
