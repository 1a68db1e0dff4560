//! The rules of a game by their names.

use sakmak_movegen::{Rules, Ruleset, Variant};
use serde::Serialize;

use crate::Fault;

/// The rules of a variant and a ruleset, with deviations such as `Repetition=none SutMet=on`.
///
/// # Errors
/// `rules.name` or `rules.part` if a name is unknown.
pub fn rules(variant: &str, ruleset: &str, parts: &str) -> Result<Rules, Fault> {
    let variant: Variant = variant.parse()?;
    let ruleset: Ruleset = ruleset.parse()?;
    Ok(Rules::new(variant, ruleset).with_parts(parts)?)
}

/// Variant, ruleset, and deviations from it as in the option `RuleParts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RulesChoice {
    /// `makruk`, `cambodian` or `makpong`.
    pub variant: String,
    /// `fairy-stockfish`, `wikipedia` etc.
    pub ruleset: String,
    /// Such as `Repetition=none SutMet=on`.
    pub parts: String,
}

impl RulesChoice {
    /// The choice of these names and parts, which may be empty.
    pub fn new(variant: &str, ruleset: &str, parts: &str) -> Self {
        Self { variant: variant.to_owned(), ruleset: ruleset.to_owned(), parts: parts.to_owned() }
    }

    /// The choice with the names of the defaults in place of empty ones.
    #[must_use]
    pub fn named(self) -> Self {
        let name = |name: String, default: &str| if name.is_empty() { default.to_owned() } else { name };
        Self {
            variant: name(self.variant, Variant::default().name()),
            ruleset: name(self.ruleset, Ruleset::default().name()),
            parts: self.parts,
        }
    }

    /// The rules. Empty names are the defaults.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn rules(&self) -> Result<Rules, Fault> {
        let Self { variant, ruleset, parts } = self.clone().named();
        rules(&variant, &ruleset, &parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_movegen::rules::{Claim, Privileges};

    #[test]
    fn choices_are_read_and_wrong_ones_refused() {
        let read = |variant, ruleset, parts| RulesChoice::new(variant, ruleset, parts).rules();
        assert_eq!(read("", "", ""), Ok(Rules::default()));
        let rules = read("cambodian", "wikipedia", "CountClaim=manual SutMa=on").unwrap();
        assert_eq!((rules.play.variant, rules.setup.ruleset), (Variant::Cambodian, Ruleset::Wikipedia));
        assert_eq!(rules.play.claim, Claim::Manual);
        assert!(rules.play.privileges.contains(Privileges::SUT_MA));
        for (variant, ruleset, parts, code) in [
            ("chess", "", "", "rules.name"),
            ("", "x", "", "rules.name"),
            ("", "", "SutMa=maybe", "rules.part"),
        ] {
            let error = read(variant, ruleset, parts).unwrap_err();
            assert_eq!(error.code, code, "{variant} {ruleset} {parts}");
        }
    }
}
