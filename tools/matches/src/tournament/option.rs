//! The options that an engine announces (UCI: `option name N type T ...`).

/// An option of type `spin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinOption {
    /// The default value.
    pub default: i64,
    /// The minimum.
    pub least: i64,
    /// The maximum.
    pub most: i64,
}

/// An announced option.
#[derive(Clone, Debug)]
pub(super) struct EngineOption {
    pub(super) name: String,
    /// The type and what follows it.
    pub(super) kind: String,
}

impl EngineOption {
    /// The option of a line; `None` if it announces none.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some(Self { name: name.to_owned(), kind: kind.to_owned() })
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.kind.split_ascii_whitespace()
    }

    fn is(&self, kind: &str) -> bool {
        self.words().next() == Some(kind)
    }

    /// The words after each `key`.
    fn after(&self, key: &str) -> impl Iterator<Item = &str> {
        self.words().zip(self.words().skip(1)).filter(move |(before, _)| *before == key).map(|(_, word)| word)
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.after(key).next()?.parse().ok()
    }

    /// Whether the option takes a value. What cannot be known from the announcement may.
    pub(super) fn takes(&self, value: &str) -> bool {
        if self.is("spin") {
            let (least, most) = (self.number("min"), self.number("max"));
            value.parse().is_ok_and(|number: i64| {
                least.is_none_or(|least| least <= number) && most.is_none_or(|most| number <= most)
            })
        } else if self.is("check") {
            ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word))
        } else if self.is("combo") && !value.contains(' ') {
            // Values of several words cannot be told from one another.
            self.after("var").next().is_none() || self.words().any(|word| word.eq_ignore_ascii_case(value))
        } else {
            true
        }
    }

    /// The values offered: those of the `var` words, or without any (a string, or a list left out) only the default.
    pub(super) fn offered_values(&self) -> Vec<String> {
        let key = if self.after("var").next().is_some() { "var" } else { "default" };
        self.after(key).map(str::to_owned).collect()
    }

    /// The numbers of a `spin` option; `None` if it is none, or they are not all there.
    pub(super) fn spin(&self) -> Option<SpinOption> {
        let [default, least, most] = ["default", "min", "max"].map(|key| self.number(key));
        let spin = SpinOption { default: default?, least: least?, most: most? };
        (self.is("spin") && spin.least < spin.most).then_some(spin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(kind: &str) -> EngineOption {
        EngineOption::read(&format!("option name Some Name type {kind}")).unwrap()
    }

    #[test]
    fn variants_an_engine_offers() {
        for (kind, offered) in [
            ("combo default makruk var makruk", &["makruk"][..]),
            ("combo default chess var chess  var makruk\tvar cambodian", &["chess", "makruk", "cambodian"]),
            ("combo default makruk", &["makruk"]),
            ("string default makruk", &["makruk"]),
            ("string default", &[]),
        ] {
            assert_eq!(option(kind).offered_values(), offered, "{kind}");
        }
    }

    #[test]
    fn values_an_option_takes() {
        for (kind, taken, refused) in [
            ("spin default 16 min 1 max 64", &["1", "64"][..], &["0", "65", "", "many"][..]),
            ("spin default 0 max 5", &["-9", "5"], &["6"]),
            ("check default false", &["true", "False"], &["yes", ""]),
            ("combo default a var a var b", &["a", "B", "two words"], &["c"]),
            ("combo default a", &["c"], &[]),
            ("string default <empty>", &["", "any thing"], &[]),
            ("button", &["", "x"], &[]),
        ] {
            for value in taken {
                assert!(option(kind).takes(value), "{kind}: {value}");
            }
            for value in refused {
                assert!(!option(kind).takes(value), "{kind}: {value}");
            }
        }
    }

    #[test]
    fn spin_options_have_a_default_and_bounds() {
        let spin = SpinOption { default: 3, least: -1, most: 9 };
        assert_eq!(option("spin default 3 min -1 max 9").spin(), Some(spin));
        for kind in ["spin default 3 min 1", "spin default 3 min 9 max 9", "string default 3 min 1 max 9"] {
            assert_eq!(option(kind).spin(), None, "{kind}");
        }
        assert!(EngineOption::read("option name Hash").is_none());
    }
}
