//! One ending solved for every placement of its pieces, backwards from its end.
//!
//! White attacks. A table has two khun and one or two pieces: the attacker's, of which one may be a bia, or one
//! of the attacker's and the last piece of the other side. For each placement it holds the plies until the win is
//! decided: by mate or, where a capture or a promotion begins a count, by that move, if the mate behind it
//! fits the count it begins. A running count plays no part otherwise, and neither does repetition.
//!
//! Placements are stored with the attacker's khun on the left half of the board; the others are mirrored.

use std::collections::HashMap;
use std::sync::Arc;

use sakmak_movegen::{Bitboard, Color, Piece, PieceKind, Square, attacks};

use super::tables::{BOARD_PLIES, EndingTables, limit};

/// Plies until the win, even with the defending side to move, odd with the attacker to move; or one of these.
pub type PlyCount = u8;
/// The attacker does not win.
pub(super) const UNKNOWN: PlyCount = 255;
/// No position of a game.
pub(super) const ILLEGAL: PlyCount = 254;
/// A move leaves the ending without loss, so the moves that stay in it need not be counted.
const ESCAPES: u8 = 255;

/// Where the bare khun, the attacker's khun and the pieces stand, in this order.
type PieceLocations = [Square; 4];
const DEFENDER: usize = 0;
const ATTACKER: usize = 1;

/// The pieces of an ending besides the khun: White's first, the stronger first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ending(Vec<Piece>);

impl Ending {
    /// The ending of these pieces, if a table can hold it.
    pub fn new(mut pieces: Vec<Piece>) -> Option<Self> {
        pieces.sort_by_key(|piece| (piece.color, std::cmp::Reverse(piece.kind)));
        let attacks =
            pieces.first().is_some_and(|piece| piece.color == Color::White && piece.kind != PieceKind::Bia);
        let has_table = pieces.len() <= 2 && pieces.iter().all(|piece| piece.kind != PieceKind::Khun);
        (attacks && has_table).then_some(Self(pieces))
    }

    /// The ending of the attacker's pieces against a bare khun.
    pub fn bare(kinds: &[PieceKind]) -> Option<Self> {
        Self::new(kinds.iter().map(|&kind| Piece::new(Color::White, kind)).collect())
    }

    fn kinds(&self, color: Color) -> Vec<PieceKind> {
        self.0.iter().filter(|piece| piece.color == color).map(|piece| piece.kind).collect()
    }

    fn has_bia(&self) -> bool {
        self.0.iter().any(|piece| piece.kind == PieceKind::Bia)
    }

    fn without(&self, piece: usize) -> Option<Self> {
        let mut pieces = self.0.clone();
        pieces.remove(piece);
        Self::new(pieces)
    }

    fn promoted(&self) -> Option<Self> {
        let arrive = |&piece: &Piece| {
            if piece.kind == PieceKind::Bia { Piece { kind: PieceKind::Met, ..piece } } else { piece }
        };
        Self::new(self.0.iter().map(arrive).collect())
    }

    fn size(&self) -> usize {
        64 * 32 * 64usize.pow(self.0.len() as u32)
    }

    fn index(&self, squares: &PieceLocations) -> usize {
        let mirror = if squares[ATTACKER].file() > 3 { 7 } else { 0 };
        let at = |square: Square| square.index() ^ mirror;
        let attacker = at(squares[ATTACKER]);
        let khuns = at(squares[DEFENDER]) * 32 + (attacker >> 3) * 4 + (attacker & 3);
        squares[2..][..self.0.len()].iter().fold(khuns, |index, &square| index * 64 + at(square))
    }

    fn squares(&self, mut index: usize) -> PieceLocations {
        let mut squares = [Square::from_index(0); 4];
        for square in squares[2..][..self.0.len()].iter_mut().rev() {
            *square = Square::from_index(index % 64);
            index /= 64;
        }
        squares[ATTACKER] = Square::from_index((index % 32 / 4) * 8 + index % 4);
        squares[DEFENDER] = Square::from_index(index / 32);
        squares
    }

    fn occupied(&self, squares: &PieceLocations) -> Bitboard {
        squares[..self.0.len() + 2].iter().copied().collect()
    }

    /// Whether a side attacks a square, a piece that has been taken left out.
    fn attacks(
        &self,
        by: Color,
        target: Square,
        squares: &PieceLocations,
        occupied: Bitboard,
        gone: usize,
    ) -> bool {
        let khun = squares[if by == Color::White { ATTACKER } else { DEFENDER }];
        attacks::khun(khun).contains(target)
            || self.0.iter().zip(&squares[2..]).enumerate().any(|(index, (piece, &square))| {
                index != gone
                    && piece.color == by
                    && attacks::of(piece.kind, by, square, occupied).contains(target)
            })
    }

