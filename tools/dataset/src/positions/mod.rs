//! Training positions for the network, 32 bytes each.
//!
//! [`PositionFile`] reads a file, [`PositionWriter`] makes one.
//!
//! # The file
//!
//! All numbers are little-endian.
//!
//! | bytes | header |
//! | --- | --- |
//! | 8 | `SAKMAKPO` |
//! | 4 | version: 1 |
//! | 4 | bytes of a position: 32 |
//! | 8 | number of positions |
//! | 4 | CRC-32 of all bytes before |
//!
//! Then blocks of 65,536 positions, the last one shorter, each followed by the CRC-32 of its bytes.
//!
//! | bytes | position, as seen by the side to move: its first rank is rank 1 |
//! | --- | --- |
//! | 8 | occupied squares, bit 0 for a1 |
//! | 16 | four bits a piece in the order of the squares: bia 0, met, khon, maa, rua, khun 5; 8 more for enemy pieces |
//! | 2 | score in internal units |
//! | 1 | points in the game, doubled; 3 if the position is of no game |
//! | 1 | plies left of the count, at most 254; 255 if none runs |
//! | 2 | plies since the start of the game's record |
//! | 2 | 0 |

mod file;

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Square};

pub use file::{BLOCK, PositionFile, PositionWriter};

use crate::games::Sample;

/// The most pieces of a record.
const MOST_PIECES: u32 = 32;
const NO_COUNT: u8 = 255;
const ENEMY: u8 = 8;
const NO_RESULT: u8 = 3;

/// A training position, with its board turned so that the side to move is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    occupied: Bitboard,
    /// Two pieces in each byte, the first in the lower half.
    pieces: [u8; 16],
    /// Score in internal units for the side to move.
    pub score: i16,
    half_points: u8,
    plies_left: u8,
    /// Plies since the start of the game's record.
    pub ply: u16,
}

impl TrainingPosition {
    /// The length of a record in bytes.
    pub const BYTES: usize = 32;

    /// The record of a sample; `None` for positions with more than 32 pieces.
    pub fn new(sample: &Sample) -> Option<Self> {
        let record = Self::without_result(&sample.position, sample.score)?;
        let ply = sample.ply.min(usize::from(u16::MAX)) as u16;
        Some(Self { half_points: (2.0 * sample.points()) as u8, ply, ..record })
    }

