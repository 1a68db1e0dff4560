//! What crosses the border: texts in and out, error codes, panics.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{SakmakHandle, handles};

/// Why a call failed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types, missing_docs)]
pub enum SakmakError {
    /// There was no line within the time. The only code without a text.
    SAKMAK_NO_LINE = -1,
    /// The handle is 0, was freed, or names something else.
    SAKMAK_ERROR_HANDLE = -2,
    /// A pointer that is needed is NULL.
    SAKMAK_ERROR_NULL = -3,
    /// A text is not UTF-8.
    SAKMAK_ERROR_UTF8 = -4,
    /// There is not enough memory.
    SAKMAK_ERROR_MEMORY = -5,
    /// The FEN is wrong.
    SAKMAK_ERROR_FEN = -6,
    /// The move is malformed, ambiguous or not legal, or there is no move to take back.
    SAKMAK_ERROR_MOVE = -7,
    /// No variant, ruleset or notation has this name or number.
    SAKMAK_ERROR_RULES = -8,
    /// The count cannot be started, stopped or claimed here.
    SAKMAK_ERROR_COUNT = -9,
    /// The bytes are not a network for this version.
    SAKMAK_ERROR_NETWORK = -10,
    /// The engine got `quit`, or was freed meanwhile.
    SAKMAK_ERROR_ENDED = -11,
    /// A fault of the library. The handle can still be used and freed.
    SAKMAK_ERROR_PANIC = -12,
}

/// A failed call: its code and the text for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    code: SakmakError,
    text: String,
}

impl Failure {
    pub(crate) fn new(code: SakmakError, text: impl ToString) -> Self {
        Self { code, text: text.to_string() }
    }
}

/// Runs the work of a function. A failure or a panic becomes the result of `failed` for its code, and its text is
/// stored for `sakmak_last_error`.
pub(crate) fn guard_with<T>(
    handle: SakmakHandle,
    failed: impl FnOnce(i32) -> T,
    work: impl FnOnce() -> Result<T, Failure>,
) -> T {
    let result = catch_unwind(AssertUnwindSafe(work));
    let failure = match result {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(SakmakError::SAKMAK_ERROR_PANIC, panic_text(&*panic)),
    };
    if failure.code != SakmakError::SAKMAK_NO_LINE {
        handles::store_error(handle, failure.text);
    }
    failed(failure.code as i32)
}

/// [`guard_with`] for functions that return a code.
pub(crate) fn guard(handle: SakmakHandle, work: impl FnOnce() -> Result<i32, Failure>) -> i32 {
    guard_with(handle, |code| code, work)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("a fault of the library: {text}")
}

/// A text of the caller; `None` if it is NULL.
///
/// # Safety
/// `text` is NULL, or ends with NUL and does not change during `'a`.
pub(crate) unsafe fn optional_text<'a>(text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, so by the contract of this function it ends with NUL and does not change.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_UTF8, error))
}

/// A text of the caller. `what` names it in the error for NULL.
///
/// # Safety
/// As [`optional_text`].
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    // SAFETY: by the contract of this function.
    unsafe { optional_text(text) }?.ok_or_else(|| null(what))
}

/// Bytes of the caller.
///
/// # Safety
/// `bytes` is NULL, or has `length` bytes that do not change during `'a`.
pub(crate) unsafe fn bytes<'a>(bytes: *const u8, length: usize) -> Result<&'a [u8], Failure> {
    if bytes.is_null() {
        return Err(null("bytes"));
    }
    if isize::try_from(length).is_err() {
        return Err(Failure::new(SakmakError::SAKMAK_ERROR_NULL, "length is larger than any memory"));
    }
    // SAFETY: not NULL and no longer than a slice may be, so by the contract of this function there are `length` bytes.
    Ok(unsafe { std::slice::from_raw_parts(bytes, length) })
}

pub(crate) fn null(what: &str) -> Failure {
    Failure::new(SakmakError::SAKMAK_ERROR_NULL, format!("{what} is NULL"))
}

/// Writes a text and NUL into a buffer of the caller, cut between two characters if it does not fit. Returns the length
/// of the whole text.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
pub(crate) unsafe fn write(text: &str, buffer: *mut c_char, size: usize) -> i32 {
    // C would take a NUL inside for the end.
    let text = text.split('\0').next().unwrap_or_default();
    if !buffer.is_null() && size > 0 {
        let mut length = text.len().min(size - 1);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: `length` bytes and NUL fit into the `size` bytes of the buffer, which is the caller's and no part of
        // `text`.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), length);
            buffer.add(length).write(0);
        }
    }
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_code_and_its_text() {
        let code = guard(0, || panic!("for a test"));
        assert_eq!(code, SakmakError::SAKMAK_ERROR_PANIC as i32);
        assert_eq!(handles::last_error(0), "a fault of the library: for a test");
        assert_eq!(guard_with(0, |_| 0_u64, || Err(null("line"))), 0);
        assert_eq!(handles::last_error(0), "line is NULL");
        // No line is no error.
        assert_eq!(guard(0, || Err(Failure::new(SakmakError::SAKMAK_NO_LINE, ""))), -1);
        assert_eq!(handles::last_error(0), "line is NULL");
    }
}
