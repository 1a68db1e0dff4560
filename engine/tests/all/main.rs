//! The tests of the program `sakmak`, in one test program.

mod analyse;
mod book;
#[cfg(unix)]
mod faults;
mod fresh_process;
mod process;
mod readme;
mod remote_tables;
mod session;
mod xboard;