    /// The record of a position without a game; `None` for positions with more than 32 pieces.
    pub fn without_result(position: &Position, score: i32) -> Option<Self> {
        if position.occupied().len() > MOST_PIECES {
            return None;
        }
        let us = position.side_to_move();
        let mut occupied = Bitboard::EMPTY;
        let mut codes = [0; 64];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let code = kind.index() as u8 + if color == us { 0 } else { ENEMY };
                for square in position.pieces(color, kind) {
                    let square = square.relative(us);
                    occupied |= Bitboard::from(square);
                    codes[square.index()] = code;
                }
            }
        }
        let mut pieces = [0; 16];
        for (number, square) in occupied.into_iter().enumerate() {
            pieces[number / 2] |= codes[square.index()] << (4 * (number % 2));
        }
        let plies_left = position.count().remaining();
        Some(Self {
            occupied,
            pieces,
            score: score.clamp(-32_000, 32_000) as i16,
            half_points: NO_RESULT,
            plies_left: plies_left.map_or(NO_COUNT, |left| left.clamp(0, i32::from(NO_COUNT) - 1) as u8),
            ply: 0,
        })
    }

    /// The final points of the side to move: 1, 0.5 or 0; `None` if the position is of no game.
    #[inline]
    pub fn points(&self) -> Option<f32> {
        (self.half_points != NO_RESULT).then_some(f32::from(self.half_points) / 2.0)
    }

    /// The pieces by color and kind, White being the side to move.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Color, PieceKind, Square)> + '_ {
        self.occupied.into_iter().enumerate().map(|(number, square)| {
            let code = self.pieces[number / 2] >> (4 * (number % 2)) & 15;
            let color = if code < ENEMY { Color::White } else { Color::Black };
            (color, PieceKind::ALL[usize::from(code & 7)], square)
        })
    }

    /// The number of pieces on the board.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        self.occupied.len()
    }

    /// The plies left of a running count; `None` if none runs.
    #[inline]
    pub fn plies_left(&self) -> Option<i32> {
        (self.plies_left != NO_COUNT).then_some(i32::from(self.plies_left))
    }

    /// The bytes of a record.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.half_points;
        bytes[27] = self.plies_left;
        bytes[28..30].copy_from_slice(&self.ply.to_le_bytes());
        bytes
    }

    /// The record with these bytes; `None` if they stand for no position.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let part = |from: usize| -> [u8; 2] { [bytes[from], bytes[from + 1]] };
        let record = Self {
            occupied: Bitboard(u64::from_le_bytes(*bytes.first_chunk()?)),
            pieces: bytes[8..24].try_into().ok()?,
            score: i16::from_le_bytes(part(24)),
            half_points: bytes[26],
            plies_left: bytes[27],
            ply: u16::from_le_bytes(part(28)),
        };
        record.is_sound().then_some(record)
    }

    /// Whether the kinds of pieces are known, each side has one khun, and the points are valid.
    fn is_sound(&self) -> bool {
        let codes = || (0..32).map(|number| self.pieces[number / 2] >> (4 * (number % 2)) & 15);
        let count = self.piece_count() as usize;
        let khun = PieceKind::Khun.index() as u8;
        let khuns = |code: u8| codes().take(count).filter(|&piece| piece == code).count();
        self.half_points <= NO_RESULT
            && count <= MOST_PIECES as usize
            && codes().all(|code| code & 7 <= khun)
            && khuns(khun) == 1
            && khuns(khun + ENEMY) == 1
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::Move;

    use super::*;
    use crate::games::GameResult;

    fn sample(fen: &str, score: i32, result: GameResult) -> Sample {
        let position = Position::from_fen(fen).unwrap();
        let mv: Move = position.legal_moves()[0];
        Sample { position, score, ply: 7, mv, result }
    }

    #[test]
    fn a_record_holds_the_position_as_the_side_to_move_sees_it() {
        let black = sample("8/2k3r1/3m4/8/1N6/7K/4S3/8 b - 128 8 60", -55, GameResult::WhiteWins);
        let record = TrainingPosition::new(&black).unwrap();
        let mut pieces: Vec<_> =
            record.pieces().map(|(color, kind, square)| (color, kind, square.to_string())).collect();
        pieces.sort_by_key(|(color, kind, _)| (color.index(), kind.index()));
        let expected = [
            (Color::White, PieceKind::Met, "d3"),
            (Color::White, PieceKind::Rua, "g2"),
            (Color::White, PieceKind::Khun, "c2"),
            (Color::Black, PieceKind::Khon, "e7"),
            (Color::Black, PieceKind::Maa, "b5"),
            (Color::Black, PieceKind::Khun, "h6"),
        ];
        assert_eq!(pieces, expected.map(|(color, kind, square)| (color, kind, square.to_owned())));
        assert_eq!((record.score, record.points(), record.ply), (-55, Some(0.0), 7));
        assert_eq!((record.plies_left(), record.piece_count()), (Some(120), 6));
        let white = sample("8/2k3r1/3m4/8/1N6/7K/4S3/8 w - - 0 60", 40_000, GameResult::Draw);
        let record = TrainingPosition::new(&white).unwrap();
        assert_eq!((record.score, record.points(), record.plies_left()), (32_000, Some(0.5), None));
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let start = sample("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", 12, GameResult::Draw);
        let record = TrainingPosition::new(&start).unwrap();
        let bytes = record.to_bytes();
        assert_eq!(TrainingPosition::from_bytes(&bytes), Some(record));
        // A square more, an unknown piece, a khun more, too many points.
        for (at, change) in [(1, 0x02), (8, 0x03), (9, 0x07), (26, 0x04)] {
            let mut wrong = bytes;
            wrong[at] ^= change;
            assert_eq!(TrainingPosition::from_bytes(&wrong), None, "byte {at}");
        }
    }
}
