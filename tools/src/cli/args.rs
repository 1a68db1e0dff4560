//! Values that the command lines of several commands share.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Parses the name of an enumeration's value, in any case.
pub(super) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}
