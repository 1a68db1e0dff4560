//! How a capture of a line became possible.

use sakmak_movegen::PieceKind;
use serde::{Serialize, Serializer};

use crate::tactics::{fork_targets, is_discovered, is_pin, is_skewer, is_trapped};
use crate::{Line, Theme, VALUES, value};

/// How the side whose line it is wins a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Means {
    /// A piece attacks several at once.
    Fork {
        /// The piece that attacks.
        #[serde(rename = "piece", serialize_with = "name")]
        by: PieceKind,
        /// What it attacks, the most valuable first.
        #[serde(serialize_with = "names")]
        targets: Vec<PieceKind>,
    },
    /// A rua attacks a piece through another one.
    Skewer,
    /// The piece, or its protector, is pinned to the khun.
    Pin,
    /// A piece leaves the line of its own rua.
    Discovered,
    /// The piece has no safe square.
    Trapped,
    /// Nothing protects the piece.
    Unprotected,
    /// A less valuable piece takes it.
    Cheaper {
        /// The piece that takes.
        #[serde(rename = "piece", serialize_with = "name")]
        by: PieceKind,
    },
    /// More attackers than protectors.
    Outnumbered,
}

fn name<S: Serializer>(kind: &PieceKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.name())
}

fn names<S: Serializer>(kinds: &[PieceKind], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(kinds.iter().map(|kind| kind.name()))
}

impl Means {
    /// The theme of puzzles with this motif.
    pub fn theme(&self) -> Option<Theme> {
        match self {
            Self::Fork { by: PieceKind::Maa, .. } => Some(Theme::MaaFork),
            Self::Fork { .. } => Some(Theme::Fork),
            Self::Skewer => Some(Theme::Skewer),
            Self::Pin => Some(Theme::Pin),
            Self::Discovered => Some(Theme::Discovered),
            Self::Trapped => Some(Theme::Trapped),
            Self::Unprotected | Self::Cheaper { .. } | Self::Outnumbered => None,
        }
    }
}

/// How the capture `index`, a move of the side whose line it is, became possible. `None` if it is no capture, or only
/// exchanges.
pub fn means_of_capture(line: &Line, index: usize) -> Option<Means> {
    let (&mv, before) = (line.moves.get(index)?, line.positions.get(index)?);
    let (side, taken) = (before.side_to_move(), before.kind_on(mv.to())?);
    if let Some(earlier) = index.checked_sub(2) {
        if let Some((by, targets)) = fork_targets(line, earlier) {
            let mut targets: Vec<_> = targets
                .into_iter()
                .filter_map(|square| line.positions[earlier + 1].kind_on(square))
                .collect();
            targets.sort_by_key(|&kind| std::cmp::Reverse(value(kind)));
            return Some(Means::Fork { by, targets });
        }
        if is_skewer(line, earlier) {
            return Some(Means::Skewer);
        }
        if is_discovered(line, earlier) {
            return Some(Means::Discovered);
        }
        if is_trapped(line, earlier) {
            return Some(Means::Trapped);
        }
    }
    if is_pin(line, index) {
        return Some(Means::Pin);
    }
    let by = before.kind_on(mv.from())?;
    if by == PieceKind::Bia && taken != PieceKind::Bia {
        Some(Means::Cheaper { by })
    } else if before.attackers_of(!side, mv.to(), before.occupied()).is_empty() {
        Some(Means::Unprotected)
    } else if value(by) < value(taken) {
        Some(Means::Cheaper { by })
    } else {
        before.see_ge(mv, 1, &VALUES).then_some(Means::Outnumbered)
    }
}
