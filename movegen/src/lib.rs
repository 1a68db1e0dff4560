//! Makruk (Thai chess): the board, its rules and nothing else.
//!
//! * [`Position`] holds the men, the side to move and the count, and makes moves.
//! * [`MoveList`] is filled by [`Position::generate`] with fully legal moves, in stages if wanted.
//! * [`Count`] is the counting state (*sak mak*, the pieces' honour, and *sak kradan*, the board's
//!   honour) that decides when a game is drawn.
//! * [`perft`] counts move paths, the standard proof of a move generator.
//!
//! Rules of play: a khun (king), met (one step diagonally), khon (a met that also steps straight
//! forward), maa (knight), rua (rook) and bia (pawn, no double step) a side; a bia becomes a met on
//! the sixth rank. See `docs/rules.md` in the repository.
//!
//! ```
//! use sakmak_movegen::{perft, Position};
//!
//! let mut position = Position::startpos();
//! assert_eq!(perft::perft(&position, 3), 12_012);
//! let mv = position.parse_move("e3e4").unwrap();
//! position.play_unchecked(mv);
//! assert_eq!(position.to_string(), "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1");
//! ```

pub mod attacks;
mod bitboard;
pub mod counting;
mod fen;
mod game;
mod generate;
mod legal;
mod magic;
mod magic_numbers;
mod make;
mod moves;
mod notation;
mod outcome;
pub mod perft;
mod position;
mod privilege;
mod reading;
pub mod rules;
mod see;
mod setup;
mod square;
mod types;
mod zobrist;

pub use bitboard::Bitboard;
pub use counting::{Count, CountKind, CountingSystem, SpokenCount};
pub use fen::{Fen, FenError};
pub use game::{CountError, Game};
pub use generate::Stage;
pub use legal::CheckInfo;
pub use magic::rua_uses_pext;
pub use magic_numbers::RUA_MAGICS;
pub use make::{NullObserver, Observer};
pub use moves::{MAX_MOVES, Move, MoveError, MoveList};
pub use notation::{Notation, NotationError};
pub use outcome::{DrawReason, Outcome};
pub use position::Position;
pub use reading::{AcceptedMove, Reading};
pub use rules::{CompiledRules, Rules, Ruleset, Variant};
pub use see::SeeValues;
pub use setup::{CountOwner, Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use types::{Color, Piece, PieceKind};
pub use zobrist::splitmix64;
