//! Rules by their names.

use pyo3::prelude::*;
use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Rules, Ruleset, Variant};

use crate::errors;

/// The rules of a variant and a ruleset with the parts that differ, such as `Repetition=none`.
pub(crate) fn rules(variant: &str, ruleset: Option<&str>, parts: &str) -> PyResult<Rules> {
    let variant: Variant = variant.parse().map_err(errors::of_rules)?;
    let ruleset: Ruleset = ruleset.map_or(Ok(Ruleset::default()), str::parse).map_err(errors::of_rules)?;
    Rules::new(variant, ruleset).with_parts(parts).map_err(errors::of_rules)
}

/// Whether the pieces of `color` can never mate: it is bare, or neither side can.
pub(crate) fn cannot_win(position: &Position, color: Color) -> bool {
    position.is_bare(color) || position.is_dead()
}

/// Pyffish's answer to the same question. A single piece other than a rua or khon is too little against a bare khun,
/// and so are any met on squares of one colour if there is nothing else.
pub(crate) fn cannot_win_by_pyffish(position: &Position, color: Color) -> bool {
    let own = position.color(color);
    let big = position.kind(PieceKind::Rua) | position.kind(PieceKind::Khon);
    if position.is_bare(color) {
        return true;
    }
    if own.intersects(big) {
        return false;
    }
    let met = position.kind(PieceKind::Met);
    let are_all_met = met.len() + 2 == position.occupied().len();
    let is_one_colour = !met.intersects(DARK) || !met.intersects(!DARK);
    are_all_met && is_one_colour || own.len() == 2 && position.is_bare(!color)
}

/// The squares of a1's colour.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

pub(crate) fn squares(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(|square| square.index()).collect()
}
