//! Parsers of numbers on the command lines of `sakmak` and `sakmak-tools`.

use std::num::{IntErrorKind, NonZeroUsize};
use std::ops::{Bound, RangeBounds};

/// Parses a whole number within a range; the error names the range.
pub fn whole<T>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64>,
{
    let low = match range.start_bound() {
        Bound::Included(&low) => low,
        Bound::Excluded(&low) => low.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let high = match range.end_bound() {
        Bound::Included(&high) => high,
        Bound::Excluded(&high) => high.saturating_sub(1),
        Bound::Unbounded => {
            let limits = [u64::MAX, i64::MAX as u64, u32::MAX.into(), u16::MAX.into(), u8::MAX.into()];
            limits.into_iter().find(|&limit| T::try_from(limit).is_ok()).unwrap_or(0)
        }
    };
    move |text: &str| {
        let number = text.parse::<u64>();
        let is_too_large = number.as_ref().is_err_and(|error| *error.kind() == IntErrorKind::PosOverflow);
        let fitting = number.ok().filter(|number| (low..=high).contains(number));
        fitting.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match (low, high) {
            (0, u64::MAX) if !is_too_large => "a whole number is needed".to_owned(),
            (1, u64::MAX) if !is_too_large => "a whole number above 0 is needed".to_owned(),
            _ => format!("a whole number from {low} to {high} is needed"),
        })
    }
}

/// Parses a whole number above 0.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    above_zero(1.., text)
}

/// Parses a number of threads, from 1 to 1024: more is a slip, and would exhaust the machine.
pub fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    above_zero(1..=1024, text)
}

fn above_zero(range: impl RangeBounds<u64>, text: &str) -> Result<NonZeroUsize, String> {
    whole::<usize>(range)(text).map(|number| NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_numbers_that_are_possible() {
        fn error<T: TryFrom<u64>>(range: impl RangeBounds<u64>, text: &str) -> String {
            whole::<T>(range)(text).err().expect("an error")
        }
        assert_eq!((whole::<u64>(..)("0"), whole::<u8>(3..=5)("5")), (Ok(0), Ok(5)));
        assert_eq!(at_least_one("7").map(NonZeroUsize::get), Ok(7));
        assert_eq!(error::<u64>(.., "x"), "a whole number is needed");
        assert_eq!(error::<u64>(1.., "0"), "a whole number above 0 is needed");
        assert_eq!(at_least_one("0"), Err("a whole number above 0 is needed".to_owned()));
        assert_eq!(thread_count("1024").map(NonZeroUsize::get), Ok(1024));
        for text in ["0", "1025", "99999999999999999999"] {
            assert_eq!(thread_count(text), Err("a whole number from 1 to 1024 is needed".to_owned()));
        }
        assert_eq!(error::<u32>(.., "4294967296"), "a whole number from 0 to 4294967295 is needed");
        let most = "a whole number from 0 to 18446744073709551615 is needed";
        assert_eq!(error::<u64>(.., "99999999999999999999"), most);
        for text in ["2", "6", "-4", "3.5", ""] {
            assert_eq!(error::<u8>(3..=5, text), "a whole number from 3 to 5 is needed");
        }
        assert_eq!(error::<u32>(1..128, "128"), "a whole number from 1 to 127 is needed");
    }
}
