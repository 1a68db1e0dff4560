//! The view of a position: pieces, legal moves with their effect on the count, the count, the outcome.

use sakmak_games::{armed_fen, move_name};
use sakmak_js_common::letter;
use sakmak_movegen::{
    Color, Count, CountKind, CountingSystem, Game, Move, Notation, Outcome, Piece, PieceKind, Position,
    Setup, SpokenCount, Square,
};
use serde::Serialize;

/// A position of a game.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    /// In Fairy-Stockfish's form.
    pub fen: String,
    /// The same with promoted bia marked `M~`.
    pub marked_fen: String,
    /// In Cute Chess's form: without a running count the counting field is 0.
    pub armed_fen: String,
    /// Letters of the pieces from a1, b1 to h8, `.` for empty squares.
    pub board: String,
    /// Squares of promoted bia.
    pub promoted: Vec<String>,
    /// The side to move.
    pub turn: char,
    /// The move number.
    pub move_number: u32,
    /// The square of the khun in check.
    pub check: Option<String>,
    /// The legal moves, even if the game is drawn.
    pub moves: Vec<MoveView>,
    /// How the game has ended.
    pub outcome: Option<OutcomeView>,
    /// The running count.
    pub count: Option<CountView>,
    /// What the side to move may do about the count.
    pub by_hand: ByHand,
    /// The count that would begin if a side were bare now, where that is near.
    pub prospects: Vec<Prospect>,
    /// The count against a bare khun that does not run yet.
    pub beginning: Option<Beginning>,
    /// The number of occurrences of the position.
    pub occurrences: usize,
    /// Pieces of White and Black: bia, met, khon, maa, rua.
    pub material: [[u32; 5]; 2],
    /// The side that has only its khun, if just one has.
    pub bare: Option<char>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveView {
    /// In coordinates.
    pub uci: String,
    /// The from-square.
    pub from: String,
    /// The to-square.
    pub to: String,
    /// In the notation asked for.
    pub san: String,
    /// The side that moves.
    pub color: char,
    /// The letter of the piece that moves.
    pub piece: char,
    /// The letter of the piece that it captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<char>,
    /// `m` if a bia becomes a met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<char>,
    /// Whether it is a first move of two pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_piece: Option<bool>,
    /// Its effect on the count, other than one more counted move.
    pub count: Option<CountChange>,
    /// The outcome if it ends the game.
    pub outcome: Option<OutcomeView>,
}

/// The effect of a move on the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CountChange {
    /// `begins`, `shortens`, `lengthens` or `ends`.
    pub what: &'static str,
    /// The count after the move.
    pub count: Option<CountView>,
    /// Pieces on the board after the move, khuns included.
    pub pieces: u32,
}

/// A running count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CountView {
    /// `board`, `pieces` or `fifty-moves`.
    pub honour: &'static str,
    /// The side that counts; `None` if the count belongs to neither.
    pub counter: Option<char>,
    /// The side that has to mate; the side to move if the count belongs to neither.
    pub attacker: char,
    /// The number of moves spoken last.
    pub number: u16,
    /// The limit of the count in moves; `None` if there is none.
    pub limit: Option<u16>,
    /// Moves the attacker has left.
    pub moves_left: Option<u16>,
    /// Plies counted.
    pub ply: u16,
    /// The limit in plies; `None` if there is none.
    pub ply_limit: Option<u16>,
    /// Plies left of a second count against the other side; 0 if there is none.
    pub second_plies_left: u16,
}

/// What the side to move may do about the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ByHand {
    /// Whether it may start its count.
    pub start: bool,
    /// Whether it may stop its count.
    pub stop: bool,
    /// Whether it may claim the draw of a count that has run out.
    pub claim: bool,
}

/// The count that would begin if a side were bare now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prospect {
    /// The side that would have to mate.
    pub attacker: char,
    /// The limit of that count in moves.
    pub limit: u16,
    /// Moves the attacker would have left.
    pub moves_left: u16,
}

/// The count against a bare khun in a position that was set up without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beginning {
    /// The side that has to mate.
    pub attacker: char,
    /// The limit of the count in moves.
    pub limit: u16,
    /// Pieces on the board, khuns included.
    pub pieces: u32,
    /// Moves the attacker has left once the count has begun.
    pub moves_left: u16,
    /// Whether the attacker's next move begins it. Otherwise the rules count nothing unless the position is set up with
    /// a count; the numbers are those of a khun that was bared just now.
    pub by_next_move: bool,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeView {
    /// `w`, `b`, or `None` for a draw.
    pub winner: Option<char>,
    /// `checkmate`, `stalemate`, `pieces-honour`, `board-honour`, `counter-mated`, `repetition`, `dead-material` or
    /// `fifty-moves`.
    pub reason: &'static str,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(color) => Self { winner: Some(letter(color)), reason: "checkmate" },
            Outcome::Draw(reason) => Self { winner: None, reason: reason.name() },
        }
    }
}

