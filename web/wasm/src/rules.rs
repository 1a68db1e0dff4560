//! The rules of a game as the page names them.

use sakmak_movegen::{Rules, Ruleset, Variant};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// Variant, ruleset, and deviations from it as in the option `RuleParts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RulesChoice {
    /// `makruk`, `cambodian` or `makpong`.
    pub variant: String,
    /// `fairy-stockfish`, `wikipedia` etc.
    pub ruleset: String,
    /// Such as `Repetition=none SutMet=on`.
    pub parts: String,
}

impl RulesChoice {
    /// A choice in JSON. An empty text is the default.
    ///
    /// # Errors
    /// If the text is not of that form.
    pub fn parse(json: &str) -> Result<Self, Fault> {
        if json.is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_str(json).map_err(|error| Fault::new("rules", error))
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
        let variant: Variant = match &*self.variant {
            "" => Variant::default(),
            name => name.parse().map_err(|error| Fault::new("rules", error))?,
        };
        let ruleset: Ruleset = match &*self.ruleset {
            "" => Ruleset::default(),
            name => name.parse().map_err(|error| Fault::new("rules", error))?,
        };
        let rules = Rules::new(variant, ruleset).with_parts(&self.parts);
        rules.map_err(|error| Fault::new("rules", error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_movegen::rules::{Claim, Privileges};

    #[test]
    fn choices_are_read_and_wrong_ones_refused() {
        let read = |json: &str| RulesChoice::parse(json).and_then(|choice| choice.rules());
        assert_eq!(read(""), Ok(Rules::default()));
        assert_eq!(read("{}"), Ok(Rules::default()));
        let rules =
            read(r#"{"variant":"cambodian","ruleset":"wikipedia","parts":"CountClaim=manual SutMa=on"}"#);
        let rules = rules.unwrap();
        assert_eq!((rules.play.variant, rules.setup.ruleset), (Variant::Cambodian, Ruleset::Wikipedia));
        assert_eq!(rules.play.claim, Claim::Manual);
        assert!(rules.play.privileges.contains(Privileges::SUT_MA));
        for wrong in ["[", r#"{"variant":"chess"}"#, r#"{"ruleset":"x"}"#, r#"{"parts":"SutMa=maybe"}"#] {
            assert_eq!(read(wrong).unwrap_err().code, "rules", "{wrong}");
        }
    }
}
