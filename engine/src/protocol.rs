//! Shared by the UCI and XBoard protocols.

/// The name that the engine announces.
pub const NAME: &str = concat!("Sakmak ", env!("CARGO_PKG_VERSION"));
/// The author that the engine announces.
pub const AUTHOR: &str = "the Sakmak developers";

/// A decimal number without its fraction, clamped to the range of the type.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let (sign, end) = if text.starts_with('-') { ("-", i64::MIN) } else { ("", i64::MAX) };
    Some(format!("{sign}0{whole}").parse().unwrap_or(end))
}
