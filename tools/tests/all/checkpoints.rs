//! Files written before the library was split off are read, and written again byte for byte.

use std::path::Path;

use sakmak_files::output::OutputFile;
use sakmak_matches::spsa::SpsaState;
use sakmak_matches::tournament::report::MatchReport;

use crate::common::TempFile;

#[test]
fn reports_of_matches_keep_their_form() {
    let text = include_str!("../data/match-report.json");
    let mut report: MatchReport = serde_json::from_str(text).expect("a report");
    assert_eq!(report.to_json().expect("JSON"), text);
    assert_eq!(report.totals.engines.iter().map(|engine| engine.games).sum::<u64>(), 16);
    // The estimates are recomputed from the totals.
    let estimates = report.estimates.clone();
    report.update();
    assert_eq!(report.estimates, estimates);
}

#[test]
fn states_of_spsa_keep_their_form() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/spsa-state.json"));
    let state = SpsaState::read(path, &["Hash=2".to_owned()], 2).expect("a state");
    assert_eq!((state.done, state.parameters[0].value), (2, 64.0));
    let copy = TempFile::absent("state.json");
    state.write(&OutputFile::create(Path::new(copy.path())).expect("a new file")).expect("it is written");
    assert_eq!(copy.text(), include_str!("../data/spsa-state.json"));
}