impl CountView {
    /// The count of a position.
    pub fn of(position: &Position) -> Option<Self> {
        let count = position.count();
        let fifty = position.rules().counting == CountingSystem::FiftyMoves;
        if !count.is_running() || fifty && count.ply() == 0 {
            return None;
        }
        let spoken = SpokenCount::new(position);
        let honour = match position.count_kind() {
            _ if fifty => "fifty-moves",
            Some(CountKind::Pieces) => "pieces",
            _ => "board",
        };
        let counter = position.counter();
        let attacker = spoken.moves_left().map_or(position.side_to_move(), |(attacker, _)| attacker);
        let silent = (!fifty && count.is_unlimited()).then_some(0);
        Some(Self {
            honour,
            counter: counter.map(letter),
            attacker: letter(counter.map_or(attacker, |counter| !counter)),
            number: silent.or(spoken.spoken().map(|(_, number)| number)).unwrap_or(count.ply() / 2),
            limit: spoken.limit().or(fifty.then_some(count.limit() / 2)),
            moves_left: spoken
                .moves_left()
                .map(|(_, moves)| moves)
                .or(fifty.then_some(count.limit().saturating_sub(count.ply()) / 2)),
            ply: count.ply(),
            ply_limit: (!count.is_unlimited()).then_some(count.limit()),
            second_plies_left: count.second(),
        })
    }
}

impl CountChange {
    /// The effect of a move on the count, from the positions before and after it.
    fn of(before: &Position, after: &Position) -> Option<Self> {
        let (old, new) = (before.count(), after.count());
        let fifty = before.rules().counting == CountingSystem::FiftyMoves;
        let remaining = |count: Count| count.remaining().filter(|_| !count.is_unlimited());
        let what = match (remaining(old), remaining(new)) {
            _ if fifty => return None,
            (None, None) => return None,
            (None, Some(_)) => "begins",
            (Some(_), None) => "ends",
            (Some(_), Some(_)) if before.count_kind() != after.count_kind() => "begins",
            (Some(old), Some(new)) if new < old - 1 => "shortens",
            (Some(old), Some(new)) if new > old - 1 => "lengthens",
            (Some(_), Some(_)) => return None,
        };
        Some(Self { what, count: CountView::of(after), pieces: after.occupied().len() })
    }
}

impl ByHand {
    fn of(game: &Game) -> Self {
        let count = game.position().count();
        let mut trial = game.clone();
        let mut may = |action: fn(&mut Game) -> bool| {
            trial = game.clone();
            action(&mut trial)
        };
        let stop = may(|game| game.stop_count().is_ok());
        // Starting a count again that already runs would only lose moves.
        let idle = !count.is_running() || count.is_unlimited();
        let start = idle && may(|game| game.start_count().is_ok());
        Self { start, stop, claim: may(|game| game.claim_draw().is_ok()) }
    }
}

/// A side may soon be bare with this many pieces or fewer, the khun left out.
const FEW_PIECES: u32 = 3;

impl Prospect {
    /// The count by `attacker` that would begin if the other side lost all but its khun now.
    fn of(position: &Position, attacker: Color) -> Option<Self> {
        let others = position.color(!attacker).len() - 1;
        let own = position.color(attacker).len() - 1;
        if others == 0 || others > FEW_PIECES || own == 0 {
            return None;
        }
        let mut setup = Setup::empty().side_to_move(attacker);
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            if piece.color == attacker || piece.kind == PieceKind::Khun {
                setup = setup.piece(square, piece);
            }
        }
        // In some counting systems the count begins with the set-up, in others with the capture.
        let bare = setup.build(*position.rules()).ok()?;
        let bare = if bare.count().is_running() { bare } else { just_bared(&bare, attacker)? };
        let spoken = SpokenCount::new(&bare);
        let (counted, moves_left) = spoken.moves_left()?;
        (counted == attacker).then_some(Self {
            attacker: letter(attacker),
            limit: spoken.limit()?,
            moves_left,
        })
    }
}

