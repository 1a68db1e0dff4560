//! See `sakmak_tests::fuzz::uci`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sakmak_tests::fuzz::uci(bytes));
