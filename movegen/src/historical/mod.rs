//! The sources of Makruk's rules other than the default: how each counts, and which first moves each allows.
//!
//! A source has one name everywhere: in [`Ruleset`], [`CountingSystem`], [`Reading`] and as the module of its count.
//! `docs/rules.md` has the rules in words. What of [`Count`], [`CountingRule`] and the rules only some sources need:
//!
//! | field or method | sources |
//! | --- | --- |
//! | `Count::owner`, `owner_in_fen` | schemingmind, wikipedia, cyningstan, knowlton, chessvariants |
//! | `Count::second` | chessvariants: both sides can be limited |
//! | `Count::UNLIMITED` | cyningstan: armies without a number; wikipedia, schemingmind: a stopped count |
//! | `draws_at_limit` | all but fairy-stockfish; pieces only: knowlton; board only: wikipedia |
//! | `counts_among_bia` | schemingmind, cyningstan, chessvariants, fifty-moves; Cambodian numbers |
//! | `at_setup` | all but fairy-stockfish and cutechess, which start with the next move |
//! | `kind` | sources that count among bia |
//! | `spoken` | wikipedia: the first flight is spoken as the number of pieces |
//! | `may_stop` | schemingmind, wikipedia: either honour; others: the board's, fifty-moves: neither |
//! | `late_mate_wins` | fairy-stockfish, cutechess, fifty-moves |
//! | [`CounterMate::Draw`](crate::rules::CounterMate::Draw) | wikipedia |
//! | [`DeadMaterial::CuteChess`](crate::rules::DeadMaterial::CuteChess) | cutechess |
//! | [`StartArray::Mirrored`](crate::rules::StartArray::Mirrored) | chessvariants |
//! | [`Privileges`](crate::rules::Privileges) | cyningstan: lord's horse, minister's two; Ouk Chaktrang: [`Reading`] |
//! | `FIRST_TURN_ONLY`, `STREET_KHUN`, `SUT_MET`, `SUT_MA` | no ruleset: single parts |
//! | `CountStarted`, `Claim`, `DrawInstant` | no ruleset: single parts, and counts started by hand |

mod chessvariants;
mod cutechess;
mod cyningstan;
mod fairy_stockfish;
mod knowlton;
mod readings;
mod schemingmind;
mod wikipedia;

pub(crate) use fairy_stockfish::by_hand;
pub use readings::AcceptedMove;

use crate::count::{Count, MoveFacts};
use crate::counting::CountingRule;
use crate::position::Position;
use crate::rules::{CountingSystem, Variant};
#[cfg(doc)]
use crate::rules::{Reading, Ruleset};

/// The rule of a system in a variant.
pub(crate) fn rule(system: CountingSystem, variant: Variant) -> &'static dyn CountingRule {
    match (system, variant) {
        (CountingSystem::FairyStockfish, Variant::Cambodian) => {
            &fairy_stockfish::FairyStockfish { cambodian: true }
        }
        (CountingSystem::FairyStockfish, _) => &fairy_stockfish::FairyStockfish { cambodian: false },
        (CountingSystem::CuteChess, Variant::Cambodian) => &cutechess::Ouk,
        (CountingSystem::CuteChess, _) => &cutechess::Makruk,
        (CountingSystem::SchemingMind, _) => &schemingmind::SchemingMind,
        (CountingSystem::Wikipedia, _) => &wikipedia::Wikipedia,
        (CountingSystem::Cyningstan, _) => &cyningstan::Cyningstan,
        (CountingSystem::Knowlton, _) => &knowlton::Knowlton,
        (CountingSystem::ChessVariants, _) => &chessvariants::ChessVariants,
        (CountingSystem::FiftyMoves, _) => &cutechess::FiftyMoves,
        (CountingSystem::None, _) => &Uncounted,
    }
}

/// Nothing is counted.
struct Uncounted;

impl CountingRule for Uncounted {
    fn after_move(&self, _: &Position, before: Count, _: MoveFacts) -> Count {
        before
    }
}
