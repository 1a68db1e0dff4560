//! The C interface of Sakmak: the engine as a UCI session, and the rules of Makruk.
//!
//! Objects are named by handles, numbers that are never used twice. So a handle that was freed is an error and no
//! crash, and so is NULL for a text. No panic crosses the border: [`border::guard`] catches it in every function
//! that can have one. `unsafe` is limited to the pointers that a caller passes.

mod border;
mod engine;
mod game;
mod handles;

use std::ffi::c_char;

pub use border::SakmakError;
pub use engine::*;
pub use game::*;

/// Names an engine or a game. 0 names nothing.
pub type SakmakHandle = u64;

/// The version of the library, for example "0.1.0". The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Frees an engine or a game. A search is stopped, and a `sakmak_next_line` that waits in another thread returns.
/// Freeing a handle twice, or 0, is SAKMAK_ERROR_HANDLE and does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_free(handle: SakmakHandle) -> i32 {
    border::guard(0, || {
        handles::remove(handle)?.close();
        Ok(0)
    })
}

/// Writes the text of the last error of a handle; empty without one. For handle 0: the last error of a call in this
/// thread, also of those that made no handle.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_last_error(handle: SakmakHandle, buffer: *mut c_char, size: usize) -> i32 {
    border::guard(0, || {
        let text = handles::last_error(handle);
        // SAFETY: by the contract of this function.
        Ok(unsafe { border::write(&text, buffer, size) })
    })
}
