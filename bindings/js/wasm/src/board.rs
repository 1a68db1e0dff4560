//! A game behind numbers and short texts.

use sakmak_js_common::{Fault, notation, rules};
use sakmak_movegen::{
    Bitboard, Color, Count, CountKind, CountingSystem, DrawReason, Game, Move, MoveNames, Outcome, Piece,
    PieceKind, Position, Rules, Setup, SpokenCount, Square, perft,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{output, pgn};

/// The highest depth of perft: deeper ones take days and exceed the integers of a double.
const MAX_PERFT: u32 = 12;

/// A game. Texts and lists are left in the buffer of `output`; the methods return their length.
#[wasm_bindgen]
pub struct RulesBoard {
    game: Game,
    rules: Rules,
}

/// 0 for no outcome, 1 and 2 for White's and Black's win, from 3 the draws.
fn outcome_code(outcome: Option<Outcome>) -> u8 {
    match outcome {
        None => 0,
        Some(Outcome::Win(Color::White)) => 1,
        Some(Outcome::Win(Color::Black)) => 2,
        Some(Outcome::Draw(reason)) => {
            // By their order in `TERMINATIONS` of board.ts.
            3 + DrawReason::ALL.iter().take_while(|&&other| other != reason).count() as u8
        }
    }
}

/// 0 for none, 1 for White, 2 for Black.
fn color_code(color: Option<Color>) -> u16 {
    color.map_or(0, |color| color.index() as u16 + 1)
}

/// Writes the count of a position: honour (0 none, 1 board, 2 pieces, 3 fifty moves), counter, attacker, number, limit
/// and moves left (0xffff for none), ply, limit in plies.
fn write_count(position: &Position) -> usize {
    const NONE: u16 = u16::MAX;
    let count = position.count();
    let fifty = position.rules().counting == CountingSystem::FiftyMoves;
    if !count.is_running() || fifty && count.ply() == 0 {
        return 0;
    }
    let kind = match position.count_kind() {
        _ if fifty => 3,
        Some(CountKind::Pieces) => 2,
        _ => 1,
    };
    let (spoken, side) = (SpokenCount::new(position), position.side_to_move());
    let counter = position.counter();
    let attacker = spoken.moves_left().map_or(side, |(attacker, _)| attacker);
    let attacker = counter.map_or(attacker, |counter| !counter);
    let (limit, left) = fifty_moves(count, fifty).unwrap_or((NONE, NONE));
    let number = if count.is_unlimited() && !fifty { 0 } else { count.ply() / 2 };
    let fields = [
        kind,
        color_code(counter),
        color_code(Some(attacker)),
        spoken.spoken().map_or(number, |(_, number)| number),
        spoken.limit().unwrap_or(limit),
        spoken.moves_left().map_or(left, |(_, moves)| moves),
        count.ply(),
        count.limit(),
    ];
    output::numbers(fields.into_iter())
}

/// The limit and the moves left of the fifty moves.
fn fifty_moves(count: Count, fifty: bool) -> Option<(u16, u16)> {
    fifty.then(|| (count.limit() / 2, count.limit().saturating_sub(count.ply()) / 2))
}

impl RulesBoard {
    fn position(&self) -> &Position {
        self.game.position()
    }

    /// The legal move of 16 bits, with the mark of a move of two pieces added.
    fn legal_move(&self, bits: u16) -> Option<Move> {
        let mv = self.position().complete(Move::from_bits(bits)?);
        self.position().is_legal(mv).then_some(mv)
    }

    fn outcome_now(&self) -> Option<Outcome> {
        self.game.claimed().or_else(|| self.game.outcome_here())
    }

    /// Sets up a position by its pieces; the count, the clocks and the rights stay as far as the rules allow.
    fn rebuild(&mut self, change: impl FnOnce(Setup) -> Setup, mut promoted: Bitboard) -> Result<(), Fault> {
        let position = self.position();
        let mut setup = Setup::empty()
            .side_to_move(position.side_to_move())
            .privileged(position.privileged())
            .halfmove_clock(position.halfmove_clock())
            .fullmove_number(position.fullmove_number())
            .count(position.count());
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                setup = setup.piece(square, piece);
            }
        }
        let position = change(setup).build(*position.rules())?;
        promoted &= position.kind(PieceKind::Met);
        // A FEN carries the promoted bia into the new game.
        self.game = Game::from_fen(&marked(&position.to_string(), promoted), *position.rules())?;
        Ok(())
    }
}