    /// Whether the pieces can stand like this in a game, whichever side is to move.
    fn is_possible(&self, squares: &PieceLocations) -> bool {
        self.occupied(squares).len() as usize == self.0.len() + 2
            && !attacks::khun(squares[ATTACKER]).contains(squares[DEFENDER])
            && self.0.iter().zip(&squares[2..]).all(|(piece, square)| {
                piece.kind != PieceKind::Bia || (1..=4).contains(&square.relative_rank(piece.color))
            })
    }
}

/// No piece has been taken.
const NOBODY: usize = usize::MAX;

/// The endings that moves out of this one lead to.
#[derive(Default)]
struct Exits {
    /// After the defending side has taken the attacker's piece of this index.
    taken: [Option<Arc<EndingTable>>; 2],
    /// After the attacker has taken the last piece.
    bared: Option<Arc<EndingTable>>,
    /// After the bia's promotion.
    promoted: Option<Arc<EndingTable>>,
    /// The most plies that fit the count these moves begin, with the other side to move; `taken` begins one
    /// only if it was the last bia.
    fit_taken: Option<PlyCount>,
    fit_bared: PlyCount,
    fit_promoted: PlyCount,
}

impl Exits {
    fn of(ending: &Ending, tables: &mut EndingTables) -> Self {
        let mut exits = Self::default();
        let attackers = ending.kinds(Color::White);
        for (index, piece) in ending.0.iter().enumerate() {
            let Some(rest) = ending.without(index) else { continue };
            // With the last piece bared or taken, three stand on the board.
            if piece.color == Color::Black {
                exits.fit_bared = limit(&attackers) - 6 + 1;
                exits.bared = Some(tables.get(&rest));
            } else if rest.kinds(Color::Black).is_empty() {
                if piece.kind == PieceKind::Bia {
                    exits.fit_taken = Some(limit(&rest.kinds(Color::White)) - 5 + 1);
                }
                exits.taken[index] = Some(tables.get(&rest));
            }
        }
        if let Some(promoted) = ending.promoted().filter(|_| ending.has_bia()) {
            let against_bare = promoted.kinds(Color::Black).is_empty();
            exits.fit_promoted =
                if against_bare { limit(&promoted.kinds(Color::White)) - 8 } else { BOARD_PLIES } + 1;
            exits.promoted = Some(tables.get(&promoted));
        }
        exits
    }

    /// The plies, with the attacker to move, after a piece of the attacker's was taken; `UNKNOWN` if that saves.
    fn after_taking(&self, ending: &Ending, piece: usize, squares: &PieceLocations) -> PlyCount {
        let Some(table) = &self.taken[piece] else { return UNKNOWN };
        let plies = table.won[table.ending.index(&without(ending, piece, squares))];
        match self.fit_taken.filter(|_| ending.0[piece].kind == PieceKind::Bia) {
            Some(fit) if plies <= fit => 1,
            Some(_) => UNKNOWN,
            None => plies,
        }
    }
}

fn without(ending: &Ending, piece: usize, squares: &PieceLocations) -> PieceLocations {
    let mut rest = *squares;
    rest.copy_within(3..(ending.0.len() + 2).max(3), 2);
    if piece == 1 {
        rest[2] = squares[2];
    }
    rest
}

/// The khun and pieces of a side: index in [`PieceLocations`] and square.
fn movers<'a>(
    ending: &'a Ending,
    squares: &'a PieceLocations,
    side: Color,
) -> impl Iterator<Item = (usize, Square)> + use<'a> {
    let khun = if side == Color::White { ATTACKER } else { DEFENDER };
    let pieces =
        (0..ending.0.len()).filter(move |&piece| ending.0[piece].color == side).map(|piece| piece + 2);
    std::iter::once(khun).chain(pieces).map(|mover| (mover, squares[mover]))
}

/// Where a piece may go, own pieces not yet excluded.
fn reach(ending: &Ending, mover: usize, from: Square, occupied: Bitboard) -> Bitboard {
    let Some(piece) = mover.checked_sub(2).map(|piece| ending.0[piece]) else { return attacks::khun(from) };
    let attacked = attacks::of(piece.kind, piece.color, from, occupied);
    if piece.kind == PieceKind::Bia {
        attacked & occupied | Bitboard::from(from).forward(piece.color) & !occupied
    } else {
        attacked
    }
}

/// From where a piece may have come without a capture.
fn reach_back(ending: &Ending, mover: usize, to: Square, occupied: Bitboard) -> Bitboard {
    let Some(piece) = mover.checked_sub(2).map(|piece| ending.0[piece]) else {
        return attacks::khun(to) & !occupied;
    };
    let from = if piece.kind == PieceKind::Bia {
        Bitboard::from(to).forward(!piece.color)
    } else {
        // Those of a khon are the moves of the other colour's.
        attacks::of(piece.kind, !piece.color, to, occupied)
    };
    from & !occupied
}

