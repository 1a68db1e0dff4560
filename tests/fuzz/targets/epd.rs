//! See `sakmak_tests::fuzz::epd`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sakmak_tests::fuzz::epd(bytes));
