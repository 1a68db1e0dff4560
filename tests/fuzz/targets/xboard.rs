//! See `sakmak_tests::fuzz::xboard`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sakmak_tests::fuzz::xboard(bytes));