/// A position with the pieces of `position`, in which `attacker` has just taken the last piece of the bare khun, and so
/// with the count that the rules begin then. Which squares the pieces stand on makes no difference to a count.
///
/// `None` if the rules begin no count.
pub fn just_bared(position: &Position, attacker: Color) -> Option<Position> {
    let mut setup = Setup::empty().side_to_move(attacker);
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            setup = setup.piece(square, piece);
        }
    }
    let victim = Piece { color: !attacker, kind: PieceKind::Met };
    let bared = |square: Square| {
        let mut bared = setup.clone().piece(square, victim).build(*position.rules()).ok()?;
        let takes = |mv: &Move| mv.to() == square && !mv.is_promotion() && !mv.is_two_piece();
        let capture = bared.legal_moves().into_iter().find(takes)?;
        bared.play_unchecked(capture);
        Some(bared)
    };
    let found = Square::all().filter(|&square| position.piece_on(square).is_none()).find_map(bared)?;
    found.count().is_running().then_some(found)
}

impl Beginning {
    /// The count of a position with one bare khun, if none runs.
    fn of(position: &Position) -> Option<Self> {
        let mut bare = Color::ALL.into_iter().filter(|&color| position.is_bare(color));
        let (Some(defender), None) = (bare.next(), bare.next()) else { return None };
        if position.count().is_running() {
            return None;
        }
        let next = after_quiet_move_of(position, !defender).filter(|next| next.count().is_running());
        let by_next_move = next.is_some();
        let spoken = SpokenCount::new(&next.or_else(|| just_bared(position, !defender))?);
        Some(Self {
            attacker: letter(!defender),
            limit: spoken.limit()?,
            pieces: position.occupied().len(),
            moves_left: spoken.moves_left()?.1,
            by_next_move,
        })
    }
}

/// The position after the next move of `side`, and one of the other side before it if that has the move, neither a
/// capture nor a promotion.
fn after_quiet_move_of(position: &Position, side: Color) -> Option<Position> {
    let mut after = position.clone();
    let plies = if position.side_to_move() == side { 1 } else { 2 };
    for _ in 0..plies {
        let quiet = after.legal_moves().into_iter().find(|&mv| !after.is_noisy(mv))?;
        after.play_unchecked(quiet);
    }
    Some(after)
}

/// Letters of the pieces from a1 to h8.
fn board(position: &Position) -> String {
    Square::all().map(|square| position.piece_on(square).map_or('.', |piece| piece.letter())).collect()
}

impl PositionView {
    /// The present position of a game, with moves named in a notation. `claimed` is a draw that was claimed here.
    pub fn of(game: &Game, notation: Notation, claimed: Option<Outcome>) -> Self {
        let position = game.position();
        let outcome = claimed.or(game.outcome_here());
        let mut ahead = game.clone();
        let piece_on =
            |square: Square| position.piece_on(square).map(|piece| piece.letter().to_ascii_lowercase());
        let name = |mv: Move| move_name(game, notation, mv);
        let move_view = |mv: Move| {
            ahead.play_unchecked(mv);
            let after = ahead.position();
            let (count, outcome) = (CountChange::of(position, after), ahead.outcome_here());
            ahead.take_back();
            MoveView {
                uci: mv.to_string(),
                from: mv.from().to_string(),
                to: mv.to().to_string(),
                san: name(mv),
                color: letter(position.side_to_move()),
                piece: piece_on(mv.from()).unwrap_or('.'),
                captured: if position.is_capture(mv) { piece_on(mv.to()) } else { None },
                promotion: mv.is_promotion().then_some('m'),
                two_piece: mv.is_two_piece().then_some(true),
                count,
                outcome: outcome.map(OutcomeView::from),
            }
        };
        let kinds = [PieceKind::Bia, PieceKind::Met, PieceKind::Khon, PieceKind::Maa, PieceKind::Rua];
        let fen = position.to_string();
        let bare: Vec<_> = Color::ALL.into_iter().filter(|&color| position.is_bare(color)).collect();
        Self {
            armed_fen: armed_fen(&fen),
            marked_fen: game.marked_fen(),
            board: board(position),
            promoted: game.promoted().into_iter().map(|square| square.to_string()).collect(),
            turn: letter(position.side_to_move()),
            move_number: position.fullmove_number(),
            check: position.in_check().then(|| position.khun(position.side_to_move()).to_string()),
            moves: position.legal_moves().into_iter().map(move_view).collect(),
            outcome: outcome.map(OutcomeView::from),
            count: CountView::of(position),
            by_hand: ByHand::of(game),
            prospects: Color::ALL.into_iter().filter_map(|color| Prospect::of(position, color)).collect(),
            beginning: Beginning::of(position),
            occurrences: game.occurrences(),
            material: Color::ALL.map(|color| kinds.map(|kind| position.pieces(color, kind).len())),
            bare: if let [one] = *bare { Some(letter(one)) } else { None },
            fen,
        }
    }
}