/// A FEN with `~` after the promoted bia.
fn marked(fen: &str, promoted: Bitboard) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let mut text = String::new();
    let (mut file, mut rank) = (0, 7usize);
    for letter in board.chars() {
        text.push(letter);
        match letter.to_digit(10) {
            Some(empty) => file += empty as usize,
            None if letter == '/' => (file, rank) = (0, rank - 1),
            None => {
                if promoted.contains(Square::from_index(8 * rank + file)) {
                    text.push('~');
                }
                file += 1;
            }
        }
    }
    format!("{text} {rest}")
}

#[wasm_bindgen]
impl RulesBoard {
    /// A game from a FEN, or from the start position.
    ///
    /// # Errors
    /// If the rules are unknown or the FEN is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(
        fen: Option<String>,
        variant: &str,
        ruleset: &str,
        parts: &str,
    ) -> Result<RulesBoard, JsValue> {
        let rules = rules(variant, ruleset, parts)?;
        let game = match fen {
            None => Game::new(rules),
            Some(fen) => Game::from_fen(&fen, rules).map_err(Fault::from)?,
        };
        Ok(Self { game, rules })
    }

    /// A copy with the history.
    pub fn copy(&self) -> RulesBoard {
        Self { game: self.game.clone(), rules: self.rules }
    }

    /// Begins a game in the start position.
    pub fn reset(&mut self) {
        self.game = Game::new(self.rules);
    }

    /// Begins a game from a FEN.
    ///
    /// # Errors
    /// If the FEN is wrong; nothing changes.
    pub fn load(&mut self, fen: &str) -> Result<(), JsValue> {
        self.game = Game::from_fen(fen, self.rules).map_err(Fault::from)?;
        Ok(())
    }

    /// The FEN; promoted bia are marked on demand.
    pub fn fen(&self, marked: bool) -> usize {
        if marked { output::text(self.game.marked_fen()) } else { output::text(self.position()) }
    }

    /// The FEN with the board's honour counted since a ply of the game.
    #[wasm_bindgen(js_name = fenCountedSince)]
    pub fn fen_counted_since(&self, marked: bool, ply: i32) -> Result<usize, JsValue> {
        let mut rules = *self.position().rules();
        rules.count_started = sakmak_movegen::rules::CountStarted(ply);
        let fen = if marked { self.game.marked_fen() } else { self.position().to_string() };
        let game = Game::from_fen(&fen, rules).map_err(Fault::from)?;
        Ok(if marked { output::text(game.marked_fen()) } else { output::text(game.position()) })
    }

    /// 0 if White is to move, 1 if Black.
    pub fn turn(&self) -> u8 {
        self.position().side_to_move().index() as u8
    }

    /// The number of the move.
    #[wasm_bindgen(js_name = moveNumber)]
    pub fn move_number(&self) -> u32 {
        self.position().fullmove_number()
    }

    /// Plies since the last capture or bia move.
    #[wasm_bindgen(js_name = halfmoveClock)]
    pub fn halfmove_clock(&self) -> u16 {
        self.position().halfmove_clock()
    }

    /// The legal moves, as bits.
    pub fn legal(&self) -> usize {
        output::numbers(self.position().legal_moves().into_iter().map(Move::bits))
    }

    /// The number of legal moves.
    #[wasm_bindgen(js_name = countLegal)]
    pub fn count_legal(&self) -> u32 {
        self.position().count_legal()
    }

    /// Whether a move captures.
    pub fn captures(&self, bits: u16) -> bool {
        self.legal_move(bits).is_some_and(|mv| self.position().is_capture(mv))
    }

    /// The legal move of a text in any notation, as bits.
    ///
    /// # Errors
    /// If it is malformed, illegal or ambiguous.
    pub fn read(&self, text: &str, by: usize) -> Result<u16, JsValue> {
        let mv = notation(by).read(self.position(), text, self.game.promoted()).map_err(Fault::from)?;
        Ok(mv.bits())
    }

    /// Plays a move of plain coordinates; whether it is legal.
    pub fn play(&mut self, bits: u16) -> bool {
        let Some(mv) = self.legal_move(bits) else { return false };
        self.game.play_unchecked(mv);
        true
    }

    /// Takes back a move; its bits, or 0 if there is none.
    pub fn pop(&mut self) -> u16 {
        self.game.take_back().map_or(0, Move::bits)
    }

    /// Plies of the history.
    pub fn len(&self) -> usize {
        self.game.len()
    }

    /// Whether the history is empty.
    #[wasm_bindgen(js_name = isEmpty)]
    pub fn is_empty(&self) -> bool {
        self.game.is_empty()
    }

    /// The moves of the history, as bits.
    pub fn history(&self) -> Vec<u16> {
        self.game.moves().map(Move::bits).collect()
    }

    /// What the players did about the count: the number of plies before it and 0 for start, 1 for stop, 2 for claim,
    /// in turn.
    pub fn decisions(&self) -> Vec<u32> {
        self.game.decisions().iter().flat_map(|&(ply, what)| [ply as u32, what as u32]).collect()
    }

    /// The moves of the history in a notation, with a line feed between them.
    #[wasm_bindgen(js_name = historyNames)]
    pub fn history_names(&self, by: usize) -> String {
        let mut game = self.game.initial();
        let mut names = Vec::with_capacity(self.game.len());
        for mv in self.game.moves() {
            names.push(game.name(notation(by), mv));
            game.play_unchecked(mv);
        }
        names.join("\n")
    }

    /// The start of the game as a FEN with promoted bia marked.
    #[wasm_bindgen(js_name = startOfGame)]
    pub fn start_of_game(&self) -> usize {
        output::text(self.game.initial().marked_fen())
    }

    /// The PGN tags for the rules and the start of the game, names and values in turn.
    #[wasm_bindgen(js_name = startHeaders)]
    pub fn start_headers(&self) -> JsValue {
        pgn::start_headers(&self.game, self.rules.setup.ruleset)
    }

    /// The name of a legal move; an empty text if it is illegal.
    pub fn name(&self, bits: u16, by: usize) -> usize {
        self.legal_move(bits).map_or(0, |mv| output::bytes(&self.game.name(notation(by), mv)))
    }

    /// The names of all legal moves, in the order of [`Self::legal`].
    pub fn names(&self, by: usize) -> usize {
        let names = MoveNames::new(notation(by), self.position(), self.game.promoted());
        let mut text = String::with_capacity(512);
        for mv in self.position().legal_moves() {
            names.write(mv, &mut text);
            text.push('\n');
        }
        output::bytes(&text)
    }

    /// The names of moves made one after another from here: UCI moves with blanks between them. With `numbers` move
    /// numbers stand before White's moves and the first one.
    ///
    /// # Errors
    /// The first move that cannot be made.
    #[wasm_bindgen(js_name = variationNames)]
    pub fn variation_names(&self, moves: &str, by: usize, numbers: bool) -> Result<String, JsValue> {
        // Without the history, which names do not need.
        let mut game = self.game.clone();
        let mut words: Vec<String> = Vec::new();
        for text in moves.split_ascii_whitespace() {
            let mv = game.position().parse_move(text).map_err(Fault::from)?;
            let name = game.name(notation(by), mv);
            let number = game.position().fullmove_number();
            words.push(match game.position().side_to_move() {
                Color::White if numbers => format!("{number}. {name}"),
                Color::Black if numbers && words.is_empty() => format!("{number}...{name}"),
                _ => name,
            });
            game.play_unchecked(mv);
        }
        Ok(words.join(" "))
    }

    /// Whether the side to move is in check.
    #[wasm_bindgen(js_name = isCheck)]
    pub fn is_check(&self) -> bool {
        self.position().in_check()
    }

    /// The square of a side's khun.
    pub fn khun(&self, color: u8) -> u8 {
        self.position().khun(color_of(color)).index() as u8
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> u64 {
        self.position().checkers().0
    }

    /// The squares of the pieces of a side that attack a square.
    pub fn attackers(&self, square: u8, color: u8) -> u64 {
        let position = self.position();
        let square = Square::from_index(usize::from(square & 63));
        position.attackers_of(color_of(color), square, position.occupied()).0
    }

    /// Whether there is a legal move.
    #[wasm_bindgen(js_name = hasLegalMove)]
    pub fn has_legal_move(&self) -> bool {
        self.position().has_legal_move()
    }

    /// Whether a side has only its khun.
    #[wasm_bindgen(js_name = isBare)]
    pub fn is_bare(&self, color: u8) -> bool {
        self.position().is_bare(color_of(color))
    }

    /// Whether neither side can ever mate.
    #[wasm_bindgen(js_name = isDead)]
    pub fn is_dead(&self) -> bool {
        self.position().is_dead()
    }

    /// How often the position has occurred.
    pub fn occurrences(&self) -> usize {
        self.game.occurrences()
    }

    /// The outcome of the present position, as a code.
    pub fn outcome(&self) -> u8 {
        outcome_code(self.outcome_now())
    }

    /// The outcome by the position alone, as a code.
    #[wasm_bindgen(js_name = outcomeOfPosition)]
    pub fn outcome_of_position(&self) -> u8 {
        outcome_code(self.position().outcome())
    }

    /// The count, see `write_count`.
    pub fn count(&self) -> usize {
        write_count(self.position())
    }

    /// The count after a legal move.
    #[wasm_bindgen(js_name = countAfter)]
    pub fn count_after(&self, bits: u16) -> usize {
        let Some(mv) = self.legal_move(bits) else { return 0 };
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        write_count(&next)
    }

    /// Starts the count of the side to move.
    ///
    /// # Errors
    /// If there is nothing to count.
    #[wasm_bindgen(js_name = startCount)]
    pub fn start_count(&mut self) -> Result<(), JsValue> {
        Ok(self.game.start_count().map_err(Fault::from)?)
    }

    /// Stops the count of the side to move.
    ///
    /// # Errors
    /// If it cannot be stopped.
    #[wasm_bindgen(js_name = stopCount)]
    pub fn stop_count(&mut self) -> Result<(), JsValue> {
        Ok(self.game.stop_count().map_err(Fault::from)?)
    }

    /// Claims the draw of an expired count.
    ///
    /// # Errors
    /// If there is nothing to claim.
    #[wasm_bindgen(js_name = claimDraw)]
    pub fn claim_draw(&mut self) -> Result<(), JsValue> {
        self.game.claim_draw().map_err(Fault::from)?;
        Ok(())
    }

    /// Whether the side to move may claim a draw.
    #[wasm_bindgen(js_name = mayClaimDraw)]
    pub fn may_claim_draw(&self) -> bool {
        self.position().may_claim_draw()
    }

    /// The letters of the pieces from a1 to h8, `.` for an empty square.
    pub fn letters(&self) -> usize {
        let mut text = String::with_capacity(64);
        text.extend(Square::all().map(|square| self.position().piece_on(square).map_or('.', Piece::letter)));
        output::bytes(&text)
    }

    /// The squares of promoted bia.
    pub fn promoted(&self) -> u64 {
        self.game.promoted().0
    }

    /// Puts a piece on a square. The history is lost.
    ///
    /// # Errors
    /// If the position would not be valid; nothing changes.
    pub fn put(&mut self, letter: char, square: u8, promoted: bool) -> Result<(), JsValue> {
        let square = Square::from_index(usize::from(square & 63));
        let unknown = || Fault::new("argument.piece", format!("'{letter}' is no piece")).arg("text", letter);
        let piece = Piece::from_letter(letter).ok_or_else(unknown)?;
        let here = Bitboard::from(square);
        let marks = (self.game.promoted() & !here) | if promoted { here } else { Bitboard::EMPTY };
        Ok(self.rebuild(|setup| setup.piece(square, piece), marks)?)
    }

    /// Empties a square. The history is lost.
    ///
    /// # Errors
    /// If the position would not be valid; nothing changes.
    pub fn remove(&mut self, square: u8) -> Result<(), JsValue> {
        let square = Square::from_index(usize::from(square & 63));
        let marks = self.game.promoted() & !Bitboard::from(square);
        Ok(self.rebuild(|setup| setup.without_piece(square), marks)?)
    }

    /// The hash key of pieces and side to move, by which repetitions are found.
    pub fn hash(&self) -> u64 {
        self.position().key()
    }

    /// The move paths of a length.
    ///
    /// # Errors
    /// If the depth is too large.
    pub fn perft(&self, depth: u32) -> Result<f64, JsValue> {
        if depth > MAX_PERFT {
            let message = format!("perft depth {depth} is above {MAX_PERFT}");
            return Err(Fault::new("argument.depth", message).arg("depth", depth).into());
        }
        Ok(perft::perft(self.position(), depth) as f64)
    }

    /// The board as text.
    pub fn diagram(&self) -> String {
        self.position().diagram()
    }
}

fn color_of(code: u8) -> Color {
    if code == 0 { Color::White } else { Color::Black }
}
