//! Argument parsers shared by several commands.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub(crate) use sakmak_engine::args::{at_least_one, thread_count, whole};
use sakmak_movegen::{Rules, Ruleset, Variant};

/// The rules of the games.
#[derive(Args)]
pub(super) struct RulesArgs {
    /// The variant
    #[arg(long, default_value_t, value_parser = named::<Variant>(Variant::NAMES))]
    pub(super) variant: Variant,
    /// The ruleset
    #[arg(long, default_value_t, value_parser = named::<Ruleset>(Ruleset::NAMES))]
    pub(super) ruleset: Ruleset,
}

impl RulesArgs {
    pub(super) fn rules(&self) -> Rules {
        Rules::new(self.variant, self.ruleset)
    }
}

/// Parses a name in `names`, in any case.
pub(super) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// The text of a file with a key or a password, which may be a pipe.
///
/// # Errors
/// If it cannot be read, or is longer than any secret.
pub(super) fn secret(path: &Path) -> Result<String> {
    const LONGEST: u64 = 4096;
    let name = || path.display().to_string();
    let mut text = String::new();
    File::open(path).with_context(name)?.take(LONGEST + 1).read_to_string(&mut text).with_context(name)?;
    ensure!(text.len() as u64 <= LONGEST, "{}: longer than {LONGEST} bytes", name());
    Ok(text)
}

fn number(text: &str, fits: impl Fn(f64) -> bool, needed: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number| fits(number)).ok_or_else(|| format!("{needed} is needed"))
}

/// Parses a number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "a number from 0 to 1")
}

/// Parses a non-negative number.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number that is not negative")
}

/// Parses a positive number.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number above 0")
}
