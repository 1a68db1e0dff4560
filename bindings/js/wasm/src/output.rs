//! A fixed buffer for results: cheaper than a new string or array for each call.

use std::cell::RefCell;
use std::fmt::Display;
use std::io::Write;

use wasm_bindgen::prelude::wasm_bindgen;

/// Enough for the names of the most moves a position can have, in the longest notation.
const SIZE: usize = 16 << 10;

#[repr(align(8))]
struct Output([u8; SIZE]);

thread_local! {
    static OUTPUT: RefCell<Output> = const { RefCell::new(Output([0; SIZE])) };
}

/// Address of the buffer. It never changes.
#[wasm_bindgen(js_name = outputAddress)]
pub fn output_address() -> usize {
    OUTPUT.with_borrow(|output| output.0.as_ptr() as usize)
}

/// Writes a text that is in memory already, which is faster than formatting it. Returns the number of bytes, 0 if it
/// does not fit.
pub(crate) fn bytes(text: &str) -> usize {
    OUTPUT.with_borrow_mut(|output| {
        let Some(place) = output.0.get_mut(..text.len()) else { return 0 };
        place.copy_from_slice(text.as_bytes());
        text.len()
    })
}

/// Writes a text. Returns the number of bytes.
pub(crate) fn text(text: impl Display) -> usize {
    OUTPUT.with_borrow_mut(|output| {
        let mut rest = &mut output.0[..];
        let _ = write!(rest, "{text}");
        let free = rest.len();
        SIZE - free
    })
}

/// Writes 16-bit numbers. Returns how many.
pub(crate) fn numbers(numbers: impl Iterator<Item = u16>) -> usize {
    OUTPUT.with_borrow_mut(|output| {
        let mut written = 0;
        for (place, number) in output.0.chunks_exact_mut(2).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
            written += 1;
        }
        written
    })
}
