//! Tests on data beside the repository. Each is ignored, with the reason, where its file is missing; the tests of the
//! same names in `perft`, `cambodian`, `counting` and the oracle's own need no data.

use std::sync::atomic::AtomicBool;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sakmak_engine::perft::check_line;
use sakmak_movegen::perft::divide;
use sakmak_movegen::{Rules, Ruleset, Variant};
use sakmak_tests::{oracle, shared_text};

/// Cap on the perft nodes of one position.
const NODE_LIMIT: u64 = 5_000_000;

/// A test on a file.
fn trial(
    name: &str,
    file: &'static str,
    test: impl FnOnce(&str) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::ignorable_test(name, move || match shared_text(file) {
        Some(text) => test(&text).map(|()| Completion::Completed),
        None => Ok(Completion::ignored_with(format!("needs ../shared/data/{file}"))),
    })
}

fn check_oracle(text: &str, variant: Variant) -> Result<(), Failed> {
    oracle::check(text, variant);
    Ok(())
}

fn check_suite(text: &str, variant: Variant) -> Result<(), Failed> {
    let mut positions = 0;
    for line in text.lines() {
        let never = AtomicBool::new(false);
        let rules = Rules::new(variant, Ruleset::FairyStockfish);
        let checked = check_line(line, rules, NODE_LIMIT, |position, depth| {
            divide(position, depth, 1, None, &never, &|_| ()).parts
        })?;
        positions += u32::from(checked);
    }
    if positions == 0 { Err("the suite is empty".into()) } else { Ok(()) }
}

fn main() {
    let (makruk, cambodian) = (Variant::Makruk, Variant::Cambodian);
    let trials = vec![
        trial("perft_makruk", "perft-makruk.epd", move |text| check_suite(text, makruk)),
        trial("perft_cambodian", "perft-cambodian.epd", move |text| check_suite(text, cambodian)),
        trial("oracle_makruk", "counting-makruk.jsonl", move |text| check_oracle(text, makruk)),
        trial("oracle_cambodian", "counting-cambodian.jsonl", move |text| check_oracle(text, cambodian)),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
