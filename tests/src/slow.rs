//! The rules of Makruk a second time, as plain as possible, to check the fast ones against.
//!
//! Nothing here uses the board crate. The board is an array of FEN letters, moves are found by file and rank offsets,
//! and a move is legal if, once made, no enemy piece attacks the khun. Positions and moves go in and out as text.

mod count;
mod first_moves;

use std::collections::BTreeSet;
use std::fmt;

use count::{MadeMove, SlowCount};
pub use first_moves::SlowRules;

/// A square as (file, rank), both from 0 to 7; a1 is (0, 0).
pub type Spot = (i32, i32);

/// The letter of an empty square.
const EMPTY: char = '.';

const DIAGONAL: [Spot; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const STRAIGHT: [Spot; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const LEAPS: [Spot; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A position, by the slow rules.
#[derive(Clone, Debug)]
pub struct SlowPosition {
    /// Index: rank, then file.
    board: [[char; 8]; 8],
    white_to_move: bool,
    /// The squares of pieces that have a first-move privilege.
    rights: BTreeSet<Spot>,
    rules: SlowRules,
    count: SlowCount,
    halfmove: u32,
    fullmove: u32,
}

/// A move, by the slow rules. Its text is the UCI form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowMove {
    /// Where the piece comes from.
    pub from: Spot,
    /// Where the piece goes.
    pub to: Spot,
    /// Whether a bia becomes a met.
    pub promotes: bool,
}

impl fmt::Display for SlowMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.promotes { "m" } else { "" };
        write!(f, "{}{}{mark}", spot_name(self.from), spot_name(self.to))
    }
}

/// The name of a square, such as `e4`.
pub fn spot_name((file, rank): Spot) -> String {
    let letter = "abcdefgh".chars().nth(file as usize).expect("a file on the board");
    format!("{letter}{}", rank + 1)
}

/// The square with the given name.
fn parse_spot(name: &str) -> Spot {
    all_spots().find(|&spot| spot_name(spot) == name).unwrap_or_else(|| panic!("{name} is no square"))
}

