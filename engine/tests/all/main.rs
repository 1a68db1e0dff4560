//! The tests of the program `sakmak`, in one program.

#[cfg(unix)]
mod faults;
mod process;
mod readme;
