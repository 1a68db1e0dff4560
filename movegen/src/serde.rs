//! The feature `serde`: values as the texts that they print and read.

use alloc::string::ToString;
use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use ::serde::de::{Error, Visitor};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{Boats, Claim, CounterMate, DeadMaterial, DrawInstant, Repetition, RuleParts, StartArray};
use crate::{
    Bitboard, Color, CountingSystem, Fen, File, Move, Notation, Piece, PieceKind, Rank, Reading, Ruleset,
    San, Square, Variant,
};

struct TextVisitor<T> {
    expected: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty: $expected:literal,)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.to_string())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor { expected: $expected, value: PhantomData })
            }
        }
    )*};
}

as_text! {
    Square: "a square (a1 to h8)",
    File: "a file (a to h)",
    Rank: "a rank (1 to 8)",
    Color: "a colour (white or black)",
    PieceKind: "a kind of piece (bia, met, khon, maa, rua or khun)",
    Piece: "a piece as its FEN letter",
    Move: "a move in UCI form",
    San: "a move in short algebraic notation",
    Fen: "a FEN",
    Notation: "the name of a notation",
    Variant: "the name of a variant",
    Ruleset: "the name of a ruleset",
    Reading: "the name of a reading",
    CountingSystem: "the name of a counting system",
    RuleParts: "parts of the rules (PART=VALUE ...)",
    StartArray: "the name of a start array",
    Repetition: "the name of a rule of repetition",
    DeadMaterial: "the name of a rule of dead material",
    DrawInstant: "the name of a draw instant",
    Claim: "the name of a way to claim",
    CounterMate: "the name of a value of the counter's mate",
    Boats: "the name of a choice of boats",
}

impl Serialize for Bitboard {
    /// As a number, bit `n` for the square with index `n`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn round_trip<T: Serialize + for<'de> Deserialize<'de> + PartialEq + fmt::Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_are_their_texts() {
        round_trip(Square::E4, "\"e4\"");
        round_trip((File::E, Rank::Fourth), "[\"e\",\"4\"]");
        round_trip((Color::Black, PieceKind::Khon), "[\"black\",\"khon\"]");
        round_trip(Piece::new(Color::Black, PieceKind::Khon), "\"s\"");
        round_trip(vec![Move::promotion(Square::E5, Square::E6)], "[\"e5e6m\"]");
        round_trip("Nd2".parse::<San>().unwrap(), "\"Nd2\"");
        round_trip((Variant::Cambodian, Ruleset::Wikipedia), "[\"cambodian\",\"wikipedia\"]");
        round_trip(Bitboard::ALL, "18446744073709551615");
        let start = Position::startpos().to_string();
        round_trip(start.parse::<Fen>().unwrap(), &format!("\"{start}\""));
        let parts: RuleParts = serde_json::from_str("\"Repetition=none\"").unwrap();
        assert_eq!(serde_json::to_string(&parts).unwrap(), "\"Repetition=none\"");
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let error = |json| serde_json::from_str::<Square>(json).unwrap_err().to_string();
        assert!(error("\"e9\"").starts_with("not a square (a1 to h8)"), "{}", error("\"e9\""));
        assert!(error("7").contains("expected a square (a1 to h8)"), "{}", error("7"));
    }
}
