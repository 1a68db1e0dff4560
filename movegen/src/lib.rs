//! Makruk (Thai chess): board, rules and move generation, without evaluation or search.
//!
//! ```
//! use sakmak_movegen::{Game, Notation, Outcome, Position, Rules, SpokenCount, perft};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Parse a position, list its legal moves and play one.
//! let mut position = Position::from_fen("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1")?;
//! assert_eq!(position.legal_moves().len(), 23);
//! position.play(position.parse_move("e3e4")?)?;
//! assert_eq!(position.to_string(), "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1");
//!
//! // Play a game in coordinates, in SAN or in Thai SAN. The count starts when the khun is bare.
//! let mut game = Game::from_fen("7k/8/5K2/8/8/8/1m6/RR6 w - - 0 40", Rules::default())?;
//! game.play_text(Notation::San, "Rxb2")?;
//! assert_eq!(SpokenCount::new(game.position()).to_string(), "pieces 4/8, white may make 4 more moves");
//! game.play_uci("h8g8")?;
//! game.play_text(Notation::ThaiSan, "ร-ก๗")?;
//! game.play_uci("g8h8")?;
//! game.play_text(Notation::San, "Rb8#")?;
//! assert_eq!(game.outcome(), Some(Outcome::Win(sakmak_movegen::Color::White)));
//!
//! // Count move paths.
//! assert_eq!(perft::perft(&Position::startpos(), 3), 12_012);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to start
//!
//! | To do this | use |
//! | --- | --- |
//! | read a FEN | [`Position::from_fen`]; [`Fen`] for its fields |
//! | set up a position piece by piece, or change one | [`Setup`] |
//! | list the pieces with their squares | [`Position::all_pieces`] |
//! | list legal moves | [`Position::legal_moves`]; [`Position::generate`] in stages |
//! | play a move | [`Position::play`], [`Position::play_unchecked`]; [`Position::after`] on a copy |
//! | keep a game: repetition, taking back, the count by hand | [`Game`] |
//! | read the count | [`Position::count`]; [`SpokenCount`] in words |
//! | test whether the game is over | [`Position::outcome`], [`Game::outcome`]; [`Outcome::result`] for `1-0` |
//! | read and write SAN | [`Position::parse_san`], [`Position::san`], [`San`]; [`Notation`] for Thai and others |
//! | write PGN | `PgnGame::from(&game)` of the crate `sakmak-games` |
//! | choose among the rules of different sources | [`Rules`], [`Ruleset`] |
//! | test or time the generator | [`perft`] |
//!
//! # Features
//!
//! * `std` (default): perft in threads and with a TT. Without it the crate is `no_std` and needs `alloc`.
//! * `serde`: squares, pieces, colours, moves, FENs, SAN, variants, rulesets and [`rules::RuleParts`] are the texts that
//!   they print; a [`Bitboard`] is a number. A [`Position`] needs its rules to be read again: keep its [`Fen`] with the
//!   [`Variant`] and the [`Ruleset`].
//! * `small-tables`: computes the attacks of the rua instead of looking them up in 819 kB; the default on WebAssembly.
//!
//! # Speed in a program of your own
//!
//! Cargo takes profiles and compiler flags from your package alone, not from this one:
//!
//! * A debug build counts perft 20 to 30 times slower. Optimise this package there too, in your `Cargo.toml`:
//!
//!   ```toml
//!   [profile.dev.package.sakmak-movegen]
//!   opt-level = 3
//!   ```
//! * Without a target CPU the compiler uses neither POPCNT nor PEXT, and perft takes about 1.7 times as long. In your
//!   `.cargo/config.toml`, for x86-64 CPUs since 2013:
//!
//!   ```toml
//!   [target.'cfg(target_arch = "x86_64")']
//!   rustflags = ["-C", "target-cpu=x86-64-v3"]
//!   ```
//!
//! # The pieces
//!
//! A khun (king), a met (one step diagonally), khon (a met that also steps straight forward), maa (knight), rua
//! (rook) and bia (pawn, no double step) a side. A bia promotes to a met on the sixth rank. `docs/rules.md` in the
//! repository has the rules in full.

//!
//! # Order of the modules
//!
//! A module imports those above it in this list, never those below:
//!
//! 1. `types`, `square`, `bitboard`, `moves`, `zobrist`, `attacks` (`magic`, `obstruction`): plain values and sets;
//! 2. `rules`, `count`: the parts of the rules and the state of a count;
//! 3. `position`; on it `make`, `legal`, `generate`, `privilege`, `see`, `outcome`, `setup`, `perft`;
//! 4. `fen`, `notation`, `san`, then `game`;
//! 5. `counting`, the default count, then `historical`, the other sources; `count_keeping` chooses among them.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

extern crate alloc;

pub mod attacks;
mod bitboard;
mod count;
mod count_keeping;
pub mod counting;
mod fen;
mod game;
mod generate;
mod historical;
mod legal;
#[cfg(any(test, not(any(target_arch = "wasm32", feature = "small-tables"))))]
mod magic;
#[cfg(any(test, not(any(target_arch = "wasm32", feature = "small-tables"))))]
mod magic_numbers;
mod make;
mod move_names;
mod moves;
mod notation;
mod obstruction;
mod outcome;
pub mod perft;
mod position;
mod privilege;

pub mod rules;
mod san;
mod see;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod types;
mod zobrist;

use alloc::string::String;

pub use bitboard::Bitboard;
pub use count::{Count, CountKind};
pub use counting::SpokenCount;
pub use fen::{Fen, FenError};
pub use game::{CountDecision, CountError, Game, ParseDecisionError};
pub use generate::Stage;
pub use historical::AcceptedMove;
pub use legal::CheckInfo;
pub use move_names::MoveNames;
pub use moves::{MAX_MOVES, Move, MoveError, MoveList};
pub use notation::{Notation, NotationError};
pub use outcome::{DrawReason, Outcome};
pub use position::Position;
pub use rules::{CountingSystem, PlayRules, Reading, Rules, Ruleset, Variant};
pub use san::San;
pub use see::SeeValues;
pub use setup::{CountOwner, Setup, SetupError};
pub use square::{File, IndexError, ParseSquareError, Rank, Square};
pub use types::{Color, ParsePieceError, Piece, PieceKind};
pub use zobrist::splitmix64;

/// The first 40 characters of a wrong text, for messages; here and in the crates on top of this one.
#[doc(hidden)]
pub fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The examples of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