/// Whether a piece that goes there is a bia that becomes a met.
fn promotes(ending: &Ending, mover: usize, to: Square) -> bool {
    let piece = mover.checked_sub(2).map(|piece| ending.0[piece]);
    piece.is_some_and(|piece| piece.kind == PieceKind::Bia && to.relative_rank(piece.color) >= 5)
}

/// All placements of an ending.
pub struct EndingTable {
    ending: Ending,
    /// With the attacker to move.
    won: Vec<PlyCount>,
    /// With the defending side to move.
    lost: Vec<PlyCount>,
}

impl EndingTable {
    /// Solves an ending. Without other tables nothing but mate wins, and every capture saves.
    pub fn solve(ending: &Ending, tables: Option<&mut EndingTables>) -> Self {
        let exits = tables.map(|tables| Exits::of(ending, tables)).unwrap_or_default();
        let mut solver = RetrogradeSolver {
            counters: vec![0; ending.size()],
            table: Self {
                ending: ending.clone(),
                won: vec![UNKNOWN; ending.size()],
                lost: vec![UNKNOWN; ending.size()],
            },
            floors: HashMap::new(),
            lost_at: vec![Vec::new(); 256],
            converts: Vec::new(),
        };
        solver.mark_illegal();
        for index in 0..ending.size() {
            let squares = ending.squares(index);
            if solver.table.lost[index] != ILLEGAL {
                solver.classify_defender_moves(index, &squares, &exits);
            }
            if solver.table.won[index] != ILLEGAL && solver.converts_at_once(&squares, &exits) {
                solver.converts.push(index as u32);
            }
        }
        solver.solve_backwards();
        solver.table
    }

    /// The plies of a placement: squares of the bare khun, the attacker's khun and the pieces as the ending has them.
    pub fn plies(&self, squares: &[Square], attacker_to_move: bool) -> PlyCount {
        let mut all = [Square::from_index(0); 4];
        all[..squares.len()].copy_from_slice(squares);
        let index = self.ending.index(&all);
        if attacker_to_move { self.won[index] } else { self.lost[index] }
    }

    /// The square of the bare khun and its plies with the defending side to move, for all placements.
    pub fn defender_plies(&self) -> impl Iterator<Item = (Square, PlyCount)> + '_ {
        let share = self.lost.len() / 64;
        self.lost.iter().enumerate().flat_map(move |(index, &plies)| {
            let defender = index / share;
            [defender, defender ^ 7].map(|square| (Square::from_index(square), plies))
        })
    }
}

struct RetrogradeSolver {
    table: EndingTable,
    /// Moves of the defending side that stay in the ending and are not yet found to lose.
    counters: Vec<u8>,
    /// The plies of the longest line that leaves the ending and loses nevertheless.
    floors: HashMap<u32, PlyCount>,
    /// Positions of the defending side found lost, by plies.
    lost_at: Vec<Vec<u32>>,
    /// Positions of the attacker in which a capture or promotion decides.
    converts: Vec<u32>,
}

impl RetrogradeSolver {
    fn mark_illegal(&mut self) {
        let EndingTable { ending, won, lost } = &mut self.table;
        for index in 0..won.len() {
            let squares = ending.squares(index);
            if !ending.is_possible(&squares) {
                (won[index], lost[index]) = (ILLEGAL, ILLEGAL);
                continue;
            }
            let occupied = ending.occupied(&squares);
            if ending.attacks(Color::White, squares[DEFENDER], &squares, occupied, NOBODY) {
                won[index] = ILLEGAL;
            }
            if ending.attacks(Color::Black, squares[ATTACKER], &squares, occupied, NOBODY) {
                lost[index] = ILLEGAL;
            }
        }
    }

