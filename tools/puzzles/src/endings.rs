//! Candidates from random endings of a few men in which the count decides.

use anyhow::Result;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Color, Count, Piece, PieceKind, Position, Rules, Setup, Square};

use crate::proof::Candidate;
use crate::puzzle::Source;
use crate::settings::TRAP_RIGHT;

/// The men besides the khun, capitals for the stronger side. Each is tried equally often.
const ARMIES: [&str; 44] = [
    // The pieces' honour.
    "RS", "RM", "SS", "SM", "SN", "NM", "R", "S", //
    // Both sides armed: the board's honour, or a capture that begins the pieces' honour.
    "Rm", "Rn", "Rs", "Sm", "Sn", "Nm", "Rr", "RSm", "RSn", "RSs", "SSm", "SSn", "SNm", "RMm", "RNm",
    "RNn", //
    // The last bia.
    "RP", "SP", "MP", "NP", "Rp", "Sp", "Np", "RSp", "SSp", "SNp", "RMp", "SMp", "RPm", "SPm", "RPn", "SPs",
    "SPp", "RPp", "NPp", "MPp",
];

/// Most plies to the end of the count, or to the win: what is further away is no puzzle but knowledge.
const HORIZON: u16 = 14;
/// Placements tried for one candidate.
const TRIES: usize = 40;

/// A random ending of this number, if one of its placements has exactly one right move and a count that decides.
/// The same seed and number give the same ending.
///
/// # Errors
/// None at present; a damaged tablebase counts as missing.
pub fn candidate(seed: u64, number: u64, tables: &Tablebases) -> Result<Option<Candidate>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let Some(army) = ARMIES.choose(&mut rng) else { return Ok(None) };
    for _ in 0..TRIES {
        let turned = rng.random_bool(0.5);
        let side = if rng.random_bool(0.5) { Color::White } else { Color::Black };
        let Some(position) = placed(army, side, &mut rng) else { continue };
        let Some(position) = with_count(&position, tables, &mut rng) else { continue };
        let start = if turned { position.flipped() } else { position };
        let source = Source { file: None, game: number, ply: 0 };
        return Ok(Some(Candidate { mistake: None, start, source }));
    }
    Ok(None)
}

/// The men on random squares, without a count; `None` if that is no legal position.
fn placed(army: &str, side: Color, rng: &mut ChaCha8Rng) -> Option<Position> {
    let khun = Color::ALL.map(|color| Piece::new(color, PieceKind::Khun));
    let men = army.chars().filter_map(Piece::from_letter);
    let mut setup = Setup::empty().side_to_move(side).fullmove_number(rng.random_range(50..90));
    for piece in khun.into_iter().chain(men) {
        let square = Square::from_index(rng.random_range(0..64));
        // A bia stands between its first squares and those on which it promotes.
        let rank = square.relative_rank(piece.color) as u8;
        if setup.piece_on(square).is_some() || piece.kind == PieceKind::Bia && !(2..=4).contains(&rank) {
            return None;
        }
        setup = setup.piece(square, piece);
    }
    let position = setup.build(Rules::default()).ok()?;
    (position.outcome().is_none() && position.legal_moves().len() > 1).then_some(position)
}

/// The position with a count under which exactly one move keeps the result, if there is one.
fn with_count(position: &Position, tables: &Tablebases, rng: &mut ChaCha8Rng) -> Option<Position> {
    if !position.kind(PieceKind::Bia).is_empty() {
        return has_right_moves(position, tables).then(|| position.clone());
    }
    let bare = Color::ALL.into_iter().find(|&color| position.is_bare(color));
    let (limit, first) = match bare {
        None => (128, 0),
        Some(bare) => {
            let number = |kind| position.pieces(!bare, kind).len();
            let numbers = (number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa));
            (2 * usual_limit(numbers), 2 * position.occupied().len() as u16)
        }
    };
    // The plies left that part the moves from one another.
    let mut lefts = Vec::new();
    for mv in position.legal_moves() {
        let plies = match tables.probe_uncounted(&position.after(mv))? {
            Value::Draw => continue,
            Value::Win(plies) | Value::Loss(plies) => plies + 1,
        };
        let near = |left: &u16| *left <= HORIZON && left + first <= limit;
        lefts.extend((plies.saturating_sub(3)..=plies + 1).filter(near));
    }
    lefts.sort_unstable();
    lefts.dedup();
    let counted = lefts.into_iter().filter_map(|left| {
        let ply = limit - left;
        // With a bare khun the count begins when it is to move.
        let is_reached = bare.is_none_or(|bare| (position.side_to_move() == bare) == ply.is_multiple_of(2));
        let mut counted = position.clone();
        counted.set_count(Count::new(limit, ply));
        let fits = is_reached && counted.outcome().is_none() && has_right_moves(&counted, tables);
        fits.then_some(counted)
    });
    counted.collect::<Vec<_>>().choose(rng).cloned()
}

/// Whether exactly one move keeps the result of the position, and a win is near; or a few moves keep it, and a capture
/// or promotion that begins a count does not.
fn has_right_moves(position: &Position, tables: &Tablebases) -> bool {
    let class = |value: Value| match value {
        Value::Win(_) => 2,
        Value::Draw => 1,
        Value::Loss(_) => 0,
    };
    let Some(values) = tables.move_values(position) else { return false };
    let Some(best) = values.first() else { return false };
    let right = values.iter().filter(|other| class(other.value) == class(best.value)).count();
    if right == values.len() || class(best.value) == 0 {
        return false;
    }
    let is_near = !matches!(best.value, Value::Win(plies) if plies > HORIZON);
    let begins_too_early = || {
        values[right..]
            .iter()
            .any(|wrong| position.is_noisy(wrong.mv) && position.after(wrong.mv).count().is_running())
    };
    right == 1 && is_near || right <= TRAP_RIGHT && begins_too_early()
}
