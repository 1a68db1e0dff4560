//! Memory in pages of 2 MiB instead of 4 KiB, on Linux: fewer accesses miss the TLB.

use std::mem::MaybeUninit;

use bytemuck::Zeroable;

/// Advises the system to back memory that is not yet touched with huge pages. It can where 2 MiB of it begin at a
/// multiple of 2 MiB. Does nothing on systems other than Linux; a refusal only costs speed.
pub fn advise<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let start = memory.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(page);
        let length = size_of_val(memory).saturating_sub(skipped) / page * page;
        // SAFETY: the range lies within the slice, and this advice changes neither its content nor its mapping.
        // Gain: see `docs/decisions/0009-lockless-table.md`.
        let _ = unsafe { madvise(start.wrapping_add(skipped).cast(), length, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A value of zeroes, which is never on the stack, in huge pages if its type is aligned to them.
pub fn zeroed<T: Zeroable>() -> Box<T> {
    let mut value = Box::<T>::new_uninit();
    advise(std::slice::from_mut(&mut *value));
    // SAFETY: the pointer is that of the box, and for a `Zeroable` type zeroes are a value. Gain: the system can be
    // advised only before memory is first written to.
    unsafe {
        value.as_mut_ptr().write_bytes(0, 1);
        value.assume_init()
    }
}