/// All squares from a1 to h8, rank by rank.
pub fn all_spots() -> impl Iterator<Item = Spot> {
    (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
}

fn on_board((file, rank): Spot) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

fn is_white(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

/// +1 if the piece moves up the board, -1 if down.
fn ahead(piece: char) -> i32 {
    if is_white(piece) { 1 } else { -1 }
}

impl SlowPosition {
    /// Reads a FEN of Makruk as Sakmak writes it: six fields.
    ///
    /// # Panics
    /// If it has another form: this is for valid text.
    pub fn from_fen(fen: &str) -> Self {
        Self::from_fen_with(fen, SlowRules::default())
    }

    /// As [`SlowPosition::from_fen`], under other rules. Rights that these rules do not have are ignored.
    ///
    /// # Panics
    /// If the FEN has another form.
    pub fn from_fen_with(fen: &str, rules: SlowRules) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [board, side, rights, limit, clock, fullmove] = fields[..] else { panic!("{fen}") };
        let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{fen}"));

        let mut ranks = [[EMPTY; 8]; 8];
        for (text, rank) in board.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap as usize;
                } else {
                    ranks[rank][file] = letter;
                    file += 1;
                }
            }
        }
        let counting = limit != "-";
        let mut position = Self {
            board: ranks,
            white_to_move: side == "w",
            rights: BTreeSet::new(),
            rules,
            count: if counting {
                SlowCount::running(number(limit), number(clock))
            } else {
                SlowCount::none()
            },
            halfmove: if counting { 0 } else { number(clock) },
            fullmove: number(fullmove),
        };
        position.read_rights(rights);
        position
    }

    /// A position of these men, without a count and first-move privileges.
    pub fn of_men(men: &[(Spot, char)], white_to_move: bool, rules: SlowRules) -> Self {
        let mut position = Self {
            board: [[EMPTY; 8]; 8],
            white_to_move,
            rights: BTreeSet::new(),
            rules,
            count: SlowCount::none(),
            halfmove: 0,
            fullmove: 1,
        };
        for &(spot, piece) in men {
            position.set(spot, piece);
        }
        position
    }

    /// The FEN, in the form Sakmak writes.
    pub fn fen(&self) -> String {
        let rank_text = |rank: &[char; 8]| {
            let mut text: String = rank.iter().collect();
            for gap in (1..=8).rev() {
                text = text.replace(&EMPTY.to_string().repeat(gap), &gap.to_string());
            }
            text
        };
        let board: Vec<String> = self.board.iter().rev().map(rank_text).collect();
        let side = if self.white_to_move { 'w' } else { 'b' };
        let tail = match self.count.limit_and_ply() {
            Some((limit, ply)) => format!("{limit} {ply}"),
            None => format!("- {}", self.halfmove),
        };
        format!("{} {side} {} {tail} {}", board.join("/"), self.rights_text(), self.fullmove)
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.white_to_move
    }

    /// The FEN letter of the piece on a square, if one stands there.
    pub fn piece(&self, (file, rank): Spot) -> Option<char> {
        let letter = self.board[rank as usize][file as usize];
        (letter != EMPTY).then_some(letter)
    }

    fn set(&mut self, (file, rank): Spot, piece: char) {
        self.board[rank as usize][file as usize] = piece;
    }

    /// Every piece of one side with its square.
    fn pieces(&self, white: bool) -> impl Iterator<Item = (Spot, char)> {
        all_spots()
            .filter_map(|spot| self.piece(spot).map(|piece| (spot, piece)))
            .filter(move |&(_, piece)| is_white(piece) == white)
    }

    /// The squares the piece on `from` attacks or guards.
    fn attacks(&self, from: Spot, piece: char) -> Vec<Spot> {
        let step = |&(files, ranks): &Spot| (from.0 + files, from.1 + ranks);
        let mut targets: Vec<Spot> = match piece.to_ascii_uppercase() {
            'P' => [(-1, ahead(piece)), (1, ahead(piece))].iter().map(step).collect(),
            'M' => DIAGONAL.iter().map(step).collect(),
            'S' => DIAGONAL.iter().chain(&[(0, ahead(piece))]).map(step).collect(),
            'N' => LEAPS.iter().map(step).collect(),
            'R' => STRAIGHT.iter().flat_map(|&direction| self.slide(from, direction)).collect(),
            'K' => DIAGONAL.iter().chain(&STRAIGHT).map(step).collect(),
            _ => panic!("{piece} is no piece"),
        };
        targets.retain(|&spot| on_board(spot));
        targets
    }

    /// The squares in one direction up to the edge or the first piece, which is included.
    fn slide(&self, from: Spot, direction: Spot) -> Vec<Spot> {
        let mut reached = Vec::new();
        let mut spot = from;
        loop {
            spot = (spot.0 + direction.0, spot.1 + direction.1);
            if !on_board(spot) {
                return reached;
            }
            reached.push(spot);
            if self.piece(spot).is_some() {
                return reached;
            }
        }
    }

    /// The squares of the pieces of one side that attack or guard `target`.
    pub fn attackers(&self, target: Spot, white: bool) -> Vec<Spot> {
        self.pieces(white)
            .filter(|&(from, piece)| {
                self.attacks(from, piece).contains(&target) || self.leap_attacks(from, piece) == Some(target)
            })
            .map(|(from, _)| from)
            .collect()
    }

    /// Whether the khun of one side is attacked, with either side to move.
    ///
    /// # Panics
    /// If that side has no khun.
    pub fn khun_attacked(&self, white: bool) -> bool {
        let khun = if white { 'K' } else { 'k' };
        let (spot, _) = self.pieces(white).find(|&(_, piece)| piece == khun).expect("each side has a khun");
        !self.attackers(spot, !white).is_empty()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.khun_attacked(self.white_to_move)
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<SlowMove> {
        let us = self.white_to_move;
        let mut moves = Vec::new();
        for (from, piece) in self.pieces(us) {
            let is_bia = piece.eq_ignore_ascii_case(&'P');
            let mut targets = self.attacks(from, piece);
            targets.retain(|&to| match self.piece(to) {
                Some(other) => is_white(other) != us,
                None => !is_bia,
            });
            let push = (from.0, from.1 + ahead(piece));
            if is_bia && on_board(push) && self.piece(push).is_none() {
                targets.push(push);
            }
            for to in targets {
                let promotes = is_bia && (if us { to.1 >= 5 } else { to.1 <= 2 });
                moves.push(SlowMove { from, to, promotes });
            }
        }
        moves.extend(self.first_moves());
        moves.retain(|&mv| {
            let mut after = self.clone();
            after.move_man(mv);
            !after.khun_attacked(us) && !self.makpong_forbids(mv)
        });
        moves
    }

    /// The legal moves as a set of UCI texts.
    pub fn uci_moves(&self) -> BTreeSet<String> {
        self.moves().iter().map(SlowMove::to_string).collect()
    }

    /// Moves a piece on the board, and the bia that steps forward for it; changes nothing else.
    pub fn move_man(&mut self, mv: SlowMove) {
        let piece = self.piece(mv.from).expect("a piece to move");
        if self.moves_two(mv) {
            self.step_aside(mv.to);
        }
        let arrives = match (mv.promotes, is_white(piece)) {
            (false, _) => piece,
            (true, true) => 'M',
            (true, false) => 'm',
        };
        self.set(mv.from, EMPTY);
        self.set(mv.to, arrives);
    }

    /// Makes a legal move given in UCI form.
    ///
    /// # Panics
    /// If the text is not a move with a piece to make it.
    pub fn make(&mut self, uci: &str) {
        let mv = SlowMove {
            from: parse_spot(&uci[0..2]),
            to: parse_spot(&uci[2..4]),
            promotes: uci.ends_with('m'),
        };
        let piece = self.piece(mv.from).expect("a piece to move");
        let moves_two = self.moves_two(mv);
        let captured = self.piece(mv.to).filter(|_| !moves_two);
        let mover_is_white = self.white_to_move;

        self.move_man(mv);
        self.spend(mv, captured.is_some());
        self.white_to_move = !mover_is_white;
        self.fullmove += u32::from(!mover_is_white);
        let irreversible = captured.is_some() || moves_two || piece.eq_ignore_ascii_case(&'P');
        self.halfmove = if irreversible { 0 } else { self.halfmove + 1 };
        let pieces: String = self.pieces(true).chain(self.pieces(false)).map(|(_, piece)| piece).collect();
        self.count.after_move(&MadeMove { pieces: &pieces, mover_is_white, captured, promoted: mv.promotes });
    }

    /// The position after a legal move given in UCI form.
    pub fn after(&self, uci: &str) -> Self {
        let mut after = self.clone();
        after.make(uci);
        after
    }

    /// Whether the side to move is mated.
    pub fn is_mate(&self) -> bool {
        self.in_check() && self.moves().is_empty()
    }

    /// The result of the game in this position, as the board crate writes it; `None` while the game goes on.
    pub fn outcome(&self) -> Option<String> {
        if self.moves().is_empty() {
            let winner = if self.white_to_move { "black" } else { "white" };
            let mated = self.in_check();
            return Some(if mated {
                format!("{winner} wins (checkmate)")
            } else {
                "draw (stalemate)".into()
            });
        }
        if !self.count.is_expired() {
            return None;
        }
        let alone = |white| self.pieces(white).count() == 1;
        // With bia on the board a count can only come from a FEN and does not depend on the pieces.
        let any_bia =
            [true, false].iter().any(|&white| self.pieces(white).any(|(_, piece)| "Pp".contains(piece)));
        let honour = if (alone(true) || alone(false)) && !any_bia { "pieces'" } else { "board's" };
        Some(format!("draw ({honour} honour)"))
    }
}