    /// Counts the moves of the defending side that stay in the ending, and classifies those that leave it.
    fn classify_defender_moves(&mut self, index: usize, squares: &PieceLocations, exits: &Exits) {
        let EndingTable { ending, won, .. } = &self.table;
        let occupied = ending.occupied(squares);
        let (mut stay, mut floor, mut escapes) = (0, 0, false);
        let mut leave = |plies: PlyCount| match plies {
            ILLEGAL => {}
            UNKNOWN => escapes = true,
            _ => floor = floor.max(plies + 1),
        };
        for (mover, from) in movers(ending, squares, Color::Black) {
            for to in reach(ending, mover, from, occupied) {
                let mut next = *squares;
                next[mover] = to;
                let victim =
                    (0..ending.0.len()).find(|&piece| piece + 2 != mover && squares[piece + 2] == to);
                if to == squares[DEFENDER] || to == squares[ATTACKER] {
                    continue;
                }
                if let Some(victim) = victim {
                    let after = occupied ^ Bitboard::from(from);
                    let own = ending.0[victim].color == Color::Black;
                    if !own && !ending.attacks(Color::White, next[DEFENDER], &next, after, victim) {
                        leave(exits.after_taking(ending, victim, &next));
                    }
                } else if promotes(ending, mover, to) {
                    let Some(table) = &exits.promoted else { continue };
                    leave(match table.won[table.ending.index(&next)] {
                        plies if plies <= exits.fit_promoted => 1,
                        ILLEGAL => ILLEGAL,
                        _ => UNKNOWN,
                    });
                } else if won[ending.index(&next)] != ILLEGAL {
                    stay += 1;
                }
            }
        }
        if escapes {
            stay = ESCAPES;
        } else if stay == 0 && floor == 0 {
            // Mate or stalemate.
            if ending.attacks(Color::White, squares[DEFENDER], squares, occupied, NOBODY) {
                self.lost_at[0].push(index as u32);
            }
            stay = ESCAPES;
        } else if floor > 0 {
            self.floors.insert(index as u32, floor);
            if stay == 0 {
                self.lost_at[usize::from(floor)].push(index as u32);
            }
        }
        self.counters[index] = stay;
    }

    /// Whether the attacker has a capture or a promotion that begins a count which the mate fits.
    fn converts_at_once(&self, squares: &PieceLocations, exits: &Exits) -> bool {
        let ending = &self.table.ending;
        if exits.bared.is_none() && exits.promoted.is_none() {
            return false;
        }
        let occupied = ending.occupied(squares);
        movers(ending, squares, Color::White).any(|(mover, from)| {
            reach(ending, mover, from, occupied).into_iter().any(|to| {
                let mut next = *squares;
                next[mover] = to;
                let last = ending.0.iter().position(|piece| piece.color == Color::Black);
                match (last, &exits.bared, &exits.promoted) {
                    (Some(last), Some(table), _) if squares[last + 2] == to => {
                        let rest = without(ending, last, &next);
                        table.lost[table.ending.index(&rest)] <= exits.fit_bared
                    }
                    (None, _, Some(table)) if promotes(ending, mover, to) && !occupied.contains(to) => {
                        table.lost[table.ending.index(&next)] <= exits.fit_promoted
                    }
                    _ => false,
                }
            })
        })
    }

    fn solve_backwards(&mut self) {
        let mut plies = 0;
        while usize::from(plies) + 2 < usize::from(ILLEGAL) {
            let lost = std::mem::take(&mut self.lost_at[usize::from(plies)]);
            for &index in &lost {
                self.table.lost[index as usize] = plies;
            }
            let mut won = self.mark_won(&lost, plies + 1);
            if plies == 0 {
                for index in std::mem::take(&mut self.converts) {
                    if self.table.won[index as usize] == UNKNOWN {
                        self.table.won[index as usize] = 1;
                        won.push(index);
                    }
                }
            }
            self.mark_lost(&won, plies + 2);
            if self.lost_at[usize::from(plies) + 2..].iter().all(Vec::is_empty) {
                return;
            }
            plies += 2;
        }
    }

    /// Marks the positions from which the attacker reaches one of `lost`.
    fn mark_won(&mut self, lost: &[u32], plies: PlyCount) -> Vec<u32> {
        let EndingTable { ending, won, .. } = &mut self.table;
        let mut reached = Vec::new();
        for &index in lost {
            let mut squares = ending.squares(index as usize);
            let occupied = ending.occupied(&squares);
            let pieces: Vec<_> = movers(ending, &squares, Color::White).collect();
            for (mover, to) in pieces {
                for from in reach_back(ending, mover, to, occupied) {
                    squares[mover] = from;
                    let before = ending.index(&squares);
                    if won[before] == UNKNOWN {
                        won[before] = plies;
                        reached.push(before as u32);
                    }
                }
                squares[mover] = to;
            }
        }
        reached
    }

    /// Finds the positions in which every move of the defending side leads to one won by the attacker, now that
    /// `won` are.
    fn mark_lost(&mut self, won: &[u32], plies: PlyCount) {
        let ending = &self.table.ending;
        for &index in won {
            let mut squares = ending.squares(index as usize);
            let occupied = ending.occupied(&squares);
            let pieces: Vec<_> = movers(ending, &squares, Color::Black).collect();
            for (mover, to) in pieces {
                for from in reach_back(ending, mover, to, occupied) {
                    squares[mover] = from;
                    let before = ending.index(&squares);
                    let counter = &mut self.counters[before];
                    if self.table.lost[before] != UNKNOWN || *counter == ESCAPES {
                        continue;
                    }
                    *counter -= 1;
                    if *counter == 0 {
                        let before = before as u32;
                        let floor = self.floors.get(&before).copied().unwrap_or(0);
                        self.lost_at[usize::from(plies.max(floor))].push(before);
                    }
                }
                squares[mover] = to;
            }
        }
    }
}
