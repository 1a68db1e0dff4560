//! The rules of a position as a text.

use sakmak_movegen::Rules;
use sakmak_movegen::rules::{RulePartError, RuleParts, UnknownName};
use thiserror::Error;

/// The rules as a text: variant, ruleset, and the parts that differ from the ruleset's.
///
/// ```
/// use sakmak_engine::rules_key::{read_rules_key, rules_key};
/// use sakmak_movegen::Rules;
///
/// let rules = Rules::default().with_parts("Repetition=none")?;
/// assert_eq!(rules_key(rules), "makruk fairy-stockfish Repetition=none");
/// assert_eq!(read_rules_key("makruk fairy-stockfish Repetition=none"), Ok(rules));
/// # Ok::<(), sakmak_movegen::rules::RulePartError>(())
/// ```
pub fn rules_key(rules: Rules) -> String {
    let Rules { setup, play } = rules;
    let parts = RuleParts::between(Rules::new(play.variant, setup.ruleset), rules);
    let key = format!("{} {} {parts}", play.variant, setup.ruleset);
    key.trim_end().to_owned()
}

/// Why a text does not name rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesKeyError {
    /// The variant or the ruleset is missing.
    #[error("rules are VARIANT RULESET [PART=VALUE ...]")]
    Incomplete,
    /// The variant or the ruleset has an unknown name.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A part is wrong.
    #[error(transparent)]
    Part(#[from] RulePartError),
}

/// The rules of a text by [`rules_key`].
///
/// # Errors
/// If the text names no rules.
pub fn read_rules_key(text: &str) -> Result<Rules, RulesKeyError> {
    let mut words = text.split_ascii_whitespace();
    let (Some(variant), Some(ruleset)) = (words.next(), words.next()) else {
        return Err(RulesKeyError::Incomplete);
    };
    let rules = Rules::new(variant.parse()?, ruleset.parse()?);
    Ok(rules.with_parts(&words.collect::<Vec<_>>().join(" "))?)
}
